import { cos, log, PI, sin, sqrt } from '#numerics/math.ts'
import { hardyZ, theta } from './siegel.ts'

/** Height up to which the Riemann–Siegel formula leaves more than rounding does: zeros below are polished. */
export const POLISH_BELOW = 300
/** Heights share the weights of the next multiple of this. */
const STRIDE = 50
/** Terms that bring the error of the series to 1e-16: this many, and more with the height. */
const TERMS_FIXED = 26
const TERMS_BY_HEIGHT = 0.9
const TURNS = 2

/** Weights 1 − d_k/d_n of Borwein's series, d_k = n·Σ_{i≤k} (n + i − 1)!·4^i/((n − i)!·(2i)!). */
const weightsOf = (n: number): Float64Array => {
  const d = new Float64Array(n + 1)
  let term = 1
  let sum = 0
  for (let i = 0; i <= n; i++) {
    sum += term
    d[i] = sum
    term *= (4 * (n + i) * (n - i)) / ((2 * i + 1) * (2 * i + 2))
  }
  return Float64Array.from({ length: n }, (_, k) => 1 - d[k] / d[n])
}

/** Z(t) by an alternating series, which knows neither the Riemann–Siegel formula nor Euler–Maclaurin summation. */
const borweinZ = (t: number, weights: Float64Array): number => {
  let [re, im] = [0, 0]
  for (let k = weights.length - 1; k >= 0; k--) {
    const angle = t * log(k + 1)
    const size = (k % 2 === 0 ? weights[k] : -weights[k]) / sqrt(k + 1)
    re += size * cos(angle)
    im -= size * sin(angle)
  }
  // Divided by 1 − 2^(1−s), and turned by θ.
  const angle = t * log(2)
  const [a, b] = [1 - sqrt(2) * cos(angle), sqrt(2) * sin(angle)]
  const size = a * a + b * b
  const [x, y] = [(re * a + im * b) / size, (im * a - re * b) / size]
  const turn = theta(t)
  return x * cos(turn) - y * sin(turn)
}

/**
 * Moves zeros below t = 300 to where the eta series has them (Borwein, CMS Conf. Proc. 27 (2000) 29, algorithm 2), by
 * Newton's rule with the slope of the Riemann–Siegel formula.
 */
export const polisher = (): ((zero: number) => number) => {
  const tables = new Map<number, Float64Array>()
  const tableFor = (t: number): Float64Array => {
    const height = Math.ceil(t / STRIDE) * STRIDE
    const known = tables.get(height) ?? weightsOf(Math.ceil(TERMS_FIXED + TERMS_BY_HEIGHT * height))
    tables.set(height, known)
    return known
  }
  return (zero) => {
    if (zero >= POLISH_BELOW) return zero
    const weights = tableFor(zero)
    const h = 1e-3 / PI
    const slope = (hardyZ(zero + h) - hardyZ(zero - h)) / (2 * h)
    let t = zero
    for (let turn = 0; turn < TURNS; turn++) t -= borweinZ(t, weights) / slope
    return t
  }
}
