import { type Moving, tail } from '#core/tail.ts'

/** One line of a feed; `seq` counts from 1. */
export interface Line<T> {
  readonly seq: number
  readonly event: string
  readonly data: T
}

/** Lines of a feed that are kept for readers who come back. */
export const LINES_MAX = 256

/** A bounded, resumable feed: it holds the last lines, and the readers that wait for more. */
export interface Feed<T> {
  readonly last: Line<T> | undefined
  push(event: string, data: T): void
  /** No line follows; readers end when they have read what is there. */
  close(): void
  /**
   * Lines after `after`, until the feed is closed or the signal aborts. Where lines in between are no longer held, the
   * first one yielded has a `seq` further on than `after + 1`: the reader sees the gap.
   */
  tail(after: number, signal: AbortSignal): AsyncGenerator<Line<T>>
}

/** A feed without lines. */
export const createFeed = <T>(): Feed<T> => {
  let lines: readonly Line<T>[] = []
  let closed = false
  let more = Promise.withResolvers<void>()
  const wake = (): void => {
    more.resolve()
    more = Promise.withResolvers()
  }

  const size = (): number => (lines.at(-1)?.seq ?? 0) + 1
  const source: Moving<Line<T>> = {
    size,
    read: (from, to) => lines.filter(({ seq }) => seq >= from && seq < to),
    moved: () => more.promise,
    closed: () => closed,
  }

  return {
    get last() {
      return lines.at(-1)
    },
    push: (event, data) => {
      if (closed) return
      lines = [...lines.slice(-(LINES_MAX - 1)), { seq: size(), event, data }]
      wake()
    },
    close: () => {
      closed = true
      wake()
    },
    tail: (after, signal) => tail(source, after + 1, signal),
  }
}
