import { sqrt } from '#numerics/math.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { streamOf } from '#numerics/methods/random.ts'
import { SEMIDEFINITE_SLACK, type System, startCovariance } from '#numerics/solvers/kalman/problem.ts'
import type { KalmanInput } from '#numerics/solvers/kalman/schema.ts'
import type { Whiteness } from '#numerics/solvers/kalman/whiteness.ts'

// What the check draws and counts by itself. It shares with the run the random numbers and nothing else.

/** The lower factor of a semidefinite matrix, one column after another taken off what is left. */
export const factorOf = (matrix: Float64Array, n: number): Float64Array => {
  const [left, factor] = [matrix.slice(), new Float64Array(n * n)]
  for (let j = 0; j < n; j++) {
    const pivot = left[j * n + j]
    if (!(pivot > SEMIDEFINITE_SLACK * Math.abs(matrix[j * n + j]))) continue
    for (let i = j; i < n; i++) factor[i * n + j] = left[i * n + j] / sqrt(pivot)
    for (let i = j; i < n; i++) for (let k = j; k <= i; k++) left[i * n + k] -= factor[i * n + j] * factor[k * n + j]
  }
  return factor
}

/** A matrix of so many rows times a vector. */
const times = (matrix: Float64Array, values: Float64Array, rows: number): Float64Array => {
  const [columns, found] = [values.length, new Float64Array(rows)]
  for (let i = 0; i < rows; i++) {
    let sum = 0
    for (let j = 0; j < columns; j++) sum += matrix[i * columns + j] * values[j]
    found[i] = sum
  }
  return found
}

/** The world that is measured, told anew: its state, how far each component ever was from zero, its measurements. */
export interface Told {
  readonly truth: Float64Array
  readonly peaks: Float64Array
  /** The measurement of this number, counted from the first; the state then moves on. */
  readonly next: (number: number) => Float64Array
}

/** The world of an input by its own factors, draws and sums. */
export const toldAnew = (input: KalmanInput, { n, m, A, C, Q, R }: System): Told => {
  const [moves, errors] = [factorOf(Q, n), factorOf(R, m)]
  const drawn = (stream: number, from: number, count: number): Float64Array => {
    const { uniform } = streamOf(input.seed, stream)
    return Float64Array.from({ length: count }, (_, j) => inverseNormal(uniform(from + j)))
  }
  const start = (): Float64Array =>
    times(factorOf(startCovariance(input), n), drawn(0, 0, n), n).map((it, i) => it + (input.x0?.[i] ?? 0))
  const truth = input.truth === undefined ? start() : Float64Array.from(input.truth)
  const peaks = truth.map(Math.abs)
  const next = (number: number): Float64Array => {
    const draws = drawn(1, (input.first + number) * (n + m), n + m)
    const off = times(errors, draws.subarray(n), m)
    const measured = times(C, truth, m).map((it, i) => it + off[i])
    const push = times(moves, draws.subarray(0, n), n)
    truth.set(times(A, truth, n).map((it, i) => it + push[i]))
    for (let i = 0; i < n; i++) peaks[i] = Math.max(peaks[i], Math.abs(truth[i]))
    return measured
  }
  return { truth, peaks, next }
}

/** An innovation in units of its own covariance: what solves factor · x = innovation, by the factor of that. */
export const whitened = (innovation: Float64Array, factor: Float64Array): Float64Array => {
  const m = innovation.length
  const left = innovation.slice()
  for (let j = 0; j < m; j++) {
    left[j] /= factor[j * m + j]
    for (let i = j + 1; i < m; i++) left[i] -= factor[i * m + j] * left[j]
  }
  return left
}

/** N squares of normals have the mean N and the variance 2·N; N products of two of them the mean 0 and variance N. */
export const countedAnew = (white: Float64Array, m: number, lags: number): Whiteness => {
  const total = white.reduce((sum, it) => sum + it * it, 0)
  const count = white.length
  const lagSigmas = Float64Array.from({ length: lags }, (_, k) => {
    const apart = (k + 1) * m
    return white.subarray(apart).reduce((sum, it, i) => sum + it * white[i], 0) / sqrt(count - apart)
  })
  return { meanNis: total / count, nisSigmas: (total - count) / sqrt(2 * count), lagSigmas }
}
