import { Fault } from '#core/fault.ts'
import { pow, sqrt } from '#numerics/math.ts'
import type { StageWeights, Tableau } from './tableau.ts'

/** Writes dy/dt at t into `rate`. */
export type Derivative = (t: number, y: Float64Array, rate: Float64Array) => void

/** What an integration is asked for. */
export interface Accuracy {
  /** Error of a step as a share of each component, and in its own unit; the sum of both is what is kept to. */
  readonly relative: number
  readonly absolute: number | Float64Array
  /** Longest step. */
  readonly stepMax?: number
  /** Steps from one `begin` to its end, rejected ones included. */
  readonly stepsMax: number
}

/** Where an integration is. Nothing but `t` and `y` enters the next `begin`. */
export interface Integrator {
  readonly y: Float64Array
  /** Time of `y`, and that of the state before the last step. */
  t(): number
  from(): number
  /** Derivatives taken since it was made. */
  evaluations(): number
  /** Takes up a state at t afresh: the first step is estimated from this state and `end` alone. */
  begin(t: number, y: ArrayLike<number>, end: number): void
  /** One step, never beyond the end. @throws Fault DID_NOT_CONVERGE when the steps are spent or have no length. */
  step(): void
  /** Takes steps until the end. */
  finish(): void
  /** The state at a time within the last step, by the interpolant. */
  at(t: number, out: Float64Array): void
}

const SAFETY = 0.9
const GROWTH_MAX = 6
const SHRINK_MIN = 1 / 3
const GROWTH_MIN_EXPONENT = 1e-10

/** A step that moves t by less than this share of it has no length. */
const LENGTH_MIN = 2e-15

const spent = (why: string, t: number, end: number): never => {
  throw new Fault('DID_NOT_CONVERGE', `The integration stopped at ${t} of ${end}: ${why}.`, { reached: t, t_max: end })
}

/** Σ of the row's weights times its stages, component i; `k` holds stage after stage. */
const combined = ({ at, by }: StageWeights, k: Float64Array, base: { readonly n: number }, i: number): number => {
  let sum = 0
  for (let m = 0; m < at.length; m++) sum += by[m] * k[at[m] * base.n + i]
  return sum
}

/** Root mean square of values in units of the allowed error. */
const rootMean = (values: Float64Array, allowed: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const share = values[i] / allowed[i]
    sum += share * share
  }
  return sqrt(sum / values.length)
}

interface Work {
  readonly tableau: Tableau
  readonly derivative: Derivative
  readonly n: number
  readonly y: Float64Array
  readonly next: Float64Array
  readonly before: Float64Array
  readonly scratch: Float64Array
  readonly allowed: Float64Array
  readonly floor: Float64Array
  /** Derivatives of the stages, one after the other, and a view of each. */
  readonly k: Float64Array
  readonly stage: readonly Float64Array[]
  /** Terms of the interpolant, one after the other. */
  readonly terms: Float64Array
  readonly relative: number
  t: number
  from: number
  end: number
  h: number
  taken: number
  evaluations: number
  interpolated: boolean
}

const evaluate = (work: Work, t: number, y: Float64Array, into: number): void => {
  work.derivative(t, y, work.stage[into] as Float64Array)
  work.evaluations++
}

const allow = (work: Work, other: Float64Array): void => {
  const { n, y, allowed, floor, relative } = work
  for (let i = 0; i < n; i++) allowed[i] = floor[i] + relative * Math.max(Math.abs(y[i]), Math.abs(other[i]))
}

/** The first step by the sizes of state, derivative and second derivative (Hairer, Nørsett, Wanner, II.4). */
const firstStep = (work: Work, stepMax: number): number => {
  const { n, y, next, scratch, allowed, tableau, end, t } = work
  const span = end - t
  const sign = span < 0 ? -1 : 1
  allow(work, y)
  const first = work.stage[0] as Float64Array
  const size = rootMean(y, allowed)
  const slope = rootMean(first, allowed)
  const guess = Math.min(size < 1e-5 || slope < 1e-5 ? 1e-6 : (0.01 * size) / slope, stepMax, Math.abs(span))
  for (let i = 0; i < n; i++) next[i] = y[i] + sign * guess * first[i]
  evaluate(work, t + sign * guess, next, 1)
  const second = work.stage[1] as Float64Array
  for (let i = 0; i < n; i++) scratch[i] = second[i] - first[i]
  const bend = rootMean(scratch, allowed) / guess
  const steepest = Math.max(slope, bend)
  const wanted = steepest <= 1e-15 ? Math.max(1e-6, 1e-3 * guess) : pow(0.01 / steepest, tableau.exponent)
  const h = Math.min(100 * guess, wanted, stepMax, Math.abs(span))
  return sign * (h > 0 ? h : Math.abs(span))
}

/** One attempt of length h from y into `next`. @returns its error in units of what is allowed. */
const attempt = (work: Work, h: number): number => {
  const { tableau, n, y, next, scratch, k, allowed, t } = work
  const { stages, nodes, end, errors } = tableau
  for (let s = 0; s < stages.length; s++) {
    const row = stages[s] as StageWeights
    for (let i = 0; i < n; i++) scratch[i] = y[i] + h * combined(row, k, work, i)
    evaluate(work, t + (nodes[s + 1] as number) * h, scratch, s + 1)
  }
  for (let i = 0; i < n; i++) next[i] = y[i] + h * combined(end, k, work, i)
  evaluate(work, t + h, next, nodes.length)
  allow(work, next)
  const [first, second] = errors as readonly [StageWeights, StageWeights | undefined]
  for (let i = 0; i < n; i++) scratch[i] = combined(first, k, work, i)
  const main = rootMean(scratch, allowed)
  if (second === undefined) return Math.abs(h) * main
  for (let i = 0; i < n; i++) scratch[i] = combined(second, k, work, i)
  const other = rootMean(scratch, allowed)
  const both = main * main + 0.01 * other * other
  return both === 0 ? 0 : (Math.abs(h) * main * main) / sqrt(both)
}

/** The terms of the interpolant of the last step, of length h. */
const interpolate = (work: Work): void => {
  const { tableau, n, k, before, y, terms, scratch, from, t } = work
  const { extra, extraNodes, nodes, dense } = tableau
  const h = t - from
  for (let s = 0; s < extra.length; s++) {
    const row = extra[s] as StageWeights
    for (let i = 0; i < n; i++) scratch[i] = before[i] + h * combined(row, k, work, i)
    evaluate(work, from + (extraNodes[s] as number) * h, scratch, nodes.length + 1 + s)
  }
  const last = nodes.length * n
  for (let i = 0; i < n; i++) {
    const moved = y[i] - before[i]
    terms[i] = moved
    terms[n + i] = h * k[i] - moved
    terms[2 * n + i] = 2 * moved - h * (k[last + i] + k[i])
    for (let d = 0; d < dense.length; d++) terms[(3 + d) * n + i] = h * combined(dense[d] as StageWeights, k, work, i)
  }
  work.interpolated = true
}

const workOf = (tableau: Tableau, derivative: Derivative, n: number, accuracy: Accuracy): Work => {
  const stages = tableau.nodes.length + 1 + tableau.extra.length
  const k = new Float64Array(stages * n)
  const { absolute } = accuracy
  return {
    tableau,
    derivative,
    n,
    y: new Float64Array(n),
    next: new Float64Array(n),
    before: new Float64Array(n),
    scratch: new Float64Array(n),
    allowed: new Float64Array(n),
    floor: typeof absolute === 'number' ? new Float64Array(n).fill(absolute) : Float64Array.from(absolute),
    k,
    stage: Array.from({ length: stages }, (_, s) => k.subarray(s * n, (s + 1) * n)),
    terms: new Float64Array((3 + tableau.dense.length) * n),
    relative: accuracy.relative,
    t: 0,
    from: 0,
    end: 0,
    h: 0,
    taken: 0,
    evaluations: 0,
    interpolated: false,
  }
}

/** Takes the step over: `next` becomes y, its derivative the first stage of the next step once that begins. */
const accept = (work: Work, t: number): void => {
  work.before.set(work.y)
  work.y.set(work.next)
  work.from = work.t
  work.t = t
  work.interpolated = false
}

const takeStep = (work: Work, { stepMax = Number.POSITIVE_INFINITY, stepsMax }: Accuracy): void => {
  const { stage, tableau } = work
  if (work.t === work.end) return
  if (work.from !== work.t) stage[0]?.set(stage[tableau.nodes.length] as Float64Array)
  let grow = GROWTH_MAX
  for (;;) {
    const left = work.end - work.t
    const last = Math.abs(left) <= 1.01 * Math.abs(work.h)
    const h = last ? left : work.h
    if (!last && Math.abs(h) <= LENGTH_MIN * Math.abs(work.t)) spent('the step has no length', work.t, work.end)
    if (work.taken++ >= stepsMax) spent(`${stepsMax} steps are spent`, work.t, work.end)
    const error = attempt(work, h)
    const wanted = SAFETY / pow(Math.max(error, GROWTH_MIN_EXPONENT), tableau.exponent)
    if (error <= 1) {
      const size = Math.abs(h) * Math.min(grow, Math.max(SHRINK_MIN, wanted))
      work.h = (h < 0 ? -1 : 1) * Math.min(size, stepMax)
      accept(work, last ? work.end : work.t + h)
      return
    }
    work.h = h * (Number.isFinite(error) ? Math.max(SHRINK_MIN, Math.min(1, wanted)) : 0.1)
    grow = 1
  }
}

/**
 * An integrator by an explicit Runge–Kutta pair with steps of its own choice.
 *
 * @param n components of the state.
 */
export const createIntegrator = (
  tableau: Tableau,
  derivative: Derivative,
  n: number,
  accuracy: Accuracy,
): Integrator => {
  const work = workOf(tableau, derivative, n, accuracy)
  const { y, before, terms } = work
  const step = (): void => takeStep(work, accuracy)
  return {
    y,
    t: () => work.t,
    from: () => work.from,
    evaluations: () => work.evaluations,
    begin: (t, start, end) => {
      y.set(start)
      before.set(start)
      work.t = t
      work.from = t
      work.end = end
      work.taken = 0
      work.interpolated = false
      evaluate(work, t, y, 0)
      work.h = firstStep(work, accuracy.stepMax ?? Number.POSITIVE_INFINITY)
    },
    step,
    finish: () => {
      while (work.t !== work.end) step()
    },
    at: (t, out) => {
      if (work.t === work.from) {
        out.set(y)
        return
      }
      if (!work.interpolated) interpolate(work)
      const theta = (t - work.from) / (work.t - work.from)
      const count = 3 + tableau.dense.length
      for (let i = 0; i < n; i++) {
        let value = 0
        for (let d = count - 1; d >= 0; d--) value = (value + terms[d * n + i]) * (d % 2 === 0 ? theta : 1 - theta)
        out[i] = before[i] + value
      }
    },
  }
}
