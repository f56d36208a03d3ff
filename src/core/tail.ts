/** Rows with numbers that only ever grow, and the way to wait for more. */
export interface Moving<T> {
  /** The number of the row that comes next. */
  size(): number
  read(from: number, to: number): AsyncIterable<T> | Iterable<T>
  /** Resolves when there is more, or when nothing follows any more. */
  moved(): Promise<void>
  /** Whether nothing follows; something always may, unless it is said. */
  closed?(): boolean
}

/**
 * The rows from a number on, as they come, until nothing follows or the signal aborts: the one tail behind poll,
 * streams and logs. The source is the buffer, so a slow reader costs nothing.
 */
export async function* tail<T>(source: Moving<T>, from: number, signal: AbortSignal): AsyncGenerator<T> {
  const stop = Promise.withResolvers<void>()
  const onAbort = (): void => stop.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    let next = from
    while (!signal.aborted) {
      const more = source.moved() // Taken before reading, so that nothing can land unseen in between.
      const end = source.size()
      if (next < end) {
        for await (const row of source.read(next, end)) {
          if (signal.aborted) return
          yield row
        }
        next = end
      } else if (source.closed?.() === true) return
      else await Promise.race([more, stop.promise])
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
