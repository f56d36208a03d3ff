import type { Transaction } from './transaction.ts'

/** Whoever waits for an answer of the writer. */
export interface Awaiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** A plan that waits to be durable. */
export interface QueuedPlan extends Awaiting {
  readonly plan: (tx: Transaction) => unknown
}

/** What is queued: a plan, or to end the ticks that are over and nothing else. */
export type Queued = QueuedPlan | (Awaiting & { readonly plan: undefined })

/** Whether something that is queued is a plan. */
export const isPlan = (it: Queued): it is QueuedPlan => it.plan !== undefined
