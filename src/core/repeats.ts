/** How often one thing may be told, and how many things are told apart. */
export interface RepeatBounds {
  /** Times a key is admitted within a window. */
  readonly timesMax: number
  /** Length of a window, which begins with a key's first time. */
  readonly windowMs: number
  /** Keys counted at once; whatever comes beyond shares one count. */
  readonly keysMax: number
}

/** Lets the first few of what repeats itself through, and counts the rest, so that a flood costs a line and no more. */
export interface Repeats {
  /** @returns whether this one is to be told; otherwise it was counted. */
  admit(key: string, nowMs: number): boolean
  /** What was held back in windows that are over by now, by key; each is told once. */
  over(nowMs: number): readonly (readonly [key: string, count: number])[]
}

interface Window {
  readonly sinceMs: number
  admitted: number
  held: number
}

/** The key of everything that came when the places were taken. */
export const OTHERS = 'others'

/** Nothing has been told yet. @param bounds times, milliseconds and keys. */
export const createRepeats = ({ timesMax, windowMs, keysMax }: RepeatBounds): Repeats => {
  /** By key, the oldest window first. */
  const windows = new Map<string, Window>()
  /** Counts of windows that were over before anyone asked. */
  const told = new Map<string, number>()

  const close = (nowMs: number): void => {
    for (const [key, { sinceMs, held }] of windows) {
      if (nowMs - sinceMs < windowMs) return
      windows.delete(key)
      if (held > 0) told.set(key, (told.get(key) ?? 0) + held)
    }
  }
  return {
    admit(wanted, nowMs) {
      close(nowMs)
      const key = windows.has(wanted) || windows.size < keysMax ? wanted : OTHERS
      const window = windows.get(key) ?? { sinceMs: nowMs, admitted: 0, held: 0 }
      windows.set(key, window)
      if (window.admitted < timesMax) {
        window.admitted += 1
        return true
      }
      window.held += 1
      return false
    },
    over(nowMs) {
      close(nowMs)
      const all = [...told]
      told.clear()
      return all
    },
  }
}
