import { tumor as solver } from '#numerics/solvers/tumor/index.ts'
import { type Case, c, python, solved } from './frame.ts'

const [NX, NY, STEPS] = [400, 400, 400]
const args = [`${NX}`, `${NY}`, `${STEPS}`]
const unit = { D: 1, rho: 1, lx: 100, ly: 100, dt: 0.05 }

export const tumor: readonly Case[] = [
  {
    solver: 'tumor',
    problem: `plane front, ${NX} × ${NY} intervals × ${STEPS} steps, compact alternating directions`,
    ours: () => {
      const { ms, output } = solved(solver, { ...unit, dim: 2, nx: NX, ny: NY, steps: STEPS })
      let [off, change] = [0, 0]
      for (let column = 0; column <= NX; column++) {
        const wave = (time: number): number =>
          (1 + Math.exp(((100 * column) / NX - 30 - (5 / Math.sqrt(6)) * time) / Math.sqrt(6))) ** -2
        const due = wave(STEPS * unit.dt)
        off += ((output.density[column] ?? Number.NaN) - due) ** 2
        change += (due - wave(0)) ** 2
      }
      return { ms, said: `${Math.sqrt(off / change).toExponential(3)} of the change` }
    },
    peers: [
      python('NumPy and SciPy solve_banded', 'tumor.py', {
        args,
        packages: ['python3-scipy'],
        modules: ['numpy', 'scipy.linalg'],
      }),
      c('gcc -O3', 'tumor.c', { args }),
    ],
  },
]
