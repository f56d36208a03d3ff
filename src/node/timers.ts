import type { Sleep } from '#gateway/sse.ts'

/** A wait on the machine's timer; ends early when the signal aborts, and keeps no process alive by itself. */
export const sleep: Sleep = (ms, signal) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) {
    resolve()
    return promise
  }
  const end = (): void => {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
    resolve()
  }
  const timer = setTimeout(end, ms)
  signal.addEventListener('abort', end, { once: true })
  return promise
}
