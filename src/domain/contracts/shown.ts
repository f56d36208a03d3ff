import type { Json } from '#core/canonical.ts'
import type { ContractRow, ContractVersionRow } from '#store/rows/contract.ts'
import type { ContractSummary, ContractView } from './views.ts'

/** A contract in a list. */
export const summaryOf = (row: ContractRow): ContractSummary => {
  const { id, slug, name, contract, status, done, version_no, version, created_tick, next, fire_count } = row
  const { state } = row.standing
  return { id, slug, name, contract, status, state, done, version_no, version, created_tick, next, fire_count }
}

/** A contract, whole. */
export const contractViewOf = (
  row: ContractRow,
  { definition }: Pick<ContractVersionRow, 'definition'>,
  secrets: readonly string[],
): ContractView => {
  const { paused_by, created_by, armed_tick, skip, failures, spent, standing } = row
  return {
    ...summaryOf(row),
    ...{ paused_by, created_by, armed_tick, skip, failures, spent, secrets, definition: definition as Json },
    entered_tick: standing.entered.tick,
    context: standing.context,
    firing: row.firing !== null,
    waiting: row.waiting.length,
  }
}
