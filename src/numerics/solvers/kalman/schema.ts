import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

const MODELS = ['constant-velocity', 'matrices'] as const
/** Measurements of the shortest and of the longest run. */
export const STEPS_MIN = 32
export const STEPS_MAX = 100_000
const ORDER_MAX = 32
/** Lags of the innovations' correlation that are reported. */
export const LAGS = 20

const matrix = (shape: readonly string[], description: string) =>
  Type.Optional(series({ unit: '1', shape, description }))

/** A linear system with its noise, and the run of its filter; `{}` is the documented case. */
export const kalmanInput = closed({
  model: oneOf(MODELS, {
    default: 'constant-velocity',
    description:
      'constant-velocity: place and speed, moved by random accelerations, the place measured; matrices: own.',
  }),
  dt: finite({
    ...within(1e-6, 1e6, 1),
    description: 'Time between measurements; of constant-velocity.',
    'x-unit': 's',
  }),
  sigmaA: finite({
    ...within(1e-9, 1e9, 0.1),
    description: 'Standard deviation of the acceleration, constant within a step; of constant-velocity.',
    'x-unit': 'm/s2',
  }),
  sigmaZ: finite({
    ...within(1e-9, 1e9, 1),
    description: 'Standard deviation of a measured place; of constant-velocity.',
    'x-unit': 'm',
  }),
  states: integer({ ...within(1, ORDER_MAX, 2), description: 'Components of the state.' }),
  observations: integer({ ...within(1, ORDER_MAX, 1), description: 'Components of a measurement.' }),
  A: matrix(['states', 'states'], 'Transition: x(k+1) = A·x(k) + w.'),
  C: matrix(['observations', 'states'], 'Measurement: z(k) = C·x(k) + v.'),
  Q: matrix(['states', 'states'], 'Covariance of w, semidefinite.'),
  R: matrix(['observations', 'observations'], 'Covariance of v, definite.'),
  steps: integer({ ...within(STEPS_MIN, STEPS_MAX, 400), description: 'Measurements that are taken in.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the noise.' }),
  first: integer({ ...within(0, 1_000_000_000, 0), description: 'Number of the first measurement.' }),
  spread: finite({
    ...within(0, 1e9, 10),
    description: 'Variance of each component at the start, independent ones; not read when P0 is given.',
  }),
  x0: matrix(['states'], 'Predicted state at the start; zeros unless given.'),
  P0: matrix(['states', 'states'], 'Covariance of x0.'),
  truth: matrix(['states'], 'True state at the start; drawn from x0 and P0 unless given.'),
})

/** The answer: what the filter's covariance and gain came to, and how it did on the way. */
export const kalmanOutput = closed({
  model: oneOf(MODELS, { description: 'The system.' }),
  states: integer({ description: 'Components of the state.' }),
  observations: integer({ description: 'Components of a measurement.' }),
  steps: integer({ description: 'Measurements taken in.' }),
  settled: count({ description: 'Steps until the covariance stood still; equal to steps when it still moved.' }),
  traceP: finite({ description: 'Trace of the predicted covariance: the sealed value.' }),
  closedLoopRadius: finite({ description: 'Largest modulus of the eigenvalues of A·(I − K·C).' }),
  meanNis: finite({ description: 'Mean of the normalised innovations squared over their number; 1 expected.' }),
  nisSigmas: finite({ description: 'Its distance from 1 in standard deviations.' }),
  predicted: series({
    unit: '1',
    shape: ['states', 'states'],
    description: 'Covariance of the prediction, before a measurement: what the Riccati equation is about.',
  }),
  filtered: series({
    unit: '1',
    shape: ['states', 'states'],
    description: 'Covariance of the estimate, after a measurement.',
  }),
  gain: series({ unit: '1', shape: ['states', 'observations'], description: 'Gain K of the last step.' }),
  traces: series({
    unit: '1',
    shape: ['steps'],
    axes: ['step'],
    description: 'Trace of the predicted covariance before each measurement.',
  }),
  gains: series({
    unit: '1',
    shape: ['steps', 'states'],
    axes: ['step', 'component'],
    description: 'Length of each row of the gain.',
  }),
  innovations: series({
    unit: '1',
    shape: ['steps', 'observations'],
    axes: ['step', 'component'],
    description: 'Measurements less their predictions.',
  }),
  deviations: series({
    unit: '1',
    shape: ['steps', 'observations'],
    axes: ['step', 'component'],
    description: 'Standard deviations that the filter expects of the innovations.',
  }),
  lagSigmas: series({
    unit: '1',
    shape: [LAGS],
    axes: ['lag'],
    description:
      'Correlation of normalised innovations 1, 2, … steps apart, in standard deviations; white ones are within a few.',
  }),
  estimate: series({ unit: '1', shape: ['states'], description: 'Predicted state after the last step.' }),
  truth: series({ unit: '1', shape: ['states'], description: 'True state after the last step.' }),
})

/** A full input of the solver. */
export type KalmanInput = Static<typeof kalmanInput>
/** What it answers. */
export type KalmanOutput = Static<typeof kalmanOutput>
