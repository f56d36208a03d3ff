import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sat as solver } from '#numerics/solvers/sat/index.ts'
import { drawn } from '#numerics/solvers/sat/problem.ts'
import { type Case, type Peer, solved } from './frame.ts'

const run = promisify(execFile)
const PEER_MS_MAX = 300_000
/** For bash: the program that follows, and at the end of what it complains its seconds of processor time. */
const TIMED = `TIMEFORMAT='%3U %3S'; time "$0" "$@"`
const [VARIABLES, CLAUSES] = [200, 860]

const verdict = (satisfiable: boolean): string => (satisfiable ? 'satisfiable' : 'not satisfiable')

/** A program that decides a formula; it exits with 10 (satisfiable) or 20 (not), which is no failure. */
const decider = (name: string, ...flags: readonly string[]): Peer => ({
  name,
  kind: 'peer',
  packages: [name],
  prepare: async (folder) => {
    const file = join(folder, 'formula.cnf')
    const { variables, clauses } = drawn(VARIABLES, CLAUSES, 1)
    const lines = [`p cnf ${variables} ${clauses.length}`, ...clauses.map((clause) => [...clause, 0].join(' '))]
    writeFileSync(file, `${lines.join('\n')}\n`)
    return async () => {
      const program = ['-c', TIMED, name, ...flags, file]
      const { code, stderr } = await run('bash', program, { timeout: PEER_MS_MAX }).then(
        (it) => ({ ...it, code: 0 }),
        (error: { code?: unknown; stderr?: unknown }) => ({ code: error.code, stderr: String(error.stderr) }),
      )
      if (code !== 10 && code !== 20) throw new Error(`${name} ended with ${String(code)}`)
      const [user, system] = stderr.trim().split(/\s+/).slice(-2).map(Number) as [number, number]
      return { ms: 1e3 * (user + system), said: verdict(code === 10) }
    }
  },
})

export const sat: readonly Case[] = [
  {
    solver: 'sat',
    problem: `drawn 3-SAT, n = ${VARIABLES}, m = ${CLAUSES} (with proof; the peers without, start included)`,
    ours: () => {
      const { ms, output } = solved(solver, { n: VARIABLES, m: CLAUSES })
      return { ms, said: verdict(output.satisfiable) }
    },
    peers: [decider('minisat', '-verb=0'), decider('cadical', '-q')],
  },
]
