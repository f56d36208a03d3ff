import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const metresPerSecond = (description: string, initial: number) =>
  finite({ ...within(-1e6, 1e6, initial), description, 'x-unit': 'm/s' })

/** Everything that states a flow; `{}` is the vortex carried by a stream. */
export const flowInput = closed({
  case: oneOf(['taylor-green', 'cavity', 'channel'], {
    default: 'taylor-green',
    description:
      'taylor-green: vortices carried by a stream; cavity: steady flow under a moving lid; channel: walls, from rest.',
  }),
  re: finite({
    ...within(1e-3, 1e6, 100),
    description: 'Reynolds number, speed·length/viscosity; of a cavity 10 to 1,000.',
  }),
  speed: finite({
    ...within(1e-6, 1e6, 1),
    description: 'Largest speed of the vortices, speed of the lid, or of the middle of the developed channel.',
    'x-unit': 'm/s',
  }),
  length: finite({
    ...within(1e-6, 1e6, 1),
    description: 'Side of the ring over 2π, side of the cavity, or height of the channel.',
    'x-unit': 'm',
  }),
  stream: closed(
    { u: metresPerSecond('Along x.', 1), v: metresPerSecond('Along y.', 0.5) },
    { default: {}, description: 'Uniform stream that carries the vortices.' },
  ),
  nx: Type.Optional(
    integer({
      minimum: 4,
      maximum: 1024,
      description: 'Cells along x, a power of two: 128 unless given, 16 in a channel, 256 in a cavity from re 270 on.',
    }),
  ),
  ny: Type.Optional(
    integer({
      minimum: 4,
      maximum: 1024,
      description: 'Cells along y, a multiple of 4: 128 unless given, 64 in a channel, nx in a cavity.',
    }),
  ),
  dt: Type.Optional(
    finite({
      minimum: 1e-12,
      maximum: 1e9,
      description:
        'Time step; unless given 0.9 of the stable one, or what the steady flow of a cavity is reached fastest by.',
      'x-unit': 's',
    }),
  ),
  steps: Type.Optional(
    integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Steps; unless given to length/speed, in a channel to 0.1·length²/viscosity, in a cavity 240 or 480.',
    }),
  ),
  start: Type.Optional(
    closed(
      {
        u: series({ unit: 'm/s', shape: ['cells'], description: 'Velocity along x on the right faces, x fastest.' }),
        v: series({ unit: 'm/s', shape: ['cells'], description: 'Velocity along y on the upper faces.' }),
      },
      { description: 'Where an earlier run ended: vortices in a stream, or a channel that is the same along x.' },
    ),
  ),
})

const speed = (description: string) => Type.Optional(finite({ description, 'x-unit': 'm/s' }))

/** What is read off a cavity on one grid, in units of lid and side. */
export const cavityReading = closed({
  n: integer({ description: 'Cells a side.' }),
  uMin: finite({ description: 'Least u on the vertical centre line.' }),
  vMin: finite({ description: 'Least v on the horizontal centre line.' }),
  vMax: finite({ description: 'Largest v there.' }),
  psiMin: finite({ description: 'Least stream function: the middle of the vortex.' }),
})

const FINEST = 'of a cavity that of the finest grid, not extrapolated'

/** The answer: the whole field, and what is read off it. */
export const flowOutput = closed({
  case: oneOf(['taylor-green', 'cavity', 'channel'], { description: 'What was solved.' }),
  nx: integer({ description: 'Cells along x.' }),
  ny: integer({ description: 'Cells along y.' }),
  dx: finite({ description: 'Width of a cell.', 'x-unit': 'm' }),
  dy: finite({ description: 'Height of a cell.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step; of a cavity the longest of its cycle.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken; of a cavity on each grid.' }),
  time: finite({ description: 'Time of the field; 0 for the steady flow of a cavity.', 'x-unit': 's' }),
  viscosity: finite({ description: 'Kinematic viscosity.', 'x-unit': 'm2/s' }),
  vortexSpeed: speed('Root mean square of the velocity less the stream: the sealed value of taylor-green.'),
  bulkSpeed: speed('Mean velocity along the channel: its sealed value.'),
  uMin: speed('Least u on the vertical centre line, extrapolated from two grids: the sealed value of a cavity.'),
  vMin: speed('Least v on the horizontal centre line, extrapolated.'),
  vMax: speed('Largest v there, extrapolated.'),
  psiMin: Type.Optional(finite({ description: 'Least stream function, extrapolated.', 'x-unit': 'm2/s' })),
  grids: Type.Optional(Type.Array(cavityReading, { description: 'The three grids of a cavity, n/4, n/2 and n.' })),
  residuals: Type.Optional(
    Type.Array(finite(), { description: 'Largest change per time after each cycle of steps of a cavity, all grids.' }),
  ),
  kineticEnergy: Type.Optional(
    finite({
      description: 'Mean kinetic energy per mass; left out for a cavity, whose singular corners keep it from a limit.',
      'x-unit': 'm2/s2',
    }),
  ),
  times: Type.Optional(series({ unit: 's', shape: ['samples'], description: 'When the sealed speed was sampled.' })),
  speeds: Type.Optional(series({ unit: 'm/s', shape: ['samples'], description: 'The sealed speed at these times.' })),
  u: series({
    unit: 'm/s',
    shape: ['cells'],
    description: `Velocity along x on the right faces, x fastest; ${FINEST}.`,
  }),
  v: series({
    unit: 'm/s',
    shape: ['cells'],
    description: `Velocity along y on the upper faces, x fastest; ${FINEST}.`,
  }),
  pressure: series({
    unit: 'm2/s2',
    shape: ['cells'],
    description: `Pressure per density in the middle of cells, mean 0, without what drives a channel; ${FINEST}.`,
  }),
})

export type FlowInput = Static<typeof flowInput>
export type FlowOutput = Static<typeof flowOutput>
export type CavityReading = Static<typeof cavityReading>

/** What the check gets beside the answer: a cavity's velocities on the grid of half the cells, y fastest. */
export interface FlowEvidence {
  readonly u: Float64Array
  readonly v: Float64Array
}
