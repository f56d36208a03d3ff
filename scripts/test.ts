import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runFile } from './test-file.ts'
import { inOrder } from './test-longest.ts'
import { seedOf } from './test-seed.ts'
import { closingLine, type Ending, type Verdict, verdict } from './test-verdict.ts'

// Runs every test/**/*.test.ts under uvu, each file in a process of its own: `npm test -- core/merkle --jobs=1`.
// Arguments are parts of paths below test/; without any, all files run. `--seed random` draws other random values.

const SLOWEST_SHOWN = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    dir: { type: 'string', default: 'test' },
    watchdog: { type: 'string', default: '600' },
    seed: { type: 'string' },
  },
})
const jobs = Math.max(1, Number(values.jobs))
const watchdogMs = Number(values.watchdog) * 1_000
const ci = !['', 'false', '0'].includes(process.env['CI'] ?? '')
const seed = seedOf(values.seed)

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
    const ending = await runFile({ dir: values.dir, file, seed, watchdogMs })
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
  console.log('\nslowest:')
  for (const it of slowest) console.log(`${it.seconds.toFixed(1).padStart(8)} s  ${it.file}`)
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
