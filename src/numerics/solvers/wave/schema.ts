import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Intervals along x, at most. */
export const CELLS_MAX = 8_192

const fraction = (description: string, initial: number) => finite({ ...within(0, 1, initial), description })
const metres = (description: string) => finite({ ...within(1e-9, 1e9, 1), description, 'x-unit': 'm' })

const initial = closed(
  {
    kind: oneOf(['gaussian', 'mode', 'values'], { default: 'gaussian', description: 'Shape at time 0.' }),
    amplitude: finite({ ...within(-1e6, 1e6, 1), description: 'Its height, in metres; in mode maxwell in V/m.' }),
    x: fraction('Centre of the gaussian, as a fraction of lx.', 0.5),
    y: fraction('Centre of the gaussian, as a fraction of ly.', 0.5),
    sigma: finite({ ...within(1e-3, 10, 0.1), description: 'Width of the gaussian, as a fraction of each side.' }),
    m: integer({ ...within(0, 2048, 1), description: 'Half waves along x (whole waves when periodic).' }),
    n: integer({ ...within(0, 2048, 1), description: 'Half waves along y (whole waves when periodic).' }),
    values: Type.Optional(
      series({
        unit: 'm',
        shape: ['nodes'],
        description:
          'Displacements of all nodes, x fastest, for kind values; in mode maxwell the electric field in V/m.',
      }),
    ),
    velocities: Type.Optional(
      series({ unit: 'm/s', shape: ['nodes'], description: 'Velocities of all nodes; at rest unless given.' }),
    ),
    flux: Type.Optional(
      series({
        unit: 'T',
        shape: ['nx'],
        description: 'Magnetic flux density half way between the nodes, for mode maxwell; none unless given.',
      }),
    ),
  },
  { default: {}, description: 'What is there at time 0.' },
)

/** Everything that states a wave problem, with its default: `{}` is the documented case. */
export const waveInput = closed({
  mode: oneOf(['membrane', 'maxwell'], {
    default: 'membrane',
    description: 'membrane: the scalar wave equation; maxwell: E and B on a line by the FDTD scheme of Yee.',
  }),
  dim: integer({ ...within(1, 2, 2), description: 'Dimensions of the scalar wave; maxwell has one.' }),
  c: finite({ ...within(1e-9, 1e9, 1), description: 'Wave speed; in mode maxwell that of light.', 'x-unit': 'm/s' }),
  nx: integer({ ...within(16, CELLS_MAX, 256), description: 'Intervals along x.' }),
  ny: integer({ ...within(16, 4096, 256), description: 'Intervals along y; without meaning on a line.' }),
  lx: metres('Length along x.'),
  ly: metres('Length along y; without meaning on a line.'),
  t_max: Type.Optional(
    finite({
      minimum: 1e-18,
      maximum: 1e12,
      description: 'Time of the answer: 1 s unless given; in mode maxwell the time light takes along lx twice.',
      'x-unit': 's',
    }),
  ),
  courant: finite({
    ...within(1e-3, 10, 0.9),
    description: 'C = c·dt·sqrt(1/dx² + 1/dy²) that the time step is made for, at most 1; without meaning beside dt.',
  }),
  dt: Type.Optional(
    finite({
      minimum: 1e-18,
      maximum: 1e12,
      description: 'Largest time step, in place of courant; whole steps reach t_max.',
      'x-unit': 's',
    }),
  ),
  order: integer({
    ...within(2, 4, 4),
    description: 'Order of the scheme for the scalar wave: 2 is plain leapfrog, 4 its modification.',
  }),
  boundary: oneOf(['fixed', 'free', 'periodic'], {
    default: 'fixed',
    description: 'What holds on all sides; in mode maxwell fixed is a perfect conductor, and free is refused.',
  }),
  slab: Type.Optional(
    closed(
      {
        from: fraction('Where it begins, as a fraction of lx.', 0.6),
        to: fraction('Where it ends, as a fraction of lx.', 0.8),
        permittivity: finite({ ...within(1, 100, 4), description: 'Relative permittivity.' }),
      },
      { description: 'A layer in the vacuum of mode maxwell.' },
    ),
  ),
  initial,
})

/** The answer: the whole field and what is read off it. */
export const waveOutput = closed({
  mode: oneOf(['membrane', 'maxwell'], { description: 'The equations that ran.' }),
  dim: integer({ description: 'Dimensions.' }),
  order: integer({ description: 'Order of the scheme.' }),
  boundary: oneOf(['fixed', 'free', 'periodic'], { description: 'What held on the sides.' }),
  nx: integer({ description: 'Intervals along x.' }),
  ny: integer({ description: 'Intervals along y; 0 on a line.' }),
  dx: finite({ description: 'Spacing along x.', 'x-unit': 'm' }),
  dy: finite({ description: 'Spacing along y; 0 on a line.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken.' }),
  time: finite({ description: 'Time of the fields.', 'x-unit': 's' }),
  courant: finite({ description: 'C of the step taken.' }),
  rms: finite({
    description: 'Root mean square of the displacement (m), or of the electric field (V/m): the sealed value.',
  }),
  centre: finite({ description: 'The same quantity at the node (⌊nx/2⌋, ⌊ny/2⌋).' }),
  minimum: finite({ description: 'Its least value.' }),
  maximum: finite({ description: 'Its greatest value.' }),
  energy: finite({
    description: 'Mean of (v² + c²|∇u|²)/2 over the domain, m²/s²; in mode maxwell of (ε·E² + B²/μ0)/2, J/m³.',
  }),
  displacement: Type.Optional(
    series({ unit: 'm', shape: ['rows', 'nx + 1'], description: 'Displacements of all nodes, x fastest.' }),
  ),
  velocity: Type.Optional(
    series({ unit: 'm/s', shape: ['rows', 'nx + 1'], description: 'Velocities of all nodes, x fastest.' }),
  ),
  electric: Type.Optional(
    series({ unit: 'V/m', shape: ['nx + 1'], description: 'Electric field at the nodes, in mode maxwell.' }),
  ),
  magnetic: Type.Optional(
    series({
      unit: 'T',
      shape: ['nx'],
      description: 'Magnetic flux density half way between the nodes, in mode maxwell, at the same time.',
    }),
  ),
})

/** A full input of the wave solver. */
export type WaveInput = Static<typeof waveInput>
/** What it answers. */
export type WaveOutput = Static<typeof waveOutput>
