import type { Objective } from '#numerics/solvers/opt/functions.ts'
import type { Box } from '#numerics/solvers/opt/problem.ts'
import { KEPT_MAX } from '#numerics/solvers/opt/schema.ts'

/** One improvement: at which evaluation, to which value, where. */
export interface Improvement {
  readonly count: number
  readonly value: number
  readonly point: Float64Array
}

/** A search under way: it evaluates within its budget and remembers what was best. */
export interface Search {
  readonly box: Box
  readonly dimension: number
  /** Value at a point of the box; +∞ where it is not a number, and once the budget is spent. */
  readonly evaluate: (x: Float64Array, slope?: Float64Array) => number
  readonly spent: () => boolean
  readonly count: () => number
  readonly best: () => Improvement
  readonly history: () => readonly Improvement[]
}

/** Begins a search of at most `budget` evaluations. */
export const beginSearch = (objective: Objective, box: Box, budget: number): Search => {
  const dimension = box.lower.length
  let count = 0
  let best: Improvement = { count: 0, value: Number.POSITIVE_INFINITY, point: box.lower.slice() }
  const history: Improvement[] = []
  let stride = 1
  let seen = 0
  const remember = (improvement: Improvement): void => {
    best = improvement
    if (seen++ % stride === 0) history.push(improvement)
    if (history.length < KEPT_MAX) return
    // Every second one goes, and from here on only every second one comes.
    for (let k = 0; k < history.length / 2; k++) history[k] = history[2 * k] as Improvement
    history.length = KEPT_MAX / 2
    stride *= 2
  }
  return {
    box,
    dimension,
    evaluate: (x, slope) => {
      if (count >= budget) return Number.POSITIVE_INFINITY
      count++
      const value = objective(x, slope)
      if (Number.isNaN(value) || value === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY
      if (value < best.value) remember({ count, value, point: x.slice() })
      return value
    },
    spent: () => count >= budget,
    count: () => count,
    best: () => best,
    history: () => (history.at(-1) === best ? history : [...history, best]),
  }
}

/** What an optimiser says of itself. */
export interface Found {
  readonly starts: number
  /** Starts that ended at the least value. */
  readonly hits: number
}

/** Relative distance of two values, on the scale of their spread, below which they are one minimum. */
const SAME = 1e-7

/** Whether two minima have one value; `spread` is how much the function varies over the starts. */
export const sameValue = (a: number, b: number, spread: number): boolean =>
  Math.abs(a - b) <= SAME * Math.max(spread, 1e-300)
