import { command } from '#cli/command.ts'
import { ownNode } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { createClient, NodeUnreachable } from '#gateway/client.ts'
import { OWNER_LINK_PATH } from '#gateway/owner.ts'

export const ownerLink = command({
  path: 'owner-link',
  summary: 'A fresh link that opens the page of the running node as its owner, once, within an hour.',
  examples: ['tickmesh owner-link', 'docker exec tickmesh tickmesh owner-link'],
  async run(invocation) {
    const { io, signal } = invocation
    const { url, key } = ownNode(invocation)
    const { body } = await createClient({ url, key }).send('POST', OWNER_LINK_PATH, undefined, { signal })
    const path = (body as { readonly path?: unknown } | null)?.path
    if (typeof path !== 'string') throw new NodeUnreachable(`${url} answered with no link`)
    present(io, { ok: true, owner_link: `${url}${path}` }, () => `${url}${path}`)
    return exits.ok
  },
})
