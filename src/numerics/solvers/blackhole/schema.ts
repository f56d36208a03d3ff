import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const MODES = ['radial', 'orbit', 'hawking'] as const
const FATES = ['captured', 'bound', 'scattered', 'none'] as const

/** The least radius at which an infall ends, in Schwarzschild radii. */
export const END_MIN = 1e-3

const own = (initial: number, [minimum, maximum]: readonly [number, number], description: string) =>
  finite({ ...within(minimum, maximum, initial), description, 'x-unit': '1' })

/** Everything that states a black hole and what falls, with its default: `{}` is the documented case. */
export const blackholeInput = closed({
  mode: oneOf(MODES, {
    default: 'radial',
    description:
      'radial: a fall from rest. orbit: a particle with angular momentum. hawking: temperature and lifetime.',
  }),
  M: finite({ ...within(1e-9, 1e45, 1.98892e31), description: 'Mass of the black hole.', 'x-unit': 'kg' }),
  r0: own(10, [1.001, 1e9], 'Radius at the start, in Schwarzschild radii.'),
  end: own(
    1,
    [END_MIN, 1e9],
    'Radius at which an infall ends, in Schwarzschild radii: 1 is the horizon, less is inside.',
  ),
  orbit: closed(
    {
      l: own(4.2, [0, 1e6], 'Angular momentum per mass in GM/c.'),
      energy: Type.Optional(
        finite({
          minimum: 0,
          maximum: 10,
          description:
            'Energy per mc²: the particle then comes inwards; 1 is rest at infinity. Left out: it turns at r0.',
          'x-unit': '1',
        }),
      ),
      turns: integer({ ...within(1, 100, 5), description: 'Radial periods of a bound orbit.' }),
    },
    { default: {}, description: 'Of orbit.' },
  ),
  state: Type.Optional(
    closed(
      {
        r: own(20, [1e-6, 1e10], 'Radius in GM/c².'),
        phi: own(0, [-1e6, 1e6], 'Angle.'),
        v: own(0, [-1e25, 1e25], 'Advanced time in GM/c³.'),
        rRate: own(0, [-1e4, 1e4], 'dr/dτ.'),
        phiRate: own(0, [-1e4, 1e4], 'dφ/dτ in c³/GM.'),
      },
      { description: 'Where the particle is, in place of r0 and of the orbit’s l and energy.' },
    ),
  ),
})

const metres = (description: string) => finite({ description, 'x-unit': 'm' })
const maybe = (unit: string, description: string) => orNull(finite({ 'x-unit': unit }), { description })
const along = (unit: string, description: string) =>
  orNull(series({ unit, shape: ['samples'], axes: ['sample'], description }))

/** The answer. Members that the mode does not have are null. */
export const blackholeOutput = closed({
  mode: oneOf(MODES, { description: 'What was asked for.' }),
  fate: oneOf(FATES, { description: 'What becomes of the particle; none in mode hawking.' }),
  schwarzschildRadius: metres('2GM/c².'),
  photonSphereRadius: metres('Radius of circular light paths, 3/2 of it.'),
  marginallyBoundRadius: metres('Radius of the circular orbit of energy mc², 2 of it.'),
  iscoRadius: metres('Radius of the innermost stable circular orbit, 3 of it.'),
  iscoEnergy: finite({ description: 'Energy per mc² on the innermost stable circular orbit, √(8/9).' }),
  iscoAngularMomentum: finite({ description: 'Angular momentum per mass there in GM/c, √12.' }),
  captureAngularMomentum: finite({
    description: 'Angular momentum in GM/c below which a particle from rest at infinity is captured: 4.',
  }),
  hawkingTemperature: finite({ description: 'ħc³/(8πGMk), sealed in mode hawking.', 'x-unit': 'K' }),
  evaporationTime: finite({
    description: '5120πG²M³/(ħc⁴): photons alone, no grey-body factors, nothing that falls in.',
    'x-unit': 's',
  }),
  hawkingPower: finite({ description: 'ħc⁶/(15360πG²M²).', 'x-unit': 'W' }),
  energy: maybe('1', 'Energy per mc² from the rates at the end.'),
  angularMomentum: maybe('1', 'Angular momentum per mass in GM/c from the rates at the end.'),
  properTime: maybe('s', 'Proper time of the run; sealed for an infall.'),
  coordinateTime: maybe(
    's',
    'Coordinate time of the run; of an infall up to 1 + 1e-6 Schwarzschild radii, or its end if that is farther out.',
  ),
  precession: maybe('rad', 'Angle between two nearest places beyond a full turn; sealed for a bound orbit.'),
  radialPeriod: maybe('s', 'Proper time between two nearest places.'),
  coordinatePeriod: maybe('s', 'Coordinate time between two nearest places.'),
  sweep: maybe('rad', 'Angle swept from the start back to the same radius; sealed for a scattered particle.'),
  nearest: maybe('m', 'Radius of the nearest place that is passed.'),
  farthest: maybe('m', 'Radius of the farthest place of a bound orbit.'),
  energyDriftPct: maybe(
    '%',
    'Largest drift of the energy from the rates, on the scale of the binding or of the potential there.',
  ),
  momentumDriftPct: maybe('%', 'Largest drift of the angular momentum from the rates.'),
  normDriftPct: maybe('%', 'Largest departure of the square of the four-velocity from −c².'),
  properTimes: along('s', 'Proper times of the samples.'),
  coordinateTimes: along('s', 'Coordinate times of as many first samples as are outside 1 + 1e-6 Schwarzschild radii.'),
  radii: along('m', 'Radii of the samples.'),
  angles: along('rad', 'Angles of the samples.'),
  rates: along('1', 'dr/dτ of the samples, in c.'),
  end: orNull(
    series({ unit: '1', shape: [5], description: 'r, φ, v, dr/dτ, dφ/dτ at the end, in units of GM/c² and GM/c³.' }),
  ),
})

/** A full input of the solver. */
export type BlackholeInput = Static<typeof blackholeInput>
/** What it answers. */
export type BlackholeOutput = Static<typeof blackholeOutput>

/** What the check sees beside the answer: per sample proper time, r, φ, v and their rates, in GM/c² and GM/c³. */
export interface BlackholeEvidence {
  readonly rows: Float64Array
}
