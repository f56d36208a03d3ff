import type { Row, TableName } from './layout.ts'
import type { LogName } from './rows/log.ts'
import type { Transfer } from './rows/transfer.ts'

/** Writes a row in the batch. */
export type Put = <N extends TableName>(table: N, key: string, row: Row<N>) => void

/**
 * What a caller of `Store.commit` may do, all of it synchronous and all of it in one atomic batch. A throw
 * discards everything this transaction did and reaches the caller, once what it was decided on is durable; others in
 * the batch are untouched. A plan may run more than once (when another one of its batch is refused late), so it changes
 * nothing but its transaction.
 */
export interface Transaction {
  /** The node tick and phase that this transaction commits in; ticks never fall from one transaction to the next. */
  readonly tick: number
  readonly phase: number
  readonly meshTick: number
  get<N extends TableName>(table: N, key: string): Row<N> | undefined
  readonly put: Put
  del(table: TableName, key: string): void
  /** Balance of an account in an asset, with this batch's earlier transfers. */
  balance(asset: string, account: string): number
  /** @throws Fault INSUFFICIENT_BALANCE when an ordinary account would fall below zero. */
  post(transfer: Transfer): void
  /**
   * Appends a leaf to a log, the seal log unless said, and gives its index. The bytes may be made (and signed)
   * concurrently, for the index given here; they begin with `kind` and a line feed.
   *
   * @throws Fault CLOCK_BEHIND while the clock is behind the last durable tick; what `Store.hold` says.
   */
  append(kind: string, make: (index: number) => Uint8Array | Promise<Uint8Array>, log?: LogName): number
  /**
   * Appends a leaf to the seal log when this tick ends, just before its tick leaf. Of several under one name in a tick
   * the last one stands, and of those in one batch it alone is made, which must not fail.
   *
   * @throws Fault CLOCK_BEHIND while the clock is behind the last durable tick.
   */
  appendAtTickEnd(name: string, make: () => Uint8Array): void
  /** Adds rows that depend on the bytes of appended leaves; called once those of this transaction are made. */
  late(make: (put: Put) => void | Promise<void>): void
  /** Called in the moment the batch is durable, before any caller resumes; never when it is refused. */
  onDurable(work: () => void): void
}
