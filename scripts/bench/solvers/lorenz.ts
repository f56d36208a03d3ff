import { lorenz as solver } from '#numerics/solvers/lorenz/index.ts'
import { type Case, python, solved } from './frame.ts'

/** x of the default course at t = 25, by Taylor series at 60 digits. */
const EXACT = -1.1849258037030312

const caseOf = (problem: string, batches: number, spectrum: boolean): Case => ({
  solver: 'lorenz',
  problem,
  ours: () => {
    const { ms, output } = solved(solver, { batches })
    const x = output.end[0] as number
    const [largest, error] = [output.exponents[0] as number, output.exponentErrors[0] as number]
    const exponent = `exponent ${largest.toFixed(4)} ± ${error.toFixed(4)}`
    return { ms, said: `${(x / EXACT - 1).toExponential(1)} of x at 25, ${exponent}` }
  },
  peers: [
    python('SciPy DOP853', 'lorenz.py', {
      args: [`${EXACT}`, spectrum ? '987' : '0'],
      packages: ['python3-scipy'],
      modules: ['scipy.integrate'],
    }),
  ],
})

export const lorenz: readonly Case[] = [
  caseOf('course to t = 25, 2,000 outputs (ours with 20 batches of the spectrum, SciPy without)', 20, false),
  caseOf('course to t = 25 and the spectrum over 987 time units', 200, true),
]
