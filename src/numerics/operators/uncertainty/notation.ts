/** An uncertainty as written: how much, in which unit; a share of the value where it is relative. */
export interface WrittenUncertainty {
  readonly amount: number | string
  /** Absent: the unit of the value. */
  readonly unit?: string
  /** True where `amount` is in percent of the value. */
  readonly relative?: boolean
}

/** A quantity in two parts: what is read as a value anywhere, and the uncertainty beside it. */
export interface WrittenQuantity {
  readonly value: unknown
  readonly uncertainty?: WrittenUncertainty
  /** True for `5 ± 2 %`, where a percentage can be the unit of both or a share of the value. */
  readonly percentOfWhat?: boolean
}

const SIGN = /\s*(?:±|\+\/-|\+-)\s*/u
const BRACKETED = /^\(([^()]*)\)\s*(.*)$/u
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?$/
const AMOUNT = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?)\s*(.*)$/u
const CONCISE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))\((\d+)\)((?:[eE][+-]?\d{1,4})?)\s*(.*)$/u

const joined = (number: string, unit: string): string => (unit === '' ? number : `${number} ${unit}`)

/** The digits in brackets under the last ones of the number: 5.0(1) is 5.0 ± 0.1. */
const concise = (text: string): WrittenQuantity | undefined => {
  const parts = CONCISE.exec(text)
  if (parts === null) return undefined
  const [, number = '', digits = '', power = '', unit = ''] = parts
  const decimals = number.split('.')[1]?.length ?? 0
  const exponent = Number(power.slice(1) || 0) - decimals
  return { value: joined(`${number}${power}`, unit), uncertainty: { amount: `${digits}e${exponent}`, unit } }
}

/** What stands after the sign, of a value that has its own unit. */
const beside = (value: string, amount: string, unit: string): WrittenQuantity => {
  if (unit !== '%') return { value, uncertainty: unit === '' ? { amount } : { amount, unit } }
  return { value, uncertainty: { amount, relative: true }, percentOfWhat: value.trimEnd().endsWith('%') }
}

/**
 * Parts a text such as `5.0 ± 0.1 km`, `(5.0 ± 0.1) km`, `5 km ± 20 m`, `5 km ± 2 %` or `5.0(1) km`.
 *
 * @returns undefined for a text with a sign of uncertainty that is none of these; the text itself without one.
 */
export const partText = (given: string): WrittenQuantity | undefined => {
  const text = given.trim()
  const bracketed = BRACKETED.exec(text)
  const [left = '', right, more] = (bracketed?.[1] ?? text).split(SIGN)
  if (right === undefined) return concise(text) ?? { value: given }
  const parts = AMOUNT.exec(right)
  if (parts === null || more !== undefined) return undefined
  const [, amount = '', unit = ''] = parts
  if (bracketed !== null) {
    const [, , shared = ''] = bracketed
    if (unit !== '' || !PLAIN.test(left)) return undefined
    return { value: joined(left, shared), uncertainty: { amount, unit: shared } }
  }
  if (!PLAIN.test(left)) return left === '' ? undefined : beside(left, amount, unit)
  if (unit === '%') return { value: left, uncertainty: { amount, relative: true }, percentOfWhat: true }
  return { value: joined(left, unit), uncertainty: { amount, unit } }
}

/** An uncertainty of `{value, uncertainty, unit}`: a number in that unit, or a text with its own or a percentage. */
export const partMember = (given: unknown, unit: string): WrittenUncertainty | undefined => {
  if (typeof given === 'number') return { amount: given, unit }
  if (typeof given !== 'string') return undefined
  const parts = AMOUNT.exec(given.trim())
  if (parts === null) return undefined
  const [, amount = '', own = ''] = parts
  if (own === '%') return { amount, relative: true }
  return { amount, unit: own === '' ? unit : own }
}
