import { heat as solver } from '#numerics/solvers/heat/index.ts'
import { type Case, c, python, solved } from './frame.ts'

const INTERVALS = 512
const STEPS = 200
const args = [`${INTERVALS}`, `${STEPS}`]

export const heat: readonly Case[] = [
  {
    solver: 'heat',
    problem: `ADI, ${INTERVALS}² intervals × ${STEPS} steps, fixed edges, one scheme and one error for all`,
    ours: () => {
      const { ms, output } = solved(solver, { nx: INTERVALS, ny: INTERVALS, steps: STEPS, start: 'plain' })
      return { ms, said: `rms ${output.l2Norm.toFixed(12)} K` }
    },
    peers: [
      python('SciPy solve_banded', 'heat.py', { args, packages: ['python3-scipy'], modules: ['scipy.linalg'] }),
      c('gcc -O3', 'heat.c', { args }),
    ],
  },
]
