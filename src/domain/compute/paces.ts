/** Seconds per work unit before a kind has ever run here: 1e6 operations at 1e9 a second. */
const SECONDS_PER_WORK = 1e-3
/** Weight of the newest run in the running mean. */
const NEWEST_SHARE = 0.2

/** How fast this machine does each kind of computation, as far as it was seen. */
export interface Paces {
  learn(kind: string, work: number, seconds: number): void
  /** Seconds that so much work should take. */
  expect(kind: string, work: number): number
}

/** The paces of one process; one entry for each solver, so nothing bounds them further. */
export const createPaces = (): Paces => {
  const paces = new Map<string, number>()
  return {
    learn: (kind, work, seconds) => {
      if (!(work > 0) || !(seconds > 0)) return
      const before = paces.get(kind) ?? seconds / work
      paces.set(kind, before + NEWEST_SHARE * (seconds / work - before))
    },
    expect: (kind, work) => work * (paces.get(kind) ?? SECONDS_PER_WORK),
  }
}
