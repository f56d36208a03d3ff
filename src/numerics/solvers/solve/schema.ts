import Type, { type Static } from 'typebox'
import { anything, closed, finite, integer, oneOf, orNull, pair, series, text } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** The problems: four of motion, and an operator solved for one of its variables. */
export const MODES = ['free-fall', 'shm', 'gravity', 'model', 'algebraic'] as const
const LOCATIONS = ['earth', 'mars', 'moon', 'jupiter', 'sun'] as const
const MEDIA = ['vacuum', 'air', 'water'] as const

const vector = (unit: string, description: string) =>
  orNull(Type.Array(finite({ minimum: -1e15, maximum: 1e15 }), { minItems: 3, maxItems: 3, 'x-unit': unit }), {
    default: null,
    description,
  })
const LABEL_CHARS_MAX = 500
/** The least dt that an input can hold, in s. */
export const DT_MIN = 1e-12

/** Everything that states a motion or an algebraic problem, with its default: `{}` is the documented case. */
export const solveInput = closed({
  referenceMode: oneOf(MODES, {
    default: 'free-fall',
    description:
      'free-fall: uniform gravity, vacuum. shm: harmonic oscillator. gravity: around a body. model: uniform gravity ' +
      'with quadratic drag. algebraic: an operator solved for one of its variables.',
  }),
  location: oneOf(LOCATIONS, { default: 'earth', description: 'The body near or around which it moves.' }),
  medium: oneOf(MEDIA, {
    default: 'vacuum',
    description: 'What it moves through; model alone takes another than vacuum.',
  }),
  mass: finite({ ...within(1e-30, 1e30, 1), description: 'Mass of what moves.', 'x-unit': 'kg' }),
  height: finite({
    ...within(-1e15, 1e15, 100),
    description: 'Height at time 0, above the surface in gravity; used without a position.',
    'x-unit': 'm',
  }),
  v0: finite({
    ...within(-1e9, 1e9, 0),
    description:
      'Speed at time 0: upward, along the axis of shm, across the radius in gravity; used without a velocity.',
    'x-unit': 'm/s',
  }),
  displacement: finite({
    ...within(-1e9, 1e9, 1),
    description: 'Displacement at time 0 of shm; used without a position.',
    'x-unit': 'm',
  }),
  position: vector('m', 'Place at time 0: z is up; from the centre of the body in gravity, of the force in shm.'),
  velocity: vector('m/s', 'Velocity at time 0, beside a position or alone.'),
  omega: orNull(finite({ minimum: 1e-12, maximum: 1e12, 'x-unit': 'rad/s' }), {
    default: null,
    description: 'Angular frequency of shm; 1 rad/s when neither it nor a stiffness is given.',
  }),
  stiffness: orNull(finite({ minimum: 1e-30, maximum: 1e30, 'x-unit': 'N/m' }), {
    default: null,
    description: 'Stiffness of the spring of shm, in place of omega.',
  }),
  dragArea: finite({
    ...within(0, 1e9, 0),
    description: 'Drag coefficient times area, of model: the drag is density·dragArea·v²/2.',
    'x-unit': 'm2',
  }),
  density: orNull(finite({ minimum: 0, maximum: 1e6, 'x-unit': 'kg/m3' }), {
    default: null,
    description: 'Density of the medium, of model; that of the named medium when left out.',
  }),
  volume: finite({
    ...within(0, 1e12, 0),
    description: 'Volume that displaces the medium, of model; no buoyancy at 0.',
    'x-unit': 'm3',
  }),
  t_max: finite({ ...within(1e-9, 1e15, 4), description: 'Time of the run.', 'x-unit': 's' }),
  dt: finite({
    ...within(DT_MIN, 1e12, 0.01),
    description: 'Largest time step; the run takes ceil(t_max/dt) equal steps, and sub-steps where accuracy asks.',
    'x-unit': 's',
  }),
  relation: orNull(
    closed({
      operator: text(64, { minLength: 1, description: 'Id of the operator, in any case.' }),
      inputs: Type.Record(Type.String({ maxLength: 64 }), anything(), {
        description: 'Symbol, name or alias → a number in the unit of the variable, or a text with a unit (`5 km`).',
      }),
      solve_for: Type.Optional(
        orNull(text(64), { description: 'The unknown; the one without a value when left out.' }),
      ),
      bracket: Type.Optional(orNull(pair('Two values in SI, the lesser first, around the root that is meant.'))),
    }),
    { default: null, description: 'What algebraic solves.' },
  ),
  prompt: Type.Optional(text(LABEL_CHARS_MAX, { description: 'A label; nothing is read from it.' })),
  object: Type.Optional(text(LABEL_CHARS_MAX, { description: 'What moves; a label.' })),
})

const orNone = (unit: string, description: string) => orNull(finite({ 'x-unit': unit }), { description })

/** The answer. Members that the mode does not have are null. */
export const solveOutput = closed({
  mode: oneOf(MODES, { description: 'The problem that was solved.' }),
  finalPosition: orNone(
    'm',
    'Where it is at t_max: the height, the displacement of shm, the distance from the centre in gravity; the value.',
  ),
  energy: orNone('J', 'Mean of kinetic and potential energy over the rows.'),
  fall: orNone('m/s2', 'Downward acceleration at rest, buoyancy taken off.'),
  omega: orNone('rad/s', 'Angular frequency of shm.'),
  mu: orNone('m3/s2', 'Gravitational parameter of the body.'),
  period: orNone('s', 'Period of an oscillation or of a closed orbit.'),
  terminalSpeed: orNone('m/s', 'Speed at which drag balances the fall.'),
  steps: integer({ minimum: 0, description: 'Steps taken.' }),
  substeps: integer({ minimum: 0, description: 'Integrator steps within each.' }),
  order: integer({ minimum: 0, description: 'Order of the integrator.' }),
  dt: orNone('s', 'Time step taken.'),
  tEval: orNull(series({ unit: 's', shape: ['rows'], description: 'Times of the rows, 0 and t_max included.' })),
  solution: orNull(series({ unit: 'm', shape: ['rows', 3], description: 'Places at those times.' })),
  velocities: orNull(series({ unit: 'm/s', shape: ['rows', 3], description: 'Velocities at those times.' })),
  algebraic: orNull(
    closed({
      operator: Type.String({ description: 'Id of the operator.' }),
      equation: Type.String({ description: 'Its equation.' }),
      symbol: Type.String({ description: 'The unknown.' }),
      name: Type.String({ description: 'What the unknown is.' }),
      root: finite({ description: 'Its value in SI: the value.' }),
      unit: Type.String({ description: 'Unit of the root.' }),
      method: oneOf(['direct', 'isolated', 'root'], { description: 'How it was found.' }),
      inputs: Type.Record(Type.String(), finite(), { description: 'The other variables in SI.' }),
    }),
    { description: 'What algebraic found.' },
  ),
})

/** A full input of the solver. */
export type SolveInput = Static<typeof solveInput>
/** What it answers. */
export type SolveOutput = Static<typeof solveOutput>

/** What algebraic solves. */
export type Question = NonNullable<SolveInput['relation']>

/** What it finds. */
export type Root = NonNullable<SolveOutput['algebraic']>
