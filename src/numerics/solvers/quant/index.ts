import { solver } from '#numerics/runtime/solver.ts'
import { checkQuant } from './check/check.ts'
import { refuseQuant } from './limits.ts'
import { plotsOf } from './plots.ts'
import { stepsOf } from './run/path.ts'
import { pathsRunOf } from './run/simulate.ts'
import { solveQuant } from './run/solve.ts'
import { PATHS_MIN, type QuantEvidence, type QuantInput, quantInput, quantOutput } from './schema.ts'

/** Operations of a path, and of each of its random numbers (scrambling, the quantile, its share of the bridge). */
const PATH_OPERATIONS = 60
const NUMBER_OPERATIONS = 70

const workOf = (input: QuantInput): number =>
  ((pathsRunOf(input.paths) + PATHS_MIN) * (PATH_OPERATIONS + NUMBER_OPERATIONS * stepsOf(input))) / 1e6

/** Options under geometric Brownian motion. */
export const quant = solver<typeof quantInput, typeof quantOutput, QuantEvidence>({
  name: 'quant',
  revision: 1,
  title: 'Option prices',
  summary: 'European, geometric Asian and barrier options with their sensitivities, by quasi-Monte-Carlo.',
  domain: 'finance',
  method: 'scrambled Sobol points, inverse normal, Brownian bridge, control variate, likelihood ratio',
  operators: ['BLACK_SCHOLES_D1', 'PUT_CALL_PARITY'],
  unit: '1',
  kernels: ['math', 'quant'],
  input: quantInput,
  output: quantOutput,
  work: workOf,
  refuse: refuseQuant,
  run: { kind: 'whole', solve: solveQuant },
  check: (input, { output, evidence }) => checkQuant(input, output, evidence),
  value: ({ price }) => price,
  plots: plotsOf,
})
