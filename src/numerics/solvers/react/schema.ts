import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** The shortest step, in s. */
export const DT_MIN = 1e-12

const diffusivity = (description: string, initial: number) =>
  finite({ ...within(0, 1e12, initial), description, 'x-unit': 'm2/s' })
const rate = (description: string, initial: number) =>
  finite({ ...within(0, 1e9, initial), description, 'x-unit': '1/s' })
const pure = (description: string, initial: number) =>
  finite({ ...within(-100, 100, initial), description, 'x-unit': '1' })

/** Everything that states a reaction-diffusion problem, with its default: `{}` is the documented case. */
export const reactInput = closed({
  model: oneOf(['gray-scott', 'fitzhugh-nagumo'], { default: 'gray-scott', description: 'What reacts.' }),
  Du: diffusivity('Diffusivity of u.', 0.16),
  Dv: diffusivity('Diffusivity of v.', 0.08),
  F: rate('Feed rate (gray-scott).', 0.035),
  k: rate('Rate at which v is taken out beside F (gray-scott).', 0.065),
  rate: rate('Rate of the reaction (fitzhugh-nagumo).', 0.1),
  a: pure('Offset of the recovery (fitzhugh-nagumo).', 0.7),
  b: pure('Damping of the recovery (fitzhugh-nagumo).', 0.8),
  epsilon: finite({
    ...within(0, 10, 0.08),
    description: 'Slowness of the recovery (fitzhugh-nagumo).',
    'x-unit': '1',
  }),
  current: pure('Stimulus (fitzhugh-nagumo).', 0.5),
  n: integer({ ...within(16, 512, 128), description: 'Nodes of each side of the periodic lattice.' }),
  dx: finite({ ...within(1e-9, 1e9, 1), description: 'Spacing of the lattice.', 'x-unit': 'm' }),
  dt: finite({ ...within(DT_MIN, 1e9, 1), description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ ...within(1, 100_000, 2000), description: 'Steps.' }),
  initial: closed(
    {
      kind: oneOf(['spot', 'noise', 'values'], {
        default: 'spot',
        description: 'A square in the state of rest; the same with noise; or own values.',
      }),
      size: finite({ ...within(0, 1, 0.16), description: 'Side of the square, as a fraction of the lattice.' }),
      noise: finite({ ...within(0, 1, 0.02), description: 'Height of the noise, both ways.' }),
      seed: integer({ minimum: 0, default: 1, description: 'Seed of the noise.' }),
      u: Type.Optional(series({ unit: '1', shape: ['n', 'n'], description: 'u of all nodes, x fastest.' })),
      v: Type.Optional(series({ unit: '1', shape: ['n', 'n'], description: 'v of all nodes, x fastest.' })),
    },
    { default: {}, description: 'Both fields at time 0.' },
  ),
})

/** The answer: both fields and what is read off them. */
export const reactOutput = closed({
  model: oneOf(['gray-scott', 'fitzhugh-nagumo'], { description: 'What reacted.' }),
  n: integer({ description: 'Nodes of each side.' }),
  dx: finite({ description: 'Spacing.', 'x-unit': 'm' }),
  dt: finite({ description: 'Time step.', 'x-unit': 's' }),
  steps: integer({ description: 'Steps taken.' }),
  time: finite({ description: 'Time of the fields.', 'x-unit': 's' }),
  r: finite({ description: 'The larger D·dt/dx².' }),
  integralU: finite({ description: 'Integral of u over the lattice.', 'x-unit': 'm2' }),
  integralV: finite({
    description: 'Integral of v over the lattice: the sealed value of gray-scott.',
    'x-unit': 'm2',
  }),
  activity: finite({
    description: "Root mean square of u's deviation from the state of rest: the sealed value of fitzhugh-nagumo.",
    'x-unit': '1',
  }),
  times: series({ unit: 's', shape: ['samples'], description: 'Times of the two means.' }),
  meanU: series({ unit: '1', shape: ['samples'], description: 'Mean of u at these times.' }),
  meanV: series({ unit: '1', shape: ['samples'], description: 'Mean of v at these times.' }),
  u: series({ unit: '1', shape: ['n', 'n'], description: 'u of all nodes, x fastest.' }),
  v: series({ unit: '1', shape: ['n', 'n'], description: 'v of all nodes, x fastest.' }),
})

/** A full input of the react solver. */
export type ReactInput = Static<typeof reactInput>
/** What it answers. */
export type ReactOutput = Static<typeof reactOutput>

/** What reaches the check and not the answer. */
export interface ReactEvidence {
  /** Sums of u and of v after every step, the start's first: 2·(steps + 1). */
  readonly totals: Float64Array
  /** u, then v, at each inner end of a stretch, in the order of the steps; each state once. None of a short run. */
  readonly states: Float64Array
}
