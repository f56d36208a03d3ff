import { breathe } from '#core/wait.ts'

/** Messages that may wait for gossip; gossip has no memory, so what does not fit is lost and counted. */
const WAITING_MAX = 256
/** A burst of publishes starves timers and HTTP, so the loop breathes after this many. */
const BURST = 8

/** A bounded queue in front of a transport. */
export interface Outbox<T> {
  /** @returns false when the queue is full. */
  push(item: T): boolean
  /** Runs until the signal aborts; sends one item after the other. */
  run(signal: AbortSignal): Promise<void>
}

/** @param send must not throw: what it cannot deliver it reports itself. */
export const outbox = <T>(send: (item: T) => Promise<void>): Outbox<T> => {
  const waiting: T[] = []
  let wake = Promise.withResolvers<void>()
  return {
    push: (item) => {
      if (waiting.length >= WAITING_MAX) return false
      waiting.push(item)
      wake.resolve()
      return true
    },
    run: async (signal) => {
      signal.addEventListener('abort', () => wake.resolve(), { once: true })
      for (let sent = 0; !signal.aborted; ) {
        const item = waiting.shift()
        if (item === undefined) {
          await wake.promise
          if (!signal.aborted) wake = Promise.withResolvers()
          continue
        }
        await send(item)
        sent += 1
        if (sent % BURST === 0) await breathe()
      }
    },
  }
}
