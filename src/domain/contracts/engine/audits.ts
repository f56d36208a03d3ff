import type { FireRow } from '#core/contract/fire-row.ts'
import { tail } from '#core/tail.ts'
import { type ContractRequest, findContract, needs } from '#domain/contracts/finding.ts'
import type { TakenView } from '#domain/contracts/views/firing.ts'
import { under } from '#store/layout.ts'
import { numberedKey } from '#store/rows/contract.ts'
import type { EngineContext } from './types.ts'

/** Rows that a reader who comes back is given; of more it is told the gap. */
const REPLAY_MAX = 1_000

/** A line of a live stream. */
export interface TakenLine {
  /** What Last-Event-ID resumes after: no plain number, since rows that are no transitions leave no gap. */
  readonly id: string
  readonly event: 'place' | 'transition' | 'gap'
  readonly data: unknown
}

/** The name of a row in a stream. */
const placeId = (no: number): string => `t${no}`

const takenOf = (row: Extract<FireRow, { outcome: 'fired' | 'refused' | 'failed' }>): TakenView => {
  const { no, tick, mesh_tick, fire, from, to, steps, version_no, attempt, seq } = row
  return { no, tick, mesh_tick, fire, from, to, steps, version_no, attempt, seq }
}

/** Creates what shows fires that were: the audit, and transitions as they are taken. */
export const createAudits = ({ store, contracts, hub }: EngineContext) => {
  const reader = { get: store.peek }

  return {
    /** Its rows, newest first, for the owner in person. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    audit: async (
      asking: ContractRequest,
      { limit, after }: { readonly limit: number; readonly after?: number | undefined },
    ): Promise<{ id: string; rows: readonly FireRow[]; next_after: number | null }> => {
      const { row } = findContract(reader, asking, needs.own)
      const bounds = { ...under(row.id), ...(after === undefined ? {} : { lt: numberedKey(row.id, after) }) }
      const rows: FireRow[] = []
      for await (const [, it] of store.range('contractFire', { ...bounds, reverse: true, limit })) rows.push(it)
      const last = rows.at(-1)?.no ?? 0
      return { id: row.id, rows, next_after: rows.length < limit || last === 0 ? null : last }
    },

    /** Transitions as they are taken, from now on or after a row. @throws Fault NOT_FOUND, SCOPE_REQUIRED */
    transitions: async function* (
      asking: ContractRequest,
      lastEventId: string | undefined,
      signal: AbortSignal,
    ): AsyncGenerator<TakenLine> {
      const { row } = findContract(reader, asking, needs.read)
      using _ = hub.reading(row.id)
      const size = (): number => contracts.peek(row.id)?.rows ?? 0
      const number = /^t?(\d{1,15})$/.exec(lastEventId ?? '')?.[1]
      const last = number === undefined ? undefined : Number(number)
      const from = last === undefined || last >= size() ? size() : Math.max(last + 1, size() - REPLAY_MAX)
      // A reader that is cut off before the first transition has to know where it was, too.
      if (last === undefined) yield { id: placeId(from - 1), event: 'place', data: { next: from } }
      else if (from > last + 1) {
        yield { id: placeId(from - 1), event: 'gap', data: { after: last, next: from, missed: from - last - 1 } }
      }
      const source = {
        size,
        read: async function* (first: number, end: number) {
          const range = { gte: numberedKey(row.id, first), lt: numberedKey(row.id, end) }
          for await (const [, it] of store.range('contractFire', range)) yield it
        },
        moved: () => hub.moved(row.id),
      }
      for await (const it of tail(source, from, signal)) {
        findContract(reader, asking, needs.read)
        if (it.outcome === 'fired') yield { id: placeId(it.no), event: 'transition', data: takenOf(it) }
      }
    },
  }
}
