import { schrodinger as solver } from '#numerics/solvers/schrodinger/index.ts'
import { type Case, python, solved } from './frame.ts'

const POINTS = 256
/** ħω of the default oscillator, in joules. */
const QUANTUM = 1.0545718176461565e-19

export const schrodinger: readonly Case[] = [
  {
    solver: 'schrodinger',
    problem: `oscillator, 16 levels on ${POINTS} sinc points`,
    ours: () => {
      const { ms, output } = solved(solver, { points: POINTS, levels: 16 })
      return { ms, said: `${(output.highestLevel / (15.5 * QUANTUM) - 1).toExponential(3)} of the 16th level` }
    },
    peers: [
      python('SciPy eigh', 'schrodinger.py', {
        args: [`${POINTS}`],
        packages: ['python3-scipy'],
        modules: ['scipy.linalg'],
      }),
    ],
  },
]
