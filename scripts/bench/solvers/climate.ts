import { resolveInput } from '#numerics/runtime/input.ts'
import { climate as solver } from '#numerics/solvers/climate/index.ts'
import { startOf } from '#numerics/solvers/climate/problem.ts'
import { type Case, c, python, solved } from './frame.ts'

const CELLS = 96
const STEPS = 394
const args = [`${CELLS}`, `${STEPS}`]

export const climate: readonly Case[] = [
  {
    solver: 'climate',
    problem: `jet in balance, ${CELLS}² cells × ${STEPS} steps, one scheme and one error for all`,
    ours: () => {
      const raw = { nx: CELLS, ny: CELLS, dt: 43_200 / STEPS }
      const { ms, output } = solved(solver, raw)
      const { h } = startOf(resolveInput(solver, raw))
      let [off, norm] = [0, 0]
      for (const [i, depth] of h.entries()) {
        off += ((output.depth[i] ?? Number.NaN) - depth) ** 2
        norm += (depth - 1000) ** 2
      }
      return { ms, said: `anomaly ${Math.sqrt(off / norm).toExponential(3)} off` }
    },
    peers: [
      python('NumPy', 'climate.py', { args, packages: ['python3-numpy'], modules: ['numpy'] }),
      c('gcc -O3', 'climate.c', { args }),
    ],
  },
]
