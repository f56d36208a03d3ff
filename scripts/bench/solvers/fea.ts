import { resolveInput } from '#numerics/runtime/input.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { beamSolution } from '#numerics/solvers/fea/exact.ts'
import { fea as solver } from '#numerics/solvers/fea/index.ts'
import { type Case, c, python, type Round, solved, watch } from './frame.ts'

/** Relative L2 distance of the displacements from plane elasticity. */
const distance = (raw: object): Round => {
  // A solve of a millisecond is at the mercy of whoever else has the core: the middle one of five.
  const all = Array.from({ length: 5 }, () => solved(solver, raw)).sort((a, b) => a.ms - b.ms)
  const { ms, output } = all[2] as (typeof all)[number]
  const input = resolveInput(solver, raw)
  let [error, signal] = [0, 0]
  output.x.forEach((x, i) => {
    const exact = beamSolution(input, x, output.y[i] ?? 0)
    error += ((output.u[i] ?? 0) - exact.u) ** 2 + ((output.v[i] ?? 0) - exact.v) ** 2
    signal += exact.u ** 2 + exact.v ** 2
  })
  return { ms, said: `${Math.sqrt(error / signal).toExponential(3)} L2` }
}

const meshCase = (nx: number, ny: number): Case => {
  const args = [`${nx}`, `${ny}`]
  return {
    solver: 'fea',
    problem: `cantilever, ${nx} × ${ny} eight-node elements, the same mesh (CalculiX: whole program, its bricks bulge)`,
    ours: () => distance({ nx, ny, t: 1e-4, P: 10 }),
    peers: [
      python('CalculiX CPS8', 'fea_ccx.py', { args, packages: ['calculix-ccx', 'python3-numpy'], modules: ['numpy'] }),
      python('scipy.sparse', 'fea_scipy.py', { args, packages: ['python3-scipy'], modules: ['scipy.sparse'] }),
    ],
  }
}

const [UNKNOWNS, ELIMINATED, REPEATS] = [486, 162, 20] as const

const kernelRound = (): Round => {
  const kernel = loadKernel('condense')
  const bytes = 8 * UNKNOWNS * UNKNOWNS
  kernel.reserve(KERNEL_DATA_START + bytes)
  const matrix = kernel.f64(KERNEL_DATA_START, UNKNOWNS * UNKNOWNS)
  const start = new Float64Array(UNKNOWNS * UNKNOWNS)
  for (let i = 0; i < UNKNOWNS; i++) {
    for (let j = i; j < UNKNOWNS; j++) start[i * UNKNOWNS + j] = (i === j ? 1 : 0) + 1 / (1 + i + j) / UNKNOWNS
  }
  let ms = 0
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    matrix.set(start)
    const spent = watch()
    kernel.call['eliminate']?.(KERNEL_DATA_START, UNKNOWNS, 8 * UNKNOWNS, ELIMINATED)
    ms += spent()
  }
  return { ms, said: `${matrix.at(-1)} left` }
}

export const fea: readonly Case[] = [
  meshCase(40, 4),
  meshCase(160, 16),
  {
    solver: 'fea',
    problem: `kernel condense: ${ELIMINATED} of ${UNKNOWNS} unknowns eliminated ${REPEATS} times, the same bits`,
    ours: kernelRound,
    peers: [c('C', 'condense.c', { args: [`${UNKNOWNS}`, `${ELIMINATED}`, `${REPEATS}`] })],
  },
]
