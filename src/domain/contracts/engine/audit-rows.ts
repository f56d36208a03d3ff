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
