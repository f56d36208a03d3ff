import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const SYSTEMS = ['kepler', 'pendulum', 'henon-heiles'] as const

/** The largest number of a given state. */
export const PLACE_MAX = 1e25

const number = (initial: number, [minimum, maximum]: readonly [number, number], about: readonly [string, string]) =>
  finite({ ...within(minimum, maximum, initial), description: about[1], 'x-unit': about[0] })

/** Everything that states a Hamiltonian system and its integration, with its default: `{}` is the documented case. */
export const actionInput = closed({
  system: oneOf(SYSTEMS, {
    default: 'kepler',
    description: 'kepler: a body about a fixed centre. pendulum: a plane one. henon-heiles: a star in a galaxy.',
  }),
  order: Type.Unsafe<4 | 6 | 8>({
    type: 'integer',
    enum: [4, 6, 8],
    default: 8,
    description: 'Order of the symplectic composition: Yoshida’s 3 stages, or Kahan and Li’s 9 or 17.',
  }),
  stepsPerPeriod: integer({
    ...within(8, 1_000_000, 100),
    description: 'Steps of one period: the orbit’s, the pendulum’s own, or 2π for henon-heiles.',
  }),
  periods: integer({ ...within(1, 100_000, 20), description: 'Periods of the run.' }),
  outputs: integer({ ...within(1, 4_000, 500), description: 'Most intervals between the answers.' }),
  kepler: closed(
    {
      mu: number(1, [1e-30, 1e30], ['m3/s2', 'Gravitational parameter GM of the centre.']),
      a: number(1, [1e-15, 1e25], ['m', 'Semi-major axis; the body starts at its nearest place.']),
      e: number(0.6, [0, 0.999], ['1', 'Eccentricity.']),
    },
    { default: {}, description: 'Of kepler.' },
  ),
  pendulum: closed(
    {
      g: number(9.80665, [1e-6, 1e6], ['m/s2', 'Acceleration of free fall.']),
      length: number(1, [1e-9, 1e9], ['m', 'Length.']),
      angle: number(2, [-3.141592653589793, 3.141592653589793], ['rad', 'Angle from rest at time 0.']),
      rate: number(0, [-1e6, 1e6], ['rad/s', 'Angular velocity at time 0.']),
    },
    { default: {}, description: 'Of pendulum.' },
  ),
  henonHeiles: closed(
    {
      x: number(0, [-2, 2], ['1', 'x at time 0.']),
      y: number(0.1, [-2, 2], ['1', 'y at time 0.']),
      px: number(0.35, [-2, 2], ['1', 'Momentum along x at time 0.']),
      py: number(0.2, [-2, 2], ['1', 'Momentum along y at time 0.']),
    },
    { default: {}, description: 'Of henon-heiles.' },
  ),
  initial: Type.Optional(
    Type.Array(finite({ minimum: -PLACE_MAX, maximum: PLACE_MAX }), {
      minItems: 2,
      maxItems: 4,
      description:
        'State at time 0 in place of what the system’s members say: x, y, their rates; of a pendulum angle and rate.',
    }),
  ),
})

const about = (description: string) => finite({ description, 'x-unit': '1' })
const perOutput = (description: string, unit = '1') =>
  series({ unit, shape: ['samples'], axes: ['times'], description })

/** The answer. Places and rates are in the unit of the value and per second; without units for henon-heiles. */
export const actionOutput = closed({
  system: oneOf(SYSTEMS, { description: 'The system that was integrated.' }),
  order: integer({ description: 'Order of the composition.' }),
  stages: integer({ description: 'Stages of a step: forces that it takes.' }),
  steps: integer({ description: 'Steps taken.' }),
  dt: finite({ description: 'Length of a step.', 'x-unit': 's' }),
  period: finite({ description: 'The period that steps are counted by.', 'x-unit': 's' }),
  t_max: finite({ description: 'Time of the last state.', 'x-unit': 's' }),
  motion: oneOf(['orbit', 'libration', 'rotation', 'bound'], { description: 'What the energy allows.' }),
  shadowOrbit: Type.Boolean({
    description: 'Whether the run is chaotic beyond what doubles can predict: it has no value then.',
  }),
  horizon: orNull(finite({ 'x-unit': 's' }), {
    description: 'Time at which an error has grown by e^26; null when that is after t_max.',
  }),
  place: about(
    'Distance from the centre (m; henon-heiles: 1), or the pendulum’s angle (rad), at the end: the sealed value.',
  ),
  end: series({ unit: '1', shape: ['numbers'], description: 'State at the end: places, then rates.' }),
  energyStart: about('Energy at time 0, per mass (kepler, m²/s²) or per moment of inertia (pendulum, 1/s²).'),
  energyEnd: about('Energy at the end.'),
  energyDriftPct: finite({ description: 'Largest departure of the energy at any output.', 'x-unit': '%' }),
  rk4Steps: integer({ description: 'Steps of RK4 with no fewer forces.' }),
  rk4EnergyDriftPct: finite({ description: 'Largest departure of its energy at any output.', 'x-unit': '%' }),
  observedOrder: orNull(finite({ 'x-unit': '1' }), {
    description: 'Order by the errors after one period with three coarse steps; null where three are not to be had.',
  }),
  orderSteps: series({ unit: '1', shape: ['rungs'], description: 'Steps per period of those.' }),
  orderErrors: series({
    unit: '1',
    shape: ['rungs'],
    description: 'Their errors, on the scale of the motion.',
  }),
  times: series({ unit: 's', shape: ['samples'], description: 'Times of the outputs.' }),
  x: perOutput('x, or the angle.'),
  y: perOutput('y; zeros for the pendulum.'),
  u: perOutput('Rate of x, or of the angle.'),
  v: perOutput('Rate of y; zeros for the pendulum.'),
  energyErrorPct: perOutput('Departure of the energy.', '%'),
  rk4EnergyErrorPct: perOutput('Departure of RK4’s energy.', '%'),
})

/** A full input of the solver. */
export type ActionInput = Static<typeof actionInput>
/** What it answers. */
export type ActionOutput = Static<typeof actionOutput>
