import type { Static, TObject } from 'typebox'
import { concat } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { cutOf, stepAt } from '#core/states.ts'
import { clean, type Listening } from './run.ts'
import type { Outcome, Solver, Steppable } from './solver.ts'

/** What a segment gives: the state after it, and what it kept on its way. */
export interface SegmentEnd {
  /** Bytes of the state, the running digests of the records at their end. */
  readonly bytes: Uint8Array
  /** Records of this segment alone, one after another. Those of all segments in turn are those of the run. */
  readonly records: Uint8Array
}

/** The state that a segment begins with. */
export interface SegmentStart {
  /** The segment's number: it leads from state S_index to the next. */
  readonly index: number
  readonly bytes: Uint8Array
  /** Segments that are run in one go; one unless said. To take a state up may cost more than a segment does. */
  readonly count?: number
}

/** How a solver steps. @throws Fault INVALID_INPUT for one that runs as a whole. */
const steppingOf = <I extends TObject, O extends TObject, E, S>({
  name,
  run,
}: Solver<I, O, E, S>): Steppable<Static<I>, S, Static<O>, E> => {
  if (run.kind === 'steps') return run
  throw new Fault('INVALID_INPUT', `${name} does not step: it has no states.`)
}

/** Keeps what a run hands over. */
const createTape = () => {
  const kept: Uint8Array[] = []
  return { onRecord: (record: Uint8Array): void => void kept.push(record), all: (): Uint8Array => concat(...kept) }
}

/** Segments of a run on these inputs. @throws Fault INVALID_INPUT for a solver that does not step. */
export const segmentsOfRun = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
): number => cutOf(steppingOf(solver).steps(input)).segments

/**
 * The first state of a run, S_0.
 *
 * @param input the full input, from `resolveInput`.
 * @throws Fault the solver's own refusals.
 */
export const beginRun = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
): SegmentEnd => {
  const steppable = steppingOf(solver)
  solver.refuse(input)
  const tape = createTape()
  const bytes = steppable.bytes(steppable.init(input, tape.onRecord)).slice()
  return { bytes, records: tape.all() }
}

/**
 * Runs one segment, or some in one go, from the state that they begin with, which may come from anywhere: to the bits of
 * the whole run, if that state is one of its.
 *
 * @param input the full input, from `resolveInput`.
 * @throws Fault the solver's own refusals; INVALID_INPUT for a segment that the run does not have, and for bytes that
 * are no state.
 */
export const runSegment = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  { index, bytes, count = 1, progress = () => undefined }: SegmentStart & Pick<Listening, 'progress'>,
): SegmentEnd => {
  const steppable = steppingOf(solver)
  solver.refuse(input)
  const steps = steppable.steps(input)
  const { segments } = cutOf(steps)
  const last = index + count - 1
  const isThere = [index, count].every(Number.isSafeInteger) && index >= 0 && count >= 1 && last < segments
  if (!isThere) {
    throw new Fault('INVALID_INPUT', `There is no segment ${last}: the run has ${segments}.`, {
      measured: last,
      limit: segments - 1,
    })
  }
  const [from, to] = [stepAt(steps, index), stepAt(steps, index + count)]
  const tape = createTape()
  const state = steppable.resume(input, { step: from, bytes }, tape.onRecord)
  const end = steppable.bytes(steppable.advance(input, state, from, to, progress))
  return { bytes: end.slice(), records: tape.all() }
}

/**
 * What a run ends with, from its last state and all that it kept.
 *
 * @param input the full input, from `resolveInput`.
 * @param last the last state, with the records of the whole run.
 * @throws Fault the solver's own refusals; INVALID_INPUT for bytes that are no state and records that are not its;
 * DID_NOT_CONVERGE for an output that holds a non-finite number.
 */
export const finishRun = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  input: Static<I>,
  last: SegmentEnd,
): Outcome<Static<O>, E> => {
  const steppable = steppingOf(solver)
  solver.refuse(input)
  return clean(steppable.finish(input, steppable.resume(input, { step: steppable.steps(input), ...last })))
}

/**
 * A solver as an earlier revision of it was, where that told its states in other bytes and was the same in all else:
 * for the replay of what it sealed. Its states cannot be taken up.
 *
 * @param named name and revision, as a claim has them.
 * @returns the solver itself for its own revision and for all others.
 */
export const asSealed = <I extends TObject, O extends TObject, E, S>(
  solver: Solver<I, O, E, S>,
  named: string,
): Solver<I, O, E, S> => {
  const { run } = solver
  if (run.kind !== 'steps') return solver
  const former = run.formerly?.find(({ revision }) => named === `${solver.name}@${revision}`)
  if (former === undefined) return solver
  const resume = (): never => {
    throw new Fault('INVALID_INPUT', `States of ${named} cannot be taken up.`)
  }
  return { ...solver, revision: former.revision, run: { ...run, bytes: (state) => former.bytes(state), resume } }
}
