import { Fault } from '#core/fault.ts'
import { log, TAU } from '#numerics/math.ts'
import { HEIGHT_MAX, ZEROS_MAX, type ZetaInput } from './schema.ts'

/** Zeros times their height: what the check's sums cost, a quarter of a term each. */
const REACH_MAX = 2e8
/** Zeros that the counts at both ends cost as much as. */
const COUNTS_AS = 80
/** Distance of an end from a zero, over the local mean distance, below which counting up to it means nothing. */
const CLEAR_OF_ZEROS = 1e-6

/** The lowest zero, and a height above it: an end on the zero itself is refused too. */
const FIRST_ZERO = 14.134_725
const PAST_FIRST = 15

/** Zeros up to a height, smoothly counted. */
const smoothCount = (t: number): number => (t < 10 ? 0 : (t / TAU) * (log(t / TAU) - 1) + 7 / 8)

/** Height and number of the zeros of an input, about. */
export const sizeOf = ({ mode, n, T1, T2 }: ZetaInput): { readonly height: number; readonly zeros: number } => {
  if (mode === 'range') return { height: T2, zeros: Math.max(0, smoothCount(T2) - smoothCount(T1)) }
  let height = 20
  for (let step = 0; step < 50; step++) height -= (smoothCount(height) - n) / (log(Math.max(height, 12) / TAU) / TAU)
  return { height: height + 3, zeros: n }
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (ends out of order), ILL_POSED (a range below the first zero), WORK_LIMIT_EXCEEDED (too
 * many zeros, or too many for their height, with the range that passes).
 */
export const refuseZeta = (input: ZetaInput): void => {
  const { mode, T1, T2 } = input
  if (mode === 'first') return
  if (!(T1 < T2)) {
    throw new Fault('INVALID_INPUT', '/T2: must be above T1.', { path: '/T2', measured: T2, limit: T1 })
  }
  if (T2 < FIRST_ZERO) {
    const why = `There is no zero below ${FIRST_ZERO}; T2 is ${T2}, and ${PAST_FIRST} passes.`
    throw new Fault('ILL_POSED', why, { path: '/T2', measured: T2, limit: FIRST_ZERO, T2: PAST_FIRST })
  }
  const { height, zeros } = sizeOf(input)
  const most = Math.min(ZEROS_MAX, Math.floor(REACH_MAX / height) - COUNTS_AS)
  if (zeros <= most && height <= HEIGHT_MAX) return
  const width = (0.98 * most * TAU) / log(Math.max(T1, 12) / TAU + 1)
  throw new Fault('WORK_LIMIT_EXCEEDED', `About ${Math.round(zeros)} zeros up to ${T2}; ${most} are allowed there.`, {
    measured: zeros,
    limit: most,
    T2: T1 + Math.max(0, Math.min(width, T2 - T1)),
  })
}

/** What can be seen only when the zeros are there. @throws Fault ILL_POSED */
export const refuseEnds = ({ mode, T1, T2 }: ZetaInput, zeros: readonly number[], beside: readonly number[]): void => {
  if (mode === 'first') return
  if (zeros.length === 0) {
    throw new Fault('ILL_POSED', `There is no zero from ${T1} to ${T2}; the next ones are given.`, { zeros: beside })
  }
  for (const zero of [...zeros, ...beside]) {
    const gap = (Math.min(Math.abs(zero - T1), Math.abs(zero - T2)) * log(zero / TAU)) / TAU
    if (gap >= CLEAR_OF_ZEROS) continue
    throw new Fault('ILL_POSED', `An end of the range is the zero ${zero}: what lies below it cannot be counted.`, {
      measured: gap,
      limit: CLEAR_OF_ZEROS,
      zero,
    })
  }
}
