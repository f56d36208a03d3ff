import type { LanguageFunction } from '#numerics/contracts/language/functions.ts'
import { FUNCTIONS } from '#numerics/contracts/language/functions.ts'
import type { ContractSign } from '#numerics/contracts/language/grammar.ts'
import { between, hasNumbers, hull, meet, NOTHING, NUMBERS, type ValueDomain } from './domain.ts'

/**
 * Arithmetic on intervals of doubles. The four signs and what rounds correctly are monotone in IEEE arithmetic, so
 * working them out at the ends is exact. Everything else is widened outwards: a kernel is within 1 ulp of the function,
 * and these margins are far wider.
 */

/** Relative margin around what is taken back from a rounded result: 2^-50, some ulps. */
const ROUNDED = 8.881784197001252e-16
/** Relative and absolute margin around a transcendental function. */
const KERNEL = 1e-12
const KERNEL_LEAST = 1e-300
/** Numbers below it may have a square of nothing. */
const SQUARED_LEAST = 1e-160

const outward = (low: number, high: number, share: number, least: number): ValueDomain =>
  between(low - Math.abs(low) * share - least, high + Math.abs(high) * share + least)
const rounded = (low: number, high: number): ValueDomain => outward(low, high, ROUNDED, 2 * Number.MIN_VALUE)
const widened = (low: number, high: number): ValueDomain => outward(low, high, KERNEL, KERNEL_LEAST)

/** A product or quotient of ends: what is unbounded times nothing is nothing, since all numbers are finite. */
const orZero = (it: number): number => (Number.isNaN(it) ? 0 : it)

const cornersOf = (
  a: ValueDomain,
  b: ValueDomain,
  run: (x: number, y: number) => number,
  whole: boolean,
): ValueDomain => {
  const all = [run(a.low, b.low), run(a.low, b.high), run(a.high, b.low), run(a.high, b.high)].map(orZero)
  return between(Math.min(...all), Math.max(...all), whole)
}

const times = (x: number, y: number): number => x * y
const over = (x: number, y: number): number => x / y

const parts = (b: ValueDomain): readonly ValueDomain[] => {
  const least = b.whole ? 1 : Number.MIN_VALUE
  return [between(b.low, Math.min(b.high, -least), b.whole), between(Math.max(b.low, least), b.high, b.whole)].filter(
    hasNumbers,
  )
}

const quotient = (a: ValueDomain, b: ValueDomain): ValueDomain =>
  parts(b).reduce((all, part) => hull(all, cornersOf(a, part, over, false)), NOTHING)

const remainder = (a: ValueDomain, b: ValueDomain): ValueDomain => {
  const sizes = parts(b).map((it) => Math.max(Math.abs(it.low), Math.abs(it.high)))
  const leasts = parts(b).map((it) => Math.min(Math.abs(it.low), Math.abs(it.high)))
  if (sizes.length === 0) return NOTHING
  const whole = a.whole && b.whole
  if (Math.max(Math.abs(a.low), Math.abs(a.high)) < Math.min(...leasts)) return between(a.low, a.high, whole)
  const most = whole ? Math.max(...sizes) - 1 : Math.max(...sizes)
  return between(a.low < 0 ? Math.max(a.low, -most) : 0, a.high > 0 ? Math.min(a.high, most) : 0, whole)
}

/** What two numbers give. */
export const arithmetic = (sign: ContractSign, a: ValueDomain, b: ValueDomain): ValueDomain => {
  if (!hasNumbers(a) || !hasNumbers(b)) return NOTHING
  const whole = a.whole && b.whole
  switch (sign) {
    case '+':
      return between(a.low + b.low, a.high + b.high, whole)
    case '-':
      return between(a.low - b.high, a.high - b.low, whole)
    case '*':
      return cornersOf(a, b, times, whole)
    case '/':
      return quotient(a, b)
    default:
      if (a.low === a.high && b.low === b.high) return between(a.low % b.low, a.low % b.low, whole)
      return remainder(a, b)
  }
}

/** What the left and the right number can be, when their sum or the like is known. */
export const arithmeticBack = (sign: ContractSign, z: ValueDomain, [a, b]: readonly [ValueDomain, ValueDomain]) => {
  const known = rounded(z.low, z.high)
  const near = (low: number, high: number, size: number): ValueDomain => {
    const margin = size * ROUNDED + 2 * Number.MIN_VALUE
    return Number.isFinite(margin) ? between(low - margin, high + margin) : NUMBERS
  }
  const size = (...of: readonly ValueDomain[]): number =>
    Math.max(...of.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]).filter(Number.isFinite), 0)
  switch (sign) {
    case '+':
      return [
        near(known.low - b.high, known.high - b.low, size(known, b)),
        near(known.low - a.high, known.high - a.low, size(known, a)),
      ] as const
    case '-':
      return [
        near(known.low + b.low, known.high + b.high, size(known, b)),
        near(a.low - known.high, a.high - known.low, size(known, a)),
      ] as const
    case '*':
      return [factorBack(known, b), factorBack(known, a)] as const
    case '/':
      return [
        around(cornersOf(known, b, times, false)),
        known.low > 0 || known.high < 0 ? around(quotient(a, known)) : NUMBERS,
      ] as const
    default:
      return [NUMBERS, NUMBERS] as const
  }
}

const around = ({ low, high }: ValueDomain): ValueDomain => (low <= high ? rounded(low, high) : NOTHING)

/** One factor by the product and the other factor. */
const factorBack = (product: ValueDomain, other: ValueDomain): ValueDomain =>
  other.low > 0 || other.high < 0 ? around(quotient(product, other)) : NUMBERS

const increasing = (run: (x: number) => number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY) => {
  return (x: ValueDomain): ValueDomain => {
    const [from, to] = [Math.max(x.low, low), Math.min(x.high, high)]
    if (from > to) return NOTHING
    const [least, most] = [run(from), run(to)]
    return widened(
      Number.isNaN(least) ? Number.NEGATIVE_INFINITY : least,
      Number.isNaN(most) ? Number.POSITIVE_INFINITY : most,
    )
  }
}

const sizeOf = ({ low, high, whole }: ValueDomain): ValueDomain =>
  low >= 0
    ? between(low, high, whole)
    : high <= 0
      ? between(-high, -low, whole)
      : between(0, Math.max(-low, high), whole)

/** A number times itself. */
export const squared = (x: ValueDomain): ValueDomain => {
  const size = sizeOf(x)
  return hasNumbers(size) ? between(size.low * size.low, size.high * size.high, x.whole) : NOTHING
}

/** What a number can be, when it times itself is known: below 1e-160 that is nothing. */
export const squaredBack = (z: ValueDomain, x: ValueDomain): ValueDomain => {
  const [low, high] = [Math.sqrt(Math.max(z.low, 0)), Math.sqrt(Math.max(z.high, 0))]
  const known = outward(low, high, KERNEL, SQUARED_LEAST)
  return between(x.low >= 0 ? known.low : 0 - known.high, x.high <= 0 ? 0 - known.low : known.high)
}

const f =
  (name: LanguageFunction) =>
  (x: number, y = 0) =>
    FUNCTIONS[name].run(x, y, 0)

/** The same for what a kernel gave. */
const kernelled = ({ low, high }: ValueDomain): ValueDomain => (low <= high ? widened(low, high) : NOTHING)

/** The same with ends that a function can be asked of: the largest double for one without end. */
const finite = (it: ValueDomain): ValueDomain => ({
  ...it,
  low: Math.max(it.low, -Number.MAX_VALUE),
  high: Math.min(it.high, Number.MAX_VALUE),
})

/** A power of a positive number runs between its corners, since y·ln x does. */
const power = (x: ValueDomain, y: ValueDomain): ValueDomain => {
  const corners = (base: ValueDomain): ValueDomain => kernelled(cornersOf(finite(base), finite(y), f('pow'), false))
  if (x.low > 0) return corners(x)
  const whole = y.low === y.high && y.low > 0 && Number.isInteger(y.low)
  if (whole && y.low % 2 === 0) return corners(sizeOf(x))
  return whole || (x.low === 0 && y.low > 0) ? corners(x) : NUMBERS
}

const UNARY: Readonly<Partial<Record<LanguageFunction, (x: ValueDomain) => ValueDomain>>> = {
  abs: sizeOf,
  floor: ({ low, high }) => between(Math.floor(low), Math.floor(high), true),
  ceil: ({ low, high }) => between(Math.ceil(low), Math.ceil(high), true),
  round: ({ low, high }) => between(f('round')(low), f('round')(high), true),
  sqrt: ({ low, high }) => (high < 0 ? NOTHING : between(Math.sqrt(Math.max(low, 0)), Math.sqrt(high))),
  sin: () => widened(-1, 1),
  cos: () => widened(-1, 1),
  tanh: increasing(f('tanh')),
  atan: increasing(f('atan')),
  exp: (x) => meet(increasing(f('exp'))(x), between(0, Number.POSITIVE_INFINITY)),
  expm1: increasing(f('expm1')),
  cbrt: increasing(f('cbrt')),
  sinh: increasing(f('sinh')),
  asinh: increasing(f('asinh')),
  log: increasing(f('log'), 0),
  log2: increasing(f('log2'), 0),
  log10: increasing(f('log10'), 0),
  log1p: increasing(f('log1p'), -1),
  asin: increasing(f('asin'), -1, 1),
  atanh: increasing(f('atanh'), -1, 1),
  acosh: increasing(f('acosh'), 1),
  acos: () => widened(0, 3.15),
  cosh: (x) => increasing(f('cosh'))(sizeOf(x)),
}

/** What a function gives of numbers. */
export const called = (name: LanguageFunction, args: readonly ValueDomain[]): ValueDomain => {
  if (!args.every(hasNumbers)) return NOTHING
  const [x = NOTHING, y = NOTHING, z = NOTHING] = args
  const whole = args.every((it) => it.whole)
  switch (name) {
    case 'min':
      return between(Math.min(...args.map((it) => it.low)), Math.min(...args.map((it) => it.high)), whole)
    case 'max':
      return between(Math.max(...args.map((it) => it.low)), Math.max(...args.map((it) => it.high)), whole)
    case 'clamp':
      if (y.low > z.high) return NOTHING
      return between(
        Math.min(Math.max(x.low, y.low), z.low),
        Math.min(Math.max(x.high, y.high), z.high),
        x.whole && y.whole && z.whole,
      )
    case 'hypot': {
      const [a, b] = [sizeOf(x), sizeOf(y)]
      return widened(Math.max(a.low, b.low), Math.max(a.high, b.high) * 1.5)
    }
    case 'atan2':
      return widened(-3.15, 3.15)
    case 'pow':
      return power(x, y)
    default:
      return UNARY[name]?.(x) ?? NUMBERS
  }
}

const others = (args: readonly ValueDomain[], at: number): readonly ValueDomain[] => args.filter((_, i) => i !== at)

/** What the arguments of a function can be, when what it gives is known. */
export const calledBack = (
  name: LanguageFunction,
  z: ValueDomain,
  args: readonly ValueDomain[],
): readonly ValueDomain[] => {
  const [x = NUMBERS, low = NUMBERS, high = NUMBERS] = args
  switch (name) {
    case 'abs':
      return [between(x.low >= 0 ? z.low : -z.high, x.high <= 0 ? -z.low : z.high)]
    case 'min':
      return args.map((_, i) =>
        between(z.low, others(args, i).some((it) => it.low <= z.high) ? Number.POSITIVE_INFINITY : z.high),
      )
    case 'max':
      return args.map((_, i) =>
        between(others(args, i).some((it) => it.high >= z.low) ? Number.NEGATIVE_INFINITY : z.low, z.high),
      )
    case 'floor':
      return [between(z.low, z.high + 1)]
    case 'ceil':
      return [between(z.low - 1, z.high)]
    case 'round':
      return [between(z.low - 1, z.high + 1)]
    case 'sqrt':
      return [widened(z.low > 0 ? Math.min(z.low * z.low, Number.MAX_VALUE) : 0, z.high * z.high)]
    case 'clamp':
      return [
        between(
          z.low > low.high ? z.low : Number.NEGATIVE_INFINITY,
          z.high < high.low ? z.high : Number.POSITIVE_INFINITY,
        ),
        NUMBERS,
        NUMBERS,
      ]
    default:
      return args.map(() => NUMBERS)
  }
}
