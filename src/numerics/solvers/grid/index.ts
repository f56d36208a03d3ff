import { solver } from '#numerics/runtime/solver.ts'
import { checkGrid } from './check/check.ts'
import { gridGuide } from './guide.ts'
import { refuseGrid } from './limits.ts'
import { plotsOf } from './plots.ts'
import { networkOf } from './problem.ts'
import { solveGrid } from './run/report.ts'
import { type GridEvidence, type GridInput, gridInput, gridOutput } from './schema.ts'

/** Operations of a bus or line: ordering, factor and solution; of each line in an outage, with its check. */
const PART_OPERATIONS = 4_000
const OUTAGE_OPERATIONS = 60

const workOf = (input: GridInput): number => {
  const { buses, lines } = networkOf(input)
  const outages = input.contingencies ? lines.length * (lines.length + buses) * OUTAGE_OPERATIONS : 0
  return ((buses + lines.length) * PART_OPERATIONS + outages) / 1e6
}

/** DC power flow. */
export const grid = solver<typeof gridInput, typeof gridOutput, GridEvidence>({
  name: 'grid',
  revision: 2,
  title: 'Power flow',
  summary: 'DC power flow of an IEEE test case or an own grid, with the outage of each line when asked.',
  domain: 'power-systems',
  method: 'sparse LDLᵀ in an order of approximate minimum degree; outages by distribution factors, bridges found first',
  operators: ['DC_LINE_FLOW'],
  unit: 'MW',
  kernels: ['math'],
  input: gridInput,
  output: gridOutput,
  guide: gridGuide,
  work: workOf,
  refuse: refuseGrid,
  run: { kind: 'whole', solve: solveGrid },
  check: (input, { output, evidence }) => checkGrid(input, output, evidence),
  value: ({ largestFlow }) => largestFlow,
  plots: (_, output) => plotsOf(output),
})
