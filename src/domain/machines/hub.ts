/** Tells waiting readers that a chain, or the feed over all of them, moved on. */
export interface Hub {
  wake(slug: string): void
  /** Resolves at the next entry of a machine; without a slug, of any. */
  moved(slug?: string): Promise<void>
}

const ANY = ''

/** A hub without readers. It remembers no more names than readers wait for. */
export const createHub = (): Hub => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const release = (name: string): void => {
    waiting.get(name)?.resolve()
    waiting.delete(name)
  }
  return {
    wake: (slug) => {
      release(slug)
      release(ANY)
    },
    moved: (slug = ANY) => {
      const it = waiting.get(slug) ?? Promise.withResolvers<void>()
      waiting.set(slug, it)
      return it.promise
    },
  }
}

/** Rows with numbers that only ever grow, and the way to wait for more. */
export interface Moving<T> {
  size(): number
  read(from: number, to: number): AsyncIterable<T>
  moved(): Promise<void>
}

/**
 * The rows from a number on, as they become durable, until the signal aborts: the one tail behind poll and streams.
 * The store is the buffer, so a slow reader costs nothing.
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
      } else {
        await Promise.race([more, stop.promise])
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
