import type { Moment } from '#core/clock.ts'
import type { Fault } from '#core/fault.ts'
import type { Snapshot } from './database.ts'
import type { Era, SealLeaf } from './eras.ts'
import type { Founded, Founding } from './found.ts'
import type { Row, TableName } from './layout.ts'
import type { RangeOptions } from './row-reader.ts'
import type { SealLog } from './seal-log.ts'
import type { Transaction } from './transaction.ts'

/** The node's durable memory: one LevelDB, one writer, group-committed fsynced batches. */
export interface Store extends AsyncDisposable {
  /** The seal log. */
  readonly log: SealLog
  /** The event log. */
  readonly events: SealLog
  /** Mesh tick of the first start in this directory: what node ticks count from, in every era. */
  readonly genesisMeshTick: number
  /** Times of this node that are over, with the logs of their keys, oldest first. */
  readonly eras: readonly Era[]
  /** The leaf of the seal logs with a serial number, which counts on through all eras ({@link SealLog.base}). */
  leafAt(serial: number): SealLeaf
  /** The newest leaf of the seal logs with this hash (hex), whichever key signed there. */
  findLeaf(hash: string): Promise<SealLeaf | undefined>
  /** True on the very first start in this directory. */
  readonly fresh: boolean
  /** Now on this node's grid. What lies before the genesis (less than one tick, once) counts as its tick 0, phase 0. */
  now(): Moment
  /** Whether the clock is behind the last durable tick: nothing can be appended until it has passed. */
  readonly clockBehind: boolean
  /** Why nothing can be written any more (a full or broken disk); undefined while all is well. */
  readonly failure: Error | undefined
  /** Why no log takes a leaf and no checkpoint is signed; undefined while they do. */
  readonly held: Fault | undefined
  /** Lets the logs take no leaf, and signs nothing, for a reason that each refusal gives; undefined lets them go on. */
  hold(why: (() => Fault) | undefined): void
  /**
   * Runs `plan` in the single writer, in order of arrival; resolves, or refuses, once its batch is durable and with it
   * all that the plan saw.
   *
   * @throws Fault NODE_BUSY when the queue is full, NODE_STOPPING after disposal, STORE_FAILED after a failed write, or
   * whatever the plan throws.
   */
  commit<T>(plan: (tx: Transaction) => T): Promise<T>
  /**
   * Ends the ticks that are over: tick leaf, then a signed checkpoint of that size, per log that had leaves. The
   * composition root calls it just after each boundary; resolves with whether a checkpoint was made.
   */
  closeTick(): Promise<boolean>
  /**
   * Ends this era and founds the next, in one batch. The store takes nothing more afterwards, and can only be closed.
   * For a succession every leaf must be under a checkpoint.
   */
  found(founding: Founding): Promise<Founded>
  get<N extends TableName>(table: N, key: string): Promise<Row<N> | undefined>
  /** A durable row, at once: for small rows that are likely in the cache. */
  peek<N extends TableName>(table: N, key: string): Row<N> | undefined
  range<N extends TableName>(table: N, options?: RangeOptions): AsyncIterable<readonly [string, Row<N>]>
  /** Everything as it is now, to be read while writes go on. */
  snapshot(): Snapshot
  /** Durable balance of an account in an asset. */
  balance(asset: string, account: string): number
  /** Durable sum of the ordinary accounts of an asset. */
  supply(asset: string): number
}
