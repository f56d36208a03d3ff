import type { Json } from '#core/canonical.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { Saying } from '#domain/machines/record.ts'
import type { ContractOutboxRow } from '#store/rows/contract.ts'
import { numberedKey } from '#store/rows/contract.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import type { OutwardReason } from './problem.ts'

/** Appends what the node itself says to a machine's chain. */
export type Enter = (tx: Transaction, machine: MachineRow, saying: Pick<Saying, 'type' | 'open'>) => MachineEntryRow

/** What is told of a notification that was given up: never what it held. */
export interface GivenUp {
  readonly row: ContractOutboxRow
  readonly attempts: number
  readonly reason: OutwardReason
}

/** Writes down that a notification was given up: a row of the contract's audit, an entry in the machine's chain. */
export const noteGivenUp =
  (enter: Enter) =>
  (tx: Transaction, { row, attempts, reason }: GivenUp): void => {
    const contract = tx.get('contract', row.id)
    if (contract === undefined) return
    const { rows: no, version_no, slug } = contract
    const details: Json = { fire: row.fire, index: row.index, attempts, reason }
    const said: FireRow = {
      ...{ no, tick: tx.tick, mesh_tick: tx.meshTick, outcome: 'changed', what: 'notify_failed', by: 'node' },
      ...{ version_no, details },
    }
    tx.put('contractFire', numberedKey(row.id, no), said)
    tx.put('contract', row.id, { ...contract, rows: no + 1, updated_tick: tx.tick })
    const machine = tx.get('machine', slug)
    if (machine?.status !== 'active') return
    enter(tx, machine, { type: 'notify_failed', open: { contract: contract.contract, ...details } })
  }
