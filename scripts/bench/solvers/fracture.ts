import { resolveInput } from '#numerics/runtime/input.ts'
import { fracture as solver } from '#numerics/solvers/fracture/index.ts'
import { scheduleOf } from '#numerics/solvers/fracture/problem.ts'
import { createPlate } from '#numerics/solvers/fracture/run/plate.ts'
import { type Case, c, watch } from './frame.ts'

const plateCase = (nx: number, ny: number, time: number): Case => ({
  solver: 'fracture',
  problem: `plate of ${nx} × ${ny} nodes, 0.2 of the stable step, ${time} s, the same lattice`,
  ours: () => {
    const input = resolveInput(solver, { nx, ny, time, courant: 0.2 })
    const spent = watch()
    const plate = createPlate(input)
    plate.advance(0, scheduleOf(input).steps, () => undefined)
    const ms = spent()
    const { samples, brokenBonds } = plate.end()
    const [first, last] = [samples[0], samples.at(-1)]
    const out = (last?.strain ?? 0) + (last?.kinetic ?? 0) + (last?.broken ?? 0)
    const balance = (out / (first?.strain ?? 1) - 1).toExponential(3)
    return { ms, said: `${balance} of the energy out of balance, ${brokenBonds} bonds broken` }
  },
  // Without errno the compiler may take roots in lanes. Its bonds break at the ends of steps: less to do, less exact.
  peers: [c('C', 'fracture.c', { args: [`${nx}`, `${ny}`, '0.2', `${time}`], flags: ['-fno-math-errno'] })],
})

export const fracture: readonly Case[] = [plateCase(100, 50, 60e-6), plateCase(200, 100, 30e-6)]
