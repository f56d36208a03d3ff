import type { Static, TObject } from 'typebox'
import type { Moment } from '#core/clock.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { Guide } from './guide.ts'
import type { OnRecord, Stopped } from './origin.ts'

/** The bound of the gate is what a verifier holds a claim to: one number. */
export { ERROR_PCT_MAX } from '#core/claim.ts'

/** What an independent check found. The error is measured; a solver never states its own. */
export interface Reality {
  /** What the output was compared with, in words. */
  readonly against: string
  /** The measured error in percent of the quantity's own scale. NaN when it cannot be checked. */
  readonly errorPct: number
  /** Which refusal an error above the bound is; PRECISION_NOT_MET unless said. */
  readonly refusal?: 'PRECISION_NOT_MET' | 'ENERGY_NOT_CONSERVED' | 'DID_NOT_CONVERGE'
  /** Secondary figures, reported beside the error and in the refusal (e.g. `dt`, `t_max`). */
  readonly figures: Readonly<Record<string, number>>
  /** What the check itself knows of a way out, in place of what an order says: members that pass, a sentence. */
  readonly wayOut?: { readonly suggestion: Readonly<Record<string, unknown>>; readonly says: string }
}

/** Told at most 4 times a second by whoever listens; a solver may call it at every step. */
export type Progress = (report: { readonly step: number; readonly steps: number; readonly residual?: number }) => void

/** An output that is sent, and the evidence that reaches only the check and the digest. Typed arrays are row-major. */
export interface Outcome<O, E> {
  readonly output: O
  readonly evidence: E
  /**
   * Why this answer can have no envelope, as a sentence (multibody without positions). The gate is not asked then: the
   * answer is given without a receipt and nothing is charged.
   */
  readonly unsealed?: string
}

/** A solver whose state can be stopped, hashed and taken up again between any two steps. */
export interface Steppable<I, S, O, E> {
  /** Whole steps of the run, at least 1. */
  steps(input: I): number
  /** The state at the start. What is kept of it, and of every step, is told to `onRecord` in its order. */
  init(input: I, onRecord?: OnRecord): S
  /**
   * A state that steps to the same bytes as the one that was stopped. Only one that has its records can be finished.
   *
   * @throws Fault INVALID_INPUT for bytes that no state of this input has the form of, and for records that do not hash
   * to the state's running digests.
   */
  resume(input: I, stopped: Stopped, onRecord?: OnRecord): S
  /** Takes steps `from` (inclusive) to `to` (exclusive). May work in place; returns the state after step `to`. */
  advance(input: I, state: S, from: number, to: number, progress: Progress): S
  /** What moves, little-endian, then the running digest of the records kept so far: what a step digest is over. */
  bytes(state: S): Uint8Array
  /** Earlier revisions from which today's differs in the bytes of states alone: what those were, for old receipts. */
  readonly formerly?: readonly { readonly revision: number; bytes(state: S): Uint8Array }[]
  finish(input: I, state: S): Outcome<O, E>
}

/** A field on a regular grid, for the envelope's equations and for pictures. */
export interface Field {
  /** Row-major values, `shape[0] × shape[1]` or `shape[0]`. */
  readonly values: Float64Array
  readonly shape: readonly number[]
  /** Node spacing per axis, in metres. */
  readonly spacing: readonly number[]
  readonly boundary: 'fixed' | 'insulated' | 'periodic'
  readonly name: string
  readonly unit: string
  readonly dissipative: boolean
  /** The field one and two steps (of `dt` seconds) earlier, where the solver keeps them. */
  readonly previous?: { readonly dt: number; readonly levels: readonly Float64Array[] }
  /** E in V/m and B in T at the nodes, perpendicular to each other, where the solver has both. */
  readonly light?: { readonly electric: Float64Array; readonly magnetic: Float64Array }
}

/** What a solver may ask of whoever runs it: where the operator rows come from differs from place to place. */
export interface Aid {
  readonly registry: () => OperatorRegistry
}

/** What a solver has before anybody runs it. */
export const withoutAid: Aid = {
  registry: () => {
    throw new Error('broken invariant: a solver that reads the operator rows is run with them, see aided')
  },
}

/**
 * One sealed solver, whole. Inputs carry their defaults in the schema, so `{}` is the documented default case.
 * Everything here is pure: one input, one sequence of bits, on every engine.
 */
export interface Solver<I extends TObject = TObject, O extends TObject = TObject, E = unknown, S = unknown> {
  readonly name: string
  /** Raised whenever the bits of any result change. A member of the output keeps its type and shape for ever. */
  readonly revision: number
  readonly title: string
  readonly summary: string
  readonly domain: string
  readonly method: string
  /** 1 to 3 operator ids of the registry, KO42 not listed. */
  readonly operators: readonly string[]
  /** The unit of `value` in the default case, and in every case unless `unitOf` says. */
  readonly unit: string
  /** The unit of `value` for these inputs, where modes differ. */
  unitOf?(input: Static<I>): string
  /** The operators for these inputs, where modes differ: 1 to 3 ids, KO42 not listed. */
  operatorsOf?(input: Static<I>): readonly string[]
  /** Names of the modules of `#kernels` that take part, `math` included. */
  readonly kernels: readonly string[]
  readonly input: I
  readonly output: O
  /** Bounds on work units for callers without an account, and for everybody. */
  readonly limits: { readonly workAnonymousMax: number; readonly workMax: number }
  /** Problems to begin with, the figures that a practitioner reads first, and inputs that matter to few. */
  readonly guide?: Guide<Static<I>, Static<O>>
  /** Anyone may call it: what is made without a key is issued to the house. */
  readonly keyless?: true
  /** Work in units of about 1e6 floating-point operations, for quotes and limits. */
  work(input: Static<I>): number
  /** Refusals before any work. @throws Fault with the measured number, the limit and a value that would pass. */
  refuse(input: Static<I>): void
  /** Whether a run on these inputs can have an envelope, and so has a price; true unless said. */
  sealable?(input: Static<I>): boolean
  readonly run:
    | { readonly kind: 'whole'; solve(input: Static<I>, progress: Progress): Outcome<Static<O>, E> }
    | ({ readonly kind: 'steps' } & Steppable<Static<I>, S, Static<O>, E>)
  /** Checks the whole output by a route that shares no arithmetic with the run. */
  check(input: Static<I>, outcome: Outcome<Static<O>, E>): Reality
  /** The claim's value: a quantity that the check really tests. */
  value(output: Static<O>): number | null
  /** The field of a result that is one on a regular grid; undefined where a mode's is not. */
  field?(input: Static<I>, outcome: Outcome<Static<O>, E>): Field | undefined
  /** What a practitioner would look at first, the most telling plot first; from input and output alone. */
  plots?(input: Static<I>, output: Static<O>): readonly Plot[]
  /**
   * The same problem taken up where this answer ends: what makes a solver a stateful loop. Everything that the next
   * stretch depends on is in the input returned, bit for bit. Left out by solvers whose answer is no state.
   */
  continued?(input: Static<I>, output: Static<O>): Static<I>
  /** The same solver with what it asks for; left out by solvers that ask for nothing. */
  aided?(aid: Aid): Solver<I, O, E, S>
  /** Whether a run on these inputs reads the operator rows: another registry can then not check its claim. */
  readsRegistry?(input: Static<I>): boolean
  /** The input with what only a node knows, its time: the sealed inputs hold it, and a replay is the same. */
  completed?(input: Static<I>, moment: Moment): Static<I>
}

/** A solver with what it asks of whoever runs it; itself when it asks for nothing. The rows are read once at most. */
export const aided = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  aid: Aid,
): Solver<I, O, E, S> => {
  if (solver.aided === undefined) return solver
  let rows: OperatorRegistry | undefined
  const registry = (): OperatorRegistry => {
    rows ??= aid.registry()
    return rows
  }
  return solver.aided({ registry })
}

/** The unit of the value that a solver gives for these inputs. */
export const unitOf = (solver: Pick<Solver, 'unit' | 'unitOf'>, input: Static<TObject>): string =>
  solver.unitOf?.(input) ?? solver.unit

/** The operators that a solver runs for these inputs, KO42 not listed. */
export const operatorsOf = (
  solver: Pick<Solver, 'operators' | 'operatorsOf'>,
  input: Static<TObject>,
): readonly string[] => solver.operatorsOf?.(input) ?? solver.operators

/** The bounds on work units of a solver that states none. */
const LIMITS: Solver['limits'] = { workAnonymousMax: 5_000, workMax: 500_000 }

type Definition<I extends TObject, O extends TObject, E, S> = Omit<Solver<I, O, E, S>, 'limits'> &
  Partial<Pick<Solver, 'limits'>>

/** Writes a solver down, so that the types of its input, output, evidence and state are kept. */
export const solver = <I extends TObject, O extends TObject, E, S = never>(
  definition: Definition<I, O, E, S>,
): Solver<I, O, E, S> => ({ limits: LIMITS, ...definition })
