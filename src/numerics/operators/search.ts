import { Fault } from '#core/fault.ts'
import { commensurable, normalUnitText, parseUnit } from '#core/units.ts'
import type { OperatorRow } from './operator.ts'
import type { OperatorRegistry } from './registry.ts'

/** What to look for; an absent filter lets everything pass. */
export interface SearchQuery {
  /** Free words over id, name, symbols, variable names, aliases, domain, equation and source; all must be found. */
  readonly text?: string | undefined
  /** Exactly this domain. */
  readonly domain?: string | undefined
  /** A variable in this unit, or in one of the same quantity: `km` finds lengths. */
  readonly unit?: string | undefined
  /** A symbol of the equation, as written. */
  readonly symbol?: string | undefined
  /** False leaves out refused relations. */
  readonly refused?: boolean | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A page of rows, best first with what they scored, and how many there are in all. */
export interface SearchResult {
  readonly total: number
  readonly found: readonly { readonly row: OperatorRow; readonly score: number }[]
}

/** Characters and words of a query. */
const TEXT_LENGTH_MAX = 200
const WORDS_MAX = 12
/** Rows of one page. */
export const PAGE_MAX = 200
const PAGE_DEFAULT = 20

/** What a word is worth by where it stands: the nearer to what the row is called, the more. */
const WEIGHTS = {
  id: 100,
  idStart: 18,
  nameWord: 20,
  nameStart: 12,
  name: 6,
  symbol: 8,
  variable: 4,
  domain: 3,
  rest: 1,
  /** For a name said whole, and its share for one said in part: "kinetic energy" is not that lost in a collision. */
  wholeName: 10,
}

interface Indexed {
  readonly row: OperatorRow
  readonly id: string
  readonly name: string
  readonly nameWords: readonly string[]
  readonly symbols: readonly string[]
  readonly variables: string
  readonly rest: string
}

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((it) => it !== '')

const indexOf = (row: OperatorRow): Indexed => {
  const variables = Object.values(row.variables).flatMap((it) => [it.name, ...(it.aliases ?? [])])
  return {
    row,
    id: row.id.toLowerCase(),
    name: row.name.toLowerCase(),
    nameWords: wordsOf(row.name),
    symbols: Object.keys(row.variables),
    variables: variables.join('\n').toLowerCase(),
    rest: [row.equation, row.source, row.refused?.kind ?? ''].join('\n').toLowerCase(),
  }
}

/** What one word finds in a row; 0 when it finds nothing. */
const worth = (it: Indexed, word: string): number => {
  if (it.id === word) return WEIGHTS.id
  let best = 0
  if (it.id.startsWith(word)) best = WEIGHTS.idStart
  if (it.nameWords.includes(word)) best = Math.max(best, WEIGHTS.nameWord)
  else if (it.nameWords.some((other) => other.startsWith(word))) best = Math.max(best, WEIGHTS.nameStart)
  else if (it.name.includes(word)) best = Math.max(best, WEIGHTS.name)
  if (it.symbols.some((symbol) => symbol.toLowerCase() === word)) best = Math.max(best, WEIGHTS.symbol)
  if (it.variables.includes(word)) best = Math.max(best, WEIGHTS.variable)
  if (it.row.domain.includes(word)) best = Math.max(best, WEIGHTS.domain)
  return best > 0 ? best : it.rest.includes(word) ? WEIGHTS.rest : 0
}

/** The sum over the words and what they say of the name; 0 when one of them is not found. */
const scoreOf = (it: Indexed, words: readonly string[]): number => {
  let sum = 0
  for (const word of words) {
    const found = worth(it, word)
    if (found === 0) return 0
    sum += found
  }
  const said = it.nameWords.filter((word) => words.includes(word)).length
  return sum + (WEIGHTS.wholeName * said) / Math.max(1, it.nameWords.length)
}

const wordsOfQuery = (text: string): readonly string[] => {
  if (text.length > TEXT_LENGTH_MAX) {
    throw new Fault('INVALID_INPUT', `A search has at most ${TEXT_LENGTH_MAX} characters.`, { limit: TEXT_LENGTH_MAX })
  }
  return wordsOf(text).slice(0, WORDS_MAX)
}

const indexes = new WeakMap<OperatorRegistry, readonly Indexed[]>()

const indexed = (registry: OperatorRegistry): readonly Indexed[] => {
  const known = indexes.get(registry)
  if (known !== undefined) return known
  const fresh = registry.operators.map(({ row }) => indexOf(row))
  indexes.set(registry, fresh)
  return fresh
}

const pageOf = (value: number | undefined, least: number, most: number, otherwise: number, name: string): number => {
  const page = value ?? otherwise
  if (Number.isSafeInteger(page) && page >= least && page <= most) return page
  throw new Fault('INVALID_INPUT', `${name} is an integer from ${least} to ${most}.`, { [name]: page })
}

/** A filter by unit: the same text, or the same quantity. @throws Fault INVALID_INPUT for an unknown unit. */
const measures = (unit: string) => {
  const wanted = parseUnit(unit)
  return ({ row }: Indexed): boolean =>
    Object.values(row.variables).some(
      (it) => normalUnitText(it.unit) === normalUnitText(unit) || commensurable(parseUnit(it.unit), wanted),
    )
}

/**
 * Finds operators, best first and by id among equals, so that a page never shifts.
 *
 * @throws Fault INVALID_INPUT for a query that is too long, an unknown unit or a page out of range.
 */
export const searchOperators = (registry: OperatorRegistry, query: SearchQuery): SearchResult => {
  const limit = pageOf(query.limit, 1, PAGE_MAX, PAGE_DEFAULT, 'limit')
  const offset = pageOf(query.offset, 0, Number.MAX_SAFE_INTEGER, 0, 'offset')
  const words = wordsOfQuery(query.text ?? '')
  const ofUnit = query.unit === undefined || query.unit === '' ? () => true : measures(query.unit)
  const passes = (it: Indexed): boolean =>
    (query.domain === undefined || it.row.domain === query.domain) &&
    (query.symbol === undefined || it.symbols.includes(query.symbol)) &&
    (query.refused !== false || it.row.refused === undefined) &&
    ofUnit(it)
  const found = indexed(registry)
    .map((it) => ({ it, score: words.length === 0 ? 1 : scoreOf(it, words) }))
    .filter(({ it, score }) => score > 0 && passes(it))
    .sort((a, b) => b.score - a.score || (a.it.row.id < b.it.row.id ? -1 : 1))
  const page = found.slice(offset, offset + limit).map(({ it, score }) => ({ row: it.row, score }))
  return { total: found.length, found: page }
}
