import { Fault } from '#core/fault.ts'
import { log, sqrt } from '#numerics/math.ts'
import { dopri8 } from './dopri8.ts'
import { createIntegrator, type Derivative } from './integrator.ts'

/** Growth of an error, as a power of e, up to which a course in doubles is still a solution: 1e-16 is then 2e-5. */
export const GROWTH_MAX = 26
const TOLERANCE = 1e-7
const FLOOR = 1e-9
const STEPS_MAX = 2_000_000

/** A course with one tangent vector behind its state, and how long it may be followed between two resets. */
export interface Sensitive {
  /** Rates of state and tangent vector, of `size` numbers each. */
  readonly derivative: Derivative
  readonly start: ArrayLike<number>
  readonly t_max: number
  readonly stretch: number
  /** Steps after which the search is given up, where that is before the steps are spent. */
  readonly lookMax?: number
}

/**
 * When an error made at any time before has grown by e^26: the course from there on is another one's. Undefined when
 * that is after t_max. The growth is that of a tangent vector, restarted wherever it has shrunk below its start.
 *
 * @throws Fault DID_NOT_CONVERGE when the steps are spent, those of the look or those of the integrator.
 */
export const horizonOf = ({
  derivative,
  start,
  t_max,
  stretch,
  lookMax = Number.POSITIVE_INFINITY,
}: Sensitive): number | undefined => {
  const size = start.length
  const it = createIntegrator(dopri8, derivative, 2 * size, {
    relative: TOLERANCE,
    absolute: FLOOR,
    stepsMax: STEPS_MAX,
  })
  const length = (): number => {
    let sum = 0
    for (let i = size; i < 2 * size; i++) sum += it.y[i] * it.y[i]
    return sqrt(sum)
  }
  const state = Float64Array.from({ length: 2 * size }, (_, i) => (i < size ? (start[i] as number) : 1 / sqrt(size)))
  let growth = 0
  let from = 0
  let taken = 0
  while (from < t_max) {
    const to = Math.min(t_max, from + stretch)
    it.begin(from, state, to)
    while (it.t() !== to) {
      if (taken++ >= lookMax) throw new Fault('DID_NOT_CONVERGE', 'The horizon is beyond the look ahead.', { lookMax })
      it.step()
      if (growth + log(length()) >= GROWTH_MAX) return it.t()
    }
    const grown = length()
    growth = Math.max(0, growth + log(grown))
    for (let i = 0; i < 2 * size; i++) state[i] = i < size ? it.y[i] : it.y[i] / grown
    from = to
  }
  return undefined
}
