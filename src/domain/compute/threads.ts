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
}

/** Worker threads that load what they are asked for, and keep it for the next order. Whoever orders bounds the line. */
export interface Threads extends AsyncDisposable {
  /** Threads that are there, at work or idle. */
  readonly alive: number
  /** @throws Error when the thread ended before it answered; the signal's reason. */
  run(order: ThreadOrder, doing: Doing): Promise<unknown>
}

/** An order in the line or at work. */
interface Pending {
  readonly order: ThreadOrder
  readonly transfer: readonly Transferable[]
  readonly quick: boolean
  readonly resolve: (reply: unknown) => void
  readonly reject: (cause: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** Whom it works for; nobody any more when it has answered and clears up. */
  pending: Pending | undefined
  /** Ends the wait of an idle thread for its end. */
  idle: AbortController | undefined
  state: 'idle' | 'computing' | 'quick'
}

/**
 * Megabytes of the young generation of a thread. The engine takes more of a large machine, and gives none of it back
 * while a thread rests.
 */
const YOUNG_MEGABYTES_MAX = 12

const THREAD = new URL('./thread.ts', import.meta.url)
const ENDED = 'the threads are ended'

/** The threads that are there. `onFree` is called when one may take an order, or has made room for another thread. */
const createCrew = ({ heapMegabytesMax, idleMs, sleep }: ThreadsOptions, onFree: () => void) => {
  const alive = new Set<Thread>()
  const ends = new Set<Promise<unknown>>()

  const end = (thread: Thread): void => {
    if (!alive.delete(thread)) return
    thread.idle?.abort()
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
    const thread: Thread = { worker, pending: undefined, idle: undefined, state: 'idle' }
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
    thread.state = pending.quick ? 'quick' : 'computing'
    thread.worker.ref()
    thread.worker.postMessage(pending.order, pending.transfer)
  }

  return { alive, start, hand, lose, ended: (): Promise<unknown> => Promise.allSettled(ends) }
}

/** Threads that nothing starts before the first order. */
export const createThreads = (options: ThreadsOptions): Threads => {
  const line: Pending[] = []
  const crew = createCrew(options, () => advance())
  const { alive } = crew

  const count = (state: Thread['state']): number => [...alive].filter((it) => it.state === state).length

  /** The thread that may take an order now. */
  const threadFor = (quick: boolean): Thread | undefined => {
    if (quick ? count('quick') > 0 : count('computing') >= options.threads) return undefined
    const idle = [...alive].findLast((it) => it.state === 'idle')
    if (idle !== undefined) return idle
    if (alive.size < options.threads) return crew.start()
    // A thread that has answered, or reads, is free sooner than another one would have started.
    const allCompute = [...alive].every((it) => it.state === 'computing' && it.pending !== undefined)
    return quick && allCompute && alive.size === options.threads ? crew.start() : undefined
  }

  const advance = (): void => {
    for (const quick of [true, false]) {
      for (;;) {
        const at = line.findIndex((it) => it.quick === quick)
        const thread = at < 0 ? undefined : threadFor(quick)
        if (thread === undefined) break
        const [pending] = line.splice(at, 1)
        assert(pending !== undefined, 'it was found in the line')
        crew.hand(thread, pending)
      }
    }
  }

  const run = async (order: ThreadOrder, { signal, transfer = [], quick = false }: Doing): Promise<unknown> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const pending: Pending = { order, transfer, quick, resolve, reject }
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
