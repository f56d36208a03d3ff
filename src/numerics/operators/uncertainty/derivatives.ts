import * as math from '#numerics/math.ts'
import type { FunctionName } from '#numerics/operators/arity.ts'

/** From here on the asymptotic series of ψ holds to the last digits. */
const ASYMPTOTIC_FROM = 10
/** B(2n)/2n of ψ(x) = ln x − 1/2x − Σ B(2n)/(2n·x^2n) (NIST Digital Library of Mathematical Functions, 5.11.2). */
const ASYMPTOTIC: readonly number[] = [
  1 / 12,
  -1 / 120,
  1 / 252,
  -1 / 240,
  1 / 132,
  -691 / 32_760,
  1 / 12,
  -3617 / 8160,
]

/** ψ(x), the derivative of ln Γ, for x above 0: ψ(x) = ψ(x + 1) − 1/x up to where the series holds. */
export const digamma = (x: number): number => {
  if (!(x > 0)) return Number.NaN
  let [at, below] = [x, 0]
  while (at < ASYMPTOTIC_FROM) {
    below += 1 / at
    at += 1
  }
  const square = 1 / (at * at)
  let series = 0
  for (const it of ASYMPTOTIC.toReversed()) series = (series + it) * square
  return math.log(at) - 0.5 / at - series - below
}

const TWO_BY_ROOT_PI = 1.1283791670955126

/** The derivative of a function of one argument at x, where it has the value y. */
type Slope = (x: number, y: number) => number

const slopeOfErf: Slope = (x) => TWO_BY_ROOT_PI * math.exp(-x * x)

/** Derivatives of the grammar's functions of one argument: a new function of the grammar is one row more here. */
export const SLOPES: Readonly<Record<Exclude<FunctionName, 'atan2' | 'max' | 'min'>, Slope>> = {
  abs: (x) => Math.sign(x),
  acos: (x) => -1 / math.sqrt((1 - x) * (1 + x)),
  acosh: (x) => 1 / (math.sqrt(x - 1) * math.sqrt(x + 1)),
  asin: (x) => 1 / math.sqrt((1 - x) * (1 + x)),
  asinh: (x) => 1 / math.hypot(1, x),
  atan: (x) => 1 / (1 + x * x),
  atanh: (x) => 1 / ((1 - x) * (1 + x)),
  cbrt: (_, y) => 1 / (3 * y * y),
  cos: (x) => -math.sin(x),
  cosh: (x) => math.sinh(x),
  erf: slopeOfErf,
  erfc: (x, y) => -slopeOfErf(x, y),
  exp: (_, y) => y,
  expm1: (x) => math.exp(x),
  lgamma: (x) => digamma(x),
  ln: (x) => 1 / x,
  log: (x) => 1 / x,
  log10: (x) => math.LOG10E / x,
  log1p: (x) => 1 / (1 + x),
  log2: (x) => math.LOG2E / x,
  sin: (x) => math.cos(x),
  sinh: (x) => math.cosh(x),
  sqrt: (_, y) => 0.5 / y,
  tan: (_, y) => 1 + y * y,
  tanh: (x) => {
    const c = math.cosh(x)
    return 1 / (c * c)
  },
  tgamma: (x, y) => y * digamma(x),
}
