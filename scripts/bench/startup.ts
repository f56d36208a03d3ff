import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bench, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'
import { grantOwner } from './sealed.ts'

const LAUNCHER = fileURLToPath(new URL('../tickmesh.mjs', import.meta.url))
const ROUNDS = 5
/** Times of bare Node that a command which needs no solver may take. */
const TIMES_MAX = 5

/** One call of every family of commands that needs no solver, on a node that runs. */
const calls = [
  ...['--version', '--help', 'status', 'peers', 'owner-link', 'solvers', 'operators GR37', 'jobs list', 'reactor list'],
  ...['envelopes', 'machines list', 'machines newest', 'keys list', 'keys trusted', 'credits status', 'config show'],
  ...['service status', 'completion bash', '__complete machines', 'init'],
]
/** Those that open the data or load solvers: told, and held against nothing. */
const others = ['doctor', 'fsck', 'verify missing.json']

/** Milliseconds that a process took: by the clock, and of processors, which other work on the machine changes less. */
interface Taken {
  readonly wall: number
  readonly processor: number
}

/** The shell's own `time` tells both to the millisecond. */
const TIMED = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1 </dev/null'

const timeOf = (words: readonly string[], env: NodeJS.ProcessEnv): Taken => {
  const { stderr } = spawnSync('bash', ['-c', TIMED, 'bash', process.execPath, ...words], { env, encoding: 'utf8' })
  const [wall = 0, user = 0, system = 0] = stderr.split(' ').map((it) => Number(it) * 1000)
  return { wall, processor: user + system }
}

const least = (a: Taken, b: Taken): Taken => ({
  wall: Math.min(a.wall, b.wall),
  processor: Math.min(a.processor, b.processor),
})

const rowOf = (name: string, { wall, processor }: Taken, bare: Taken): string => {
  const columns = [wall, processor].map((it) => it.toFixed(0).padStart(9))
  const times = [wall / bare.wall, processor / bare.processor].map((it) => it.toFixed(1).padStart(9))
  return [columns[0], times[0], columns[1], times[1], ` ${name}`].join(' ')
}

/** What a call of the command line costs beside bare Node: each in turn, a few rounds, the best of each. */
export const startup = bench({
  name: 'startup',
  summary: `start-up of commands beside \`node -e 0\`, the best of some rounds [rounds ${ROUNDS}]`,
  async run([rounds]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-bench-startup-'))
    const data = join(directory, 'data')
    const node = await startChildNode(data)
    try {
      await grantOwner(node)
      const env = { ...process.env, HOME: directory, TICKMESH_DATA: data }
      const bare = ['-e', '0']
      const rows = [bare, ...[...calls, ...others].map((it) => [LAUNCHER, ...it.split(' ')])]
      const best = rows.map((words) => timeOf(words, env)) // and what is compiled is there for the next round
      for (let round = 1; round < wholeOr(rounds, ROUNDS); round++) {
        for (const [i, words] of rows.entries()) best[i] = least(best[i] as Taken, timeOf(words, env))
      }
      const [ofBare, ...ofCalls] = best as [Taken, ...Taken[]]
      console.log('  wall ms     times    cpu ms     times  (of node -e 0)')
      console.log(rowOf('node -e 0', ofBare, ofBare))
      for (const [i, taken] of ofCalls.entries()) {
        const over = i < calls.length && taken.wall > TIMES_MAX * ofBare.wall ? `  above ${TIMES_MAX}` : ''
        console.log(`${rowOf([...calls, ...others][i] ?? '', taken, ofBare)}${over}`)
      }
    } finally {
      await node.end('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
