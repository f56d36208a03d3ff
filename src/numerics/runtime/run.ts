import type { Static, TObject } from 'typebox'
import { positiveZero } from '#core/arrays.ts'
import type { Steps } from '#core/claim.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { cutOf, STATE_DIGEST_BYTES, stepAt, stepsOf } from '#core/states.ts'
import { sha256 } from '#crypto'
import type { OnRecord } from './origin.ts'
import { ERROR_PCT_MAX, type Outcome, type Progress, type Solver, type Steppable } from './solver.ts'

/** A finished run: its outcome, and what is known of its states where the solver steps. */
export interface Run<O, E> {
  readonly outcome: Outcome<O, E>
  /** The tree over its states. */
  readonly steps: Steps | null
  /** SHA-256 of every state's bytes, one after another: what the tree is over. */
  readonly states: Uint8Array | null
}

/** Who is told how far a run is, and who is handed what it keeps. */
export interface Listening {
  readonly progress?: Progress | undefined
  readonly onRecord?: OnRecord | undefined
  /** Told of every digested state, by its number; the bytes are its own only until it returns. */
  readonly onState?: ((i: number, bytes: Uint8Array) => void) | undefined
}

const silent: Progress = () => undefined

const runSteps = <I, S, O, E>(
  steppable: Steppable<I, S, O, E>,
  input: I,
  { progress = silent, onRecord, onState }: Listening,
): { readonly outcome: Outcome<O, E>; readonly steps: number; readonly states: Uint8Array } => {
  const steps = steppable.steps(input)
  const { segments, count } = cutOf(steps)
  const states = new Uint8Array(count * STATE_DIGEST_BYTES)
  const take = (i: number, bytes: Uint8Array): void => {
    states.set(sha256(bytes), i * STATE_DIGEST_BYTES)
    onState?.(i, bytes)
  }
  let state = steppable.init(input, onRecord)
  take(0, steppable.bytes(state))
  for (let i = 0; i < segments; i++) {
    state = steppable.advance(input, state, stepAt(steps, i), stepAt(steps, i + 1), progress)
    take(i + 1, steppable.bytes(state))
  }
  return { outcome: steppable.finish(input, state), steps, states }
}

/**
 * Runs a solver to its end. Nothing is checked here.
 *
 * @param input the full input, from `resolveInput`.
 * @returns the outcome with −0 turned into 0, and for a steppable solver the digests of its states with their tree.
 * @throws Fault the solver's own refusals; DID_NOT_CONVERGE for an output that holds a non-finite number.
 */
export const run = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  listening: Listening = {},
): Run<Static<O>, E> => {
  solver.refuse(input)
  if (solver.run.kind === 'whole') {
    return { outcome: clean(solver.run.solve(input, listening.progress ?? silent)), steps: null, states: null }
  }
  const { outcome, steps, states } = runSteps(solver.run, input, listening)
  const digest = inputsDigest(solver.input, input as object)
  return { outcome: clean(outcome), steps: stepsOf({ inputsDigest: digest, steps, digests: states }), states }
}

/** An outcome with −0 turned into 0. @throws Fault DID_NOT_CONVERGE where it holds a number that is not finite. */
export const clean = <O, E>(outcome: Outcome<O, E>): Outcome<O, E> => {
  try {
    return { ...outcome, output: positiveZero(outcome.output) }
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'NOT_CANONICAL') throw cause
    throw new Fault('DID_NOT_CONVERGE', 'The result holds numbers that are not finite; nothing was sealed.', {
      measured: null,
      bound: ERROR_PCT_MAX,
    })
  }
}
