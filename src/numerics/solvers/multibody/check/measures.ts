import { hypot, sqrt } from '#numerics/math.ts'
import type { Attraction } from './recompute-motion.ts'

/** A state: places n × 3, then velocities n × 3. */
export type State = Float64Array

/** Everything of one state that a conservation law or the virial identity is about, in the barycentric frame. */
export interface Measures {
  readonly energy: number
  readonly kinetic: number
  /** W = −Σ G·m·m′·r²/(r² + ε²)^(3/2). */
  readonly virial: number
  /** Σ m·r·v. */
  readonly growth: number
  readonly momentum: readonly [number, number, number]
  readonly angular: readonly [number, number, number]
  /** Σ m·|v| and Σ m·|r × v|: the scales of the two above. */
  readonly momentumScale: number
  readonly angularScale: number
}

const cross = (a: readonly number[], b: readonly number[]): [number, number, number] => {
  const [ax = 0, ay = 0, az = 0] = a
  const [bx = 0, by = 0, bz = 0] = b
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

/** Least share of |r|·|v| that counts as angular momentum. */
const STRAIGHT = 1e-9

/** Length of a vector. */
export const lengthOf = ([x, y, z]: readonly [number, number, number]): number => hypot(hypot(x, y), z)

/** Mean of a vector quantity weighted by mass; `from` is 0 for places, n for velocities. */
export const weightedMean = (state: State, masses: Float64Array, from: number): [number, number, number] => {
  const total = masses.reduce((sum, m) => sum + m, 0)
  const axis = (k: number): number => masses.reduce((sum, m, i) => sum + m * state[3 * (from + i) + k], 0) / total
  return [axis(0), axis(1), axis(2)]
}

/** Potential energy and virial of all pairs, body by body from the last one down. */
const pairSums = (state: State, { masses, G, softening }: Attraction): { potential: number; virial: number } => {
  let potential = 0
  let virial = 0
  for (let i = masses.length - 1; i > 0; i--) {
    for (let j = 0; j < i; j++) {
      const x = state[3 * i] - state[3 * j]
      const y = state[3 * i + 1] - state[3 * j + 1]
      const z = state[3 * i + 2] - state[3 * j + 2]
      const square = x * x + y * y + z * z
      const soft = square + softening * softening
      const term = (G * masses[i] * masses[j]) / sqrt(soft)
      potential -= term
      virial -= term * (square / soft)
    }
  }
  return { potential, virial }
}

/** Everything the check measures of one state. */
export const measure = (state: State, attraction: Attraction): Measures => {
  const { masses } = attraction
  const n = masses.length
  const centre = weightedMean(state, masses, 0)
  const drift = weightedMean(state, masses, n)
  const momentum: [number, number, number] = [0, 0, 0]
  const angular: [number, number, number] = [0, 0, 0]
  let kinetic = 0
  let growth = 0
  let momentumScale = 0
  let angularScale = 0
  for (let i = 0; i < n; i++) {
    const m = masses[i]
    const r = centre.map((c, axis) => state[3 * i + axis] - c) as [number, number, number]
    const v = drift.map((c, axis) => state[3 * (n + i) + axis] - c) as [number, number, number]
    const turn = cross(r, v)
    for (let axis = 0; axis < 3; axis++) {
      momentum[axis] = (momentum[axis] ?? 0) + m * state[3 * (n + i) + axis]
      angular[axis] = (angular[axis] ?? 0) + m * (turn[axis] ?? 0)
      growth += m * (r[axis] ?? 0) * (v[axis] ?? 0)
    }
    const speed = lengthOf(v)
    kinetic += (m * speed * speed) / 2
    momentumScale += m * speed
    // A straight fall has no angular momentum to speak of; what rounding leaves is then checked on the scale of r·v.
    angularScale += m * Math.max(lengthOf(turn), STRAIGHT * lengthOf(r) * speed)
  }
  const { potential, virial } = pairSums(state, attraction)
  return { energy: kinetic + potential, kinetic, virial, growth, momentum, angular, momentumScale, angularScale }
}

/**
 * Largest change of a conserved vector as a share of its scale, in percent; a scale of zero demands no change at all.
 * NaN when any change is.
 */
export const driftPct = (
  all: readonly Measures[],
  vector: (it: Measures) => readonly [number, number, number],
  scale: (it: Measures) => number,
): number => {
  const first = all[0] as Measures
  const most = all.reduce((largest, it) => Math.max(largest, scale(it)), 0)
  const [x0, y0, z0] = vector(first)
  let worst = 0
  for (const it of all) {
    const [x, y, z] = vector(it)
    worst = Math.max(worst, lengthOf([x - x0, y - y0, z - z0]))
  }
  return worst === 0 ? 0 : (100 * worst) / most
}

/** Simpson's rule over `last` intervals of width h, every `stride`-th value. */
const simpson = (values: readonly number[], last: number, stride: number, h: number): number => {
  let sum = 0
  for (let k = 0; k <= last; k += stride) {
    const weight = k === 0 || k === last ? 1 : (k / stride) % 2 === 1 ? 4 : 2
    sum += weight * (values[k] ?? Number.NaN)
  }
  return (sum * h * stride) / 3
}

/** Quadrature error, in percent of the scale, up to which the virial identity is believed. */
const QUADRATURE_PCT_MAX = 0.01

/** Σ m·r·v from beginning to end against the integral of 2K + W, on the scale of the integral of 2K. */
export const virialPct = (all: readonly Measures[], times: Float64Array): number | undefined => {
  const h = times[1] - times[0]
  const even =
    Math.abs(times[times.length - 1] - times[times.length - 2] - h) <= 1e-9 * h ? all.length - 1 : all.length - 2
  const last = even - (even % 4)
  if (last < 8) return undefined
  const rates = all.map(({ kinetic, virial }) => 2 * kinetic + virial)
  const scale = simpson(
    all.map(({ kinetic }) => 2 * kinetic),
    last,
    1,
    h,
  )
  const fine = simpson(rates, last, 1, h)
  const coarse = simpson(rates, last, 2, h)
  if (!((100 * Math.abs(fine - coarse)) / 15 <= QUADRATURE_PCT_MAX * scale)) return undefined
  const change = (all[last] as Measures).growth - (all[0] as Measures).growth
  return (100 * Math.abs(change - fine)) / scale
}
