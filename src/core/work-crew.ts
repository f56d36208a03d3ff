import { expectedHashes, searchWork, type WorkToDo } from './proof-of-work.ts'

/** What one thread is asked to search. */
export interface LaneOrder extends WorkToDo {
  /** From 0; no two threads of a search have the same. */
  readonly lane: number
}

/** What a thread says: how far it is, or the nonce. */
export type LaneReply =
  | { readonly kind: 'tried'; readonly tried: number; readonly ms: number }
  | { readonly kind: 'found'; readonly nonce: string }

/** A thread under way. */
export interface Lane {
  end(): unknown
}

/** Begins a thread; it runs until it is ended. */
export type StartLane = (order: LaneOrder, heard: { reply(it: LaneReply): void; failed(cause: unknown): void }) => Lane

/** How a search goes. */
export interface WorkProgress {
  /** Hashes of all threads so far, and in a second. */
  readonly tried: number
  readonly perSecond: number
  /** Seconds that a search of these bits takes on average at this speed, from any moment on: it has no memory. */
  readonly expectedSeconds: number
}

/** How a search is done. */
export interface SearchOptions {
  readonly lanes: number
  readonly start: StartLane
  readonly signal: AbortSignal
  readonly tell: (now: WorkProgress) => void
}

/** A thread measures its speed for so long before it says anything, and then speaks as often. */
const MEASURE_MS = 100
/** Nonces between two looks at the clock. */
const TRIES_PER_LOOK = 512

/**
 * A thread's own part: searches its lane until it has the nonce, and tells.
 *
 * @param nowMs a clock that never goes back.
 */
export const searchLane = (order: LaneOrder, nowMs: () => number, tell: (it: LaneReply) => void): void => {
  const search = searchWork(order, order.lane)
  const from = nowMs()
  let told = from
  for (;;) {
    const nonce = search.go(TRIES_PER_LOOK)
    if (nonce !== undefined) return tell({ kind: 'found', nonce })
    const now = nowMs()
    if (now - told < MEASURE_MS) continue
    told = now
    tell({ kind: 'tried', tried: search.tried, ms: now - from })
  }
}

/** Sums up what the threads say. @returns nothing before each of them has measured itself. */
const createMeter = ({ bits }: WorkToDo, lanes: number) => {
  const newest = new Map<number, { readonly tried: number; readonly ms: number }>()
  return (lane: number, said: { readonly tried: number; readonly ms: number }): WorkProgress | undefined => {
    newest.set(lane, said)
    if (newest.size < lanes) return undefined
    const all = [...newest.values()]
    const perSecond = all.reduce((sum, { tried, ms }) => sum + (tried / ms) * 1_000, 0)
    const tried = all.reduce((sum, it) => sum + it.tried, 0)
    return { tried, perSecond, expectedSeconds: expectedHashes(bits) / perSecond }
  }
}

/**
 * Finds a nonce with some threads, and ends them all.
 *
 * @throws the signal's reason, or what a thread failed with.
 */
export const findNonce = async (work: WorkToDo, options: SearchOptions): Promise<string> => {
  const { lanes, start, signal, tell } = options
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const meter = createMeter(work, lanes)
  const cancel = (): void => reject(signal.reason)
  signal.addEventListener('abort', cancel, { once: true })
  const crew: Lane[] = []
  try {
    for (let lane = 0; lane < lanes; lane++) {
      const reply = (it: LaneReply): void => {
        if (it.kind === 'found') return resolve(it.nonce)
        const now = meter(lane, it)
        if (now !== undefined) tell(now)
      }
      crew.push(start({ ...work, lane }, { reply, failed: reject }))
    }
    return await promise
  } finally {
    signal.removeEventListener('abort', cancel)
    await Promise.all(crew.map((it) => it.end()))
  }
}
