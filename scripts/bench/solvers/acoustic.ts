import { acoustic as solver } from '#numerics/solvers/acoustic/index.ts'
import { type Case, python, solved } from './frame.ts'

const MODES = 10

const pipeCase = (elements: number): Case => ({
  solver: 'acoustic',
  problem: `open pipe, ${MODES} modes of ${elements} quadratic elements, frequencies and pressures`,
  ours: () => {
    // A solve of a millisecond is at the mercy of whoever else has the core: the middle one of five.
    const all = Array.from({ length: 5 }, () => solved(solver, { elements, modes: MODES })).sort((a, b) => a.ms - b.ms)
    const { ms, output } = all[2] as (typeof all)[number]
    const errors = Array.from(output.frequencies, (it, mode) => Math.abs(it / (171.6 * (mode + 1)) - 1))
    return { ms, said: `${Math.max(...errors).toExponential(3)} of the worst frequency` }
  },
  peers: [
    python('scipy eigsh', 'acoustic.py', {
      args: [`${elements}`, `${MODES}`],
      packages: ['python3-scipy'],
      modules: ['scipy.sparse.linalg'],
    }),
  ],
})

export const acoustic: readonly Case[] = [pipeCase(64), pipeCase(400)]
