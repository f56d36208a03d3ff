import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const fraction = (description: string, initial: number) => finite({ ...within(0, 1, initial), description })
const metres = (description: string, initial: number) =>
  finite({ ...within(1e-3, 1e9, initial), description, 'x-unit': 'm' })
const cells = (unit: string, description: string) => Type.Optional(series({ unit, shape: ['ny', 'nx'], description }))

/** Cells along x, at most. */
export const NX_MAX = 8_192

/** Everything that states a shallow-water problem, with its default: `{}` is the documented case. */
export const climateInput = closed({
  mode: oneOf(['jet', 'rest', 'general', 'dam-break'], {
    default: 'jet',
    description:
      'jet: in geostrophic balance; rest: level water over a bottom; general: what is given; dam-break: a wall let go.',
  }),
  nx: integer({ ...within(8, NX_MAX, 96), description: 'Cells along x.' }),
  ny: integer({ ...within(4, 4096, 96), description: 'Cells along y.' }),
  lx: metres('Length along x, after which everything repeats.', 4e6),
  ly: metres('Length along y, after which everything repeats.', 4e6),
  depth: metres('Mean depth H over a flat bottom; the depth behind the dam.', 1000),
  gravity: finite({ ...within(1e-6, 1e6, 9.80665), description: 'Gravity.', 'x-unit': 'm/s2' }),
  coriolis: finite({
    ...within(-1, 1, 1e-4),
    description: 'Coriolis parameter f; without meaning for a dam break.',
    'x-unit': '1/s',
  }),
  speed: finite({ ...within(-1e4, 1e4, 20), description: 'Speed U of the jet.', 'x-unit': 'm/s' }),
  m: integer({ ...within(-64, 64, 1), description: 'Waves of the jet along x.' }),
  n: integer({ ...within(-64, 64, 1), description: 'Waves of the jet along y.' }),
  ahead: fraction('Depth before the dam, as a part of the one behind it; 0 for a dry bed.', 0.5),
  t_max: Type.Optional(
    finite({
      minimum: 1e-9,
      maximum: 1e12,
      description:
        'Time of the answer: 12 h unless given; of a dam break a long wave’s along lx/8, over a dry bed along lx/10.',
      'x-unit': 's',
    }),
  ),
  courant: finite({
    ...within(1e-3, 10, 0.6),
    description: 'Largest (|u| + c)·dt/dx + (|v| + c)·dt/dy at the start, at most 0.9; without meaning beside dt.',
  }),
  dt: Type.Optional(
    finite({ minimum: 1e-12, maximum: 1e9, description: 'Largest time step, in place of courant.', 'x-unit': 's' }),
  ),
  bottom: closed(
    {
      height: Type.Optional(
        finite({
          minimum: -1e7,
          maximum: 1e7,
          description: 'Height of a hill on the bottom: none unless given; in mode rest 0.3 of the depth.',
          'x-unit': 'm',
        }),
      ),
      x: fraction('Its place, as a fraction of lx.', 0.5),
      y: fraction('Its place, as a fraction of ly.', 0.5),
      sigma: finite({ ...within(1e-2, 10, 0.1), description: 'Its width, as a fraction of each side.' }),
      values: cells('m', 'Means of the bottom over all cells, x fastest, in place of the hill.'),
    },
    { default: {}, description: 'The bottom, in modes rest and general.' },
  ),
  initial: closed(
    {
      amplitude: finite({
        ...within(-1e6, 1e6, 10),
        description: 'Height of a hill of water at rest, in mode general.',
        'x-unit': 'm',
      }),
      x: fraction('Its place, as a fraction of lx.', 0.5),
      y: fraction('Its place, as a fraction of ly.', 0.5),
      sigma: finite({ ...within(1e-2, 10, 0.1), description: 'Its width, as a fraction of each side.' }),
      depth: cells('m', 'Means of the depth over all cells, x fastest, in place of the hill of water.'),
      fluxX: cells('m2/s', 'Means of depth times velocity along x; at rest unless given.'),
      fluxY: cells('m2/s', 'Means of depth times velocity along y; at rest unless given.'),
    },
    { default: {}, description: 'What is there at time 0, in mode general.' },
  ),
})

/** The answer: the three fields and what is read off them. */
export const climateOutput = closed({
  mode: oneOf(['jet', 'rest', 'general', 'dam-break'], { description: 'What ran.' }),
  nx: integer({ description: 'Cells along x.' }),
  ny: integer({ description: 'Cells along y.' }),
  dx: finite({ description: 'Width of a cell along x.', 'x-unit': 'm' }),
  dy: finite({ description: 'Width of a cell along y.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken.' }),
  time: finite({ description: 'Time of the fields.', 'x-unit': 's' }),
  limited: Type.Boolean({ description: 'Whether faces were limited (dam break alone: limiters clip smooth crests).' }),
  anomaly: finite({
    description: 'Root mean square of depth minus mean depth: the sealed value.',
    'x-unit': 'm',
  }),
  meanDepth: finite({ description: 'Mean depth.', 'x-unit': 'm' }),
  minDepth: finite({ description: 'Least depth at the centre of a cell; in a dam break of a cell.', 'x-unit': 'm' }),
  maxDepth: finite({ description: 'Greatest depth at the centre of a cell; in a dam break of a cell.', 'x-unit': 'm' }),
  maxSpeed: orNull(finite(), {
    description:
      'Greatest speed at the centre of a cell; null in a dam break, where cells beside a bore or a front are not as ' +
      'fast as the water.',
    'x-unit': 'm/s',
  }),
  energy: finite({
    description: 'Mean of h·(u² + v²)/2 + g·(surface − mean surface)²/2: what can move.',
    'x-unit': 'm3/s2',
  }),
  depth: series({ unit: 'm', shape: ['ny', 'nx'], description: 'Means of the depth over all cells, x fastest.' }),
  fluxX: series({ unit: 'm2/s', shape: ['ny', 'nx'], description: 'Means of depth times velocity along x.' }),
  fluxY: series({ unit: 'm2/s', shape: ['ny', 'nx'], description: 'Means of depth times velocity along y.' }),
})

/** A full input of the climate solver. */
export type ClimateInput = Static<typeof climateInput>
/** What it answers. */
export type ClimateOutput = Static<typeof climateOutput>

/** Steps of a stretch that the check integrates anew. */
export const SEGMENT_STEPS = 6

/** What reaches the check and not the answer: h, p and q at each inner end of a stretch. Only mode general needs it. */
export interface ClimateEvidence {
  readonly states: Float64Array
}
