import type { BatchCall, SignedClosing, SignedOpening } from '#core/batch/forms.ts'
import type { Repeat } from '#core/once.ts'
import type { Prepared } from '#domain/compute/prepared.ts'
import type { RequestContext, Sealed } from '#domain/compute/types.ts'
import type { JobProblem } from '#store/rows/job.ts'
import type { AskedBatch, AskedCall } from './sweep.ts'

/** Batches of one caller, and of all, that are under way at once. */
export const BATCHES_PER_OWNER_MAX = 4
export const BATCHES_MAX = 16
/** Batches that are kept, under way or closed: the oldest closed ones go first. */
export const BATCHES_KEPT_MAX = 1_024
/** Computations by operators alone that all batches have under way at once: as many seals share a write. */
export const FORMS_AT_ONCE = 128
/** Calls that are prepared before others have their turn. */
export const PREPARED_AT_ONCE = 16

/** What a call says of a route: the route as it is written, and what of the compute service it is. */
export interface RoutedCall {
  readonly route: string
  readonly kind: string
  readonly input: unknown
}

/** A batch as it was asked for. */
export interface BatchOrder {
  readonly asked: AskedBatch
  /** Reads what one call asks for. @throws Fault of validation */
  readonly routed: (call: AskedCall) => RoutedCall
  /** Whether the batch of the Idempotency-Key is given up; none is begun then. */
  readonly cancel: boolean
}

/** A validated and priced call of a batch. */
export interface PreparedCall {
  readonly call: BatchCall
  readonly prepared: Prepared
}

/** A line of a batch's answer. */
export type BatchLine =
  | ({ readonly kind: 'opening' } & SignedOpening)
  | { readonly kind: 'sealed'; readonly index: number; readonly call: BatchCall; readonly answer: Sealed }
  | {
      readonly kind: 'refused' | 'failed'
      readonly index: number
      readonly call: BatchCall
      readonly problem: JobProblem
    }
  | ({
      readonly kind: 'closing'
      /** C2SP tlog-proofs of both leaves; null while a leaf is only promised. */
      readonly proofs: { readonly opening: string | null; readonly closing: string | null }
    } & SignedClosing)

/** A batch that stands in the log. */
export interface OpenedBatch {
  readonly id: string
  /** True when an Idempotency-Key brought back one that was opened before. */
  readonly replayed: boolean
  /**
   * Its lines in order, each as soon as it is known: the opening, the answers from `after` on, the closing. But for a
   * few that are at hand, answers are read from the store when they are asked for, so a reader that waits costs little
   * memory, and none holds up the runs.
   *
   * @throws the signal's reason; Fault STORE_FAILED, NODE_STOPPING where the batch cannot go on.
   */
  lines(after: number, signal: AbortSignal): AsyncGenerator<BatchLine>
}

/** Calls that are opened together: the log has all of them before the first runs, and in the end how each ended. */
export interface Batches {
  /**
   * Validates, prices and holds every call or none, signs the opening into the log, and begins. The batch goes on
   * whether or not its lines are read, and after a restart of the node.
   *
   * @throws Fault of any call, with its `index`; INSUFFICIENT_BALANCE {price, calls, paid_for}; NODE_BUSY; NOT_FOUND
   * where none stands that is to be given up
   */
  open(order: BatchOrder, asking: RequestContext, repeat: Repeat): Promise<OpenedBatch>
}
