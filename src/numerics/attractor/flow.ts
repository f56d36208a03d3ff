import { log, sqrt } from '#numerics/math.ts'
import { dopri8 } from '#numerics/ode/dopri8.ts'
import { createIntegrator, type Derivative } from '#numerics/ode/integrator.ts'
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

/** Growth of an error, as a power of e, up to which a course in doubles is still a solution. */
export const GROWTH_MAX = 26
const GROWTH_TOLERANCE = 1e-7
const STEPS_MAX = 2_000_000

/**
 * When an error made at any time before has grown by e^26: the course from there on is another one's. Undefined when that
 * is after t_max. The growth is that of a tangent vector, restarted wherever it has shrunk below its start.
 */
export const horizonOf = (input: LorenzInput): number | undefined => {
  const it = createIntegrator(dopri8, flowOf(input), 6, {
    relative: GROWTH_TOLERANCE,
    absolute: 1e-9,
    stepsMax: STEPS_MAX,
  })
  let tangent: readonly number[] = [1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)]
  let state: readonly number[] = input.x0
  let growth = 0
  let from = 0
  // In stretches of a few turns, after each of which the vector has length 1 again.
  const stretch = Math.min(input.t_max, 20 / rateAt(input, input.x0))
  while (from < input.t_max) {
    const to = Math.min(input.t_max, from + stretch)
    it.begin(from, [...state, ...tangent], to)
    while (it.t() !== to) {
      it.step()
      const now = growth + log(lengthAt(it.y, 3))
      if (now >= GROWTH_MAX) return it.t()
    }
    const length = lengthAt(it.y, 3)
    growth = Math.max(0, growth + log(length))
    tangent = [3, 4, 5].map((i) => it.y[i] / length)
    state = [it.y[0], it.y[1], it.y[2]]
    from = to
  }
  return undefined
}
