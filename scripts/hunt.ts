import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runFiles } from './test-file.ts'
import { freshSeed } from './test-seed.ts'
import { closingLine, verdict } from './test-verdict.ts'

// Repeats the tests that draw values over new seeds, to find the rare input: `npm run hunt -- --minutes 10 core store`.
// Arguments are parts of paths below test/; without any, every file that draws takes part.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: '10' },
    jobs: { type: 'string', default: '2' },
    dir: { type: 'string', default: 'test' },
    watchdog: { type: 'string', default: '600' },
  },
})
const { dir } = values
const until = performance.now() + Number(values.minutes) * 60_000
const watchdogMs = Number(values.watchdog) * 1_000

const DRAWS = /kit\/random\.ts|fast-check|\.\/fuzz\.ts/
const draws = (file: string): boolean => DRAWS.test(readFileSync(`${dir}/${file}`, 'utf8'))
const files = globSync('**/*.test.ts', { cwd: dir })
  .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)))
  .filter(draws)
  .sort()

interface Find {
  readonly file: string
  readonly seed: string
}
const finds: Find[] = []
let passed = 0
let runs = 0
let next = 0

const hunt = async (): Promise<void> => {
  while (performance.now() < until) {
    const file = files[next++ % files.length] as string
    const seed = freshSeed()
    await runFiles({ dir, files: [file], seed, watchdogMs }, (ending) => {
      const found = verdict(ending, false)
      runs++
      passed += found.passed
      if (found.failed === 0) return
      finds.push({ file, seed })
      console.log(`${ending.output.trim()}\n${found.reasons.join('\n')}\n\nFAIL ${file} --seed ${seed}`)
    })
  }
}

if (files.length === 0) console.log(`no test that draws values matches ${positionals.join(' ')}`)
else await Promise.all(Array.from({ length: Math.max(1, Number(values.jobs)) }, hunt))
console.log(`\n${runs} runs of ${files.length} files that draw, each with a seed of its own`)
for (const { file, seed } of finds) console.log(`npm test -- ${file} --seed ${seed}`)
console.log(closingLine(passed, finds.length + (files.length === 0 ? 1 : 0), 0))
process.exitCode = finds.length === 0 && files.length > 0 ? 0 : 1
