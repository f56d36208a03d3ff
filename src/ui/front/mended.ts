import type { Passing } from '#ui/view/passing.ts'
import { type BoundValue, type BoxQuestion, type RefusedReading, replaced } from './reading.ts'
import { amountIn, amountText, isScale } from './units.ts'

/** Digits that a converted bound is written with: those that any number has for certain. */
const DIGITS = 15

/** A value that passes as it is written in place of one that does not: in the unit that was said, where it can be. */
export const passingText = (value: number, { given, value: refused, unit }: BoundValue): string => {
  const { number, unit: said } = amountIn(String(given))
  if (said === '' || unit === '') return String(value)
  const scale = isScale(said) || typeof refused !== 'number' ? Number.NaN : Number(number) / refused
  if (!Number.isFinite(scale)) return amountText(String(value), unit)
  return amountText(String(Number((value * scale).toPrecision(DIGITS))), said)
}

/** The question with the value that passes; undefined where no word of it says that input. */
export const mended = (asked: BoxQuestion, { bound }: RefusedReading, passing: Passing | undefined) => {
  const wrong = bound.find(({ input }) => input === passing?.input)
  if (wrong === undefined || passing === undefined) return undefined
  const text = passingText(passing.value, wrong)
  const next = replaced(asked, wrong, text)
  return next === undefined ? undefined : { text, next }
}
