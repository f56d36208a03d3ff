import type { Static, TObject } from 'typebox'
import type { Steps } from '#core/claim.ts'
import { evidenceDigest, inputsDigest, resultDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { clean, type Listening, run } from './run.ts'
import { finishRun, type SegmentEnd } from './segment.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality, type Solver } from './solver.ts'
import { type Suggestion, suggestionFor } from './suggestion.ts'

/** What a check found, as a refusal and a claim show it: a measured error that is no number stands as null. */
const asPercent = (errorPct: number): number | null => (Number.isFinite(errorPct) ? errorPct : null)

const sentences = {
  PRECISION_NOT_MET: 'The measured error',
  ENERGY_NOT_CONSERVED: 'The energy drift',
  DID_NOT_CONVERGE: 'The measured error',
} as const

/**
 * The gate: passes a measured error of 0 to 0.1 percent and nothing else; NaN fails.
 *
 * @param wayOut what an error above the bound would take, asked only where there is one.
 * @throws Fault PRECISION_NOT_MET, ENERGY_NOT_CONSERVED or DID_NOT_CONVERGE with `measured` and `bound` in percent and
 * the check's figures beside them (`dt`, `t_max` …); PRECISION_NOT_MET with a `suggestion` where the way out has one.
 */
export const passGate = (reality: Reality, wayOut?: (errorPct: number) => Suggestion | undefined): void => {
  const { errorPct, refusal = 'PRECISION_NOT_MET' } = reality
  if (errorPct >= 0 && errorPct <= ERROR_PCT_MAX) return
  const measured = asPercent(errorPct)
  const figures = Object.fromEntries(Object.entries(reality.figures).filter(([, it]) => Number.isFinite(it)))
  const found = measured === null ? 'could not be measured' : `is ${measured} %, above ${ERROR_PCT_MAX} %`
  const way = refusal === 'PRECISION_NOT_MET' ? (reality.wayOut ?? wayOut?.(errorPct)) : undefined
  const says = way === undefined ? '' : ` ${way.says}`
  throw new Fault(refusal, `${sentences[refusal]} ${found}; nothing was sealed.${says}`, {
    ...figures,
    measured,
    bound: ERROR_PCT_MAX,
    against: reality.against,
    ...(way?.suggestion !== undefined && { suggestion: way.suggestion }),
  })
}

/** An outcome that passed the gate, with its digests. */
export interface Judged<O, E> {
  readonly outcome: Outcome<O, E>
  /** Null for an answer that can have no envelope (`outcome.unsealed` says why). */
  readonly reality: Reality | null
  readonly value: number | null
  readonly inputsDigest: string
  readonly evidenceDigest: string | null
  readonly resultDigest: string
}

/** A result that passed the gate, with every digest that its claim needs. */
export interface Produced<O, E> extends Judged<O, E> {
  readonly steps: Steps | null
  /** SHA-256 of every state's bytes, one after another, where the solver steps. */
  readonly states: Uint8Array | null
}

const judge = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  outcome: Outcome<Static<O>, E>,
): Judged<Static<O>, E> => {
  const reality = outcome.unsealed === undefined ? solver.check(input, outcome) : null
  if (reality !== null) passGate(reality, (errorPct) => suggestionFor(solver, input, errorPct))
  const evidence = evidenceDigest(outcome.evidence)
  const inputs = input as object
  return {
    outcome,
    reality,
    value: solver.value(outcome.output),
    inputsDigest: inputsDigest(solver.input, inputs),
    evidenceDigest: evidence,
    resultDigest: resultDigest(solver.output, outcome.output as object, { inputs, evidence }),
  }
}

/**
 * Runs a solver, has its check measure the outcome, and only then digests it: the whole way of a result in a worker, a
 * replay or a page.
 *
 * @param input the full input, from `resolveInput`.
 * @throws Fault the solver's refusals (400) and those of the gate (422).
 */
export const produce = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  listening?: Listening,
): Produced<Static<O>, E> => {
  const { outcome, steps, states } = run(solver, input, listening)
  return { ...judge(solver, input, outcome), steps, states }
}

/**
 * The digests of an outcome that somebody else computed, once this solver's own check has measured it and the gate let
 * it pass.
 *
 * @throws Fault the refusals of the gate (422).
 */
export const produceFrom = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  outcome: Outcome<Static<O>, E>,
): Judged<Static<O>, E> => judge(solver, input, clean(outcome))

/**
 * The end of a run, from its last state and all that it kept, through its check and the gate: to the digests of the
 * whole run.
 *
 * @param last the last state, with the records of the whole run.
 * @throws Fault as {@link finishRun} does, and the refusals of the gate (422).
 */
export const produceEnd = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  last: SegmentEnd,
): Judged<Static<O>, E> => judge(solver, input, finishRun(solver, input, last))
