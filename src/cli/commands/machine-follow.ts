import { type Block, chainPages } from '#cli/chain.ts'
import { command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { cell } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { wholeOption } from '#cli/input.ts'
import { type Io, jsonText, printable } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { isSlug } from '#core/slug.ts'
import { pause } from '#core/wait.ts'
import { type Client, NodeUnreachable } from '#gateway/client.ts'

/** Connections that may fail in a row before the tail gives up: about a minute, in which a node has started again. */
const RECONNECTS_MAX = 20
const RECONNECT_MS = 3_000

/** What is followed, and from where. */
interface Tail {
  readonly client: Client
  readonly io: Io
  readonly slug: string
  readonly event?: string
  readonly signal: AbortSignal
  /** Number of the last entry that was shown, or before which nothing is wanted. */
  last: number
}

const line = ({ seq, tickNumber, transitionType, stateHash, body }: Block): string =>
  `${seq}  tick ${tickNumber}  ${transitionType}  ${stateHash}  ${cell(body)}`

/** Shows a row, once: a row that a reconnection brings again is passed over. */
const show = async (tail: Tail, row: Block): Promise<void> => {
  if (row.seq <= tail.last) return
  tail.last = row.seq
  tail.io.out(tail.io.json ? jsonText({ ok: true, ...row }) : printable(line(row)))
  await tail.io.drained()
}

/** Shows what a chain has after the last row that was shown: a stream alone would leave out all but the newest. */
const catchUp = async (tail: Tail): Promise<void> => {
  const { client, slug, event, signal, last } = tail
  const query = { slug, after: last, ...(event !== undefined && { event }) }
  for await (const rows of chainPages(client, query, signal)) {
    for (const row of rows) await show(tail, row)
    signal.throwIfAborted()
  }
}

const streamOf = ({ client, slug, event, last, signal }: Tail) => {
  const mark = event === undefined ? '' : 'f'
  const options = { signal, ...(last >= 0 && { lastEventId: `${mark}${last}` }) }
  return event === undefined
    ? client.stream('explorer.machine-stream', { slug }, options)
    : client.stream('machines.event-stream', { slug, event }, options)
}

/** What the node says instead of a row when its reader may no longer read. */
const refused = (data: unknown): CliError => {
  const { code = 'STREAM_ENDED', detail = 'the stream ended' } = data as { code?: string; detail?: string }
  return new CliError(exits.failure, `${code}: ${detail}`, { code })
}

/** Follows one connection to its end. @returns whether it brought anything. */
const followOnce = async (tail: Tail): Promise<boolean> => {
  await catchUp(tail)
  let brought = false
  for await (const { event, data } of streamOf(tail)) {
    brought = true
    if (event === 'error') throw refused(data)
    if (event === 'gap') await catchUp(tail)
    else await show(tail, data as Block)
  }
  return brought
}

const follow = async (tail: Tail): Promise<void> => {
  const { io, signal } = tail
  for (let failed = 0; ; failed++) {
    try {
      if (await followOnce(tail)) failed = 0
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof NodeUnreachable) || failed >= RECONNECTS_MAX) throw error
      if (failed === 0) io.say(`${error.message}; waiting for it`)
    }
    signal.throwIfAborted()
    await pause(RECONNECT_MS, signal)
  }
}

export const machineFollow = command({
  path: 'machines follow',
  settings: 'node',
  summary: 'Entries of a machine as they happen, a line each, over any interruption without a gap; until Ctrl-C.',
  args: [{ name: '<slug>', help: 'Slug of the machine.', choices: 'machines' }],
  options: [
    { flags: '--from <seq>', help: 'begin with the entry of this number; with what comes when left out' },
    { flags: '--event <name>', help: 'only events of this name, or entries of this type; for the owner' },
  ],
  examples: ['tickmesh machines follow pump-7', 'tickmesh machines follow pump-7 --from 0 --json | jq .seq'],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const [slug = ''] = args
    if (!isSlug(slug)) throw usageError(`"${slug}" is no slug of a machine`)
    const from = wholeOption(options['from'], '--from')
    const { event } = options
    const { client } = connect(invocation, { retriesMax: 0 })
    // What a reader that left does not read would be written for ever.
    const until = AbortSignal.any([signal, io.gone])
    const { machine } = await client.call('machines.read', { slug }, { signal: until })
    const last = from === undefined ? machine.head.seq : from - 1
    const tail: Tail = { client, io, slug, signal: until, last, ...(typeof event === 'string' && { event }) }
    try {
      await follow(tail)
    } catch (error) {
      if (io.gone.aborted) return exits.ok
      io.say(`go on with: tickmesh machines follow ${slug} --from ${tail.last + 1}`)
      throw error
    }
    return exits.ok
  },
})
