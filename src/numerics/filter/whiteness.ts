import { cholesky } from '#numerics/linear/dense.ts'
import { sqrt } from '#numerics/math.ts'
import { LAGS } from './schema.ts'

/** What normalised innovations look like: white ones have mean square 1 and no correlation. */
export interface Whiteness {
  readonly meanNis: number
  readonly nisSigmas: number
  readonly lagSigmas: Float64Array
}

/**
 * Divides an innovation by the factor of its covariance, in place.
 *
 * @param covariance m × m, definite.
 */
export const normalise = (innovation: Float64Array, covariance: Float64Array, m: number): void => {
  const factor = new Float64Array(m * m)
  cholesky(covariance, factor, m)
  for (let i = 0; i < m; i++) {
    let value = innovation[i]
    for (let k = 0; k < i; k++) value -= factor[i * m + k] * innovation[k]
    innovation[i] = value / factor[i * m + i]
  }
}

/** Statistics of normalised innovations, m a step. */
export const whitenessOf = (normalised: Float64Array, m: number): Whiteness => {
  const steps = normalised.length / m
  let squares = 0
  for (const value of normalised) squares += value * value
  const meanNis = squares / normalised.length
  const lagSigmas = Float64Array.from({ length: LAGS }, (_, k) => {
    let sum = 0
    for (let i = (k + 1) * m; i < normalised.length; i++) sum += normalised[i] * normalised[i - (k + 1) * m]
    return sum / sqrt((steps - k - 1) * m)
  })
  // Squares of normals have the variance 2.
  return { meanNis, nisSigmas: (meanNis - 1) * sqrt(normalised.length / 2), lagSigmas }
}
