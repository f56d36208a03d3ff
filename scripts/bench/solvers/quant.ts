import { quant as solver } from '#numerics/solvers/quant.ts'
import { type Case, python, solved } from './frame.ts'

const PATHS = 1_048_576
/** Black–Scholes of the default call. */
const EXACT = 10.450583572185565

export const quant: readonly Case[] = [
  {
    solver: 'quant',
    problem: `European call, ${PATHS} paths in 16 scrambles (SciPy without sensitivities)`,
    ours: () => {
      const { ms, output } = solved(solver, { paths: PATHS })
      return { ms, said: `${(output.price / EXACT - 1).toExponential(3)} of the price` }
    },
    peers: [
      python('SciPy Sobol', 'quant.py', {
        args: [`${PATHS}`],
        packages: ['python3-scipy'],
        modules: ['scipy.stats'],
      }),
    ],
  },
]
