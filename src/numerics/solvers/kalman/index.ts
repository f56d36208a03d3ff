import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkKalman } from './check/check.ts'
import { kalmanGuide } from './guide.ts'
import { refuseKalman } from './limits.ts'
import { plotsOf } from './plots.ts'
import { type Filter, filterOf } from './run/filter.ts'
import { reportOf } from './run/report.ts'
import { type KalmanInput, type KalmanOutput, kalmanInput, kalmanOutput } from './schema.ts'

/** A step has about 12 products of matrices, its replay as many; a random number about 100 operations. */
const workOf = ({ states: n, observations: m, steps }: KalmanInput): number =>
  (steps * (24 * (n + m) * (n + m) * (n + m) + 200 * (n + m) + 1_000)) / 1e6

/** The same system, taken up at the next measurement. */
const continuedOf = (input: KalmanInput, { steps, estimate, predicted, truth }: KalmanOutput): KalmanInput => ({
  ...input,
  first: input.first + steps,
  x0: estimate,
  P0: predicted,
  truth,
})

/** A Kalman filter on a linear system. */
export const kalman = solver<typeof kalmanInput, typeof kalmanOutput, null, Filter>({
  name: 'kalman',
  revision: 2,
  title: 'Kalman filter',
  summary: 'A linear system with noise, drawn by seed, filtered until gain and covariance stand still.',
  domain: 'signal-processing',
  method: 'Kalman filter in Joseph’s form, run on drawn measurements to its steady state',
  operators: ['KALMAN_GAIN'],
  unit: '1',
  kernels: ['math'],
  input: kalmanInput,
  output: kalmanOutput,
  guide: kalmanGuide,
  work: workOf,
  refuse: refuseKalman,
  run: {
    ...courseOf(
      ({ steps }) => steps,
      filterOf,
      (input, filter: Filter) => ({ output: reportOf(input, filter), evidence: null }),
    ),
    formerly: [{ revision: 1, bytes: (filter) => filter.formerBytes() }],
  },
  check: (input, { output }) => checkKalman(input, output),
  value: ({ traceP }) => traceP,
  plots: plotsOf,
  continued: continuedOf,
})
