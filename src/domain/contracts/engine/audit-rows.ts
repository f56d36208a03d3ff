import type { FireRow } from '#core/contract/fire-row.ts'
import { keyOf } from '#store/layout.ts'
import { type ContractRow, numberedKey } from '#store/rows/contract.ts'
import type { Transaction } from '#store/transaction.ts'

type Distributed<T> = T extends unknown ? Omit<T, 'no' | 'tick' | 'mesh_tick'> : never

/** What a row says beside its place. */
export type RowSaying = Distributed<FireRow>

/**
 * Writes the next row of a contract's audit; the outcome of a fire is found by its id from then on.
 *
 * @param meshTick of the decision; of this transaction where none is given.
 * @returns the contract with its count of rows, still to be put down.
 */
export const addRow = (tx: Transaction, row: ContractRow, saying: RowSaying, meshTick = tx.meshTick): ContractRow => {
  const no = row.rows
  const added = { no, tick: tx.tick, mesh_tick: meshTick, ...saying } as FireRow
  tx.put('contractFire', numberedKey(row.id, no), added)
  if ('fire' in added) tx.put('contractFireNo', keyOf(row.id, added.fire), no)
  return { ...row, rows: no + 1 }
}

/** The same, and paused by a row of its own where it has failed so many times in a row. */
export const pausedByFailures = (tx: Transaction, row: ContractRow, most: number | undefined): ContractRow => {
  const { failures, status, version_no } = row
  if (most === undefined || failures < most || status !== 'live') return row
  const details = { failures }
  const said = addRow(tx, row, { outcome: 'changed', what: 'paused', by: 'failures', version_no, details })
  return { ...said, status: 'paused', paused_by: 'failures' }
}
