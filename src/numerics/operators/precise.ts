import type { Decimal } from 'decimal.js'
import { parseUnit } from '#core/units.ts'
import { constantOf } from './constants.ts'
import { Precise } from './decimal.ts'
import { FUNCTIONS } from './functions.ts'
import type { Expression, Sign } from './grammar.ts'

/** Values of the symbols at 50 digits, in SI. */
export type PreciseValues = ReadonlyMap<string, Decimal>

const NOT_A_NUMBER = new Precise(Number.NaN)
const HALF = new Precise('0.5')
/** π to more digits than are kept. */
const PI = new Precise('3.14159265358979323846264338327950288419716939937510582097494459')

const combine = (sign: Sign, left: Decimal, right: Decimal): Decimal => {
  switch (sign) {
    case '+':
      return left.plus(right)
    case '-':
      return left.minus(right)
    case '*':
      return left.times(right)
    case '/':
      return left.div(right)
    case '^':
      return right.equals(HALF) ? left.sqrt() : left.pow(right)
  }
}

const constantValues = new Map<string, Decimal>()

const constantValue = (key: string): Decimal => {
  const known = constantValues.get(key)
  if (known !== undefined) return known
  const fresh = new Precise(constantOf(key).text)
  constantValues.set(key, fresh)
  return fresh
}

const unitValue = (text: string): Decimal => {
  const { num, den } = parseUnit(text).factor
  return new Precise(num.toString()).div(den.toString())
}

const at = (it: Expression, values: PreciseValues): Decimal => {
  switch (it.kind) {
    case 'number':
      return new Precise(it.text)
    case 'pi':
      return PI
    case 'symbol':
      return values.get(it.name) ?? NOT_A_NUMBER
    case 'constant':
      return constantValue(it.name)
    case 'unit':
      return unitValue(it.text)
    case 'negate':
      return at(it.of, values).negated()
    case 'binary':
      return combine(it.sign, at(it.left, values), at(it.right, values))
    case 'call':
      return FUNCTIONS[it.name].precise(...it.args.map((arg) => at(arg, values)))
  }
}

/**
 * An expression at 50 digits: what a result in doubles is checked by. Numbers, constants and units enter with all their
 * digits, not as the doubles next to them. NaN where nothing is defined or the digits do not suffice.
 */
export const evaluatePrecisely = (it: Expression, values: PreciseValues): Decimal => {
  try {
    return at(it, values)
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('[DecimalError]')) return NOT_A_NUMBER
    throw cause
  }
}
