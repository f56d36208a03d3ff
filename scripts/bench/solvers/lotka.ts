import { lotka as solver } from '#numerics/solvers/lotka/index.ts'
import { type Case, python, solved } from './frame.ts'

/** Prey of the default course after 1,000 years, by Taylor series at 60 digits. */
const EXACT = 2.941164568304598
const T_MAX = 1_000

export const lotka: readonly Case[] = [
  {
    solver: 'lotka',
    problem: `default cycle, ${T_MAX} yr, 400 outputs`,
    ours: () => {
      const { ms, output } = solved(solver, { t_max: T_MAX })
      return { ms, said: `${(output.preyEnd / EXACT - 1).toExponential(1)} of the prey at the end` }
    },
    peers: [
      python('SciPy DOP853', 'lotka.py', {
        args: [`${T_MAX}`, `${EXACT}`],
        packages: ['python3-scipy'],
        modules: ['scipy.integrate'],
      }),
    ],
  },
]
