import { command } from '#cli/command.ts'
import { ownNode } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { present } from '#cli/io.ts'
import { clientOf } from '#cli/over-http.ts'

export const ownerLink = command({
  path: 'owner-link',
  summary: 'A fresh link that opens the page of the running node as its owner, once, within an hour.',
  examples: ['tickmesh owner-link', 'docker exec tickmesh tickmesh owner-link'],
  async run(invocation) {
    const { io, signal } = invocation
    const { url, key } = ownNode(invocation)
    const { path } = await clientOf({ url, key }).call('identity.owner-link', {}, { signal })
    present(io, { ok: true, owner_link: `${url}${path}` }, () => `${url}${path}`)
    return exits.ok
  },
})
