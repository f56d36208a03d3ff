/** Resolves once the tab is seen, or the signal aborts. */
export const seen = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = (): void => {
    if (!document.hidden || signal.aborted) resolve()
  }
  document.addEventListener('visibilitychange', look)
  signal.addEventListener('abort', look, { once: true })
  look()
  return promise.finally(() => {
    document.removeEventListener('visibilitychange', look)
    signal.removeEventListener('abort', look)
  })
}
