import { Fault } from '#core/fault.ts'
import { segmentsOf } from './problem.ts'
import type { BucklingInput } from './schema.ts'

/** Bending stiffness of the stiffest segment over that of the softest, at most: beyond it doubles lose the soft one. */
export const CONTRAST_MAX = 1e6
/** What a quotient of two decimal numbers may be off. */
const ROUNDING = 1e-9
/** Length of the longest segment over that of the shortest, at most. */
const LENGTHS_MAX = 1e4

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (mechanisms), OUT_OF_RANGE (segments too unlike).
 */
export const refuseBuckling = (input: BucklingInput): void => {
  const { lower, upper } = input
  if (lower !== 'fixed' && upper !== 'fixed' && (lower === 'free' || upper === 'free')) {
    throw new Fault('ILL_POSED', `A column with a ${lower} lower and a ${upper} upper end falls over under any load.`, {
      path: '/lower',
      lower: 'fixed',
    })
  }
  const segments = segmentsOf(input)
  const spread = (of: (it: (typeof segments)[number]) => number): number =>
    Math.max(...segments.map(of)) / Math.min(...segments.map(of))
  for (const [what, measured, limit] of [
    ['stiffness', spread((it) => it.stiffness), CONTRAST_MAX],
    ['length', spread((it) => it.length), LENGTHS_MAX],
  ] as const) {
    if (measured <= limit * (1 + ROUNDING)) continue
    throw new Fault('OUT_OF_RANGE', `/segments: their ${what} differs ${measured} fold; ${limit} is allowed.`, {
      path: '/segments',
      measured,
      limit,
    })
  }
}
