import {
  DIMENSIONLESS,
  type Dimension,
  divideDimensions,
  type Exponent,
  exponent,
  isDimensionless,
  multiplyDimensions,
  printDimension,
  raiseDimension,
  sameDimension,
} from '#core/dimension.ts'
import { Fault } from '#core/fault.ts'
import { addRatio, divRatio, mulRatio, powRatio, type Ratio, ratio, ratioOfDecimal, subRatio } from '#core/ratio.ts'
import { parseUnit } from '#core/units.ts'
import { constantOf } from './constants.ts'
import { FUNCTIONS } from './functions.ts'
import { type Equation, type Expression, printExpression } from './grammar.ts'

/** Dimensions of the symbols. */
export type Dimensions = ReadonlyMap<string, Dimension>

/** Numerator and denominator of an exponent on a quantity. */
const EXPONENT_MAX = 360

const refuse = (why: string, part: Expression): never => {
  const shown = printExpression(part)
  throw new Fault('DIMENSION_MISMATCH', `${why}, in ${shown}`, { expression: shown })
}

/** The fraction that an expression of numbers alone names, undefined for any other. */
const fractionOf = (it: Expression): Ratio | undefined => {
  if (it.kind === 'number') return ratioOfDecimal(it.text)
  if (it.kind === 'negate') {
    const of = fractionOf(it.of)
    return of === undefined ? undefined : ratio(-of.num, of.den)
  }
  if (it.kind !== 'binary') return undefined
  const left = fractionOf(it.left)
  const right = fractionOf(it.right)
  if (left === undefined || right === undefined) return undefined
  if (it.sign === '^')
    return right.den === 1n && right.num > 0n && right.num < 10n ? powRatio(left, Number(right.num)) : undefined
  if (it.sign === '/') return right.num === 0n ? undefined : divRatio(left, right)
  return { '+': addRatio, '-': subRatio, '*': mulRatio }[it.sign](left, right)
}

const powerOf = (it: Expression): Exponent => {
  const { num, den } = fractionOf(it) ?? refuse('A quantity with a unit takes a power that is a plain fraction', it)
  const within = num <= EXPONENT_MAX && num >= -EXPONENT_MAX && den <= EXPONENT_MAX
  return within ? exponent(Number(num), Number(den)) : refuse('The power is too large', it)
}

const pure = (it: Expression, of: Dimension, within: Expression): void => {
  if (!isDimensionless(of))
    refuse(`${printExpression(it)} is in ${printDimension(of)} where a pure number is wanted`, within)
}

const call = (it: Extract<Expression, { kind: 'call' }>, symbols: Dimensions): Dimension => {
  const of = it.args.map((arg) => dimensionOf(arg, symbols))
  const [first = DIMENSIONLESS] = of
  switch (FUNCTIONS[it.name].dimension) {
    case 'pure':
      it.args.forEach((arg, i) => {
        pure(arg, of[i] ?? DIMENSIONLESS, it)
      })
      return DIMENSIONLESS
    case 'root2':
      return raiseDimension(first, [1, 2])
    case 'root3':
      return raiseDimension(first, [1, 3])
    case 'same':
    case 'ratio':
      if (of.some((other) => !sameDimension(first, other))) refuse('The arguments differ in dimension', it)
      return FUNCTIONS[it.name].dimension === 'same' ? first : DIMENSIONLESS
  }
}

const binary = (it: Extract<Expression, { kind: 'binary' }>, symbols: Dimensions): Dimension => {
  const left = dimensionOf(it.left, symbols)
  const right = dimensionOf(it.right, symbols)
  switch (it.sign) {
    case '*':
      return multiplyDimensions(left, right)
    case '/':
      return divideDimensions(left, right)
    case '^':
      pure(it.right, right, it)
      return isDimensionless(left) ? DIMENSIONLESS : raiseDimension(left, powerOf(it.right))
    default:
      if (sameDimension(left, right)) return left
      return refuse(`${printDimension(left)} ${it.sign} ${printDimension(right)} has no meaning`, it)
  }
}

/** The dimension of an expression; angles and logarithms are pure numbers. @throws Fault DIMENSION_MISMATCH */
export const dimensionOf = (it: Expression, symbols: Dimensions): Dimension => {
  switch (it.kind) {
    case 'number':
    case 'pi':
      return DIMENSIONLESS
    case 'symbol':
      return symbols.get(it.name) ?? refuse('A symbol has no unit', it)
    case 'constant':
      return constantOf(it.name).dimension
    case 'unit':
      return parseUnit(it.text).dimension
    case 'negate':
      return dimensionOf(it.of, symbols)
    case 'binary':
      return binary(it, symbols)
    case 'call':
      return call(it, symbols)
  }
}

const isZero = (it: Expression): boolean => it.kind === 'number' && it.value === 0

/** Refuses an equation whose two sides differ in dimension; a bare zero fits any. @throws Fault DIMENSION_MISMATCH */
export const requireBalance = ({ left, right }: Equation, symbols: Dimensions): void => {
  const a = dimensionOf(left, symbols)
  const b = dimensionOf(right, symbols)
  if (isZero(left) || isZero(right) || sameDimension(a, b)) return
  refuse(`The sides are in ${printDimension(a)} and ${printDimension(b)}`, right)
}
