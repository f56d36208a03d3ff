import { sqrt } from '#numerics/math.ts'
import { segmentsPct } from '#numerics/methods/ode/segments.ts'
import { alongTaylor } from '#numerics/methods/ode/taylor.ts'
import type { Outcome, Reality } from '#numerics/runtime/solver.ts'
import { horizonOf, lengthAt, rateAt } from '#numerics/solvers/lorenz/problem.ts'
import {
  DIMENSION_ERRORS,
  type LorenzEvidence,
  type LorenzInput,
  type LorenzOutput,
} from '#numerics/solvers/lorenz/schema.ts'
import { checkExponents } from './exponents.ts'
import { lorenzSeries } from './series.ts'
import { dimensionBy, summaryOf } from './summary.ts'

const ORDER = 30
const RELATIVE = 1e-18
const STEPS_MAX = 400_000
/** Steps of the series that a shadow orbit's segments may take together. */
const SHADOW_STEPS_MAX = 20_000
const ECHO = 1e-9
/** Time between outputs in units of the fastest rate up to which the budgets resolve the course. */
const RESOLVED = 0.6

const accuracy = { order: ORDER, relative: RELATIVE, stepsMax: STEPS_MAX }

const distanceOf = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  sqrt(
    [0, 1, 2].reduce(
      (sum, c) => sum + ((a[c] as number) - (b[c] as number)) * ((a[c] as number) - (b[c] as number)),
      0,
    ),
  )

const rowsOf = ({ x, y, z }: LorenzOutput): Float64Array =>
  Float64Array.from({ length: 3 * x.length }, (_, at) => {
    const k = (at - (at % 3)) / 3
    return (at % 3 === 0 ? x[k] : at % 3 === 1 ? y[k] : z[k]) as number
  })

/** How far the course ever gets from its start: the scale of its errors. */
const amplitudeOf = (rows: Float64Array): number => {
  const first = rows.subarray(0, 3)
  let most = 0
  for (let at = 3; at < rows.length; at += 3) most = Math.max(most, distanceOf(first, rows.subarray(at, at + 3)))
  return most
}

/**
 * The course against Taylor series over the whole run, at every output on the scale of the course, at the end also on
 * that of the value.
 */
const coursePct = (input: LorenzInput, { times }: LorenzOutput, rows: Float64Array): number => {
  const amplitude = amplitudeOf(rows)
  const end = lengthAt(rows, rows.length - 3)
  let worst = 0
  const visit = (k: number, state: Float64Array): undefined => {
    const scale = k === times.length - 1 ? Math.min(amplitude, end) : amplitude
    worst = Math.max(worst, distanceOf(state, rows.subarray(3 * k, 3 * k + 3)) / scale)
  }
  const floor = (input.rho <= 1 ? 1e-15 : 1e-3) * Math.min(lengthAt(input.x0), 1)
  const steps = alongTaylor(lorenzSeries(input), { ...accuracy, floor }, { start: input.x0, times, visit })
  return steps === undefined ? Number.NaN : 100 * worst
}

/** A course beyond its horizon: from states at least one time unit apart to every output before the next, summed. */
const shadowPct = (input: LorenzInput, { times }: LorenzOutput, rows: Float64Array): number => {
  const stride = Math.max(1, Math.ceil(input.outputs / input.t_max))
  const kept = Array.from({ length: Math.ceil(input.outputs / stride) }, (_, k) => k * stride)
  const ends = [...kept, input.outputs]
  const amplitude = amplitudeOf(rows)
  const system = lorenzSeries(input)
  const rowAt = (k: number): Float64Array => rows.subarray(3 * k, 3 * k + 3)
  let between = 0
  const flow = (start: Float64Array, began: number, to: number, end: Float64Array): number | undefined => {
    const from = Array.from(times).indexOf(began)
    const until = Array.from(times).indexOf(to)
    const visit = (k: number, state: Float64Array): undefined => {
      between = Math.max(between, distanceOf(state, rowAt(from + k)) / amplitude)
      end.set(state)
    }
    const along = { start, times: Array.from(times).slice(from, until + 1), visit }
    return alongTaylor(system, { ...accuracy, floor: 1e-3 }, along)
  }
  const { errorPct } = segmentsPct(
    {
      times: ends.map((k) => times[k] as number),
      states: Float64Array.from(ends.flatMap((k) => Array.from(rowAt(k)))),
      size: 3,
    },
    flow,
    { distance: (a, b) => distanceOf(a, b) / amplitude, costMax: SHADOW_STEPS_MAX },
  )
  return Math.max(errorPct, 100 * between)
}

/**
 * The budgets x²/2 |_0^T = σ∫(xy − x²) and z |_0^T = ∫(xy − βz) over every stride-th output, by the trapezoidal rule
 * with its end correction (order 4): what is missing, as shares of the integrals of the absolute values.
 */
const budgetGaps = (
  { sigma, rho, beta, t_max, outputs }: LorenzInput,
  rows: Float64Array,
  stride: number,
): readonly [number, number] => {
  const h = (t_max / outputs) * stride
  const sums = [0, 0]
  const sizes = [0, 0]
  for (let k = 0; k <= outputs; k += stride) {
    const [x, y, z] = [rows[3 * k], rows[3 * k + 1], rows[3 * k + 2]]
    const [dx, dy, dz] = [sigma * (y - x), rho * x - x * z - y, x * y - beta * z]
    const values = [sigma * x * (y - x), x * y - beta * z] as const
    const slopes = [sigma * (dx * (y - 2 * x) + x * dy), dx * y + x * dy - beta * dz] as const
    const edge = k === 0 ? 1 : k === outputs ? -1 : 0
    for (let b = 0; b < 2; b++) {
      const [value, slope] = [values[b] as number, slopes[b] as number]
      sums[b] = (sums[b] as number) + (edge === 0 ? h : h / 2) * value + (edge * h * h * slope) / 12
      sizes[b] = (sizes[b] as number) + h * Math.abs(value)
    }
  }
  const at = 3 * outputs
  const moved = [(rows[at] * rows[at] - rows[0] * rows[0]) / 2, rows[at + 2] - rows[2]]
  const gap = (b: number): number => {
    const away = (sums[b] as number) - (moved[b] as number)
    return away === 0 ? 0 : away / (sizes[b] as number)
  }
  return [gap(0), gap(1)]
}

/**
 * The budgets' gaps in percent: as found, and what is left of them beyond what a rule of twice the spacing says is the
 * rule's own. Undefined where outputs are too far apart or odd in number.
 */
const budgetPct = (input: LorenzInput, rows: Float64Array): { found: number; beyond: number } | undefined => {
  const { t_max, outputs } = input
  let fastest = 0
  for (let at = 0; at < rows.length; at += 3) fastest = Math.max(fastest, rateAt(input, rows.subarray(at, at + 3)))
  if (outputs % 2 === 1 || !((t_max / outputs) * fastest <= RESOLVED)) return undefined
  const fine = budgetGaps(input, rows, 1)
  const coarse = budgetGaps(input, rows, 2)
  const beyond = fine.map((gap, b) => Math.max(0, Math.abs(gap) - Math.abs(gap - (coarse[b] as number))))
  return { found: 100 * Math.max(...fine.map(Math.abs)), beyond: 100 * Math.max(...beyond) }
}

const near = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= ECHO * scale

/** A dimension is told where the sign of the largest exponent is, and only there. */
const dimensionHolds = ({ dimension, exponents }: LorenzOutput, found: ReturnType<typeof summaryOf>): boolean => {
  const [largest = Number.NaN] = exponents
  if (largest * largest <= DIMENSION_ERRORS * DIMENSION_ERRORS * found.errors[0] * found.errors[0])
    return dimension === null
  return dimension !== null && near(dimension, dimensionBy(Array.from(exponents)), 3)
}

/** Whether every number that repeats or follows from the rest does. */
const echoes = (input: LorenzInput, output: LorenzOutput, { starts, growths }: LorenzEvidence): boolean => {
  const { outputs, batches, t_max, x0 } = input
  const { x, y, z, times, end, exponents, exponentErrors, convergence } = output
  const lengths =
    [x, y, z, times].every((it) => it.length === outputs + 1) &&
    [end, exponents, exponentErrors].every((it) => it.length === 3) &&
    convergence.length === batches &&
    growths.length === 3 * batches &&
    starts.length === 12 * (batches + 1)
  if (!lengths) return false
  const span = output.exponentTime / batches
  const found = summaryOf(growths, span)
  const sum = (exponents[0] as number) + (exponents[1] as number) + (exponents[2] as number)
  const same = (a: ArrayLike<number>, b: ArrayLike<number>, scale: number): boolean =>
    Array.from(a).every((value, k) => near(value, b[k] as number, scale))
  const horizon = horizonOf(input) ?? null
  const size = Math.abs(exponents[2] as number) + Math.abs(exponents[0] as number)
  return (
    output.t_max === t_max &&
    Array.from(times).every((t, k) => near(t, (k / outputs) * t_max, t_max)) &&
    [x, y, z].every((it, c) => it[0] === x0[c] && it[outputs] === end[c]) &&
    near(output.distance, lengthAt(end), lengthAt(end)) &&
    output.shadowOrbit === (horizon !== null) &&
    (horizon === null ? output.horizon === null : near(output.horizon ?? Number.NaN, horizon, horizon)) &&
    same(exponents, found.exponents, size * 1e-3) &&
    Array.from(exponentErrors).every((it, i) => near(it, found.errors[i], found.errors[i] + size * 1e-3)) &&
    same(convergence, found.convergence, size * 1e-3) &&
    near(output.exponentSum, sum, size) &&
    dimensionHolds(output, found)
  )
}

const AGAINST =
  'Taylor series of order 30 over the whole run, at every output; the budgets of x² and z; the spectrum by batches ' +
  'measured again and by two neighbouring courses'

/** Checks a course and its spectrum: see protocols/solvers/lorenz.md. */
export const checkLorenz = (
  input: LorenzInput,
  { output, evidence }: Outcome<LorenzOutput, LorenzEvidence>,
): Reality => {
  if (!echoes(input, output, evidence)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const rows = rowsOf(output)
  const course = output.shadowOrbit ? shadowPct(input, output, rows) : coursePct(input, output, rows)
  const budget = budgetPct(input, rows)
  const { pct, batchesPct, gap, allowed } = checkExponents(input, output, evidence)
  const trace = -(input.sigma + 1 + input.beta)
  const errorsPct = [course, budget?.beyond ?? 0, pct]
  return {
    against: AGAINST,
    errorPct: Math.max(...errorsPct),
    figures: {
      course_pct: course,
      ...(budget === undefined ? {} : { budget_pct: budget.found }),
      batches_pct: batchesPct,
      exponent_gap: gap,
      exponent_gap_allowed: allowed,
      trace_pct: (100 * Math.abs(output.exponentSum - trace)) / Math.abs(trace),
      t_max: input.t_max,
    },
  }
}
