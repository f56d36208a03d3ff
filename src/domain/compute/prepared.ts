import type { Json } from '#core/canonical.ts'
import type { Recipe } from '#store/rows/job.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Computable, Report } from './task.ts'
import type { Unsealed } from './types.ts'

export interface Execution {
  readonly signal: AbortSignal
  readonly onReport: (report: Report) => void
  /** Keeps an answer under the call's Idempotency-Key, in a batch of the computation's own: for what is not sealed. */
  readonly keep: (tx: Transaction, answer: Json) => void
}

/** A validated and priced computation that has not begun. */
export interface Prepared {
  /** What an Idempotency-Key is one within: `auto`, `compute`, `prove`, `reactor-step`, or the name of a solver. */
  readonly scope: string
  readonly kind: string
  readonly recipe: Recipe
  readonly inputsDigest: string
  /** KO42 first. */
  readonly operators: readonly string[]
  /** Credits; 0 for an answer that can have no envelope. */
  readonly price: number
  /** Units of about 1e6 floating-point operations. */
  readonly work: number
  readonly workMax: number
  /** Another node computes it. */
  readonly away?: true
  /** It is computed while it is started: what is waited for is the disk alone. */
  readonly atOnce?: true
  /**
   * Asked when it takes off, before its price is held: whether it may run now, and what it then keeps others from.
   *
   * @returns what gives that back when it is over.
   * @throws Fault
   */
  enter?(): () => void
  /** What belongs into the batch of its seal. A throw there refuses the seal. */
  record?(tx: Transaction, tokenId: string): void
  /** The answer that {@link Execution.keep} kept, for a repeat; undefined for that of a seal. */
  recall?(answer: unknown): Unsealed | undefined
  /** Computes and checks. @throws Fault of the solver or the gate; the signal's reason. */
  execute(execution: Execution): Promise<Computable>
}
