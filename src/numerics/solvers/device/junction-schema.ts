import Type, { type Static } from 'typebox'
import { closed, finite, integer } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Dopants per volume unless said, 1/m³. */
const DOPING = 1e22

/** Doping of the two sides. */
export const dopingInput = closed(
  {
    acceptors: finite({
      ...within(1, 1e32, DOPING),
      description: 'Acceptors per volume of the p side, x < 0.',
      'x-unit': '1/m^3',
    }),
    donors: finite({
      ...within(1, 1e32, DOPING),
      description: 'Donors per volume of the n side, x > 0.',
      'x-unit': '1/m^3',
    }),
  },
  { description: 'Doping of a PN junction; given, the junction is solved whatever dim says.' },
)

/** What else states a junction. */
export const junctionInput = closed(
  {
    points: integer({ ...within(50, 100_000, 400), description: 'Intervals of the grid, both sides.' }),
    halfLength: finite({
      ...within(1e-9, 1, 1e-6),
      description: 'Distance of each contact from the junction.',
      'x-unit': 'm',
    }),
    permittivity: finite({ ...within(1, 1e5, 11.7), description: 'Relative permittivity (silicon).' }),
    intrinsic: finite({ ...within(1, 1e26, 1e16), description: 'Intrinsic carriers per volume.', 'x-unit': '1/m^3' }),
    temperature: finite({ ...within(50, 1000, 300), description: 'Temperature.', 'x-unit': 'K' }),
    bias: finite({
      ...within(-1e3, 1e3, 0),
      description: 'Voltage between the contacts. Only 0 is an equilibrium; anything else is refused.',
      'x-unit': 'V',
    }),
  },
  { default: {}, description: 'The junction of dim 1, in thermal equilibrium.' },
)

const volts = (description: string) => finite({ description, 'x-unit': 'V' })
const metres = (description: string) => finite({ description, 'x-unit': 'm' })

/** The answer for a junction, beside the potential. */
export const junctionOutput = closed(
  {
    points: integer({ description: 'Intervals of the grid.' }),
    grading: finite({ description: 'β of x = L·sinh(β·s)/sinh(β), s even in [−1, 1]; 0 for an even grid.' }),
    builtIn: volts('Potential of the n contact less that of the p contact: a boundary condition.'),
    junctionPotential: volts('Potential at the junction; 0 is where both carriers are intrinsic.'),
    peakField: finite({ description: 'Largest field, at the junction: the sealed value.', 'x-unit': 'V/m' }),
    sideCharge: finite({
      description: 'Charge per area of the n side; the p side has the opposite.',
      'x-unit': 'C/m^2',
    }),
    widthP: metres('Sheet charge over q·acceptors: the depletion width of the p side as the field has it.'),
    widthN: metres('Sheet charge over q·donors.'),
    newtonSteps: integer({ description: 'Newton iterations.' }),
  },
  { description: 'Numbers of the junction.' },
)

export type Doping = Static<typeof dopingInput>
export type JunctionOutput = Static<typeof junctionOutput>

/** What of a device's input states a junction. */
export interface JunctionInput {
  readonly doping?: Doping | undefined
  readonly junction: Static<typeof junctionInput>
}

/** The junction's own part of an input, whole. */
export interface JunctionProblem extends Static<typeof junctionInput>, Doping {}

/** The doping of an input, by default the same on both sides. */
export const junctionOf = ({ doping, junction }: JunctionInput): JunctionProblem => ({
  acceptors: doping?.acceptors ?? DOPING,
  donors: doping?.donors ?? DOPING,
  ...junction,
})

/** Absent outside a junction. */
export const optionalJunction = Type.Optional(junctionOutput)
