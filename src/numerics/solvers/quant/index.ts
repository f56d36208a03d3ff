import { solver } from '#numerics/runtime/solver.ts'
import { checkQuant } from './check/check.ts'
import { quantGuide } from './guide.ts'
import { refuseQuant } from './limits.ts'
import { plotsOf } from './plots.ts'
import { pathsOf, workAt } from './problem.ts'
import { pathsRunOf } from './run/simulate.ts'
import { solveQuant } from './run/solve.ts'
import { type QuantEvidence, type QuantInput, quantInput, quantOutput } from './schema.ts'

const workOf = (input: QuantInput): number => workAt(input, pathsRunOf(pathsOf(input)))

/** Options under geometric Brownian motion. */
export const quant = solver<typeof quantInput, typeof quantOutput, QuantEvidence>({
  name: 'quant',
  revision: 2,
  title: 'Option prices',
  summary: 'European, geometric Asian and barrier options with their sensitivities, by quasi-Monte-Carlo.',
  domain: 'finance',
  method: 'scrambled Sobol points, inverse normal, Brownian bridge, control variate, likelihood ratio',
  operators: ['BLACK_SCHOLES_D1', 'PUT_CALL_PARITY'],
  unit: '1',
  kernels: ['math', 'quant'],
  input: quantInput,
  output: quantOutput,
  guide: quantGuide,
  work: workOf,
  refuse: refuseQuant,
  run: { kind: 'whole', solve: solveQuant },
  check: (input, { output, evidence }) => checkQuant(input, output, evidence),
  value: ({ price }) => price,
  plots: plotsOf,
})
