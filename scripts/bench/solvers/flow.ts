import { exactFlow } from '#numerics/flow/exact.ts'
import { resolveInput } from '#numerics/input.ts'
import { flow as solver } from '#numerics/solvers/flow.ts'
import { type Case, c, python, type Round, solved } from './frame.ts'

const SIDES = [
  [128, 42],
  [256, 104],
] as const

/** Start, steps, samples and the pressure at the end; the peers time their steps alone. */
const ours = (cells: number, steps: number): Round => {
  const raw = { nx: cells, ny: cells, steps, dt: 1 / steps }
  const { ms, output } = solved(solver, raw)
  const exact = exactFlow(resolveInput(solver, raw))
  const off = exact.u.reduce((sum, it, k) => {
    const [x, y] = [(output.u[k] as number) - it, (output.v[k] as number) - (exact.v[k] as number)]
    return sum + x * x + y * y
  }, 0)
  return { ms, said: `${(Math.sqrt(off) / exact.signal).toExponential(3)} of the vortices` }
}

export const flow: readonly Case[] = SIDES.map(([cells, steps]) => ({
  solver: 'flow',
  problem: `vortices in a stream, ${cells} × ${cells} cells, ${steps} steps of four projections (ours with its records)`,
  ours: () => ours(cells, steps),
  peers: [
    python('NumPy', 'flow.py', { args: [`${cells}`, `${steps}`], packages: ['python3-numpy'], modules: ['numpy'] }),
    c('C', 'flow.c', { args: [`${cells}`, `${steps}`] }),
  ],
}))
