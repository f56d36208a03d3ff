import type { Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'

/** What is looked at; each is a statement about a contract that is `proved`, `refuted` or `unknown`. */
export type Rule =
  /** The state is never entered. */
  | 'unreachable'
  /** Nothing leads out of the state, which is not terminal. */
  | 'dead-end'
  /** The transition never goes through. */
  | 'guard-never'
  /** Guards of one trigger, state and priority exclude each other. */
  | 'exclusive'
  /** Transitions of `always` come to an end. */
  | 'always-ends'
  /** Something is declared and not used. */
  | 'unused'
  /** The trigger is never due. */
  | 'never-due'
  /** The trigger comes again before its computations are over. */
  | 'too-fast'
  /** A day of the fastest rate stays within the budget. */
  | 'within-budget'
  /** What a claim says never holds. */
  | 'claim'

/** What happens to a contract, one after the other, from its beginning. */
export interface TraceStep {
  /** Ticks since the beginning. */
  readonly tick: number
  /** An event with its data, or an instant that is due, by the trigger's place in the definition. */
  readonly event?: {
    readonly name: string
    readonly from: string | null
    readonly data: Readonly<Record<string, Scalar>>
  }
  readonly due?: { readonly trigger: Json; readonly at: number }
  /** What oracles give from here on. */
  readonly readings?: Readonly<Record<string, Scalar>>
  /** Where it leads. */
  readonly state: string
  readonly context: Readonly<Record<string, Scalar>>
}

/** One thing that was found out about a contract. */
export interface Finding {
  readonly rule: Rule
  /** A JSON pointer into the definition. */
  readonly path: string
  readonly answer: 'proved' | 'refuted' | 'unknown'
  /** A `fault` keeps a contract from being deployed. */
  readonly severity: 'fault' | 'warning' | 'note'
  /** A sentence. */
  readonly reason: string
  /** What is read, by its name, where it is so; tried on the expressions themselves. */
  readonly witness?: Readonly<Record<string, Scalar>>
  readonly trace?: readonly TraceStep[]
}

/** Findings of one kind that are told; more of them say no more. */
export const FINDINGS_MAX = 256
