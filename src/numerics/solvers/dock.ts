import { countsOf } from '#numerics/docking/atoms.ts'
import { judgeDock } from '#numerics/docking/judge.ts'
import { refuseDock } from '#numerics/docking/pose.ts'
import { type DockInput, dockInput, dockOutput } from '#numerics/docking/schema.ts'
import { plotsOf } from '#numerics/docking/show.ts'
import { type DockEvidence, solveDock } from '#numerics/docking/solve.ts'
import { solver } from '#numerics/solver.ts'

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
  limits: { workAnonymousMax: 5_000, workMax: 500_000 },
  work: workOf,
  refuse: refuseDock,
  run: { kind: 'whole', solve: solveDock },
  check: judgeDock,
  value: ({ energy }) => energy,
  plots: plotsOf,
})
