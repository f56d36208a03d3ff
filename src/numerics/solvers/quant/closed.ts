import { exp, log, pow, sqrt } from '#numerics/math.ts'
import { normalCdf } from '#numerics/methods/normal.ts'
import type { QuantInput } from './schema.ts'

/** E[max(0, ±(X − K))]·discount for X lognormal with this mean of ln X and this variance. */
const lognormal = (input: QuantInput, mean: number, variance: number): number => {
  const { K, r, T, right } = input
  const sign = right === 'call' ? 1 : -1
  const deviation = sqrt(variance)
  const d2 = (mean - log(K)) / deviation
  const paid = exp(mean + variance / 2) * normalCdf(sign * (d2 + deviation))
  return exp(-r * T) * sign * (paid - K * normalCdf(sign * d2))
}

const european = (input: QuantInput): number => {
  const { S, r, q, sigma, T } = input
  return lognormal(input, log(S) + (r - q - (sigma * sigma) / 2) * T, sigma * sigma * T)
}

/** The average's logarithm is normal; its variance is summed date by date from min(t_i, t_j). */
const asian = (input: QuantInput): number => {
  const { S, r, q, sigma, T, asian: average } = input
  const { dates } = average
  let times = 0
  let covariances = 0
  for (let i = 1; i <= dates; i++) {
    times += (T * i) / dates
    for (let j = 1; j <= dates; j++) covariances += (T * Math.min(i, j)) / dates
  }
  const mean = log(S) + ((r - q - (sigma * sigma) / 2) * times) / dates
  return lognormal(input, mean, (sigma * sigma * covariances) / (dates * dates))
}

/** Reiner, Rubinstein, RISK 4 (1991) 28, in the letters of Haug, Option Pricing Formulas, section 4.17; no rebate. */
const barrier = (input: QuantInput): number => {
  const { S, K, r, q, sigma, T, right, barrier: watched } = input
  const { H, kind } = watched
  const eta = kind.startsWith('down') ? 1 : -1
  const phi = right === 'call' ? 1 : -1
  const deviation = sigma * sqrt(T)
  const mu = (r - q) / (sigma * sigma) - 0.5
  const shift = (1 + mu) * deviation
  const carried = S * exp(-q * T)
  const struck = K * exp(-r * T)
  const plain = (x: number): number => phi * (carried * normalCdf(phi * x) - struck * normalCdf(phi * (x - deviation)))
  const mirrored = (y: number): number =>
    phi *
    (carried * pow(H / S, 2 * (mu + 1)) * normalCdf(eta * y) -
      struck * pow(H / S, 2 * mu) * normalCdf(eta * (y - deviation)))
  const A = plain(log(S / K) / deviation + shift)
  const B = plain(log(S / H) / deviation + shift)
  const C = mirrored(log((H * H) / (S * K)) / deviation + shift)
  const D = mirrored(log(H / S) / deviation + shift)
  const beyond = phi * (K - H) > 0
  const knockedIn = eta === phi ? (beyond ? C : A - B + D) : beyond ? A : B - C + D
  return kind.endsWith('in') ? knockedIn : A - knockedIn
}

/** The option's price in closed form. */
export const closedPrice = (input: QuantInput): number =>
  input.product === 'european' ? european(input) : input.product === 'asian' ? asian(input) : barrier(input)
