import { strideOf } from '#core/states.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkGauge } from './check/check.ts'
import { gaugeGuide } from './guide.ts'
import { refuseGauge } from './limits.ts'
import { plotsOf } from './plots.ts'
import { type Chain, chainOf } from './run/chain.ts'
import { reportOf } from './run/report.ts'
import { type GaugeInput, gaugeInput, gaugeOutput } from './schema.ts'

/** Operations of a link's update and of its share of a state digest. */
const UPDATE_OPERATIONS = 220
const DIGEST_OPERATIONS = 48
const HISTORY_OPERATIONS = 200

const stepsOf = ({ sweeps, thermal }: GaugeInput): number => sweeps + thermal

const workOf = (input: GaugeInput): number => {
  const steps = stepsOf(input)
  const digests = Math.ceil(steps / strideOf(steps))
  const links = 2 * input.L * input.L
  return (links * (UPDATE_OPERATIONS * steps + DIGEST_OPERATIONS * digests) + HISTORY_OPERATIONS * input.sweeps) / 1e6
}

/** U(1) lattice gauge theory in two dimensions. */
export const gauge = solver<typeof gaugeInput, typeof gaugeOutput, null, Chain>({
  name: 'gauge',
  revision: 1,
  title: 'Lattice gauge theory',
  summary: 'Two-dimensional U(1) lattice gauge theory by heat bath: the mean plaquette with its error.',
  domain: 'lattice-gauge-theory',
  method: 'heat bath in checkerboard order, counter-based random numbers, conditional means as estimator',
  operators: ['WILSON_PLAQUETTE'],
  unit: '1',
  kernels: ['gauge', 'math'],
  input: gaugeInput,
  output: gaugeOutput,
  guide: gaugeGuide,
  work: workOf,
  refuse: refuseGauge,
  run: courseOf(stepsOf, chainOf, (input, chain) => ({ output: reportOf(input, chain), evidence: null })),
  check: (input, { output }) => checkGauge(input, output),
  value: ({ plaquette }) => plaquette,
  plots: plotsOf,
})
