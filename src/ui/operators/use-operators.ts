import { useEffect, useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import { call } from '#ui/server/api.ts'
import { type ServerReading, useReading } from '#ui/server/reading.ts'
import type { RelationView } from './relation.ts'

/** What the list is narrowed to; an empty text lets everything pass. */
export interface Filters {
  readonly q: string
  readonly domain: string
  readonly symbol: string
  readonly unit: string
  /** Whether relations that have no value to compute are left out. */
  readonly computable: boolean
}

export const NO_FILTERS: Filters = { q: '', domain: '', symbol: '', unit: '', computable: false }

/** Rows at first and with each further press; the node gives no more than the most. */
export const ROWS = 20
export const ROWS_MAX = 200
/** Time after the last key stroke, so that a word is not looked for letter by letter. */
const SETTLE_MS = 150

type Found = ResultAt<'GET /api/operators/search'>

/** The registry in short. */
export type Registry = ResultAt<'GET /api/operators'>

/** What was typed once nothing has been typed for a moment. */
const useSettled = <T>(value: T): T => {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The filters as a call has them, as a text that is equal where they are. */
const askedOf = ({ q, domain, symbol, unit, computable }: Filters, rows: number): string => {
  const texts = Object.entries({ q, domain, symbol, unit }).map(([name, text]) => [name, text.trim()] as const)
  const said = Object.fromEntries(texts.filter(([, text]) => text !== ''))
  return JSON.stringify({ limit: rows, ...said, ...(computable && { refused: false }) })
}

/** The relations that pass, best first, once typing has settled. */
export const useFound = (filters: Filters, rows: number, up: boolean): ServerReading<Found> => {
  const asked = useSettled(askedOf(filters, rows))
  return useReading(
    (signal) =>
      call('GET /api/operators/search', JSON.parse(asked) as InputAt<'GET /api/operators/search'>, { signal }),
    { on: [asked, up] },
  )
}

/** How many relations there are in each domain. */
export const useRegistry = (up: boolean): Registry | undefined =>
  useReading((signal) => call('GET /api/operators', { limit: 1 }, { signal }), { on: [up] }).value

/** One relation. */
export const useOperator = (id: string, up: boolean): ServerReading<RelationView> =>
  useReading((signal) => call('GET /api/operators/{id}', { id }, { signal }), { on: [id, up] })
