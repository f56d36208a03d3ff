import type { Json } from '#core/canonical.ts'

/** What a caller asks of the table. */
export interface Order {
  /** 1 to 3 domain operators, in the order of the chain; KO42 may be named or left out. Any case. */
  readonly operators: readonly string[]
  /**
   * Symbol, name, alias or `ID.symbol` → a number in the variable's own unit, a text such as `5 km` or `@m_e`, or
   * `{value, unit}`.
   */
  readonly inputs: Readonly<Record<string, unknown>>
  /** The unknown, when it is not the operator's own output: symbol, name, alias or `ID.symbol`. */
  readonly solve_for?: string | null | undefined
  /** Where the unknown lies, in SI, when several roots exist. */
  readonly bracket?: readonly [number, number] | null | undefined
}

/** An order with every spelling gone: computing it again gives the same bits. This is what an inputs digest is over. */
export interface BoundOrder {
  readonly operators: readonly string[]
  /** Symbol, or `ID.symbol` where a symbol means two things, → the value in SI. */
  readonly inputs: Readonly<Record<string, number>>
  readonly solve_for: string | null
  readonly bracket: readonly [number, number] | null
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
}
