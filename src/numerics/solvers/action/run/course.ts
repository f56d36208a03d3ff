import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { sqrt } from '#numerics/math.ts'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { asSeries, createRecorder, type Recorder } from '#numerics/methods/ode/record.ts'
import type { Course } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { horizonOfAction } from '#numerics/solvers/action/limits.ts'
import { orderOf } from '#numerics/solvers/action/order.ts'
import {
  energyErrorsOf,
  largestOf,
  type Problem,
  problemOf,
  rk4StepsOf,
  sampleTimes,
  scheduleOf,
} from '#numerics/solvers/action/problem.ts'
import type { ActionInput, ActionOutput } from '#numerics/solvers/action/schema.ts'
import { ladderOf } from './ladder.ts'
import { loopsOf } from './loops.ts'
import { composedOf, NO_RK4, type Rk4 } from './motion.ts'

/** A run on its way, RK4 beside it. */
export interface ActionCourse extends Course<ActionOutput, null> {
  /** Both states, and the hashes of what was kept of each. */
  readonly bytes: () => Uint8Array
}

const UNSEALED =
  'The course is chaotic beyond what doubles can predict: it shadows some other start’s and has no value.'

/** Answers kept after so many steps, the start among them. */
const keptAfter = (step: number, { steps, every }: { readonly steps: number; readonly every: number }): number =>
  step === steps ? Math.ceil(steps / every) + 1 : Math.floor(step / every) + 1

/** Where a run came to, and what it kept on its way there. */
interface End {
  readonly state: Float64Array
  readonly record: Recorder
  readonly otherRecord: Recorder
  readonly rk4Steps: number
}

const reportOf = (
  input: ActionInput,
  problem: Problem,
  { state, record, otherRecord, rk4Steps }: End,
): ActionOutput => {
  const { steps, dt } = scheduleOf(input, problem)
  const { start, period } = problem
  const column = (c: number): readonly number[] => asSeries(record.column(c))
  const errors = energyErrorsOf(problem, [0, 1, 2, 3].map(record.column))
  const otherErrors = energyErrorsOf(problem, [0, 1, 2, 3].map(otherRecord.column))
  const ladder = ladderOf(input)
  const horizon = horizonOfAction(input) ?? null
  const pendulum = input.system === 'pendulum'
  return {
    system: input.system,
    order: input.order,
    stages: compositionOf(input.order).length,
    steps,
    dt,
    period,
    t_max: input.periods * period,
    motion: problem.motion,
    shadowOrbit: horizon !== null,
    horizon,
    place: pendulum ? state[0] : sqrt(state[0] * state[0] + state[1] * state[1]),
    end: asSeries(pendulum ? Float64Array.of(state[0], state[2]) : state.slice()),
    energyStart: problem.energy(start),
    energyEnd: problem.energy(state),
    energyDriftPct: largestOf(errors),
    rk4Steps,
    rk4EnergyDriftPct: largestOf(otherErrors),
    observedOrder: orderOf(ladder) ?? null,
    orderSteps: asSeries(Float64Array.from(ladder.steps)),
    orderErrors: asSeries(Float64Array.from(ladder.errors)),
    times: asSeries(sampleTimes(input)),
    x: column(0),
    y: column(1),
    u: column(2),
    v: column(3),
    energyErrorPct: asSeries(errors),
    rk4EnergyErrorPct: asSeries(otherErrors),
  }
}

/** A run from its start or where one stopped. */
export const createAction = (input: ActionInput, origin: RunOrigin = {}): ActionCourse => {
  const problem = problemOf(input)
  const [{ start }, loops] = [problem, loopsOf(input)]
  const { steps, dt, every, samples } = scheduleOf(input, problem)
  const weights = compositionOf(input.order)
  const by = composedOf(weights, dt)
  const journal = journalOf(origin)
  const { held } = journal
  const pair = held?.doubles(8) ?? Float64Array.of(...start, ...start)
  const state = pair.subarray(0, 4)
  const other = pair.subarray(4)
  const before = held === undefined ? 0 : keptAfter(journal.step, { steps, every })
  const record = createRecorder(journal, { rows: samples, size: 4, before })
  const otherRecord = createRecorder(journal, { rows: samples, size: 4, before })
  const keep = (row: Float64Array, otherRow: Float64Array): void => {
    record.keep(row)
    otherRecord.keep(otherRow)
  }
  if (held === undefined) keep(state, other)
  else
    journal.taken((tape) => {
      for (let k = 0; k < before; k++) keep(tape.doubles(4), tape.doubles(4))
    })
  let rk4Steps = 0
  for (let k = 1; k < before; k++) rk4Steps += rk4StepsOf(Math.min(every, steps - (k - 1) * every), weights.length)
  /** RK4's steps over the last `span` of the composition's, to the same time. */
  const following = (span: number): Rk4 => {
    const taken = rk4StepsOf(span, weights.length)
    rk4Steps += taken
    return { steps: taken, h: (span * dt) / taken }
  }
  return {
    advance: (from, to, each) => {
      for (let done = from; done < to; ) {
        // In one call up to the next answer or the end of what was asked for.
        const kept = Math.min(steps, (Math.floor(done / every) + 1) * every)
        const until = Math.min(to, kept)
        const rk4 = until === kept ? following(until - (Math.ceil(until / every) - 1) * every) : NO_RK4
        loops(pair, { steps: until - done, by }, rk4)
        done = until
        if (until === kept) keep(state, other)
        each(done)
      }
    },
    bytes: () => concat(littleEndianBytes(pair), record.bytes(), otherRecord.bytes()),
    finish: () => {
      const found = reportOf(input, problem, { state, record, otherRecord, rk4Steps })
      return { output: found, evidence: null, ...(found.shadowOrbit ? { unsealed: UNSEALED } : {}) }
    },
  }
}
