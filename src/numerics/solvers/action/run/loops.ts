import { swingOf } from '#numerics/solvers/action/problem.ts'
import type { ActionInput } from '#numerics/solvers/action/schema.ts'
import { henonHeilesMotion } from './henon-heiles.ts'
import { keplerMotion } from './kepler.ts'
import type { Motion } from './motion.ts'
import { pendulumMotion } from './pendulum.ts'

/** The loops of an input's system. */
export const loopsOf = (input: ActionInput): Motion => {
  if (input.system === 'kepler') return keplerMotion(input.kepler.mu)
  if (input.system === 'henon-heiles') return henonHeilesMotion
  const { frequency } = swingOf(input)
  return pendulumMotion(frequency * frequency)
}
