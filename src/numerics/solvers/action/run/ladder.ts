import { log } from '#numerics/math.ts'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { apartOf, exactRows } from '#numerics/solvers/action/exact.ts'
import { RUNGS } from '#numerics/solvers/action/order.ts'
import { haste, type Problem, problemOf } from '#numerics/solvers/action/problem.ts'
import type { ActionInput } from '#numerics/solvers/action/schema.ts'
import { loopsOf } from './loops.ts'
import { composedOf, NO_RK4 } from './motion.ts'

/** Errors between which a coarse step tells the order: well above rounding, and where series begin to hold. */
const ERROR_MIN = 1e-10
const ERROR_MAX = 1e-3
/** Orders by which the slopes of neighbouring steps may differ in the limit. */
const SLOPES_APART = 1
/** Steps per period that are tried, the finest first: each is the one before by √2. */
const STEPS_MIN = 6
const STEPS_MAX = 4_096

/** Three step numbers and their errors after one period, coarse enough for the order to show. */
export interface Ladder {
  readonly steps: readonly number[]
  readonly errors: readonly number[]
}

/** Whole numbers of steps from the finest down, each less by √2. */
const candidates = (): readonly number[] => {
  const all: number[] = []
  for (let n = STEPS_MAX; n >= STEPS_MIN; n /= 2) all.push(n, Math.floor(0.7071067811865476 * n))
  return all
}

/** The error of a composition after one period in so many steps. */
const errorOf = (input: ActionInput, { start, period, place, rate }: Problem, steps: number, end: Float64Array) => {
  const pair = Float64Array.of(...start, ...start)
  loopsOf(input)(pair, { steps, by: composedOf(compositionOf(input.order), period / steps) }, NO_RK4)
  return apartOf(pair.subarray(0, 4), end, { place, rate })
}

/** Whether three steps show one slope: near a separatrix, or at steps too coarse, they show none. */
const inTheLimit = ({ steps, errors }: Ladder): boolean => {
  const [a, b, c] = errors
  const [n, m, l] = steps
  if (a === undefined || b === undefined || c === undefined || n === undefined || m === undefined || l === undefined) {
    return false
  }
  return Math.abs(log(a / b) / log(m / n) - log(b / c) / log(l / m)) <= SLOPES_APART
}

/**
 * The three finest steps whose errors after one period are still above 1e-10, from 4,096 steps a period down: at the
 * working step rounding would flatten the order.
 */
export const ladderOf = (input: ActionInput): Ladder => {
  const problem = problemOf(input)
  const end = exactRows(input, [0, problem.period])?.subarray(4)
  const steps: number[] = []
  const errors: number[] = []
  if (end === undefined) return { steps, errors }
  // From coarse to fine: the first error below the bound ends it, so that few steps are spent.
  for (const n of candidates().toReversed()) {
    const error = errorOf(input, problem, n, end)
    if (error < ERROR_MIN * haste(problem) * haste(problem)) break
    if (!(error < ERROR_MAX)) continue
    steps.push(n)
    errors.push(error)
  }
  const found = { steps: steps.slice(-RUNGS), errors: errors.slice(-RUNGS) }
  return inTheLimit(found) ? found : { steps: [], errors: [] }
}
