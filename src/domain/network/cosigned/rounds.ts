import { nodeOfLog } from '#core/ids.ts'
import { LOGS_ASKED_MAX } from './frames.ts'

/** The longest wait, in beats, before a log about which nobody had news is asked about again. */
const RETRY_BEATS_MAX = 64
/** The shortest, for a log that grew: it grows with every tick, and its witnesses take one to sign. */
const GROWN_BEATS = 4
/** Peers asked in one beat. */
const ASKED_AT_ONCE = 4
/** What is remembered of what peers have told; the oldest goes, and is then asked for anew. */
const REMEMBERED_MAX = 4_096

interface Held {
  readonly origin: string
  readonly size: number
}

/** Whom to ask about which logs, and when again. */
export interface Rounds {
  due(
    held: readonly Held[],
    by: {
      readonly connected: readonly string[]
      readonly beats: number
      lacks(origin: string, size: number): boolean
    },
  ): readonly { readonly node: string; readonly logs: readonly Held[] }[]
  /** A peer has answered, or has not. @returns the logs it was asked about. */
  answered(node: string): ReadonlySet<string>
  /** A peer told something of a log: where to go on, and whether there is more at once. */
  told(node: string, origin: string, where: { readonly next: number; readonly more: boolean }): void
  /** A peer had nothing more to say of a log. */
  silent(node: string, origin: string): void
  /** Where to go on with a peer; undefined for one that was not asked in this process. */
  next(node: string, origin: string): number | undefined
}

interface Wait {
  readonly size: number
  readonly tries: number
  /** The beat in which it was asked about last. */
  readonly asked: number
  /** Whether its own source has told all that it knew of it at this size. */
  readonly settled: boolean
}

/** Asks the source of each log if it is connected, else one peer after another; soon for new leaves, then rarely. */
export const createRounds = (): Rounds => {
  const waits = new Map<string, Wait>()
  /** Peer and log → serial number of that peer. */
  const nexts = new Map<string, number>()
  const asking = new Map<string, ReadonlySet<string>>()

  const isDue = ({ origin, size }: Held, beats: number): boolean => {
    const before = waits.get(origin)
    if (before === undefined) return true
    const pause = before.size === size ? Math.min(2 ** (before.tries - 1), RETRY_BEATS_MAX) : GROWN_BEATS
    return beats - before.asked >= pause
  }
  const wait = ({ origin, size }: Held, beats: number): void => {
    const before = waits.get(origin)
    const { tries, settled } = before?.size === size ? before : { tries: 0, settled: false }
    waits.set(origin, { size, tries: tries + 1, asked: beats, settled })
  }

  return {
    due: (held, { connected, beats, lacks }) => {
      const known = new Set(held.map((it) => it.origin))
      for (const origin of waits.keys()) if (!known.has(origin)) waits.delete(origin)
      const free = connected.filter((it) => !asking.has(it)).sort()
      const logsOf = new Map<string, Held[]>()
      for (const it of held) {
        const source = nodeOfLog(it.origin)
        const node = free.includes(source) ? source : free[(beats + (waits.get(it.origin)?.tries ?? 0)) % free.length]
        if (node === undefined || !isDue(it, beats)) continue
        // What a relay did not know the source may: the newest leaves may be covered, and the first ones not exactly.
        const isTold = node !== source || waits.get(it.origin)?.settled === true
        if (isTold && !lacks(it.origin, it.size)) continue
        const logs = logsOf.get(node) ?? []
        if (logs.length === LOGS_ASKED_MAX || (logs.length === 0 && logsOf.size === ASKED_AT_ONCE)) continue
        logsOf.set(node, [...logs, it])
        wait(it, beats)
      }
      for (const [node, logs] of logsOf) asking.set(node, new Set(logs.map((it) => it.origin)))
      return [...logsOf].map(([node, logs]) => ({ node, logs }))
    },
    answered: (node) => {
      const asked = asking.get(node) ?? new Set()
      asking.delete(node)
      return asked
    },
    told: (node, origin, { next, more }) => {
      const key = `${node} ${origin}`
      nexts.delete(key)
      nexts.set(key, next)
      const [oldest] = nexts.keys()
      if (nexts.size > REMEMBERED_MAX && oldest !== undefined) nexts.delete(oldest)
      const wait = waits.get(origin)
      if (more) waits.delete(origin)
      else if (wait !== undefined) waits.set(origin, { ...wait, tries: 1 })
    },
    silent: (node, origin) => {
      const wait = waits.get(origin)
      if (wait !== undefined && nodeOfLog(origin) === node) waits.set(origin, { ...wait, settled: true })
    },
    next: (node, origin) => nexts.get(`${node} ${origin}`),
  }
}
