import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { streamOf } from '#numerics/methods/random.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { grid as solver } from '#numerics/solvers/grid/index.ts'
import { networkOf } from '#numerics/solvers/grid/problem.ts'
import { bridgesOf } from '#numerics/solvers/grid/run/bridges.ts'
import { type Case, type Peer, python, solved } from './frame.ts'

const TIMES = 20
const PACKAGES = { packages: ['python3-scipy'], modules: ['scipy.sparse.linalg'] }

/** A mesh of side × side buses whose every bus has a load or a generator. */
const mesh = (side: number): object => {
  const stream = streamOf(1, 0)
  const buses = Array.from({ length: side * side }, (_, k) => ({
    load: stream.uniform(k) < 0.8 ? 20 : 0,
    generation: stream.uniform(k) < 0.8 ? 0 : 80,
    slack: k === 0,
  }))
  const line = (from: number, to: number, k: number): object => ({ from, to, x: 0.05 + stream.uniform(10_000 + k) })
  const lines = buses.flatMap((_, k) => [
    ...((k + 1) % side === 0 ? [] : [line(k + 1, k + 2, 2 * k)]),
    ...(k + side < side * side ? [line(k + 1, k + side + 1, 2 * k + 1)] : []),
  ])
  return { case: 'own', buses, lines }
}

/** SciPy on the same grid, which it reads from a file. */
const scipy = (raw: object, outages: boolean): Peer => {
  const name = 'SciPy splu'
  return {
    ...python(name, 'grid.py', PACKAGES),
    prepare: (folder) => {
      const network = networkOf(resolveInput(solver, raw))
      const { buses, lines, load, generation, slack } = network
      const file = join(folder, 'grid.json')
      const text = JSON.stringify({
        buses,
        slack: slack.indexOf(1),
        from: lines.map(({ from }) => from),
        to: lines.map(({ to }) => to),
        drop: lines.map(({ drop }) => drop),
        power: Array.from(generation, (it, k) => it - load[k]),
        bridges: Array.from(bridgesOf(network)),
        times: TIMES,
      })
      writeFileSync(file, text)
      return python(name, 'grid.py', { args: [file, outages ? '1' : '0'], ...PACKAGES }).prepare(folder)
    },
  }
}

const caseOf = (problem: string, raw: object, outages: boolean): Case => ({
  solver: 'grid',
  problem,
  ours: () => {
    let ms = 0
    let said = ''
    for (let k = 0; k < TIMES; k++) {
      const { ms: one, output } = solved(solver, raw)
      ms += one / TIMES
      said = `largest flow ${output.largestFlow.toFixed(6)} MW`
    }
    return { ms, said }
  },
  peers: [scipy(raw, outages)],
})

export const grid: readonly Case[] = [
  caseOf('IEEE 118 buses, flows', { case: 'ieee118' }, false),
  caseOf('IEEE 118 buses, flows and all outages', { case: 'ieee118', contingencies: true }, true),
  caseOf('a mesh of 40 × 40 buses, flows', mesh(40), false),
]
