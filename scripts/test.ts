import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { batchesOf } from './test-batches.ts'
import { cpuSecondsOfChildren } from './test-cpu.ts'
import { runFiles } from './test-file.ts'
import { seedOf } from './test-seed.ts'
import { closingLine, type Ending, type Verdict, verdict } from './test-verdict.ts'

// Runs every test/**/*.test.ts under uvu, some to a process (test-batches.ts): `npm test -- core/merkle --jobs=1`.
// Arguments are parts of paths below test/; without any, all files run. `--seed random` draws other random values,
// `--apart` gives each file a process of its own.

const SLOWEST_SHOWN = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    dir: { type: 'string', default: 'test' },
    watchdog: { type: 'string', default: '600' },
    seed: { type: 'string' },
    apart: { type: 'boolean', default: false },
  },
})
const jobs = Math.max(1, Number(values.jobs))
const watchdogMs = Number(values.watchdog) * 1_000
const ci = !['', 'false', '0'].includes(process.env['CI'] ?? '')
const seed = seedOf(values.seed)

// What the processes of this run keep for each other (test/kit/pool.ts).
const runs = mkdtempSync(join(tmpdir(), 'tickmesh-runs-'))
process.env['TESTS_KEPT_RUNS'] = runs
process.on('exit', () => rmSync(runs, { recursive: true, force: true }))

type Finished = Ending & Verdict

const shown = (seconds: number | undefined): string => (seconds === undefined ? '?' : seconds.toFixed(1))

const tell = ({ file, output, seconds, cpuSeconds, passed, failed, skipped, reasons }: Finished): void => {
  const left = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  if (failed > 0) console.log(`\n${output.trim()}\n`)
  const took = `${shown(seconds)} s, ${shown(cpuSeconds)} s of processor`
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${file}: ${passed} passed${left} (${took})`)
  for (const reason of reasons) console.log(`     ${file}: ${reason}`)
}

const work = async (queue: (readonly string[])[], finished: Finished[]): Promise<void> => {
  for (let files = queue.shift(); files !== undefined; files = queue.shift()) {
    const left = await runFiles({ dir: values.dir, files, seed, watchdogMs }, (ending) => {
      const it = { ...ending, ...verdict(ending, ci) }
      tell(it)
      finished.push(it)
    })
    if (left.length > 0) queue.unshift(left)
  }
}

const summarise = (finished: readonly Finished[]): void => {
  const skipped = finished.flatMap((it) => it.skipped)
  const passed = finished.reduce((sum, it) => sum + it.passed, 0)
  const failed = finished.reduce((sum, it) => sum + it.failed, 0)
  const cost = ({ cpuSeconds, seconds }: Finished): number => cpuSeconds ?? seconds
  const slowest = finished.toSorted((a, b) => cost(b) - cost(a)).slice(0, SLOWEST_SHOWN)
  console.log('\nslowest, by processor and by the clock:')
  const column = (of: number | undefined): string => `${shown(of).padStart(8)} s`
  for (const it of slowest) console.log(`${column(it.cpuSeconds)}${column(it.seconds)}  ${it.file}`)
  for (const it of skipped) console.log(`skipped: ${it}`)
  if (failed > 0) {
    console.log(
      `failed: ${finished
        .filter((it) => it.failed > 0)
        .map((it) => it.file)
        .join(', ')}`,
    )
    console.log(`--seed ${seed} repeats the random values of this run`)
  }
  console.log(closingLine(passed, failed, ci ? 0 : skipped.length))
  process.exitCode = failed > 0 ? 1 : 0
}

const all = globSync('**/*.test.ts', { cwd: values.dir }).sort()
const chosen = positionals.length === 0 ? all : all.filter((file) => positionals.some((part) => file.includes(part)))
if (chosen.length === 0) {
  console.log(`no test file matches ${positionals.join(' ') || `${values.dir}/**/*.test.ts`}`)
  console.log(closingLine(0, 1, 0))
  process.exitCode = 1
} else {
  const from = performance.now()
  const finished: Finished[] = []
  const queue = values.apart ? chosen.map((file) => [file]) : batchesOf(chosen)
  await Promise.all(Array.from({ length: jobs }, () => work(queue, finished)))
  const took = `${shown((performance.now() - from) / 1_000)} s, ${shown(cpuSecondsOfChildren())} s of processor`
  console.log(`\n${chosen.length} files in ${took}`)
  summarise(finished)
}
