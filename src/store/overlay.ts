import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import type { Change } from './database.ts'
import type { Row, TableName } from './layout.ts'
import { type BalanceChanges, type Balances, ledgerView } from './ledger.ts'
import type { LogName } from './rows/log.ts'
import type { Transfer } from './rows/transfer.ts'
import { databaseKey } from './rows.ts'
import type { Put, Transaction } from './transaction.ts'

/** When a transaction commits. */
export interface CommitMoment {
  readonly tick: number
  readonly phase: number
  readonly meshTick: number
  /** The clock is behind the last durable tick. */
  readonly behind: boolean
  /** Why nothing may be appended at all, if so. */
  readonly held?: (() => Fault) | undefined
}

/** A leaf that a plan appended: its bytes are made later, for the index it was given. */
export interface PendingLeaf {
  readonly kind: string
  readonly index: number
  readonly log: LogName
  readonly make: (index: number) => Uint8Array | Promise<Uint8Array>
}

/** What a transaction stands on: durable rows, or those under the accepted plans before it. */
export interface PlanContext {
  /** @param full the database key, which is made once for all that a read looks through */
  read<N extends TableName>(table: N, key: string, full: string): Row<N> | undefined
  readonly balance: Balances
  sizeOf(log: LogName): number
}

/** What one plan did. */
export interface Overlay extends PlanContext {
  readonly rows: ReadonlyMap<string, Change>
  readonly balances: BalanceChanges
  readonly transfers: readonly Transfer[]
  readonly leaves: readonly PendingLeaf[]
  readonly lates: readonly ((put: Put) => void | Promise<void>)[]
  readonly hooks: readonly (() => void)[]
  /** What it left to be appended when the tick ends, by name. */
  readonly dues: ReadonlyMap<string, () => Uint8Array>
}

/** @throws Fault when the logs take no leaf in this moment. */
const assertOpen = ({ behind, held }: CommitMoment): void => {
  if (held !== undefined) throw held()
  if (behind) throw new Fault('CLOCK_BEHIND')
}

/** Runs a plan in a context. A throw leaves nothing behind. */
export const runPlan = <T>(
  plan: (tx: Transaction) => T,
  context: PlanContext,
  moment: CommitMoment,
): { readonly result: T; readonly overlay: Overlay } => {
  const rows = new Map<string, Change>()
  const ledger = ledgerView(context.balance)
  const leaves: PendingLeaf[] = []
  const lates: ((put: Put) => void | Promise<void>)[] = []
  const hooks: (() => void)[] = []
  let open = true
  const dues = new Map<string, () => Uint8Array>()

  const sizeOf = (log: LogName): number => context.sizeOf(log) + leaves.filter((leaf) => leaf.log === log).length
  const read = <N extends TableName>(table: N, key: string, full = databaseKey(table, key)): Row<N> | undefined => {
    const change = rows.get(full)
    return change === undefined ? context.read(table, key, full) : (change.row as Row<N> | undefined)
  }
  const put: Put = (table, key, row) => {
    assert(open, 'a transaction ends with its plan')
    const full = databaseKey(table, key)
    rows.set(full, { table, key, row, full })
  }
  const tx: Transaction = {
    tick: moment.tick,
    phase: moment.phase,
    meshTick: moment.meshTick,
    get: (table, key) => read(table, key),
    put,
    del: (table, key) => {
      assert(open, 'a transaction ends with its plan')
      const full = databaseKey(table, key)
      rows.set(full, { table, key, row: undefined, full })
    },
    balance: ledger.balance,
    post: (transfer) => {
      assert(open, 'a transaction ends with its plan')
      ledger.post(transfer)
    },
    append: (kind, make, log = 'seal') => {
      assert(open, 'a transaction ends with its plan')
      assertOpen(moment)
      const index = sizeOf(log)
      leaves.push({ kind, index, log, make })
      return index
    },
    appendAtTickEnd: (name, make) => {
      assert(open, 'a transaction ends with its plan')
      assertOpen(moment)
      dues.set(name, make)
    },
    late: (make) => void lates.push(make),
    onDurable: (work) => void hooks.push(work),
  }
  const result = plan(tx)
  assert(!(result instanceof Promise), 'a plan is synchronous')
  open = false
  return {
    result,
    overlay: {
      read,
      balance: ledger.balance,
      sizeOf,
      rows,
      balances: ledger.changes,
      transfers: ledger.transfers,
      leaves,
      lates,
      hooks,
      dues,
    },
  }
}
