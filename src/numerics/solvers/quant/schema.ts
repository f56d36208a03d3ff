import Type, { type Static } from 'typebox'
import { closed, finite, integer, oneOf, orNull, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const PRODUCTS = ['european', 'asian', 'barrier'] as const
const RIGHTS = ['call', 'put'] as const
/** Independent scrambles of the points: what the standard error is taken over. */
export const SCRAMBLES = 16
export const PATHS_MIN = 1_024
export const PATHS_MAX = 4_194_304
/** Prices and strikes, at least and at most. */
export const MONEY_MIN = 1e-6
export const MONEY_MAX = 1e9

const money = (description: string, initial: number) =>
  finite({ ...within(MONEY_MIN, MONEY_MAX, initial), description, 'x-unit': 'money' })
const rate = (description: string, initial: number) =>
  finite({ ...within(-1, 1, initial), description, 'x-unit': '1/yr' })

/** Everything that states an option and its simulation, with its default: `{}` is the documented case. */
export const quantInput = closed({
  product: oneOf(PRODUCTS, {
    default: 'european',
    description: 'european; asian: geometric average; barrier: watched without a pause.',
  }),
  right: oneOf(RIGHTS, { default: 'call', description: 'The right to buy or to sell.' }),
  S: money('Price of the underlying now.', 100),
  K: money('Strike.', 100),
  r: rate('Interest rate, continuously compounded.', 0.05),
  q: rate('Dividend yield, continuously compounded.', 0),
  sigma: finite({ ...within(1e-3, 5, 0.2), description: 'Volatility.', 'x-unit': 'yr^-0.5' }),
  T: finite({ ...within(1e-3, 50, 1), description: 'Time to maturity.', 'x-unit': 'yr' }),
  paths: Type.Optional(
    integer({
      minimum: PATHS_MIN,
      maximum: PATHS_MAX,
      description:
        'Paths over all 16 scrambles; rounded up to a power of two. Left out: as many as the option needs for 0.1 %.',
    }),
  ),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the scrambles.' }),
  asian: closed(
    { dates: integer({ ...within(1, 256, 12), description: 'Averaging dates, evenly up to T.' }) },
    { default: {}, description: 'Of an asian option.' },
  ),
  barrier: closed(
    {
      kind: oneOf(['down-out', 'down-in', 'up-out', 'up-in'], {
        default: 'down-out',
        description: 'Side of the barrier, and whether touching it ends or begins the option.',
      }),
      H: money('Barrier.', 90),
      steps: integer({ ...within(1, 64, 1), description: 'Steps of a path; any number is unbiased.' }),
    },
    { default: {}, description: 'Of a barrier option.' },
  ),
})

/** Distance of a sensitivity from its closed form, in percent of its natural scale, above which it is not told. */
export const GREEK_PCT_MAX = 0.3

const greek = (unit: string, description: string) =>
  orNull(finite(), {
    description: `${description} Null where the sample is off by more than ${GREEK_PCT_MAX} % of its natural scale.`,
    'x-unit': unit,
  })
const cash = (description: string) => finite({ description, 'x-unit': 'money' })

/** The answer: price, its standard error, and its sensitivities. */
export const quantOutput = closed({
  product: oneOf(PRODUCTS, { description: 'The option that was priced.' }),
  right: oneOf(RIGHTS, { description: 'Call or put.' }),
  pathsRun: integer({ description: 'Paths that were run: a power of two.' }),
  scrambles: integer({ description: 'Independent scrambles.' }),
  dimensions: integer({ description: 'Random numbers of a path.' }),
  price: cash('Price: the sealed value.'),
  standardError: cash('Standard error of the price over the scrambles.'),
  fourSigmaPct: finite({ description: 'Four standard errors in percent of the price.' }),
  controlCoefficient: finite({ description: 'Coefficient of the control variate, the discounted underlying at T.' }),
  shift: finite({ description: 'Shift of the sampled normal towards the strike, undone by likelihood ratio.' }),
  delta: greek('1', '∂price/∂S.'),
  gamma: greek('1/money', '∂²price/∂S².'),
  vega: greek('money', '∂price/∂sigma.'),
  theta: greek('money', '−∂price/∂T, for a year.'),
  rho: greek('money', '∂price/∂r, q fixed.'),
  estimates: series({
    unit: 'money',
    shape: ['scrambles'],
    axes: ['scramble'],
    description: 'Price by each scramble.',
  }),
  convergence: series({
    unit: 'money',
    shape: ['octaves'],
    axes: ['octave'],
    description: 'Price by the first 1, 2, 4, 8, … points of every scramble.',
  }),
})

/** A full input of the solver. */
export type QuantInput = Static<typeof quantInput>
/** What it answers. */
export type QuantOutput = Static<typeof quantOutput>

/** What the check works with: sums over paths, weighted by the likelihood ratio and discounted. */
export interface QuantEvidence {
  /** Sums of the payoff, scramble by scramble, over points 1, 2, 3–4, 5–8, … */
  readonly payoffs: Float64Array
  /** The same sums of the control variate. */
  readonly controls: Float64Array
  /** Sums over all paths: payoff·control and control². */
  readonly products: Float64Array
  /** Sums over all paths of the derivatives to ln S, drift and sigma, and of the curvature. */
  readonly slopes: Float64Array
}
