import type { LanguageFunction } from '#numerics/contracts/language/functions.ts'
import { FUNCTIONS } from '#numerics/contracts/language/functions.ts'
import type { ContractSign } from '#numerics/contracts/language/grammar.ts'
import { between, type Domain, hasNumbers, hull, meet, NOTHING, NUMBERS } from './domain.ts'

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

const outward = (low: number, high: number, share: number, least: number): Domain =>
  between(low - Math.abs(low) * share - least, high + Math.abs(high) * share + least)
const rounded = (low: number, high: number): Domain => outward(low, high, ROUNDED, 2 * Number.MIN_VALUE)
const widened = (low: number, high: number): Domain => outward(low, high, KERNEL, KERNEL_LEAST)

/** A product or quotient of ends: what is unbounded times nothing is nothing, since all numbers are finite. */
const orZero = (it: number): number => (Number.isNaN(it) ? 0 : it)

const cornersOf = (a: Domain, b: Domain, run: (x: number, y: number) => number, whole: boolean): Domain => {
  const all = [run(a.low, b.low), run(a.low, b.high), run(a.high, b.low), run(a.high, b.high)].map(orZero)
  return between(Math.min(...all), Math.max(...all), whole)
}

const times = (x: number, y: number): number => x * y
const over = (x: number, y: number): number => x / y

const parts = (b: Domain): readonly Domain[] => {
  const least = b.whole ? 1 : Number.MIN_VALUE
  return [between(b.low, Math.min(b.high, -least), b.whole), between(Math.max(b.low, least), b.high, b.whole)].filter(
    hasNumbers,
  )
}

const quotient = (a: Domain, b: Domain): Domain =>
  parts(b).reduce((all, part) => hull(all, cornersOf(a, part, over, false)), NOTHING)

const remainder = (a: Domain, b: Domain): Domain => {
  const sizes = parts(b).map((it) => Math.max(Math.abs(it.low), Math.abs(it.high)))
  const leasts = parts(b).map((it) => Math.min(Math.abs(it.low), Math.abs(it.high)))
  if (sizes.length === 0) return NOTHING
  const whole = a.whole && b.whole
  if (Math.max(Math.abs(a.low), Math.abs(a.high)) < Math.min(...leasts)) return between(a.low, a.high, whole)
  const most = whole ? Math.max(...sizes) - 1 : Math.max(...sizes)
  return between(a.low < 0 ? Math.max(a.low, -most) : 0, a.high > 0 ? Math.min(a.high, most) : 0, whole)
}

/** What two numbers give. */
export const arithmetic = (sign: ContractSign, a: Domain, b: Domain): Domain => {
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
export const arithmeticBack = (sign: ContractSign, z: Domain, [a, b]: readonly [Domain, Domain]) => {
  const known = rounded(z.low, z.high)
  const near = (low: number, high: number, size: number): Domain => {
    const margin = size * ROUNDED + 2 * Number.MIN_VALUE
    return Number.isFinite(margin) ? between(low - margin, high + margin) : NUMBERS
  }
  const size = (...of: readonly Domain[]): number =>
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

const around = ({ low, high }: Domain): Domain => (low <= high ? rounded(low, high) : NOTHING)

/** One factor by the product and the other factor. */
const factorBack = (product: Domain, other: Domain): Domain =>
  other.low > 0 || other.high < 0 ? around(quotient(product, other)) : NUMBERS

const increasing = (run: (x: number) => number, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY) => {
  return (x: Domain): Domain => {
    const [from, to] = [Math.max(x.low, low), Math.min(x.high, high)]
    if (from > to) return NOTHING
    const [least, most] = [run(from), run(to)]
    return widened(
      Number.isNaN(least) ? Number.NEGATIVE_INFINITY : least,
      Number.isNaN(most) ? Number.POSITIVE_INFINITY : most,
    )
  }
}

const sizeOf = ({ low, high, whole }: Domain): Domain =>
  low >= 0
    ? between(low, high, whole)
    : high <= 0
      ? between(-high, -low, whole)
      : between(0, Math.max(-low, high), whole)

const f =
  (name: LanguageFunction) =>
  (x: number, y = 0) =>
    FUNCTIONS[name].run(x, y, 0)

/** The same for what a kernel gave. */
const kernelled = ({ low, high }: Domain): Domain => (low <= high ? widened(low, high) : NOTHING)

/** A power of a positive number runs between its corners, since y·ln x does. */
const power = (x: Domain, y: Domain): Domain => {
  if (x.low > 0) return kernelled(cornersOf(x, y, f('pow'), false))
  const even = y.low === y.high && y.low > 0 && y.low % 2 === 0
  if (even) return kernelled(cornersOf(sizeOf(x), y, f('pow'), false))
  const odd = y.low === y.high && y.low > 0 && y.low % 2 === 1
  return odd || (x.low === 0 && y.low > 0) ? kernelled(cornersOf(x, y, f('pow'), false)) : NUMBERS
}

const UNARY: Readonly<Partial<Record<LanguageFunction, (x: Domain) => Domain>>> = {
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
export const called = (name: LanguageFunction, args: readonly Domain[]): Domain => {
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

/** What the arguments of a function can be, when what it gives is known. */
export const calledBack = (name: LanguageFunction, z: Domain, args: readonly Domain[]): readonly Domain[] => {
  const [x = NUMBERS, low = NUMBERS, high = NUMBERS] = args
  switch (name) {
    case 'abs':
      return [between(x.low >= 0 ? z.low : -z.high, x.high <= 0 ? -z.low : z.high)]
    case 'min':
      return args.map(() => between(z.low, Number.POSITIVE_INFINITY))
    case 'max':
      return args.map(() => between(Number.NEGATIVE_INFINITY, z.high))
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
