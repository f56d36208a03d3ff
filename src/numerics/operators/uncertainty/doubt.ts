import { SQRT1_2 } from '#numerics/math.ts'
import type { Doubt } from '#numerics/operators/computation.ts'
import { quadrature } from './linear.ts'
import type { Source } from './sources.ts'

/** Distance in standard uncertainties at which the relation is held against its tangent. */
const REACH = 3
/** Deviation from the tangent there, in standard uncertainties of the result, from which on the tangent is doubted. */
export const CURVATURE_MAX = 0.25
/** Rounding of a value in doubles, relative to the parts that it is made of: no deviation below it means anything. */
const NOISE = 1e-13

/** What the tangent is held against. */
export interface Tangent {
  /** Value of the result when each source is off by so much. */
  readonly valueAt: (off: readonly number[]) => number
  readonly nominal: number
  readonly slopes: readonly number[]
  readonly sources: readonly Source[]
}

/** Along each source both ways, and along each pair: a product of two curves only where both move. */
const directions = (count: number): readonly (readonly number[])[] => {
  const along = (...pairs: readonly (readonly [number, number])[]): readonly number[] => {
    const found = Array.from({ length: count }, () => 0)
    for (const [i, way] of pairs) found[i] = way
    return found
  }
  const half = SQRT1_2
  const all = Array.from({ length: count }, (_, i) => i)
  return [
    ...all.flatMap((i) => [along([i, 1]), along([i, -1])]),
    ...all.flatMap((i) => all.slice(0, i).flatMap((j) => [along([i, half], [j, half]), along([i, half], [j, -half])])),
  ]
}

/**
 * Why the linear propagation may be wrong, nothing when it need not be doubted: a derivative is missing or zero; a
 * point three standard uncertainties away has no value, leaves a range, or is further from the tangent than
 * {@link CURVATURE_MAX} standard uncertainties of the result. The last sees kinks as well.
 */
export const doubtsOf = ({ valueAt, nominal, slopes, sources }: Tangent): readonly Doubt[] => {
  const moving = sources.flatMap(({ kind, standard }, i) => (kind === 'input' && standard > 0 ? [i] : []))
  const found = new Set<Doubt>()
  if (!slopes.every(Number.isFinite)) found.add('no-derivative')
  if (moving.some((i) => slopes[i] === 0)) found.add('zero-sensitivity')
  const whole = quadrature(slopes.map((slope, i) => slope * (sources[i]?.standard ?? 0)))
  const parts = sources.map(({ value }, i) => (slopes[i] ?? 0) * (value ?? 0))
  const noise = NOISE * (Math.abs(nominal) + quadrature(parts))
  for (const way of directions(moving.length)) {
    const off = sources.map(() => 0)
    for (const [k, i] of moving.entries()) off[i] = REACH * (way[k] ?? 0) * (sources[i]?.standard ?? 0)
    const value = valueAt(off)
    if (!Number.isFinite(value)) found.add('range')
    const tangent = off.reduce((sum, it, i) => (it === 0 ? sum : sum + it * (slopes[i] ?? 0)), nominal)
    if (Math.abs(value - tangent) > CURVATURE_MAX * whole + noise) found.add('curvature')
  }
  return (['range', 'no-derivative', 'zero-sensitivity', 'curvature'] as const).filter((it) => found.has(it))
}
