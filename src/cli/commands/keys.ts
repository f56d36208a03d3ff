import { type Command, command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { wholeOption } from '#cli/input.ts'
import { present, table } from '#cli/io.ts'
import { identityKeys } from './keys-identity.ts'

const list = command({
  path: 'keys list',
  settings: 'node',
  summary: "List the account's API keys; never their values.",
  examples: ['tickmesh keys list'],
  async run(invocation) {
    const { client } = connect(invocation)
    const answer = await client.call('identity.keys', {}, { signal: invocation.signal })
    present(invocation.io, answer, () =>
      table([
        ['id', 'name', 'kind', 'made at tick', 'state'],
        ...answer.keys.map((it) => [
          it.id,
          it.name,
          it.kind,
          String(it.created_tick),
          it.revoked ? 'revoked' : it.expires_mesh_tick === null ? 'good' : `good until ${it.expires_mesh_tick}`,
        ]),
      ]),
    )
    return exits.ok
  },
})

const create = command({
  path: 'keys create',
  settings: 'node',
  summary: 'Make a further API key; it is shown this once.',
  args: [{ name: '<name>', help: 'what the key is for' }],
  options: [{ flags: '--expires-in <seconds>', help: 'when it stops to be accepted; never when left out' }],
  examples: ['tickmesh keys create laptop', 'tickmesh keys create ci --expires-in 86400 --json'],
  async run(invocation) {
    const [name = ''] = invocation.args
    const seconds = wholeOption(invocation.options['expiresIn'], '--expires-in')
    const { client } = connect(invocation)
    const answer = await client.call(
      'identity.create-key',
      { name, ...(seconds !== undefined && { expires_in_seconds: seconds }) },
      { signal: invocation.signal },
    )
    present(invocation.io, answer, () => answer.api_key)
    invocation.io.say(`key ${answer.id} (${answer.name}): keep it, it is not shown again`)
    return exits.ok
  },
})

const revoke = command({
  path: 'keys revoke',
  settings: 'node',
  summary: 'Revoke an API key, at once and for good.',
  args: [{ name: '<id>', help: 'its id, as `keys list` shows it' }],
  examples: ['tickmesh keys revoke 0123456789abcdef'],
  async run(invocation) {
    const { client } = connect(invocation)
    const [id = ''] = invocation.args
    const answer = await client.call('identity.revoke-key', { id }, { signal: invocation.signal })
    present(invocation.io, answer, () => `revoked ${answer.id}`)
    return exits.ok
  },
})

const trusted = command({
  path: 'keys trusted',
  settings: 'node',
  summary: "Print what others pin to verify this node's receipts.",
  examples: ['tickmesh keys trusted > trusted.vkey', 'tickmesh verify heat.json --key trusted.vkey'],
  async run(invocation) {
    const { client } = connect(invocation)
    const answer = await client.call('identity.node', {}, { signal: invocation.signal })
    present(invocation.io, answer, () => answer.vkeys.log)
    return exits.ok
  },
})

export const keys: readonly Command[] = [list, create, revoke, trusted, ...identityKeys]
