import { cos, log, PI, sqrt, TAU } from '#numerics/math.ts'
import { REMAINDERS } from './coefficients.ts'

/** ln n and 1/√n from n = 1, as far as the longest main sum needs: √(1e6/2π) is 399. */
const TERMS_MAX = 512
const LOGS = Float64Array.from({ length: TERMS_MAX + 1 }, (_, n) => log(Math.max(1, n)))
const ROOTS = Float64Array.from({ length: TERMS_MAX + 1 }, (_, n) => 1 / sqrt(Math.max(1, n)))

/** The Riemann–Siegel angle by its asymptotic series; from t = 9 on to 1e-11. */
export const theta = (t: number): number => {
  const s = 1 / (t * t)
  const tail = 1 / 48 + s * (7 / 5760 + s * (31 / 80_640 + s * (127 / 430_080 + s * (511 / 1_216_512))))
  return (t / 2) * (log(t / TAU) - 1) - PI / 8 + tail / t
}

/** Slope of the angle. */
export const thetaSlope = (t: number): number => log(t / TAU) / 2 - 1 / (48 * t * t)

/** The height with θ = n·π, from n = −1 on; by Newton's rule from a height near it. */
export const gramPoint = (n: number, from: number): number => {
  let t = from
  for (let step = 0; step < 12; step++) {
    const move = (theta(t) - n * PI) / thetaSlope(t)
    t = Math.max(9, t - move)
    if (Math.abs(move) < 1e-13 * t) break
  }
  return t
}

/**
 * Z(t) = e^(iθ)·ζ(1/2 + it), real, by the Riemann–Siegel formula: with τ = √(t/2π), N = ⌊τ⌋, p = τ − N twice the sum of
 * cos(θ − t·ln n)/√n to N, and (−1)^(N−1)·τ^(−1/2)·(C0(p) + C1(p)/τ + …).
 *
 * @param orders functions of the remainder, up to 5: with all of them 0.02·t^(−11/4) is missed at most (Gabcke).
 */
export const hardyZ = (t: number, orders = REMAINDERS.length): number => {
  const tau = sqrt(t / TAU)
  const N = Math.floor(tau)
  const angle = theta(t)
  let sum = 0
  for (let n = 1; n <= N; n++) sum += ROOTS[n] * cos(angle - t * LOGS[n])
  const x = 2 * (tau - N) - 1
  const u = x * x
  let remainder = 0
  for (let k = orders - 1; k >= 0; k--) {
    const row = REMAINDERS[k] as readonly number[]
    let value = 0
    for (let j = row.length - 1; j >= 0; j--) value = value * u + (row[j] as number)
    remainder = remainder / tau + (k % 2 === 0 ? value : x * value)
  }
  return 2 * sum + ((N % 2 === 1 ? 1 : -1) * remainder) / sqrt(tau)
}
