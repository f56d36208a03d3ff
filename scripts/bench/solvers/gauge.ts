import { gauge as solver } from '#numerics/solvers/gauge/index.ts'
import { type Case, c, solved } from './frame.ts'

const [L, BETA, SWEEPS, THERMAL] = [64, 4, 1_000, 100]

export const gauge: readonly Case[] = [
  {
    solver: 'gauge',
    problem: `${L}² sites, beta ${BETA}, ${SWEEPS + THERMAL} heat-bath sweeps (the C without start and statistics)`,
    ours: () => {
      const { ms, output } = solved(solver, { L, beta: BETA, sweeps: SWEEPS, thermal: THERMAL })
      return { ms, said: `plaquette ${output.plaquette.toFixed(12)}` }
    },
    peers: [c('C of the same arithmetic', 'gauge.c', { args: [L, BETA, SWEEPS, THERMAL].map(String) })],
  },
]
