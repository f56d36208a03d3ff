import type { Sleep } from '#core/wait.ts'
import type { ToldRequester } from '#domain/network/works/messages.ts'

/** Messages of one job that were not taken yet, at most: a worker has less to say than that. */
const WAITING_MAX = 64

/** What a worker says of one job, in its order. */
export interface Mailbox {
  put(message: ToldRequester): void
  /** The next message; undefined when none came in time. @throws the signal's reason */
  next(ms: number, signal: AbortSignal): Promise<ToldRequester | undefined>
}

/** @param sleep a wait that ends early, without a throw, when its signal aborts. */
export const createMailbox = (sleep: Sleep): Mailbox => {
  const waiting: ToldRequester[] = []
  let wake = Promise.withResolvers<void>()
  return {
    put: (message) => {
      if (waiting.length < WAITING_MAX) waiting.push(message)
      wake.resolve()
    },
    next: async (ms, signal) => {
      const first = waiting.shift()
      if (first !== undefined) return first
      wake = Promise.withResolvers()
      const over = new AbortController()
      await Promise.race([wake.promise, sleep(ms, AbortSignal.any([signal, over.signal]))])
      over.abort('woken')
      signal.throwIfAborted()
      return waiting.shift()
    },
  }
}
