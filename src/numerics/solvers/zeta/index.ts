import { sqrt } from '#numerics/math.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkZeta } from './check/check.ts'
import { zetaGuide } from './guide.ts'
import { refuseZeta, sizeOf } from './limits.ts'
import { plotsOf } from './plots.ts'
import { solveZeta } from './run/report.ts'
import { type ZetaInput, zetaInput, zetaOutput } from './schema.ts'

/** Values of Z for a zero, operations of a term of each; operations of a term of the check's sums, and its counts. */
const VALUES = 14
const TERM_OPERATIONS = 40
const CHECK_OPERATIONS = 20
const COUNTS_AS = 80

const workOf = (input: ZetaInput): number => {
  const { height, zeros } = sizeOf(input)
  const main = zeros * VALUES * TERM_OPERATIONS * (sqrt(height / 6) + 20)
  return (main + ((zeros + COUNTS_AS) * CHECK_OPERATIONS * height) / 4) / 1e6
}

/** Zeros of the zeta function on the critical line. */
export const zeta = solver<typeof zetaInput, typeof zetaOutput, null>({
  name: 'zeta',
  revision: 1,
  title: 'Zeta zeros',
  summary: 'The first n zeros of the Riemann zeta function on the critical line, or all between two heights.',
  domain: 'number-theory',
  method: 'Riemann–Siegel formula to C4 with Gram blocks; below t = 300 polished by Borwein’s alternating series',
  operators: ['RIEMANN_VON_MANGOLDT'],
  unit: '1',
  kernels: ['math'],
  input: zetaInput,
  output: zetaOutput,
  guide: zetaGuide,
  work: workOf,
  refuse: refuseZeta,
  run: { kind: 'whole', solve: solveZeta },
  check: (input, { output }) => checkZeta(input, output),
  value: ({ last }) => last,
  plots: (_, output) => plotsOf(output),
})
