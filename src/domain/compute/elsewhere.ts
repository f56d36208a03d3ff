import type { Json } from '#core/canonical.ts'
import type { Code } from '#core/claim.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Checked, ContributedBy, Report } from './task.ts'

/** A solver's run that another node is to do. */
export interface ElsewhereOrder {
  readonly kind: string
  /** Full inputs, and their digest. */
  readonly inputs: Json
  readonly inputsDigest: string
  /** What is loaded for it here: the worker must load the same. */
  readonly code: Code
  readonly workUnits: number
  /** Steps of a run that steps; null of one that does not. */
  readonly steps: number | null
  /** Whether its pool and whoever disputes it may read the inputs. */
  readonly consent: boolean
}

/** Other nodes, as the compute domain needs them. */
export interface Elsewhere {
  /** How many nodes could be asked now. */
  readonly candidates: number
  /** Says, in the batch in which the result of a work is sealed, which envelope it became. */
  sealed(tx: Transaction, work: string, tokenId: string): void
  /**
   * Has it done by another node, and checks what comes back: samples, an audit if it is drawn, the gate.
   *
   * @throws Fault NO_WORKER, BOND_FULL; the refusals of the gate; the signal's reason.
   */
  run(
    order: ElsewhereOrder,
    controls: { readonly signal: AbortSignal; readonly onReport: (report: Report) => void },
  ): Promise<Checked & { readonly contributed: ContributedBy }>
}
