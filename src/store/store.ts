import type { SealLog } from './seal-log.ts'
import type { Row, Table, TableName } from './layout.ts'

/** One movement between two accounts of one asset: double entry, integers, never edited. */
export interface Transfer {
  readonly asset: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly reason: string
  /** What caused it: a token id, a key id, a claim day. */
  readonly ref: string
}

/**
 * What a caller of {@link Store.commit} may do, all of it synchronous and all of it in one atomic batch. A throw
 * discards everything this transaction did and reaches the caller; others in the batch are untouched.
 */
export interface Transaction {
  /** The node tick and phase that this transaction commits in; ticks never fall from one transaction to the next. */
  readonly tick: number
  readonly phase: number
  readonly meshTick: number
  get<N extends TableName>(table: N, key: string): Row<N> | undefined
  put<N extends TableName>(table: N, key: string, row: Row<N>): void
  del(table: TableName, key: string): void
  /** Balance of an account in an asset, with this batch's earlier transfers. */
  balance(asset: string, account: string): number
  /** @throws Fault INSUFFICIENT_BALANCE when an ordinary account would fall below zero. */
  post(transfer: Transfer): void
  /** Appends a leaf to the seal log. The bytes may be made (and signed) concurrently, for the index given here. */
  append(kind: string, make: (index: number) => Uint8Array | Promise<Uint8Array>): number
}

export interface RangeOptions {
  readonly gt?: string
  readonly gte?: string
  readonly lt?: string
  readonly lte?: string
  readonly reverse?: boolean
  readonly limit?: number
}

/** The node's durable memory: one LevelDB, one writer, group-committed fsynced batches. */
export interface Store extends AsyncDisposable {
  readonly log: SealLog
  /** Runs `plan` in the single writer, in order of arrival; resolves once its batch is durable. */
  commit<T>(plan: (tx: Transaction) => T): Promise<T>
  get<N extends TableName>(table: N, key: string): Promise<Row<N> | undefined>
  range<N extends TableName>(table: N, options?: RangeOptions): AsyncIterable<readonly [string, Row<N>]>
  /** Durable balance of an account in an asset. */
  balance(asset: string, account: string): number
}

export type { Row, Table, TableName }
