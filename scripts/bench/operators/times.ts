/** Milliseconds at some shares of many measurements. */
export interface Times {
  readonly runs: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** @param ms at least one. */
export const timesOf = (ms: readonly number[]): Times => {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { runs: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Milliseconds that a body took by the clock, and those that the process computed in. */
export const timed = <T>(body: () => T): { readonly value: T; readonly ms: number; readonly cpuMs: number } => {
  const from = performance.now()
  const cpu = process.cpuUsage()
  const value = body()
  const { user, system } = process.cpuUsage(cpu)
  return { value, ms: performance.now() - from, cpuMs: (user + system) / 1e3 }
}

/**
 * Each item measured several times, and of each the least: what a busy machine adds is not the work's.
 *
 * @returns one time an item.
 */
export const leastOf = <T>(items: readonly T[], rounds: number, body: (it: T) => unknown): readonly number[] => {
  const least = items.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < rounds; round += 1) {
    for (const [i, it] of items.entries()) {
      const from = performance.now()
      body(it)
      least[i] = Math.min(least[i] ?? 0, performance.now() - from)
    }
  }
  return least
}
