import { sqrt } from '#numerics/math.ts'
import { LAGS } from './schema.ts'

/** What normalised innovations look like: white ones have mean square 1 and no correlation. */
export interface Whiteness {
  readonly meanNis: number
  readonly nisSigmas: number
  readonly lagSigmas: Float64Array
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
