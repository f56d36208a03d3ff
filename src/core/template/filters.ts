import type { Json } from '#core/canonical.ts'
import { isoOf } from '#core/iso.ts'
import { NS_PER_MS } from '#core/time.ts'
import { FILLED_BYTES_MAX, type Held, type PlaceFilter } from './place.ts'

/** Characters that the filters of one filling may write between them: what is cut off later costs as well. */
const WORK_CHARACTERS_MAX = 4_194_304
/** Levels of a value that is written as JSON. */
const DEPTH_MAX = 64
/** The first second of the year 10000. */
const SECONDS_END = 253_402_300_800

/** Why a value cannot be written. */
export class Unwritten extends Error {}

const refuse = (why: string): never => {
  throw new Unwritten(why)
}

/** What is left of the work of one filling. */
export interface FillingAllowance {
  characters: number
}

/** A new allowance: one for each filling. */
export const allowance = (): FillingAllowance => ({ characters: WORK_CHARACTERS_MAX })

const spend = (left: FillingAllowance, text: string): string => {
  left.characters -= text.length
  return left.characters < 0 ? refuse('the filters write too much') : text
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isScalar = (value: Json): value is null | boolean | number | string => typeof value !== 'object' || value === null

const tooLarge = (): never => refuse('it is larger than any output may be')

/** Writes a value piece by piece, and ends as soon as it is longer than any output may be. */
const jsonInto = (value: Json, sink: { text: string }, depth: number): void => {
  if (depth > DEPTH_MAX) return refuse(`it nests deeper than ${DEPTH_MAX}`)
  if (sink.text.length > FILLED_BYTES_MAX) return tooLarge()
  if (isScalar(value)) {
    if (typeof value === 'string' && value.length > FILLED_BYTES_MAX) return tooLarge()
    sink.text += JSON.stringify(value)
  } else if (isList(value)) {
    let before = '['
    for (const it of value) {
      sink.text += before
      jsonInto(it, sink, depth + 1)
      before = ','
    }
    sink.text += before === '[' ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, it] of Object.entries(value)) {
      if (name.length > FILLED_BYTES_MAX) return tooLarge()
      sink.text += `${before}${JSON.stringify(name)}:`
      jsonInto(it, sink, depth + 1)
      before = ','
    }
    sink.text += before === '{' ? '{}' : '}'
  }
}

/** A value that is there. */
type Present = Exclude<Held, { is: 'absent' }>

/** A value as JSON. @throws Unwritten for what is too large or too deep. */
export const jsonOf = (held: Present, left: FillingAllowance): string => {
  if (held.is !== 'value') return held.text
  const sink = { text: '' }
  jsonInto(held.value, sink, 0)
  return spend(left, sink.text)
}

/** A value as text: one is itself, null is nothing, a list or object is JSON. @throws Unwritten as {@link jsonOf}. */
export const textOf = (held: Present, left: FillingAllowance): string => {
  if (held.is !== 'value') return held.text
  const { value } = held
  if (typeof value === 'string') return value.length > FILLED_BYTES_MAX ? tooLarge() : value
  return value === null ? '' : jsonOf(held, left)
}

/** What a filter works with. */
interface Given {
  readonly held: Present
  readonly filter: PlaceFilter
  /** The member `unit` beside the value, if there is one. */
  readonly unitBeside: Json | undefined
  readonly left: FillingAllowance
}

const numberOf = ({ held, filter }: Given): number =>
  held.is === 'value' && typeof held.value === 'number' ? held.value : refuse(`${filter.name} takes a number`)

const listOf = ({ held, filter }: Given): readonly Json[] =>
  held.is === 'value' && isList(held.value) ? held.value : refuse(`${filter.name} takes a list`)

const told = (text: string): Held => ({ is: 'value', value: text })

/** A minus in front of nothing but noughts says what was rounded away. */
const numeral = (text: string): Held => ({ is: 'numeral', text: text.replace(/^-(?=0(?:\.0*)?(?:e|$))/, '') })

/** The first characters of a text: whole ones, so that none is cut in half. */
const cut = (text: string, count: number): string => {
  const code = text.charCodeAt(count - 1)
  return text.length <= count ? text : text.slice(0, code >= 0xd800 && code < 0xdc00 ? count - 1 : count)
}

/** Items that are taken out or joined cost as characters do: an empty one takes time as well. */
const counted = (items: readonly Json[], left: FillingAllowance): readonly Json[] => {
  left.characters -= items.length
  return left.characters < 0 ? refuse('the filters write too much') : items
}

const joined = (given: Given): string => {
  const { left, filter } = given
  let text = ''
  let between = ''
  for (const value of counted(listOf(given), left)) {
    if (text.length > FILLED_BYTES_MAX) return tooLarge()
    text += `${between}${textOf({ is: 'value', value }, left)}`
    between = filter.text
  }
  return text
}

const isoText = (given: Given): string => {
  const seconds = numberOf(given)
  if (!(seconds >= 0 && seconds < SECONDS_END)) return refuse('iso takes unix seconds of the years 1970 to 9999')
  return isoOf(BigInt(Math.floor(seconds * 1_000)) * NS_PER_MS)
}

const memberOf = (value: Json, name: string): Json | undefined =>
  !isScalar(value) && !isList(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** A quantity with its unit: an object with both, or a value with the unit that stands beside it. */
const withUnit = ({ held, unitBeside, left }: Given): string => {
  const inner = held.is === 'value' ? memberOf(held.value, 'value') : undefined
  const unit = inner === undefined ? unitBeside : memberOf((held as { value: Json }).value, 'unit')
  const text = textOf(inner === undefined ? held : { is: 'value', value: inner }, left)
  if (unit === undefined || unit === null || unit === '' || unit === '1') return text
  return typeof unit === 'string' ? `${text} ${unit}` : refuse('the unit beside it is no text')
}

const filtered = (given: Given): Held => {
  const { held, filter, left } = given
  switch (filter.name) {
    case 'fixed':
      return numeral(numberOf(given).toFixed(filter.count))
    case 'exp':
      return numeral(numberOf(given).toExponential(filter.count))
    case 'upper':
      return told(textOf(held, left).toUpperCase())
    case 'lower':
      return told(textOf(held, left).toLowerCase())
    case 'trim':
      return told(
        cut(held.is === 'value' && typeof held.value === 'string' ? held.value : textOf(held, left), filter.count),
      )
    case 'default':
      return held
    case 'json':
      return { is: 'json', text: jsonOf(held, left) }
    case 'join':
      return told(joined(given))
    case 'first':
      return { is: 'value', value: counted(listOf(given).slice(0, filter.count), left) }
    case 'iso':
      return told(isoText(given))
    case 'unit':
      return told(withUnit(given))
  }
}

const isNothing = (held: Held): boolean => held.is === 'absent' || (held.is === 'value' && held.value === null)

const writtenOf = (held: Held): string =>
  held.is === 'absent' ? '' : held.is !== 'value' ? held.text : typeof held.value === 'string' ? held.value : ''

/**
 * A value through the filters of its place. What is absent or null passes all filters as it is, but for `default`.
 *
 * @throws Unwritten where a filter does not take the value, or where it would grow beyond the bounds.
 */
export const throughFilters = (
  value: Json | undefined,
  filters: readonly PlaceFilter[],
  { left, unitBeside }: { readonly left: FillingAllowance; readonly unitBeside: () => Json | undefined },
): Held => {
  let held: Held = value === undefined ? { is: 'absent' } : { is: 'value', value }
  for (const filter of filters) {
    if (isNothing(held)) {
      if (filter.name === 'default') held = told(filter.text)
    } else if (held.is !== 'absent') {
      const unit = filter.name === 'unit' ? unitBeside() : undefined
      held = filtered({ held, filter, unitBeside: unit, left })
      spend(left, writtenOf(held))
    }
  }
  return held
}
