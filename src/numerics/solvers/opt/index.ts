import { solver } from '#numerics/runtime/solver.ts'
import { checkOpt } from './check/check.ts'
import { optGuide } from './guide.ts'
import { refuseOpt } from './limits.ts'
import { plotsOf } from './plots.ts'
import { methodOf } from './problem.ts'
import { solveOpt } from './run/solve.ts'
import { type FunctionName, type OptEvidence, type OptInput, optInput, optOutput } from './schema.ts'

const OPERATORS: Readonly<Record<FunctionName, string>> = {
  rosenbrock: 'OPT_ROSENBROCK',
  rastrigin: 'OPT_RASTRIGIN',
  ackley: 'OPT_ACKLEY',
  himmelblau: 'OPT_HIMMELBLAU',
  griewank: 'OPT_GRIEWANK',
  schwefel: 'OPT_SCHWEFEL',
  'styblinski-tang': 'OPT_STYBLINSKI_TANG',
  expression: 'OPT_NEWTON_STEP',
}

/** Floating-point operations of one coordinate of an evaluation, and of the strategy's covariance beside it. */
const COORDINATE_OPERATIONS = 60
const COVARIANCE_OPERATIONS = 3
/** Work units of the longest proof, per character of the expression. */
const PROOF_WORK = 60

/** All evaluations that are allowed: how many a search takes is not known before. */
const workOf = (input: OptInput): number => {
  const { dimension: d, evaluations } = input
  const own = input.function === 'expression'
  // Griewank's gradient is a product over the others for each coordinate.
  const wide = input.function === 'griewank' && methodOf(input) === 'lbfgs' ? d / 8 : 1
  const each = COORDINATE_OPERATIONS * d * Math.max(1, wide) * (own ? 20 : 1)
  const strategy = methodOf(input) === 'cma-es' ? COVARIANCE_OPERATIONS * d * d : 0
  return (evaluations * (each + strategy)) / 1e6 + (own ? PROOF_WORK * input.expression.f.length : 0)
}

/** Global minimisation over a box. */
export const opt = solver<typeof optInput, typeof optOutput, OptEvidence>({
  name: 'opt',
  revision: 1,
  title: 'Global minimisation',
  summary: 'Least value of a known test function or of an own expression over a box; a local minimum is never sealed.',
  domain: 'optimisation',
  method: 'CMA-ES with restarts of growing populations, or projected L-BFGS from scrambled Sobol starts',
  operators: [OPERATORS.rosenbrock],
  operatorsOf: (input) => [OPERATORS[input.function]],
  unit: '1',
  kernels: ['math'],
  input: optInput,
  output: optOutput,
  guide: optGuide,
  work: workOf,
  refuse: refuseOpt,
  run: { kind: 'whole', solve: solveOpt },
  check: checkOpt,
  value: ({ minimum }) => minimum,
  plots: plotsOf,
})
