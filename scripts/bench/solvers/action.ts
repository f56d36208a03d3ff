import { action as solver } from '#numerics/solvers/action/index.ts'
import { type Case, c, python, solved } from './frame.ts'

const STEPS_PER_PERIOD = 100

/** The C does the steps and RK4 alone: it is asked where they are the time, not the coarse steps for the order. */
const caseOf = (periods: number, tolerance: number, withC: boolean): Case => ({
  solver: 'action',
  problem: `Kepler e = 0.6, order 8, ${STEPS_PER_PERIOD} steps an orbit, ${periods} orbits, RK4 beside (SciPy without)`,
  ours: () => {
    const { ms, output } = solved(solver, { stepsPerPeriod: STEPS_PER_PERIOD, periods })
    const [x, y] = output.end as readonly [number, number]
    return { ms, said: `${Math.hypot(x - 0.4, y).toExponential(1)} of a at the end` }
  },
  peers: [
    python('SciPy DOP853', 'action.py', {
      args: [`${periods}`, `${tolerance}`],
      packages: ['python3-scipy'],
      modules: ['scipy.integrate'],
    }),
    ...(withC ? [c('same arithmetic', 'action.c', { args: [`${STEPS_PER_PERIOD}`, `${periods}`] })] : []),
  ],
})

export const action: readonly Case[] = [caseOf(20, 1e-10, false), caseOf(2_000, 1e-12, true)]
