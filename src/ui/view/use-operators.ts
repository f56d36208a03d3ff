import { send } from '#ui/server/api.ts'
import { type Reading, useReading } from '#ui/server/reading.ts'

/** A relation as the registry lists it. */
export interface OperatorRow {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly equation: string
  readonly source: string
  readonly refused: { readonly reason?: string } | null
}

/** A relation with what it is computed from. */
export interface OperatorDetail extends OperatorRow {
  readonly variables: Readonly<Record<string, { readonly name: string; readonly unit: string }>>
  readonly example: { readonly inputs: Readonly<Record<string, number | string>> } | null
}

/** Rows of a page, and pages that are read: the registry has some 1,600 rows. */
const PAGE_ROWS = 500
const PAGES_MAX = 8

interface Page {
  readonly count: number
  readonly operators: readonly OperatorRow[]
}

const readAll = async (signal: AbortSignal): Promise<readonly OperatorRow[]> => {
  const rows: OperatorRow[] = []
  for (let page = 0; page < PAGES_MAX; page++) {
    const path = `/api/operators?limit=${PAGE_ROWS}&offset=${page * PAGE_ROWS}`
    const { count, operators } = await send<Page>(path, { signal })
    rows.push(...operators)
    if (rows.length >= count || operators.length === 0) break
  }
  return rows
}

/** Every relation of the registry. */
export const useOperators = (up: boolean): Reading<readonly OperatorRow[]> => useReading(readAll, { on: [up] })

/** One relation, once it is chosen. */
export const useOperator = (id: string | undefined): OperatorDetail | undefined => {
  const { value } = useReading(
    async (signal) =>
      id === undefined ? undefined : send<OperatorDetail>(`/api/operators/${encodeURIComponent(id)}`, { signal }),
    { on: [id] },
  )
  // The one before stays until the next has come, and must not be taken for it.
  return value?.id === id ? value : undefined
}

/** The relations whose id, name, equation or domain hold every word. */
export const matching = (rows: readonly OperatorRow[], words: string): readonly OperatorRow[] => {
  const wanted = words.toLowerCase().split(/\s+/)
  return rows.filter(({ id, name, equation, domain }) => {
    const text = `${id} ${name} ${equation} ${domain}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
