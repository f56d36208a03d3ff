import { Fault } from '#core/fault.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import type { WorkLinks } from '#domain/network/works/types.ts'
import { openSession, type Session } from './session.ts'

/** Beats without a message after which a stream is closed: three minutes. */
const IDLE_BEATS = 240
/** Streams of links at once, whoever opened them. */
const SESSIONS_MAX = 256
/** The first wait before a stream is opened again, in milliseconds, and the longest. */
const RETRY_MS = 250
const RETRY_MS_MAX = 8_000

/** The way to other nodes, where there is one. */
export interface LinkWay {
  /** Connects to a node unless it is. */
  reach(node: string): Promise<unknown>
  /** Opens a stream with a connected node, and holds it while `talk` lasts. */
  talk(node: string, talk: (wire: Wire) => Promise<void>, signal: AbortSignal): Promise<void>
}

export interface LinksOptions {
  readonly log: Log
  /** A wait that ends early, without a throw, when the signal aborts. */
  readonly sleep: Sleep
}

/** Links to other nodes, and what a transport and the ticks need of them. */
export interface Links extends WorkLinks, AsyncDisposable {
  /** Takes part in a stream that another node opened. @throws what ended it */
  answer(node: string, wire: Wire): Promise<void>
  /** Gives the way to other nodes. */
  join(way: LinkWay): void
  /** What comes round with the ticks: streams that nobody uses are closed. */
  beat(): void
}

type Take<M> = (node: string, message: M) => Promise<void>

const nobody = async (): Promise<void> => {
  throw new Error('nobody takes such messages here')
}

interface Live {
  readonly session: Session
  idleBeats: number
}

/** Who takes what is said here, and the way to others. */
interface Ends {
  asked: Take<AskedOfWorker>
  told: Take<ToldRequester>
  way: LinkWay | undefined
}

/** The streams of one node with others: one of its own to each, and those that they opened. */
const createStreams = (ends: Ends, log: Log, signal: AbortSignal) => {
  const live = new Map<string, Set<Live>>()
  const opening = new Map<string, Promise<Live>>()
  const running = new Set<Promise<void>>()
  const all = (): readonly Live[] => [...live.values()].flatMap((those) => [...those])

  const hold = async (node: string, wire: Wire, onOpen?: (it: Live) => void): Promise<void> => {
    if (all().length >= SESSIONS_MAX) throw new Fault('NODE_BUSY', 'Too many links are open.')
    const asked = (message: AskedOfWorker): Promise<void> => ends.asked(node, message)
    const told = (message: ToldRequester): Promise<void> => ends.told(node, message)
    const it: Live = { session: openSession(wire, { asked, told }), idleBeats: 0 }
    const those = live.get(node) ?? new Set()
    live.set(node, those.add(it))
    onOpen?.(it)
    try {
      await it.session.run()
    } finally {
      those.delete(it)
      if (those.size === 0) live.delete(node)
    }
  }

  const open = (node: string): Promise<Live> => {
    const known = opening.get(node)
    if (known !== undefined) return known
    const { promise, resolve, reject } = Promise.withResolvers<Live>()
    opening.set(node, promise)
    const begin = async (): Promise<void> => {
      if (ends.way === undefined) throw new Fault('NODE_UNREACHABLE', 'libp2p is off.')
      await ends.way.reach(node)
      await ends.way.talk(node, (wire) => hold(node, wire, resolve), signal)
      // A stream that ended before a session was there has opened none.
      reject(new Error('the stream ended'))
    }
    const run = begin()
      .catch((error: unknown) => {
        reject(error)
        if (!signal.aborted) log.debug({ node, error }, 'link_ended')
      })
      .finally(() => running.delete(run))
    running.add(run)
    const opened = (): void => void opening.delete(node)
    promise.then(opened, opened)
    return promise
  }

  return {
    all,
    hold,
    open: async (node: string): Promise<Live> => [...(live.get(node) ?? [])][0] ?? open(node),
    ended: (): Promise<unknown> => Promise.allSettled(running),
  }
}

/** Says something until it was taken: whatever breaks on the way is tried again. @throws the signal's reason; Fault */
const until = async (say: () => Promise<void>, { sleep, signal }: { sleep: Sleep; signal: AbortSignal }) => {
  const over = Promise.withResolvers<never>()
  const end = (): void => over.reject(signal.reason)
  over.promise.catch(() => undefined)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    for (let waitMs = RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
      try {
        return await Promise.race([say(), over.promise])
      } catch (cause) {
        signal.throwIfAborted()
        if (cause instanceof Fault && cause.code !== 'NODE_BUSY') throw cause
      }
      await sleep(waitMs, signal)
    }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Links of one node. Listeners must not wait for what they say themselves: messages are taken one after another. */
export const createLinks = ({ log, sleep }: LinksOptions): Links => {
  const stop = new AbortController()
  const ends: Ends = { asked: nobody, told: nobody, way: undefined }
  const streams = createStreams(ends, log, stop.signal)
  const said =
    (node: string, kind: 'ask' | 'tell', message: AskedOfWorker | ToldRequester) => async (): Promise<void> =>
      (await streams.open(node)).session.send(kind, message)
  const waiting = (signal: AbortSignal) => ({ sleep, signal: AbortSignal.any([signal, stop.signal]) })

  return {
    ask: (node, message, signal) => until(said(node, 'ask', message), waiting(signal)),
    tell: (node, message, signal) => until(said(node, 'tell', message), waiting(signal)),
    onAsked: (take) => {
      ends.asked = take
    },
    onTold: (take) => {
      ends.told = take
    },
    answer: (node, wire) => streams.hold(node, wire),
    join: (way) => {
      ends.way = way
    },
    beat: () => {
      for (const it of streams.all()) {
        it.idleBeats = it.session.used() > 0 ? 0 : it.idleBeats + 1
        if (it.idleBeats > IDLE_BEATS) it.session.end()
      }
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the links are stopping'))
      for (const { session } of streams.all()) session.end()
      await streams.ended()
    },
  }
}
