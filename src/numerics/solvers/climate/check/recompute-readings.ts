import { hypot, sqrt } from '#numerics/math.ts'
import type { Water } from '#numerics/solvers/climate/problem.ts'

type Readings = Readonly<Record<'anomaly' | 'meanDepth' | 'minDepth' | 'maxDepth' | 'maxSpeed' | 'energy', number>>

/** Mean and variance of a field by sums about its first value: another way than by differences from the mean. */
const momentsOf = (field: Float64Array): { readonly mean: number; readonly variance: number } => {
  const [origin] = field
  let [first, second] = [0, 0]
  for (const value of field) {
    const off = value - origin
    first += off / field.length
    second += (off * off) / field.length
  }
  return { mean: origin + first, variance: Math.max(0, second - first * first) }
}

/**
 * What the report reads off the water, read anew by the check: the energy as half of flux times velocity and g/2 times
 * the variance of the surface.
 *
 * @param water depths in m, fluxes in m²/s. @param bottom of the same cells, in m.
 */
export const recomputeReadings = (
  { h, p, q }: Water,
  { bottom, gravity }: { readonly bottom: Float64Array; readonly gravity: number },
): Readings => {
  const depth = momentsOf(h)
  let [minDepth, maxDepth, maxSpeed, push] = [h[0], h[0], 0, 0]
  for (let i = 0; i < h.length; i++) {
    const [u, v] = h[i] > 0 ? [p[i] / h[i], q[i] / h[i]] : [0, 0]
    if (h[i] < minDepth) minDepth = h[i]
    if (h[i] > maxDepth) maxDepth = h[i]
    maxSpeed = Math.max(maxSpeed, hypot(u, v))
    push += (p[i] * u + q[i] * v) / (2 * h.length)
  }
  const energy = push + (gravity * momentsOf(h.map((it, i) => it + bottom[i])).variance) / 2
  return { anomaly: sqrt(depth.variance), meanDepth: depth.mean, minDepth, maxDepth, maxSpeed, energy }
}
