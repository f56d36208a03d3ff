import type { Static, TObject } from 'typebox'
import { positiveZero } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { toHex } from '#core/bytes.ts'
import type { Steps } from '#core/claim.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import { sha256 } from '#crypto'
import { ERROR_PCT_MAX, type Outcome, type Progress, type Solver, type Steppable } from './solver.ts'

/** Segments of a run between two digested states, at most: what bisection of a dispute works on. */
export const SEGMENTS_MAX = 4_096

/** Steps between two digested states, by rule: ceil(steps / 4,096). */
export const strideOf = (steps: number): number => Math.ceil(steps / SEGMENTS_MAX)

/** A finished run: its outcome, and the tree over its states where the solver steps. */
export interface Run<O, E> {
  readonly outcome: Outcome<O, E>
  readonly steps: Steps | null
}

/** Where in a run a state stands. */
export interface RunPosition {
  readonly inputsDigest: string
  /** The state's number: S_0 is the one that `init` makes, S_i the one after i strides (the last may be shorter). */
  readonly i: number
  /** Whole steps taken before this state. */
  readonly step: number
}

/** Leaf data of one state: `tickmesh/state/1`, LF, JCS{inputs_digest, i, step, sha256 of the state's bytes}. */
export const stateLeaf = ({ inputsDigest, i, step }: RunPosition, state: Uint8Array): Uint8Array =>
  signedBytes(purposes.state, { inputs_digest: inputsDigest, i, step, sha256: toHex(sha256(state)) })

const runSteps = <I, S, O, E>(
  steppable: Steppable<I, S, O, E>,
  input: I,
  { digest, progress }: { readonly digest: string; readonly progress: Progress },
): Run<O, E> => {
  const steps = steppable.steps(input)
  assert(Number.isSafeInteger(steps) && steps >= 1, 'a run has at least one step')
  const every = strideOf(steps)
  let state = steppable.init(input)
  const leaf = (i: number, step: number): Uint8Array =>
    leafHash(stateLeaf({ inputsDigest: digest, i, step }, steppable.bytes(state)))
  const leaves = [leaf(0, 0)]
  for (let from = 0; from < steps; from += every) {
    const to = Math.min(steps, from + every)
    state = steppable.advance(input, state, from, to, progress)
    leaves.push(leaf(leaves.length, to))
  }
  const outcome = steppable.finish(input, state)
  return { outcome, steps: { root: toHex(rootOf(leaves)), every, count: leaves.length } }
}

/**
 * Runs a solver to its end. Nothing is checked here.
 *
 * @param input the full input, from `resolveInput`.
 * @returns the outcome with −0 turned into 0, and for a steppable solver the Merkle root over its state digests.
 * @throws Fault the solver's own refusals; DID_NOT_CONVERGE for an output that holds a non-finite number.
 */
export const run = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  progress: Progress = () => undefined,
): Run<Static<O>, E> => {
  solver.refuse(input)
  if (solver.run.kind === 'whole') return { outcome: clean(solver.run.solve(input, progress)), steps: null }
  const { outcome, steps } = runSteps(solver.run, input, {
    digest: inputsDigest(solver.input, input as object),
    progress,
  })
  return { outcome: clean(outcome), steps }
}

const clean = <O, E>(outcome: Outcome<O, E>): Outcome<O, E> => {
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
