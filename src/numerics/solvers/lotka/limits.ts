import { Fault } from '#core/fault.ts'
import { expm1, log, sqrt } from '#numerics/math.ts'
import { type Cycle, cycleOf, periodOf } from './cycle.ts'
import type { LotkaInput } from './schema.ts'

/** Logarithms beyond which a population is no double of full precision. */
export const LOG_MAX = 690
/** Distances from the fixed point that are rounding alone: the start is the fixed point. */
const REST = 1e-15
/** Least distance of a start that moves, as a share of the populations. */
const REACH_MIN = 1e-12
/** Cycles of the longest run. */
const CYCLES_MAX = 20_000
/** Steps of the longest symplectic run. */
const STEPS_MAX = 5_000_000
/** Largest step of the symplectic method in units of the fastest rate on the cycle. */
const STEP_RATE_MAX = 0.75

/** Whether an input starts at the fixed point, to rounding. */
export const isAtRest = ({ s, w }: Cycle): boolean => Math.abs(s) <= REST && Math.abs(w) <= REST

/** How far the farther population strays from the fixed point, as a logarithm. */
export const reachOf = ({ sReach, wReach }: Cycle): number =>
  Math.max(...[...sReach, ...wReach].map((it) => Math.abs(it)))

/** Symplectic steps of one interval between outputs. */
export const substepsOf = ({ t_max, outputs, dt }: LotkaInput): number =>
  Math.max(1, Math.ceil(t_max / outputs / dt - 1e-9))

/** The largest logarithm, without its sign, that a population has on the cycle. */
export const farthestOf = (cycle: Cycle): number => {
  const edges = [
    ...cycle.sReach.map((it) => log(cycle.prey) + it),
    ...cycle.wReach.map((it) => log(cycle.predators) + it),
  ]
  return Math.max(...edges.map((it) => (Number.isFinite(it) ? Math.abs(it) : Number.MAX_VALUE)))
}

const refuseReach = (cycle: Cycle): void => {
  if (isAtRest(cycle)) return
  const farthest = farthestOf(cycle)
  const rest = { x0: cycle.prey, y0: cycle.predators }
  if (farthest > LOG_MAX) {
    throw new Fault('OUT_OF_RANGE', `A population of this cycle reaches e^±${farthest}; e^±${LOG_MAX} is allowed.`, {
      measured: farthest,
      limit: LOG_MAX,
      ...rest,
    })
  }
  const reach = reachOf(cycle)
  if (reach >= REACH_MIN) return
  throw new Fault('ILL_POSED', `The start is within ${REACH_MIN} of the fixed point but not on it.`, {
    measured: reach,
    limit: REACH_MIN,
    ...rest,
  })
}

const refuseLength = (input: LotkaInput, cycle: Cycle): void => {
  const period = periodOf(input, cycle.height)
  const cycles = input.t_max / period
  if (cycles > CYCLES_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run has ${cycles} cycles; ${CYCLES_MAX} are allowed.`, {
      measured: cycles,
      limit: CYCLES_MAX,
      t_max: 0.999999 * CYCLES_MAX * period,
    })
  }
}

/** The fastest rate at which a population changes on the cycle, in 1/yr: α|e^w − 1| and γ|e^s − 1| at their ends. */
const fastestOf = ({ alpha, gamma }: LotkaInput, { sReach, wReach }: Cycle): number =>
  Math.max(sqrt(alpha * gamma), alpha * expm1(wReach[1]), gamma * expm1(sReach[1]))

const refuseStep = (input: LotkaInput, cycle: Cycle): void => {
  if (input.method !== 'symplectic') return
  const steps = input.outputs * substepsOf(input)
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run takes ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      dt: (1.01 * input.t_max) / STEPS_MAX,
    })
  }
  const dt = input.t_max / steps
  const limit = STEP_RATE_MAX / fastestOf(input, cycle)
  if (dt <= limit) return
  throw new Fault('UNSTABLE_STEP', `The step is ${dt} yr; on this cycle at most ${limit} yr is stable.`, {
    measured: dt,
    limit,
    dt: limit,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED (almost at rest), OUT_OF_RANGE (populations that no double holds), WORK_LIMIT_EXCEEDED
 * (cycles, steps) and UNSTABLE_STEP, each with what would pass.
 */
export const refuseLotka = (input: LotkaInput): void => {
  const cycle = cycleOf(input)
  refuseReach(cycle)
  refuseLength(input, cycle)
  refuseStep(input, cycle)
}
