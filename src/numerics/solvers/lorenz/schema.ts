import Type, { type Static } from 'typebox'
import { closed, finite, integer, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const parameter = (initial: number, minimum: number, maximum: number, description: string) =>
  finite({ ...within(minimum, maximum, initial), description, 'x-unit': '1' })

/** Everything that states a course of the Lorenz system, with its default: `{}` is the documented case. */
export const lorenzInput = closed({
  sigma: parameter(10, 1e-3, 1e3, 'σ: rate at which x follows y (Prandtl number).'),
  rho: parameter(28, -1e3, 1e3, 'ρ: what drives the system (Rayleigh number over the critical one).'),
  beta: parameter(8 / 3, 1e-3, 1e3, 'β: rate at which z decays.'),
  x0: Type.Array(finite({ minimum: -1e4, maximum: 1e4 }), {
    minItems: 3,
    maxItems: 3,
    default: [1, 1, 1],
    description: 'x, y and z at time 0.',
    'x-unit': '1',
  }),
  t_max: finite({ ...within(1e-6, 1_000, 25), description: 'Time of the run.', 'x-unit': '1' }),
  outputs: integer({ ...within(1, 20_000, 2_000), description: 'Equal intervals between the states returned.' }),
  batches: integer({
    ...within(20, 4_000, 200),
    description: 'Batches of 1,000 steps over which the Lyapunov exponents are measured, after the run.',
  }),
})

const number = (description: string) => finite({ description, 'x-unit': '1' })
const course = (description: string) =>
  series({ unit: '1', shape: ['outputs + 1'], axes: ['times'], description: `${description} at those times.` })

/** The answer: the course, whether it is a solution or a shadow, and the Lyapunov spectrum. */
export const lorenzOutput = closed({
  t_max: number('Time of the last state.'),
  shadowOrbit: Type.Boolean({
    description:
      'Whether t_max lies beyond what doubles can predict: the course then shadows another start’s and has no value.',
  }),
  horizon: orNull(finite({ 'x-unit': '1' }), {
    description: 'Time at which an error has grown by e^26; null when that is after t_max.',
  }),
  distance: number('Distance of the state at t_max from the origin: the sealed value.'),
  end: series({ unit: '1', shape: [3], description: 'x, y and z at t_max.' }),
  exponents: series({
    unit: '1',
    shape: [3],
    description: 'Lyapunov exponents, the largest first, as exact as their errors say.',
  }),
  exponentErrors: series({ unit: '1', shape: [3], description: 'Standard error of each, by batch means.' }),
  exponentSum: number('Their sum; −(σ + 1 + β) whatever the course.'),
  exponentTime: number('Time over which they were measured.'),
  dimension: orNull(finite({ 'x-unit': '1' }), {
    description:
      'Kaplan–Yorke dimension of the attractor; null where the largest exponent is within four errors of zero: ' +
      'whether it is a point, a cycle or chaos then hangs on the sign of noise.',
  }),
  times: series({ unit: '1', shape: ['outputs + 1'], description: 'Times of the states.' }),
  x: course('x'),
  y: course('y'),
  z: course('z'),
  convergence: series({
    unit: '1',
    shape: ['batches'],
    axes: ['batch'],
    description: 'Largest exponent by the first 1, 2, 3, … batches.',
  }),
})

/** A full input of the solver. */
export type LorenzInput = Static<typeof lorenzInput>
/** What it answers. */
export type LorenzOutput = Static<typeof lorenzOutput>

/** What the check sees beside the answer: where each batch began, and how much each direction grew in it. */
export interface LorenzEvidence {
  /** Per batch: x, y, z and three tangent vectors at its start; then those at the end of the last. */
  readonly starts: Float64Array
  /** Per batch: growth of each direction, as a power of e. */
  readonly growths: Float64Array
}

/** Errors of the largest exponent within which it may be zero. */
export const DIMENSION_ERRORS = 4

/** Steps of a batch, and between two orthogonalisations. */
export const BATCH_STEPS = 1_000

export const TURN_STEPS = 100
