import { epi as solver } from '#numerics/solvers/epi/index.ts'
import { type Case, python, solved } from './frame.ts'

/** Susceptible of the default SIR and of its SEIR after 160 days, by Taylor series at 60 digits. */
const EXACT = { SIR: 59562.3716055308, SEIR: 69349.784963928 } as const

const caseOf = (model: 'SIR' | 'SEIR', method: 'dopri5' | 'dopri8'): Case => ({
  solver: 'epi',
  problem: `${model}, 160 d, 320 outputs, ${method}`,
  ours: () => {
    const { ms, output } = solved(solver, { model, method })
    return { ms, said: `${(output.susceptibleEnd / EXACT[model] - 1).toExponential(1)} of the susceptible at the end` }
  },
  peers: [
    python(method === 'dopri5' ? 'SciPy RK45' : 'SciPy DOP853', 'epi.py', {
      args: [model, method === 'dopri5' ? 'RK45' : 'DOP853', `${EXACT[model]}`],
      packages: ['python3-scipy'],
      modules: ['scipy.integrate'],
    }),
  ],
})

export const epi: readonly Case[] = [caseOf('SIR', 'dopri5'), caseOf('SEIR', 'dopri8')]
