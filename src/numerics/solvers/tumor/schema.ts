import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** The longest tissue, in m, and the intervals of the narrowest rectangle. */
export const LENGTH_MAX = 1e12
export const NY_MIN = 16

const fraction = (description: string, initial: number) => finite({ ...within(0, 1, initial), description })

/** Everything that states a growth problem, with its default: `{}` is the documented case. */
export const tumorInput = closed({
  dim: integer({ ...within(1, 2, 1), description: 'Dimensions: a line or a rectangle.' }),
  D: finite({ ...within(1e-20, 1e6, 1.5e-12), description: 'Diffusivity of the cells.', 'x-unit': 'm2/s' }),
  rho: finite({ ...within(1e-15, 1e6, 1.4e-7), description: 'Growth rate.', 'x-unit': '1/s' }),
  nx: integer({ ...within(32, 16_384, 800), description: 'Intervals along x.' }),
  ny: integer({ ...within(NY_MIN, 4096, 64), description: 'Intervals along y; without meaning on a line.' }),
  lx: finite({
    ...within(1e-12, LENGTH_MAX, 0.3273268353539886),
    description: 'Length along x: by default 100·sqrt(D/rho) of the default numbers.',
    'x-unit': 'm',
  }),
  ly: finite({
    ...within(1e-12, LENGTH_MAX, 0.02618614682831909),
    description: 'Length along y; without meaning on a line.',
    'x-unit': 'm',
  }),
  dt: finite({
    ...within(1e-12, 1e18, 357_142.85714285716),
    description: 'Time step: by default 0.05/rho of the default numbers.',
    'x-unit': 's',
  }),
  steps: integer({ ...within(1, 100_000, 400), description: 'Steps.' }),
  walls: oneOf(['clear', 'closed'], {
    default: 'clear',
    description:
      'clear: a front that reaches a wall is refused, since it is no longer free; closed: it may, and nothing passes.',
  }),
  initial: closed(
    {
      kind: oneOf(['wave', 'gaussian', 'values'], {
        default: 'wave',
        description: 'The exact wave of Ablowitz and Zeppetella, a hill, or own values.',
      }),
      x: fraction('Place of the wave (its density is 1/4 there) or centre of the hill, as a fraction of lx.', 0.3),
      y: fraction('Centre of the hill, as a fraction of ly.', 0.5),
      sigma: finite({ ...within(1e-3, 10, 0.02), description: 'Width of the hill, as a fraction of each side.' }),
      amplitude: fraction('Height of the hill.', 0.5),
      values: Type.Optional(
        series({
          unit: '1',
          shape: ['nodes'],
          description: 'Densities of all (ny + 1)·(nx + 1) nodes, x fastest; of nx + 1 nodes on a line.',
        }),
      ),
    },
    { default: {}, description: 'Density of cells at time 0, as a part of what the tissue carries.' },
  ),
})

/** The answer: the density and what is read off it. */
export const tumorOutput = closed({
  dim: integer({ description: 'Dimensions.' }),
  damped: Type.Boolean({ description: 'Whether diffusion began with four backward-Euler half steps.' }),
  nx: integer({ description: 'Intervals along x.' }),
  ny: integer({ description: 'Intervals along y; 0 on a line.' }),
  dx: finite({ description: 'Spacing along x.', 'x-unit': 'm' }),
  dy: finite({ description: 'Spacing along y; 0 on a line.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken.' }),
  time: finite({ description: 'Time of the density.', 'x-unit': 's' }),
  mass: finite({
    description: 'Integral of the density over the domain, in m (in m² on a rectangle): the sealed value.',
  }),
  front: finite({
    description: 'Greatest x where the density is 1/2, on the middle row; 0 where it is nowhere.',
    'x-unit': 'm',
  }),
  frontSpeed: finite({ description: 'Mean speed of the front over the run; reported, not sealed.', 'x-unit': 'm/s' }),
  minDensity: finite({ description: 'Least density.', 'x-unit': '1' }),
  maxDensity: finite({ description: 'Greatest density.', 'x-unit': '1' }),
  times: series({ unit: 's', shape: ['samples'], description: 'Times of the fronts.' }),
  fronts: series({ unit: 'm', shape: ['samples'], description: 'Places of the front at these times.' }),
  density: series({ unit: '1', shape: ['rows', 'nx + 1'], description: 'Densities of all nodes, x fastest.' }),
})

/** A full input of the tumor solver. */
export type TumorInput = Static<typeof tumorInput>
/** What it answers. */
export type TumorOutput = Static<typeof tumorOutput>

/** Steps of a stretch that the check integrates anew. */
export const SEGMENT_STEPS = 2

/** What reaches the check and not the answer. */
export interface TumorEvidence {
  /** ∫u and ∫u(1 − u) after every step, the start's first: 2·(steps + 1). */
  readonly budget: Float64Array
  /** The density at each inner end of a stretch, in the order of the steps. */
  readonly states: Float64Array
  /** The front at the sampled steps. */
  readonly fronts: Float64Array
}
