import { log, sqrt } from '#numerics/math.ts'
import {
  cholesky,
  product,
  productTransposed,
  solveGeneral,
  solveRows,
  symmetrise,
  traceOf,
  transposed,
} from '#numerics/methods/linear/dense.ts'
import { spectralRadius } from '#numerics/methods/linear/eigenvalues.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { type System, startCovariance, systemOf } from '#numerics/solvers/kalman/problem.ts'
import { type KalmanInput, type KalmanOutput, LAGS, STEPS_MAX } from '#numerics/solvers/kalman/schema.ts'
import { countedAnew, factorOf, toldAnew, whitened } from './recompute-filter.ts'

const AGAINST = 'the algebraic Riccati equation by structure-preserving doubling'

/** Doublings, at most: 2^50 steps of a filter. */
const DOUBLINGS_MAX = 50
const DOUBLED = 1e-15
/** Relative disagreement of a record with its replay by another form of the same recursion. */
const REPLAY = 1e-6
/** The same of the true state, on the largest that each component ever was. */
const TRUTH = 1e-9
/** Share of a deviation at the start below which what is left of it is none. */
const VANISHED = 1e-8
/** Whiteness is a random test: it refuses only what chance does not do. */
const SIGMAS_MAX = 6

/**
 * The stabilising solution of P = A·P·Aᵀ − A·P·Cᵀ·(C·P·Cᵀ + R)⁻¹·C·P·Aᵀ + Q by doubling (Chu, Fan, Lin, Wang,
 * Int. J. Control 77 (2004) 767): k doublings are 2^k steps of the recursion.
 *
 * @returns undefined when it does not settle.
 */
export const riccati = ({ n, m, A, C, Q, R }: System): Float64Array | undefined => {
  const size = { rows: n, inner: n, columns: n }
  const square = (): Float64Array => new Float64Array(n * n)
  // In the letters of the paper A is the transpose of ours, G = CᵀR⁻¹C and H = Q.
  let a = transposed(A, n, n)
  const [factor, solved, g] = [new Float64Array(m * m), transposed(C, m, n), square()]
  cholesky(R, factor, m)
  solveRows(factor, solved, n, m)
  product(solved, C, g, { rows: n, inner: m, columns: n })
  const h = Q.slice()
  for (let doubling = 0; doubling < DOUBLINGS_MAX; doubling++) {
    const [w, right, gat, wga, hw, moved] = [square(), a.slice(), square(), square(), square(), square()]
    product(g, h, w, size)
    for (let i = 0; i < n; i++) w[i * n + i] += 1
    if (!solveGeneral(w.slice(), right, n, n)) return undefined
    productTransposed(g, a, gat, size)
    if (!solveGeneral(w, gat, n, n)) return undefined
    product(a, gat, wga, size)
    product(h, right, hw, size)
    product(transposed(a, n, n), hw, moved, size)
    const next = square()
    product(a, right, next, size)
    a = next
    let most = 0
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        g[i * n + j] += (wga[i * n + j] + wga[j * n + i]) / 2
        h[i * n + j] += (moved[i * n + j] + moved[j * n + i]) / 2
      }
    }
    for (let i = 0; i < n; i++) most = Math.max(most, Math.abs(moved[i * n + i]) / (h[i * n + i] || 1))
    if (!Number.isFinite(most)) return undefined
    if (most <= DOUBLED) return h
  }
  return undefined
}

/** Gain, covariance of the innovation and of the estimate that a predicted covariance gives, in the short form. */
const gainOf = ({ n, m, C, R }: System, P: Float64Array) => {
  const [CP, S, K, filtered] = [new Float64Array(m * n), new Float64Array(m * m), new Float64Array(n * m), P.slice()]
  product(C, P, CP, { rows: m, inner: n, columns: n })
  productTransposed(CP, C, S, { rows: m, inner: n, columns: m })
  for (let i = 0; i < S.length; i++) S[i] += R[i]
  const X = CP.slice()
  solveGeneral(S.slice(), X, m, n)
  K.set(transposed(X, m, n))
  const away = new Float64Array(n * n)
  product(transposed(CP, m, n), X, away, { rows: n, inner: m, columns: n })
  for (let i = 0; i < filtered.length; i++) filtered[i] -= away[i]
  return { K, S, filtered }
}

/** The largest |found − wanted| on the scale √(scale_i·scale_j) of rows and columns, in percent; NaN when broken. */
const distancePct = (
  found: ArrayLike<number>,
  wanted: Float64Array,
  rows: Float64Array,
  columns: Float64Array,
): number => {
  if (found.length !== wanted.length) return Number.NaN
  let most = 0
  for (let i = 0; i < rows.length; i++) {
    for (let j = 0; j < columns.length; j++) {
      const gap = Math.abs((found[i * columns.length + j] as number) - wanted[i * columns.length + j])
      if (Number.isNaN(gap)) return gap
      const scale = rows[i] * columns[j]
      if (gap > 0) most = Math.max(most, scale > 0 ? gap / scale : Number.POSITIVE_INFINITY)
    }
  }
  return 100 * most
}

/** Deviations by a covariance, but no less than a share of those at the start: a variance may vanish in the limit. */
const rootsOf = (matrix: Float64Array, n: number, start?: Float64Array): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => {
    const floor = VANISHED * sqrt(Math.max(0, start?.[i * n + i] ?? 0))
    return Math.max(floor, sqrt(Math.max(0, matrix[i * n + i])))
  })

/** Whether values repeat others to 1e-6 of a scale. */
const repeats = (found: ArrayLike<number>, wanted: ArrayLike<number>, scale: number): boolean => {
  if (found.length !== wanted.length) return false
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [found[i] as number, wanted[i] as number]
    if (!(Math.abs(a - b) <= REPLAY * Math.max(scale, Math.abs(b)))) return false
  }
  return true
}

/** Root of the sum of squares of some values of an array. */
const lengthOf = (values: Float64Array, from: number, to: number): number => {
  let square = 0
  for (let k = from; k < to; k++) square += values[k] * values[k]
  return sqrt(square)
}

/** The run again, step by step in the short form of the covariance. */
const replay = (input: KalmanInput, system: System) => {
  const { n, m, A, C, Q } = system
  const { steps } = input
  const world = toldAnew(input, system)
  const estimate = Float64Array.from({ length: n }, (_, i) => input.x0?.[i] ?? 0)
  const [traces, gains] = [new Float64Array(steps), new Float64Array(steps * n)]
  const [innovations, deviations] = [new Float64Array(steps * m), new Float64Array(steps * m)]
  const normalised = new Float64Array(steps * m)
  const [half, expected] = [new Float64Array(n * n), new Float64Array(m)]
  let P = startCovariance(input)
  let now = gainOf(system, P)
  let factor = factorOf(now.S, m)
  let still = false
  for (let step = 0; step < steps; step++) {
    traces[step] = traceOf(P, n)
    for (let i = 0; i < n; i++) gains[step * n + i] = lengthOf(now.K, i * m, (i + 1) * m)
    for (let j = 0; j < m; j++) deviations[step * m + j] = sqrt(now.S[j * m + j])
    const z = world.next(step)
    product(C, estimate, expected, { rows: m, inner: n, columns: 1 })
    const innovation = z.map((value, j) => value - expected[j])
    innovations.set(innovation, step * m)
    const moved = estimate.slice()
    for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) moved[i] += now.K[i * m + j] * innovation[j]
    product(A, moved, estimate, { rows: n, inner: n, columns: 1 })
    normalised.set(whitened(innovation, factor), step * m)
    if (still) continue
    const next = new Float64Array(n * n)
    product(A, now.filtered, half, { rows: n, inner: n, columns: n })
    productTransposed(half, A, next, { rows: n, inner: n, columns: n })
    for (let i = 0; i < next.length; i++) next[i] += Q[i]
    // The short form lets a difference of the two halves grow, where A does.
    symmetrise(next, n)
    still = next.every((value, i) => Math.abs(value - P[i]) <= 1e-14 * Math.abs(value))
    P = next
    now = gainOf(system, P)
    factor = factorOf(now.S, m)
  }
  const { truth, peaks } = world
  return { traces, gains, innovations, deviations, estimate, truth, peaks, ...countedAnew(normalised, m, LAGS) }
}

/** A − (A·K)·C, which moves the error of a prediction on. */
const loopOf = ({ n, m, A, C }: System, K: Float64Array): Float64Array => {
  const [AK, AKC] = [new Float64Array(n * m), new Float64Array(n * n)]
  product(A, K, AK, { rows: n, inner: n, columns: m })
  product(AK, C, AKC, { rows: n, inner: m, columns: n })
  return A.map((it, i) => it - AKC[i])
}

/** One step of the Riccati equation from a covariance by the gain that belongs to it, in Joseph's form. */
const joseph = ({ n, m, A, C, Q, R }: System, P: Float64Array, K: Float64Array): Float64Array => {
  const kept = new Float64Array(n * n)
  product(K, C, kept, { rows: n, inner: m, columns: n })
  for (let i = 0; i < n * n; i++) kept[i] = (i % (n + 1) === 0 ? 1 : 0) - kept[i]
  const around = (left: Float64Array, middle: Float64Array, inner: number): Float64Array => {
    const [half, whole] = [new Float64Array(n * inner), new Float64Array(n * n)]
    product(left, middle, half, { rows: n, inner, columns: inner })
    productTransposed(half, left, whole, { rows: n, inner, columns: n })
    return whole
  }
  const noise = around(K, R, m)
  const after = around(kept, P, n).map((it, i) => it + noise[i])
  return around(A, after, n).map((it, i) => it + Q[i])
}

const largest = (values: Float64Array): number => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/**
 * Whether a system is the one that the input states: the given matrices, or place and speed under an acceleration
 * that is constant within a step (Q = σ_a²·(dt⁴/4, dt³/2; dt³/2, dt²)). Run and check take it from one function, so
 * that this is worked out anew.
 */
export const isProblemOf = (input: KalmanInput, { n, m, A, C, Q, R }: System): boolean => {
  const { dt, sigmaA, sigmaZ } = input
  const power = sigmaA * sigmaA * dt * dt
  const own = input.model === 'matrices'
  const wanted = own
    ? [input.A, input.C, input.Q, input.R]
    : [[1, dt, 0, 1], [1, 0], [(power * dt * dt) / 4, (power * dt) / 2, (power * dt) / 2, power], [sigmaZ * sigmaZ]]
  return (
    n === input.states &&
    m === input.observations &&
    [A, C, Q, R].every((found, i) => {
      const due = wanted[i] ?? []
      return found.length === due.length && found.every((it, k) => Math.abs(it - due[k]) <= 1e-12 * Math.abs(due[k]))
    })
  )
}

/** Whether the records and the echoes are those of the run's replay. */
const echoes = (input: KalmanInput, output: KalmanOutput, again: ReturnType<typeof replay>): boolean => {
  const sizes = output.states === input.states && output.observations === input.observations
  const spread = largest(again.innovations)
  const whole = Number.isSafeInteger(output.settled) && output.settled >= 1 && output.settled <= input.steps
  // A covariance that stands still does so from the step that is said.
  const late = output.traces.slice(output.settled).every((it) => it === output.traceP)
  return (
    output.model === input.model &&
    sizes &&
    output.steps === input.steps &&
    whole &&
    late &&
    repeats(output.traces, again.traces, 0) &&
    repeats(output.gains, again.gains, largest(again.gains) * 1e-6) &&
    repeats(output.innovations, again.innovations, spread) &&
    repeats(output.deviations, again.deviations, 0) &&
    repeats([output.meanNis], [again.meanNis], 0) &&
    repeats([output.nisSigmas], [again.nisSigmas], 1e-2) &&
    repeats(output.lagSigmas, again.lagSigmas, 1e-2) &&
    repeats(output.estimate, again.estimate, largest(again.truth)) &&
    output.truth.length === again.truth.length &&
    again.truth.every((it, i) => Math.abs(it - (output.truth[i] as number)) <= TRUTH * again.peaks[i])
  )
}

/**
 * Checks a filter: predicted covariance, estimate's covariance and gain against the Riccati equation, each element on
 * the scale of its own variances, and what the equation leaves of the covariance and gain that were sent; the closed
 * loop's radius; the whole run replayed in the short form of the covariance on a world told anew; innovations that are
 * white within 6 sigma.
 */
export const checkKalman = (input: KalmanInput, output: KalmanOutput): Reality => {
  const system = systemOf(input)
  const { n, m } = system
  const again = replay(input, system)
  if (!isProblemOf(input, system) || !echoes(input, output, again))
    return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const exact = riccati(system)
  if (exact === undefined) return { against: AGAINST, errorPct: Number.NaN, refusal: 'DID_NOT_CONVERGE', figures: {} }
  const { K, S, filtered } = gainOf(system, exact)
  const radius = spectralRadius(loopOf(system, K), n)
  const start = startCovariance(input)
  const [state, held, seen] = [rootsOf(exact, n, start), rootsOf(filtered, n, start), rootsOf(S, m)]
  const inverse = seen.map((it) => 1 / it)
  const errorsPct = {
    covariance_pct: distancePct(output.predicted, exact, state, state),
    filtered_pct: distancePct(output.filtered, filtered, held, held),
    // The covariance with its own gain: one step more leaves it where it is.
    residual_pct: distancePct(
      output.predicted,
      joseph(system, Float64Array.from(output.predicted), Float64Array.from(output.gain)),
      state,
      state,
    ),
    gain_pct: distancePct(output.gain, K, state, inverse),
    trace_pct: (100 * Math.abs(output.traceP - traceOf(exact, n))) / traceOf(exact, n),
    radius_pct: 100 * Math.abs(output.closedLoopRadius - radius),
  }
  const white = Math.max(Math.abs(again.nisSigmas), largest(again.lagSigmas))
  const errors = [...Object.values(errorsPct), radius < 1 ? 0 : Number.NaN, white <= SIGMAS_MAX ? 0 : 100]
  const broken = errors.some((it) => !Number.isFinite(it))
  const errorPct = broken ? Number.NaN : errors.reduce((most, it) => Math.max(most, it), 0)
  // What is left of the start shrinks by the square of the closed loop's radius a step.
  const missing = radius < 1 && radius > 0 ? Math.ceil(log(0.01 / errorPct) / (2 * log(radius))) : 0
  return {
    against: AGAINST,
    errorPct,
    refusal: 'DID_NOT_CONVERGE',
    figures: {
      ...errorsPct,
      whiteness_sigmas: white,
      closed_loop_radius: radius,
      ...(errorPct > 0.1 && missing > 0 && input.steps + missing <= STEPS_MAX
        ? { steps_safe: input.steps + missing }
        : {}),
    },
  }
}
