import type { EquivocationProof } from '#core/equivocation.ts'
import { nodeOfLog } from '#core/ids.ts'
import type { Keeping, NetworkContext } from '#domain/network/context.ts'
import { remembered } from '#domain/network/remembered.ts'
import type { SourceView } from '#domain/network/views.ts'
import { type ForeignLogs, openForeignLogs } from './foreign.ts'
import { type SyncRefusal, SyncRefused } from './refused.ts'
import { exchange, type SyncSession } from './session.ts'
import type { Sync, SyncOutcome } from './types.ts'
import { ownLogs, type SyncContext } from './wants.ts'

/** How often some connected peer is asked, whether or not anything is known to be missing. */
const ROUND_EVERY_TICKS = 8
/** The longest wait, in ticks, before a log that nobody could complete is asked for again. */
const RETRY_BEATS_MAX = 64
/** Peers asked in one tick. */
const ASKED_AT_ONCE = 4
/**
 * How long a peer that was wrong is left alone, and one that was slow, which a loaded machine is too; doubled each
 * time until a sync goes well, up to the last.
 */
const BARRED_TICKS = 120
const SLOW_TICKS = 8
const BARRED_TICKS_MAX = 1_287
const BARRED_MAX = 1_024
/** Logs with two histories that are remembered until the next start; the evidence against them stays. */
const FORKS_MAX = 1_024
/** Origins whose newest size is remembered. */
const NOTED_MAX = 1_024

interface Bar {
  /** Mesh tick. */
  readonly until: number
  readonly ticks: number
}

const barOf = (reason: SyncRefusal): number =>
  reason === 'slow' || reason === 'unacknowledged' ? SLOW_TICKS : BARRED_TICKS

/** Peers that were wrong, and until when they are left alone. */
const createBars = () => {
  const bars = new Map<string, Bar>()
  return {
    holds: (node: string, meshTick: number): boolean => meshTick < (bars.get(node)?.until ?? 0),
    lift: (node: string): void => void bars.delete(node),
    set: (node: string, meshTick: number, ticksMin: number): void => {
      const ticks = Math.min(Math.max((bars.get(node)?.ticks ?? 0) * 2, ticksMin), BARRED_TICKS_MAX)
      bars.delete(node)
      bars.set(node, { until: meshTick + ticks, ticks })
      const [oldest] = bars.keys()
      if (bars.size > BARRED_MAX && oldest !== undefined) bars.delete(oldest)
    },
  }
}

/** The newest size seen of each log of others, and when to ask for what is missing. */
const createNoted = (keeping: Keeping) => {
  const sizes = new Map<string, number>()
  /** Origin → how often it was asked for since its newest note, and the beat from which it may be again. */
  const asked = new Map<string, { readonly tries: number; readonly from: number }>()
  return {
    sizes: sizes as ReadonlyMap<string, number>,
    /** Whether it is time to ask for a log: at once for a new note, then more and more rarely. */
    take: (origin: string, beat: number): boolean => {
      const { tries, from } = asked.get(origin) ?? { tries: 0, from: 0 }
      if (beat < from) return false
      asked.set(origin, { tries: tries + 1, from: beat + Math.min(2 ** tries, RETRY_BEATS_MAX) })
      return true
    },
    set: (origin: string, size: number): void => {
      const isOwn = ownLogs(keeping).some((log) => log.origin === origin)
      if (isOwn || size <= (sizes.get(origin) ?? 0)) return
      if (!sizes.has(origin) && sizes.size >= NOTED_MAX) {
        // Names cost nothing: the oldest that the policy does not name gives way.
        const spare = [...sizes.keys()].find((it) => keeping.named?.has(it) !== true)
        if (spare === undefined) return
        sizes.delete(spare)
        asked.delete(spare)
      }
      sizes.set(origin, size)
      asked.delete(origin)
    },
  }
}

const sourcesOf = (foreign: ForeignLogs, noted: ReadonlyMap<string, number>): readonly SourceView[] => {
  const origins = new Set([...foreign.list().map(([origin]) => origin), ...noted.keys()])
  return [...origins].map((origin) => {
    const { size, first } = foreign.get(origin) ?? { size: 0, first: 0 }
    const newest = Math.max(size, noted.get(origin) ?? 0)
    return { node: nodeOfLog(origin), origin, size, first, noted: newest, behind: newest - size }
  })
}

/** Whether leaves of a log are missing that some sync could bring. */
const isBehind = ({ foreign, claimed, forks }: SyncContext, origin: string, size: number): boolean =>
  size > (foreign.get(origin)?.size ?? 0) && !claimed.has(origin) && !forks.has(origin)

/** @param keeping where the logs are kept: that of the context's options. */
export const createSync = (context: NetworkContext, keeping: Keeping): Sync => {
  const { options, nodeId, moment } = context
  const foreign = openForeignLogs(keeping.store, keeping.bounds, keeping.named)
  const bars = createBars()
  const noted = createNoted(keeping)
  /** Peer → whether we opened the sync that is under way. */
  const running = new Map<string, boolean>()
  let beats = 0
  const refused = (reason: SyncRefusal): void => options.meter.count('sync_refused_total', { reason })
  let accuse: (proof: EquivocationProof) => void = () => undefined
  const forked = (proof: EquivocationProof): void => accuse(proof)
  let tellAhead: (note: string, from: string) => void = () => undefined
  const ahead = (note: string, from: string): void => tellAhead(note, from)
  const shared: SyncContext = {
    context,
    keeping,
    foreign,
    claimed: new Set(),
    forks: remembered(Number.POSITIVE_INFINITY, FORKS_MAX),
    ...{ noted: noted.set, refused, forked, ahead },
  }

  /** One sync per peer at a time; if both have opened one, that of the smaller node id stands. */
  const mayRun = (node: string, opener: boolean): boolean => {
    if (bars.holds(node, moment().meshTick)) return false
    const opened = running.get(node)
    return opened === undefined || (opened && !opener && node < nodeId)
  }

  const failed = (node: string, error: unknown): SyncOutcome => {
    const cause = error instanceof SyncRefused ? error : new SyncRefused('own', String(error))
    const { reason, blame, message: detail } = cause
    refused(reason)
    if (blame) bars.set(node, moment().meshTick, barOf(reason))
    options.log[blame ? 'warn' : 'debug']({ node, reason, detail }, 'sync_refused')
    return { ok: false, reason, blame, detail }
  }

  return {
    noted: noted.set,
    onFork: (report) => {
      accuse = report
    },
    onAhead: (report) => {
      tellAhead = report
    },
    sources: () => sourcesOf(foreign, noted.sizes),
    logOf: foreign.logOf,
    run: async (node, wire, opener) => {
      if (!mayRun(node, opener)) {
        return { ok: false, reason: 'refused', blame: false, detail: 'A sync with this peer is under way or barred.' }
      }
      const session: SyncSession = { node, wire, opener, claims: new Set(), leaves: 0 }
      const before = running.get(node)
      running.set(node, opener)
      try {
        await exchange(shared, session)
        bars.lift(node)
        return { ok: true, leaves: session.leaves }
      } catch (error) {
        return failed(node, error)
      } finally {
        for (const origin of session.claims) shared.claimed.delete(origin)
        if (before === undefined) running.delete(node)
        else running.set(node, before)
      }
    },
    due: (connected) => {
      beats += 1
      const free = connected.filter((it) => mayRun(it, true)).sort()
      if (free.length === 0) return []
      const turn = (n: number): string => free[(beats + n) % free.length] ?? ''
      const chosen = new Set<string>()
      for (const [origin, size] of noted.sizes) {
        if (chosen.size >= ASKED_AT_ONCE) break
        // Its source knows best; any other may have it too.
        const source = nodeOfLog(origin)
        if (!isBehind(shared, origin, size) || !noted.take(origin, beats)) continue
        chosen.add(free.includes(source) ? source : turn(chosen.size))
      }
      if (beats % ROUND_EVERY_TICKS === 0) chosen.add(turn(0))
      return [...chosen]
    },
  }
}
