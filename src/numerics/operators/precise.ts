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

type Evaluation = (values: PreciseValues) => Decimal

/** What is the same for all values of the symbols, or undefined. A step that throws does so whenever it is asked. */
const folded = (evaluation: Evaluation): Decimal | undefined => {
  try {
    return evaluation(new Map())
  } catch {
    return undefined
  }
}

/** An evaluation of parts: made once, and worked out once where no part of it is a symbol. */
const joined = (parts: readonly Prepared[], evaluation: Evaluation): Prepared => {
  const constant = parts.every((it) => it.constant)
  const value = constant ? folded(evaluation) : undefined
  return { constant, at: value === undefined ? evaluation : () => value }
}

interface Prepared {
  readonly constant: boolean
  readonly at: Evaluation
}

const fixed = (make: () => Decimal): Prepared => joined([], make)

const prepared = (it: Expression): Prepared => {
  switch (it.kind) {
    case 'number':
      return fixed(() => new Precise(it.text))
    case 'pi':
      return fixed(() => PI)
    case 'symbol':
      return { constant: false, at: (values) => values.get(it.name) ?? NOT_A_NUMBER }
    case 'constant':
      return fixed(() => constantValue(it.name))
    case 'unit':
      return fixed(() => unitValue(it.text))
    case 'negate': {
      const of = prepared(it.of)
      return joined([of], (values) => of.at(values).negated())
    }
    case 'binary': {
      const { sign } = it
      const [left, right] = [prepared(it.left), prepared(it.right)]
      return joined([left, right], (values) => combine(sign, left.at(values), right.at(values)))
    }
    case 'call': {
      const args = it.args.map(prepared)
      const { precise } = FUNCTIONS[it.name]
      return joined(args, (values) => precise(...args.map((arg) => arg.at(values))))
    }
  }
}

/** Whole expressions as they are evaluated: a root is sought at many places, and a call comes many times. */
const evaluations = new WeakMap<Expression, Evaluation>()

const evaluationOf = (it: Expression): Evaluation => {
  const made = evaluations.get(it) ?? prepared(it).at
  evaluations.set(it, made)
  return made
}

/**
 * An expression at 50 digits: what a result in doubles is checked by. Numbers, constants and units enter with all their
 * digits, not as the doubles next to them. NaN where nothing is defined or the digits do not suffice.
 */
export const evaluatePrecisely = (it: Expression, values: PreciseValues): Decimal => {
  try {
    return evaluationOf(it)(values)
  } catch (cause) {
    if (cause instanceof Error && cause.message.startsWith('[DecimalError]')) return NOT_A_NUMBER
    throw cause
  }
}
