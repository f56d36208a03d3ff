import {
  judgeLattice,
  type LatticeInput,
  latticeInput,
  latticeOf,
  latticeOutput,
  latticePlots,
} from '#numerics/general/lattice.ts'
import { computed, filledIn, idsOf, refuseAmplitude, refuseZero } from '#numerics/general/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { type Aid, type Solver, solver, withoutAid } from '#numerics/solver.ts'

/** Work of the operators and of the sines at 50 digits. */
const WORK = 10

const latticeWith = (aid: Aid): Solver<typeof latticeInput, typeof latticeOutput, null, never> => {
  const specOf = ({ spec }: LatticeInput): Computation => computed(aid.registry(), spec)
  return solver<typeof latticeInput, typeof latticeOutput, null, never>({
    name: 'lattice',
    revision: 1,
    title: 'Lattice of nodes',
    summary: 'Nodes that evaluate one computation at even offsets of a tick, and how coherent they are.',
    domain: 'kernel',
    method: 'operators once, phases as exact fractions of integer nanoseconds',
    operators: ['NM19'],
    unit: 'N',
    unitOf: (input) => specOf(input).unit,
    operatorsOf: ({ spec }) => idsOf(spec),
    kernels: ['math'],
    input: latticeInput,
    output: latticeOutput,
    limits: { workAnonymousMax: 5_000, workMax: 500_000 },
    work: ({ nodeCount }) => WORK + nodeCount,
    refuse: (input) => {
      refuseAmplitude(input)
      refuseZero(specOf(input))
    },
    run: {
      kind: 'whole',
      solve: (input, progress) => {
        const output = latticeOf(input, specOf(input))
        progress({ step: 1, steps: 1 })
        return { output, evidence: null }
      },
    },
    check: (input, { output }) => judgeLattice(input, output, specOf(input)),
    value: ({ specValue }) => specValue,
    plots: latticePlots,
    aided: latticeWith,
    readsRegistry: () => true,
    completed: (input, moment) => ({ ...input, ...filledIn(input, input.tick, moment) }),
  })
}

/** One computation seen from nodes spread over a tick. */
export const lattice = latticeWith(withoutAid)
