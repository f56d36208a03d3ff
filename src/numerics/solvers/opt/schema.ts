import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series, text } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

export const FUNCTIONS = [
  'rosenbrock',
  'rastrigin',
  'ackley',
  'himmelblau',
  'griewank',
  'schwefel',
  'styblinski-tang',
  'expression',
] as const
const METHODS = ['cma-es', 'lbfgs'] as const

export type FunctionName = (typeof FUNCTIONS)[number]

/** Dimensions of the largest problem, and of the largest whose minimum is proved. */
export const DIMENSION_MAX = 100
export const PROVED_DIMENSION_MAX = 3
/** Improvements that are kept of a search, at most. */
export const KEPT_MAX = 256
const EXPRESSION_CHARS_MAX = 500

const corner = (description: string) => Type.Optional(series({ unit: '1', shape: ['dimension'], description }))

/** Everything that states a minimisation, with its default: `{}` is the documented case. */
export const optInput = closed({
  function: oneOf(FUNCTIONS, { default: 'rosenbrock', description: 'What is minimised; expression: the own one.' }),
  dimension: integer({
    ...within(1, DIMENSION_MAX, 10),
    description: 'Coordinates: from 2, 2 for himmelblau, 1 to 3 for an expression.',
  }),
  method: oneOf(['auto', ...METHODS], {
    default: 'auto',
    description:
      'cma-es: evolution strategy with restarts; lbfgs: quasi-Newton from many starts; auto: by the function.',
  }),
  evaluations: integer({ ...within(100, 20_000_000, 200_000), description: 'Most evaluations of the function.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of starts and samples.' }),
  lower: corner('Lower corner of the box; that of the function when left out, −5 for an expression.'),
  upper: corner('Upper corner of the box; that of the function when left out, 5 for an expression.'),
  shift: Type.Optional(
    series({ unit: '1', shape: ['dimension'], description: 'The function is moved by this: f(x − shift).' }),
  ),
  expression: closed(
    {
      f: text(EXPRESSION_CHARS_MAX, {
        minLength: 1,
        default: '(x1^2 + x2 - 11)^2 + (x1 + x2^2 - 7)^2 + x1',
        description: 'f of x1, x2, x3 in the grammar of the operators; an exponent is a number.',
      }),
    },
    { default: {}, description: 'An own function, of at most 3 coordinates; its minimum is proved or refused.' },
  ),
})

/** The answer. */
export const optOutput = closed({
  function: oneOf(FUNCTIONS, { description: 'What was minimised.' }),
  dimension: integer({ description: 'Coordinates.' }),
  method: oneOf(METHODS, { description: 'How it was searched.' }),
  minimum: finite({ description: 'Least value found: the sealed value.' }),
  point: series({ unit: '1', shape: ['dimension'], axes: ['coordinate'], description: 'Where it is.' }),
  evaluations: integer({ description: 'Evaluations of the function, its gradient counted with it.' }),
  starts: integer({ description: 'Starts of the local search, or restarts of the strategy.' }),
  hits: integer({ description: 'Starts that ended at the least value.' }),
  counts: series({ unit: '1', shape: ['kept'], description: 'Evaluations at which the least value so far fell.' }),
  values: series({ unit: '1', shape: ['kept'], axes: ['counts'], description: 'Least value so far, at those.' }),
  path: series({ unit: '1', shape: ['kept', 'dimension'], description: 'Where it was found, at those.' }),
  lowerBound: orNull(finite(), { description: 'A proved bound from below over the box, of an expression.' }),
})

/** A full input of the solver. */
export type OptInput = Static<typeof optInput>
/** What it answers. */
export type OptOutput = Static<typeof optOutput>
export type Method = (typeof METHODS)[number]

/** What the check sees beside the answer. */
export interface OptEvidence {
  /** Evaluations, starts and hits, as the search counted them. */
  readonly tally: Float64Array
  /** Evaluations at the improvements. */
  readonly counts: Float64Array
  /** The division of the box that proves the minimum of an expression; empty of named functions. */
  readonly division: Uint8Array
}
