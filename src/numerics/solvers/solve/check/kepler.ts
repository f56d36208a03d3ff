import { cos, cosh, sin, sinh, sqrt, TAU } from '#numerics/math.ts'

/** Below this |z| Stumpff's functions are summed as series: the closed forms lose digits there. */
const SERIES_BELOW = 1
const SERIES_TERMS = 12
/** Steps to a universal anomaly: halvings alone would need about 1,100. */
const STEPS_MAX = 1_200

/** Stumpff's C(z) and S(z) (Vallado, Fundamentals of Astrodynamics, algorithm 1). */
const stumpff = (z: number): readonly [number, number] => {
  if (Math.abs(z) < SERIES_BELOW) {
    let c = 0
    let s = 0
    for (let k = SERIES_TERMS; k >= 1; k--) {
      c = 1 - (z * c) / ((2 * k + 1) * (2 * k + 2))
      s = 1 - (z * s) / ((2 * k + 2) * (2 * k + 3))
    }
    return [c / 2, s / 6]
  }
  const root = sqrt(Math.abs(z))
  if (z > 0) return [(1 - cos(root)) / z, (root - sin(root)) / (z * root)]
  return [(1 - cosh(root)) / z, (sinh(root) - root) / (-z * root)]
}

/**
 * The place and velocity of a body around a centre at time t by universal variables: one closed form for ellipse,
 * parabola and hyperbola. Nothing is integrated.
 *
 * @param start place and velocity at time 0. @param mu G·M. @returns place, then velocity.
 * @source Bate, Mueller, White: Fundamentals of Astrodynamics, chapter 4; Vallado, algorithm 8.
 */
export const keplerAt = (start: ArrayLike<number>, mu: number, t: number): Float64Array => {
  const [x, y, z, u, v, w] = Array.from(start) as [number, number, number, number, number, number]
  const r0 = sqrt(x * x + y * y + z * z)
  const along = (x * u + y * v + z * w) / sqrt(mu)
  const alpha = 2 / r0 - (u * u + v * v + w * w) / mu
  const period = alpha > 0 ? TAU / (sqrt(mu * alpha) * alpha) : Number.POSITIVE_INFINITY
  const time = Number.isFinite(period) ? t - period * Math.floor(t / period) : t
  const wanted = sqrt(mu) * time
  /** Time since the start as a function of the anomaly, less the time wanted, and its slope, the radius. */
  const excess = (chi: number): readonly [number, number] => {
    const [c, s] = stumpff(alpha * chi * chi)
    const square = chi * chi
    const value = along * square * c + (1 - alpha * r0) * square * chi * s + r0 * chi - wanted
    return [value, along * chi * (1 - alpha * square * s) + (1 - alpha * r0) * square * c + r0]
  }
  let low = 0
  let high = alpha > 0 ? TAU / sqrt(alpha) : 1e-3 * sqrt(r0)
  if (alpha <= 0) while (excess(high)[0] < 0) high *= 2
  let chi = Math.min(high, wanted / r0)
  for (let step = 0; step < STEPS_MAX; step++) {
    const [value, slope] = excess(chi)
    if (value === 0) break
    if (value < 0) low = chi
    else high = chi
    const newton = chi - value / slope
    const next = newton > low && newton < high ? newton : low + (high - low) / 2
    if (next === chi || Math.abs(next - chi) <= 4e-16 * chi) break
    chi = next
  }
  const [c, s] = stumpff(alpha * chi * chi)
  const f = 1 - (chi * chi * c) / r0
  const g = time - (chi * chi * chi * s) / sqrt(mu)
  const at = [f * x + g * u, f * y + g * v, f * z + g * w] as const
  const r = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2])
  const fDot = (sqrt(mu) / (r * r0)) * chi * (alpha * chi * chi * s - 1)
  const gDot = 1 - (chi * chi * c) / r
  return Float64Array.of(...at, fDot * x + gDot * u, fDot * y + gDot * v, fDot * z + gDot * w)
}
