import { react as solver } from '#numerics/solvers/react/index.ts'
import { type Case, c, python, solved } from './frame.ts'

const NODES = 128
const STEPS = 2000
const args = [`${NODES}`, `${STEPS}`]

export const react: readonly Case[] = [
  {
    solver: 'react',
    problem: `Gray–Scott, ${NODES}² nodes × ${STEPS} steps of classical Runge–Kutta, one error for all`,
    ours: () => {
      const { ms, output } = solved(solver, { n: NODES, steps: STEPS })
      return { ms, said: `sum of v ${output.integralV.toFixed(10)}` }
    },
    peers: [
      python('NumPy', 'react.py', { args, packages: ['python3-numpy'], modules: ['numpy'] }),
      c('gcc -O3', 'react.c', { args }),
    ],
  },
]
