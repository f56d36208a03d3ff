import { sqrt } from '#numerics/math.ts'
import { dot, type Pair, twoLoops } from '#numerics/methods/limited-memory.ts'
import { pointsOf } from '#numerics/methods/sobol.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import { type Found, type Search, sameValue } from './search.ts'

/** Pairs of the limited memory. */
const MEMORY = 12
/** Steps of one local search. */
const STEPS_MAX = 2_000
/** Halvings of one line search. */
const HALVINGS_MAX = 40
/** Share of the promised fall that a step must bring (Armijo). */
const ARMIJO = 1e-4
const STARTS_MIN = 8
const STARTS_MAX = 100_000
/** Different minima that are told apart; a function that shows more is searched until the budget is spent. */
const MINIMA_MAX = 256
/** Largest difference of a coordinate, in widths of the box, of two ends that are one minimum. */
const APART = 1e-4

/** The direction downhill on the free coordinates. */
const directionOf = (gradient: Float64Array, free: Uint8Array, pairs: readonly Pair[]): Float64Array => {
  const q = twoLoops(
    gradient.map((g, i) => (free[i] === 1 ? -g : 0)),
    pairs,
  )
  for (let i = 0; i < q.length; i++) if (free[i] !== 1) q[i] = 0
  return q
}

/** Where a descent ended: in the unit cube. */
interface Minimum {
  readonly value: number
  readonly point: Float64Array
}

/** A local minimisation in the unit cube that the box is stretched to. */
export const descend = (search: Search, start: Float64Array): Minimum => {
  const { box, dimension } = search
  const width = box.upper.map((u, i) => u - box.lower[i])
  const place = (u: Float64Array): Float64Array =>
    u.map((t, i) => (t >= 1 ? box.upper[i] : t <= 0 ? box.lower[i] : box.lower[i] + t * width[i]))
  const slope = new Float64Array(dimension)
  const value = (u: Float64Array, gradient: Float64Array): number => {
    const f = search.evaluate(place(u), slope)
    for (let i = 0; i < dimension; i++) gradient[i] = slope[i] * width[i]
    return f
  }
  let x = start.slice()
  let gradient: Float64Array<ArrayBufferLike> = new Float64Array(dimension)
  let f = value(x, gradient)
  const pairs: Pair[] = []
  for (let step = 0; step < STEPS_MAX && Number.isFinite(f) && !search.spent(); step++) {
    const free = Uint8Array.from(x, (t, i) => ((t <= 0 && gradient[i] > 0) || (t >= 1 && gradient[i] < 0) ? 0 : 1))
    let direction = directionOf(gradient, free, pairs)
    if (!(dot(direction, gradient) < 0)) {
      pairs.length = 0
      direction = directionOf(gradient, free, pairs)
    }
    const steepest = sqrt(dot(direction, direction))
    if (steepest === 0) break
    // The first step has no scale: a hundredth of the box.
    let t = pairs.length === 0 ? Math.min(1, 0.01 / steepest) : 1
    const next = new Float64Array(dimension)
    const nextGradient = new Float64Array(dimension)
    let lower = Number.NaN
    for (let halving = 0; halving < HALVINGS_MAX; halving++) {
      for (let i = 0; i < dimension; i++) next[i] = Math.min(1, Math.max(0, x[i] + t * direction[i]))
      let fall = 0
      for (let i = 0; i < dimension; i++) fall += gradient[i] * (next[i] - x[i])
      lower = value(next, nextGradient)
      if (lower <= f + ARMIJO * fall && fall < 0) break
      lower = Number.NaN
      t *= 0.5
    }
    if (!(lower < f)) {
      if (pairs.length === 0) break
      // The memory may be stale: once more along the gradient.
      pairs.length = 0
      continue
    }
    const s = next.map((v, i) => v - x[i])
    const y = nextGradient.map((v, i) => v - gradient[i])
    const curvature = dot(s, y)
    if (curvature > 1e-16 * sqrt(dot(s, s) * dot(y, y))) {
      pairs.push({ s, y, rho: 1 / curvature })
      if (pairs.length > MEMORY) pairs.shift()
    }
    x = next
    gradient = nextGradient
    f = lower
  }
  return { value: f, point: x }
}

/** The different minima among the ends of descents. */
const collection = () => {
  const found: Minimum[] = []
  const known = ({ point }: Minimum): boolean =>
    found.some((it) => point.every((t, i) => Math.abs(t - it.point[i]) <= APART))
  return {
    take: (end: Minimum): void => {
      if (found.length <= MINIMA_MAX && !known(end)) found.push(end)
    },
    /**
     * Whether so many starts would have shown another minimum, if there were one: the expected number of minima,
     * w·(N − 1)/(N − w − 2) after w in N starts, is within a half of w (Boender, Rinnooy Kan, Math. Programming 37
     * (1987) 59).
     */
    complete: (starts: number): boolean => {
      const w = found.length
      return w <= MINIMA_MAX && starts > w + 2 && (w * (starts - 1)) / (starts - w - 2) <= w + 0.5
    },
  }
}

/**
 * Descents from scrambled Sobol points (projected L-BFGS, with the two-metric projection of Bertsekas, SIAM J. Control
 * Optim. 20 (1982) 221). It ends when more starts are not expected to show more minima, or the budget is spent.
 */
export const multistart = (
  search: Search,
  { seed, startsMax = STARTS_MAX }: { readonly seed: number; readonly startsMax?: number },
  progress: Progress,
): Found => {
  const points = pointsOf(search.dimension, seed, 0)
  const start = new Float64Array(search.dimension)
  const ends: number[] = []
  const minima = collection()
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const hits = (): number => ends.filter((end) => sameValue(end, least, most - least)).length
  let starts = 0
  while (starts < startsMax && !search.spent()) {
    points.next(start)
    const end = descend(search, start)
    starts++
    if (Number.isFinite(end.value)) {
      ends.push(end.value)
      minima.take(end)
      least = Math.min(least, end.value)
      most = Math.max(most, end.value)
    }
    progress({ step: starts, steps: startsMax, residual: least })
    if (starts >= STARTS_MIN && minima.complete(starts)) break
  }
  return { starts, hits: hits() }
}
