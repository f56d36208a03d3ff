import { sqrt } from '#numerics/math.ts'
import { horizonOf as horizonAlong } from '#numerics/methods/ode/horizon.ts'
import type { Derivative } from '#numerics/methods/ode/integrator.ts'
import type { LorenzInput } from './schema.ts'

/** The three numbers of the system. */
export type Parameters = Pick<LorenzInput, 'sigma' | 'rho' | 'beta'>

/** x′ = σ(y − x), y′ = x(ρ − z) − y, z′ = xy − βz; then as many tangent vectors as the state has room for. */
export const flowOf = ({ sigma, rho, beta }: Parameters): Derivative => {
  return (_, s, rate) => {
    const [x, y, z] = [s[0], s[1], s[2]]
    rate[0] = sigma * (y - x)
    rate[1] = x * (rho - z) - y
    rate[2] = x * y - beta * z
    for (let at = 3; at < s.length; at += 3) {
      rate[at] = sigma * (s[at + 1] - s[at])
      rate[at + 1] = (rho - z) * s[at] - s[at + 1] - x * s[at + 2]
      rate[at + 2] = y * s[at] + x * s[at + 1] - beta * s[at + 2]
    }
  }
}

/** Length of the first three numbers from `at`. */
export const lengthAt = (s: ArrayLike<number>, at = 0): number => {
  const [x, y, z] = [s[at] as number, s[at + 1] as number, s[at + 2] as number]
  return sqrt(x * x + y * y + z * z)
}

/** The fastest rate of the system at a state, in 1/time: what a step of fixed length must resolve. */
export const rateAt = ({ sigma, rho, beta }: Parameters, s: ArrayLike<number>): number => {
  const [x, y, z] = [s[0] as number, s[1] as number, s[2] as number]
  const driven = sqrt(sigma * Math.max(Math.abs(rho), Math.abs(z)))
  return sigma + 1 + beta + Math.max(driven, Math.abs(x), sqrt(Math.abs(x * y)))
}

/** Time in units of the fastest rate after which the tangent vector is set back to length 1. */
const STRETCH = 20

/**
 * When a course can be predicted no further in doubles, or undefined when that is after t_max.
 *
 * @throws Fault DID_NOT_CONVERGE when the steps are spent.
 */
export const horizonOf = (input: LorenzInput, lookMax?: number): number | undefined =>
  horizonAlong({
    ...(lookMax !== undefined && { lookMax }),
    derivative: flowOf(input),
    start: input.x0,
    t_max: input.t_max,
    stretch: Math.min(input.t_max, STRETCH / rateAt(input, input.x0)),
  })
