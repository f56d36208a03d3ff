import Type, { type Static } from 'typebox'
import { closed, finite, integer, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Atoms of the largest system. */
export const ATOMS_MAX = 32_000
/** The least cutoff: where the potential is lowest. */
export const CUTOFF_MIN = 1.12
/** Intervals of the radial distribution function, from 0 to the cutoff. */
export const BINS = 100

/** A number in the units of the pair potential: ε, σ and the mass of an atom are 1. */
const reduced = (unit: string, [minimum, maximum, initial]: readonly number[], description: string) =>
  finite({ ...within(minimum, maximum, initial), description, 'x-unit': unit } as Parameters<typeof finite>[0])

const vectors = (unit: string, description: string) =>
  series({ unit, shape: ['n', 3], axes: ['atom', 'axis'], description })

/** Everything that states a run of atoms, with its default: `{}` is the documented case. Reduced units throughout. */
export const evolveInput = closed({
  n: integer({ ...within(2, ATOMS_MAX, 500), description: 'Atoms.' }),
  density: reduced('1/sigma^3', [1e-6, 2, 0.8442], 'Atoms per volume.'),
  temperature: reduced('epsilon/k_B', [1e-6, 1e3, 1.44], 'Temperature at time 0; without meaning with `initial`.'),
  dt: reduced('tau', [1e-6, 1, 0.002], 'Time step; at most 0.01.'),
  steps: integer({ ...within(1, 1_000_000, 2_000), description: 'Steps.' }),
  cutoff: reduced(
    'sigma',
    [CUTOFF_MIN, 20, 2.5],
    'Distance from which there is no force; the force is shifted to zero there.',
  ),
  skin: reduced('sigma', [0.05, 2, 0.3], 'What the neighbour lists reach beyond the cutoff.'),
  samples: integer({ ...within(1, 1_000, 50), description: 'Most intervals between the samples.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the velocities at time 0.' }),
  initial: Type.Optional(
    closed(
      {
        positions: vectors('sigma', 'Places at time 0, atom by atom; they need not lie in the box.'),
        velocities: vectors('sigma/tau', 'Velocities at time 0, atom by atom.'),
      },
      { description: 'A state to go on from; left out, atoms stand on an fcc lattice with velocities from the seed.' },
    ),
  ),
})

const seriesOf = (unit: string, description: string) => series({ unit, shape: ['kept'], axes: ['times'], description })
const measured = (unit: string, description: string) => finite({ description, 'x-unit': unit })

/** The answer. Energies are per atom. */
export const evolveOutput = closed({
  n: integer({ description: 'Atoms.' }),
  steps: integer({ description: 'Steps taken.' }),
  dt: measured('tau', 'Time step.'),
  time: measured('tau', 'Time of the last state.'),
  box: measured('sigma', 'Side of the periodic cube.'),
  energyPerAtom: measured('epsilon', 'Total energy per atom at the end: the sealed value.'),
  energyDriftPct: finite({ description: 'Largest |E − E0| in percent of the kinetic energy at time 0.' }),
  relativeDriftPct: finite({ description: 'Largest |E − E0| in percent of |E0|, which may cross zero.' }),
  temperature: measured('epsilon/k_B', 'Temperature at the end.'),
  pressure: measured('epsilon/sigma^3', 'Pressure at the end, by the virial.'),
  meanTemperature: measured('epsilon/k_B', 'Mean temperature over the second half of the samples.'),
  meanPressure: measured('epsilon/sigma^3', 'Mean pressure over the second half of the samples.'),
  times: series({ unit: 'tau', shape: ['kept'], description: 'Times of the samples, 0 and the end included.' }),
  totals: seriesOf('epsilon', 'Total energy per atom.'),
  potentials: seriesOf('epsilon', 'Potential energy per atom.'),
  temperatures: seriesOf('epsilon/k_B', 'Temperature: 2K/3(n − 1) with K in the barycentric frame.'),
  pressures: seriesOf('epsilon/sigma^3', 'Pressure.'),
  radii: series({ unit: 'sigma', shape: [BINS], description: 'Middles of the intervals of g(r), up to the cutoff.' }),
  rdf: series({
    unit: '1',
    shape: [BINS],
    axes: ['radii'],
    description: 'Radial distribution function over the second half of the samples.',
  }),
  positions: vectors('sigma', 'Places at the end, not wrapped into the box.'),
  velocities: vectors('sigma/tau', 'Velocities at the end.'),
})

/** A full input of the solver. */
export type EvolveInput = Static<typeof evolveInput>
/** What it answers. */
export type EvolveOutput = Static<typeof evolveOutput>

/** What the check sees beside the answer. */
export interface EvolveEvidence {
  /** States of the samples one after the other: places n × 3, velocities n × 3. */
  readonly frames: Float64Array
  /** Forces of the last step, n × 3. */
  readonly forces: Float64Array
  /** The places that the last neighbour list was made from, n × 3. */
  readonly origins: Float64Array
  /** The state shortly before the end, and the steps from there to the end. */
  readonly before: Float64Array
  readonly stepsAfter: number
}
