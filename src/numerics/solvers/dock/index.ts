import { solver } from '#numerics/runtime/solver.ts'
import { checkDock } from './check/check.ts'
import { dockGuide } from './guide.ts'
import { refuseDock } from './limits.ts'
import { plotsOf } from './plots.ts'
import { countsOf } from './problem.ts'
import { solveDock } from './run/solve.ts'
import { type DockEvidence, type DockInput, dockInput, dockOutput } from './schema.ts'

/** Floating-point operations of a pair, and energies that a start takes. */
const PAIR_OPERATIONS = 45
const EVALUATIONS = 100

const workOf = (input: DockInput): number => {
  const { receptor, ligand } = countsOf(input)
  return (input.starts * EVALUATIONS * PAIR_OPERATIONS * receptor * ligand) / 1e6
}

/** A rigid ligand in a receptor. */
export const dock = solver<typeof dockInput, typeof dockOutput, DockEvidence>({
  name: 'dock',
  revision: 1,
  title: 'Rigid docking',
  summary: 'The pose of least energy of a rigid ligand in a receptor: Lennard-Jones and Coulomb over all pairs.',
  domain: 'molecular-physics',
  method: 'L-BFGS over shifts and rotations from random poses, softened first; the lowest by Newton',
  operators: ['LENNARD_JONES', 'COULOMB_ENERGY'],
  unit: 'kJ/mol',
  kernels: ['dock', 'math'],
  input: dockInput,
  output: dockOutput,
  guide: dockGuide,
  work: workOf,
  refuse: refuseDock,
  run: { kind: 'whole', solve: solveDock },
  check: checkDock,
  value: ({ energy }) => energy,
  plots: plotsOf,
})
