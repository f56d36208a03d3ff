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
      return WORD.test(text) ? text : refuseWord()
    }
  }
}

const refuseWord = (): never => {
  throw new Unwritten('in this attribute stands a word or number, without brackets or quotes')
}

const ABSENT = 'there is no such value, and the place has no default'

const heldAt = ({ path, filters }: FillingPlace, values: FillingValues, left: FillingAllowance): Held => {
  const unitBeside = (): Json | undefined => lookUp(values, [...path.slice(0, -1), 'unit'])
  return throughFilters(lookUp(values, path), filters, { left, unitBeside })
}

/** Why a place cannot be written. */
interface Wrong {
  readonly place: FillingPlace
  readonly why: string
  /** It was found after the value was looked through, and not by its absence. */
  readonly costly: boolean
}

const pieceAt = (place: FillingPlace, values: FillingValues, filling: Filling): string | Wrong => {
  try {
    const held = heldAt(place, values, filling.left)
    return held.is === 'absent' ? { place, why: ABSENT, costly: false } : writtenAs(held, place, filling)
  } catch (cause) {
    if (cause instanceof Unwritten) return { place, why: cause.message, costly: true }
    throw cause
  }
}

/** Faults of one filling that are told. */
const FAULTS_MAX = 100
/** Of those the ones that take work to find: a template of nothing else costs no more than one that fills. */
const COSTLY_MAX = 16

/** What of a filling does not fit, until it is enough. */
const wrongs = () => {
  const found: Wrong[] = []
  let costly = 0
  return {
    /** @returns whether more may be looked for. */
    add: (it: Wrong): boolean => {
      found.push(it)
      if (it.costly) costly += 1
      return found.length < FAULTS_MAX && costly < COSTLY_MAX
    },
    /** @throws Unfilled if there is any. */
    end: (): void => {
      const [first, ...others] = found
      if (first === undefined) return
      throw new Unfilled(
        first.why,
        first.place,
        others.map(({ why, place }) => new Unfilled(why, place)),
      )
    },
  }
}

const tooLong = `the output has more than ${FILLED_BYTES_MAX} bytes`

/**
 * Fills a template. Only own members of the values are read, and nothing of them is run: each is written in the way of
 * its place. The time is in proportion to the template and to what its filters write, both of which are bounded.
 *
 * @throws Unfilled for paths that are absent and have no default, and values that a filter does not take, all of them
 * at once; and for an output beyond {@link FILLED_BYTES_MAX}.
 */
export const fillPlaced = ({ texts, places }: PlacedText, values: FillingValues): string => {
  const left = allowance()
  const wrong = wrongs()
  let field: Field = { blank: true }
  let output = texts[0] ?? ''
  for (const [i, place] of places.entries()) {
    if (texts[i]?.includes('"') === true) field = { blank: true }
    const piece = pieceAt(place, values, { left, field })
    const written = typeof piece === 'string'
    if (!written && (!wrong.add(piece) || left.characters < 0)) break
    output += (written ? piece : '') + (texts[i + 1] ?? '')
    // A character has one byte at least, so this ends what grows too far before it is measured.
    if (output.length > FILLED_BYTES_MAX) {
      wrong.add({ place, why: tooLong, costly: true })
      break
    }
  }
  wrong.end()
  if (utf8(output).length > FILLED_BYTES_MAX) throw new Unfilled(`T${tooLong.slice(1)}.`)
  return output
}
