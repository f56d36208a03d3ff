import { sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Reality } from '#numerics/runtime/solver.ts'
import { type GaugeInput, type GaugeOutput, LAGS } from '#numerics/solvers/gauge/schema.ts'
import { recomputeReading } from './recompute-readings.ts'

const AGAINST = 'the exact sum over characters on this torus'

/** Representations that are summed: at beta 50 and L 8 the 40th is below 1e-17. */
const CHARACTERS = 64
/** Standard errors beyond which a mean is wrong even when it is near. */
const SIGMAS_MAX = 6
const ECHO = 1e-9

/** I_n(x)/I_0(x) for n = 0, 1, …, by recurrence from far above, where the ratio is nothing (Miller's algorithm). */
const ratiosOf = (x: number, count: number): Float64Array => {
  const from = 2 * count + 2 * Math.ceil(x) + 40
  const ratios = new Float64Array(count + 1)
  let [above, here] = [0, 1e-280]
  for (let n = from; n > 0; n--) {
    const below = above + ((2 * n) / x) * here
    above = here
    here = below
    if (n - 1 <= count) ratios[n - 1] = here
    if (here < 1e200) continue
    above /= 1e200
    here /= 1e200
    for (let k = n - 1; k <= count; k++) ratios[k] /= 1e200
  }
  const zero = ratios[0]
  return ratios.map((it) => it / zero)
}

const power = (base: number, exponent: number): number => {
  let [result, square] = [1, base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result *= square
    square *= square
  }
  return result
}

/**
 * The mean plaquette on a torus of V plaquettes: with r_n = I_n(beta)/I_0(beta) the partition function is
 * Σ_n r_n^V, hence P = Σ r_n^(V−1)·(r_(n−1) + r_(n+1))/2 / Σ r_n^V (Rusakov, Mod. Phys. Lett. A 5 (1990) 693).
 */
export const exactPlaquette = (V: number, beta: number): number => {
  const r = ratiosOf(beta, CHARACTERS + 1)
  let [above, below] = [0, 0]
  for (let n = 0; n <= CHARACTERS; n++) {
    // n and −n alike.
    const weight = n === 0 ? 1 : 2
    const rest = power(r[n], V - 1)
    above += (weight * rest * (r[Math.abs(n - 1)] + r[n + 1])) / 2
    below += weight * rest * r[n]
  }
  return above / below
}

/** Mean, variance and autocorrelation of the history, worked out anew by sums of products and squares. */
const momentsOf = (history: ArrayLike<number>) => {
  const n = history.length
  // Around the first number, so that little is lost when the mean is taken off again.
  const origin = history[0] as number
  const x = Float64Array.from(history, (it) => it - origin)
  const prefix = new Float64Array(n + 1)
  for (let i = 0; i < n; i++) prefix[i + 1] = prefix[i] + x[i]
  const mean = prefix[n] / n
  const products = (lag: number): number => {
    let sum = 0
    for (let i = lag; i < n; i++) sum += x[i] * x[i - lag]
    return sum - mean * (prefix[n] - prefix[lag] + prefix[n - lag]) + (n - lag) * mean * mean
  }
  const variance = products(0) / n
  const correlation = Float64Array.from({ length: LAGS }, (_, k) => products(k + 1) / ((n - k - 1) * variance))
  return { mean: origin + mean, variance, correlation }
}

const near = (found: number, wanted: number, scale = 0): boolean =>
  Math.abs(found - wanted) <= ECHO * Math.max(Math.abs(wanted), scale)

/** Whether every number follows from the history or from the links, and the links are unit numbers. */
const echoes = (input: GaugeInput, output: GaugeOutput): boolean => {
  const { L, history, links, correlation, window } = output
  const lengths =
    L === input.L && history.length === input.sweeps && links.length === 4 * L * L && correlation.length === LAGS
  if (!lengths) return false
  for (let k = 0; k < links.length; k += 2) {
    const [re, im] = [links[k] as number, links[k + 1] as number]
    if (!(Math.abs(re * re + im * im - 1) <= 1e-12)) return false
  }
  const { mean, variance, correlation: rho } = momentsOf(history)
  if (!Array.from(rho).every((it, k) => near(correlation[k] ?? Number.NaN, it, 1e-2))) return false
  if (!(Number.isSafeInteger(window) && window >= 1 && window <= LAGS)) return false
  let tau = 0.5
  for (let k = 0; k < window; k++) {
    // The window ends at the first lag beyond six times what was summed so far.
    if (k >= 6 * tau) return false
    tau += rho[k]
  }
  const ends = window === LAGS || window >= 6 * tau
  const sigma = sqrt((2 * Math.max(0.5, tau) * variance) / history.length)
  const reading = recomputeReading(links, L)
  return (
    output.beta === input.beta &&
    output.sweeps === input.sweeps &&
    ends &&
    near(output.plaquette, mean) &&
    near(output.tau, tau) &&
    near(output.sigma, sigma) &&
    near(output.finalPlaquette, reading.plaquette) &&
    output.topologicalCharge === reading.charge
  )
}

/**
 * Checks a mean plaquette against the exact one on the same torus, and by four standard errors with their
 * autocorrelation; both in percent of it. More than six standard errors off is wrong however near. The field at the end
 * must be one that the mean can come from: its own plaquette lies within six of its standard deviations.
 */
export const checkGauge = (input: GaugeInput, output: GaugeOutput): Reality => {
  if (!echoes(input, output)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const exact = exactPlaquette(input.L * input.L, input.beta)
  const meanPct = (100 * Math.abs(output.plaquette - exact)) / exact
  const spreadPct = (400 * output.sigma) / exact
  const sigmas = Math.abs(output.plaquette - exact) / output.sigma
  // Plaquettes of one field are nearly independent: variance 1 − P/beta − P² each.
  const deviation = sqrt((1 - exact / input.beta - exact * exact) / (input.L * input.L))
  const fieldSigmas = Math.abs(output.finalPlaquette - exact) / deviation
  const errorsPct = [meanPct, spreadPct, sigmas <= SIGMAS_MAX ? 0 : 100, fieldSigmas <= 2 * SIGMAS_MAX ? 0 : 100]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  const scale = spreadPct / ERROR_PCT_MAX
  return {
    against: AGAINST,
    errorPct: broken ? Number.NaN : errorsPct.reduce((most, error) => Math.max(most, error), 0),
    figures: {
      mean_pct: meanPct,
      four_sigma_pct: spreadPct,
      sigmas,
      exact,
      field_sigmas: fieldSigmas,
      ...(scale > 1 ? { sweeps_safe: Math.ceil(1.2 * input.sweeps * scale * scale) } : {}),
    },
  }
}
