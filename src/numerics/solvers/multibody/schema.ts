import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Bodies of the largest system. */
export const BODIES_MAX = 512
/** Largest drift of the energy, in percent, with which a run is sealed. */
export const DRIFT_PCT_MAX = 0.1

const vector = (unit: string, description: string) =>
  Type.Array(finite({ minimum: -1e25, maximum: 1e25 }), { minItems: 3, maxItems: 3, description, 'x-unit': unit })

const body = closed({
  mass: finite({ ...within(0, 1e45, 1), description: 'Mass.', 'x-unit': 'kg' }),
  position: Type.Optional(vector('m', 'Place at time 0; of all bodies or of none.')),
  velocity: Type.Optional(vector('m/s', 'Velocity at time 0; zero when left out.')),
  phi0: Type.Optional(finite({ minimum: -1e3, maximum: 1e3, description: 'Field at time 0, without positions.' })),
  dphi0: Type.Optional(finite({ minimum: -1e3, maximum: 1e3, description: 'Rate of the field at time 0, in 1/s.' })),
})

// Three suns on the figure-eight of Chenciner and Montgomery (Annals of Mathematics 152, 2000), whose initial values in
// units of length and velocity are (0.97000436, −0.24308753) and −(0.93240737, 0.86473146)/2; the length unit is 1 AU
// and the velocity unit sqrt(G·M/AU).
const MASS = 1.98892e30
const X = 145_110_586_825.716
const Y = 36_365_376_881.72
const VX = 13_887.51417537
const VY = 12_879.53183879

const figureEight = [
  { mass: MASS, position: [X, -Y, 0], velocity: [VX, VY, 0] },
  { mass: MASS, position: [-X, Y, 0], velocity: [VX, VY, 0] },
  { mass: MASS, position: [0, 0, 0], velocity: [-2 * VX, -2 * VY, 0] },
]

const seconds = (initial: number, description: string) =>
  finite({ ...within(1e-12, 1e25, initial), description, 'x-unit': 's' })

/** Everything that states a many-body problem, with its default: `{}` is the documented case. */
export const multibodyInput = closed({
  bodies: Type.Array(body, {
    minItems: 2,
    maxItems: BODIES_MAX,
    default: figureEight,
    description:
      'The bodies. With positions: gravity. Without: the master equation of their fields, which is not sealed.',
  }),
  referenceMode: Type.Optional(
    oneOf(['gravity'], { description: 'Says that positions are meant; refused without them.' }),
  ),
  G: finite({ ...within(0, 1e6, 6.6743e-11), description: 'Constant of gravitation.', 'x-unit': 'm3/(kg·s2)' }),
  softening: finite({ ...within(0, 1e25, 0), description: 'Plummer softening length.', 'x-unit': 'm' }),
  dt: seconds(50_220, 'Largest time step; the run takes ceil(t_max/dt) equal steps.'),
  t_max: seconds(95_317_560, 'Time of the run.'),
  order: Type.Unsafe<2 | 4 | 6>({
    type: 'integer',
    enum: [2, 4, 6],
    default: 4,
    description:
      'Order of the symplectic integrator: velocity-Verlet, or Yoshida’s compositions of 3 or 7 of its stages.',
  }),
  outputs: integer({ ...within(1, 1_000, 100), description: 'Most intervals between the places returned.' }),
  field: closed(
    {
      t_max: seconds(5, 'Time of the run without positions.'),
      dt: seconds(0.01, 'Time step without positions.'),
      coupling: finite({ ...within(-1e3, 1e3, 0.05), description: 'Pairwise coupling γ of the fields.' }),
      softening: finite({ ...within(1e-12, 1e3, 1e-6), description: 'Softening ε of the coupling.' }),
      drag: finite({ ...within(0, 1e3, 0.1), description: 'Drag on the rate of the field.', 'x-unit': '1/s' }),
    },
    { default: {}, description: 'Used without positions only.' },
  ),
})

/** The answer. Members that the path taken does not have are null. */
export const multibodyOutput = closed({
  mode: oneOf(['gravity', 'master'], { description: 'gravity: bodies with positions; master: the master equation.' }),
  n: integer({ description: 'Bodies.' }),
  order: integer({ description: 'Order of the integrator.' }),
  steps: integer({ description: 'Steps taken.' }),
  dt: finite({ description: 'Time step taken.', 'x-unit': 's' }),
  t_max: finite({ description: 'Time of the last state.', 'x-unit': 's' }),
  conservative: Type.Boolean({ description: 'Whether the equations keep an energy.' }),
  conservationChecked: Type.Boolean({ description: 'Whether conservation was measured.' }),
  energyDriftPct: orNull(finite(), { description: 'Largest |E(t) − E0|/|E0| in percent, in the barycentric frame.' }),
  energyDriftBoundPct: finite({ description: 'Largest drift with which a run is sealed, in percent.' }),
  initialEnergy: orNull(finite({ 'x-unit': 'J' }), { description: 'Energy at time 0 in the barycentric frame.' }),
  finalEnergy: orNull(finite({ 'x-unit': 'J' }), { description: 'Energy at the end in the barycentric frame.' }),
  size: orNull(finite({ 'x-unit': 'm' }), {
    description: 'Root mean square distance from the barycentre at the end, weighted by mass: the sealed value.',
  }),
  positions: orNull(series({ unit: 'm', shape: ['n', 3], description: 'Places at the end, body by body.' })),
  velocities: orNull(series({ unit: 'm/s', shape: ['n', 3], description: 'Velocities at the end, body by body.' })),
  times: orNull(series({ unit: 's', shape: ['samples'], description: 'Times of the samples, 0 and t_max included.' })),
  trajectory: orNull(
    series({ unit: 'm', shape: ['rows', 3], description: 'Places at those times: sample by sample, body by body.' }),
  ),
  energies: orNull(
    series({
      unit: 'J',
      shape: ['samples'],
      axes: ['times'],
      description: 'Energy at those times, barycentric frame.',
    }),
  ),
  phi: orNull(series({ unit: '1', shape: ['n'], description: 'Fields at the end.' })),
  phiRate: orNull(series({ unit: '1/s', shape: ['n'], description: 'Rates of the fields at the end.' })),
})

/** A full input of the multibody solver. */
export type MultibodyInput = Static<typeof multibodyInput>
/** What it answers. */
export type MultibodyOutput = Static<typeof multibodyOutput>

/** Whether the bodies have positions: the path that conserves energy and can be sealed. */
export const hasPositions = ({ bodies }: MultibodyInput): boolean => bodies.every((it) => it.position !== undefined)

/** What the check sees beside the answer: the states kept, one after the other, and their times. */
export interface MultibodyEvidence {
  /** Per state: places n × 3, then velocities n × 3. */
  readonly states: Float64Array
  readonly times: Float64Array
}
