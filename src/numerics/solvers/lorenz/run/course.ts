import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator } from '#numerics/methods/ode/integrator.ts'
import { asSeries, createRecorder, type Recorder, timesOf } from '#numerics/methods/ode/record.ts'
import type { Course } from '#numerics/runtime/course.ts'
import { type Journal, journalOf, type RunOrigin, type StateReader } from '#numerics/runtime/origin.ts'
import { flowOf, horizonOf, lengthAt } from '#numerics/solvers/lorenz/problem.ts'
import type { LorenzInput, LorenzOutput } from '#numerics/solvers/lorenz/schema.ts'
import { BATCH_STEPS, type LorenzEvidence } from '#numerics/solvers/lorenz/schema.ts'
import { createSpectrum, dimensionOf, isZero, spectrumOf } from './spectrum.ts'

/** Error of a step, relative and as a share of the start; where all decays to the origin, of what is left of it. */
const TOLERANCE = 1e-14
const DECAY = 1e-14
/** Least error that is asked for: below, doubles lose their digits. */
const ERROR_MIN = 1e-300
const STEPS_MAX = 500_000

/** A course and then its spectrum, on their way. */
export interface LorenzCourse extends Course<LorenzOutput, LorenzEvidence> {
  /** Steps below `outputs` are intervals of the course, the others batches. */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** The state, the vectors and the step of the batches, and the hashes of what was kept. */
  readonly bytes: () => Uint8Array
}

/** Steps of a run: intervals of the course, then batches. */
export const stepsOf = ({ outputs, batches }: LorenzInput): number => outputs + batches

const UNSEALED =
  'The time lies beyond what doubles can predict from this start: the course is a shadow orbit and has no value.'

/** What a run keeps: its course, and of each batch its growths and where it began and the last one ended. */
interface Kept {
  readonly record: Recorder
  readonly starts: Recorder
  readonly growths: Recorder
}

const keptOf = (journal: Journal, { outputs, batches }: LorenzInput): Kept => {
  const { held, step } = journal
  const batched = Math.max(0, step - outputs)
  const before = held === undefined ? 0 : Math.min(step, outputs) + 1
  return {
    record: createRecorder(journal, { rows: outputs + 1, size: 3, before }),
    starts: createRecorder(journal, { rows: batches + 1, size: 12, before: batched === 0 ? 0 : batched + 1 }),
    growths: createRecorder(journal, { rows: batches, size: 3, before: batched }),
  }
}

/** Keeps the records of the first steps anew, in the order in which they came. */
const keepAnew = (
  tape: StateReader,
  { record, starts, growths }: Kept,
  [step, outputs]: readonly [number, number],
): void => {
  for (let k = 0; k <= Math.min(step, outputs); k++) record.keep(tape.doubles(3))
  if (step > outputs) starts.keep(tape.doubles(12))
  for (let k = outputs; k < step; k++) {
    growths.keep(tape.doubles(3))
    starts.keep(tape.doubles(12))
  }
}

/** A course from its start or where one stopped. Each interval begins afresh from the state. */
export const createCourse = (input: LorenzInput, origin: RunOrigin = {}): LorenzCourse => {
  const { x0, t_max, outputs, batches, rho } = input
  const size = Math.min(1, lengthAt(x0)) * (rho <= 1 ? DECAY : 1)
  const it = createIntegrator(dopri8, flowOf(input), 3, {
    relative: TOLERANCE,
    absolute: Math.max(ERROR_MIN, TOLERANCE * size),
    stepsMax: STEPS_MAX,
  })
  const journal = journalOf(origin)
  const { held, step } = journal
  const state = held?.doubles(3) ?? Float64Array.from(x0)
  const spectrum = createSpectrum(input, held)
  const times = timesOf(t_max, outputs)
  const kept = keptOf(journal, input)
  const { record, starts, growths } = kept
  if (held === undefined) record.keep(state)
  else journal.taken((tape) => keepAnew(tape, kept, [step, outputs]))
  const growth = new Float64Array(3)
  const interval = (k: number): void => {
    it.begin(times[k], state, times[k + 1])
    it.finish()
    state.set(it.y)
    record.keep(state)
  }
  const batch = (k: number): void => {
    if (k === 0) spectrum.settle(state)
    if (k === 0) starts.keep(spectrum.s)
    spectrum.batch(growth)
    growths.keep(growth)
    starts.keep(spectrum.s)
  }
  const output = (): LorenzOutput => {
    const horizon = horizonOf(input) ?? null
    const span = BATCH_STEPS * spectrum.dt()
    const { exponents, errors, convergence } = spectrumOf(growths.rows, span)
    return {
      t_max,
      shadowOrbit: horizon !== null,
      horizon,
      distance: lengthAt(state),
      end: asSeries(state.slice()),
      exponents: asSeries(exponents),
      exponentErrors: asSeries(errors),
      exponentSum: exponents[0] + exponents[1] + exponents[2],
      exponentTime: batches * span,
      dimension: isZero(exponents[0], errors[0]) ? null : dimensionOf(exponents),
      times: asSeries(times),
      x: asSeries(record.column(0)),
      y: asSeries(record.column(1)),
      z: asSeries(record.column(2)),
      convergence: asSeries(convergence),
    }
  }
  return {
    advance: (from, to, each) => {
      for (let step = from; step < to; step++) {
        if (step < outputs) interval(step)
        else batch(step - outputs)
        each(step + 1)
      }
    },
    bytes: () => {
      const numbers = Float64Array.of(...state, ...spectrum.s, spectrum.dt())
      return concat(littleEndianBytes(numbers), record.bytes(), starts.bytes(), growths.bytes())
    },
    finish: () => {
      const found = output()
      const evidence = { starts: starts.rows, growths: growths.rows }
      return { output: found, evidence, ...(found.shadowOrbit ? { unsealed: UNSEALED } : {}) }
    },
  }
}
