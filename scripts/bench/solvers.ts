import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { resolveInput } from '#numerics/input.ts'
import { run as solve } from '#numerics/run.ts'
import { drawn } from '#numerics/satisfiability/formula.ts'
import { quant } from '#numerics/solvers/quant.ts'
import { sat } from '#numerics/solvers/sat.ts'
import { schrodinger } from '#numerics/solvers/schrodinger.ts'
import { bench, median, wholeOr } from './bench.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000

const POINTS = 256
const PATHS = 1_048_576
const [VARIABLES, CLAUSES] = [200, 860]

/** Milliseconds of one round and what came out, as the one who ran it says. */
interface Round {
  readonly ms: number
  readonly said: string
}

interface Peer {
  readonly name: string
  readonly round: () => Promise<Round>
}

interface Case {
  readonly name: string
  readonly ours: () => Round
  readonly peers: readonly Peer[]
}

const timed = (work: () => string): Round => {
  const from = performance.now()
  const said = work()
  return { ms: performance.now() - from, said }
}

const scipy = (name: string, size: number): Peer => ({
  name: 'SciPy',
  round: async () => {
    const script = fileURLToPath(new URL('solvers.py', import.meta.url))
    const { stdout } = await run('python3', [script, name, `${size}`], { timeout: PEER_MS_MAX })
    const [ms = '', said = ''] = stdout.trim().split(' ')
    return { ms: Number(ms), said: `off by ${said}` }
  },
})

/** A program that decides a formula; it exits with 10 (satisfiable) or 20 (not), which is no failure. */
const program = (name: string, file: string, ...flags: readonly string[]): Peer => ({
  name,
  round: async () => {
    const from = performance.now()
    const code = await run(name, [...flags, file], { timeout: PEER_MS_MAX }).then(
      () => 0,
      (error: { code?: unknown }) => error.code,
    )
    if (code !== 10 && code !== 20) throw new Error(`${name} cannot run here`)
    return { ms: performance.now() - from, said: code === 10 ? 'satisfiable' : 'not satisfiable' }
  },
})

const casesIn = (folder: string): readonly Case[] => {
  const file = join(folder, 'formula.cnf')
  const { variables, clauses } = drawn(VARIABLES, CLAUSES, 1)
  const lines = [`p cnf ${variables} ${clauses.length}`, ...clauses.map((clause) => [...clause, 0].join(' '))]
  writeFileSync(file, `${lines.join('\n')}\n`)
  const states = resolveInput(schrodinger, { points: POINTS, levels: 16 })
  const option = resolveInput(quant, { paths: PATHS })
  const formula = resolveInput(sat, { n: VARIABLES, m: CLAUSES })
  const quantum = 1.0545718176461565e-19
  return [
    {
      name: `schrodinger: oscillator, 16 levels on ${POINTS} sinc points`,
      ours: () =>
        timed(() => {
          const { highestLevel } = solve(schrodinger, states).outcome.output
          return `off by ${(highestLevel / (15.5 * quantum) - 1).toExponential(3)}`
        }),
      peers: [scipy('schrodinger', POINTS)],
    },
    {
      name: `quant: European call, ${PATHS} paths in 16 scrambles (SciPy without sensitivities)`,
      ours: () =>
        timed(() => {
          const { price } = solve(quant, option).outcome.output
          return `off by ${(price / 10.450583572185565 - 1).toExponential(3)}`
        }),
      peers: [scipy('quant', PATHS)],
    },
    {
      name: `sat: drawn 3-SAT, n = ${VARIABLES}, m = ${CLAUSES} (with proof; the peers without, start included)`,
      ours: () => timed(() => (solve(sat, formula).outcome.output.satisfiable ? 'satisfiable' : 'not satisfiable')),
      peers: [program('minisat', file, '-verb=0'), program('cadical', file, '-q')],
    },
  ]
}

const compare = async ({ name, ours, peers }: Case, rounds: number): Promise<void> => {
  console.log(name)
  const own: number[] = []
  const rows = new Map<string, { ms: number[]; said: string }>()
  for (const peer of peers) {
    try {
      const { said } = await peer.round()
      rows.set(peer.name, { ms: [], said })
    } catch {
      console.log(`SKIP ${peer.name}: it cannot run here`)
    }
  }
  let said = ours().said
  // Round by round, everyone in turn: what else the machine does then falls on all alike.
  for (let round = 0; round < rounds; round++) {
    const mine = ours()
    own.push(mine.ms)
    said = mine.said
    for (const peer of peers) rows.get(peer.name)?.ms.push((await peer.round()).ms)
  }
  const line = (who: string, ms: readonly number[], what: string): void => {
    const ratio = (median(ms) / median(own)).toFixed(2)
    console.log(`${median(ms).toFixed(1).padStart(9)} ${ratio.padStart(7)}  ${who}: ${what}`)
  }
  line('tickmesh', own, said)
  for (const [who, row] of rows) line(who, row.ms, row.said)
}

/** Solvers beside their peers in one run. */
export const solvers = bench({
  name: 'solvers',
  summary: '[rounds]: schrodinger and quant beside SciPy, sat beside minisat and cadical; medians in one run',
  run: async (args) => {
    const rounds = wholeOr(args[0], 5)
    const folder = mkdtempSync(join(tmpdir(), 'tickmesh-bench-'))
    try {
      console.log(`${rounds} rounds, ${cpus()[0]?.model ?? 'unknown CPU'}\nmedian ms   ratio  who: what came out`)
      for (const it of casesIn(folder)) await compare(it, rounds)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
})
