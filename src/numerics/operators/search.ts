import { Fault } from '#core/fault.ts'
import { measured } from './measured.ts'
import type { OperatorRow } from './operator.ts'
import type { OperatorRegistry } from './registry.ts'
import { rowOf, type SearchIndex, type SearchRow, searchIndex } from './search-index.ts'
import { scoresOf } from './search-score.ts'

/** What to look for; an absent filter lets everything pass. */
export interface SearchQuery {
  /**
   * Free words over id, name, symbols, variable names, aliases, domain and source, of which one may be missing where
   * no row has all; or a unit, or an equation.
   */
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

/** Characters of a query. */
const TEXT_LENGTH_MAX = 200
/** Rows of one page. */
export const PAGE_MAX = 200
const PAGE_DEFAULT = 20

const pageOf = (value: number | undefined, least: number, most: number, otherwise: number, name: string): number => {
  const page = value ?? otherwise
  if (Number.isSafeInteger(page) && page >= least && page <= most) return page
  throw new Fault('INVALID_INPUT', `${name} is an integer from ${least} to ${most}.`, { [name]: page })
}

const textOf = (text: string): string => {
  if (text.length <= TEXT_LENGTH_MAX) return text.trim()
  throw new Fault('INVALID_INPUT', `A search has at most ${TEXT_LENGTH_MAX} characters.`, { limit: TEXT_LENGTH_MAX })
}

/** The rows with a variable of a unit's quantity. @throws Fault INVALID_INPUT for an unknown unit. */
const ofUnit = ({ quantities }: SearchIndex, unit: string): ReadonlySet<number> =>
  new Set((quantities.get(measured(unit)) ?? []).map(rowOf))

/**
 * Finds operators, best first and by id among equals, so that a page never shifts. Words are compared without plural
 * and in one spelling (`colour`, `color`), may be begun, stand within others or be a slip of the keys where nothing
 * else is found; Greek letters stand for their names. A query may be a unit (`N m`) or an equation (`E = m c^2`).
 *
 * @throws Fault INVALID_INPUT for a query that is too long, an unknown unit or a page out of range.
 */
export const searchOperators = (registry: OperatorRegistry, query: SearchQuery): SearchResult => {
  const limit = pageOf(query.limit, 1, PAGE_MAX, PAGE_DEFAULT, 'limit')
  const offset = pageOf(query.offset, 0, Number.MAX_SAFE_INTEGER, 0, 'offset')
  const text = textOf(query.text ?? '')
  const index = searchIndex(registry)
  const measuring = query.unit === undefined || query.unit === '' ? undefined : ofUnit(index, query.unit)
  const passes = (at: number, { row, symbols }: SearchRow): boolean =>
    (query.domain === undefined || row.domain === query.domain) &&
    (query.symbol === undefined || symbols.includes(query.symbol)) &&
    (query.refused !== false || row.refused === undefined) &&
    (measuring === undefined || measuring.has(at))
  const scores = text === '' ? undefined : scoresOf(index, text)
  const found = index.rows
    .flatMap((it, at) => {
      const score = scores === undefined ? 1 : (scores.get(at) ?? 0)
      return score > 0 && passes(at, it) ? [{ row: it.row, score }] : []
    })
    .sort((a, b) => b.score - a.score || (a.row.id < b.row.id ? -1 : 1))
  return { total: found.length, found: found.slice(offset, offset + limit) }
}
