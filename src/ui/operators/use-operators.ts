import { useEffect, useState } from 'preact/hooks'
import { send } from '#ui/server/api.ts'
import { type Reading, useReading } from '#ui/server/reading.ts'
import type { OperatorDetail, OperatorRow } from './shapes.ts'

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

interface Found {
  readonly count: number
  readonly operators: readonly OperatorRow[]
}

/** The registry in short. */
export interface Registry {
  readonly registry_version: string
  readonly count: number
  readonly domains: readonly { readonly domain: string; readonly count: number }[]
}

/** What was typed once nothing has been typed for a moment. */
const useSettled = <T>(value: T): T => {
  const [settled, settle] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => settle(value), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const queryOf = ({ q, domain, symbol, unit, computable }: Filters, rows: number): string => {
  const query = new URLSearchParams({ limit: String(rows) })
  for (const [name, text] of Object.entries({ q, domain, symbol, unit }))
    if (text.trim() !== '') query.set(name, text.trim())
  if (computable) query.set('refused', 'false')
  return query.toString()
}

/** The relations that pass, best first, once typing has settled. */
export const useFound = (filters: Filters, rows: number, up: boolean): Reading<Found> => {
  const query = useSettled(queryOf(filters, rows))
  return useReading((signal) => send<Found>(`/api/operators/search?${query}`, { signal }), { on: [query, up] })
}

/** How many relations there are in each domain. */
export const useRegistry = (up: boolean): Registry | undefined =>
  useReading((signal) => send<Registry>('/api/operators?limit=1', { signal }), { on: [up] }).value

/** One relation. */
export const useOperator = (id: string, up: boolean): Reading<OperatorDetail> =>
  useReading((signal) => send<OperatorDetail>(`/api/operators/${encodeURIComponent(id)}`, { signal }), { on: [id, up] })
