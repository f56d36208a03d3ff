import { assert } from '#core/assert.ts'
import { pow } from '#numerics/math.ts'

/**
 * An autonomous system by its Taylor series: each problem writes its own recursion for the coefficients, so that a
 * check by it shares no right-hand side with the run.
 */
export interface TaylorSystem {
  /** Components of the state, the first of the series. */
  readonly size: number
  /** Series kept in all: the state's, then whatever products the recursion needs. */
  readonly series: number
  /** Fills coefficients 1 … order of the state's series, whose coefficients 0 are given. */
  coefficients(series: readonly Float64Array[], order: number): void
}

/** How a series is summed. */
export interface TaylorAccuracy {
  readonly order: number
  /** Size of the last terms as a share of each component plus its floor. */
  readonly relative: number
  readonly floor: number | Float64Array
  /** Steps of one call, at most. */
  readonly stepsMax: number
}

/** Σ a[j]·b[n−j], j = 0 … n: coefficient n of a product of two series. */
export const cauchy = (a: Float64Array, b: Float64Array, n: number): number => {
  let sum = 0
  for (let j = 0; j <= n; j++) sum += a[j] * b[n - j]
  return sum
}

/** The value of a series at a distance h (Horner). */
export const seriesAt = (coefficients: Float64Array, h: number): number => {
  let value = 0
  for (let j = coefficients.length - 1; j >= 0; j--) value = value * h + coefficients[j]
  return value
}

/** The step at which the last two terms of every component are as small as asked (Jorba, Zou, Exp. Math. 14, 2005). */
const stepOf = (
  series: readonly Float64Array[],
  { size }: TaylorSystem,
  { order, relative, floor }: TaylorAccuracy,
): number => {
  let step = Number.POSITIVE_INFINITY
  for (let n = order - 1; n <= order; n++) {
    let most = 0
    for (let c = 0; c < size; c++) {
      const one = series[c] as Float64Array
      const scale = Math.abs(one[0]) + (typeof floor === 'number' ? floor : floor[c])
      const share = scale > 0 ? Math.abs(one[n]) / scale : 0
      most = Math.max(most, share)
    }
    if (most > 0) step = Math.min(step, pow(relative / most, 1 / n))
    if (Number.isNaN(most)) return Number.NaN
  }
  return step
}

/** Where a series run has come to; false ends it early. */
export type SeriesVisitor = (k: number, state: Float64Array) => boolean | undefined

/**
 * Follows a system along rising or falling times by Taylor series with steps of its own; `visit` gets the state at
 * times[1], times[2], … (times[0] is the start's).
 *
 * @returns steps taken, or undefined when they were spent or had no length: then nothing is known.
 */
export const alongTaylor = (
  system: TaylorSystem,
  accuracy: TaylorAccuracy,
  {
    start,
    times,
    visit,
  }: { readonly start: ArrayLike<number>; readonly times: ArrayLike<number>; readonly visit: SeriesVisitor },
): number | undefined => {
  const { size } = system
  const { order, stepsMax } = accuracy
  const series = Array.from({ length: system.series }, () => new Float64Array(order + 1))
  const state = Float64Array.from(start)
  assert(state.length === size, 'the start has every component')
  const end = times[times.length - 1] as number
  const out = new Float64Array(size)
  let t = times[0] as number
  const sign = end < t ? -1 : 1
  let next = 1
  for (let taken = 1; taken <= stepsMax; taken++) {
    for (let c = 0; c < size; c++) (series[c] as Float64Array)[0] = state[c]
    system.coefficients(series, order)
    const h = Math.min(stepOf(series, system, accuracy), Math.abs(end - t))
    const reach = h === Math.abs(end - t) ? end : t + sign * h
    if (Number.isNaN(h) || (reach === t && t !== end)) return undefined
    for (; next < times.length && sign * ((times[next] as number) - reach) <= 0; next++) {
      for (let c = 0; c < size; c++) out[c] = seriesAt(series[c] as Float64Array, (times[next] as number) - t)
      if (visit(next, out) === false) return taken
    }
    if (next === times.length) return taken
    for (let c = 0; c < size; c++) state[c] = seriesAt(series[c] as Float64Array, reach - t)
    t = reach
  }
  return undefined
}
