import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'
import { dopingInput, junctionInput, optionalJunction } from './junction-schema.ts'

/** Rectangles of one kind, at most. */
export const RECTANGLES_MAX = 64
/** Cells along a side, at least and at most. */
export const CELLS_MIN = 8
export const CELLS_MAX = 2_048

const metres = (description: string, more: { default?: number; minimum?: number } = {}) =>
  finite({ minimum: 0, maximum: 1e6, description, 'x-unit': 'm', ...more })
const corners = {
  x0: metres('Left edge; edges of rectangles lie on grid lines.'),
  y0: metres('Lower edge.'),
  x1: metres('Right edge.'),
  y1: metres('Upper edge.'),
}
const volts = (description: string) => finite({ ...within(-1e9, 1e9, 0), description, 'x-unit': 'V' })
const side = (name: string) => {
  const description = `Potential of the ${name} side in volts, or null where it is insulated.`
  return orNull(finite({ minimum: -1e9, maximum: 1e9 }), { default: 0, description, 'x-unit': 'V' })
}

/** Everything that states a device; `{}` is the square coaxial line. */
export const deviceInput = closed({
  dim: integer({ ...within(1, 2, 2), description: '2: electrostatics in a plane; 1: a PN junction.' }),
  nx: integer({ ...within(CELLS_MIN, CELLS_MAX, 256), description: 'Cells along x.' }),
  ny: integer({ ...within(CELLS_MIN, CELLS_MAX, 256), description: 'Cells along y.' }),
  lx: metres('Width of the box.', { default: 2, minimum: 1e-9 }),
  ly: metres('Height of the box.', { default: 2, minimum: 1e-9 }),
  sides: closed(
    { left: side('left'), right: side('right'), bottom: side('lower'), top: side('upper') },
    { default: {}, description: 'What holds at the sides of the box.' },
  ),
  electrodes: Type.Optional(
    Type.Array(closed({ ...corners, potential: volts('Potential of the electrode.') }), {
      maxItems: RECTANGLES_MAX,
      description:
        'Rectangles of metal. Left out, without charge, all sides at 0 V: one of half the box at 1 V in its middle.',
    }),
  ),
  permittivity: finite({ ...within(1e-3, 1e6, 1), description: 'Relative permittivity of the box.' }),
  dielectrics: Type.Array(
    closed({
      ...corners,
      permittivity: finite({ ...within(1e-3, 1e6, 1), description: 'Relative permittivity.' }),
    }),
    {
      maxItems: RECTANGLES_MAX,
      default: [],
      description: 'Rectangles of another permittivity; later ones lie on top.',
    },
  ),
  charge: closed(
    {
      kind: oneOf(['none', 'sine', 'boxes'], {
        default: 'none',
        description: 'sine: amplitude·sin(m·π·x/lx)·sin(n·π·y/ly) in an empty grounded box; boxes: as listed.',
      }),
      amplitude: finite({
        ...within(-1e3, 1e3, 1e-9),
        description: 'Largest charge per volume of sine.',
        'x-unit': 'C/m^3',
      }),
      m: integer({ ...within(1, 1024, 1), description: 'Half waves of sine along x.' }),
      n: integer({ ...within(1, 1024, 1), description: 'Half waves of sine along y.' }),
      boxes: Type.Array(
        closed({
          ...corners,
          density: finite({
            ...within(-1e3, 1e3, 1e-9),
            description: 'Charge per volume, added where boxes overlap.',
            'x-unit': 'C/m^3',
          }),
        }),
        { maxItems: RECTANGLES_MAX, default: [], description: 'Rectangles of even charge.' },
      ),
    },
    { default: {}, description: 'Free charge between the electrodes.' },
  ),
  doping: Type.Optional(dopingInput),
  junction: junctionInput,
})

const place = (unit: string, description: string) => finite({ description, 'x-unit': unit })

/** The answer. Optional members belong to one mode. */
export const deviceOutput = closed({
  mode: oneOf(['capacitance', 'energy', 'junction'], {
    description: 'capacitance: two conductors, no charge; energy: anything else in a plane; junction.',
  }),
  capacitance: Type.Optional(place('F/m', 'Per length, the mean of its two bounds: the sealed value of its mode.')),
  energy: Type.Optional(
    place('J/m', 'Field energy per length, the mean of its two bounds: the sealed value of its mode.'),
  ),
  lower: Type.Optional(finite({ description: 'What the sealed value is not below, in its unit.' })),
  upper: Type.Optional(finite({ description: 'What it is not above.' })),
  dx: Type.Optional(place('m', 'Width of a cell.')),
  dy: Type.Optional(place('m', 'Height of a cell.')),
  charges: Type.Optional(
    series({
      unit: 'C/m',
      shape: ['conductors'],
      description:
        'Charge per length of each of two conductors, in the order of conductorPotentials. Left out elsewhere: of ' +
        'three conductors, or beside free charge, the energy bounds their sum with the potentials alone.',
    }),
  ),
  conductorPotentials: Type.Optional(
    series({
      unit: 'V',
      shape: ['conductors'],
      description: 'Potentials of the conductors, rising; equal ones are one.',
    }),
  ),
  fieldMax: Type.Optional(place('V/m', 'Largest field at the middle of a cell.')),
  residuals: Type.Optional(
    Type.Array(finite(), { description: 'Relative residual after each multigrid iteration for the potential.' }),
  ),
  x: Type.Optional(series({ unit: 'm', shape: ['nodes'], description: 'Places of the junction’s nodes.' })),
  potential: series({
    unit: 'V',
    shape: ['nodes'],
    description: 'At the nodes: (ny + 1)·(nx + 1) of them, x fastest; of a junction those of x.',
  }),
  field: Type.Optional(series({ unit: 'V/m', shape: ['nodes'], description: 'Field along x at the nodes of x.' })),
  charge: Type.Optional(
    series({ unit: 'C/m^3', shape: ['nodes'], description: 'Charge per volume at the nodes of x.' }),
  ),
  junction: optionalJunction,
})

export type DeviceInput = Static<typeof deviceInput>
export type DeviceOutput = Static<typeof deviceOutput>

/** What the check gets beside the answer: the displacement that bounds the energy from the other side. */
export type DeviceEvidence = Fluxes | null

/** Fluxes of the displacement through the faces of the cells over ε₀, in volts: rightwards and upwards. */
export interface Fluxes {
  /** ny × (nx + 1). */
  readonly x: Float64Array
  /** (ny + 1) × nx. */
  readonly y: Float64Array
}
