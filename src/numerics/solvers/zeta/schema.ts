import type { Static } from 'typebox'
import { closed, count, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

export const ZEROS_MAX = 20_000
export const HEIGHT_MAX = 1e6

const MODES = ['first', 'range'] as const

const height = (description: string, initial: number) => finite({ ...within(0, HEIGHT_MAX, initial), description })

/** Which zeros; `{}` is the documented case. */
export const zetaInput = closed({
  mode: oneOf(MODES, { default: 'first', description: 'first: the first n zeros; range: all from T1 to T2.' }),
  n: integer({ ...within(1, ZEROS_MAX, 100), description: 'Zeros, of first.' }),
  T1: height('Lower height, of range.', 0),
  T2: height('Upper height, of range.', 100),
})

/** The answer: ordinates of zeros on the critical line, and how many there are below. */
export const zetaOutput = closed({
  mode: oneOf(MODES, { description: 'What was asked for.' }),
  count: count({ description: 'Zeros found.' }),
  first: count({ description: 'Number of the first of them, the zero nearest to the real axis being 1.' }),
  last: finite({ description: 'Ordinate of the last of them: the sealed value.' }),
  lower: finite({ description: 'Height from which zeros were counted.' }),
  upper: finite({ description: 'Height up to which they were counted.' }),
  countLower: count({ description: 'Zeros of zeta from the real axis to `lower`, on the line or not.' }),
  countUpper: count({ description: 'Zeros of zeta from the real axis to `upper`, on the line or not.' }),
  gramFailures: count({ description: 'Zeros that are not in the Gram interval of their number.' }),
  smallestGap: finite({ description: 'Smallest distance of neighbours over the local mean; 0 for a single zero.' }),
  meanGap: finite({ description: 'Mean distance of neighbours over the local mean; 0 for a single zero.' }),
  zeros: series({ unit: '1', shape: ['zeroCount'], axes: ['zero'], description: 'Ordinates, rising.' }),
})

/** A full input of the solver. */
export type ZetaInput = Static<typeof zetaInput>
/** What it answers. */
export type ZetaOutput = Static<typeof zetaOutput>
