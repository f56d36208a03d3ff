import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { device as solver } from '#numerics/solvers/device/index.ts'
import { type Case, c, python, type Round, solved, watch } from './frame.ts'

const CELLS = 256
/** The square coaxial line 2 : 1 in F/m, by conformal mapping. */
const EXACT = 10.2340925693681 * 8.8541878188e-12

const peer = (name: string, way: string) =>
  python(name, 'device.py', {
    args: [`${CELLS}`, way],
    packages: ['python3-scipy'],
    modules: ['scipy.sparse', 'scipy.sparse.linalg'],
  })

const [POINTS, ROUNDS] = [257, 100]

/** The kernel's loops on the matrix of bilinear elements, as the C program has them. */
const loops = (): Round => {
  const n = POINTS
  const stride = n + 2
  const size = stride * stride
  const kernel = loadKernel('multigrid')
  kernel.reserve(KERNEL_DATA_START + 9 * size * 8)
  const array = (k: number): Float64Array => kernel.f64(KERNEL_DATA_START + k * size * 8, size)
  const all = Array.from({ length: 9 }, (_, k) => array(k))
  const [centre, inverse, east, north, northEast, northWest, x, b, out] = all as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  for (let row = 1; row <= n; row++) {
    for (let column = 1; column <= n; column++) {
      const i = row * stride + column
      centre[i] = 8 / 3
      inverse[i] = 1 / (8 / 3)
      b[i] = (row * 31 + column * 17) % 13
      if (column < n) east[i] = -1 / 3
      if (row < n) north[i] = -1 / 3
      if (row < n && column < n) northEast[i] = -1 / 3
      if (row < n && column > 1) northWest[i] = -1 / 3
    }
  }
  const { forward, backward, apply } = kernel.call
  const shape = [n, n, stride * 8] as const
  const arms = [east, north, northEast, northWest].map((it) => it.byteOffset)
  const spent = watch()
  for (let round = 0; round < ROUNDS; round++) {
    forward?.(...shape, inverse.byteOffset, ...arms, x.byteOffset, b.byteOffset)
    backward?.(...shape, inverse.byteOffset, ...arms, x.byteOffset, b.byteOffset)
    apply?.(...shape, centre.byteOffset, ...arms, x.byteOffset, out.byteOffset)
  }
  const ms = spent()
  return { ms, said: `sum ${out.reduce((sum, it) => sum + it, 0).toExponential(9)}` }
}

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
  {
    solver: 'device',
    problem: `multigrid's loops: ${ROUNDS} rounds of two sweeps and a product on ${POINTS}² points`,
    ours: loops,
    peers: [c('C', 'multigrid.c', { args: [`${POINTS}`, `${ROUNDS}`] })],
  },
]
