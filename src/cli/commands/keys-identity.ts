import { type Command, command, type Invocation } from '#cli/command.ts'
import { confirm } from '#cli/confirm.ts'
import { configOf, connect } from '#cli/connection.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { present, printable, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import type { RotationView } from '#node/succession.ts'

const REASON = 'planned'

/** A refusal of the data or of the key as what the exit code says. */
const asCliError = async (error: unknown, directory: string): Promise<unknown> => {
  const { rotationRefusal } = await import('#node/succession.ts')
  const refusal = rotationRefusal(error)
  if (refusal === undefined || !(error instanceof Error)) return error
  const details = { data_directory: directory }
  const said = `nothing was changed: ${error.message}`
  return refusal === 'later'
    ? new CliError(exits.tryLater, `${said}; stop the node first, or try again`, { code: 'TRY_LATER', details })
    : new CliError(exits.failure, said, { code: 'NOT_ROTATED', details })
}

const describe = (view: RotationView, reason: string): string =>
  table([
    ['present node', view.old_node],
    ['new node', view.new_node ?? 'a fresh key'],
    ['log that ends', `${view.origin}, ${view.leaves} leaves`],
    ['event log', `${view.events} events`],
    ['successions before', String(view.earlier)],
    ['reason', printable(reason)],
  ])

const textOption = ({ options }: Invocation, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

const rotate = async (invocation: Invocation, directory: string): Promise<Exit> => {
  const { io, options, signal } = invocation
  const reason = textOption(invocation, 'reason') ?? REASON
  const file = textOption(invocation, 'newKeyFile')
  // No other command of this family opens the database.
  const { rotateHere, seedIn, viewHere } = await import('#node/succession.ts')
  const seed = file === undefined ? undefined : seedIn(file)
  const view = await viewHere(directory, seed)
  if (options['dryRun'] === true) {
    present(io, { ok: true, rotated: false, ...view, reason }, () => `${describe(view, reason)}\nnothing was changed`)
    return exits.ok
  }
  io.say(describe(view, reason))
  await confirm(io, `Node ${view.old_node} ends here for ever, and a new one stands in its place. Rotate?`, signal)
  const proven = await rotateHere(directory, { reason, seed, signal })
  present(io, { ok: true, rotated: true, ...proven }, () => `rotated: node ${proven.succession.new_node}`)
  io.say('whoever pins this node pins the new key now: `tickmesh keys trusted` prints it once the node runs')
  return exits.ok
}

const rotateIdentity = command({
  path: 'keys rotate-identity',
  summary: 'Put a new identity key in the place of the present one, on a stopped node; both keys sign it.',
  options: [
    { flags: '--reason <text>', help: `stated in what both keys sign; "${REASON}" when left out` },
    { flags: '--new-key-file <file>', help: 'the new key, 64 hex digits, readable by you alone; else a fresh one' },
    { flags: '--dry-run', help: 'say what would end, and change nothing' },
  ],
  examples: ['tickmesh keys rotate-identity --dry-run', 'tickmesh keys rotate-identity --reason "new machine" --yes'],
  async run(invocation) {
    const { dataDirectory: directory } = configOf(invocation)
    try {
      return await rotate(invocation, directory)
    } catch (error) {
      throw await asCliError(error, directory)
    }
  },
})

const newLog = command({
  path: 'keys new-log',
  summary: 'Begin new logs under the same key, on a stopped node that answers LOG_ROLLED_BACK.',
  options: [
    { flags: '--unconfirmed <log>', help: 'give up this log of restored data, whose witnesses cannot be asked' },
  ],
  examples: ['tickmesh keys new-log --yes'],
  async run(invocation) {
    const { io, signal } = invocation
    const { dataDirectory: directory } = configOf(invocation)
    try {
      await confirm(
        io,
        `The log in ${directory} is left behind for ever, and new seals go into another. Begin it?`,
        signal,
      )
      const { newLogHere } = await import('#node/succession.ts')
      const begun = await newLogHere(directory, invocation.options['unconfirmed'] as string | undefined)
      present(
        io,
        { ok: true, ...begun },
        () => `begun: ${begun.origin}, beside ${begun.left} with ${begun.leaves} leaves`,
      )
      return exits.ok
    } catch (error) {
      throw await asCliError(error, directory)
    }
  },
})

const successions = command({
  path: 'keys successions',
  settings: 'node',
  summary: 'Print the keys that the present one took the place of, with their proofs, for `verify --successions`.',
  examples: ['tickmesh keys successions > successions.json'],
  async run(invocation) {
    const { client } = connect(invocation)
    const { key_supersessions } = await client.call('identity.node', {}, { signal: invocation.signal })
    present(invocation.io, { ok: true, key_supersessions }, () => JSON.stringify(key_supersessions, undefined, 2))
    return exits.ok
  },
})

export const identityKeys: readonly Command[] = [rotateIdentity, newLog, successions]
