/** Lets a few at a time through, in the order in which they came. */
export interface Turnstile {
  /** Waits for a place. */
  enter(): Promise<void>
  /** Gives the place to whoever waits longest. */
  leave(): void
}

/** A lane of so many places. Whoever enters bounds the line: each batch waits for one place at a time. */
export const createTurnstile = (places: number): Turnstile => {
  let free = places
  const line: (() => void)[] = []
  return {
    enter: async () => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => line.push(resolve))
    },
    leave: () => {
      const next = line.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}
