import { parseUnit, toSi } from '#core/units.ts'
import * as math from '#numerics/math.ts'
import { constantOf } from './constants.ts'
import { FUNCTIONS } from './functions.ts'
import type { Expression, Sign } from './grammar.ts'

/** Values of the symbols, in SI. */
export type Values = ReadonlyMap<string, number>

const power = (base: number, exponent: number): number => {
  if (exponent === 2) return base * base
  if (exponent === 0.5) return math.sqrt(base)
  if (exponent === -1) return 1 / base
  return math.pow(base, exponent)
}

/** left ∘ right in doubles. */
export const combine = (sign: Sign, left: number, right: number): number => {
  switch (sign) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '^':
      return power(left, right)
  }
}

/** Sizes of units kept once worked out. */
const SCALES_MAX = 4_096
const scales = new Map<string, number>()

/** One of a unit in coherent SI units. Its exact fractions are worked out once: a root is sought at many places. */
const scaleOf = (text: string): number => {
  const known = scales.get(text)
  if (known !== undefined) return known
  const scale = toSi(1, parseUnit(text))
  if (scales.size < SCALES_MAX) scales.set(text, scale)
  return scale
}

/**
 * An expression in doubles, the same bits on every engine. A symbol without a value, and whatever the arithmetic does
 * not define, is NaN.
 */
export const evaluate = (it: Expression, values: Values): number => {
  switch (it.kind) {
    case 'number':
      return it.value
    case 'pi':
      return math.PI
    case 'symbol':
      return values.get(it.name) ?? Number.NaN
    case 'constant':
      return constantOf(it.name).value
    case 'unit':
      return scaleOf(it.text)
    case 'negate':
      return -evaluate(it.of, values)
    case 'binary':
      return combine(it.sign, evaluate(it.left, values), evaluate(it.right, values))
    case 'call':
      return FUNCTIONS[it.name].double(...it.args.map((arg) => evaluate(arg, values)))
  }
}
