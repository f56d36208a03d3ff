import type { Json } from '#core/canonical.ts'

/** What a caller asks of the table. */
export interface Order {
  /** 1 to 3 domain operators, in the order of the chain; KO42 may be named or left out. Any case. */
  readonly operators: readonly string[]
  /**
   * Symbol, name, alias or `ID.symbol` → a number in the variable's own unit, a text such as `5 km` or `@m_e`, or
   * `{value, unit}`; with a standard uncertainty as `5.0 ± 0.1 km` or `{value, uncertainty, unit}`.
   */
  readonly inputs: Readonly<Record<string, unknown>>
  /** The unknown, when it is not the operator's own output: symbol, name, alias or `ID.symbol`. */
  readonly solve_for?: string | null | undefined
  /** Uncertainties beside the values: what a bound order has, and how a common error of several variables is said. */
  readonly uncertainties?: readonly Uncertain[] | null | undefined
  /** Where the unknown lies, in SI, when several roots exist. */
  readonly bracket?: readonly [number, number] | null | undefined
}

/** One error, and the variables that it moves alike. */
export interface Uncertain {
  /** `ID.symbol` each; sorted where the order is bound. */
  readonly of: readonly string[]
  /** Standard uncertainty in SI. */
  readonly standard: number
}

/** An order with every spelling gone: computing it again gives the same bits. This is what an inputs digest is over. */
export interface BoundOrder {
  readonly operators: readonly string[]
  /** Symbol, or `ID.symbol` where a symbol means two things, → the value in SI. */
  readonly inputs: Readonly<Record<string, number>>
  readonly solve_for: string | null
  readonly bracket: readonly [number, number] | null
  /** Absent where no input has an uncertainty, so that the bytes of such an order are what they always were. */
  readonly uncertainties?: readonly Uncertain[]
}

/** How one variable came to its value. */
export interface Binding {
  readonly operator: string
  readonly symbol: string
  readonly name: string
  /** In SI. */
  readonly value: number
  readonly unit: string
  readonly from: 'input' | 'chain'
  /** The caller's name for it and the value as written, or the operator whose output it is. */
  readonly as: string
  readonly given: Json
}

/** Why the linear propagation alone is not enough. */
export type Doubt = 'range' | 'no-derivative' | 'zero-sensitivity' | 'curvature'

/** What one source of uncertainty has to do with the result. */
export interface BudgetRow {
  /** The first variable that it moves, `ID.symbol`, or `@key` of a constant. */
  readonly source: string
  readonly kind: 'input' | 'constant'
  readonly of: readonly string[]
  readonly name: string
  /** In SI; null where the variables of one source have different values. */
  readonly value: number | null
  readonly unit: string
  readonly standard_uncertainty: number
  /** Derivative of the result by this source, SI; null where there is none. */
  readonly sensitivity: number | null
  /** Part of the linear variance, 0 to 1; null where that is zero or has no derivative. */
  readonly share: number | null
}

/** The uncertainty of a result because of its inputs: JCGM 100 (linear) or JCGM 101 (Monte Carlo). */
export interface Propagated {
  readonly standard_uncertainty: number
  readonly unit: string
  readonly method: 'linear' | 'monte-carlo'
  readonly mean: number
  readonly interval: { readonly coverage: number; readonly low: number; readonly high: number }
  /** Standard uncertainty of the linear propagation; null where a derivative is missing. */
  readonly linear: number | null
  readonly doubts: readonly Doubt[]
  readonly budget: readonly BudgetRow[]
  readonly draws: { readonly count: number; readonly refused: number; readonly seed: number } | null
  /** Of the propagation itself, in percent; NaN, which the gate refuses, when it has no measure. */
  readonly check: { readonly against: string; readonly measured: number }
}

/** One operator evaluated. */
export interface Link {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly equation: string
  readonly output: string
  readonly output_name: string
  readonly value: number
  readonly unit: string
  /** `direct`, `isolated` (the unknown stands once) or `root` (bracketed). */
  readonly method: 'direct' | 'isolated' | 'root'
  readonly inputs: Readonly<Record<string, number>>
  readonly constants: Readonly<Record<string, number>>
  /** The measured error of this link, upstream error included, in percent. */
  readonly errorPct: number
  /** The variable that took the previous link's output; null in the first link and where nothing was taken. */
  readonly fed: string | null
  /** What else satisfies the relation, outside the range, the bracket or a condition; told, and under no digest. */
  readonly others: readonly number[]
}

/** One of the seven recorded steps of the pipeline. */
export interface ProtocolStep {
  readonly name: 'SELECT' | 'BIND' | 'VALIDATE' | 'COMPUTE' | 'VERIFY' | 'PULSE' | 'RETURN'
  readonly detail: Readonly<Record<string, Json>>
}

/** A computed order: a function of the order, the rows and the constants alone, with the same bits anywhere. */
export interface Computation {
  /** KO42 first. */
  readonly operators: readonly string[]
  readonly domain: string
  readonly value: number
  readonly unit: string
  readonly output: { readonly operator: string; readonly symbol: string; readonly name: string }
  readonly order: BoundOrder
  readonly bindings: readonly Binding[]
  readonly constants: Readonly<
    Record<string, { readonly value: number; readonly unit: string; readonly exact: boolean }>
  >
  readonly chain: readonly Link[]
  /** The measured error in percent, the largest of the chain; NaN, which the gate refuses, when it has no measure. */
  readonly precisionActual: number
  readonly check: { readonly against: string; readonly measured: number }
  readonly equations: readonly { readonly id: string; readonly name: string; readonly equation: string }[]
  /** SELECT to VERIFY; {@link ProtocolStep} PULSE and RETURN are added by whoever stamps and answers (steps.ts). */
  readonly steps: readonly ProtocolStep[]
  /**
   * What the uncertainties of the inputs make of the result; absent where no input has one. It is the dear part, so it
   * runs when asked for, once.
   *
   * @throws Fault OUT_OF_RANGE when hardly any draw is in range.
   */
  readonly propagate?: () => Propagated
}
