import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { streamOf } from '#numerics/methods/random.ts'
import { multibody as solver } from '#numerics/solvers/multibody/index.ts'
import { type Case, c, type Peer, solved } from './frame.ts'

const [BODIES, STEPS, DT, SOFTENING] = [512, 1_000, 1e-3, 0.1]

const stream = streamOf(1, 0)
/** A cold cloud in a cube of side 1 with small random velocities. */
const bodies = Array.from({ length: BODIES }, (_, i) => {
  const [x = 0, y = 0, z = 0, u = 0, v = 0, w = 0] = Array.from(
    { length: 6 },
    (_, k) => stream.uniform(6 * i + k) - 0.5,
  )
  return { mass: 1 / BODIES, position: [x, y, z], velocity: [u, v, w] }
})

const inC = (name: string, way: 'same' | 'plain', kind: Peer['kind']): Peer => ({
  name,
  kind,
  packages: ['gcc'],
  prepare: (folder) => {
    const start = join(folder, 'start')
    const masses = bodies.map(({ mass }) => mass)
    const state = [...bodies.flatMap(({ position }) => position), ...bodies.flatMap(({ velocity }) => velocity)]
    writeFileSync(start, Float64Array.of(...state, ...masses))
    const args = [way, BODIES, STEPS, DT, SOFTENING, start].map(String)
    return c(name, 'multibody.c', { args, kind, flags: ['-fno-math-errno'] }).prepare(folder)
  },
})

export const multibody: readonly Case[] = [
  {
    solver: 'multibody',
    problem: `${BODIES} bodies, ${STEPS} steps of order 2 (ours with energies of the states kept)`,
    ours: () => {
      const raw = { bodies, G: 1, softening: SOFTENING, dt: DT, t_max: STEPS * DT, order: 2, outputs: 1 }
      const { ms, output } = solved(solver, raw)
      const drift = Math.abs((output.finalEnergy ?? 0) / (output.initialEnergy ?? 1) - 1)
      return { ms, said: `drift ${drift.toExponential(2)} of |E| at the end` }
    },
    peers: [inC('leapfrog in C', 'plain', 'peer'), inC('C, the same arithmetic', 'same', 'c')],
  },
]
