import type { Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const METHODS = ['dopri8', 'symplectic'] as const

const rate = (initial: number, unit: string, description: string) =>
  finite({ ...within(1e-6, 1e6, initial), description, 'x-unit': unit })
const animals = (initial: number, description: string) =>
  finite({ ...within(1e-280, 1e280, initial), description, 'x-unit': '1' })

/** Everything that states a course of predator and prey, with its default: `{}` is the documented case. */
export const lotkaInput = closed({
  alpha: rate(1.1, '1/yr', 'Growth rate of the prey without predators.'),
  beta: rate(0.4, '1/yr', 'Predation rate per predator.'),
  delta: rate(0.1, '1/yr', 'Growth rate of the predators per prey.'),
  gamma: rate(0.4, '1/yr', 'Death rate of the predators without prey.'),
  x0: animals(10, 'Prey at time 0.'),
  y0: animals(5, 'Predators at time 0.'),
  t_max: finite({ ...within(1e-6, 1e9, 100), description: 'Time of the run.', 'x-unit': 'yr' }),
  method: oneOf(METHODS, {
    default: 'dopri8',
    description: 'dopri8: steps of its own choice. symplectic: equal steps of at most dt, composition of order 8.',
  }),
  dt: finite({ ...within(1e-9, 1e9, 0.1), description: 'Largest step of the symplectic method.', 'x-unit': 'yr' }),
  outputs: integer({ ...within(1, 4_096, 400), description: 'Equal intervals between the answers.' }),
})

const number = (unit: string, description: string) => finite({ description, 'x-unit': unit })

/** The answer: both populations over time, and what the cycle is. */
export const lotkaOutput = closed({
  method: oneOf(METHODS, { description: 'The method that ran.' }),
  t_max: number('yr', 'Time of the last state.'),
  preyEnd: number('1', 'Prey at t_max: the sealed value.'),
  predatorsEnd: number('1', 'Predators at t_max.'),
  preyEquilibrium: number('1', 'Prey of the fixed point, and their mean over a cycle.'),
  predatorsEquilibrium: number('1', 'Predators of the fixed point, and their mean over a cycle.'),
  invariant: number('1/yr', 'First integral V = δx − γ ln x + βy − α ln y of the start.'),
  invariantExcess: number('1/yr', 'V − V of the fixed point: what the drift is measured in.'),
  invariantDriftPct: number('%', 'Largest |V(t) − V| in percent of the excess.'),
  period: orNull(number('yr', 'Time of a cycle.'), {
    description: 'Mean time between rises of the prey through the fixed point; null with fewer than two.',
  }),
  cycles: integer({ description: 'Whole cycles that the period was measured over.' }),
  times: series({ unit: 'yr', shape: ['outputs + 1'], description: 'Times of the answers.' }),
  prey: series({ unit: '1', shape: ['outputs + 1'], axes: ['times'], description: 'Prey at those times.' }),
  predators: series({ unit: '1', shape: ['outputs + 1'], axes: ['times'], description: 'Predators at those times.' }),
})

/** A full input of the solver. */
export type LotkaInput = Static<typeof lotkaInput>
/** What it answers. */
export type LotkaOutput = Static<typeof lotkaOutput>
