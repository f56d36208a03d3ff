import { log } from '#numerics/math.ts'
import { alongTaylor, cauchy, type TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { cycleOf, driftPctOf, periodOf } from '#numerics/solvers/lotka/cycle.ts'
import { isAtRest, reachOf } from '#numerics/solvers/lotka/limits.ts'
import type { LotkaInput, LotkaOutput } from '#numerics/solvers/lotka/schema.ts'

/** Order of the series, and the size of its last terms. */
const ORDER = 26
const RELATIVE = 1e-17
/** Steps of the series for a run; a cycle takes some tens. */
const STEPS_MAX = 4_000_000
/** Relative disagreement of numbers that follow from others. */
const ECHO = 1e-9

/** The equations as they are written, in the populations themselves: x′ = αx − βxy, y′ = δxy − γy. */
const populations = ({ alpha, beta, gamma, delta }: LotkaInput): TaylorSystem => ({
  size: 2,
  series: 2,
  coefficients: ([x, y], order) => {
    if (x === undefined || y === undefined) return
    for (let n = 0; n < order; n++) {
      const meetings = cauchy(x, y, n)
      x[n + 1] = (alpha * x[n] - beta * meetings) / (n + 1)
      y[n + 1] = (delta * meetings - gamma * y[n]) / (n + 1)
    }
  },
})

/** The largest relative error of either population at any output, in units of how far the cycle strays (at most 1). */
const coursePct = (input: LotkaInput, { times, prey, predators }: LotkaOutput, reach: number): number => {
  let worst = 0
  const visit = (k: number, state: Float64Array): undefined => {
    const error = Math.max(
      Math.abs((prey[k] as number) / state[0] - 1),
      Math.abs((predators[k] as number) / state[1] - 1),
    )
    worst = Math.max(worst, error)
  }
  const accuracy = { order: ORDER, relative: RELATIVE, floor: 0, stepsMax: STEPS_MAX }
  const steps = alongTaylor(populations(input), accuracy, { start: [input.x0, input.y0], times, visit })
  return steps === undefined ? Number.NaN : (100 * worst) / Math.min(1, reach)
}

const near = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= ECHO * scale

/** Whether every number that repeats or follows from the input and the courses does. */
const echoes = (input: LotkaInput, output: LotkaOutput, driftPct: number): boolean => {
  const { alpha, beta, gamma, delta, x0, y0, outputs, t_max } = input
  const { times, prey, predators, preyEnd, predatorsEnd } = output
  const lengths = [times, prey, predators].every((it) => it.length === outputs + 1)
  const grid = lengths && Array.from(times).every((t, k) => near(t, (k / outputs) * t_max, t_max))
  const invariant = delta * x0 + beta * y0 - (gamma * log(x0) + alpha * log(y0))
  const terms = delta * x0 + beta * y0 + Math.abs(gamma * log(x0)) + Math.abs(alpha * log(y0))
  const { height } = cycleOf(input)
  const floor = gamma - gamma * log(gamma / delta) + (alpha - alpha * log(alpha / beta))
  const floorTerms = gamma + alpha + Math.abs(gamma * log(gamma / delta)) + Math.abs(alpha * log(alpha / beta))
  return (
    grid &&
    output.method === input.method &&
    output.t_max === t_max &&
    times[0] === 0 &&
    prey[0] === x0 &&
    predators[0] === y0 &&
    preyEnd === prey[outputs] &&
    predatorsEnd === predators[outputs] &&
    near(output.preyEquilibrium, gamma / delta, gamma / delta) &&
    near(output.predatorsEquilibrium, alpha / beta, alpha / beta) &&
    near(output.invariant, invariant, terms) &&
    near(output.invariantExcess, height, height) &&
    near(output.invariantExcess, invariant - floor, terms + floorTerms) &&
    near(output.invariantDriftPct, driftPct, driftPct)
  )
}

/** Whether so many cycles fit the run: a run of t periods has between t − 1 and t + 1 rises, one more than cycles. */
const countsHold = ({ t_max, outputs }: LotkaInput, output: LotkaOutput, exact: number | undefined): boolean => {
  const { cycles, period, prey, preyEquilibrium } = output
  if ((period === null) !== (cycles === 0)) return false
  if (exact === undefined) return cycles === 0
  let seen = 0
  for (let k = 0; k < outputs; k++) {
    if ((prey[k] as number) < preyEquilibrium && (prey[k + 1] as number) >= preyEquilibrium) seen++
  }
  const fits = Math.abs(cycles + 1 - t_max / exact) <= 1 || (cycles === 0 && t_max < 2 * exact)
  return Number.isInteger(cycles) && fits && seen <= cycles + 1
}

const AGAINST =
  'Taylor series of the equations in the populations themselves, at every output; the first integral; the period by ' +
  'quadrature over the cycle'

/**
 * Checks a course: its relative errors against Taylor series, the drift of V on the scale V − V_min, and the period
 * against its quadrature.
 */
export const checkLotka = (input: LotkaInput, output: LotkaOutput): Reality => {
  const cycle = cycleOf(input)
  const rest = isAtRest(cycle)
  const { period } = output
  const invariantPct = driftPctOf(input, cycle, output)
  if (!echoes(input, output, invariantPct)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const exact = periodOf(input, cycle.height)
  const periodPct = period === null ? 0 : (100 * Math.abs(period - exact)) / exact
  const countPct = countsHold(input, output, rest ? undefined : exact) ? 0 : 100
  const course = coursePct(input, output, rest ? 1 : reachOf(cycle))
  const errorsPct = [course, invariantPct, periodPct, countPct]
  return {
    against: AGAINST,
    errorPct: Math.max(...errorsPct),
    figures: {
      course_pct: course,
      invariant_pct: invariantPct,
      period_pct: periodPct,
      period_exact: exact,
      t_max: input.t_max,
    },
  }
}
