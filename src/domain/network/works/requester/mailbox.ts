import type { ToldRequester } from '#domain/network/works/messages.ts'

/** Messages of one job that were not taken yet, at most: a worker has less to say than that. */
const WAITING_MAX = 64

/** What a worker says of one job, in its order. */
export interface Mailbox {
  put(message: ToldRequester): void
  /**
   * The next message.
   *
   * @param until the last mesh tick in which one counts.
   * @returns undefined when none came in time. @throws the signal's reason
   */
  next(until: number, signal: AbortSignal): Promise<ToldRequester | undefined>
  /** A tick is over: who waited for too long is told. */
  beat(): void
}

/** @param meshTick the mesh tick that it is: waits end by the clock that deadlines are read from. */
export const createMailbox = (meshTick: () => number): Mailbox => {
  const waiting: ToldRequester[] = []
  let wake = Promise.withResolvers<void>()
  return {
    put: (message) => {
      if (waiting.length < WAITING_MAX) waiting.push(message)
      wake.resolve()
    },
    next: async (until, signal) => {
      const onAbort = (): void => wake.resolve()
      signal.addEventListener('abort', onAbort, { once: true })
      try {
        for (;;) {
          signal.throwIfAborted()
          if (meshTick() > until) return undefined
          const first = waiting.shift()
          if (first !== undefined) return first
          wake = Promise.withResolvers()
          await wake.promise
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    beat: () => wake.resolve(),
  }
}
