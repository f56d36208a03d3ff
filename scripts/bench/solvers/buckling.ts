import { buckling as solver } from '#numerics/solvers/buckling/index.ts'
import { type Case, python, solved } from './frame.ts'

/** π²·E·I/L² of the default column. */
const EULER = (Math.PI ** 2 * 210e9 * 1e-6) / 9

const columnCase = (elements: number): Case => ({
  solver: 'buckling',
  problem: `pinned column of ${elements} Hermite elements, load and mode`,
  ours: () => {
    // A solve of a millisecond is at the mercy of whoever else has the core: the middle one of five.
    const all = Array.from({ length: 5 }, () => solved(solver, { elements })).sort((a, b) => a.ms - b.ms)
    const { ms, output } = all[2] as (typeof all)[number]
    return { ms, said: `${(output.criticalLoad / EULER - 1).toExponential(3)} of the load` }
  },
  peers: [
    python('scipy eigsh', 'buckling.py', {
      args: [`${elements}`],
      packages: ['python3-scipy'],
      modules: ['scipy.sparse.linalg'],
    }),
  ],
})

export const buckling: readonly Case[] = [columnCase(16), columnCase(400)]
