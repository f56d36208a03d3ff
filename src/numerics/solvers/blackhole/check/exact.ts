import { acos, cos, exp, log, PI, sin, sqrt } from '#numerics/math.ts'
import { alongTaylor, cauchy, type TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import { integral } from '#numerics/methods/quadrature.ts'
import { type Particle, radialSquare, T_EDGE, vRateOf } from '#numerics/solvers/blackhole/problem.ts'

/** Proper and coordinate time that a radial fall from rest at R takes down to r (MTW 31.10, the cycloid). */
export const cycloid = (R: number, r: number): { readonly tau: number; readonly t: number } => {
  const eta = acos(Math.max(-1, Math.min(1, (2 * r) / R - 1)))
  // η + sin η; near the top both are small, and η by the root of what has been fallen through.
  const tau = sqrt((R * R * R) / 8) * (eta + sin(eta))
  if (r < T_EDGE * (1 - 1e-9)) return { tau, t: Number.NaN }
  const top = sqrt(R / 2 - 1)
  const slant = sqrt(Math.max(0, R - r) / r)
  // top² − slant² = R(r − 2)/2r: nothing is lost at the horizon.
  const far = top + slant
  const t = 2 * log((far * far * 2 * r) / (R * (r - 2))) + 2 * top * (eta + (R / 4) * (eta + sin(eta)))
  return { tau, t }
}

/** Times of a radial motion inwards from r to the smaller s, for any energy. */
export const radialTimes = (it: Particle, r: number, s: number): { readonly tau: number; readonly t: number } => {
  if (it.binding < 0) {
    const top = -2 / it.binding
    const [a, b] = [cycloid(top, r), cycloid(top, s)]
    return { tau: b.tau - a.tau, t: b.t - a.t }
  }
  const tau = integral((x) => 1 / sqrt(radialSquare(it, 1 / x)), s, r)
  return { tau, t: s < T_EDGE * (1 - 1e-9) ? Number.NaN : outsideTime(it, r, s) }
}

/** Coordinate time inwards from r to the smaller s, both outside: ∫ E·dr/((1 − 2/r)·√g), over x = ln(r − 2). */
export const outsideTime = (it: Particle, r: number, s: number): number => {
  const energy = sqrt(1 + it.binding)
  const rate = (x: number): number => {
    const place = 2 + (s - 2) * exp(x)
    return (energy * place) / sqrt(radialSquare(it, 1 / place))
  }
  return integral(rate, 0, log((r - 2) / (s - 2)))
}

/** Coefficients of one series. */
type S = Float64Array

/**
 * The orbit over its angle: u″ = 1/L² − u + 3u² (Binet), τ′ = 1/(Lu²) and v′ = (1 + L²u²)/(Lu²(E + Lu′)): first-order
 * in time by L and E, second-order in u alone. Series: u, u′, τ, v; then u², 1/u², u²·…, the quotients.
 */
const binet = ({ momentum: L, binding }: Particle): TaylorSystem => {
  const energy = sqrt(1 + binding)
  return {
    size: 4,
    series: 8,
    coefficients: (series, order) => {
      const [u, w, tau, v, square, inverse, above, quotient] = series as [S, S, S, S, S, S, S, S]
      const below0 = energy + L * w[0]
      for (let n = 0; n < order; n++) {
        square[n] = cauchy(u, u, n)
        inverse[n] = 0
        let rest = n === 0 ? 1 : 0
        for (let j = 1; j <= n; j++) rest -= square[j] * inverse[n - j]
        inverse[n] = rest / square[0]
        // (1 + L²u²)/u² = 1/u² + L².
        above[n] = inverse[n] + (n === 0 ? L * L : 0)
        let left = above[n]
        for (let j = 1; j <= n; j++) left -= L * w[j] * quotient[n - j]
        quotient[n] = left / below0
        u[n + 1] = w[n] / (n + 1)
        w[n + 1] = (3 * square[n] - u[n] + (n === 0 ? 1 / (L * L) : 0)) / (n + 1)
        tau[n + 1] = inverse[n] / (L * (n + 1))
        v[n + 1] = quotient[n] / (L * (n + 1))
      }
    },
  }
}

const TAYLOR = { order: 24, relative: 1e-17, stepsMax: 200_000 } as const

/**
 * The exact u, u′, τ and v at angles that begin at the particle's own and run on; row after row. Undefined when the
 * series do not reach the last.
 */
export const overAngles = (it: Particle, angles: ArrayLike<number>): Float64Array | undefined => {
  const u = 1 / it.r
  const rows = new Float64Array(4 * angles.length)
  const start = [u, -it.rRate / it.momentum, 0, it.v]
  rows.set(start)
  const span = Math.abs((angles[angles.length - 1] as number) - it.phi)
  const slope = Math.max(u, Math.abs(it.rRate / it.momentum))
  const time = span / Math.abs(it.phiRate)
  const visit = (k: number, state: Float64Array): undefined => {
    rows.set(state, 4 * k)
  }
  const floor = Float64Array.of(0, slope, 1e-3 * time, 1e-3 * time * vRateOf(it))
  return alongTaylor(binet(it), { ...TAYLOR, floor }, { start, times: angles, visit }) === undefined ? undefined : rows
}

const POINTS_MAX = 65_536

/**
 * What a radial period of a bound orbit with the roots u_1 < u_2 < u_3 takes, with u = mean − half·cos χ between the
 * first two: dφ = dχ/√(1 − ε), ε = 2(u_1 + u_2 + u), a smooth periodic integrand. The precession is summed as such,
 * without its 2π.
 */
export const periodsBy = (
  it: Particle,
  { far, near }: { readonly far: number; readonly near: number },
): { readonly precession: number; readonly tau: number; readonly t: number } => {
  const energy = sqrt(1 + it.binding)
  const [mean, half] = [(far + near) / 2, (near - far) / 2]
  const L = Math.abs(it.momentum)
  const sums = [0, 0, 0]
  const add = (chi: number): void => {
    const u = mean - half * cos(chi)
    const epsilon = 2 * (far + near + u)
    const root = sqrt(1 - epsilon)
    const turn = 1 / root
    const time = turn / (L * u * u)
    sums[0] = (sums[0] as number) + epsilon / (root * (1 + root))
    sums[1] = (sums[1] as number) + time
    sums[2] = (sums[2] as number) + (energy * time) / (1 - 2 * u)
  }
  let points = 16
  for (let k = 0; k < points; k++) add((2 * PI * k) / points)
  let before = sums.map((sum) => (2 * PI * sum) / points)
  while (points < POINTS_MAX) {
    for (let k = 0; k < points; k++) add((2 * PI * (k + 0.5)) / points)
    points *= 2
    const now = sums.map((sum) => (2 * PI * sum) / points)
    const settled = now.every((value, i) => Math.abs(value - (before[i] as number)) <= 1e-13 * value)
    before = now
    if (settled) break
  }
  const [precession, tau, t] = before as [number, number, number]
  return { precession, tau, t }
}
