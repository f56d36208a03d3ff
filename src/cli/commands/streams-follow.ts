import { quantity } from '#cli/answer.ts'
import type { ChannelEvent, ChannelSeen, PushedTick } from '#cli/channel-socket.ts'
import { command, type Invocation } from '#cli/command.ts'
import { type Connection, connect } from '#cli/connection.ts'
import { cell } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { jsonText, printable } from '#cli/io.ts'
import { CliError, usageError } from '#cli/problem.ts'
import { pause } from '#core/wait.ts'
import { NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { streamIdOf } from './streams-read.ts'

/** Connections that may fail in a row before it is given up: about three minutes. */
const RECONNECTS_MAX = 20
const BACKOFF_MS = 250
const BACKOFF_MS_MAX = 10_000

/** Codes of a socket's end: a channel's own, and a credential's. */
const [NORMAL, REVOKED] = [1000, 4401]
/** Why a reader missed what the node still has. */
const SLOW = 'slow'

const MARK = /^(\d{1,15})\.(\d{1,15})$/

/** What is followed, and how far it was told. */
interface Following {
  readonly invocation: Invocation
  readonly id: string
  readonly sig: string | undefined
  readonly signal: AbortSignal
  /** The newest tick that was told, or behind which the first one is wanted. */
  seen: ChannelSeen | undefined
  /** The last mesh tick of the newest gap that was told. */
  gapTo: number
  /** Whether a socket was ever opened. */
  met: boolean
  /** Whether a tick was told since the last connection failed. */
  heard: boolean
}

const isAfter = (it: ChannelSeen, seen: ChannelSeen | undefined): boolean =>
  seen === undefined || it.epoch > seen.epoch || (it.epoch === seen.epoch && it.count > seen.count)

/** What a tick or its output in JSON says of its value; of any other output nothing is known. */
const readingOf = ({ output, contentType = '', ...told }: PushedTick) => {
  const none = { value: null, unit: null, errorPct: null }
  const { value = null, unit = null, errorPct = null } = told
  if (output === undefined) return { value, unit, errorPct }
  if (!contentType.startsWith('application/json')) return none
  const said = JSON.parse(output) as Readonly<Record<string, unknown>> | null
  if (said === null || typeof said !== 'object' || !('envelope' in said)) return none
  return { value: said['value'] ?? null, unit: said['unit'] ?? null, errorPct: said['errorPct'] ?? null }
}

const line = (it: PushedTick): string => {
  const { value, unit, errorPct } = readingOf(it)
  const shown = unit === null ? cell(it.output) : quantity(value, unit)
  const error = errorPct === null ? '-' : `${errorPct} %`
  return `${it.epoch}.${it.count}  tick ${it.tick}  ${shown}  ${error}  ${it.token_id}`
}

/** Tells one thing that happened, once. @returns how this connection goes on. */
const tell = async (to: Following, it: ChannelEvent): Promise<'on' | 'again' | 'over'> => {
  const { io } = to.invocation
  const json = (value: object): void => io.out(jsonText({ ok: true, ...value }))
  if (it.type === 'hello') {
    to.met = true
    to.seen ??= { epoch: it.epoch, count: it.count }
  } else if (it.type === 'tick') {
    if (!isAfter(it, to.seen)) return 'on'
    to.seen = { epoch: it.epoch, count: it.count }
    to.heard = true
    if (io.json) json({ ...it, ...readingOf(it) })
    else io.out(printable(line(it)))
    await io.drained()
  } else if (it.type === 'gap') {
    // What this reader was too slow for was sealed, and is told when it is asked for.
    if (it.reason === SLOW) return 'again'
    if (it.to <= to.gapTo) return 'on'
    to.gapTo = it.to
    if (io.json) json(it)
    else io.say(`gap  mesh ticks ${it.from ?? '…'} to ${it.to}: ${it.reason}`)
  } else if (it.type === 'status') {
    if (io.json) json(it)
    else io.say(`the stream is ${it.status}`)
  } else if (it.type === 'closed') {
    if (io.json) json(it)
    else io.say('the stream is closed')
    return 'over'
  }
  return 'on'
}

/** What the end of a socket means: a closed channel's goodbye says it, and any other end is an interruption. */
const ended = async (to: Following, { client }: Connection, { code, reason }: { code: number; reason: string }) => {
  if (code === REVOKED) {
    const why = 'REVOKED'
    throw new CliError(exits.failure, `${why}: ${reason}`, { code: why })
  }
  if (code !== NORMAL || to.sig !== undefined) return 'again'
  const { stream } = await client.call('compute.stream', { id: to.id }, { signal: to.signal })
  return stream.status === 'closed' ? tell(to, { type: 'closed' }) : 'again'
}

/** Follows one connection to its end. */
const followOnce = async (to: Following): Promise<'again' | 'over'> => {
  const { channelEvents } = await import('#cli/channel-socket.ts')
  const { invocation, id, sig, signal, seen } = to
  // Looked for anew each time: a node that was started again may have another address.
  const connection = connect(invocation, { retriesMax: 0 })
  const bearer = sig === undefined ? connection.bearer : undefined
  const order = { url: connection.url, bearer, sig, channel: id, after: seen, signal }
  for await (const it of channelEvents(order)) {
    const next = it.type === 'end' ? await ended(to, connection, it) : await tell(to, it)
    if (next !== 'on') return next
    signal.throwIfAborted()
  }
  return 'again'
}

const isAway = (error: unknown): error is Error =>
  error instanceof NodeUnreachable ||
  (error instanceof NodeRefusal && error.retryable) ||
  (error instanceof CliError && (error.code === 'NO_NODE' || error.code === 'NODE_NOT_READY'))

const follow = async (to: Following): Promise<void> => {
  const { io } = to.invocation
  for (let failed = 0; ; failed++) {
    let why = 'the connection ended'
    try {
      if ((await followOnce(to)) === 'over') return
    } catch (error) {
      to.signal.throwIfAborted()
      // Whoever was never connected has the wrong address rather than a node that comes back.
      if (!isAway(error) || !to.met || failed >= RECONNECTS_MAX) throw error
      why = error.message
    }
    to.signal.throwIfAborted()
    if (to.heard) failed = 0
    to.heard = false
    if (failed === 0) io.say(`${why}; going on behind ${to.seen?.epoch}.${to.seen?.count}`)
    await pause(Math.min(BACKOFF_MS * 2 ** failed, BACKOFF_MS_MAX), to.signal)
  }
}

const markOf = (after: unknown): ChannelSeen | undefined => {
  if (after === undefined) return undefined
  const [, epoch, count] = MARK.exec(String(after)) ?? []
  if (epoch === undefined) throw usageError(`--after takes epoch.count, as lines begin with it; got "${after}"`)
  return { epoch: Number(epoch), count: Number(count) }
}

/** A stream line by line, over any interruption. */
export const streamsFollow = command({
  path: 'streams follow',
  settings: 'node',
  summary: 'Ticks of a stream as they are sealed, a line each, over any interruption; until it is closed, or Ctrl-C.',
  args: [{ name: '<id>', help: 'id of the stream' }],
  options: [
    { flags: '--after <epoch.count>', help: 'begin behind this tick: what came since is told without its output' },
    { flags: '--sig <text>', help: 'the signature of a link, in place of a key' },
  ],
  examples: [
    'tickmesh streams follow 0123456789abcdef0123456789abcdef',
    'tickmesh streams follow 0123456789abcdef0123456789abcdef --after 1.0 --json | jq .value',
  ],
  async run(invocation) {
    const { io, args, options, signal } = invocation
    const id = streamIdOf(args[0])
    const { sig, after } = options
    const to: Following = {
      ...{ invocation, id, sig: typeof sig === 'string' ? sig : undefined, seen: markOf(after) },
      // What a reader that left does not read would be written for ever.
      ...{ signal: AbortSignal.any([signal, io.gone]), gapTo: -1, met: false, heard: false },
    }
    try {
      await follow(to)
    } catch (error) {
      if (io.gone.aborted) return exits.ok
      if (to.seen !== undefined) {
        io.say(`go on with: tickmesh streams follow ${id} --after ${to.seen.epoch}.${to.seen.count}`)
      }
      throw error
    }
    return exits.ok
  },
})
