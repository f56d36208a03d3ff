import { assert } from './assert.ts'
import {
  DIMENSIONLESS,
  type Dimension,
  type Exponent,
  exponent,
  multiplyDimensions,
  raiseDimension,
  sameDimension,
} from './dimension.ts'
import { Fault } from './fault.ts'
import {
  addRatio,
  divRatio,
  equalRatio,
  mulRatio,
  numberOfRatio,
  ONE,
  powRatio,
  type Ratio,
  ratio,
  ratioOfDecimal,
  ratioOfNumber,
  rootRatio,
  subRatio,
  ZERO,
} from './ratio.ts'
import { NOT_UNITS, PREFIX_WORDS, PREFIXES, SPELLINGS, UNITS } from './unit-table.ts'

/** A unit expression, read. */
export interface Unit {
  readonly text: string
  readonly dimension: Dimension
  /** Power of the radian (sr counts two): outside the dimension, so that Hz and rad/s stay apart. */
  readonly angle: number
  /** Coherent SI units in one of these, exact (irrational ones to 40 digits or more). */
  readonly factor: Ratio
  /** Added after the factor: degC and degF alone. */
  readonly offset: Ratio
}

/** Characters of a unit expression. */
export const UNIT_LENGTH_MAX = 64
/** Brackets within brackets. */
const DEPTH_MAX = 8
/** Size of a power of one unit. */
const POWER_MAX = 12

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** One spelling for each sign: micro, ohm, ångström, dots and raised digits. */
const plainSigns = (text: string): string =>
  text
    .replaceAll('\u00b5', 'μ')
    .replaceAll('\u2126', 'Ω')
    .replaceAll('\u212b', 'Å')
    .replaceAll('\u2103', '°C')
    .replaceAll('**', '^')
    .replace(/[·⋅×]/g, '*')
    .replace(/[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (raised) => {
      const digits = [...raised].map((it) => (it === '⁻' ? '-' : it === '⁺' ? '' : String(SUPERSCRIPTS.indexOf(it))))
      return `^${digits.join('')}`
    })

const refuse = (text: string, position: number, why: string): never => {
  const shown = text.length > UNIT_LENGTH_MAX ? `${text.slice(0, UNIT_LENGTH_MAX)}…` : text
  throw new Fault('INVALID_INPUT', `The unit “${shown}”: ${why}`, { unit: shown, position })
}

/** What a unit is, however it is written. */
export type UnitParts = Omit<Unit, 'text'>

const NUMBER_UNIT: UnitParts = { dimension: DIMENSIONLESS, angle: 0, factor: ONE, offset: ZERO }

const scaled = (symbol: string, tens: number): UnitParts | undefined => {
  const row = UNITS[symbol]
  if (row === undefined) return undefined
  if (tens === 0) return row
  if (row.prefixes === 'none' || (row.prefixes === 'up' && tens < 3)) return undefined
  return { ...row, factor: mulRatio(row.factor, powRatio(ratio(10n), tens)) }
}

/** A symbol as it stands, or behind a prefix of one or two letters. */
const named = (word: string): UnitParts | undefined => {
  const symbol = SPELLINGS[word] ?? word
  const whole = scaled(symbol, 0)
  if (whole !== undefined) return whole
  for (const length of [2, 1]) {
    const tens = PREFIXES[symbol.slice(0, length)]
    const rest = symbol.slice(length)
    const found = tens === undefined ? undefined : scaled(SPELLINGS[rest] ?? rest, tens)
    if (found !== undefined) return found
  }
  return inWords(word)
}

/** `kilometres`: the word of a prefix before the word of a unit. */
const inWords = (word: string): UnitParts | undefined => {
  for (const [prefix, tens] of Object.entries(PREFIX_WORDS)) {
    const symbol = word.startsWith(prefix) ? SPELLINGS[word.slice(prefix.length)] : undefined
    if (symbol !== undefined) return scaled(symbol, tens)
  }
  return undefined
}

/** A power of a unit, without an offset. */
export const raiseUnit = (base: UnitParts, [p, q]: Exponent): UnitParts => ({
  dimension: raiseDimension(base.dimension, [p, q]),
  angle: (base.angle * p) / q,
  factor: powRatio(q === 1 ? base.factor : rootRatio(base.factor, q), p),
  offset: ZERO,
})

/** The unit of a product, without an offset. */
export const multiplyUnits = (a: UnitParts, b: UnitParts): UnitParts => ({
  dimension: multiplyDimensions(a.dimension, b.dimension),
  angle: a.angle + b.angle,
  factor: mulRatio(a.factor, b.factor),
  offset: ZERO,
})

const TOKEN = /\s*(?:([A-Za-zμΩÅ°′″%]+|1)|(\^\s*(?:-?\d+(?:\.\d{1,3})?|\(\s*-?\d+\s*(?:\/\s*\d+\s*)?\)))|([*/()]))/y

interface Token {
  readonly kind: 'word' | 'power' | 'sign'
  readonly text: string
  readonly at: number
}

const tokens = (text: string): readonly Token[] => {
  const found: Token[] = []
  const pattern = new RegExp(TOKEN.source, 'y')
  const end = text.trimEnd().length
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex
    const parts = pattern.exec(text)
    if (parts === null) return refuse(text, at, `character ${at + 1} has no place in a unit.`)
    const [, word, power, sign] = parts
    if (word !== undefined) found.push({ kind: 'word', text: word, at })
    else if (power !== undefined) found.push({ kind: 'power', text: power.slice(1).replace(/[\s()]/g, ''), at })
    else found.push({ kind: 'sign', text: sign ?? '', at })
  }
  return found
}

const readPower = (text: string, token: Token): Exponent => {
  const [top = '', bottom = '1'] = token.text.split('/')
  const value = ratioOfDecimal(top) ?? ZERO
  const power = exponent(Number(value.num), Number(value.den) * Number(bottom))
  const [p, q] = power
  const within = Number(bottom) !== 0 && Math.abs(p) <= POWER_MAX && q <= POWER_MAX
  return within
    ? power
    : refuse(text, token.at, `a power is at most ${POWER_MAX}, with a denominator of at most ${POWER_MAX}.`)
}

/** Reads a product of units from left to right; a cursor over tokens, as deep as its brackets. */
const reader = (text: string) => {
  const all = tokens(text)
  let next = 0
  const peek = (): Token | undefined => all[next]

  const atom = (depth: number): UnitParts => {
    const token = peek()
    next += 1
    if (token === undefined) return refuse(text, text.length, 'it ends where a unit is wanted.')
    if (token.kind === 'word') {
      const reason = NOT_UNITS[token.text]
      const found = reason === undefined ? named(token.text) : undefined
      return found ?? refuse(text, token.at, reason ?? `${token.text} is not a unit known here.`)
    }
    if (token.text !== '(') return refuse(text, token.at, `“${token.text}” stands where a unit is wanted.`)
    if (depth >= DEPTH_MAX) return refuse(text, token.at, `brackets are nested deeper than ${DEPTH_MAX}.`)
    const inner = expression(depth + 1)
    if (peek()?.text !== ')') return refuse(text, token.at, 'a bracket is not closed.')
    next += 1
    return inner
  }

  const factor = (depth: number): UnitParts => {
    const base = atom(depth)
    const token = peek()
    if (token?.kind !== 'power') return base
    next += 1
    if (!equalRatio(base.offset, ZERO)) refuse(text, token.at, 'a scale with an offset has no powers; write K.')
    return raiseUnit(base, readPower(text, token))
  }

  const expression = (depth: number): UnitParts => {
    let whole = factor(depth)
    let divided = false
    for (let token = peek(); token !== undefined && token.text !== ')'; token = peek()) {
      const divides = token.text === '/'
      if (divides || token.text === '*') next += 1
      else if (token.kind === 'power') refuse(text, token.at, 'a power follows a power.')
      if (divided && !divides) refuse(text, token.at, 'a product after “/” can be read two ways; use brackets.')
      const right = factor(depth)
      const shifted = [whole, right].some((it) => !equalRatio(it.offset, ZERO))
      if (shifted) refuse(text, token.at, 'a scale with an offset stands alone; write K.')
      whole = multiplyUnits(whole, divides ? raiseUnit(right, [-1, 1]) : right)
      divided ||= divides
    }
    return whole
  }

  const read = (): UnitParts => {
    if (all.length === 0) return NUMBER_UNIT
    const whole = expression(0)
    const left = peek()
    return left === undefined ? whole : refuse(text, left.at, `“${left.text}” has no beginning.`)
  }
  return { read }
}

const known = new Map<string, Unit>()
/** Units kept once read. */
const KNOWN_MAX = 4_096

/**
 * Reads a unit expression such as `kg*m/s^2`, `J/(kg*K)`, `MPa*m^(1/2)`, `µm`, `°C`; an empty one is a pure number.
 *
 * @throws Fault INVALID_INPUT with the position, also for a product after a division without brackets.
 */
export const parseUnit = (text: string): Unit => {
  const found = known.get(text)
  if (found !== undefined) return found
  if (text.length > UNIT_LENGTH_MAX) return refuse(text, UNIT_LENGTH_MAX, `longer than ${UNIT_LENGTH_MAX} characters.`)
  const unit = { ...reader(plainSigns(text)).read(), text }
  if (known.size < KNOWN_MAX) known.set(text, unit)
  return unit
}

/** True when both measure one quantity: same dimension and same power of the radian. */
export const commensurable = (a: Unit, b: Unit): boolean =>
  sameDimension(a.dimension, b.dimension) && a.angle === b.angle

/**
 * A value in a unit as a value in coherent SI units, rounded once from the exact product.
 *
 * @param value a finite number, or a decimal text, which is taken exactly.
 */
export const toSi = (value: number | string, unit: Unit): number => {
  const exact = typeof value === 'string' ? ratioOfDecimal(value) : ratioOfNumber(value)
  assert(exact !== undefined, 'the text is decimal')
  if (typeof value === 'number' && equalRatio(unit.factor, ONE) && equalRatio(unit.offset, ZERO)) return value
  return numberOfRatio(addRatio(mulRatio(exact, unit.factor), unit.offset))
}

/** A value in coherent SI units as a value in a unit, rounded once. */
export const fromSi = (value: number, unit: Unit): number =>
  equalRatio(unit.factor, ONE) && equalRatio(unit.offset, ZERO)
    ? value
    : numberOfRatio(divRatio(subRatio(ratioOfNumber(value), unit.offset), unit.factor))

/** True for a unit whose numbers are SI numbers already. */
export const isCoherent = (unit: Unit): boolean => equalRatio(unit.factor, ONE) && equalRatio(unit.offset, ZERO)

/** One spelling of a unit for comparison and print: products as `*`, powers as `^`, no spaces. */
export const normalUnitText = (text: string): string =>
  plainSigns(text)
    .trim()
    .replace(/\s*([*/^()])\s*/g, '$1')
    .replace(/\s+/g, '*')

/** Units of results are few, and each sealed call asks. */
const fieldsKnown = new Map<string, { readonly field: string | undefined }>()

/**
 * Continuum fields by the unit of a result. A unit that more than one field has, such as J, m or
 * W/m^2, is absent and maps to none.
 */
const CONTINUUM_FIELDS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  Pa: 'pressure',
  'm/s': 'velocity',
  V: 'potential',
  T: 'magnetic_field',
  'kg*m/s': 'momentum',
  K: 'temperature',
  'V/m': 'electric_field',
  'm/s^2': 'acceleration',
  'kg/m^3': 'mass_density',
  'A/m^2': 'current_density',
  'C/m^3': 'charge_density',
  N: 'force',
  'N/m^3': 'force_density',
}

/** The continuum field of a result in this unit; undefined when the unit leaves it open. */
export const continuumField = (unit: string): string | undefined => {
  const known = fieldsKnown.get(unit)
  if (known !== undefined) return known.field
  const field = CONTINUUM_FIELDS[normalUnitText(unit)]
  if (fieldsKnown.size < KNOWN_MAX) fieldsKnown.set(unit, { field })
  return field
}
