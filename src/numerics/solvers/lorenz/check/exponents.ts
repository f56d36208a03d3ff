import { log, sqrt } from '#numerics/math.ts'
import { alongTaylor } from '#numerics/methods/ode/taylor.ts'
import { lengthAt, type Parameters, rateAt } from '#numerics/solvers/lorenz/problem.ts'
import type { LorenzOutput } from '#numerics/solvers/lorenz/schema.ts'
import { BATCH_STEPS, type LorenzEvidence, TURN_STEPS } from '#numerics/solvers/lorenz/schema.ts'
import { lorenzSeries, tangentSeries } from './series.ts'
import { summaryOf } from './summary.ts'

const ORDER = 20
const RELATIVE = 1e-14
const STEPS_MAX = 20_000
/** Batches that are measured again, at most; they are spread over the run. */
const SAMPLE = 12
/** Share of the fastest rate below which an exponent counts as none, for the scale of its error. */
const RATE_SHARE = 0.01
/** Distance from the origin below which a state counts as at rest there. */
const REST = 1e-9
/** Percent up to which a batch measured again is the same: what RK4 errs by grows within it too. */
const BATCH_PCT_MAX = 0.5

/** Logarithms of length, area and volume that vectors span: sums of growths without an orthogonalisation. */
const spannedBy = (s: Float64Array): readonly [number, number, number] => {
  const [a, b, c] = [3, 6, 9].map((at) => s.subarray(at, at + 3)) as [Float64Array, Float64Array, Float64Array]
  const cross = Float64Array.of(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
  const volume = Math.abs(cross[0] * c[0] + cross[1] * c[1] + cross[2] * c[2])
  return [log(lengthAt(a)), log(lengthAt(cross)), log(volume)]
}

/** The same three vectors made orthonormal by cross products. */
const squared = (s: Float64Array): void => {
  const [a, b, c] = [3, 6, 9].map((at) => s.subarray(at, at + 3)) as [Float64Array, Float64Array, Float64Array]
  const cross = Float64Array.of(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
  const [length, area] = [lengthAt(a), lengthAt(cross)]
  const side = c[0] * cross[0] + c[1] * cross[1] + c[2] * cross[2] < 0 ? -1 : 1
  for (let i = 0; i < 3; i++) {
    a[i] /= length
    c[i] = (side * cross[i]) / area
  }
  const [x, y, z] = [0, 1, 2].map((i) => (side * c[i]) as number) as [number, number, number]
  b.set([y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0]])
}

/** One batch again, by Taylor series of state and vectors: growths, and the state at the end. */
const again = (
  parameters: Parameters,
  start: Float64Array,
  dt: number,
): { readonly growth: readonly number[]; readonly end: Float64Array } | undefined => {
  const system = tangentSeries(parameters)
  const s = start.slice()
  const growth = [0, 0, 0]
  const accuracy = { order: ORDER, relative: RELATIVE, floor: 1e-3, stepsMax: STEPS_MAX }
  for (let turn = 0; turn < BATCH_STEPS / TURN_STEPS; turn++) {
    const times = [0, TURN_STEPS * dt]
    const visit = (_: number, state: Float64Array): undefined => {
      s.set(state)
    }
    if (alongTaylor(system, accuracy, { start: s.slice(), times, visit }) === undefined) return undefined
    const [length, area, volume] = spannedBy(s)
    growth[0] += length
    growth[1] += area - length
    growth[2] += volume - area
    squared(s)
  }
  return { growth, end: s }
}

/**
 * Batches measured again from where they began: the largest error of a growth in percent of what the largest exponent
 * makes in that time, and of the state that the next batch begins with.
 */
const batchesPct = (parameters: Parameters, output: LorenzOutput, { starts, growths }: LorenzEvidence): number => {
  const batches = growths.length / 3
  const span = output.exponentTime / batches
  const taken = Math.min(batches, SAMPLE)
  let worst = 0
  for (let i = 0; i < taken; i++) {
    const k = taken === 1 ? 0 : Math.floor((i * (batches - 1)) / (taken - 1))
    const start = starts.subarray(12 * k, 12 * k + 12)
    const next = starts.subarray(12 * k + 12, 12 * k + 24)
    const found = again(parameters, start, span / BATCH_STEPS)
    if (found === undefined) return Number.NaN
    const rate = RATE_SHARE * rateAt(parameters, start)
    const scale = span * Math.max(Math.abs(output.exponents[0] as number), rate)
    for (let d = 0; d < 3; d++)
      worst = Math.max(worst, Math.abs((found.growth[d] as number) - growths[3 * k + d]) / scale)
    const away = found.end.map((value, c) => value - next[c])
    worst = Math.max(worst, lengthAt(away) / Math.max(lengthAt(next), 1e-6 * lengthAt(start), REST))
  }
  return 100 * worst
}

/** Time of the two courses, in batches, at most. */
const PAIR_BATCHES_MAX = 80
/** Distance at which the two start and to which they are set back, as a share of the state. */
const APART = 1e-8
const PAIR_ORDER = 18

/**
 * The largest exponent by two neighbouring courses, set back to their distance after every turn: no tangent vectors and
 * no Jacobian. Each course by Taylor series.
 */
const byTwoCourses = (parameters: Parameters, start: Float64Array, span: number, batches: number) => {
  const system = lorenzSeries(parameters)
  const turns = BATCH_STEPS / TURN_STEPS
  const times = [0, span / turns]
  const accuracy = { order: PAIR_ORDER, relative: 1e-15, floor: 1e-3, stepsMax: STEPS_MAX }
  const one = start.slice(0, 3)
  const other = one.slice()
  const gap = APART * Math.max(lengthAt(one), 1e-3)
  const tangent = start.subarray(3, 6)
  for (let c = 0; c < 3; c++) other[c] += gap * tangent[c]
  const growths = new Float64Array(3 * batches)
  const follow = (state: Float64Array): void => {
    const visit = (_: number, reached: Float64Array): undefined => {
      state.set(reached)
    }
    if (alongTaylor(system, accuracy, { start: state.slice(), times, visit }) === undefined) state.fill(Number.NaN)
  }
  for (let turn = 0; turn < turns * batches; turn++) {
    follow(one)
    follow(other)
    const away = other.map((value, c) => value - one[c])
    const distance = lengthAt(away)
    growths[3 * Math.floor(turn / turns)] += log(distance / gap)
    for (let c = 0; c < 3; c++) other[c] = one[c] + (away[c] * gap) / distance
  }
  const { exponents, errors } = summaryOf(growths, span)
  return { exponent: exponents[0], error: errors[0], time: batches * span }
}

/** What the spectrum's check found; `pct` is 0, or 100 when batches or the two ways disagree. */
export interface ExponentsFound {
  readonly pct: number
  readonly batchesPct: number
  readonly gap: number
  readonly allowed: number
}

/**
 * Checks the spectrum: batches measured again, and the largest exponent against two courses, within four combined
 * standard errors, what a run of that length cannot tell (3 over its time) and 0.03 % of the sum.
 */
export const checkExponents = (
  parameters: Parameters,
  output: LorenzOutput,
  evidence: LorenzEvidence,
): ExponentsFound => {
  const batches = evidence.growths.length / 3
  const again = batchesPct(parameters, output, evidence)
  const span = output.exponentTime / batches
  const pair = byTwoCourses(parameters, evidence.starts, span, Math.min(batches, PAIR_BATCHES_MAX))
  const gap = Math.abs((output.exponents[0] as number) - pair.exponent)
  const own = output.exponentErrors[0] as number
  const { sigma, beta } = parameters
  const unsure = 3 / output.exponentTime + 3 / pair.time + 3e-4 * (sigma + 1 + beta)
  const allowed = 4 * sqrt(own * own + pair.error * pair.error) + unsure
  const held = gap <= allowed && again <= BATCH_PCT_MAX
  return { pct: held ? 0 : 100, batchesPct: again, gap, allowed }
}
