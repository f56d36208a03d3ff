import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
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
import { type Chain, journalOf, type RunOrigin, refuseState, type StateReader } from '#numerics/runtime/origin.ts'
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
  /** The state as revision 1 told it: without the covariance of the innovation, which a filter at rest steps by. */
  readonly formerBytes: () => Uint8Array
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

/** What is recorded of one step, as views: one record of its own in the running digest. */
const rowsAt = (step: number, records: Records, [n, m]: readonly [number, number]): readonly Float64Array[] => {
  const { traces, gains, innovations, deviations, normalised } = records
  const row = (values: Float64Array, width: number): Float64Array => values.subarray(step * width, (step + 1) * width)
  return [row(traces, 1), row(gains, n), row(innovations, m), row(deviations, m), row(normalised, m)]
}

/** Reads a filter that was stopped back, part by part in the order of its bytes. */
const readBack = (held: StateReader, parts: readonly Float64Array[]): void => {
  for (const part of parts) part.set(held.doubles(part.length))
}

/** The step from which on the covariance stood still, as a state tells it: −1 while it moves. */
const settledOf = (held: StateReader, step: number, steps: number): number => {
  const [still] = held.doubles(1) as unknown as readonly [number]
  if (still === -1) return steps
  if (Number.isInteger(still) && still >= 1 && still <= step && still < steps) return still
  return refuseState(`A filter after ${step} steps did not come to rest at step ${still}.`, still, step)
}

/** Sets a filter up at its start or where one stopped. Every record has room for all steps. */
export const filterOf = (input: KalmanInput, origin: RunOrigin = {}): Filter => {
  const { system, take, K, S, factor, filtered, next } = covarianceStep(input)
  const { n, m, A, C } = system
  const { steps } = input
  const world = worldOf(input, system)
  const predicted = startCovariance(input)
  const estimate = Float64Array.from({ length: n }, (_, i) => input.x0?.[i] ?? 0)
  const records = recordsOf(steps, n, m)
  const { traces, gains, innovations, deviations, normalised } = records
  const [z, moved] = [new Float64Array(m), new Float64Array(n)]
  const journal = journalOf(origin)
  const { held } = journal
  const moving = [predicted, estimate, world.truth, filtered, K]
  if (held !== undefined) readBack(held, [...moving, S])
  let settled = held === undefined ? steps : settledOf(held, journal.step, steps)
  if (settled < steps && !cholesky(S, factor, m)) refuseState('The covariance of the innovation is not definite.', 0, 0)
  const chain: Chain = journal.chain(journal.step)
  if (held !== undefined) {
    journal.taken((tape) => {
      for (let step = 0; step < journal.step; step++) {
        readBack(tape, rowsAt(step, records, [n, m]))
        chain.link(...rowsAt(step, records, [n, m]))
      }
    })
  }
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
      chain.link(...rowsAt(step, records, [n, m]))
      each(step + 1)
    }
  }
  const told = (parts: readonly Float64Array[]): Uint8Array => {
    const still = Float64Array.of(settled < steps ? settled : -1)
    return concat(...[...parts, still].map(littleEndianBytes), chain.digest())
  }
  const bytes = (): Uint8Array => told([...moving, S])
  const formerBytes = (): Uint8Array => told(moving)
  const state = { predicted, estimate, truth: world.truth, filtered, gain: K, settled: () => settled }
  return { advance, bytes, formerBytes, ...state, ...records }
}
