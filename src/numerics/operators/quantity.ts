import { printDimension } from '#core/dimension.ts'
import { Fault, type FaultCode } from '#core/fault.ts'
import { ratioOfDecimal, ZERO } from '#core/ratio.ts'
import { commensurable, parseUnit, toSi, type Unit } from '#core/units.ts'
import { constantOf, constantsNamed } from './constants.ts'
import type { Quantity } from './relation.ts'
import { partMember, partText, type WrittenUncertainty } from './uncertainty/notation.ts'

/** Characters of a value given as text. */
const TEXT_LENGTH_MAX = 128
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?)(?:\s*(?:\*\s*)?@([A-Za-z][A-Za-z0-9_]*)|\s*(.*))$/u
const CONSTANT = /^@([A-Za-z][A-Za-z0-9_]*)$/

/** Where a value stands, for refusals: the caller's name for it and the variable it binds. */
export interface ValuePlace {
  readonly operator: string
  readonly input: string
  readonly quantity: Quantity
  /** An output's range is the relation's as well: outside of it there is no result. */
  readonly role?: 'input' | 'output'
}

type Members = Readonly<Record<string, unknown>>

/** Refuses an input, naming it and the variable that it binds. */
const refuse = (
  code: FaultCode,
  { operator, input, quantity, role = 'input' }: ValuePlace,
  why: string,
  more: Members = {},
): never => {
  const { symbol, name, unit } = quantity
  throw new Fault(code, `${operator}: the ${role} ${input} (${name}): ${why}`, {
    operator,
    input,
    symbol,
    name,
    unit,
    ...more,
  })
}

/**
 * Refuses a value outside the range in which the relation holds. Nothing is clamped.
 *
 * @throws Fault OUT_OF_RANGE with the value and the range, in SI.
 */
export const requireRange = (value: number, place: ValuePlace): void => {
  const { min, max, positive, integer, unit } = place.quantity
  const range = { value, min: min ?? null, max: max ?? null, positive: positive ?? false, integer: integer ?? false }
  const out = (why: string): never => refuse('OUT_OF_RANGE', place, `${value} ${unit} ${why}`, range)
  if (positive && value <= 0) out('is not positive.')
  if (min !== undefined && value < min) out(`is below ${min} ${unit}.`)
  if (max !== undefined && value > max) out(`is above ${max} ${unit}.`)
  if (integer && !Number.isSafeInteger(value)) out('is not an integer.')
}

const requireUnit = (unit: Unit, place: ValuePlace): void => {
  const { of, difference, unit: wanted } = place.quantity
  if (!commensurable(unit, of)) {
    const turns = printDimension(unit.dimension) === printDimension(of.dimension)
    const why = turns
      ? `${unit.text} and ${wanted} differ by the radian: cycles and radians are not the same count.`
      : `${unit.text} is in ${printDimension(unit.dimension)} where ${printDimension(of.dimension)} is wanted.`
    refuse('DIMENSION_MISMATCH', place, why, { given: unit.text, wanted })
  }
  if (difference && unit.offset.num !== 0n) {
    refuse('AMBIGUOUS_INPUT', place, `${unit.text} on a difference can be read two ways; write it in K.`, {
      readings: [`a difference of as many kelvin`, `an absolute temperature`],
    })
  }
}

const withUnit = (number: number | string, unitText: string, place: ValuePlace): number => {
  const unit = unitText === '' ? place.quantity.of : parseUnit(unitText)
  requireUnit(unit, place)
  const exact = typeof number === 'number' ? number : decimal(number, place)
  const value = toSi(exact, unit)
  const zero = typeof number === 'number' ? number === 0 : !/[1-9]/.test(number.split(/[eE]/)[0] ?? '')
  if (!Number.isFinite(value) || (value === 0 && !zero && unit.offset.num === 0n)) {
    refuse('OUT_OF_RANGE', place, 'it is beyond the range of a double.')
  }
  return value
}

const decimal = (text: string, place: ValuePlace): string => {
  const plain = text.replace(/\.(?=[eE]|$)/, '')
  return ratioOfDecimal(plain) === undefined ? refuse('INVALID_INPUT', place, 'the number has too many digits.') : plain
}

const constantValue = (key: string, times: string, place: ValuePlace): number => {
  const constant = constantOf(key)
  requireUnit(parseUnit(constant.unit), place)
  const factor = Number(times)
  const value = factor * constant.value
  return Number.isFinite(value) ? value : refuse('OUT_OF_RANGE', place, 'it is beyond the range of a double.')
}

/** A text that begins with no number: a letter on its own is asked for, never defaulted. */
const refuseWord = (text: string, place: ValuePlace): never => {
  const constants = constantsNamed(text)
  if (constants.length === 0) return refuse('INVALID_INPUT', place, 'it is not a number with a unit, such as “5 km”.')
  const readings = constants.map((it) => `@${it.key}: ${it.name}`)
  return refuse('AMBIGUOUS_INPUT', place, `“${text}” may be a constant; write @${constants[0]?.key} for it.`, {
    readings,
  })
}

const requireLength = (text: string, place: ValuePlace): void => {
  if (text.length > TEXT_LENGTH_MAX) refuse('INVALID_INPUT', place, `longer than ${TEXT_LENGTH_MAX} characters.`)
}

const ofText = (given: string, place: ValuePlace): number => {
  const text = given.trim()
  requireLength(text, place)
  const constant = CONSTANT.exec(text)
  if (constant?.[1] !== undefined) return constantValue(constant[1], '1', place)
  const parts = NUMBER.exec(text)
  if (parts === null) return refuseWord(text, place)
  const [, number = '', key, unit = ''] = parts
  return key === undefined ? withUnit(number, unit.trim(), place) : constantValue(key, number, place)
}

/** Members of a value in parts. */
const MEMBERS = ['value', 'unit', 'uncertainty']

const ofObject = (given: object, place: ValuePlace): number => {
  const unknown = Object.keys(given).find((member) => !MEMBERS.includes(member))
  if (unknown !== undefined) {
    const members = 'it takes value, unit and uncertainty'
    refuse('INVALID_INPUT', place, `unknown member ${unknown.slice(0, 64)}; ${members}.`)
  }
  const { value, unit = '' } = given as { value?: unknown; unit?: unknown }
  if (typeof unit !== 'string') return refuse('INVALID_INPUT', place, 'its unit is not a text.')
  if (typeof value === 'number' && Number.isFinite(value)) return withUnit(value, unit.trim(), place)
  return refuse('INVALID_INPUT', place, 'its value is not a finite number.')
}

/** The unit in which a value was written, `%` and scales with an offset among them. */
const unitOfText = (text: string): string => NUMBER.exec(text.trim())?.[3]?.trim() ?? ''

const share = (amount: number | string, value: number, unitText: string, place: ValuePlace): number => {
  if (parseUnit(unitText).offset.num !== 0n) {
    const readings = ['a share of the absolute temperature', 'a share of the number on the scale']
    refuse('AMBIGUOUS_INPUT', place, `a percentage of ${unitText} can be read two ways; write it in K.`, { readings })
  }
  return (Math.abs(value) * Number(amount)) / 100
}

const wide = ({ amount, unit = '' }: WrittenUncertainty, valueUnit: string, place: ValuePlace): number => {
  const own = unit === '' ? valueUnit : unit
  const of = own === '' ? place.quantity.of : parseUnit(own)
  // An interval on a scale with an offset is one of its steps.
  const step = { ...of, offset: ZERO }
  requireUnit(step, place)
  if (typeof amount === 'number') return Number.isFinite(amount) ? toSi(amount, step) : Number.NaN
  return toSi(decimal(amount, place), step)
}

/**
 * Refuses what is no standard uncertainty of a variable: below zero, no number, or of a count.
 *
 * @throws Fault INVALID_INPUT; OUT_OF_RANGE beyond doubles.
 */
export const requireUncertainty = (standard: number, place: ValuePlace): number => {
  if (Number.isNaN(standard)) refuse('INVALID_INPUT', place, 'its uncertainty is not a finite number.')
  if (standard < 0) refuse('INVALID_INPUT', place, `its uncertainty is below zero: ${standard}.`)
  if (place.quantity.integer) refuse('INVALID_INPUT', place, 'it is a count, which has no uncertainty.')
  if (!Number.isFinite(standard)) refuse('OUT_OF_RANGE', place, 'its uncertainty is beyond the range of a double.')
  return standard + 0
}

/** A value in SI, and its standard uncertainty when it was given with one. */
export interface ReadQuantity {
  readonly value: number
  readonly uncertainty?: number
}

const readValue = (given: unknown, place: ValuePlace): number => {
  let value = Number.NaN
  if (typeof given === 'number' && Number.isFinite(given)) value = given
  else if (typeof given === 'string') value = ofText(given, place)
  else if (typeof given === 'object' && given !== null && !Array.isArray(given)) value = ofObject(given, place)
  else refuse('INVALID_INPUT', place, 'it is neither a finite number, nor a text, nor {value, unit}.')
  requireRange(value, place)
  return value + 0
}

/** An input parted into value and uncertainty, and the unit of the value. */
const partsOf = (given: unknown, place: ValuePlace) => {
  if (typeof given === 'string') {
    requireLength(given, place)
    const parts = partText(given) ?? refuse('INVALID_INPUT', place, 'write its uncertainty as “5.0 ± 0.1 km”.')
    const pure = parts.percentOfWhat === true && place.quantity.of.dimension.every(([p]) => p === 0)
    if (pure) {
      const readings = ['percentage points: write (5 ± 2) %', 'a share of the value: write it as a number']
      refuse('AMBIGUOUS_INPUT', place, 'a percentage of a pure number can be read two ways.', { readings })
    }
    return { ...parts, unit: typeof parts.value === 'string' ? unitOfText(parts.value) : '' }
  }
  const { uncertainty, unit } = (given ?? {}) as { uncertainty?: unknown; unit?: unknown }
  if (typeof given !== 'object' || uncertainty === undefined) return { value: given, uncertainty: undefined, unit: '' }
  const own = typeof unit === 'string' ? unit.trim() : ''
  const read = partMember(uncertainty, own)
  return {
    value: given,
    uncertainty: read ?? refuse('INVALID_INPUT', place, 'its uncertainty is neither a number nor a text.'),
    unit: own,
  }
}

/**
 * The value of an input in SI, in range: a number is in the variable's own SI unit; a text is a number with an optional
 * unit (`5 km`), or a multiple of a constant (`@m_e`, `0.5 @c`); `{value, unit}` says the same in parts. Any but a bare
 * number may carry a standard uncertainty (uncertainty/notation.ts), which comes back in SI as well.
 *
 * @throws Fault INVALID_INPUT, AMBIGUOUS_INPUT, DIMENSION_MISMATCH, OUT_OF_RANGE, CONSTANT_NOT_FOUND
 */
export const readQuantity = (given: unknown, place: ValuePlace): ReadQuantity => {
  const parts = partsOf(given, place)
  const value = readValue(parts.value, place)
  const { uncertainty } = parts
  if (uncertainty === undefined) return { value }
  const standard = uncertainty.relative
    ? share(uncertainty.amount, value, parts.unit, place)
    : wide(uncertainty, parts.unit, place)
  return { value, uncertainty: requireUncertainty(standard, place) }
}
