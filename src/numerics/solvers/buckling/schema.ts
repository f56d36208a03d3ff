import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const length = (description: string, more: object = {}) =>
  finite({ minimum: 1e-6, maximum: 1e6, description, 'x-unit': 'm', ...more })
const area2 = (description: string, more: object = {}) =>
  finite({ minimum: 1e-24, maximum: 1e12, description, 'x-unit': 'm4', ...more })
const end = (description: string) => oneOf(['pinned', 'fixed', 'free'], { default: 'pinned', description })

/** Everything that states a column, with its default: `{}` is the documented case. */
export const bucklingInput = closed({
  L: length('Length of a uniform column.', { default: 3 }),
  E: finite({ ...within(1, 1e15, 210e9), description: 'Young’s modulus.', 'x-unit': 'Pa' }),
  I: area2('Second moment of area of a uniform column.', { default: 1e-6 }),
  lower: end('What holds the lower end.'),
  upper: end('What holds the upper end.'),
  elements: integer({ ...within(2, 2_000, 16), description: 'Elements of the whole column.' }),
  segments: Type.Optional(
    Type.Array(
      closed({
        length: length('Length of the segment.'),
        I: area2('Its second moment of area.'),
        E: Type.Optional(
          finite({ minimum: 1, maximum: 1e15, description: 'Its modulus where it differs.', 'x-unit': 'Pa' }),
        ),
      }),
      { minItems: 1, maxItems: 64, description: 'A stepped column from its lower end, in place of L and I.' },
    ),
  ),
  area: Type.Optional(
    finite({ minimum: 1e-12, maximum: 1e6, description: 'Least cross-section, for the stress.', 'x-unit': 'm2' }),
  ),
  yield: Type.Optional(
    finite({
      minimum: 1,
      maximum: 1e15,
      description: 'Yield stress, which a slender column does not reach.',
      'x-unit': 'Pa',
    }),
  ),
})

const atNodes = (unit: string, description: string) => series({ unit, shape: ['nodes'], description })

/** The answer: critical load and mode. */
export const bucklingOutput = closed({
  criticalLoad: finite({ description: 'Lowest load at which the column buckles.', 'x-unit': 'N' }),
  effectiveLength: finite({
    description: 'π·√(E·I/P) with E·I of the lowest segment: the length of a pinned column of it that buckles alike.',
    'x-unit': 'm',
  }),
  length: finite({ description: 'Length of the column.', 'x-unit': 'm' }),
  elements: integer({ description: 'Elements used: each segment has at least two.' }),
  dof: integer({ description: 'Unknowns.' }),
  criticalStress: Type.Optional(finite({ description: 'Critical load over the area.', 'x-unit': 'Pa' })),
  yieldsFirst: Type.Optional(
    Type.Boolean({
      description: 'Whether that stress is above the yield stress: the column yields before it buckles.',
    }),
  ),
  x: atNodes('m', 'Heights of the nodes.'),
  mode: atNodes('1', 'Critical mode, the largest sideways displacement of a node being 1.'),
  slope: atNodes('1/m', 'Its slope.'),
})

/** A full input of the buckling solver. */
export type BucklingInput = Static<typeof bucklingInput>
/** What it answers. */
export type BucklingOutput = Static<typeof bucklingOutput>
