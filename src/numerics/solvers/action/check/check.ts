import { sin, sqrt } from '#numerics/math.ts'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { segmentsPct } from '#numerics/methods/ode/segments.ts'
import { alongTaylor } from '#numerics/methods/ode/taylor.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { apartOf, exactRows, henonHeilesSeries } from '#numerics/solvers/action/exact.ts'
import { horizonOfAction } from '#numerics/solvers/action/limits.ts'
import { orderOf } from '#numerics/solvers/action/order.ts'
import {
  energyErrorsOf,
  haste,
  largestOf,
  type Problem,
  problemOf,
  rk4StepsOf,
  sampleTimes,
  scheduleOf,
} from '#numerics/solvers/action/problem.ts'
import type { ActionInput, ActionOutput } from '#numerics/solvers/action/schema.ts'
import { areMeasuresOf, isStartOf } from './recompute-problem.ts'
import { recomputeRk4 } from './recompute-rk4.ts'

const ECHO = 1e-9
/** Disagreement of repeated side runs, as a share; and in percent of the energy where rounding is all there is. */
const REPEAT = 1e-3
const ROUNDING_PCT = 1e-11
/** What rounding makes of the error of a coarse step, where the motion is even. */
const LADDER_ROUNDING = 3e-13
/** Orders that the observed one may fall short: coarse steps are not yet in the limit. */
const ORDER_SLACK = 1.5

/** The checker's own force: acceleration of (x, y). */
const forceOf = ({ system, kepler, pendulum }: ActionInput) => {
  if (system === 'kepler') {
    return (x: number, y: number): readonly [number, number] => {
      const r = sqrt(x * x + y * y)
      return [((-kepler.mu / r) * (x / r)) / r, ((-kepler.mu / r) * (y / r)) / r]
    }
  }
  if (system === 'pendulum')
    return (x: number): readonly [number, number] => [(-pendulum.g / pendulum.length) * sin(x), 0]
  return (x: number, y: number): readonly [number, number] => [-x * (1 + 2 * y), y * (y - 1) - x * x]
}

type Force = ReturnType<typeof forceOf>

/** Stages of the composition one by one: half kick, drift, half kick. */
const composed = (
  force: Force,
  weights: Float64Array,
  { state, h, steps }: { state: Float64Array; h: number; steps: number },
) => {
  const [s, half] = [state.slice(), h / 2]
  for (let step = 0; step < steps; step++) {
    for (const weight of weights) {
      const before = force(s[0], s[1])
      s[2] += weight * half * before[0]
      s[3] += weight * half * before[1]
      s[0] += weight * h * s[2]
      s[1] += weight * h * s[3]
      const after = force(s[0], s[1])
      s[2] += weight * half * after[0]
      s[3] += weight * half * after[1]
    }
  }
  return s
}

/** Whether RK4's energies are those of a run of the checker's own. */
const rk4Holds = (input: ActionInput, output: ActionOutput, problem: Problem): boolean => {
  const { steps, dt, every, samples } = scheduleOf(input, problem)
  const takeSteps = recomputeRk4(input)
  const stages = compositionOf(input.order).length
  const state = problem.start.slice()
  const columns = [0, 1, 2, 3].map(() => new Float64Array(samples))
  columns.forEach((column, c) => {
    column[0] = state[c]
  })
  let taken = 0
  for (let k = 1; k < samples; k++) {
    const span = Math.min(steps, k * every) - (k - 1) * every
    const count = rk4StepsOf(span, stages)
    takeSteps(state, (span * dt) / count, count)
    taken += count
    columns.forEach((column, c) => {
      column[k] = state[c]
    })
  }
  const errors = energyErrorsOf(problem, columns)
  const worst = largestOf(errors)
  const room = REPEAT * worst + ROUNDING_PCT * sqrt(taken)
  return (
    output.rk4Steps === taken &&
    output.rk4EnergyErrorPct.length === samples &&
    errors.every((error, k) => Math.abs(error - (output.rk4EnergyErrorPct[k] as number)) <= room) &&
    Math.abs(output.rk4EnergyDriftPct - worst) <= room &&
    Math.abs(output.rk4EnergyDriftPct - largestOf(output.rk4EnergyErrorPct)) <= ECHO * worst
  )
}

/** Whether the errors of the coarse steps are those of compositions of the checker's own, and the order theirs. */
const ladderHolds = (input: ActionInput, output: ActionOutput, problem: Problem): boolean => {
  const { start, period, place, rate } = problem
  const room = LADDER_ROUNDING * haste(problem) * haste(problem)
  const { orderSteps, orderErrors, observedOrder } = output
  if (observedOrder === null) return orderSteps.length === 0 && orderErrors.length === 0
  const order = orderOf({ steps: orderSteps, errors: orderErrors })
  const end = exactRows(input, [0, period])?.subarray(4)
  if (order === undefined || end === undefined || orderErrors.length !== orderSteps.length) return false
  const weights = compositionOf(input.order)
  const same = Array.from(orderSteps).every((n, i) => {
    if (!Number.isInteger(n) || n < 1 || n > 4_096) return false
    const found = composed(forceOf(input), weights, { state: start, h: period / n, steps: n })
    const error = apartOf(found, end, { place, rate })
    return Math.abs(error - (orderErrors[i] as number)) <= REPEAT * error + room
  })
  return same && Math.abs(order - observedOrder) <= ECHO && observedOrder >= input.order - ORDER_SLACK
}

const near = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= ECHO * scale

/** Whether every number that repeats or follows from the rest does. */
const echoes = (input: ActionInput, output: ActionOutput, problem: Problem): boolean => {
  const { steps, dt, samples } = scheduleOf(input, problem)
  const { times, x, y, u, v, end, energyErrorPct } = output
  if ([times, x, y, u, v, energyErrorPct].some((it) => it.length !== samples)) return false
  const columns = [x, y, u, v].map((it) => Float64Array.from(it))
  const state = columns.map((it) => it[samples - 1]) as [number, number, number, number]
  const pendulum = input.system === 'pendulum'
  const ends = pendulum ? [state[0], state[2]] : state
  const wanted = sampleTimes(input)
  const horizon = horizonOfAction(input) ?? null
  const errors = energyErrorsOf(problem, columns)
  const drift = largestOf(errors)
  const place = pendulum ? state[0] : sqrt(state[0] * state[0] + state[1] * state[1])
  return (
    isStartOf(input, problem.start) &&
    areMeasuresOf(input, problem) &&
    output.system === input.system &&
    output.order === input.order &&
    output.stages === compositionOf(input.order).length &&
    output.steps === steps &&
    near(output.dt, dt, dt) &&
    near(output.period, problem.period, problem.period) &&
    near(output.t_max, input.periods * problem.period, output.t_max) &&
    output.motion === problem.motion &&
    output.shadowOrbit === (horizon !== null) &&
    (horizon === null ? output.horizon === null : near(output.horizon ?? Number.NaN, horizon, horizon)) &&
    near(output.place, place, Math.abs(place)) &&
    end.length === ends.length &&
    ends.every((it, i) => it === end[i]) &&
    columns.every((it, c) => it[0] === problem.start[c]) &&
    Array.from(times).every((t, k) => near(t, wanted[k], output.t_max)) &&
    near(output.energyStart, problem.energy(problem.start), problem.energyScale) &&
    near(output.energyEnd, problem.energy(state), problem.energyScale) &&
    errors.every((error, k) => near(error, energyErrorPct[k] as number, drift)) &&
    near(output.energyDriftPct, drift, drift)
  )
}

/** Steps of the series that a shadow orbit's segments may take together. */
const SHADOW_STEPS_MAX = 40_000

/** A course beyond its horizon: from every output to the next, by Taylor series, summed. */
const shadowPct = (output: ActionOutput, rows: Float64Array, problem: Problem): number =>
  segmentsPct(
    { times: output.times, states: rows, size: 4 },
    (start, from, to, end) => {
      const visit = (_: number, state: Float64Array): undefined => {
        end.set(state)
      }
      const accuracy = { order: 24, relative: 1e-17, floor: 1e-2 * problem.place, stepsMax: SHADOW_STEPS_MAX }
      return alongTaylor(henonHeilesSeries, accuracy, { start, times: [from, to], visit })
    },
    { distance: (a, b) => apartOf(a, b, problem), costMax: SHADOW_STEPS_MAX },
  ).errorPct

/** The course against the exact one at every output; the end also on the scale of the value. */
const coursePct = (input: ActionInput, output: ActionOutput, rows: Float64Array, problem: Problem): number => {
  const exact = exactRows(input, output.times)
  if (exact === undefined) return Number.NaN
  let worst = 0
  for (let at = 0; at < rows.length; at += 4) {
    worst = Math.max(worst, apartOf(rows.subarray(at, at + 4), exact.subarray(at, at + 4), problem))
  }
  const last = rows.length - 4
  const away = apartOf(rows.subarray(last), exact.subarray(last), { place: 1, rate: Number.POSITIVE_INFINITY })
  const size = input.system === 'kepler' ? Math.min(problem.place, Math.abs(output.place)) : problem.place
  return 100 * Math.max(worst, away / size)
}

const againsts = {
  kepler: 'the closed form of the orbit (Lagrange’s f and g) at every output',
  pendulum: 'Jacobi’s elliptic functions by the arithmetic–geometric mean at every output',
  'henon-heiles': 'Taylor series of order 30 over the whole run, at every output',
} as const

/** Checks a run: see protocols/solvers/action.md. */
export const checkAction = (input: ActionInput, output: ActionOutput): Reality => {
  const against = `${againsts[input.system]}; the energy`
  const problem = problemOf(input)
  if (!echoes(input, output, problem)) return { against, errorPct: 100, figures: { echo_wrong: 1 } }
  const { x, y, u, v } = output
  const rows = Float64Array.from({ length: 4 * x.length }, (_, at) => {
    const column = [x, y, u, v][at % 4] as readonly number[]
    return column[(at - (at % 4)) / 4] as number
  })
  const course = output.shadowOrbit ? shadowPct(output, rows, problem) : coursePct(input, output, rows, problem)
  const energy = largestOf(output.energyErrorPct)
  const rk4 = output.shadowOrbit || rk4Holds(input, output, problem)
  const ladder = ladderHolds(input, output, problem)
  const errorsPct = [course, energy, rk4 && ladder ? 0 : 100]
  return {
    against,
    errorPct: Math.max(...errorsPct),
    figures: {
      course_pct: course,
      energy_pct: energy,
      rk4_repeated: rk4 ? 1 : 0,
      order_repeated: ladder ? 1 : 0,
      dt: output.dt,
      t_max: output.t_max,
    },
  }
}
