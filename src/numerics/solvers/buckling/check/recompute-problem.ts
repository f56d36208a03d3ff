import type { Segment } from '#numerics/solvers/buckling/problem.ts'
import type { BucklingInput } from '#numerics/solvers/buckling/schema.ts'

const HELD = { free: [false, false], pinned: [true, false], fixed: [true, true] } as const
const CLOSE = 1e-12

/** What a column is to the run and to the check: its segments, and displacement and slope held below and above. */
export interface Column {
  readonly segments: readonly Segment[]
  readonly held: readonly boolean[]
}

/**
 * Whether a column is the one that the input states. Run and exact stiffness take it from one function, so that this is
 * worked out anew.
 */
export const isProblemOf = (input: BucklingInput, { segments, held }: Column): boolean => {
  const wanted = input.segments ?? [{ length: input.L, I: input.I, E: input.E }]
  const ends = [...HELD[input.lower], ...HELD[input.upper]]
  return (
    segments.length === wanted.length &&
    wanted.every(({ length, I, E = input.E }, k) => {
      const found = segments[k]
      return found?.length === length && Math.abs(found.stiffness / E - I) <= CLOSE * I
    }) &&
    held.length === ends.length &&
    ends.every((it, k) => it === held[k])
  )
}
