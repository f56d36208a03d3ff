import { type Transferable, Worker } from 'node:worker_threads'
import { assert } from '#core/assert.ts'
import type { Sleep } from '#core/wait.ts'
import { type FromThread, KEPT_BYTES_MAX, type ThreadOrder } from './thread-order.ts'

export interface ThreadsOptions {
  /** Threads that do orders of the ordinary kind at once. */
  readonly threads: number
  /** Megabytes of JavaScript heap that one thread may use before it is ended. */
  readonly heapMegabytesMax: number
  /** How long an idle thread is kept warm, in milliseconds. */
  readonly idleMs: number
  /** A wait that ends early, without a throw, when the signal aborts. */
  readonly sleep: Sleep
}

/** How an order is done. */
export interface Doing {
  /** Takes the order out of the line, or ends its thread. */
  readonly signal: AbortSignal
  readonly transfer?: readonly Transferable[]
  /** It takes some milliseconds: one such order at a time goes before all others, if need be in a further thread. */
  readonly quick?: boolean
  /**
   * It takes a thread only when no ordinary order waits, and gives it up when one does: then this word is set to 1, and
   * whoever has not answered {@link PREEMPTED_MS_MAX} milliseconds later is ended.
   */
  readonly yields?: Int32Array
}

/** An order that its thread was taken from. */
export class Preempted extends Error {}

/** Worker threads that load what they are asked for, and keep it for the next order. Whoever orders bounds the line. */
export interface Threads extends AsyncDisposable {
  /** Threads that are there, at work or idle. */
  readonly alive: number
  /** @throws Error when the thread ended before it answered; {@link Preempted}; the signal's reason. */
  run(order: ThreadOrder, doing: Doing): Promise<unknown>
}

/** Orders by who goes first. */
const KINDS = ['quick', 'computing', 'yielding'] as const
type Kind = (typeof KINDS)[number]

/** An order in the line or at work. */
interface Pending {
  readonly order: ThreadOrder
  readonly transfer: readonly Transferable[]
  readonly kind: Kind
  readonly yields: Int32Array | undefined
  readonly resolve: (reply: unknown) => void
  readonly reject: (cause: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** Whom it works for; nobody any more when it has answered and clears up. */
  pending: Pending | undefined
  /** Ends the wait of an idle thread for its end. */
  idle: AbortController | undefined
  /** Ends the wait for a thread that is to be given up. */
  leaving: AbortController | undefined
  state: 'idle' | Kind
}

/**
 * Megabytes of the young generation of a thread. The engine takes more of a large machine, and gives none of it back
 * while a thread rests.
 */
const YOUNG_MEGABYTES_MAX = 12

/** From the word that an ordinary order waits to the end of the thread that has not answered, in milliseconds. */
export const PREEMPTED_MS_MAX = 100

const THREAD = new URL('./thread.ts', import.meta.url)
const ENDED = 'the threads are ended'

/** The threads that are there. `onFree` is called when one may take an order, or has made room for another thread. */
const createCrew = ({ heapMegabytesMax, idleMs, sleep }: ThreadsOptions, onFree: () => void) => {
  const alive = new Set<Thread>()
  const ends = new Set<Promise<unknown>>()

  const end = (thread: Thread): void => {
    if (!alive.delete(thread)) return
    thread.idle?.abort()
    thread.leaving?.abort()
    const over = thread.worker.terminate().finally(() => ends.delete(over))
    ends.add(over)
  }

  const lose = (thread: Thread, cause: unknown): void => {
    const { pending } = thread
    thread.pending = undefined
    end(thread)
    pending?.reject(cause)
    onFree()
  }

  const rest = (thread: Thread, bytesHeld: number): void => {
    thread.leaving?.abort()
    thread.leaving = undefined
    if (bytesHeld > KEPT_BYTES_MAX) end(thread)
    else if (alive.has(thread)) {
      thread.state = 'idle'
      thread.worker.unref()
      const idle = new AbortController()
      thread.idle = idle
      void sleep(idleMs, idle.signal).then(() => {
        if (!idle.signal.aborted) end(thread)
      })
    }
    onFree()
  }

  const start = (): Thread => {
    const worker = new Worker(THREAD, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytesMax, maxYoungGenerationSizeMb: YOUNG_MEGABYTES_MAX },
    })
    const thread: Thread = { worker, pending: undefined, idle: undefined, leaving: undefined, state: 'idle' }
    worker.on('message', (message: FromThread) => {
      if ('bytesHeld' in message) return rest(thread, message.bytesHeld)
      thread.pending?.resolve(message.reply)
      thread.pending = undefined
    })
    worker.on('error', (cause) => lose(thread, cause))
    worker.on('exit', (code) => lose(thread, new Error(`worker exited with code: ${code}`)))
    alive.add(thread)
    return thread
  }

  /** Gives a thread an order; the newest at work stands last, so that the others grow old and end. */
  const hand = (thread: Thread, pending: Pending): void => {
    thread.idle?.abort()
    alive.delete(thread)
    alive.add(thread)
    thread.pending = pending
    thread.state = pending.kind
    thread.worker.ref()
    thread.worker.postMessage(pending.order, pending.transfer)
  }

  /** Has a thread give up what it works on: by a word first, which it may look at, and then by its end. */
  const preempt = (thread: Thread): void => {
    const leaving = new AbortController()
    thread.leaving = leaving
    if (thread.pending?.yields !== undefined) Atomics.store(thread.pending.yields, 0, 1)
    void sleep(PREEMPTED_MS_MAX, leaving.signal).then(() => {
      if (!leaving.signal.aborted) lose(thread, new Preempted('the thread was taken for something else'))
    })
  }

  return { alive, start, hand, lose, preempt, ended: (): Promise<unknown> => Promise.allSettled(ends) }
}

/** Threads that nothing starts before the first order. */
export const createThreads = (options: ThreadsOptions): Threads => {
  const line: Pending[] = []
  const crew = createCrew(options, () => advance())
  const { alive } = crew

  const count = (state: Thread['state']): number => [...alive].filter((it) => it.state === state).length

  /** The thread that may take an order now. */
  const threadFor = (kind: Kind): Thread | undefined => {
    const quick = kind === 'quick'
    const full = count('computing') + count('yielding') >= options.threads
    if (quick ? count('quick') > 0 : full) return undefined
    const idle = [...alive].findLast((it) => it.state === 'idle')
    if (idle !== undefined) return idle
    if (alive.size < options.threads) return crew.start()
    // A thread that has answered, or reads, is free sooner than another one would have started.
    const allCompute = [...alive].every((it) => it.state !== 'idle' && it.state !== 'quick' && it.pending !== undefined)
    return quick && allCompute && alive.size === options.threads ? crew.start() : undefined
  }

  /** Takes threads from orders that yield them, for those that wait and will not get one anyway. */
  const makeRoom = (): void => {
    const waiting = line.filter(({ kind }) => kind === 'computing').length
    const busy = [...alive].filter(({ state }) => state === 'computing' || state === 'yielding')
    const coming = busy.filter((it) => it.pending === undefined || it.leaving !== undefined)
    const yielding = busy.filter((it) => it.state === 'yielding' && !coming.includes(it))
    const wanting = waiting - coming.length - (options.threads - busy.length)
    for (const thread of yielding.slice(0, Math.max(0, wanting))) crew.preempt(thread)
  }

  const advance = (): void => {
    for (const kind of KINDS) {
      for (;;) {
        const at = line.findIndex((it) => it.kind === kind)
        const thread = at < 0 ? undefined : threadFor(kind)
        if (thread === undefined) break
        const [pending] = line.splice(at, 1)
        assert(pending !== undefined, 'it was found in the line')
        crew.hand(thread, pending)
      }
    }
    makeRoom()
  }

  const run = async (order: ThreadOrder, { signal, transfer = [], quick = false, yields }: Doing): Promise<unknown> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const kind = quick ? 'quick' : yields === undefined ? 'computing' : 'yielding'
    const pending: Pending = { order, transfer, kind, yields, resolve, reject }
    const leave = (): void => {
      const at = line.indexOf(pending)
      if (at >= 0) line.splice(at, 1)
      const thread = [...alive].find((it) => it.pending === pending)
      if (thread === undefined) reject(signal.reason)
      else crew.lose(thread, signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    line.push(pending)
    advance()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  return {
    get alive() {
      return alive.size
    },
    run,
    [Symbol.asyncDispose]: async () => {
      for (const pending of line.splice(0)) pending.reject(new Error(ENDED))
      for (const thread of [...alive]) crew.lose(thread, new Error(ENDED))
      await crew.ended()
    },
  }
}
