import { asin, PI, sin, sqrt } from '#numerics/math.ts'
import { completeIntegral, type Modulus } from '#numerics/methods/elliptic.ts'
import type { ActionInput, ActionOutput } from './schema.ts'

/** A state: x, y and their rates. */
export type State = Float64Array

/** What an input poses: where it starts, what it is counted and measured by. */
export interface Problem {
  readonly start: State
  /** The period that steps are counted by. */
  readonly period: number
  readonly motion: ActionOutput['motion']
  /** Sizes of the motion, of places and of rates: what errors are a share of. */
  readonly place: number
  readonly rate: number
  /** The fastest rate at which the motion turns, in 1/time. */
  readonly fastest: number
  readonly energy: (state: ArrayLike<number>) => number
  /** What a drift of the energy is a share of. */
  readonly energyScale: number
}

/** The places and rates that an input names: two numbers of a pendulum, else four. */
export const startOf = (input: ActionInput): State => {
  const { system, kepler, pendulum, henonHeiles, initial } = input
  if (initial !== undefined) {
    const [a = 0, b = 0, c = 0, d = 0] = initial
    return system === 'pendulum' ? Float64Array.of(a, 0, b, 0) : Float64Array.of(a, b, c, d)
  }
  if (system === 'pendulum') return Float64Array.of(pendulum.angle, 0, pendulum.rate, 0)
  if (system === 'henon-heiles') return Float64Array.of(henonHeiles.x, henonHeiles.y, henonHeiles.px, henonHeiles.py)
  const { mu, a, e } = kepler
  return Float64Array.of(a * (1 - e), 0, 0, sqrt((mu / a) * ((1 + e) / (1 - e))))
}

const keplerOf = (input: ActionInput): Problem => {
  const start = startOf(input)
  const [x, y, u, v] = start as unknown as [number, number, number, number]
  const { mu } = input.kepler
  const energy = (s: ArrayLike<number>): number => {
    const [px, py, pu, pv] = [s[0] as number, s[1] as number, s[2] as number, s[3] as number]
    return (pu * pu + pv * pv) / 2 - mu / sqrt(px * px + py * py)
  }
  const total = energy(start)
  const a = -mu / (2 * total)
  const momentum = x * v - y * u
  // The nearest place by L² = μ·a·(1 − e²) and a·(1 − e) = L²/(μ·(1 + e)): no difference of near numbers for e near 1.
  const p = (momentum * momentum) / mu
  const e = sqrt(Math.max(0, 1 - p / a))
  const nearest = p / (1 + e)
  return {
    start,
    period: 2 * PI * a * sqrt(a / mu),
    motion: 'orbit',
    place: a,
    rate: sqrt(mu / a),
    fastest: sqrt(mu / nearest) / nearest,
    energy,
    energyScale: Math.abs(total),
  }
}

/** The modulus of a pendulum's motion: k = sin(θ_max/2) in libration, 1/k in rotation. */
export interface Swing {
  readonly frequency: number
  readonly rotates: boolean
  readonly modulus: Modulus
  /** k² − 1 of the energy: 0 is the separatrix. */
  readonly above: number
}

/** The swing of a pendulum from its state. */
export const swingOf = (input: ActionInput): Swing => {
  const { g, length } = input.pendulum
  const [theta, , omega] = startOf(input) as unknown as [number, number, number]
  const frequency = sqrt(g / length)
  const half = sin(theta / 2)
  const speed = omega / (2 * frequency)
  const square = half * half + speed * speed
  // cos² of the half angle by the sine of its complement: k² − 1 keeps its digits at the top.
  const rest = sin((PI - theta) / 2)
  const above = speed * speed - rest * rest
  const rotates = above > 0
  const k = sqrt(square)
  const modulus = rotates ? { k: 1 / k, complement: sqrt(above) / k } : { k, complement: sqrt(Math.max(0, -above)) }
  return { frequency, rotates, modulus, above }
}

const pendulumOf = (input: ActionInput): Problem => {
  const start = startOf(input)
  const { frequency, rotates, modulus } = swingOf(input)
  const square = frequency * frequency
  const energy = (s: ArrayLike<number>): number => {
    const half = sin((s[0] as number) / 2)
    return ((s[2] as number) * (s[2] as number)) / 2 + 2 * square * half * half
  }
  const quarter = completeIntegral(modulus)
  const { k } = modulus
  return {
    start,
    period: (rotates ? 2 * quarter * k : 4 * quarter) / frequency,
    motion: rotates ? 'rotation' : 'libration',
    place: rotates ? 1 : 2 * asin(Math.min(1, k)),
    rate: 2 * frequency * (rotates ? 1 / k : k),
    fastest: frequency * (rotates ? 2 / k : 1),
    energy,
    energyScale: energy(start),
  }
}

/** Energy of a star, from which on it may escape: 1/6. */
export const ESCAPE = 1 / 6

const henonHeilesOf = (input: ActionInput): Problem => {
  const start = startOf(input)
  const energy = (s: ArrayLike<number>): number => {
    const [x, y, u, v] = [s[0] as number, s[1] as number, s[2] as number, s[3] as number]
    return (u * u + v * v + x * x + y * y) / 2 + x * x * y - (y * y * y) / 3
  }
  const total = energy(start)
  const size = sqrt(2 * Math.max(0, total))
  return {
    start,
    period: 2 * PI,
    motion: 'bound',
    place: size,
    rate: size,
    fastest: 1,
    energy,
    energyScale: total,
  }
}

/** What an input poses. Not checked here: see refuseAction. */
export const problemOf = (input: ActionInput): Problem => {
  if (input.system === 'kepler') return keplerOf(input)
  return input.system === 'pendulum' ? pendulumOf(input) : henonHeilesOf(input)
}

/** Departure of the energy at each state of a course (columns x, y, u, v), in percent. */
export const energyErrorsOf = (
  { energy, energyScale, start }: Problem,
  columns: readonly Float64Array[],
): Float64Array => {
  const first = energy(start)
  const [x, y, u, v] = columns as [Float64Array, Float64Array, Float64Array, Float64Array]
  return x.map((_, k) => (100 * (energy([x[k], y[k], u[k], v[k]]) - first)) / energyScale)
}

/** The largest of some numbers without their signs; 0 of none. */
export const largestOf = (values: ArrayLike<number>): number => {
  let most = 0
  for (let k = 0; k < values.length; k++) most = Math.max(most, Math.abs(values[k] as number))
  return most
}

/** Steps of a run, how long they are, and between how many of them an answer is kept. */
export const scheduleOf = (input: ActionInput, { period }: Problem) => {
  const steps = input.stepsPerPeriod * input.periods
  return {
    steps,
    dt: period / input.stepsPerPeriod,
    every: Math.ceil(steps / input.outputs),
    samples: Math.ceil(steps / Math.ceil(steps / input.outputs)) + 1,
  }
}

/** Steps of RK4 in so many steps of a composition: no fewer forces. */
export const rk4StepsOf = (steps: number, stages: number): number => Math.ceil((steps * stages) / 4)

/** Times of the answers: every so many steps, and the end. */
export const sampleTimes = (input: ActionInput): Float64Array => {
  const problem = problemOf(input)
  const { steps, every, samples } = scheduleOf(input, problem)
  const timeOf = (step: number): number => problem.period * (step / input.stepsPerPeriod)
  return Float64Array.from({ length: samples }, (_, k) => timeOf(Math.min(steps, k * every)))
}

/** How much faster than its period a motion turns at its fastest: what rounding grows by. */
export const haste = ({ fastest, period }: Problem): number => Math.max(1, (fastest * period) / (2 * PI))
