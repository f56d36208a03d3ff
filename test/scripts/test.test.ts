// Goal: a broken test file cannot pass, and no way of ending early looks like success.
// Method: the real runner over small files, each broken in one way, in a folder of its own inside the tree so that
// their imports resolve; the verdict's finer rules on texts.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { batchesOf, longest } from '../../scripts/test-batches.ts'
import { seedOf } from '../../scripts/test-seed.ts'
import { verdict } from '../../scripts/test-verdict.ts'
import { suite } from '../kit/suite.ts'

const test = suite('runner')

const HEAD = `import { suite } from '../../test/kit/suite.ts'\nconst test = suite('it')\n`
const RUN = '\ntest.run()\n'
const SEED = `import { seed } from '../../test/kit/random.ts'\n`
/** A file that ended by itself, with nothing before it. */
const ENDED = { file: 'x', code: 0, signal: null, before: [], seconds: 1, cpuSeconds: 1 }

interface Run {
  readonly code: number | null
  readonly out: string
  readonly last: string
}

const run = (
  files: Readonly<Record<string, string>>,
  ci = false,
  filters: readonly string[] = [],
  script = 'test',
): Run => {
  mkdirSync('.build', { recursive: true })
  const dir = mkdtempSync('.build/runner-')
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(`${dir}/${name}.test.ts`, text)
    const args = [`scripts/${script}.ts`, `--dir=${dir}`, '--watchdog=2', ...filters]
    const env = { ...process.env, CI: ci ? 'true' : '' }
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
    return { code: status, out: stdout, last: stdout.trim().split('\n').at(-1) ?? '' }
  } finally {
    rmSync(dir, { recursive: true })
  }
}

const GOOD = `${HEAD}test('a', () => {})\ntest('b', () => {})${RUN}`

test('good files pass, and the last line says how many tests there were', () => {
  const { code, last } = run({ one: GOOD, two: GOOD })
  assert.equal(last, '4 passed, 0 failed')
  assert.equal(code, 0)
})

test('a filter picks files, and a filter that picks none is a failure', () => {
  assert.equal(run({ one: GOOD, two: GOOD }, false, ['tw']).last, '2 passed, 0 failed')
  const none = run({ one: GOOD }, false, ['three'])
  assert.equal(none.last, '0 passed, 1 failed')
  assert.equal(none.code, 1)
})

const broken: Readonly<Record<string, readonly [text: string, last: string, says: RegExp]>> = {
  'an assertion': [`${HEAD}test('a', () => { throw new Error('no') })${RUN}`, '0 passed, 1 failed', /Error: no/],
  'a test over its time': [
    `${HEAD}test('slow', () => new Promise((r) => setTimeout(r, 600)), 20)${RUN}`,
    '0 passed, 1 failed',
    /slow: over 60 ms/,
  ],
  'a forgotten run()': [`${HEAD}test('a', () => {})\n`, '0 passed, 1 failed', /run\(\) is missing/],
  'a rejection nobody awaits': [
    `${HEAD}test('a', () => { void Promise.reject(new Error('lost')); return new Promise(setImmediate) })${RUN}`,
    '0 passed, 1 failed',
    /without a verdict/,
  ],
  'an early exit': [`${HEAD}test('a', () => process.exit(0))${RUN}`, '0 passed, 1 failed', /without a verdict/],
  'a test that spins': [`${HEAD}test('a', () => { for (;;); })${RUN}`, '0 passed, 1 failed', /killed after 2 s/],
  'a handle left open': [
    `${HEAD}test('a', () => void setInterval(() => {}, 99))${RUN}`,
    '1 passed, 1 failed',
    /something was left open/,
  ],
  'a file that does not load': [`import './nothing.ts'\n${GOOD}`, '0 passed, 1 failed', /nothing\.ts/],
}
for (const [name, [text, last, says]] of Object.entries(broken)) {
  test(`${name} fails`, () => {
    const seen = run({ it: text })
    assert.equal(seen.last, last)
    assert.match(seen.out, says)
    assert.match(seen.out, /--seed \d+ repeats/)
    assert.equal(seen.code, 1)
  })
}

test('of files that share a process, each has its own verdict; those behind a crash run all the same', () => {
  const files = {
    a: `${HEAD}test('a', () => { throw new Error('no') })${RUN}`,
    b: GOOD,
    c: `${HEAD}test('a', () => {})\ntest('b', () => process.exit(0))${RUN}`,
    d: GOOD,
  }
  const { out, last } = run(files, false, ['--jobs=1'])
  assert.equal(last, '4 passed, 2 failed')
  assert.match(out, /^FAIL a\.test\.ts: 0 passed/m)
  assert.match(out, /^FAIL c\.test\.ts: 0 passed/m)
  assert.match(
    out,
    /c\.test\.ts: ended without a verdict .*; before it in the same process: a\.test\.ts, b\.test\.ts$/m,
  )
  for (const name of ['b', 'd']) assert.match(out, new RegExp(`^ok {3}${name}\\.test\\.ts: 2 passed`, 'm'))
})

test('what a file leaves open is told, with those whose it may be', () => {
  const open = `${HEAD}test('a', () => void setInterval(() => {}, 99))${RUN}`
  const { out, last } = run({ a: open, b: GOOD }, false, ['--jobs=1'])
  assert.equal(last, '3 passed, 1 failed')
  assert.match(out, /something was left open; before it in the same process: a\.test\.ts$/m)
})

test('files share a process unless they are to run apart; what they want done at the end is done', () => {
  const text = (name: string) => `import assert from 'node:assert'
import { atEnd } from '../../test/kit/end.ts'
${HEAD}test('a', () => { assert.equal(globalThis.before, undefined); globalThis.before = '${name}' })
atEnd(async () => console.log('over: ${name}'))${RUN}`
  const files = { a: text('a'), b: text('b') }
  const together = run(files, false, ['--jobs=1'])
  assert.equal(together.last, '1 passed, 1 failed')
  assert.match(together.out, /over: a\nover: b/)
  const { out, last } = run(files, false, ['--apart', '--jobs=1'])
  assert.equal(last, '2 passed, 0 failed')
  assert.match(out, /^2 files in [\d.]+ s, ([\d.]+|\?) s of processor$/m)
})

test('the same seed gives the same values, and only an integer of 32 bits or `random` is one', () => {
  const text = `${SEED}${HEAD}test('a', () => { throw new Error('drawn ' + seed) })${RUN}`
  assert.match(run({ it: text }, false, ['--seed=77']).out, /drawn 77\b/)
  assert.equal(seedOf('4294967295'), '4294967295')
  assert(Number(seedOf('random')) < 2 ** 32)
  for (const wrong of ['4294967296', '-1', '1.5', '', 'x']) assert.throws(() => seedOf(wrong), /a seed is random or/)
})

test('a hunt repeats what draws, and names file and seed of every find', () => {
  const draws = `${SEED}${HEAD}test('a', () => { if (seed >= 0) throw new Error('found') })${RUN}`
  const { out, last, code } = run({ it: draws, calm: GOOD }, false, ['--minutes=0.01', '--jobs=1'], 'hunt')
  assert.match(out, /^FAIL it\.test\.ts --seed \d+$/m)
  assert.match(out, /^npm test -- it\.test\.ts --seed \d+$/m)
  assert(!out.includes('calm'))
  assert.equal(code, 1)
  assert.match(last, /^0 passed, [1-9]\d* failed$/)
  const calm = run({ calm: GOOD }, false, ['--minutes=0.01'], 'hunt')
  assert.deepEqual([calm.last, calm.code], ['0 passed, 1 failed', 1])
})

test('what one process compiled is there for the next', () => {
  const head = `import { getCompileCacheDir } from 'node:module'\nimport assert from 'node:assert'\n${HEAD}`
  const text = `${head}test('a', () => assert.match(String(getCompileCacheDir()), /\\.build.compiled/))${RUN}`
  assert.equal(run({ it: text }).last, '1 passed, 0 failed')
})

test('a skipped test is named with its reason, and in CI it is a failure', () => {
  const text = `${HEAD}test('a', () => {})\ntest.skip('b', 'no browser')${RUN}`
  const here = run({ it: text })
  assert.match(here.out, /^skipped: it: b \(no browser\)$/m)
  assert.deepEqual([here.last, here.code], ['1 passed, 0 failed, 1 skipped', 0])
  const ci = run({ it: text }, true)
  assert.deepEqual([ci.last, ci.code], ['1 passed, 1 failed', 1])
})

test('tests left out without a name are a failure', () => {
  const output = '  Total:     1\n  Passed:    1\n  Skipped:   4\n'
  const { failed, reasons } = verdict({ ...ENDED, output }, false)
  assert.equal(failed, 1)
  assert.match(reasons.join(), /4 tests left out/)
})

test('files of a folder share processes of some size; those of the longest begin first; none is lost', () => {
  for (const folder of longest) assert.ok(existsSync(`test/${folder}`), folder)
  const [first = ''] = longest
  const [deep, long] = ['b/c/d/x.test.ts', `${first}/x.test.ts`]
  assert.deepEqual(batchesOf(['b/c/y.test.ts', 'a/x.test.ts', long, deep]), [
    [long],
    ['a/x.test.ts'],
    [deep, 'b/c/y.test.ts'],
  ])
  const many = Array.from({ length: 25 }, (_, i) => `a/${i}.test.ts`)
  assert.deepEqual(
    batchesOf(many).map((it) => it.length),
    [13, 12],
  )
  assert.deepEqual(batchesOf(many).flat().sort(), many.toSorted())
})

test('a bad exit code is a failure although every test passed', () => {
  const output = '  Total:     1\n  Passed:    1\n  Skipped:   0\n'
  assert.equal(verdict({ ...ENDED, output, code: 1 }, false).failed, 1)
  assert.equal(verdict({ ...ENDED, output }, false).failed, 0)
})

test.run()
