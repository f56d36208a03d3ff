import { atan2, cos, PI, sin, sqrt } from '#numerics/math.ts'
import { amplitudeOf, completeIntegral, incompleteIntegral } from '#numerics/methods/elliptic.ts'
import { alongTaylor, cauchy, type TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import { problemOf, type State, startOf, swingOf } from '#numerics/solvers/action/problem.ts'
import type { ActionInput } from '#numerics/solvers/action/schema.ts'

const NEWTON_MAX = 60

/**
 * A Kepler orbit from any state by Lagrange's f and g, with the difference ΔE of eccentric anomalies from
 * n·t = ΔE − (1 − r_0/a)·sin ΔE + (r_0·v_0/√(μa))·(1 − cos ΔE) by Newton (Battin, section 4.3). Whole periods drop out.
 */
const keplerAt = (input: ActionInput): ((t: number) => State) => {
  const { mu } = input.kepler
  const [x, y, u, v] = startOf(input) as unknown as [number, number, number, number]
  const r0 = sqrt(x * x + y * y)
  const a = 1 / (2 / r0 - (u * u + v * v) / mu)
  const n = sqrt(mu / a) / a
  const radial = (x * u + y * v) / sqrt(mu * a)
  const near = 1 - r0 / a
  return (t) => {
    const turns = (n * t) / (2 * PI)
    const mean = 2 * PI * (turns - Math.floor(turns))
    let E = mean
    let [low, high] = [0, 2 * PI]
    for (let trial = 0; trial < NEWTON_MAX; trial++) {
      const miss = E - near * sin(E) + radial * (1 - cos(E)) - mean
      if (miss > 0) high = E
      else low = E
      const step = miss / (1 - near * cos(E) + radial * sin(E))
      const next = E - step
      E = next >= low && next <= high ? next : (low + high) / 2
      if (Math.abs(step) <= 1e-16 * Math.max(1, E)) break
    }
    const half = sin(E / 2)
    const bend = 2 * half * half
    const r = a * (1 - near * cos(E) + radial * sin(E))
    const f = 1 - (a / r0) * bend
    const g = (r0 / n / a) * sin(E) + (radial / n) * bend
    const df = (-sqrt(mu * a) / (r * r0)) * sin(E)
    const dg = 1 - (a / r) * bend
    return Float64Array.of(f * x + g * u, f * y + g * v, df * x + dg * u, df * y + dg * v)
  }
}

/** A pendulum by Jacobi's functions: sin(θ/2) = k·sn(u) in libration, θ/2 = am(u) in rotation. */
const pendulumAt = (input: ActionInput): ((t: number) => State) => {
  const { frequency, rotates, modulus } = swingOf(input)
  const { k } = modulus
  const [theta, , omega] = startOf(input) as unknown as [number, number, number]
  const quarter = completeIntegral(modulus)
  if (rotates) {
    const way = omega < 0 ? -1 : 1
    const from = incompleteIntegral((way * theta) / 2, modulus)
    return (t) => {
      const u = from + (frequency * t) / k
      const turns = Math.floor(u / (2 * quarter))
      const phi = amplitudeOf(u - 2 * quarter * turns, modulus)
      const sn = sin(phi)
      const dn = sqrt(1 - k * k * sn * sn)
      return Float64Array.of(way * 2 * (phi + PI * turns), 0, (way * 2 * frequency * dn) / k, 0)
    }
  }
  const from = incompleteIntegral(atan2(sin(theta / 2), omega / (2 * frequency)), modulus)
  return (t) => {
    const u = from + frequency * t
    const phi = amplitudeOf(u - 4 * quarter * Math.floor(u / (4 * quarter)), modulus)
    const side = k * sin(phi)
    return Float64Array.of(2 * atan2(side, sqrt(1 - side * side)), 0, 2 * frequency * k * cos(phi), 0)
  }
}

/** The star's equations by their Taylor series. */
export const henonHeilesSeries: TaylorSystem = {
  size: 4,
  series: 4,
  coefficients: ([x, y, u, v], order) => {
    if (x === undefined || y === undefined || u === undefined || v === undefined) return
    for (let n = 0; n < order; n++) {
      const [xx, xy, yy] = [cauchy(x, x, n), cauchy(x, y, n), cauchy(y, y, n)]
      x[n + 1] = u[n] / (n + 1)
      y[n + 1] = v[n] / (n + 1)
      u[n + 1] = -(x[n] + 2 * xy) / (n + 1)
      v[n + 1] = (yy - xx - y[n]) / (n + 1)
    }
  },
}

const TAYLOR = { order: 30, relative: 1e-18, stepsMax: 4_000_000 } as const

/**
 * The exact states at rising times (times[0] = 0), row after row: closed forms, for henon-heiles Taylor series of order
 * 30 from the start. Undefined when the series do not reach the end.
 */
export const exactRows = (input: ActionInput, times: ArrayLike<number>): Float64Array | undefined => {
  const rows = new Float64Array(4 * times.length)
  const start = startOf(input)
  rows.set(start)
  if (input.system === 'henon-heiles') {
    const visit = (k: number, state: Float64Array): undefined => {
      rows.set(state, 4 * k)
    }
    const floor = 1e-2 * problemOf(input).place
    return alongTaylor(henonHeilesSeries, { ...TAYLOR, floor }, { start, times, visit }) === undefined
      ? undefined
      : rows
  }
  const at = input.system === 'kepler' ? keplerAt(input) : pendulumAt(input)
  for (let k = 1; k < times.length; k++) rows.set(at(times[k] as number), 4 * k)
  return rows
}

/** How far two states are apart, on the scales of places and rates: the larger of the two shares. */
export const apartOf = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  scales: { place: number; rate: number },
): number => {
  const [x, y, u, v] = [0, 1, 2, 3].map((i) => (a[i] as number) - (b[i] as number)) as [number, number, number, number]
  return Math.max(sqrt(x * x + y * y) / scales.place, sqrt(u * u + v * v) / scales.rate)
}
