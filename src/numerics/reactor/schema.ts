import Type, { type Static } from 'typebox'
import { anything, closed, closedModel, finite, integer, oneOf, text } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'
import { solvers } from '#numerics/solvers/index.ts'

/** Steps of one reactor. */
export const STEPS_MAX = 4_096
/** Steps of a contract that does not say. */
export const STEPS_DEFAULT = 10
/** Stop conditions of one contract, and members it has recorded with every step. */
export const CONDITIONS_MAX = 8
export const OBSERVERS_MAX = 8

const NAME_CHARS_MAX = 64

/** Solvers whose answer is a state that a next run can take up. */
export const continuable: readonly string[] = solvers.filter((it) => it.continued !== undefined).map(({ name }) => name)

/** The solver of a contract that names none: predator and prey where that solver is there, else heat. */
export const SOLVER_DEFAULT = continuable.includes('lotka') ? 'lotka' : 'heat'

const quantity = () =>
  text(NAME_CHARS_MAX, {
    minLength: 1,
    description:
      'value, errorPct (of the step), errorSum (since step 0), or a number at the top of the answer of the solver.',
  })

/** What ends a reactor after a step. */
export const condition = closedModel('ReactorStop', {
  of: quantity(),
  op: oneOf(['<', '<=', '>', '>='], { description: 'How it is compared.' }),
  than: finite({ description: 'With what, in the unit of the quantity.' }),
})

const members = (description: string) => Type.Record(Type.String(), anything(), { default: {}, description })

/** Members of a transition contract that say what is computed; `{}` is the documented default. */
export const contractMembers = {
  solver: text(NAME_CHARS_MAX, {
    minLength: 1,
    default: SOLVER_DEFAULT,
    description: 'The solver that is stepped. Its answer must be a state, which quant, sat and their like have not.',
  }),
  inputs: members('Inputs of the solver, as its own route takes them; its defaults stand in for the rest.'),
  initialState: members(
    'Inputs that say where step 1 begins, e.g. the initial field of heat: laid over `inputs`; in one of the two.',
  ),
  steps: integer({ ...within(1, STEPS_MAX, STEPS_DEFAULT), description: 'Steps after which the reactor is complete.' }),
  stretch: Type.Optional(
    finite({
      minimum: 0,
      description:
        'How long a step is: the t_max of the solver, or its steps where it has none. As the inputs say when left out.',
    }),
  ),
  seal: Type.Boolean({
    default: true,
    description:
      'Whether steps are sealed and charged. Unsealed ones cost nothing and have the limits of calls without a key.',
  }),
  stops: Type.Array(condition, {
    maxItems: CONDITIONS_MAX,
    default: [],
    description: 'Conditions of which any ends the reactor after the step that meets it.',
  }),
  observers: Type.Array(quantity(), {
    maxItems: OBSERVERS_MAX,
    default: [],
    description: 'Quantities that are recorded with each step, in its entry as well.',
  }),
} as const

/** A transition contract, whole. */
export const contractSchema = closed(contractMembers)

/** What stands in for the members that a caller leaves out. */
export const contractDefaults = {
  solver: SOLVER_DEFAULT,
  inputs: {},
  initialState: {},
  steps: STEPS_DEFAULT,
  seal: true,
  stops: [],
  observers: [],
} as const

/** A full transition contract, as a caller states it. */
export type ContractOrder = Static<typeof contractSchema>
export type Condition = Static<typeof condition>
