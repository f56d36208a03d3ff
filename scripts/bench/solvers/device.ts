import { device as solver } from '#numerics/solvers/device.ts'
import { type Case, python, solved } from './frame.ts'

const CELLS = 256
/** The square coaxial line 2 : 1 in F/m, by conformal mapping. */
const EXACT = 10.2340925693681 * 8.8541878188e-12

const peer = (name: string, way: string) =>
  python(name, 'device.py', {
    args: [`${CELLS}`, way],
    packages: ['python3-scipy'],
    modules: ['scipy.sparse', 'scipy.sparse.linalg'],
  })

export const device: readonly Case[] = [
  {
    solver: 'device',
    problem: `square coaxial line, ${CELLS} × ${CELLS} cells, both bounds (everybody: elements and finite volumes)`,
    ours: () => {
      const { ms, output } = solved(solver, { nx: CELLS, ny: CELLS })
      return { ms, said: `${((output.capacitance ?? 0) / EXACT - 1).toExponential(3)} of the capacitance` }
    },
    peers: [peer('SciPy spsolve', 'direct'), peer('SciPy CG', 'cg')],
  },
]
