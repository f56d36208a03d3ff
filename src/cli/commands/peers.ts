import type { ResultOf } from '#api/result-of.ts'
import { command, type Invocation } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { describe, listText } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { wholeOption } from '#cli/input.ts'
import { type Io, jsonText, present, printable } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { MS_PER_SECOND, SECONDS_PER_DAY } from '#core/time.ts'
import { pause } from '#core/wait.ts'
import type { Client } from '#gateway/client.ts'

type Mesh = ResultOf<'network.mesh-status'>

const WATCH_SECONDS_MAX = SECONDS_PER_DAY

/** Columns that have a place of their own; what else a peer says follows them. */
const COLUMNS = ['node', 'connected', 'state', 'reasons', 'rtt_ms', 'skew_ticks', 'head.size', 'version', 'address']
/** Members that the columns hold, or that only programs read. */
const TOLD = ['node', 'connected', 'state', 'reasons', 'rtt_ms', 'skew_ticks', 'head', 'version', 'address']
const APART = ['peers', 'heads', 'equivocations', 'counters', 'ok']

/** What a peer has beyond the columns, of whatever release the node is: scalars alone. */
const moreColumns = (peers: readonly object[]): readonly string[] =>
  Object.entries(peers[0] ?? {}).flatMap(([name, value]) =>
    TOLD.includes(name) || (typeof value === 'object' && value !== null) ? [] : [name],
  )

const heads = ({ heads: all }: Mesh): readonly string[] =>
  all.length === 0 ? [] : [`heads (${all.length})`, listText(all, ['origin', 'size', 'root', 'seen'])]

/** The mesh for people: what the node says of itself, then its peers, then whatever lists it has beside them. */
const meshText = (mesh: Mesh): string => {
  const { peers, equivocations } = mesh
  const rest = Object.fromEntries(Object.entries(mesh).filter(([name]) => !APART.includes(name)))
  const state = (it: Mesh['peers'][number]) => ({ ...it, reasons: it.reasons.join(' ') || null })
  return [
    describe(rest),
    `peers (${peers.length})`,
    listText(peers.map(state), [...COLUMNS, ...moreColumns(peers)]),
    ...heads(mesh),
    ...(equivocations.length === 0
      ? []
      : [`equivocations (${equivocations.length})`, listText(equivocations, ['origin', 'size', 'seen'])]),
  ].join('\n')
}

/** Peers whose state, connection or head is another one than before, and those that are new or gone. */
const changes = (before: Mesh | undefined, now: Mesh): readonly Mesh['peers'][number][] => {
  const old = new Map(before?.peers.map((it) => [it.node, JSON.stringify([it.connected, it.state, it.reasons])]))
  return now.peers.filter((it) => old.get(it.node) !== JSON.stringify([it.connected, it.state, it.reasons]))
}

const tell = (io: Io, peer: Mesh['peers'][number]): void => {
  const { node, connected, state, reasons, address } = peer
  const said = `${node}  ${connected ? 'connected' : 'away'}  ${[state, ...reasons].join(' ')}  ${address ?? '-'}`
  io.out(io.json ? jsonText({ ok: true, ...peer }) : printable(said))
}

/** Tells of each change until the signal aborts. */
const watch = async (io: Io, client: Client, { everyMs, signal }: { everyMs: number; signal: AbortSignal }) => {
  let before: Mesh | undefined
  while (!signal.aborted) {
    const now = await client.call('network.mesh-status', {}, { signal })
    for (const peer of changes(before, now)) tell(io, peer)
    await io.drained()
    before = now
    await pause(everyMs, signal)
  }
}

const everyMsOf = ({ options }: Invocation): number => {
  const seconds = wholeOption(options['every'], '--every') ?? 2
  if (seconds < 1 || seconds > WATCH_SECONDS_MAX) throw usageError(`--every takes 1 to ${WATCH_SECONDS_MAX} seconds`)
  return seconds * MS_PER_SECOND
}

export const peers = command({
  path: 'peers',
  settings: 'node',
  summary: 'The mesh as the node sees it: peers with state, address, round trip and clock; heads; sync and witnesses.',
  options: [
    { flags: '--watch', help: 'go on, a line for each peer that changes, until Ctrl-C' },
    { flags: '--every <seconds>', help: 'how often --watch looks (default 2)' },
  ],
  examples: ['tickmesh peers', 'tickmesh peers --watch --json'],
  async run(invocation) {
    const { io, options, signal } = invocation
    const everyMs = everyMsOf(invocation)
    const { client } = connect(invocation)
    if (options['watch'] !== true) {
      const mesh = await client.call('network.mesh-status', {}, { signal })
      present(io, { ok: true, ...mesh }, () => meshText(mesh))
      return exits.ok
    }
    try {
      await watch(io, client, { everyMs, signal: AbortSignal.any([signal, io.gone]) })
    } catch (error) {
      if (!io.gone.aborted) throw error
    }
    return exits.ok
  },
})
