import type { Decimal } from 'decimal.js'
import * as math from '#numerics/math.ts'
import { Precise } from './decimal.ts'

/** How a function treats dimensions: pure numbers in and out, one kept, equal ones to a pure number, or a root. */
export type DimensionRule = 'pure' | 'same' | 'ratio' | 'root2' | 'root3'

/** A function of the grammar, whole: adding one is one row here. */
interface FunctionRow {
  readonly argsMin: number
  readonly argsMax: number
  readonly dimension: DimensionRule
  readonly double: (...args: readonly number[]) => number
  readonly precise: (...args: readonly Decimal[]) => Decimal
}

/** Arguments of `min` and `max`. */
const ARGUMENTS_MAX = 8

type Unary = (x: number) => number

const unary = (dimension: DimensionRule, double: Unary, precise: (x: Decimal) => Decimal): FunctionRow => ({
  argsMin: 1,
  argsMax: 1,
  dimension,
  double: double as FunctionRow['double'],
  precise: precise as FunctionRow['precise'],
})

const magnitude: Unary = (x) => Math.abs(x)

const table = {
  abs: unary('same', magnitude, (x) => x.abs()),
  acos: unary('pure', math.acos, (x) => x.acos()),
  acosh: unary('pure', math.acosh, (x) => x.acosh()),
  asin: unary('pure', math.asin, (x) => x.asin()),
  asinh: unary('pure', math.asinh, (x) => x.asinh()),
  atan: unary('pure', math.atan, (x) => x.atan()),
  atanh: unary('pure', math.atanh, (x) => x.atanh()),
  cbrt: unary('root3', math.cbrt, (x) => x.cbrt()),
  cos: unary('pure', math.cos, (x) => x.cos()),
  cosh: unary('pure', math.cosh, (x) => x.cosh()),
  exp: unary('pure', math.exp, (x) => x.exp()),
  expm1: unary('pure', math.expm1, (x) => x.exp().minus(1)),
  ln: unary('pure', math.log, (x) => x.ln()),
  log: unary('pure', math.log, (x) => x.ln()),
  log10: unary('pure', math.log10, (x) => x.log(10)),
  log1p: unary('pure', math.log1p, (x) => x.plus(1).ln()),
  log2: unary('pure', math.log2, (x) => x.log(2)),
  sin: unary('pure', math.sin, (x) => x.sin()),
  sinh: unary('pure', math.sinh, (x) => x.sinh()),
  sqrt: unary('root2', math.sqrt, (x) => x.sqrt()),
  tan: unary('pure', math.tan, (x) => x.tan()),
  tanh: unary('pure', math.tanh, (x) => x.tanh()),
  atan2: {
    argsMin: 2,
    argsMax: 2,
    dimension: 'ratio',
    double: (y, x) => math.atan2(y ?? Number.NaN, x ?? Number.NaN),
    precise: (y, x) => Precise.atan2(y ?? Number.NaN, x ?? Number.NaN),
  },
  max: {
    argsMin: 2,
    argsMax: ARGUMENTS_MAX,
    dimension: 'same',
    double: (...args) => Math.max(...args),
    precise: (...args) => Precise.max(...args),
  },
  min: {
    argsMin: 2,
    argsMax: ARGUMENTS_MAX,
    dimension: 'same',
    double: (...args) => Math.min(...args),
    precise: (...args) => Precise.min(...args),
  },
} as const satisfies Readonly<Record<string, FunctionRow>>

export type FunctionName = keyof typeof table

/** The functions of the grammar by name; `log` is `ln`. */
export const FUNCTIONS: Readonly<Record<FunctionName, FunctionRow>> = table

/** True for the name of a function, and for nothing an object brings along. */
export const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(table, name)
