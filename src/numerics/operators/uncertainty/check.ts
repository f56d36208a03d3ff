import type { Decimal } from 'decimal.js'
import { Precise } from '#numerics/operators/decimal.ts'
import { quadrature } from './linear.ts'
import type { LinkModel } from './model.ts'
import { movedPrecisely } from './precise-model.ts'
import type { Source } from './sources.ts'

/** Relative step of the central differences: its square is far below doubles, and 30 digits are left. */
const STEP = '1e-20'
/** A sensitivity whose part is below this share of the whole is held against that share: it decides nothing. */
const SHARE_LEAST = 1e-6

/** The same for a derivative so small that the value, doubled in size with its input, would not show it. */
const SLOPE_LEAST = 1e-9

/** What the check is handed: the chain, its sources, and the derivatives of each link in doubles. */
export interface CheckInput {
  readonly links: readonly LinkModel[]
  readonly sources: readonly Source[]
  readonly slopes: readonly (readonly number[])[]
}

const stepOf = ({ links, sources }: CheckInput, source: number): Decimal => {
  const values = links.flatMap((link) => link.values.filter((_, i) => link.movedBy[i]?.includes(source)))
  const size = values.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
  return new Precise(size === 0 ? (sources[source]?.standard ?? 1) || 1 : size).times(STEP)
}

/** The result's derivative by one source as a central difference at 50 digits. */
const difference = (it: CheckInput, source: number, base: readonly Decimal[]): number => {
  const step = stepOf(it, source)
  const valueAt = (way: Decimal): Decimal => {
    const off = it.sources.map((_, i) => (i === source ? way : new Precise(0)))
    const near = base.map((at, i) => {
      const slope = it.slopes[i]?.[source] ?? 0
      return { at, step: Number.isFinite(slope) ? way.times(slope) : way.times(0) }
    })
    return movedPrecisely(it.links, off, near).at(-1) ?? new Precise(Number.NaN)
  }
  return valueAt(step).minus(valueAt(step.negated())).div(step.times(2)).toNumber()
}

/**
 * The sensitivities measured again: central differences of the whole chain at 50 digits, each value solved from the
 * relation anew. A wrong rule of differentiation cannot hide in it.
 *
 * @returns the largest deviation of a sensitivity in percent; NaN where one cannot be measured.
 */
export const measureSlopes = (it: CheckInput): number => {
  const nominal = it.links.map((link) => new Precise(link.values.at(-1) ?? Number.NaN))
  const still = it.sources.map(() => new Precise(0))
  const base = movedPrecisely(
    it.links,
    still,
    nominal.map((at) => ({ at, step: new Precise(0) })),
  )
  const found = it.slopes.at(-1) ?? []
  const truth = it.sources.map((_, source) => difference(it, source, base))
  const whole = quadrature(truth.map((slope, i) => slope * (it.sources[i]?.standard ?? 0)))
  const result = Math.abs(it.links.at(-1)?.values.at(-1) ?? Number.NaN)
  return it.sources.reduce((most, { standard, value }, i) => {
    const [is, should] = [found[i] ?? Number.NaN, truth[i] ?? Number.NaN]
    const decides = standard === 0 ? 0 : (SHARE_LEAST * whole) / standard
    const shows = value === null || value === 0 ? 0 : SLOPE_LEAST * Math.abs(result / value)
    const scale = Math.max(Math.abs(should), decides, shows)
    const off = is === should ? 0 : (100 * Math.abs(is - should)) / scale
    return Number.isNaN(most) || Number.isNaN(off) ? Number.NaN : Math.max(most, off)
  }, 0)
}

/** Draws that are computed again at 50 digits. */
const SAMPLES = 8

/** One draw: how far each source was off, and what each link became. */
export interface Draw {
  readonly off: readonly number[]
  readonly values: readonly number[]
}

/**
 * Draws of a Monte Carlo run computed again at 50 digits, evenly spread over those accepted.
 *
 * @returns the largest deviation in percent of the standard uncertainty; NaN where one cannot be measured.
 */
export const measureDraws = (links: readonly LinkModel[], draws: readonly Draw[], standard: number): number => {
  const chosen = Array.from({ length: SAMPLES }, (_, i) => draws[Math.floor((i * draws.length) / SAMPLES)])
  return chosen.reduce((most, draw) => {
    if (draw === undefined) return Number.NaN
    const near = draw.values.map((it) => ({ at: new Precise(it), step: new Precise(0) }))
    const off = draw.off.map((it) => new Precise(it))
    const value = movedPrecisely(links, off, near).at(-1)
    const apart = value?.minus(draw.values.at(-1) ?? Number.NaN).abs() ?? new Precise(Number.NaN)
    const pct = apart.isZero() ? 0 : apart.times(100).div(standard).toNumber()
    return Number.isNaN(most) || Number.isNaN(pct) ? Number.NaN : Math.max(most, pct)
  }, 0)
}
