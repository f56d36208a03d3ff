import type { Decimal } from 'decimal.js'
import * as math from '#numerics/math.ts'
import type { FunctionName } from './arity.ts'
import { Precise } from './decimal.ts'
import { erf, erfc, lgamma, tgamma } from './special.ts'
import { preciseErf, preciseErfc, preciseLgamma, preciseTgamma } from './special-precise.ts'

/** How a function treats dimensions: pure numbers in and out, one kept, equal ones to a pure number, or a root. */
export type DimensionRule = 'pure' | 'same' | 'ratio' | 'root2' | 'root3'

/** What a function of the grammar does: adding one is a row here and its arguments in arity.ts. */
interface FunctionRow {
  readonly dimension: DimensionRule
  readonly double: (...args: readonly number[]) => number
  readonly precise: (...args: readonly Decimal[]) => Decimal
}

type Unary = (x: number) => number

const unary = (dimension: DimensionRule, double: Unary, precise: (x: Decimal) => Decimal): FunctionRow => ({
  dimension,
  double: double as FunctionRow['double'],
  precise: precise as FunctionRow['precise'],
})

const magnitude: Unary = (x) => Math.abs(x)

/**
 * The hyperbolic functions through exp from 1 on: the library sums their series at any argument, which for a large one
 * neither converges in time nor keeps its digits.
 */
const preciseSinh = (x: Decimal): Decimal => (x.abs().lt(1) ? x.sinh() : x.exp().minus(x.negated().exp()).div(2))
const preciseCosh = (x: Decimal): Decimal => x.exp().plus(x.negated().exp()).div(2)
const preciseTanh = (x: Decimal): Decimal => {
  if (x.abs().lt(1)) return x.tanh()
  const size = new Precise(1).minus(new Precise(2).div(x.abs().times(2).exp().plus(1)))
  return x.isNegative() ? size.negated() : size
}

/** Arguments below this size lose digits to the 1 beside them, and take more terms instead. */
const SMALL = '1e-3'
/** Terms of a series at a small argument: 1e-3 to this power is far below 50 digits. */
const TERMS = 24

/** x + x²/2! + x³/3! + … */
const preciseExpm1 = (x: Decimal): Decimal => {
  if (x.abs().gt(SMALL)) return x.exp().minus(1)
  let [term, sum] = [x, x]
  for (let n = 2; n <= TERMS; n += 1) {
    term = term.times(x).div(n)
    sum = sum.plus(term)
  }
  return sum
}

/** x − x²/2 + x³/3 − … */
const preciseLog1p = (x: Decimal): Decimal => {
  if (x.abs().gt(SMALL)) return x.plus(1).ln()
  let [power, sum] = [x, x]
  for (let n = 2; n <= TERMS; n += 1) {
    power = power.times(x).negated()
    sum = sum.plus(power.div(n))
  }
  return sum
}

/** The functions of the grammar by name; `log` is `ln`. */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionRow>> = {
  abs: unary('same', magnitude, (x) => x.abs()),
  acos: unary('pure', math.acos, (x) => x.acos()),
  acosh: unary('pure', math.acosh, (x) => x.acosh()),
  asin: unary('pure', math.asin, (x) => x.asin()),
  asinh: unary('pure', math.asinh, (x) => x.asinh()),
  atan: unary('pure', math.atan, (x) => x.atan()),
  atanh: unary('pure', math.atanh, (x) => x.atanh()),
  cbrt: unary('root3', math.cbrt, (x) => x.cbrt()),
  cos: unary('pure', math.cos, (x) => x.cos()),
  cosh: unary('pure', math.cosh, preciseCosh),
  erf: unary('pure', erf, preciseErf),
  erfc: unary('pure', erfc, preciseErfc),
  exp: unary('pure', math.exp, (x) => x.exp()),
  expm1: unary('pure', math.expm1, preciseExpm1),
  lgamma: unary('pure', lgamma, preciseLgamma),
  ln: unary('pure', math.log, (x) => x.ln()),
  log: unary('pure', math.log, (x) => x.ln()),
  log10: unary('pure', math.log10, (x) => x.log(10)),
  log1p: unary('pure', math.log1p, preciseLog1p),
  log2: unary('pure', math.log2, (x) => x.log(2)),
  sin: unary('pure', math.sin, (x) => x.sin()),
  sinh: unary('pure', math.sinh, preciseSinh),
  sqrt: unary('root2', math.sqrt, (x) => x.sqrt()),
  tan: unary('pure', math.tan, (x) => x.tan()),
  tanh: unary('pure', math.tanh, preciseTanh),
  tgamma: unary('pure', tgamma, preciseTgamma),
  atan2: {
    dimension: 'ratio',
    double: (y, x) => math.atan2(y ?? Number.NaN, x ?? Number.NaN),
    precise: (y, x) => Precise.atan2(y ?? Number.NaN, x ?? Number.NaN),
  },
  max: {
    dimension: 'same',
    double: (...args) => Math.max(...args),
    precise: (...args) => Precise.max(...args),
  },
  min: {
    dimension: 'same',
    double: (...args) => Math.min(...args),
    precise: (...args) => Precise.min(...args),
  },
}
