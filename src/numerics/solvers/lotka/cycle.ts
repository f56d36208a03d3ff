import { cos, exp, expm1, log, log1p, PI, SQRT2, sin, sqrt } from '#numerics/math.ts'
import type { LotkaInput } from './schema.ts'

// With s = ln(x·δ/γ) and w = ln(y·β/α), the distances from the fixed point in logarithms, the system is
// s′ = −α·(e^w − 1), w′ = γ·(e^s − 1), and V − V_min = γ·φ(s) + α·φ(w) with φ(s) = e^s − 1 − s.

const NEWTON_MAX = 80
const SERIES_BELOW = 0.5
const SERIES_TERMS = 20

/** e^s − 1 − s, to its last bits near zero too. */
export const excess = (s: number): number => {
  if (Math.abs(s) >= SERIES_BELOW) return expm1(s) - s
  let term = (s * s) / 2
  let sum = 0
  for (let k = 3; k <= SERIES_TERMS; k++) {
    sum += term
    term = (term * s) / k
  }
  return sum + term
}

/** The s of the sign of p with e^s − 1 − s = p², by Newton from outside: the function is convex. */
export const excessInverse = (p: number): number => {
  if (p === 0) return 0
  const size = Math.abs(p)
  const near = SQRT2 * size
  let s = p > 0 ? Math.min(near, log1p(p * p + near)) : -(near + p * p)
  for (let trial = 0; trial < NEWTON_MAX; trial++) {
    const step = (excess(s) - p * p) / expm1(s)
    s -= step
    if (Math.abs(step) <= 1e-16 * Math.abs(s)) break
  }
  return s
}

/** The cycle through a state: the fixed point, how high above it, and how far it reaches in the logarithms. */
export interface Cycle {
  readonly prey: number
  readonly predators: number
  /** Where the start stands. */
  readonly s: number
  readonly w: number
  /** V − V_min, in 1/yr. */
  readonly height: number
  readonly sReach: readonly [low: number, high: number]
  readonly wReach: readonly [low: number, high: number]
}

/** ln(x·δ/γ) without the quotient's over- or underflow. */
const distance = (population: number, perCapita: number, rate: number): number => {
  const ratio = population * (perCapita / rate)
  return ratio > 1e-300 && ratio < 1e300 ? log(ratio) : log(population) + log(perCapita) - log(rate)
}

/** The cycle that an input starts on. */
export const cycleOf = ({ alpha, beta, gamma, delta, x0, y0 }: LotkaInput): Cycle => {
  const s = distance(x0, delta, gamma)
  const w = distance(y0, beta, alpha)
  const height = gamma * excess(s) + alpha * excess(w)
  const reach = (rate: number): readonly [number, number] => {
    const p = sqrt(height / rate)
    return [excessInverse(-p), excessInverse(p)]
  }
  return { prey: gamma / delta, predators: alpha / beta, s, w, height, sReach: reach(gamma), wReach: reach(alpha) }
}

/** Reach in the logarithms below which a cycle is small. */
const SMALL = 1e-2

/** The courses of both populations. */
interface Courses {
  readonly prey: ArrayLike<number>
  readonly predators: ArrayLike<number>
}

/**
 * Largest |V(x, y) − V| of a course in percent of V − V_min; 0 of one that starts at rest. Term by term as quotients,
 * so that nothing of the size of V itself is lost; on a small cycle by its height, of which V is all but the whole.
 */
export const driftPctOf = (
  input: LotkaInput,
  { height, sReach, wReach }: Cycle,
  { prey, predators }: Courses,
): number => {
  if (height === 0) return 0
  const { alpha, beta, gamma, delta, x0, y0 } = input
  const small = Math.max(sReach[1], wReach[1]) < SMALL
  let drift = 0
  for (let k = 0; k < prey.length; k++) {
    const [x, y] = [prey[k] as number, predators[k] as number]
    const away = small
      ? gamma * excess(log((x * delta) / gamma)) + alpha * excess(log((y * beta) / alpha)) - height
      : delta * (x - x0) - gamma * log(x / x0) + (beta * (y - y0) - alpha * log(y / y0))
    drift = Math.max(drift, Math.abs(away))
  }
  return (100 * drift) / height
}

const POINTS_MAX = 65_536

/**
 * The period of a cycle by quadrature. With γφ(s) = h cos²θ and αφ(w) = h sin²θ the time is
 * ∮ 2·(√h cosθ/γ(e^s − 1))·(√h sinθ/α(e^w − 1)) dθ of a smooth periodic function, for which the trapezoidal rule
 * converges geometrically. Points are doubled until two sums agree to rounding.
 */
export const periodOf = ({ alpha, gamma }: LotkaInput, height: number): number => {
  const share = (rate: number, part: number): number => {
    const p = sqrt(height / rate) * part
    const slope = expm1(excessInverse(p))
    // Near a turn both vanish: the quotient is 1/√2, with the next term of the series.
    return (Math.abs(p) < 1e-8 ? 1 / SQRT2 - p / 3 : p / slope) / sqrt(rate)
  }
  const at = (theta: number): number => 2 * share(gamma, cos(theta)) * share(alpha, sin(theta))
  let points = 16
  let sum = 0
  for (let k = 0; k < points; k++) sum += at((2 * PI * k) / points)
  let before = (2 * PI * sum) / points
  while (points < POINTS_MAX) {
    for (let k = 0; k < points; k++) sum += at((2 * PI * (k + 0.5)) / points)
    points *= 2
    const now = (2 * PI * sum) / points
    if (Math.abs(now - before) <= 1e-14 * now) return now
    before = now
  }
  return before
}

/** A population from its distance s. */
export const populationOf = (equilibrium: number, s: number): number => equilibrium * exp(s)
