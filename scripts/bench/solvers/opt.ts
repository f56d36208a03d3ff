import { opt as solver } from '#numerics/solvers/opt/index.ts'
import { type Case, python, solved } from './frame.ts'

const DIMENSION = 10
/** Starts that the solver takes of the default case: the peer takes as many. */
const STARTS = 16

const ours = (raw: object, known: number, width: number) => () => {
  const { ms, output } = solved(solver, raw)
  const far = output.point.reduce((most, x) => Math.max(most, Math.abs(x - known)), 0) / width
  return { ms, said: `${far.toExponential(1)} of the box from the minimum, ${output.evaluations} evaluations` }
}

const scipy = (name: string, ...args: readonly string[]) =>
  python(name, 'opt.py', { args, packages: ['python3-scipy'], modules: ['scipy.optimize', 'scipy.stats'] })

export const opt: readonly Case[] = [
  {
    solver: 'opt',
    problem: `Rosenbrock of ${DIMENSION} coordinates, quasi-Newton from ${STARTS} starts, gradients given`,
    ours: ours({ dimension: DIMENSION }, 1, 15),
    peers: [scipy('SciPy L-BFGS-B', 'rosenbrock', `${DIMENSION}`, `${STARTS}`)],
  },
  {
    solver: 'opt',
    problem: `Rastrigin of ${DIMENSION} coordinates, by values alone`,
    ours: ours({ function: 'rastrigin', dimension: DIMENSION }, 0, 10.24),
    peers: [scipy('SciPy differential evolution', 'rastrigin', `${DIMENSION}`)],
  },
]
