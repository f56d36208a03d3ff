import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { inOrder } from './test-longest.ts'
import { closingLine, type Ending, type Verdict, verdict } from './test-verdict.ts'

// Runs every test/**/*.test.ts under uvu, each file in a process of its own: `npm test -- core/merkle --jobs=1`.
// Arguments are parts of paths below test/; without any, all files run.

const SLOWEST_SHOWN = 5
const OUTPUT_CHARS_MAX = 1_000_000
/** What one process compiled is there for the next, as the launcher has it: two thirds of what a test's start costs. */
const COMPILED = fileURLToPath(new URL('../.build/compiled', import.meta.url))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    dir: { type: 'string', default: 'test' },
    watchdog: { type: 'string', default: '600' },
  },
})
const jobs = Math.max(1, Number(values.jobs))
const watchdogMs = Number(values.watchdog) * 1_000
const ci = !['', 'false', '0'].includes(process.env['CI'] ?? '')
const seed = process.env['TICKMESH_TEST_SEED'] ?? String(crypto.getRandomValues(new Uint32Array(1))[0])

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

const runFile = (file: string): Promise<Ending> =>
  new Promise((resolve, reject) => {
    const pattern = `^${file.replaceAll(/[.\\+*?^$()[\]{}|]/g, '\\$&')}$`
    const args = ['node_modules/uvu/bin.js', '--no-color', values.dir, pattern]
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

interface Finished extends Verdict {
  readonly file: string
  readonly seconds: number
}

const tell = (ending: Ending, { file, seconds, passed, failed, skipped, reasons }: Finished): void => {
  const left = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  if (failed > 0) console.log(`\n${ending.output.trim()}\n`)
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${file}: ${passed} passed${left} (${seconds.toFixed(1)} s)`)
  for (const reason of reasons) console.log(`     ${file}: ${reason}`)
}

const work = async (queue: string[], finished: Finished[]): Promise<void> => {
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const from = performance.now()
    const ending = await runFile(file)
    const it = { ...verdict(ending, ci), file, seconds: (performance.now() - from) / 1_000 }
    tell(ending, it)
    finished.push(it)
  }
}

const summarise = (finished: readonly Finished[]): void => {
  const skipped = finished.flatMap((it) => it.skipped)
  const passed = finished.reduce((sum, it) => sum + it.passed, 0)
  const failed = finished.reduce((sum, it) => sum + it.failed, 0)
  const slowest = finished.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)
  console.log(`\nslowest: ${slowest.map((it) => `${it.file} ${it.seconds.toFixed(1)} s`).join(', ')}`)
  for (const it of skipped) console.log(`skipped: ${it}`)
  if (failed > 0) {
    console.log(
      `failed: ${finished
        .filter((it) => it.failed > 0)
        .map((it) => it.file)
        .join(', ')}`,
    )
    console.log(`TICKMESH_TEST_SEED=${seed} repeats the random values of this run`)
  }
  console.log(closingLine(passed, failed, ci ? 0 : skipped.length))
  process.exitCode = failed > 0 ? 1 : 0
}

const all = inOrder(globSync('**/*.test.ts', { cwd: values.dir }))
const chosen = positionals.length === 0 ? all : all.filter((file) => positionals.some((part) => file.includes(part)))
if (chosen.length === 0) {
  console.log(`no test file matches ${positionals.join(' ') || `${values.dir}/**/*.test.ts`}`)
  console.log(closingLine(0, 1, 0))
  process.exitCode = 1
} else {
  const from = performance.now()
  const finished: Finished[] = []
  const queue = [...chosen]
  await Promise.all(Array.from({ length: jobs }, () => work(queue, finished)))
  console.log(`\n${chosen.length} files in ${((performance.now() - from) / 1_000).toFixed(1)} s`)
  summarise(finished)
}
