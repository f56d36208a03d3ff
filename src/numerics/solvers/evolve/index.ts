import { strideOf } from '#core/states.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkEvolve } from './check/check.ts'
import { evolveGuide } from './guide.ts'
import { refuseEvolve } from './limits.ts'
import { pairsTried } from './pairs.ts'
import { plotsOf } from './plots.ts'
import { pairsExpected } from './problem.ts'
import { createFluid, type Fluid, scheduleOf } from './run/fluid.ts'
import { reportOf } from './run/report.ts'
import { type EvolveEvidence, type EvolveInput, type EvolveOutput, evolveInput, evolveOutput } from './schema.ts'

/**
 * Floating-point operations of a pair of the list, of an atom and of a digested number, and of a pair tried in the
 * check.
 */
const PAIR_OPERATIONS = 60
const ATOM_OPERATIONS = 40
const DIGEST_OPERATIONS = 96
const CHECK_OPERATIONS = 20

const workOf = (input: EvolveInput): number => {
  const { n, steps } = input
  const digests = Math.ceil(steps / strideOf(steps))
  const tried = pairsTried(n, input.density, input.cutoff)
  const stepping = steps * (PAIR_OPERATIONS * pairsExpected(input) + ATOM_OPERATIONS * n)
  const checking = (scheduleOf(input).sampled.length + 10) * CHECK_OPERATIONS * tried
  return (stepping + digests * DIGEST_OPERATIONS * n + checking) / 1e6
}

/** The same atoms from the state they ended with. */
const continuedOf = (input: EvolveInput, { positions, velocities }: EvolveOutput): EvolveInput => ({
  ...input,
  initial: { positions, velocities },
})

/** Lennard-Jones atoms in a periodic cube. */
export const evolve = solver<typeof evolveInput, typeof evolveOutput, EvolveEvidence, Fluid>({
  name: 'evolve',
  revision: 2,
  title: 'Molecular dynamics',
  summary: 'Lennard-Jones atoms in a periodic cube at constant energy; truncated, with the force shifted to zero.',
  domain: 'molecular-physics',
  method: 'velocity-Verlet with neighbour lists from cells, every pair once in a fixed order',
  operators: ['LENNARD_JONES', 'NM19'],
  unit: 'epsilon',
  kernels: ['evolve', 'math', 'pairs'],
  input: evolveInput,
  output: evolveOutput,
  guide: evolveGuide,
  work: workOf,
  refuse: refuseEvolve,
  run: {
    ...courseOf(({ steps }) => steps, createFluid, reportOf),
    formerly: [{ revision: 1, bytes: (fluid) => fluid.formerBytes() }],
  },
  check: checkEvolve,
  value: ({ energyPerAtom }) => energyPerAtom,
  plots: plotsOf,
  continued: continuedOf,
})
