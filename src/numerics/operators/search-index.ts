import { measured } from './measured.ts'
import { spelled } from './names.ts'
import type { OperatorRow } from './operator.ts'
import type { OperatorRegistry } from './registry.ts'
import { stemsOf } from './spelling.ts'

/** Where a word stands in a row; `own` is the symbol of the output. */
export const PLACES = ['name', 'own', 'symbol', 'output', 'variable', 'domain', 'rest'] as const
export type PlaceName = (typeof PLACES)[number]

/** Rows that a word stands in: row · 8 + place, by PLACES. */
type Postings = readonly number[]

/** What of a row is compared at a query beside its postings. */
export interface SearchRow {
  readonly row: OperatorRow
  /** In lower case. */
  readonly id: string
  readonly nameStems: readonly string[]
  readonly symbols: readonly string[]
  /** The equation without signs that are written in many ways. */
  readonly equation: string
}

/** Everything that a query is held against, made once. A few megabytes for 1,601 rows. */
export interface SearchIndex {
  readonly rows: readonly SearchRow[]
  readonly postings: ReadonlyMap<string, Postings>
  /** The words of the postings in the order of code units. */
  readonly words: readonly string[]
  /** Rows by the whole of a name that stands in them, stems with spaces between: row · 8 + place. */
  readonly phrases: ReadonlyMap<string, Postings>
  /** Rows by what their variables measure, by {@link measured}: row · 8 + place. */
  readonly quantities: ReadonlyMap<string, Postings>
  /** The same by the unit as written. */
  readonly units: ReadonlyMap<string, Postings>
}

/** Places in one posting. */
const STEP = 8

/** The row and the place of a posting. */
export const rowOf = (posting: number): number => Math.floor(posting / STEP)
export const placeOf = (posting: number): PlaceName => PLACES[posting % STEP] ?? 'rest'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** An equation without what is written in many ways: spaces, signs of multiplication, the mark of a constant, case. */
export const plainEquation = (text: string): string =>
  spelled(text)
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => `^${SUPERSCRIPTS.indexOf(digit)}`)
    .replaceAll('**', '^')
    .replaceAll('√', 'sqrt')
    .replace(/[−–]/g, '-')
    .replace(/[\s@*·×⋅_]/g, '')
    .toLowerCase()

const push = (lists: Map<string, number[]>, key: string, row: number, place: PlaceName): void => {
  const posting = row * STEP + PLACES.indexOf(place)
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [posting])
  else if (list.at(-1) !== posting) list.push(posting)
}

const searchRow = (row: OperatorRow): SearchRow => ({
  row,
  id: row.id.toLowerCase(),
  nameStems: stemsOf(row.name),
  symbols: Object.keys(row.variables),
  equation: plainEquation(row.equation),
})

/** Constants of an equation, by which it is looked for; its symbols are indexed as such. */
const CONSTANTS = /(?<=@)\w+/g
/** Words of a source that say something: names and titles, no pages, editions and numbers. */
const TELLING = /\p{L}{3,}/gu

const restOf = ({ id, equation, source, refused }: OperatorRow): readonly string[] => {
  const said = refused === undefined ? (equation.match(CONSTANTS) ?? []) : [equation, refused.kind]
  return [...said, ...(source.match(TELLING) ?? []), id.replaceAll(/[_.-]/g, ' ')].flatMap(stemsOf)
}

const indexOf = (registry: OperatorRegistry): SearchIndex => {
  const rows = registry.operators.map(({ row }) => searchRow(row))
  const [postings, phrases, quantities, units] = [new Map(), new Map(), new Map(), new Map()] as Map<string, number[]>[]
  const add = (list: Map<string, number[]> | undefined, key: string, row: number, place: PlaceName): void => {
    if (list !== undefined) push(list, key, row, place)
  }
  for (const [i, { row, nameStems }] of rows.entries()) {
    for (const stem of nameStems) add(postings, stem, i, 'name')
    add(phrases, nameStems.join(' '), i, 'name')
    for (const [symbol, { name, aliases = [], unit }] of Object.entries(row.variables)) {
      const isOutput = row.solves_for[0] === symbol
      const place = isOutput ? 'output' : 'variable'
      add(postings, symbol.toLowerCase(), i, isOutput ? 'own' : 'symbol')
      add(quantities, measured(unit), i, place)
      add(units, unit, i, place)
      for (const called of [name, ...aliases]) {
        const stems = stemsOf(called)
        for (const stem of stems) add(postings, stem, i, place)
        add(phrases, stems.join(' '), i, place)
      }
    }
    for (const stem of stemsOf(row.domain.replaceAll('-', ' '))) add(postings, stem, i, 'domain')
    for (const stem of restOf(row)) add(postings, stem, i, 'rest')
  }
  return {
    rows,
    postings: postings ?? new Map(),
    words: [...(postings?.keys() ?? [])].sort(),
    phrases: phrases ?? new Map(),
    quantities: quantities ?? new Map(),
    units: units ?? new Map(),
  }
}

const indexes = new WeakMap<OperatorRegistry, SearchIndex>()

/** The index of a registry, made at first use. @throws Fault INVALID_INPUT for a row with an unknown unit. */
export const searchIndex = (registry: OperatorRegistry): SearchIndex => {
  const known = indexes.get(registry)
  if (known !== undefined) return known
  const fresh = indexOf(registry)
  indexes.set(registry, fresh)
  return fresh
}
