// Special functions in doubles, a few units in the last place, the same bits on every engine: polynomials of our own
// (special-fits.ts) with the functions of numerics/math.ts.
import * as math from '#numerics/math.ts'
import { ERF, ERFCX, GAMMA, LGAMMA_1, LGAMMA_2 } from './special-fits.ts'

/** From here on erfc(x) is below the least double. */
const ERFC_ZERO_FROM = 27.5
/** From here on Γ(x) is beyond doubles. */
const GAMMA_INFINITE_FROM = 171.7
/** From here on Stirling's series is used. */
const STIRLING_FROM = 10
/** ½·ln 2π − ½, the constant of Stirling's series in the form used here. */
const STIRLING_CONSTANT = 0.4189385332046727
/** B(2n)/(2n(2n − 1)), highest first: 6.4e-3, … 1/12. */
const STIRLING: readonly number[] = [
  -1.3924322169059011, 0.1796443723688307, -0.029550653594771242, 6.41025641025641e-3, -1.9175269175269176e-3,
  8.417508417508417e-4, -5.952380952380953e-4, 7.936507936507937e-4, -2.777777777777778e-3, 8.333333333333333e-2,
]

const polynomial = (coefficients: readonly number[], x: number): number => {
  let sum = 0
  for (const it of coefficients) sum = sum * x + it
  return sum
}

/** exp(−x²): the square of the first 24 bits is exact, and the rest is small. */
const expOfSquare = (x: number): number => {
  const head = Math.fround(x)
  return math.exp(-head * head) * math.exp(-(x - head) * (x + head))
}

/** erfc(x) for x from 1/2. */
const erfcFrom = (x: number): number =>
  x >= ERFC_ZERO_FROM ? 0 : (expOfSquare(x) * polynomial(ERFCX, (x - 3.75) / (x + 3.75))) / (1 + 2 * x)

/** The error function, odd, within ±1. */
export const erf = (x: number): number => {
  if (Math.abs(x) < 1) return x * polynomial(ERF, x * x)
  return x < 0 ? erfcFrom(-x) - 1 : 1 - erfcFrom(x)
}

/** 1 − erf(x), without loss where erf(x) is near 1. */
export const erfc = (x: number): number => {
  if (x < 0.5) return x > -1 ? 1 - erf(x) : 2 - erfcFrom(-x)
  return erfcFrom(x)
}

/** Two doubles whose sum is the value, the second far below the first. */
type Double2 = readonly [number, number]

/** 2^27 + 1, which cuts a double into halves whose products are exact (Dekker, Numer. Math. 18, 224 (1971)). */
const SPLITTER = 134_217_729

const halves = (x: number): Double2 => {
  const scaled = SPLITTER * x
  const high = scaled - (scaled - x)
  return [high, x - high]
}

/** (high + low)·x, to about twice the digits of a double. */
const times = ([high, low]: Double2, x: number): Double2 => {
  const [a, b] = halves(high)
  const [c, d] = halves(x)
  const product = high * x
  const rest = a * c - product + a * d + b * c + b * d + low * x
  const sum = product + rest
  return [sum, rest - (sum - product)]
}

/** (x − 1)(x − 2)… down to the last factor not below `least`, and what is left of x; each difference is exact. */
const descend = (x: number, least: number): { readonly product: Double2; readonly rest: number } => {
  let product: Double2 = [1, 0]
  let rest = x
  while (rest - 1 >= least) {
    rest -= 1
    product = times(product, rest)
  }
  return { product, rest }
}

/** Γ(x) for x above 0; NaN elsewhere. */
export const tgamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  if (x >= GAMMA_INFINITE_FROM) return Number.POSITIVE_INFINITY
  if (x < 1) return polynomial(GAMMA, x - 0.5) / x
  const { product, rest } = descend(x, 1)
  const value = polynomial(GAMMA, rest - 1.5)
  return product[0] * value + product[1] * value
}

/** ln Γ(x) for x above 0; NaN elsewhere. It keeps its digits at its zeros, 1 and 2. */
export const lgamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  if (x < 0.5) return x * polynomial(LGAMMA_1, x) - math.log(x)
  if (x < 1.5) return (x - 1) * polynomial(LGAMMA_1, x - 1)
  if (x < 3) return (x - 2) * polynomial(LGAMMA_2, x - 2.25)
  if (x < STIRLING_FROM) {
    const { product, rest } = descend(x, 2)
    return math.log(product[0]) + (rest - 2) * polynomial(LGAMMA_2, rest - 2.25)
  }
  if (x === Number.POSITIVE_INFINITY) return x
  return (x - 0.5) * (math.log(x) - 1) + (STIRLING_CONSTANT + polynomial(STIRLING, 1 / (x * x)) / x)
}
