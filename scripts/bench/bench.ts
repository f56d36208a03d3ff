/** One benchmark: `npm run bench -- <name>`. It prints its own table and never judges. */
export interface Bench {
  readonly name: string
  readonly summary: string
  /** @param args words after the name. */
  run(args: readonly string[]): Promise<void>
}

export const bench = (definition: Bench): Bench => definition

/** The middle of some measurements. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** A whole number given as a word, or its default. */
export const wholeOr = (word: string | undefined, fallback: number): number => {
  const value = word === undefined ? fallback : Number(word)
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`a whole number above 0 is wanted, not ${word}`)
  return value
}

/** The value below which a share of sorted measurements lies. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
