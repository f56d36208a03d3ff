import { Fault } from '#core/fault.ts'
import { exp, pow } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Outcome, type Progress } from '#numerics/runtime/solver.ts'
import { closedPrice } from './closed.ts'
import { priced, type QuantEvidence } from './run/simulate.ts'
import { MONEY_MAX, MONEY_MIN, PATHS_MAX, PATHS_MIN, type QuantInput, type QuantOutput } from './schema.ts'

/** Least price in units of S that a simulation is asked for. */
const PRICE_MIN = 1e-10
/** The fastest that the standard error of scrambled nets falls with the paths on a smooth payoff: paths^−3/2. */
const BEST_RATE = 1.5
/**
 * Rates that errors have been seen to keep, which what is named as enough is counted by: of few random numbers a path,
 * and under a barrier of several steps, where the payoff bends in all of them.
 */
const SAFE_RATE = 0.75
const BARRIER_RATE = 0.5

const wrong = (path: string, why: string, details: Record<string, unknown>): never => {
  throw new Fault('ILL_POSED', `${path}: ${why}`, { path, ...details })
}

const refuseBarrier = ({ S, barrier }: QuantInput): void => {
  const { H, kind } = barrier
  const down = kind.startsWith('down')
  if (down ? S > H : S < H) return
  wrong('/barrier/H', `the underlying at ${S} has touched it; it must be ${down ? '<' : '>'} ${S}.`, {
    measured: H,
    limit: S,
    H: S * (down ? 0.9 : 1.1),
  })
}

/** A strike, in the schema, at which the option has a price to measure: at the forward, or beside a barrier. */
const pricedStrike = (input: QuantInput): number | undefined => {
  const { S, r, q, T, product, barrier } = input
  const forward = S * exp((r - q) * T)
  const beside = product === 'barrier' ? [0.9, 1.1, 0.5, 2].map((share) => share * barrier.H) : []
  return [forward, S, ...beside, forward / 2, 2 * forward].find((K) => {
    const price = closedPrice({ ...input, K })
    return K >= MONEY_MIN && K <= MONEY_MAX && Number.isFinite(price) && price >= 1e4 * PRICE_MIN * S
  })
}

const refusePrice = (input: QuantInput): void => {
  const price = closedPrice(input)
  if (price >= PRICE_MIN * input.S) return
  const limit = PRICE_MIN * input.S
  const K = pricedStrike(input)
  const passing = K === undefined ? {} : { K }
  const told = K === undefined ? '' : ` At a strike of ${K} it is not.`
  if (!Number.isFinite(price)) {
    wrong('/K', `the price cannot be told in doubles.${told}`, { measured: null, limit, ...passing })
  }
  const why = `the price is ${price}, below ${PRICE_MIN} of the underlying.${told}`
  wrong('/K', why, { measured: price, limit, ...passing })
}

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
  if (!(needed > input.paths)) return
  const why = `four standard errors are ${output.fourSigmaPct} % of the price at ${PATHS_MIN} paths`
  const rule = `${why}; at the best rate, paths^−${BEST_RATE}, ${needed} would be within ${ERROR_PCT_MAX} %`
  if (needed > PATHS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `/paths: ${rule}.`, { path: '/paths', measured: needed, limit: PATHS_MAX })
  }
  const stepped = input.product === 'barrier' && input.barrier.steps > 1
  const safe = Math.min(PATHS_MAX, pathsAt(stepped ? BARRIER_RATE : SAFE_RATE))
  const fewer = stepped ? ', and /barrier/steps 1 needs fewest' : ''
  wrong('/paths', `${rule}; ${safe} should pass${fewer}.`, { measured: input.paths, limit: needed, paths: safe })
}

/**
 * What can be refused by closed forms.
 *
 * @throws Fault ILL_POSED: a barrier that is touched already, a price too small to measure, with what would pass.
 */
export const refuseQuant = (input: QuantInput): void => {
  if (input.product === 'barrier') refuseBarrier(input)
  refusePrice(input)
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
