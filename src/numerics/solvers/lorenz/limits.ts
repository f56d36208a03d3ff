import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { flowOf, horizonOf, lengthAt, rateAt } from './problem.ts'
import type { LorenzInput } from './schema.ts'

/** Least speed of the start as a share of its distance times the fastest rate: below it nothing moves. */
const SPEED_SHARE_MIN = 1e-12
/** Time of the run in units of the fastest rate at its start. */
const SPAN_MAX = 100_000

/** The fixed points: the origin, and from ρ = 1 on two more. */
const fixedPoints = ({ rho, beta }: LorenzInput): readonly (readonly number[])[] => {
  if (rho <= 1) return [[0, 0, 0]]
  const x = sqrt(beta * (rho - 1))
  return [
    [0, 0, 0],
    [x, x, rho - 1],
    [-x, -x, rho - 1],
  ]
}

/** Powers of e by which a course that decays may fall: what is left is then 1e-12 of it. */
const FALL_MAX = 27

/** The slowest rate at which everything decays to the origin, 0 from ρ = 1 on. */
const decayOf = ({ sigma, rho, beta }: LorenzInput): number => {
  if (rho >= 1) return 0
  const square = (sigma + 1) * (sigma + 1) - 4 * sigma * (1 - rho)
  return Math.min(beta, (sigma + 1 - sqrt(Math.max(0, square))) / 2)
}

const refuseDecay = (input: LorenzInput): void => {
  const rate = decayOf(input)
  const fall = rate * input.t_max
  if (fall <= FALL_MAX) return
  throw new Fault('ILL_POSED', `With ρ < 1 all decays, here by e^−${fall}; from e^−${FALL_MAX} on nothing is left.`, {
    measured: fall,
    limit: FALL_MAX,
    t_max: (0.999999 * FALL_MAX) / rate,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (a start that rests at a fixed point, a course that has decayed) and WORK_LIMIT_EXCEEDED
 * (time against the fastest rate), each with what would pass.
 */
export const refuseLorenz = (input: LorenzInput): void => {
  const rate = new Float64Array(3)
  flowOf(input)(0, Float64Array.from(input.x0), rate)
  const fastest = rateAt(input, input.x0)
  const speed = lengthAt(rate)
  const limit = SPEED_SHARE_MIN * lengthAt(input.x0) * fastest
  if (!(speed > limit)) {
    throw new Fault('ILL_POSED', `The start moves at ${speed}; it rests at a fixed point.`, {
      measured: speed,
      limit,
      fixedPoints: fixedPoints(input),
      x0: [1, 1, 1],
    })
  }
  refuseDecay(input)
  const span = input.t_max * fastest
  if (span <= SPAN_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `t_max is ${span} times the shortest time scale; ${SPAN_MAX} is allowed.`, {
    measured: span,
    limit: SPAN_MAX,
    t_max: (0.999999 * SPAN_MAX) / fastest,
  })
}

/** Steps along a course that a look ahead may take: a few milliseconds. */
const LOOK_STEPS = 1_000

/**
 * Whether a run can have a value, as far as a short look ahead tells: of a course that is refused, or longer than the
 * look, the run tells itself, and one that turns out to have no value costs nothing.
 */
export const isPredictable = (input: LorenzInput): boolean => {
  try {
    refuseLorenz(input)
    return horizonOf(input, LOOK_STEPS) === undefined
  } catch (error) {
    if (error instanceof Fault) return true
    throw error
  }
}
