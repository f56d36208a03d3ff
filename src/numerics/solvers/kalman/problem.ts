import { cholesky } from '#numerics/methods/linear/dense.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { KalmanInput } from './schema.ts'

/** x(k+1) = A·x(k) + w, z(k) = C·x(k) + v with covariances Q and R; row-major. */
export interface System {
  readonly n: number
  readonly m: number
  readonly A: Float64Array
  readonly C: Float64Array
  readonly Q: Float64Array
  readonly R: Float64Array
}

/** The system of an input; a missing matrix of `matrices` is for the refusals. */
export const systemOf = (input: KalmanInput): System => {
  const { model, dt, sigmaA, sigmaZ, states: n, observations: m } = input
  if (model === 'matrices') {
    const of = (values: ArrayLike<number> | undefined): Float64Array => Float64Array.from(values ?? [])
    return { n, m, A: of(input.A), C: of(input.C), Q: of(input.Q), R: of(input.R) }
  }
  // An acceleration that is constant within a step moves the place by dt²/2 and the speed by dt of it.
  const [place, speed] = [(sigmaA * (dt * dt)) / 2, sigmaA * dt]
  return {
    n,
    m,
    A: Float64Array.of(1, dt, 0, 1),
    C: Float64Array.of(1, 0),
    Q: Float64Array.of(place * place, place * speed, place * speed, speed * speed),
    R: Float64Array.of(sigmaZ * sigmaZ),
  }
}

/** Covariance of the state at the start. */
export const startCovariance = ({ states: n, P0, spread }: KalmanInput): Float64Array => {
  if (P0 !== undefined) return Float64Array.from(P0)
  const P = new Float64Array(n * n)
  for (let i = 0; i < n; i++) P[i * n + i] = spread
  return P
}

/** Share of a variance below which what is left of it in a factor is rounding. */
export const SEMIDEFINITE_SLACK = 1e-12

const START_STREAM = 0
const NOISE_STREAM = 1

/** What is really there: the state that the filter cannot see, moved on with its noise. */
export interface World {
  readonly truth: Float64Array
  /** Writes the measurement of a number, then moves the state on. */
  measure(number: number, into: Float64Array): void
}

/**
 * The world of an input. Noise is keyed by the number of the measurement: component j of w(k), then of v(k), is the
 * normal quantile of the number at place k·(n + m) + j of stream 1 of the seed; an unknown start takes stream 0.
 */
export const worldOf = (input: KalmanInput, { n, m, A, C, Q, R }: System): World => {
  const [factorQ, factorR] = [new Float64Array(n * n), new Float64Array(m * m)]
  cholesky(Q, factorQ, n, SEMIDEFINITE_SLACK)
  cholesky(R, factorR, m)
  const truth = new Float64Array(n)
  if (input.truth !== undefined) truth.set(Float64Array.from(input.truth))
  else {
    const factor = new Float64Array(n * n)
    cholesky(startCovariance(input), factor, n, SEMIDEFINITE_SLACK)
    const stream = streamOf(input.seed, START_STREAM)
    const normals = Float64Array.from({ length: n }, (_, j) => inverseNormal(stream.uniform(j)))
    for (let i = 0; i < n; i++) {
      let value = input.x0?.[i] ?? 0
      for (let j = 0; j <= i; j++) value += factor[i * n + j] * normals[j]
      truth[i] = value
    }
  }
  const stream = streamOf(input.seed, NOISE_STREAM)
  const [normals, next] = [new Float64Array(n + m), new Float64Array(n)]
  const measure = (number: number, into: Float64Array): void => {
    for (let j = 0; j < n + m; j++) normals[j] = inverseNormal(stream.uniform((input.first + number) * (n + m) + j))
    for (let i = 0; i < m; i++) {
      let value = 0
      for (let j = 0; j < n; j++) value += C[i * n + j] * truth[j]
      for (let j = 0; j <= i; j++) value += factorR[i * m + j] * normals[n + j]
      into[i] = value
    }
    for (let i = 0; i < n; i++) {
      let value = 0
      for (let j = 0; j < n; j++) value += A[i * n + j] * truth[j]
      for (let j = 0; j <= i; j++) value += factorQ[i * n + j] * normals[j]
      next[i] = value
    }
    truth.set(next)
  }
  return { truth, measure }
}
