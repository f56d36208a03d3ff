/** Arguments of `min` and `max`. */
const ARGUMENTS_MAX = 8

const ONE = { least: 1, most: 1 } as const
const TWO = { least: 2, most: 2 } as const
const SEVERAL = { least: 2, most: ARGUMENTS_MAX } as const

const table = {
  abs: ONE,
  acos: ONE,
  acosh: ONE,
  asin: ONE,
  asinh: ONE,
  atan: ONE,
  atan2: TWO,
  atanh: ONE,
  cbrt: ONE,
  cos: ONE,
  cosh: ONE,
  erf: ONE,
  erfc: ONE,
  exp: ONE,
  expm1: ONE,
  lgamma: ONE,
  ln: ONE,
  log: ONE,
  log10: ONE,
  log1p: ONE,
  log2: ONE,
  max: SEVERAL,
  min: SEVERAL,
  sin: ONE,
  sinh: ONE,
  sqrt: ONE,
  tan: ONE,
  tanh: ONE,
  tgamma: ONE,
} as const

export type FunctionName = keyof typeof table

/** How many arguments each function of the grammar takes: all that reading an equation needs to know of them. */
export const ARITY: Readonly<Record<FunctionName, { readonly least: number; readonly most: number }>> = table

/** True for the name of a function, and for nothing an object brings along. */
export const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(table, name)
