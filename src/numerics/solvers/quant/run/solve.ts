import { Fault } from '#core/fault.ts'
import { pow } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Outcome, type Progress } from '#numerics/runtime/solver.ts'
import { illPosed } from '#numerics/solvers/quant/limits.ts'
import { pathsOf } from '#numerics/solvers/quant/problem.ts'
import {
  PATHS_MAX,
  PATHS_MIN,
  type QuantEvidence,
  type QuantInput,
  type QuantOutput,
} from '#numerics/solvers/quant/schema.ts'
import { priced } from './simulate.ts'

/** The fastest that the standard error of scrambled nets falls with the paths on a smooth payoff: paths^−3/2. */
const BEST_RATE = 1.5

/**
 * Rates that errors have been seen to keep, which what is named as enough is counted by: of few random numbers a path,
 * and under a barrier of several steps, where the payoff bends in all of them.
 */
const SAFE_RATE = 0.75

const BARRIER_RATE = 0.5

/** A short run tells how far the standard error is from its bound, and whether even the best rate can close the gap. */
const refusePaths = (input: QuantInput): void => {
  const { output } = priced({ ...input, paths: PATHS_MIN }, () => undefined)
  const pathsAt = (rate: number): number => {
    let paths = PATHS_MIN
    let fourSigma = output.fourSigmaPct
    const perDoubling = pow(0.5, rate)
    while (fourSigma > ERROR_PCT_MAX && paths < 64 * PATHS_MAX) {
      paths *= 2
      fourSigma *= perDoubling
    }
    return paths
  }
  const needed = pathsAt(BEST_RATE)
  const paths = pathsOf(input)
  if (!(needed > paths)) return
  const why = `four standard errors are ${output.fourSigmaPct} % of the price at ${PATHS_MIN} paths`
  const rule = `${why}; at the best rate, paths^−${BEST_RATE}, ${needed} would be within ${ERROR_PCT_MAX} %`
  if (needed > PATHS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `/paths: ${rule}.`, { path: '/paths', measured: needed, limit: PATHS_MAX })
  }
  const stepped = input.product === 'barrier' && input.barrier.steps > 1
  const safe = Math.min(PATHS_MAX, pathsAt(stepped ? BARRIER_RATE : SAFE_RATE))
  const fewer = stepped ? ', and /barrier/steps 1 needs fewest' : ''
  illPosed('/paths', `${rule}; ${safe} should pass${fewer}.`, { measured: paths, limit: needed, paths: safe })
}

/**
 * Prices an option, once a short run has found its paths to be enough.
 *
 * @throws Fault ILL_POSED (too few paths, with those that should pass), WORK_LIMIT_EXCEEDED (more than there are).
 */
export const solveQuant = (input: QuantInput, progress: Progress): Outcome<QuantOutput, QuantEvidence> => {
  refusePaths(input)
  return priced(input, progress)
}
