import { Fault } from '#core/fault.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import { streamOf } from '#numerics/methods/random.ts'
import type { Draw } from './check.ts'
import { quadrature } from './linear.ts'
import type { Source } from './sources.ts'

/** Draws of one run. */
export const DRAWS = 10_000
/** Share of the interval. */
export const COVERAGE = 0.95
/** Least share of the draws that must have a value: of fewer a distribution would say nothing about the inputs. */
const ACCEPTED_SHARE_MIN = 0.1

/** A distribution as drawn. */
export interface DrawnDistribution {
  readonly mean: number
  readonly standard: number
  readonly low: number
  readonly high: number
  readonly refused: number
  /** Every draw that has a value. */
  readonly accepted: readonly Draw[]
}

/**
 * Normal draws of one source, one from each of as many slices of equal probability, in an order of its own: a Latin
 * hypercube (McKay, Beckman, Conover, Technometrics 21, 239 (1979)), unbiased and far less scattered than free draws.
 */
const normalsOf = (seed: number, source: number): Float64Array => {
  const order = Uint32Array.from({ length: DRAWS }, (_, i) => i)
  const places = streamOf(seed, 2 * source)
  for (let i = DRAWS - 1; i > 0; i -= 1) {
    const j = Math.floor(places.uniform(i) * (i + 1))
    const swapped = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = swapped
  }
  const within = streamOf(seed, 2 * source + 1)
  return Float64Array.from(order, (slice, i) => inverseNormal((slice + within.uniform(i)) / DRAWS))
}

/** Sample statistics of values as their distances from a nominal one, which keeps digits that they share. */
const momentsOf = (values: readonly number[], nominal: number) => {
  const off = values.map((it) => it - nominal)
  const mean = off.reduce((sum, it) => sum + it / values.length, 0)
  const scale = Math.sqrt(values.length - 1)
  return { mean: nominal + mean, standard: quadrature(off.map((it) => (it - mean) / scale)) }
}

/** The probabilistically symmetric interval (JCGM 101:2008, 7.7). */
const intervalOf = (values: readonly number[]) => {
  const sorted = Float64Array.from(values).sort()
  const count = sorted.length
  const inside = Math.floor(COVERAGE * count + 0.5)
  const first = Math.floor((count - inside + 1) / 2)
  return { low: sorted[Math.max(first - 1, 0)] ?? Number.NaN, high: sorted[first + inside - 1] ?? Number.NaN }
}

/** What is drawn: the chain as a function of its sources, its nominal value, and where the draws begin. */
export interface Drawing {
  /** The value of each link when each source is off by so much; NaN where it has none. */
  readonly valuesAt: (off: ArrayLike<number>) => readonly number[]
  readonly nominal: number
  readonly sources: readonly Source[]
  readonly seed: number
}

/**
 * Propagation of distributions (JCGM 101:2008): each source normal around its value, a fixed number of draws, the same
 * bits for the same seed everywhere. A draw in which a variable leaves its range, or the relation has no value, is
 * refused and counted; the statistics are those of the others.
 *
 * @throws Fault OUT_OF_RANGE when nearly all are refused.
 */
export const drawValues = ({ valuesAt, nominal, sources, seed }: Drawing): DrawnDistribution => {
  const normals = sources.map(({ standard }, i) => (standard > 0 ? normalsOf(seed, i) : new Float64Array(DRAWS)))
  const accepted: Draw[] = []
  for (let i = 0; i < DRAWS; i += 1) {
    const off = sources.map(({ standard }, source) => standard * (normals[source]?.[i] ?? 0))
    const values = valuesAt(off)
    if (Number.isFinite(values.at(-1))) accepted.push({ off, values })
  }
  const refused = DRAWS - accepted.length
  if (accepted.length < ACCEPTED_SHARE_MIN * DRAWS) {
    const why = `${refused} of ${DRAWS} draws leave the range in which the relation holds`
    throw new Fault('OUT_OF_RANGE', `The uncertainties are too large: ${why}.`, { input: 'uncertainties', refused })
  }
  const results = accepted.map(({ values }) => values.at(-1) ?? Number.NaN)
  const { mean, standard } = momentsOf(results, nominal)
  if (!Number.isFinite(mean) || !Number.isFinite(standard)) {
    throw new Fault('OUT_OF_RANGE', 'The propagated uncertainty is beyond the range of a double.', {
      input: 'uncertainties',
    })
  }
  return { mean, standard, ...intervalOf(results), refused, accepted }
}
