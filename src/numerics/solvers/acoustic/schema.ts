import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const radius = (initial: number, description: string) =>
  finite({ ...within(1e-6, 1e4, initial), description, 'x-unit': 'm' })
const end = (description: string) => oneOf(['open', 'closed'], { default: 'open', description })

/** Everything that states a resonator, with its default: `{}` is the documented case. */
export const acousticInput = closed({
  L: finite({ ...within(1e-4, 1e5, 1), description: 'Length.', 'x-unit': 'm' }),
  c: finite({ ...within(1, 1e5, 343.2), description: 'Speed of sound.', 'x-unit': 'm/s' }),
  left: end('Left end.'),
  right: end('Right end.'),
  modes: integer({ ...within(1, 64, 10), description: 'Modes, at most a quarter of the elements.' }),
  elements: integer({ ...within(4, 2_000, 64), description: 'Quadratic elements of the whole length.' }),
  endCorrection: oneOf(['none', 'unflanged', 'flanged'], {
    default: 'none',
    description: 'What open ends are longer by: nothing, 0.6133 or 0.8216 of their radius.',
  }),
  section: closed(
    {
      kind: oneOf(['uniform', 'cone', 'exponential', 'table'], {
        default: 'uniform',
        description: 'How the bore runs; a table is joined by cones.',
      }),
      radius: radius(0.02, 'Radius of the left end; without meaning for a table.'),
      radiusEnd: radius(0.1, 'Radius of the right end of a cone or an exponential horn.'),
      points: Type.Optional(
        Type.Array(
          closed({
            x: finite({ minimum: 0, maximum: 1e5, description: 'Place.', 'x-unit': 'm' }),
            radius: finite({ minimum: 1e-6, maximum: 1e4, description: 'Radius there.', 'x-unit': 'm' }),
          }),
          { minItems: 2, maxItems: 64, description: 'The bore from x = 0 to L, places rising.' },
        ),
      ),
    },
    { default: {}, description: 'The bore.' },
  ),
})

/** The answer: frequencies and pressures of the modes. */
export const acousticOutput = closed({
  fundamental: finite({ description: 'Lowest frequency.', 'x-unit': 'Hz' }),
  frequencies: series({ unit: 'Hz', shape: ['modes'], description: 'Frequencies of the modes, rising.' }),
  length: finite({ description: 'Length with the corrections of open ends.', 'x-unit': 'm' }),
  elements: integer({ description: 'Elements used: each part of the bore has at least two.' }),
  dof: integer({ description: 'Unknowns.' }),
  x: series({ unit: 'm', shape: ['nodes'], description: 'Places of the nodes; those of a corrected end lie outside.' }),
  radius: series({ unit: 'm', shape: ['nodes'], description: 'Radius of the bore there.' }),
  pressure: series({
    unit: '1',
    shape: ['modes', 'nodes'],
    description: 'Pressure of each mode at the nodes, the largest being 1.',
  }),
})

/** A full input of the acoustic solver. */
export type AcousticInput = Static<typeof acousticInput>
/** What it answers. */
export type AcousticOutput = Static<typeof acousticOutput>
