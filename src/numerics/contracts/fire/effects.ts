import type { Json } from '#core/canonical.ts'
import type { FireProblem } from '#core/contract/fire-row.ts'

/** What a fire does beyond its contract, once it is durable. Its place in the list is its index. */
export type FireEffect =
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: number }
  | {
      readonly kind: 'notify'
      readonly url: string
      readonly body: Json
      readonly headers: Readonly<Record<string, string>>
    }
  | { readonly kind: 'emit'; readonly event: string; readonly data: Readonly<Record<string, Json>> }
  | {
      readonly kind: 'call'
      readonly contract: string
      readonly event: string
      readonly data: Readonly<Record<string, Json>>
    }

/** A computation that a fire waits for, with every value in its place. */
export interface ComputeOrder {
  readonly solver?: string
  readonly operators?: readonly string[]
  readonly inputs: Readonly<Record<string, Json>>
  /** Members of the context, each with the JSON pointer into the result that it takes. */
  readonly bind: Readonly<Record<string, string>>
  /** JSON pointer of the action in the definition. */
  readonly path: string
  /** The transition that is under way. */
  readonly transition: string
}

/**
 * What came of a computation: what is bound, by member of the context, undefined where the result has no such place; or
 * why it was refused; or that it stands for none, and the context stays as it is.
 */
export type ComputeOutcome =
  | { readonly bound: Readonly<Record<string, Json | undefined>> }
  | { readonly refused: FireProblem }
  | { readonly stubbed: true }

/** Thrown within a decision, and caught by it: the fire is refused. */
export class RefusedFire {
  readonly problem: FireProblem

  constructor(problem: FireProblem) {
    this.problem = problem
  }
}

/** Thrown within a decision, and caught by it: it goes on once this has an outcome. */
export class WantedResult {
  readonly order: ComputeOrder

  constructor(order: ComputeOrder) {
    this.order = order
  }
}

/** Ends a decision with a refusal. */
export const refuse = (problem: FireProblem): never => {
  throw new RefusedFire(problem)
}
