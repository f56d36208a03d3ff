import { Decimal } from 'decimal.js'

/** Significant digits of the re-evaluation that judges a result. */
export const PRECISE_DIGITS = 50

/**
 * Decimal arithmetic of its own precision and range; nobody else's settings reach it. The range holds every
 * intermediate value of a relation on doubles and ends far below where a power would run for ever.
 */
export const Precise = Decimal.clone({
  precision: PRECISE_DIGITS,
  rounding: Decimal.ROUND_HALF_EVEN,
  minE: -100_000,
  maxE: 100_000,
  toExpNeg: -7,
  toExpPos: 21,
  crypto: false,
})
