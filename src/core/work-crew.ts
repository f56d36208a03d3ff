import { CHALLENGE_TICKS, expectedHashes, searchWork, type WorkToDo } from './proof-of-work.ts'
import { TICK_SECONDS } from './tick.ts'
import { MS_PER_SECOND } from './time.ts'

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

/** What is sent for a challenge. */
export interface WorkAnswer {
  readonly challenge: string
  readonly nonce: string
}

/** A claim as whoever makes it does it: how it asks, works and answers. */
export interface WorkSteps<T> {
  /** Gets a challenge; throws where there is none, so that no work is done in vain. */
  ask(): Promise<WorkToDo>
  /** Sends what was found. */
  answer(found: WorkAnswer): Promise<T>
  /** Members of the refusal that an error is, by their names; undefined for any other error. */
  refusalOf(error: unknown): Readonly<Record<string, unknown>> | undefined
  /** A signal that aborts after a time. */
  after(ms: number): AbortSignal
  readonly search: SearchOptions
}

/** Challenges that are worked on before it is given up: one lapses after a minute and a half, or at midnight. */
const ATTEMPTS_MAX = 20
const MS_PER_CHALLENGE = Math.floor(CHALLENGE_TICKS * TICK_SECONDS * MS_PER_SECOND)

/** Whether a challenge was only answered too late: on another day, or after its ticks. */
const isLate = (refusal: Readonly<Record<string, unknown>> | undefined): boolean =>
  refusal?.['code'] === 'INVALID_INPUT' && ('day' in refusal || 'expires_mesh_tick' in refusal)

/** Works on a challenge as long as it can be answered. @returns nothing when there is no nonce by then. */
const solveInTime = async (work: WorkToDo, over: AbortSignal, search: SearchOptions): Promise<string | undefined> => {
  try {
    return await findNonce(work, { ...search, signal: AbortSignal.any([search.signal, over]) })
  } catch (error) {
    if (search.signal.aborted || !over.aborted) throw error
    return undefined
  }
}

/**
 * Asks, works and answers; anew where a challenge lapses meanwhile. Whoever aborts before the answer is sent has spent
 * nothing; what was sent is waited for.
 *
 * @returns nothing when challenge after challenge lapsed.
 * @throws what the steps throw, or the signal's reason.
 */
export const workAndAnswer = async <T>({
  ask,
  answer,
  refusalOf,
  after,
  search,
}: WorkSteps<T>): Promise<T | undefined> => {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const work = await ask()
    const nonce = await solveInTime(work, after(MS_PER_CHALLENGE), search)
    search.signal.throwIfAborted()
    if (nonce === undefined) continue
    try {
      return await answer({ challenge: work.challenge, nonce })
    } catch (error) {
      if (!isLate(refusalOf(error))) throw error
    }
  }
  return undefined
}
