import { Fault } from '#core/fault.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import type { WorkLinks } from '#domain/network/works/types.ts'
import { messageBytes } from './frames.ts'
import { createLinkQueue, type LinkQueue } from './queue.ts'
import { openSession, type Session } from './session.ts'

/** Beats without a message after which a stream is closed: three minutes. */
const IDLE_BEATS = 240
/** Streams of links at once, whoever opened them. */
const SESSIONS_MAX = 256
/** Nodes to which something waits to be said. */
const QUEUES_MAX = 256

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

interface Said {
  readonly message: AskedOfWorker | ToldRequester
  readonly signal: AbortSignal
}

/** Who takes what is said here, and the way to others. */
interface Ends {
  asked: Take<AskedOfWorker>
  told: Take<ToldRequester>
  way: LinkWay | undefined
}

/** Work that is done one after another for each node. */
const createTurns = () => {
  const tails = new Map<string, Promise<void>>()
  return (node: string, work: () => Promise<void>): Promise<void> => {
    const mine = (tails.get(node) ?? Promise.resolve()).then(work)
    const tail = mine.then(
      () => undefined,
      () => undefined,
    )
    tails.set(node, tail)
    void tail.then(() => tails.get(node) === tail && tails.delete(node))
    return mine
  }
}

/** The streams of one node with others: one of its own to each, and those that they opened. */
const createStreams = (ends: Ends, log: Log, signal: AbortSignal) => {
  const live = new Map<string, Set<Live>>()
  const opening = new Map<string, Promise<Live>>()
  const running = new Set<Promise<void>>()
  const inTurn = createTurns()
  const all = (): readonly Live[] => [...live.values()].flatMap((those) => [...those])

  const hold = async (node: string, wire: Wire, onOpen?: (it: Live) => void): Promise<void> => {
    if (all().length >= SESSIONS_MAX) throw new Fault('NODE_BUSY', 'Too many links are open.')
    const asked = (message: AskedOfWorker): Promise<void> => ends.asked(node, message)
    const told = (message: ToldRequester): Promise<void> => ends.told(node, message)
    const it: Live = { session: openSession(wire, { asked, told, inTurn: (take) => inTurn(node, take) }), idleBeats: 0 }
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
    open: async (node: string): Promise<Live> =>
      [...(live.get(node) ?? [])].find(({ session }) => session.isOpen) ?? open(node),
    ended: (): Promise<unknown> => Promise.allSettled(running),
  }
}

/** Links of one node. Listeners must not wait for what they say themselves: messages are taken one after another. */
export const createLinks = ({ log, sleep }: LinksOptions): Links => {
  const stop = new AbortController()
  const ends: Ends = { asked: nobody, told: nobody, way: undefined }
  const streams = createStreams(ends, log, stop.signal)
  const queues = new Map<string, LinkQueue>()

  const queueOf = (node: string): LinkQueue => {
    const known = queues.get(node)
    if (known !== undefined) return known
    if (queues.size >= QUEUES_MAX) throw new Fault('NODE_BUSY', 'Too many nodes are waited for.')
    const open = async (): Promise<Session> => (await streams.open(node)).session
    const mine = createLinkQueue({ open, sleep, signal: stop.signal })
    queues.set(node, mine)
    return mine
  }
  const say = async (node: string, kind: 'ask' | 'tell', { message, signal }: Said): Promise<void> => {
    const queue = queueOf(node)
    try {
      await queue.say(kind, messageBytes(message), signal)
    } finally {
      if (queue.isEmpty && queues.get(node) === queue) queues.delete(node)
    }
  }

  return {
    ask: (node, message, signal) => say(node, 'ask', { message, signal }),
    tell: (node, message, signal) => say(node, 'tell', { message, signal }),
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
        it.idleBeats = it.session.used() ? 0 : it.idleBeats + 1
        if (it.idleBeats > IDLE_BEATS) it.session.end()
      }
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the links are stopping'))
      for (const { session } of streams.all()) session.end()
      await Promise.all([streams.ended(), ...[...queues.values()].map((it) => it.ended())])
    },
  }
}
