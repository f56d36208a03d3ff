import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Ending } from './test-verdict.ts'

const OUTPUT_CHARS_MAX = 1_000_000
/** What one process compiled is there for the next, as the launcher has it: two thirds of what a test's start costs. */
const COMPILED = fileURLToPath(new URL('../.build/compiled', import.meta.url))

const running = new Set<number>()

/** Ends a test file's process with all that it started. */
const end = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    for (const pid of running) end(pid)
    process.exit(code)
  })
}

/** What a test file is run with. */
export interface TestRun {
  /** Folder of the tests, and the file below it. */
  readonly dir: string
  readonly file: string
  /** What its random values follow from. */
  readonly seed: string
  readonly watchdogMs: number
}

/** Runs one test file under uvu, in a process of its own. */
export const runFile = ({ dir, file, seed, watchdogMs }: TestRun): Promise<Ending> =>
  new Promise((resolve, reject) => {
    const pattern = `^${file.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&')}$`
    const args = ['node_modules/uvu/bin.js', '--no-color', dir, pattern]
    const env = { NODE_COMPILE_CACHE: COMPILED, ...process.env, NO_COLOR: '1', TICKMESH_TEST_SEED: seed }
    // A group of its own, so that what a test starts and forgets ends with it.
    const child = spawn(process.execPath, args, { detached: true, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const { pid } = child
    if (pid === undefined) return void child.on('error', reject)
    running.add(pid)
    let output = ''
    const keep = (chunk: string): void => {
      output = (output + chunk).slice(-OUTPUT_CHARS_MAX)
    }
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    const watchdog = setTimeout(() => {
      keep(`\nkilled after ${watchdogMs / 1_000} s\n`)
      end(pid)
    }, watchdogMs)
    child.on('exit', () => {
      clearTimeout(watchdog)
      end(pid)
    })
    child.on('close', (code, signal) => {
      running.delete(pid)
      resolve({ file, output, code, signal })
    })
  })
