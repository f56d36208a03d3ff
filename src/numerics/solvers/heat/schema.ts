import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** The least dt of an input, in s. */
export const DT_MIN = 1e-12

const fraction = (description: string, initial: number, maximum = 1) =>
  finite({ minimum: 0, maximum, default: initial, description })
const metres = (description: string) => finite({ ...within(1e-9, 1e9, 1), description, 'x-unit': 'm' })

/** Everything that states a heat problem, with its default: `{}` is the documented case. */
export const heatInput = closed({
  dim: integer({ ...within(1, 2, 2), description: 'Dimensions: a rectangle or a line.' }),
  alpha: finite({ ...within(1e-12, 1e6, 1e-4), description: 'Thermal diffusivity.', 'x-unit': 'm2/s' }),
  nx: integer({ ...within(16, 4096, 128), description: 'Intervals along x.' }),
  ny: integer({ ...within(16, 4096, 128), description: 'Intervals along y; without meaning on a line.' }),
  lx: metres('Length along x.'),
  ly: metres('Length along y; without meaning on a line.'),
  dt: finite({ ...within(DT_MIN, 1e9, 0.5), description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ ...within(1, 1_000_000, 200), description: 'Steps.' }),
  scheme: oneOf(['adi', 'ftcs'], {
    default: 'adi',
    description: 'adi: Peaceman–Rachford (Crank–Nicolson on a line); ftcs: explicit, r ≤ 0.5.',
  }),
  start: oneOf(['auto', 'plain', 'damped'], {
    default: 'auto',
    description:
      'Whether the first two adi steps are four backward-Euler half steps; auto: when the field is rough and r > 1.',
  }),
  initial: closed(
    {
      kind: oneOf(['gaussian', 'box', 'mode', 'values'], { default: 'gaussian', description: 'Shape above the base.' }),
      amplitude: finite({
        ...within(-1e6, 1e6, 1),
        description: 'Height above the boundary temperature.',
        'x-unit': 'K',
      }),
      x: fraction('Centre of gaussian and box, as a fraction of lx.', 0.4),
      y: fraction('Centre of gaussian and box, as a fraction of ly.', 0.45),
      sigma: finite({ ...within(1e-3, 10, 0.1), description: 'Width of the gaussian, as a fraction of each side.' }),
      width: fraction('Width of the box, as a fraction of lx.', 0.3),
      height: fraction('Height of the box, as a fraction of ly.', 0.3),
      m: integer({ ...within(0, 2048, 1), description: 'Half waves of the mode along x (whole waves when periodic).' }),
      n: integer({ ...within(0, 2048, 1), description: 'Half waves of the mode along y (whole waves when periodic).' }),
      values: Type.Optional(
        series({
          unit: 'K',
          shape: ['nodes'],
          description: 'Temperatures of all (ny + 1)·(nx + 1) nodes, x fastest; of nx + 1 nodes on a line.',
        }),
      ),
    },
    { default: {}, description: 'Temperature at time 0.' },
  ),
  boundary: closed(
    {
      kind: oneOf(['fixed', 'insulated', 'periodic'], { default: 'fixed', description: 'The same on all sides.' }),
      temperature: finite({
        ...within(-1e6, 1e6, 0),
        description: 'Temperature of fixed sides, and the base of the initial shapes.',
        'x-unit': 'K',
      }),
      right: Type.Optional(
        finite({
          minimum: -1e6,
          maximum: 1e6,
          description: 'Temperature of the other end of a line with fixed ends, when it differs.',
          'x-unit': 'K',
        }),
      ),
    },
    { default: {}, description: 'What holds at the edges.' },
  ),
})

const kelvin = (description: string) => finite({ description, 'x-unit': 'K' })

/** The answer: the whole field and what is read off it. */
export const heatOutput = closed({
  dim: integer({ description: 'Dimensions.' }),
  scheme: oneOf(['adi', 'ftcs'], { description: 'The scheme that ran.' }),
  damped: Type.Boolean({ description: 'Whether the run began with four backward-Euler half steps.' }),
  boundary: oneOf(['fixed', 'insulated', 'periodic'], { description: 'What held at the edges.' }),
  nx: integer({ description: 'Intervals along x.' }),
  ny: integer({ description: 'Intervals along y; 0 on a line.' }),
  dx: finite({ description: 'Spacing along x.', 'x-unit': 'm' }),
  dy: finite({ description: 'Spacing along y; 0 on a line.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken.' }),
  time: finite({ description: 'Time of the field.', 'x-unit': 's' }),
  r: finite({ description: 'α·dt·(1/dx² + 1/dy²).' }),
  l2Norm: kelvin('Root mean square, over the domain, of the deviation from the steady state: the sealed value.'),
  centreTemperature: kelvin('Temperature at the node (⌊nx/2⌋, ⌊ny/2⌋).'),
  minTemperature: kelvin('Lowest temperature of a node.'),
  maxTemperature: kelvin('Highest temperature of a node.'),
  meanTemperature: kelvin('Mean over the domain: between fixed edges the integral of the sines through all nodes.'),
  field: series({
    unit: 'K',
    shape: ['rows', 'nx + 1'],
    description: 'Temperatures of all nodes, edges included, x fastest: ny + 1 rows, or one on a line.',
  }),
})

/** A full input of the heat solver. */
export type HeatInput = Static<typeof heatInput>
/** What it answers. */
export type HeatOutput = Static<typeof heatOutput>
