import { solver } from '#numerics/runtime/solver.ts'
import { checkBuckling } from './check/check.ts'
import { bucklingGuide } from './guide.ts'
import { refuseBuckling } from './limits.ts'
import { plotsOf } from './plots.ts'
import { buckle } from './run/column.ts'
import { bucklingInput, bucklingOutput } from './schema.ts'

/** Flops of an element in a factor, how many factors and solves a mode takes, and what its check costs a segment. */
const ELEMENT_OPERATIONS = 60
const PASSES = 60
const SEGMENT_OPERATIONS = 2_000

/** Critical load and mode of a uniform or stepped column. */
export const buckling = solver<typeof bucklingInput, typeof bucklingOutput, null>({
  name: 'buckling',
  revision: 1,
  title: 'Column buckling',
  summary: 'The critical load of a uniform or stepped column with pinned, fixed or free ends, and its critical mode.',
  domain: 'structural-mechanics',
  method: 'Hermite beam elements; the lowest eigenpair by a count of negative pivots and inverse iteration',
  operators: ['BUCKLING_CHECK'],
  unit: 'N',
  kernels: ['math'],
  input: bucklingInput,
  output: bucklingOutput,
  guide: bucklingGuide,
  work: ({ elements, segments }) => {
    const count = segments?.length ?? 1
    return (elements * ELEMENT_OPERATIONS * PASSES + count * count * count * SEGMENT_OPERATIONS) / 1e6
  },
  refuse: refuseBuckling,
  run: {
    kind: 'whole',
    solve: (input, progress) => {
      const output = buckle(input)
      progress({ step: 1, steps: 1 })
      return { output, evidence: null }
    },
  },
  check: (input, { output }) => checkBuckling(input, output),
  value: ({ criticalLoad }) => criticalLoad,
  plots: plotsOf,
})
