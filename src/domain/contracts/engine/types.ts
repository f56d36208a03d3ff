import type { Reading } from '#core/contract/fire-row.ts'
import type { ContractContext } from '#domain/contracts/context.ts'
import type { MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'

/** What a fire does beyond this node's own chains: another part does it. */
export interface Outward {
  /**
   * Reads a url for an oracle, or what was read a moment ago; undefined when there was no answer that fits.
   *
   * @throws the signal's reason
   */
  read(of: { readonly contract: string; readonly oracle: string }, signal: AbortSignal): Promise<Reading | undefined>
  /** Moves the machine's own token from its owner's holdings. @throws Fault INSUFFICIENT_BALANCE, UNKNOWN_ZID */
  transfer(tx: Transaction, order: TransferOrder): unknown
}

/** Tokens of a machine, on their way from its owner. */
export interface TransferOrder {
  readonly machine: MachineRow
  readonly to: string
  readonly amount: number
  /** The fire and the index of its action: what the ledger names. */
  readonly ref: string
}

export interface EngineContext extends ContractContext {
  readonly outward: Outward
}

/** Levels of calls and of events that events set off. */
export const DEPTH_MAX = 8
/** Contracts whose next cause is decided in one transaction: a plan of some milliseconds. */
export const BATCH_MAX = 32
/** Transactions of the engine that wait for the disk at a time, far below the writer's bound. */
export const BATCHES_MAX = 8
/** Due contracts that one tick looks at before others come in between. */
export const DUE_MAX = 16_384
/** Fires of one owner that compute at a time, and of all. */
export const RUNS_PER_OWNER_MAX = 4
export const RUNS_MAX = 16
/** Mesh ticks after which a contract of a machine that takes no entries is looked at again. */
export const ASLEEP_TICKS = 128
/** Mesh ticks by which an instant may be late and still count as decided in time. */
export const ON_TIME_TICKS = 10
