import { isDimensionless, printDimension, sameDimension } from '#core/dimension.ts'
import { equalRatio, ONE, type Ratio, ZERO } from '#core/ratio.ts'
import { multiplyUnits, raiseUnit, type UnitParts } from '#core/units.ts'
import type { UnitRule } from './functions.ts'

/**
 * The unit of a number; undefined for a bare one, which scales what it multiplies and has the unit of what it is added
 * to or compared with. Nothing is converted: what is added or compared is in one unit, kPa with kPa.
 */
export type Measure = (UnitParts & { readonly text?: string }) | undefined

/** Beyond this size a factor tells of a tower of powers. */
const FACTOR_MAX = 1n << 2_048n
/** Powers of a dimension, above and below the line. */
const EXPONENT_MAX = 360
/** Numerator and denominator of a power in an expression. */
const POWER_MAX = 12

const shifted = (it: Measure): boolean => it !== undefined && !equalRatio(it.offset, ZERO)

/** A unit as a message names it. */
export const shownUnit = (it: Measure): string =>
  it === undefined ? 'no unit' : (it.text ?? printDimension(it.dimension))

const isSame = (a: UnitParts, b: UnitParts): boolean =>
  sameDimension(a.dimension, b.dimension) &&
  a.angle === b.angle &&
  equalRatio(a.factor, b.factor) &&
  equalRatio(a.offset, b.offset)

/** The unit that two numbers have in common, or why they have none. */
export const commonUnit = (a: Measure, b: Measure): Measure | string => {
  if (a === undefined || b === undefined) return a ?? b
  if (isSame(a, b)) return a
  const sized = sameDimension(a.dimension, b.dimension) ? '; nothing is converted: declare both in one unit' : ''
  return `${shownUnit(a)} and ${shownUnit(b)} do not balance${sized}`
}

const small = ({ num, den }: Ratio): boolean => num < FACTOR_MAX && num > -FACTOR_MAX && den < FACTOR_MAX

const bounded = (it: UnitParts): Measure | string => {
  const few = it.dimension.every(([p, q]) => Math.abs(p) <= EXPONENT_MAX && q <= EXPONENT_MAX)
  return few && small(it.factor) ? it : 'the power of the unit is too large'
}

const SCALE = 'a scale with an offset is no quantity to multiply; declare it in K'

/** A product's unit, or why it has none. */
export const productUnit = (a: Measure, b: Measure): Measure | string => {
  if (shifted(a) || shifted(b)) return SCALE
  return a === undefined || b === undefined ? (a ?? b) : bounded(multiplyUnits(a, b))
}

/** A power's unit, or why it has none. */
export const powerUnit = (a: Measure, power: readonly [number, number]): Measure | string => {
  if (a === undefined) return undefined
  return shifted(a) ? SCALE : bounded(raiseUnit(a, power))
}

/** A quotient's unit, or why it has none. */
export const quotientUnit = (a: Measure, b: Measure): Measure | string => {
  const under = powerUnit(b, [-1, 1])
  return typeof under === 'string' ? under : productUnit(a, under)
}

/** A sum's or difference's unit, or why it has none. Places on a scale with an offset differ by quantities. */
export const sumUnit = (sign: '+' | '-', a: Measure, b: Measure): Measure | string => {
  if (!shifted(a) && !shifted(b)) return commonUnit(a, b)
  const meaningless = `${shownUnit(a)} ${sign} ${shownUnit(b)} has no meaning`
  if (a === undefined || b === undefined) return shifted(b) && sign === '-' ? meaningless : (a ?? b)
  const [from, by] = [a, b].map(({ text: _, ...parts }) => ({ ...parts, offset: ZERO }))
  if (from === undefined || by === undefined || !isSame(from, by)) return commonUnit(a, b)
  if (shifted(a) && shifted(b)) return sign === '-' ? (commonUnit(a, b) === a ? from : commonUnit(a, b)) : meaningless
  return shifted(a) ? a : sign === '+' ? b : meaningless
}

/** Halves, thirds and whole powers up to {@link POWER_MAX}, of a double; undefined for any other. */
const fractionOf = (power: number): readonly [number, number] | undefined => {
  for (const q of [1, 2, 3, 4]) {
    const p = Math.round(power * q)
    if (p / q === power && Math.abs(p) <= POWER_MAX) return [p, q]
  }
  return undefined
}

/**
 * What a function makes of the units of its arguments, or why nothing.
 *
 * @param power the second argument of pow where it is written as a number.
 */
export const unitOfCall = (
  rule: UnitRule,
  [first, ...others]: readonly Measure[],
  power: number | undefined,
): Measure | string => {
  const pure = (it: Measure): boolean =>
    it === undefined || (isDimensionless(it.dimension) && equalRatio(it.factor, ONE) && equalRatio(it.offset, ZERO))
  switch (rule) {
    case 'pure':
      return pure(first) ? undefined : `a pure number is wanted, not ${shownUnit(first)}`
    case 'root2':
      return powerUnit(first, [1, 2])
    case 'root3':
      return powerUnit(first, [1, 3])
    case 'power': {
      if (!others.every(pure)) return `a power is a pure number, not ${shownUnit(others[0])}`
      if (first === undefined) return undefined
      const fraction = power === undefined ? undefined : fractionOf(power)
      return fraction === undefined
        ? 'a quantity with a unit takes a plain power, written as it is'
        : powerUnit(first, fraction)
    }
    case 'same':
    case 'ratio': {
      const unit = others.reduce<Measure | string>(
        (all, it) => (typeof all === 'string' ? all : commonUnit(all, it)),
        first,
      )
      return typeof unit === 'string' || rule === 'same' ? unit : undefined
    }
  }
}
