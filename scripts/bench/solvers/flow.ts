import { resolveInput } from '#numerics/runtime/input.ts'
import { exactFlow } from '#numerics/solvers/flow/exact.ts'
import { flow as solver } from '#numerics/solvers/flow/index.ts'
import { type Case, c, python, type Round, watch } from './frame.ts'

const SIDES = [
  [128, 42],
  [256, 104],
] as const

/** The steps alone, samples included, as the peers time their own loops. */
const ours = (cells: number, steps: number): Round => {
  const input = resolveInput(solver, { nx: cells, ny: cells, steps, dt: 1 / steps })
  const { run: way } = solver
  if (way.kind !== 'steps') throw new Error('flow takes steps')
  const state = way.init(input)
  const spent = watch()
  const last = way.advance(input, state, 0, steps, () => undefined)
  const ms = spent()
  const { output } = way.finish(input, last)
  const exact = exactFlow(input)
  const off = exact.u.reduce((sum, it, k) => {
    const [x, y] = [(output.u[k] as number) - it, (output.v[k] as number) - (exact.v[k] as number)]
    return sum + x * x + y * y
  }, 0)
  return { ms, said: `${(Math.sqrt(off) / exact.signal).toExponential(3)} of the vortices` }
}

export const flow: readonly Case[] = SIDES.map(([cells, steps]) => ({
  solver: 'flow',
  problem: `vortices in a stream, ${cells} × ${cells} cells, ${steps} steps of four projections`,
  ours: () => ours(cells, steps),
  peers: [
    python('NumPy', 'flow.py', { args: [`${cells}`, `${steps}`], packages: ['python3-numpy'], modules: ['numpy'] }),
    c('C', 'flow.c', { args: [`${cells}`, `${steps}`] }),
  ],
}))
