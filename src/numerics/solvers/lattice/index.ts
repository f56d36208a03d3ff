import { filledIn, overSpec } from '#numerics/methods/spec.ts'
import { type Aid, type Solver, solver, withoutAid } from '#numerics/runtime/solver.ts'
import { checkLattice } from './check/check.ts'
import { latticeGuide } from './guide.ts'
import { latticePlots } from './plots.ts'
import { latticeOf } from './run/lattice.ts'
import { type LatticeInput, latticeInput, latticeOutput } from './schema.ts'

/** Work of the operators and of the sines at 50 digits. */
const WORK = 10

const latticeWith = (aid: Aid): Solver<typeof latticeInput, typeof latticeOutput, null, never> => {
  const { specOf, members, whole } = overSpec<LatticeInput>(aid.registry)
  return solver<typeof latticeInput, typeof latticeOutput, null, never>({
    ...members,
    name: 'lattice',
    keyless: true,
    revision: 1,
    title: 'Lattice of nodes',
    summary: 'Nodes that evaluate one computation at even offsets of a tick, and how coherent they are.',
    method: 'operators once, phases as exact fractions of integer nanoseconds',
    input: latticeInput,
    output: latticeOutput,
    guide: latticeGuide,
    work: ({ nodeCount }) => WORK + nodeCount,
    run: whole(latticeOf),
    check: (input, { output }) => checkLattice(input, output, specOf(input)),
    value: ({ specValue }) => specValue,
    plots: latticePlots,
    aided: latticeWith,
    completed: (input, moment) => ({ ...input, ...filledIn(input, input.tick, moment) }),
  })
}

/** One computation seen from nodes spread over a tick. */
export const lattice = latticeWith(withoutAid)
