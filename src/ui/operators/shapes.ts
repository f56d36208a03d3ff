/** A variable of a relation, as its row has it. */
export interface VariableShape {
  readonly name: string
  readonly unit: string
  readonly aliases?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly positive?: boolean
  readonly integer?: boolean
}

export type Variables = Readonly<Record<string, VariableShape>>

/** A relation as a search lists it. */
export interface OperatorRow {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly equation: string
  readonly source: string
  readonly solves_for: readonly string[]
  readonly variables: Variables
  readonly refused: { readonly kind?: string; readonly reason?: string; readonly see?: readonly string[] } | null
}

/** A relation's worked case. */
export interface ExampleShape {
  readonly inputs: Readonly<Record<string, number | string>>
  readonly output: string
  readonly value: number
  readonly unit: string
  readonly note?: string
}

/** A relation whole, as `GET /api/operators/{id}` shows it. */
export interface OperatorDetail extends OperatorRow {
  readonly example: ExampleShape | null
  readonly digest: string
}

/** A variable of a way to a quantity. */
interface WayVariable {
  readonly operator: string
  readonly symbol: string
  readonly name: string
  readonly unit: string
}

/** One operator, or a chain of two, that gives a wanted quantity. */
export interface WayShape {
  readonly operators: readonly string[]
  readonly output: WayVariable
  readonly links: readonly {
    readonly operator: string
    readonly name: string
    readonly equation: string
    readonly solve_for: string
  }[]
  readonly missing: readonly WayVariable[]
  readonly fed: { readonly from: WayVariable; readonly to: WayVariable } | null
}

/** What `GET /api/operators/find` answers, as far as the page reads it. */
export interface Ways {
  readonly count: number
  readonly operators: readonly WayShape[]
  readonly chain_count: number
  readonly chains: readonly WayShape[]
}

/** What the uncertainties of inputs make of a result (protocols/operators/README.md). */
export interface Propagated {
  readonly standard_uncertainty: number
  readonly unit: string
  readonly method: 'linear' | 'monte-carlo'
  readonly mean: number
  readonly interval: { readonly coverage: number; readonly low: number; readonly high: number }
  readonly doubts: readonly string[]
  readonly budget: readonly BudgetRow[]
  readonly draws: { readonly count: number; readonly refused: number } | null
}

export interface BudgetRow {
  readonly source: string
  readonly kind: 'input' | 'constant'
  readonly of: readonly string[]
  readonly name: string
  readonly value: number | null
  readonly unit: string
  readonly standard_uncertainty: number
  readonly sensitivity: number | null
  readonly share: number | null
}
