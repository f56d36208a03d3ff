/**
 * Waiting in real time: the one file of pure code that has timers. What time it is, the clock port says; a service that
 * waits takes a `Sleep` from the composition root, so that a test may bring its own.
 */

/** A wait that ends early, without a throw, when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** Waits on the machine's timer; ends early when the signal aborts, and leaves no timer behind. */
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

/** Waits. @throws the signal's reason when it aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, signal)
  signal.throwIfAborted()
}

/** Lets everything else that waits have its turn: calls, messages, what is drawn. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => void (typeof setImmediate === 'function' ? setImmediate(resolve) : setTimeout(resolve)))

/** Does something again and again, as long as the process lives; it does not hold its end up. */
export const meanwhile = (everyMs: number, work: () => void): void => {
  const timer: { unref?: () => unknown } | number = setInterval(work, everyMs)
  if (typeof timer === 'object') timer.unref?.()
}
