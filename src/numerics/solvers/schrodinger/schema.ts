import type { Static } from 'typebox'
import { closed, finite, integer, oneOf, series, text } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** The largest energy of an input, in J, and the least inverse width of a Morse well, in 1/m. */
export const ENERGY_MAX = 1e-9
export const INVERSE_WIDTH_MIN = 1
/** Characters of an own potential. */
const EXPRESSION_CHARS_MAX = 500

const metres = (description: string, initial: number) =>
  finite({ ...within(1e-15, 1, initial), description, 'x-unit': 'm' })
const place = (description: string, initial: number) =>
  finite({ ...within(-1, 1, initial), description, 'x-unit': 'm' })
const joules = (description: string, initial: number) =>
  finite({ ...within(1e-30, ENERGY_MAX, initial), description, 'x-unit': 'J' })

const POTENTIALS = ['harmonic', 'well', 'morse', 'hydrogen', 'double-well', 'expression', 'finite-well'] as const

/** Everything that states a bound-state problem, with its default: `{}` is the documented case. */
export const schrodingerInput = closed({
  potential: oneOf(POTENTIALS, { default: 'harmonic', description: 'Which potential; only its own member is read.' }),
  levels: integer({ ...within(1, 64, 8), description: 'Bound levels, from the lowest.' }),
  points: integer({ ...within(16, 384, 128), description: 'Grid points of the representation.' }),
  mass: finite({
    ...within(1e-32, 1e-20, 9.1093837139e-31),
    description: 'Mass of the particle, or the reduced mass of two.',
    'x-unit': 'kg',
  }),
  harmonic: closed(
    {
      omega: finite({ ...within(1e3, 1e20, 1e15), description: 'Angular frequency.', 'x-unit': 'rad/s' }),
    },
    { default: {}, description: 'V = m·ω²·x²/2.' },
  ),
  well: closed(
    { width: metres('Distance between the walls.', 1e-9) },
    { default: {}, description: 'V = 0 between impenetrable walls at 0 and width.' },
  ),
  morse: closed(
    {
      depth: joules('Depth D of the well.', 8e-19),
      a: finite({ ...within(INVERSE_WIDTH_MIN, 1e15, 1e9), description: 'Inverse width.', 'x-unit': '1/m' }),
      centre: place('Place of the minimum.', 3e-10),
    },
    { default: {}, description: 'V = D·((1 − exp(−a·(x − centre)))² − 1): zero at dissociation.' },
  ),
  hydrogen: closed(
    {
      Z: integer({ ...within(1, 100, 1), description: 'Charge of the nucleus in elementary charges.' }),
      l: integer({ ...within(0, 20, 0), description: 'Orbital quantum number.' }),
    },
    { default: {}, description: 'Radial equation of one electron: V = −Z·e²/(4π·ε0·r) + ħ²·l·(l + 1)/(2·m·r²).' },
  ),
  doubleWell: closed(
    {
      barrier: joules('Height of the barrier between the minima.', 1.6e-19),
      distance: metres('Distance of each minimum from the barrier.', 1e-9),
    },
    { default: {}, description: 'V = barrier·((x/distance)² − 1)².' },
  ),
  finiteWell: closed(
    {
      width: metres('Width of the well.', 1e-9),
      depth: joules('Depth of the well.', 4e-18),
    },
    { default: {}, description: 'V = −depth from −width/2 to width/2, and 0 beyond.' },
  ),
  expression: closed(
    {
      V: text(EXPRESSION_CHARS_MAX, {
        minLength: 1,
        default: '0.05*[eV]*(x/[nm])^4',
        description:
          'V(x) in joules of x in metres, in the grammar of the operators; x is the only symbol. It may jump.',
      }),
      from: place('Left edge of the box.', -4e-9),
      to: place('Right edge of the box.', 4e-9),
      edges: oneOf(['open', 'wall'], {
        default: 'open',
        description: 'open: every level lies below V at both edges; wall: impenetrable walls at the edges.',
      }),
    },
    { default: {}, description: 'An own potential in a box.' },
  ),
})

const energy = (description: string) => finite({ description, 'x-unit': 'J' })

/** The answer: levels, and the wave functions on their grid. */
export const schrodingerOutput = closed({
  potential: oneOf(POTENTIALS, { description: 'The potential that was solved.' }),
  representation: oneOf(['sinc', 'sine', 'laguerre', 'elements'], {
    description: 'The discrete variable representation; elements where the potential jumps.',
  }),
  levels: integer({ description: 'Levels.' }),
  points: integer({ description: 'Grid points.' }),
  dx: finite({ description: 'Spacing of the grid; 0 where it is not even (hydrogen, elements).', 'x-unit': 'm' }),
  groundState: energy('Energy of the lowest level: the sealed value.'),
  highestLevel: energy('Energy of the highest level asked for.'),
  minimum: energy('Least potential energy on the grid.'),
  energies: series({ unit: 'J', shape: ['levels'], axes: ['level'], description: 'Energies, rising.' }),
  x: series({ unit: 'm', shape: ['points'], description: 'Places of the grid; radii for hydrogen.' }),
  potentialEnergy: series({
    unit: 'J',
    shape: ['points'],
    axes: ['x'],
    description: 'Potential energy there (hydrogen: with the centrifugal term; at a jump half of both sides).',
  }),
  states: series({
    unit: 'm^-0.5',
    shape: ['levels', 'points'],
    axes: ['level', 'x'],
    description: 'Normalised real wave functions, level by level (hydrogen: u = r·R); the first lobe is positive.',
  }),
})

/** A full input of the solver. */
export type SchrodingerInput = Static<typeof schrodingerInput>
/** What it answers. */
export type SchrodingerOutput = Static<typeof schrodingerOutput>
