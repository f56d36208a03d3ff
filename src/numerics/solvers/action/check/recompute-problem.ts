import { cos, hypot, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import type { Problem } from '#numerics/solvers/action/problem.ts'
import type { ActionInput } from '#numerics/solvers/action/schema.ts'

/**
 * Whether a start is the one that the input states: a body at its nearest place, a(1 − e), with v² = (μ/a)·(1 + e)/(1
 * − e) across; angle and rate; places and momenta. Run and closed form take it from one function, so that this is
 * worked out anew.
 *
 * @param start x, y and their rates.
 */
export const isStartOf = (input: ActionInput, start: ArrayLike<number>): boolean => {
  const { system, kepler, pendulum, henonHeiles, initial } = input
  const [x = Number.NaN, y = Number.NaN, u = Number.NaN, v = Number.NaN] = Array.from(start)
  const is = (...wanted: readonly (number | undefined)[]): boolean => [x, y, u, v].every((it, k) => it === wanted[k])
  if (system === 'pendulum') return is(initial?.[0] ?? pendulum.angle, 0, initial?.[1] ?? pendulum.rate, 0)
  if (initial !== undefined) return is(...initial)
  if (system === 'henon-heiles') return is(henonHeiles.x, henonHeiles.y, henonHeiles.px, henonHeiles.py)
  const { mu, a, e } = kepler
  const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= 1e-12 * wanted
  return near(x, a - a * e) && near(v * v * x, mu * (1 + e)) && v > 0 && y === 0 && u === 0
}

const SHARE = 1e-9

/** Whether two numbers agree on the scale of what they are made of. */
const agree = (found: number, wanted: number, scale: number): boolean => Math.abs(found - wanted) <= SHARE * scale

type Sizes = Pick<Problem, 'start' | 'period' | 'place' | 'rate' | 'energy'>

/** A body by vis-viva, 1/a = 2/r − v²/μ, and Kepler's third law. */
const orbitHolds = (mu: number, { start, period, place, rate, energy }: Sizes): boolean => {
  const energyOf = (s: ArrayLike<number>): readonly [number, number] => {
    const r = hypot(s[0] as number, s[1] as number)
    const speed = hypot(s[2] as number, s[3] as number)
    return [(speed * speed) / 2 - mu / r, (speed * speed) / 2 + mu / r]
  }
  const [x, y, u, v] = start as unknown as [number, number, number, number]
  const [r, speed] = [hypot(x, y), hypot(u, v)]
  const farther = Float64Array.of(1.1 * x, 1.2 * y, 0.9 * u, 0.8 * v)
  return (
    [start, farther].every((s) => agree(energy(s), ...energyOf(s))) &&
    agree(r / place, 2 - speed * ((speed * r) / mu), 2) &&
    agree((rate * (rate * place)) / mu, 1, 1) &&
    agree((period / place) * rate, TAU, TAU)
  )
}

/** ∫ dφ/√(cos²φ + c²·sin²φ) over a quarter turn by the trapezoidal rule, which converges geometrically. */
const quarterBy = (complement: number): number => {
  const places = Math.ceil(16 + 14 / Math.max(complement, 1e-4))
  let sum = 0
  for (let k = 0; k <= places; k++) {
    const angle = (PI * k) / (2 * places)
    const [c, s] = [cos(angle), complement * sin(angle)]
    sum += (k === 0 || k === places ? 0.5 : 1) / sqrt(c * c + s * s)
  }
  return (sum * PI) / (2 * places)
}

/** A pendulum by 1 − cos θ, its period by quadrature. */
const swingHolds = ({ g, length }: ActionInput['pendulum'], { start, period, place, rate, energy }: Sizes): boolean => {
  const square = g / length
  const energyOf = (s: ArrayLike<number>): number =>
    ((s[2] as number) * (s[2] as number)) / 2 + square * (1 - cos(s[0] as number))
  // 1 − cos of a small angle has lost digits: their size is that of the rounding of 1.
  const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= SHARE * wanted + 1e-15 * square
  const total = energy(start)
  const other = Float64Array.of(0.9 * start[0], 0, 0.8 * start[2], 0)
  const share = total / (2 * square)
  const rotates = share > 1
  const [complement, times] = rotates ? [sqrt(1 - 1 / share), 2 / sqrt(share)] : [sqrt(Math.max(0, 1 - share)), 4]
  return (
    [start, other].every((s) => near(energy(s), energyOf(s))) &&
    (rotates ? place === 1 : near(square * (1 - cos(place)), total)) &&
    near((rate * rate) / 2, total) &&
    // Near the separatrix what is left of 1 − k² carries the rounding of the energy.
    Math.abs(period * sqrt(square) - times * quarterBy(complement)) <= 1e-7 * times
  )
}

/** A star by its energy; 2π is the period of small motions. */
const starHolds = ({ start, period, place, rate, energy }: Sizes): boolean => {
  const energyOf = (s: ArrayLike<number>): number => {
    const [x, y, u, v] = [s[0] as number, s[1] as number, s[2] as number, s[3] as number]
    return 0.5 * (u * u + v * v) + x * x * (0.5 + y) + y * y * (0.5 - y / 3)
  }
  const [x, y, u, v] = start as unknown as [number, number, number, number]
  const total = energyOf(start)
  const near = (found: number, wanted: number): boolean =>
    Math.abs(found - wanted) <= SHARE * wanted + 1e-15 * (x * x + y * y)
  return (
    period === TAU &&
    near(energy(start), total) &&
    near(energy([0.9 * x, 0.8 * y, 0.7 * u, 0.6 * v]), energyOf([0.9 * x, 0.8 * y, 0.7 * u, 0.6 * v])) &&
    near((place * place) / 2, total) &&
    near((rate * rate) / 2, total)
  )
}

/** Whether period, sizes and energy of a motion are those of the input: run and check have them from one function. */
export const areMeasuresOf = (input: ActionInput, sizes: Sizes): boolean => {
  if (input.system === 'kepler') return orbitHolds(input.kepler.mu, sizes)
  return input.system === 'pendulum' ? swingHolds(input.pendulum, sizes) : starHolds(sizes)
}
