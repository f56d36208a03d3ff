import type { Decimal } from 'decimal.js'

/** A decimal keeps its digits in words of seven. */
const WORD_DIGITS = 7
const WORD = 10_000_000
/** Words of a quotient, at most; its 49 digits are fewer than a decimal keeps. */
const WORDS_MAX = 7
/** Words that are worked out beyond those of the whole quotient. */
const WORDS_BEYOND = 5

const WORD_POWERS: readonly bigint[] = Array.from({ length: 32 }).reduce<bigint[]>(
  (powers) => [...powers, (powers.at(-1) ?? 1n) * BigInt(WORD)],
  [1n],
)
const TWO_WORDS = BigInt(WORD * WORD)

/** The words as one integer, two at a time: that many digits a double still holds. */
const integerOf = (words: readonly number[]): bigint => {
  const odd = words.length % 2
  let whole = odd === 1 ? BigInt(words[0] as number) : 0n
  for (let i = odd; i < words.length; i += 2) {
    whole = whole * TWO_WORDS + BigInt((words[i] as number) * WORD + (words[i + 1] as number))
  }
  return whole
}

/**
 * |part/whole| in percent between two neighbouring decimals of at most 49 digits, if one double is next to both. The
 * quotient at 50 digits lies between them as well, and so is next to the same double: rounding keeps order. What
 * decimals cannot hold is infinite, or zero, as a double too.
 */
const between = (part: Decimal, whole: Decimal): number | undefined => {
  const [above, below] = [part.d, whole.d]
  const beyond = Math.max(0, below.length - above.length + WORDS_BEYOND)
  const power = WORD_POWERS[beyond]
  if (power === undefined || above.length + beyond - below.length + 1 > WORDS_MAX) return undefined
  const quotient = (integerOf(above) * power) / integerOf(below)
  const last = Math.floor(part.e / WORD_DIGITS) - above.length - Math.floor(whole.e / WORD_DIGITS) + below.length
  const exponent = WORD_DIGITS * (last - beyond) + 2
  const least = Number(`${quotient}e${exponent}`)
  return least === Number(`${quotient + 1n}e${exponent}`) ? least : undefined
}

/** |part/whole| in percent as the double next to the quotient at 50 digits; both finite, the whole not zero. */
export const percentOf = (part: Decimal, whole: Decimal): number =>
  part.isZero() ? 0 : (between(part, whole) ?? part.div(whole).abs().times(100).toNumber())
