import { type Dispatch, useEffect, useState } from 'preact/hooks'

export interface ServerReading<T> {
  /** The newest value; an earlier one stays while a later reading fails. */
  readonly value: T | undefined
  readonly problem: Error | undefined
}

export interface ReadingOptions {
  /** Time between readings; left out, it is read once. */
  readonly everyMs?: number | undefined
  /** Reads anew when one of these changes. */
  readonly on: readonly unknown[]
}

/** Calls `work` now, then every `everyMs` while the tab is seen, and as soon as it is seen again. */
export const repeat = (work: () => void, everyMs: number | undefined): (() => void) => {
  const seen = (): void => {
    if (!document.hidden) work()
  }
  work()
  if (everyMs === undefined) return () => undefined
  const timer = setInterval(seen, everyMs)
  document.addEventListener('visibilitychange', seen)
  addEventListener('online', seen)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('online', seen)
  }
}

const keep = async <T>(
  read: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  show: Dispatch<(old: ServerReading<T>) => ServerReading<T>>,
): Promise<void> => {
  try {
    const value = await read(signal)
    if (!signal.aborted) show(() => ({ value, problem: undefined }))
  } catch (error) {
    const problem = error instanceof Error ? error : new Error(String(error))
    if (!signal.aborted) show(({ value }) => ({ value, problem }))
  }
}

/** Something read from the node, kept fresh while it is shown. One reading at a time. */
export const useReading = <T>(
  read: (signal: AbortSignal) => Promise<T>,
  { everyMs, on }: ReadingOptions,
): ServerReading<T> => {
  const [reading, show] = useState<ServerReading<T>>({ value: undefined, problem: undefined })
  useEffect(() => {
    const over = new AbortController()
    let running = false
    const once = async (): Promise<void> => {
      if (running) return
      running = true
      await keep(read, over.signal, show)
      running = false
    }
    const stop = repeat(() => void once(), everyMs)
    return () => {
      over.abort()
      stop()
    }
  }, [everyMs, ...on])
  return reading
}
