import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import { sqrt } from '#numerics/math.ts'
import {
  cholesky,
  product,
  productSymmetric,
  productTransposed,
  solveRows,
  symmetrise,
  traceOf,
  transposeInto,
} from '#numerics/methods/linear/dense.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { startCovariance, systemOf, worldOf } from '#numerics/solvers/kalman/problem.ts'
import type { KalmanInput } from '#numerics/solvers/kalman/schema.ts'

/** What is written down of each step. */
interface Records {
  readonly traces: Float64Array
  readonly gains: Float64Array
  readonly innovations: Float64Array
  readonly deviations: Float64Array
  /** Innovations divided by the factor of their covariance. */
  readonly normalised: Float64Array
}

/** A filter on its way. */
export interface Filter extends Records, Advancing {
  /** Takes in the measurements `from` (inclusive) to `to` (exclusive). */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** Covariance and state of the prediction, and the true state: those of the next measurement. */
  readonly predicted: Float64Array
  readonly estimate: Float64Array
  readonly truth: Float64Array
  /** Covariance after the last measurement, and its gain. */
  readonly filtered: Float64Array
  readonly gain: Float64Array
  readonly settled: () => number
}

/** Relative change of the covariance in a step below which it counts as standing still. */
const STILL = 2e-15

/** How much a step changed a matrix, relative to its diagonal. */
const changeOf = (before: Float64Array, after: Float64Array, n: number): number => {
  let most = 0
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      const scale = sqrt(after[i * n + i] * after[j * n + j])
      const change = Math.abs(after[i * n + j] - before[i * n + j])
      if (change > most * scale) most = scale > 0 ? change / scale : Number.POSITIVE_INFINITY
    }
  }
  return most
}

/** Gain and covariances of one step in Joseph's form, which keeps them semidefinite whatever the rounding. */
const covarianceStep = (input: KalmanInput) => {
  const system = systemOf(input)
  const { n, m, A, C, Q, R } = system
  const square = { rows: n, inner: n, columns: n }
  const CP = new Float64Array(m * n)
  const [S, factor] = [new Float64Array(m * m), new Float64Array(m * m)]
  const [rest, half, turned] = [new Float64Array(n * n), new Float64Array(n * n), new Float64Array(n * n)]
  const noisy = new Float64Array(n * m)
  const [K, filtered, next] = [new Float64Array(n * m), new Float64Array(n * n), new Float64Array(n * n)]
  const take = (P: Float64Array): void => {
    product(C, P, CP, { rows: m, inner: n, columns: n })
    productTransposed(CP, C, S, { rows: m, inner: n, columns: m })
    for (let i = 0; i < S.length; i++) S[i] += R[i]
    symmetrise(S, m)
    cholesky(S, factor, m)
    for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) K[i * m + j] = CP[j * n + i]
    solveRows(factor, K, n, m)
    product(K, C, rest, { rows: n, inner: m, columns: n })
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) rest[i * n + j] = (i === j ? 1 : 0) - rest[i * n + j]
    product(rest, P, half, square)
    transposeInto(half, turned, n)
    productSymmetric(rest, turned, filtered, n)
    product(K, R, noisy, { rows: n, inner: m, columns: m })
    productTransposed(noisy, K, half, { rows: n, inner: m, columns: n })
    for (let i = 0; i < filtered.length; i++) filtered[i] += half[i]
    symmetrise(filtered, n)
    // A·(A·F)ᵀ is A·F·Aᵀ, because F is symmetric.
    product(A, filtered, half, square)
    transposeInto(half, turned, n)
    productSymmetric(A, turned, next, n)
    for (let i = 0; i < next.length; i++) next[i] += Q[i]
    symmetrise(next, n)
  }
  return { system, take, K, S, factor, filtered, next }
}

const recordsOf = (steps: number, n: number, m: number): Records => ({
  traces: new Float64Array(steps),
  gains: new Float64Array(steps * n),
  innovations: new Float64Array(steps * m),
  deviations: new Float64Array(steps * m),
  normalised: new Float64Array(steps * m),
})

/** Digests what was recorded as a chain, one link a step, so that it is the same however the run is cut. */
const chainOf = ({ traces, gains, innovations, deviations, normalised }: Records, n: number, m: number) => {
  let kept: Uint8Array = new Uint8Array(0)
  let linked = 0
  return (taken: number): Uint8Array => {
    for (; linked < taken; linked++) {
      const row = (values: Float64Array, width: number): Uint8Array =>
        littleEndianBytes(values.slice(linked * width, (linked + 1) * width))
      const wide = [innovations, deviations, normalised].map((values) => row(values, m))
      kept = sha256(concat(kept, row(traces, 1), row(gains, n), ...wide))
    }
    return kept
  }
}

/** Sets a filter up at its start. Every record has room for all steps. */
export const filterOf = (input: KalmanInput): Filter => {
  const { system, take, K, S, factor, filtered, next } = covarianceStep(input)
  const { n, m, A, C } = system
  const { steps } = input
  const world = worldOf(input, system)
  const predicted = startCovariance(input)
  const estimate = Float64Array.from({ length: n }, (_, i) => input.x0?.[i] ?? 0)
  const records = recordsOf(steps, n, m)
  const { traces, gains, innovations, deviations, normalised } = records
  const [z, moved] = [new Float64Array(m), new Float64Array(n)]
  let settled = steps
  let taken = 0
  const record = (step: number): void => {
    traces[step] = traceOf(predicted, n)
    for (let i = 0; i < n; i++) {
      let sum = 0
      for (let j = 0; j < m; j++) sum += K[i * m + j] * K[i * m + j]
      gains[step * n + i] = sqrt(sum)
    }
    for (let j = 0; j < m; j++) deviations[step * m + j] = sqrt(S[j * m + j])
  }
  const update = (step: number): void => {
    world.measure(step, z)
    const from = step * m
    for (let j = 0; j < m; j++) {
      let expected = 0
      for (let i = 0; i < n; i++) expected += C[j * n + i] * estimate[i]
      innovations[from + j] = z[j] - expected
      let white = innovations[from + j]
      for (let k = 0; k < j; k++) white -= factor[j * m + k] * normalised[from + k]
      normalised[from + j] = white / factor[j * m + j]
    }
    for (let i = 0; i < n; i++) {
      let value = estimate[i]
      for (let j = 0; j < m; j++) value += K[i * m + j] * innovations[from + j]
      moved[i] = value
    }
    product(A, moved, estimate, { rows: n, inner: n, columns: 1 })
  }
  const advance = (from: number, to: number, each: (step: number) => void): void => {
    for (let step = from; step < to; step++) {
      // Once the covariance stands still, so does the gain: only states are moved on from there.
      const still = settled < steps
      if (!still) take(predicted)
      record(step)
      update(step)
      if (!still) {
        if (changeOf(predicted, next, n) <= STILL) settled = step + 1
        predicted.set(next)
      }
      taken = step + 1
      each(taken)
    }
  }
  const chain = chainOf(records, n, m)
  const bytes = (): Uint8Array => {
    const still = Float64Array.of(settled < steps ? settled : -1)
    return concat(...[predicted, estimate, world.truth, filtered, K, still].map(littleEndianBytes), chain(taken))
  }
  const state = { predicted, estimate, truth: world.truth, filtered, gain: K, settled: () => settled }
  return { advance, bytes, ...state, ...records }
}
