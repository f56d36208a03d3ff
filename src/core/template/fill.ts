import { utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { beginsFormula } from './csv-places.ts'
import { allowance, type FillingAllowance, jsonOf, textOf, throughFilters, Unwritten } from './filters.ts'
import { FILLED_BYTES_MAX, type FillingPlace, type Held, type PlacedText, Unfilled } from './place.ts'

/** What a template is filled from, by name. */
export type FillingValues = Readonly<Record<string, Json>>

const INDEX = /^(?:0|[1-9]\d{0,8})$/

/** The own member of a value: nothing is inherited, a list has its indexes alone, and a text has none. */
const ownMember = (value: Json | undefined, name: string): Json | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return INDEX.test(name) ? (value as readonly Json[])[Number(name)] : undefined
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, Json>>)[name] : undefined
}

const lookUp = (values: FillingValues, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>(ownMember, values)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What XML 1.0 cannot hold, and HTML reads as something else. */
const UNFIT = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

const markup = (text: string): string =>
  text
    .toWellFormed()
    .replace(UNFIT, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')

/** A word of a style: no bracket that opens a function, no backslash that spells one otherwise. */
const WORD = /^[A-Za-z0-9 #.,%+-]*$/

const CONTROL = /\p{Cc}/gu

/** A field that needs quotes, also for readers that take another separator. */
const QUOTED = /[",;|\t\r\n]|^ | $/

const csvField = (text: string): string => (QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const isNumber = (held: Held): boolean =>
  held.is === 'numeral' || (held.is === 'value' && typeof held.value === 'number')

/** An apostrophe in front of what would be read as a formula, also by readers that drop spaces before it. */
const guarded = (text: string): string => (beginsFormula(text) || beginsFormula(text.trimStart()) ? `'${text}` : text)

/** What is known of the field of CSV that is being filled. */
interface Field {
  /** Whether nothing but spaces stands in it so far. */
  blank: boolean
}

const csvPart = (text: string, place: FillingPlace, field: Field): string => {
  const first = place.kind === 'csv-first' && field.blank
  const written = first ? guarded(text) : text
  field.blank &&= written.trim() === ''
  return written.replaceAll('"', '""')
}

/** What goes from place to place of one filling. */
interface Filling {
  readonly left: FillingAllowance
  readonly field: Field
}

type Written = Exclude<Held, { is: 'absent' }>

const writtenAs = (held: Written, place: FillingPlace, { left, field }: Filling): string => {
  switch (place.kind) {
    case 'plain':
      return textOf(held, left).toWellFormed().replace(CONTROL, '')
    case 'json-value':
      return jsonOf(held, left)
    case 'json-text':
      return JSON.stringify(textOf(held, left)).slice(1, -1)
    case 'csv-field':
      return csvField(isNumber(held) ? textOf(held, left) : guarded(textOf(held, left).toWellFormed()))
    case 'csv-quoted':
      return (isNumber(held) ? textOf(held, left) : guarded(textOf(held, left).toWellFormed())).replaceAll('"', '""')
    case 'csv-first':
    case 'csv-part':
      return csvPart(textOf(held, left).toWellFormed(), place, field)
    case 'markup':
      return markup(textOf(held, left))
    case 'word': {
      const text = textOf(held, left)
      return WORD.test(text) ? text : refuseWord(place)
    }
  }
}

const refuseWord = (place: FillingPlace): never => {
  throw new Unfilled('in this attribute stands a word or number, without brackets or quotes', place)
}

const heldAt = (place: FillingPlace, values: FillingValues, left: FillingAllowance): Written => {
  const { path, filters } = place
  const unitBeside = (): Json | undefined => lookUp(values, [...path.slice(0, -1), 'unit'])
  const held = throughFilters(lookUp(values, path), filters, { left, unitBeside })
  if (held.is === 'absent') throw new Unfilled('there is no such value, and the place has no default', place)
  return held
}

const pieceAt = (place: FillingPlace, values: FillingValues, filling: Filling): string => {
  try {
    return writtenAs(heldAt(place, values, filling.left), place, filling)
  } catch (cause) {
    if (cause instanceof Unwritten) throw new Unfilled(cause.message, place)
    throw cause
  }
}

/**
 * Fills a template. Only own members of the values are read, and nothing of them is run: each is written in the way of
 * its place. The time is in proportion to the template and to what its filters write, both of which are bounded.
 *
 * @throws Unfilled for a path that is absent and has no default, a value that a filter does not take, and an output
 * beyond {@link FILLED_BYTES_MAX}.
 */
export const fillPlaced = ({ texts, places }: PlacedText, values: FillingValues): string => {
  const left = allowance()
  let field: Field = { blank: true }
  let output = texts[0] ?? ''
  places.forEach((place, i) => {
    const own = texts[i] ?? ''
    if (own.includes('"')) field = { blank: true }
    output += pieceAt(place, values, { left, field }) + (texts[i + 1] ?? '')
    // A character has one byte at least, so this ends what grows too far before it is measured.
    if (output.length > FILLED_BYTES_MAX)
      throw new Unfilled(`the output has more than ${FILLED_BYTES_MAX} bytes`, place)
  })
  if (utf8(output).length > FILLED_BYTES_MAX) throw new Unfilled(`The output has more than ${FILLED_BYTES_MAX} bytes.`)
  return output
}
