import * as math from '#numerics/math.ts'

/** What a function does with units; see `units.ts`. */
export type UnitRule = 'pure' | 'same' | 'ratio' | 'root2' | 'root3' | 'power'

interface FunctionRow {
  readonly least: number
  readonly most: number
  readonly units: UnitRule
  /** Of as many numbers as it takes; what has no finite result is refused by the caller. */
  readonly run: (x: number, y: number, z: number) => number
}

/** Arguments of `min` and `max`. */
const ARGUMENTS_MAX = 8

const one = (units: UnitRule, run: (x: number) => number): FunctionRow => ({ least: 1, most: 1, units, run })
const two = (units: UnitRule, run: (x: number, y: number) => number): FunctionRow => ({ least: 2, most: 2, units, run })
const several = (run: (x: number, y: number) => number): FunctionRow => ({
  least: 2,
  most: ARGUMENTS_MAX,
  units: 'same',
  run,
})

/** To the nearest whole number, halves away from zero, as CEL's own extension rounds. */
const round = (x: number): number => (x < 0 ? -Math.round(-x) : Math.round(x))

const clamp = (x: number, low: number, high: number): number =>
  low > high ? Number.NaN : Math.min(Math.max(x, low), high)

const rows = {
  abs: one('same', (x) => Math.abs(x)),
  acos: one('pure', math.acos),
  acosh: one('pure', math.acosh),
  asin: one('pure', math.asin),
  asinh: one('pure', math.asinh),
  atan: one('pure', math.atan),
  atan2: two('ratio', math.atan2),
  atanh: one('pure', math.atanh),
  cbrt: one('root3', math.cbrt),
  ceil: one('same', (x) => Math.ceil(x)),
  clamp: { least: 3, most: 3, units: 'same', run: clamp },
  cos: one('pure', math.cos),
  cosh: one('pure', math.cosh),
  exp: one('pure', math.exp),
  expm1: one('pure', math.expm1),
  floor: one('same', (x) => Math.floor(x)),
  hypot: two('same', math.hypot),
  log: one('pure', math.log),
  log10: one('pure', math.log10),
  log1p: one('pure', math.log1p),
  log2: one('pure', math.log2),
  max: several((x, y) => Math.max(x, y)),
  min: several((x, y) => Math.min(x, y)),
  pow: two('power', math.pow),
  round: one('same', round),
  sin: one('pure', math.sin),
  sinh: one('pure', math.sinh),
  sqrt: one('root2', math.sqrt),
  tan: one('pure', math.tan),
  tanh: one('pure', math.tanh),
} as const satisfies Readonly<Record<string, FunctionRow>>

export type LanguageFunction = keyof typeof rows

/** The functions of the language: those of numerics/math.ts and a few of whole numbers and bounds. */
export const FUNCTIONS: Readonly<Record<LanguageFunction, FunctionRow>> = rows

/** How many values each takes. */
export const ARITY: Readonly<Record<LanguageFunction, { readonly least: number; readonly most: number }>> = rows

/** True for the name of a function, and for nothing an object brings along. */
export const isFunctionName = (name: string): name is LanguageFunction => Object.hasOwn(rows, name)
