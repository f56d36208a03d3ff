import { assert } from './assert.ts'

/** An exact fraction; the denominator is positive and the two have no common divisor. */
export interface Ratio {
  readonly num: bigint
  readonly den: bigint
}

/** Digits of a decimal text that is read exactly. */
const DIGITS_MAX = 60
/** Powers of ten either side of 1 that a decimal text may name; doubles end well before. */
const EXPONENT_MAX = 400
/** Significant digits with which a fraction is handed to the engine: up to 20 the standard fixes the nearest double. */
const SIGNIFICANT = 20
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$|^([+-]?)\.(\d+)(?:[eE]([+-]?\d{1,4}))?$/

/** base to a power ≥ 0, by squaring. */
const raised = (base: bigint, count: bigint): bigint => {
  let [result, square, left] = [1n, base, count]
  while (left > 0n) {
    if (left % 2n === 1n) result *= square
    square *= square
    left /= 2n
  }
  return result
}

const tenTo = (count: number): bigint => raised(10n, BigInt(count))

const magnitude = (n: bigint): bigint => (n < 0n ? -n : n)

const gcd = (a: bigint, b: bigint): bigint => {
  let [x, y] = [magnitude(a), magnitude(b)]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** num/den in lowest terms. */
export const ratio = (num: bigint, den = 1n): Ratio => {
  assert(den !== 0n, 'a fraction has a denominator')
  const common = gcd(num, den)
  const sign = den < 0n ? -1n : 1n
  return common === 0n ? { num: 0n, den: 1n } : { num: (sign * num) / common, den: (sign * den) / common }
}

export const ONE: Ratio = { num: 1n, den: 1n }
export const ZERO: Ratio = { num: 0n, den: 1n }

/** a + b */
export const addRatio = (a: Ratio, b: Ratio): Ratio => ratio(a.num * b.den + b.num * a.den, a.den * b.den)
/** a − b */
export const subRatio = (a: Ratio, b: Ratio): Ratio => ratio(a.num * b.den - b.num * a.den, a.den * b.den)
/** a·b */
export const mulRatio = (a: Ratio, b: Ratio): Ratio => ratio(a.num * b.num, a.den * b.den)
/** a/b; b is not zero. */
export const divRatio = (a: Ratio, b: Ratio): Ratio => ratio(a.num * b.den, a.den * b.num)
/** Both are in lowest terms, so equality is that of the parts. */
export const equalRatio = (a: Ratio, b: Ratio): boolean => a.num === b.num && a.den === b.den

/** a to an integer power. */
export const powRatio = (a: Ratio, exponent: number): Ratio => {
  assert(Number.isInteger(exponent), 'the power of a fraction is an integer')
  const count = BigInt(Math.abs(exponent))
  return exponent < 0
    ? ratio(raised(a.den, count), raised(a.num, count))
    : ratio(raised(a.num, count), raised(a.den, count))
}

/**
 * The fraction that a decimal text names exactly; undefined for any other text, and for one with more than
 * {@link DIGITS_MAX} digits or a power of ten beyond {@link EXPONENT_MAX}.
 */
export const ratioOfDecimal = (text: string): Ratio | undefined => {
  const parts = DECIMAL.exec(text)
  if (parts === null) return undefined
  const [, signA, whole = '', fractionA, exponentA, signB, fractionB, exponentB] = parts
  const fraction = fractionA ?? fractionB ?? ''
  const digits = `${whole}${fraction}`
  const exponent = Number(exponentA ?? exponentB ?? 0) - fraction.length
  if (digits.length > DIGITS_MAX || Math.abs(exponent) > EXPONENT_MAX) return undefined
  const sign = (signA ?? signB) === '-' ? -1n : 1n
  const mantissa = sign * BigInt(digits)
  return exponent < 0 ? ratio(mantissa, tenTo(-exponent)) : ratio(mantissa * tenTo(exponent))
}

/** The fraction of a finite double's shortest decimal text: 0.1 is one tenth. */
export const ratioOfNumber = (value: number): Ratio => {
  assert(Number.isFinite(value), 'a fraction is finite')
  const exact = ratioOfDecimal(String(value))
  assert(exact !== undefined, 'a double has a decimal text')
  return exact
}

/** The double next to a fraction, by a route that every engine takes alike; ±Infinity and 0 beyond their range. */
export const numberOfRatio = ({ num, den }: Ratio): number => {
  if (num === 0n) return 0
  const top = magnitude(num)
  const exponent = top.toString().length - den.toString().length - SIGNIFICANT
  const [scaledTop, scaledDen] = exponent < 0 ? [top * tenTo(-exponent), den] : [top, den * tenTo(exponent)]
  const doubled = (2n * scaledTop) / scaledDen
  const digits = (doubled + 1n) / 2n
  return Number(`${num < 0n ? '-' : ''}${digits}e${exponent}`)
}

/** Digits of an irrational root. */
const ROOT_DIGITS = 40

const integerRoot = (value: bigint, degree: bigint): bigint => {
  if (value < 2n) return value
  let guess = raised(10n, BigInt(value.toString().length) / degree + 1n)
  for (;;) {
    const next = ((degree - 1n) * guess + value / raised(guess, degree - 1n)) / degree
    if (next >= guess) return guess
    guess = next
  }
}

/** The positive root of a positive fraction: exact where it is rational, else to 40 digits after the point. */
export const rootRatio = (a: Ratio, degree: number): Ratio => {
  assert(a.num > 0n && Number.isInteger(degree) && degree >= 1 && degree <= 12, 'a root of a positive fraction')
  const n = BigInt(degree)
  const top = integerRoot(a.num, n)
  const bottom = integerRoot(a.den, n)
  if (raised(top, n) === a.num && raised(bottom, n) === a.den) return ratio(top, bottom)
  const scale = tenTo(ROOT_DIGITS)
  return ratio(integerRoot(a.num * raised(scale, n) * raised(a.den, n - 1n), n), scale * a.den)
}
