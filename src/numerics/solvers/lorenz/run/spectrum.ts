import { log, sqrt } from '#numerics/math.ts'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator } from '#numerics/methods/ode/integrator.ts'
import type { StateReader } from '#numerics/runtime/origin.ts'
import { flowOf, type Parameters, rateAt } from '#numerics/solvers/lorenz/problem.ts'
import { BATCH_STEPS, DIMENSION_ERRORS, TURN_STEPS } from '#numerics/solvers/lorenz/schema.ts'

/** A step in units of the fastest rate: 0.005 for Lorenz's own numbers. */
const STEP_RATE = 0.15
/** Time in units of the fastest rate that the state is given to settle on the attractor. */
const SETTLE = 600
const SETTLE_TOLERANCE = 1e-9
const SETTLE_STEPS_MAX = 200_000
const SIZE = 12

/** Measures the Lyapunov exponents batch by batch. */
export interface Spectrum {
  /** State and three tangent vectors, orthonormal between two batches. */
  readonly s: Float64Array
  /** Length of a step. */
  dt(): number
  /** Takes the settling; once, before the first batch. */
  settle(state: ArrayLike<number>): void
  /** Takes a batch; writes the growth of each direction, as powers of e. */
  batch(growth: Float64Array): void
}

/** Gram and Schmidt's way to three orthonormal vectors, the modified one; adds the logarithms of their lengths. */
const orthonormalise = (s: Float64Array, growth: Float64Array): void => {
  for (let i = 0; i < 3; i++) {
    const at = 3 + 3 * i
    for (let j = 0; j < i; j++) {
      const other = 3 + 3 * j
      const share = s[at] * s[other] + s[at + 1] * s[other + 1] + s[at + 2] * s[other + 2]
      for (let axis = 0; axis < 3; axis++) s[at + axis] -= share * s[other + axis]
    }
    const length = sqrt(s[at] * s[at] + s[at + 1] * s[at + 1] + s[at + 2] * s[at + 2])
    growth[i] += log(length)
    for (let axis = 0; axis < 3; axis++) s[at + axis] /= length
  }
}

/** The classical Runge–Kutta step of order 4, in place. */
const createStep = (parameters: Parameters): ((s: Float64Array, h: number) => void) => {
  const rate = flowOf(parameters)
  const [a, b, c, d] = [0, 1, 2, 3].map(() => new Float64Array(SIZE)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const trial = new Float64Array(SIZE)
  return (s, h) => {
    rate(0, s, a)
    for (let i = 0; i < SIZE; i++) trial[i] = s[i] + (h / 2) * a[i]
    rate(0, trial, b)
    for (let i = 0; i < SIZE; i++) trial[i] = s[i] + (h / 2) * b[i]
    rate(0, trial, c)
    for (let i = 0; i < SIZE; i++) trial[i] = s[i] + h * c[i]
    rate(0, trial, d)
    for (let i = 0; i < SIZE; i++) s[i] += (h / 6) * (a[i] + 2 * (b[i] + c[i]) + d[i])
  }
}

/**
 * The spectrum of a system by tangent vectors (Benettin et al., Meccanica 15, 1980, 9).
 *
 * @param held a state that was stopped, if it is not to begin at the start.
 */
export const createSpectrum = (parameters: Parameters, held?: StateReader): Spectrum => {
  const s = held?.doubles(SIZE) ?? new Float64Array(SIZE)
  const step = createStep(parameters)
  let dt = held?.doubles(1)[0] ?? 0
  return {
    s,
    dt: () => dt,
    settle: (state) => {
      const it = createIntegrator(dopri8, flowOf(parameters), 3, {
        relative: SETTLE_TOLERANCE,
        absolute: SETTLE_TOLERANCE,
        stepsMax: SETTLE_STEPS_MAX,
      })
      it.begin(0, state, SETTLE / rateAt(parameters, state))
      it.finish()
      s.set([...it.y, 1, 1, 1, 1, -1, 0, 1, 1, -2])
      dt = STEP_RATE / rateAt(parameters, it.y)
      // No vector lies in a plane that the flow keeps; they turn to where they belong before anything is counted.
      const unused = new Float64Array(3)
      for (let k = 0; k < BATCH_STEPS; k++) {
        step(s, dt)
        if ((k + 1) % TURN_STEPS === 0) orthonormalise(s, unused)
      }
    },
    batch: (growth) => {
      growth.fill(0)
      for (let k = 0; k < BATCH_STEPS; k++) {
        step(s, dt)
        if ((k + 1) % TURN_STEPS === 0) orthonormalise(s, growth)
      }
    },
  }
}

/** Groups of batches for the standard error, at most. */
const GROUPS_MAX = 40

/** Exponents and their standard errors from the growths of all batches (batches × 3), each over a time `span`. */
export const spectrumOf = (
  growths: Float64Array,
  span: number,
): { readonly exponents: Float64Array; readonly errors: Float64Array; readonly convergence: Float64Array } => {
  const batches = growths.length / 3
  const exponents = new Float64Array(3)
  const errors = new Float64Array(3)
  const convergence = new Float64Array(batches)
  const per = Math.ceil(batches / GROUPS_MAX)
  const groups = Math.floor(batches / per)
  for (let i = 0; i < 3; i++) {
    let sum = 0
    for (let k = 0; k < batches; k++) {
      sum += growths[3 * k + i]
      if (i === 0) convergence[k] = sum / ((k + 1) * span)
    }
    exponents[i] = sum / (batches * span)
    let squares = 0
    for (let g = 0; g < groups; g++) {
      let part = 0
      for (let k = g * per; k < (g + 1) * per; k++) part += growths[3 * k + i]
      const away = part / (per * span) - exponents[i]
      squares += away * away
    }
    errors[i] = sqrt(squares / (groups - 1) / groups)
  }
  return { exponents, errors, convergence }
}

/** Whether an exponent may be zero for all that its standard error tells: its sign is then that of noise. */
export const isZero = (exponent: number, error: number): boolean => Math.abs(exponent) <= DIMENSION_ERRORS * error

/**
 * Kaplan and Yorke's dimension: the exponents whose sum is not negative, and the share of the next that makes it so.
 */
export const dimensionOf = (exponents: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < 3; i++) {
    const next = exponents[i] as number
    if (sum + next < 0) return i + sum / Math.abs(next)
    sum += next
  }
  return 3
}
