import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { resolveInput } from '#numerics/runtime/input.ts'
import { evolve as solver } from '#numerics/solvers/evolve/index.ts'
import { boxOf, startOf } from '#numerics/solvers/evolve/problem.ts'
import { type Case, c, type Peer, solved } from './frame.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000
const input = resolveInput(solver, {})
const { n, dt, steps, samples, cutoff, skin } = input
const EVERY = steps / samples

const driftOf = (pct: number): string => `drift ${pct.toFixed(4)} % of K0`

/**
 * LAMMPS from the same start, by its own clock of the loop and the processor's part of it: no start of a process, no
 * reading.
 */
const lammps: Peer = {
  name: 'LAMMPS lj/smooth/linear',
  kind: 'peer',
  packages: ['lammps'],
  prepare: async (folder) => {
    const [box, state] = [boxOf(input), startOf(input)]
    const rows = (from: number, type: string): string =>
      Array.from({ length: n }, (_, i) => {
        const at = from + 3 * i
        return `${i + 1}${type} ${state.slice(at, at + 3).join(' ')}`
      }).join('\n')
    const sides = ['x', 'y', 'z'].map((axis) => `0 ${box} ${axis}lo ${axis}hi`).join('\n')
    const head = `start\n\n${n} atoms\n1 atom types\n${sides}\n\nMasses\n\n1 1\n`
    writeFileSync(join(folder, 'data'), `${head}\nAtoms\n\n${rows(0, ' 1')}\n\nVelocities\n\n${rows(3 * n, '')}\n`)
    const lines = [
      'units lj',
      'atom_style atomic',
      'read_data data',
      `pair_style lj/smooth/linear ${cutoff}`,
      `pair_coeff 1 1 1 1 ${cutoff}`,
      `neighbor ${skin} bin`,
      'neigh_modify delay 0 every 1 check yes',
      'fix 1 all nve',
      `timestep ${dt}`,
      'thermo_style custom step etotal ke',
      'thermo_modify norm yes format float %.15g',
      `thermo ${EVERY}`,
      `run ${steps}`,
    ]
    writeFileSync(join(folder, 'in'), `${lines.join('\n')}\n`)
    return async () => {
      await run('lmp', ['-in', 'in', '-screen', 'none'], {
        cwd: folder,
        timeout: PEER_MS_MAX,
        env: { ...process.env, OMP_NUM_THREADS: '1' },
      })
      const log = readFileSync(join(folder, 'log.lammps'), 'utf8')
      const seconds = Number(/Loop time of ([\d.e+-]+)/.exec(log)?.[1])
      const part = Number(/([\d.]+)% CPU use/.exec(log)?.[1]) / 100
      const rowsFound = [...log.matchAll(/^\s*\d+\s+(-?[\d.]+)\s+([\d.]+)\s*$/gm)].map(([, E, K]) => [
        +(E ?? 0),
        +(K ?? 0),
      ])
      const [[E0, K0] = [Number.NaN, Number.NaN]] = rowsFound
      const drift = Math.max(...rowsFound.map(([E]) => Math.abs((E ?? 0) - (E0 ?? 0))))
      return { ms: 1_000 * seconds * part, said: driftOf((100 * drift) / (K0 ?? 0)) }
    }
  },
}

/** The kernel's arithmetic in C, from the same start. */
const inC: Peer = {
  name: 'C, the same arithmetic',
  kind: 'c',
  packages: ['gcc'],
  prepare: (folder) => {
    const start = join(folder, 'start')
    writeFileSync(start, startOf(input))
    const args = [n, steps, dt, boxOf(input), cutoff, skin, EVERY, start].map(String)
    return c('C', 'evolve.c', { args, flags: ['-fno-math-errno', '-msse4.1'] }).prepare(folder)
  },
}

export const evolve: readonly Case[] = [
  {
    solver: 'evolve',
    problem: `${n} Lennard-Jones atoms, ${steps} steps of ${dt}, ${samples} samples`,
    ours: () => {
      const { ms, output } = solved(solver, {})
      return { ms, said: driftOf(output.energyDriftPct) }
    },
    peers: [lammps, inC],
  },
]
