/**
 * What an expression may give, without knowing what it reads: a set that holds every value it can have, so that what is
 * not in it never comes. Numbers are one interval, truths are bits, texts a list or any, and null is there or not. That
 * an expression may have no value at all is left open everywhere.
 */
export interface Domain {
  /** No number at all where `low` is above `high`; an infinite end is a finite number of any size. */
  readonly low: number
  readonly high: number
  /** Whether the numbers are whole. */
  readonly whole: boolean
  /** {@link TRUE}, {@link FALSE}, or both; of a comparison {@link LESS}, {@link SAME} and {@link MORE}. */
  readonly bits: number
  /** Undefined: any text. */
  readonly texts: readonly string[] | undefined
  readonly nil: boolean
}

export const TRUE = 1
export const FALSE = 2
export const LESS = 1
export const SAME = 2
export const MORE = 4

/** Texts that are told apart in one domain; beyond, it may be any. */
const TEXTS_MAX = 128

const none = {
  low: Number.POSITIVE_INFINITY,
  high: Number.NEGATIVE_INFINITY,
  whole: true,
  bits: 0,
  texts: [],
  nil: false,
}
export const NOTHING: Domain = none
export const NUMBERS: Domain = { ...none, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY, whole: false }
export const BOOLEANS: Domain = { ...none, bits: TRUE | FALSE }
export const ONLY_TRUE: Domain = { ...none, bits: TRUE }
export const ONLY_FALSE: Domain = { ...none, bits: FALSE }
export const RELATIONS: Domain = { ...none, bits: LESS | SAME | MORE }
export const TEXTS: Domain = { ...none, texts: undefined }
export const NIL: Domain = { ...none, nil: true }
export const ANYTHING: Domain = { ...NUMBERS, bits: TRUE | FALSE, texts: undefined, nil: true }
export const NOT_NIL: Domain = { ...ANYTHING, nil: false }

/** The numbers from one to another; none where they are the wrong way round, or beyond the doubles. */
export const between = (low: number, high: number, whole = false): Domain => {
  const [from, to] = whole ? [Math.ceil(low), Math.floor(high)] : [low, high]
  return from <= to && from < Number.POSITIVE_INFINITY && to > Number.NEGATIVE_INFINITY
    ? { ...none, low: from + 0, high: to + 0, whole }
    : NOTHING
}

export const bitsOf = (bits: number): Domain =>
  bits === TRUE ? ONLY_TRUE : bits === FALSE ? ONLY_FALSE : { ...none, bits }

/** The domain of one value. */
export const exactly = (value: number | string | boolean | null): Domain => {
  if (typeof value === 'number') return between(value, value, Number.isInteger(value))
  if (typeof value === 'string') return { ...none, texts: [value] }
  return value === null ? NIL : value ? ONLY_TRUE : ONLY_FALSE
}

export const hasNumbers = ({ low, high }: Domain): boolean => low <= high
export const hasTexts = ({ texts }: Domain): boolean => texts === undefined || texts.length > 0
export const isNothing = (it: Domain): boolean => !hasNumbers(it) && it.bits === 0 && !hasTexts(it) && !it.nil

/** The one value of a domain; undefined where it has several, or none. */
export const onlyValue = (it: Domain): number | string | boolean | null | undefined => {
  const { low, high, bits, texts, nil } = it
  const kinds = (low <= high ? 1 : 0) + (bits === 0 ? 0 : 1) + (hasTexts(it) ? 1 : 0) + (nil ? 1 : 0)
  if (kinds !== 1) return undefined
  if (nil) return null
  if (low === high) return low
  if (bits === TRUE || bits === FALSE) return bits === TRUE
  return texts?.length === 1 ? texts[0] : undefined
}

const textsOfBoth = (a: Domain['texts'], b: Domain['texts']): Domain['texts'] => {
  if (a === undefined || b === undefined) return a ?? b
  if (a === b) return a
  const both = a.filter((it) => b.includes(it))
  return both.length === a.length ? a : both
}

/** What is in both; the first itself where all of it is. */
export const meet = (a: Domain, b: Domain): Domain => {
  if (a === b) return a
  const whole = a.whole || b.whole
  let [low, high] = [Math.max(a.low, b.low), Math.min(a.high, b.high)]
  if (whole) [low, high] = [Math.ceil(low), Math.floor(high)]
  if (low > high) [low, high] = [none.low, none.high]
  const bits = a.bits & b.bits
  const texts = textsOfBoth(a.texts, b.texts)
  const nil = a.nil && b.nil
  const numbers = low === a.low && high === a.high && (whole === a.whole || low > high)
  if (numbers && bits === a.bits && texts === a.texts && nil === a.nil) return a
  return { low, high, whole: whole || low > high, bits, texts, nil }
}

const textsOfEither = (a: Domain['texts'], b: Domain['texts']): Domain['texts'] => {
  if (a === undefined || b === undefined) return undefined
  const more = b.filter((it) => !a.includes(it))
  if (more.length === 0) return a
  return a.length + more.length > TEXTS_MAX ? undefined : [...a, ...more]
}

/** The smallest domain with both in it; the first itself where the second brings nothing. */
export const hull = (a: Domain, b: Domain): Domain => {
  if (a === b) return a
  const [low, high] = [Math.min(a.low, b.low), Math.max(a.high, b.high)]
  const whole = (a.whole || !hasNumbers(a)) && (b.whole || !hasNumbers(b))
  const bits = a.bits | b.bits
  const texts = textsOfEither(a.texts, b.texts)
  const nil = a.nil || b.nil
  const same = low === a.low && high === a.high && whole === a.whole
  if (same && bits === a.bits && texts === a.texts && nil === a.nil) return a
  return { low, high, whole, bits, texts, nil }
}

/** Whether all of the second is in the first. */
export const holds = (a: Domain, b: Domain): boolean => hull(a, b) === a

/** The first without a value: ends of numbers, texts, truths and null are taken away. */
export const without = (a: Domain, value: number | string | boolean | null): Domain => {
  if (value === null) return meet(a, NOT_NIL)
  if (typeof value === 'boolean') return a.bits === 0 ? a : { ...a, bits: a.bits & (value ? FALSE : TRUE) }
  if (typeof value === 'string') {
    return a.texts?.includes(value) === true ? { ...a, texts: a.texts.filter((it) => it !== value) } : a
  }
  if (a.low !== value && a.high !== value) return a
  const low = a.low === value ? above(value) : a.low
  const high = a.high === value ? below(value) : a.high
  return meet(a, { ...a, low, high })
}

const cell = new Float64Array(1)
const word = new BigInt64Array(cell.buffer)

/** The next double above a number. */
export const above = (x: number): number => {
  if (x === Number.POSITIVE_INFINITY) return x
  if (x === 0) return Number.MIN_VALUE
  if (x === Number.NEGATIVE_INFINITY) return -Number.MAX_VALUE
  cell[0] = x
  word[0] = (word[0] ?? 0n) + (x > 0 ? 1n : -1n)
  return cell[0] ?? x
}

/** The next double below a number. */
export const below = (x: number): number => 0 - above(0 - x)
