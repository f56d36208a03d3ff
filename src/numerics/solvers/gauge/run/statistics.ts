import { sqrt } from '#numerics/math.ts'
import { LAGS } from '#numerics/solvers/gauge/schema.ts'

/** A mean of correlated numbers, with its error. */
export interface Estimate {
  readonly mean: number
  readonly sigma: number
  readonly tau: number
  readonly window: number
  /** Autocorrelation at lags 1, 2, …. */
  readonly correlation: Float64Array
}

/** The window is as long as this many integrated autocorrelation times. */
const WINDOW_TAUS = 6

/**
 * Mean and standard error of a stationary series: tau = 1/2 + Σ rho(l) up to the first lag beyond six tau, error
 * √(2·tau·variance/n) (Madras, Sokal, J. Stat. Phys. 50 (1988) 109).
 */
export const estimateOf = (series: ArrayLike<number>): Estimate => {
  const n = series.length
  let mean = 0
  for (let i = 0; i < n; i++) mean += series[i] as number
  mean /= n
  const away = Float64Array.from(series, (it) => it - mean)
  let variance = 0
  for (const it of away) variance += it * it
  variance /= n
  const correlation = new Float64Array(LAGS)
  for (let lag = 1; lag <= LAGS; lag++) {
    let sum = 0
    for (let i = lag; i < n; i++) sum += away[i] * away[i - lag]
    correlation[lag - 1] = sum / ((n - lag) * variance)
  }
  let [tau, window] = [0.5, 0]
  while (window < LAGS && window < WINDOW_TAUS * tau) tau += correlation[window++]
  return { mean, sigma: sqrt((2 * Math.max(0.5, tau) * variance) / n), tau, window, correlation }
}
