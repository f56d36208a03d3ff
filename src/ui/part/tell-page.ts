import type { RerunReply } from './ask-worker.ts'

/** Steps of a fast run are many; the page draws no more often than this. */
const TELL_EVERY_MS = 100

/** Says something from a worker to its page, progress now and then. */
export const createTellPage = <Found>(): ((reply: RerunReply<Found>) => void) => {
  let toldMs = 0
  return (reply) => {
    const now = performance.now()
    if (reply.kind === 'progress' && now - toldMs < TELL_EVERY_MS) return
    toldMs = now
    postMessage(reply)
  }
}
