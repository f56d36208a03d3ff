import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveInput } from '#numerics/runtime/input.ts'
import { riccati } from '#numerics/solvers/kalman/check/check.ts'
import { kalman as solver } from '#numerics/solvers/kalman/index.ts'
import { systemOf } from '#numerics/solvers/kalman/problem.ts'
import { type Case, type Peer, python, solved } from './frame.ts'

/** Repetitions of a round: one run takes less than a millisecond. */
const TIMES = 300

/** Places and speeds in three dimensions, dt = 1, each place measured: three times the default side by side. */
const three = (): object => {
  const block = (part: readonly number[], rows: number, columns: number): readonly number[] =>
    Array.from({ length: 9 * rows * columns }, (_, at) => {
      const [i, j] = [Math.floor(at / (3 * columns)), at % (3 * columns)]
      const same = Math.floor(i / rows) === Math.floor(j / columns)
      return same ? (part[(i % rows) * columns + (j % columns)] ?? 0) : 0
    })
  const { A, C, Q, R } = systemOf(resolveInput(solver, {}))
  return {
    model: 'matrices',
    states: 6,
    observations: 3,
    A: block(Array.from(A), 2, 2),
    C: block(Array.from(C), 1, 2),
    Q: block(Array.from(Q), 2, 2),
    R: block(Array.from(R), 1, 1),
  }
}

/** SciPy on the same system, which it reads from a file. */
const scipy = (raw: object): Peer => {
  const given = python('SciPy solve_discrete_are (no measurements)', 'kalman.py', {
    packages: ['python3-scipy'],
    modules: ['scipy.linalg'],
  })
  return {
    ...given,
    prepare: (folder) => {
      const { n, m, A, C, Q, R } = systemOf(resolveInput(solver, raw))
      const file = join(folder, 'system.json')
      const lists = Object.fromEntries(Object.entries({ A, C, Q, R }).map(([name, it]) => [name, Array.from(it)]))
      writeFileSync(file, JSON.stringify({ n, m, times: TIMES, ...lists }))
      const withFile = python(given.name, 'kalman.py', {
        args: [file],
        packages: given.packages,
        modules: ['scipy.linalg'],
      })
      return withFile.prepare(folder)
    },
  }
}

const caseOf = (problem: string, raw: object): Case => ({
  solver: 'kalman',
  problem,
  ours: () => {
    let ms = 0
    let traceP = 0
    for (let k = 0; k < TIMES; k++) {
      const run = solved(solver, raw)
      ms += run.ms / TIMES
      traceP = run.output.traceP
    }
    const system = systemOf(resolveInput(solver, raw))
    const exact =
      riccati(system)?.reduce((sum, it, at) => (at % (system.n + 1) === 0 ? sum + it : sum), 0) ?? Number.NaN
    return { ms, said: `${(traceP / exact - 1).toExponential(1)} of the trace` }
  },
  peers: [scipy(raw)],
})

export const kalman: readonly Case[] = [
  caseOf('constant velocity, a run of 100 drawn measurements to the steady state', { steps: 100 }),
  caseOf('6 states, 3 measured, a run of 100 drawn measurements to the steady state', { ...three(), steps: 100 }),
]
