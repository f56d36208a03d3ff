import { printDimension } from '#core/dimension.ts'
import { Fault, type FaultCode } from '#core/fault.ts'
import { ratioOfDecimal } from '#core/ratio.ts'
import { commensurable, parseUnit, toSi, type Unit } from '#core/units.ts'
import { constantOf, constantsNamed } from './constants.ts'
import type { Quantity } from './relation.ts'

/** Characters of a value given as text. */
const TEXT_LENGTH_MAX = 128
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?)(?:\s*(?:\*\s*)?@([A-Za-z][A-Za-z0-9_]*)|\s*(.*))$/u
const CONSTANT = /^@([A-Za-z][A-Za-z0-9_]*)$/

/** Where a value stands, for refusals: the caller's name for it and the variable it binds. */
export interface Place {
  readonly operator: string
  readonly input: string
  readonly quantity: Quantity
  /** An output's range is the relation's as well: outside of it there is no result. */
  readonly role?: 'input' | 'output'
}

type Members = Readonly<Record<string, unknown>>

const refuse = (
  code: FaultCode,
  { operator, input, quantity, role = 'input' }: Place,
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
export const requireRange = (value: number, place: Place): void => {
  const { min, max, positive, integer, unit } = place.quantity
  const range = { value, min: min ?? null, max: max ?? null, positive: positive ?? false, integer: integer ?? false }
  const out = (why: string): never => refuse('OUT_OF_RANGE', place, `${value} ${unit} ${why}`, range)
  if (positive && value <= 0) out('is not positive.')
  if (min !== undefined && value < min) out(`is below ${min} ${unit}.`)
  if (max !== undefined && value > max) out(`is above ${max} ${unit}.`)
  if (integer && !Number.isSafeInteger(value)) out('is not an integer.')
}

const requireUnit = (unit: Unit, place: Place): void => {
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

const withUnit = (number: number | string, unitText: string, place: Place): number => {
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

const decimal = (text: string, place: Place): string => {
  const plain = text.replace(/\.(?=[eE]|$)/, '')
  return ratioOfDecimal(plain) === undefined ? refuse('INVALID_INPUT', place, 'the number has too many digits.') : plain
}

const constantValue = (key: string, times: string, place: Place): number => {
  const constant = constantOf(key)
  requireUnit(parseUnit(constant.unit), place)
  const factor = Number(times)
  const value = factor * constant.value
  return Number.isFinite(value) ? value : refuse('OUT_OF_RANGE', place, 'it is beyond the range of a double.')
}

/** A text that begins with no number: a letter on its own is asked for, never defaulted. */
const refuseWord = (text: string, place: Place): never => {
  const constants = constantsNamed(text)
  if (constants.length === 0) return refuse('INVALID_INPUT', place, 'it is not a number with a unit, such as “5 km”.')
  const readings = constants.map((it) => `@${it.key}: ${it.name}`)
  return refuse('AMBIGUOUS_INPUT', place, `“${text}” may be a constant; write @${constants[0]?.key} for it.`, {
    readings,
  })
}

const ofText = (given: string, place: Place): number => {
  const text = given.trim()
  if (text.length > TEXT_LENGTH_MAX) refuse('INVALID_INPUT', place, `longer than ${TEXT_LENGTH_MAX} characters.`)
  const constant = CONSTANT.exec(text)
  if (constant?.[1] !== undefined) return constantValue(constant[1], '1', place)
  const parts = NUMBER.exec(text)
  if (parts === null) return refuseWord(text, place)
  const [, number = '', key, unit = ''] = parts
  return key === undefined ? withUnit(number, unit.trim(), place) : constantValue(key, number, place)
}

const ofObject = (given: object, place: Place): number => {
  const unknown = Object.keys(given).find((member) => member !== 'value' && member !== 'unit')
  if (unknown !== undefined)
    refuse('INVALID_INPUT', place, `unknown member ${unknown.slice(0, 64)}; it takes value and unit.`)
  const { value, unit = '' } = given as { value?: unknown; unit?: unknown }
  if (typeof unit !== 'string') return refuse('INVALID_INPUT', place, 'its unit is not a text.')
  if (typeof value === 'number' && Number.isFinite(value)) return withUnit(value, unit.trim(), place)
  return refuse('INVALID_INPUT', place, 'its value is not a finite number.')
}

/**
 * The value of an input in SI, in range: a number is in the variable's own SI unit; a text is a number with an optional
 * unit (`5 km`), or a multiple of a constant (`@m_e`, `0.5 @c`); `{value, unit}` says the same in parts.
 *
 * @throws Fault INVALID_INPUT, AMBIGUOUS_INPUT, DIMENSION_MISMATCH, OUT_OF_RANGE, CONSTANT_NOT_FOUND
 */
export const readQuantity = (given: unknown, place: Place): number => {
  let value = Number.NaN
  if (typeof given === 'number' && Number.isFinite(given)) value = given
  else if (typeof given === 'string') value = ofText(given, place)
  else if (typeof given === 'object' && given !== null && !Array.isArray(given)) value = ofObject(given, place)
  else refuse('INVALID_INPUT', place, 'it is neither a finite number, nor a text, nor {value, unit}.')
  requireRange(value, place)
  return value + 0
}
