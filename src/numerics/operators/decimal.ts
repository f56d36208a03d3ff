import { Decimal } from 'decimal.js'

/** Significant digits of the re-evaluation that checks a result. */
export const PRECISE_DIGITS = 50

/**
 * Decimal arithmetic of its own precision and range; nobody else's settings reach it. The range holds more than doubles
 * do, so that what over- or underflowed there shows here, and ends where functions would need thousands of digits.
 */
export const Precise = Decimal.clone({
  precision: PRECISE_DIGITS,
  rounding: Decimal.ROUND_HALF_EVEN,
  minE: -1_000,
  maxE: 1_000,
  toExpNeg: -7,
  toExpPos: 21,
  crypto: false,
})
