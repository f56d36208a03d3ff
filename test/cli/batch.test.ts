// Goal: many runs of one call are opened together, shown as a table or a line each, read again by their key, saved with
// what proves that none is missing, and a folder from which one was taken away fails. Method: a node as a process, the
// first call of each command as one; words of ranges as people slip in them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { variedInput, variedInputs } from '#cli/vary.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { type Answer, closing, terminalIn } from './terminal.ts'

const test = suite('cli/batch')

const MS_MAX = 120_000
const dir = tempDir()
const terminal = terminalIn(dir.path)
const { json, run } = terminal.once
const node = await terminal.start()

const linesOf = (text: string): readonly Answer[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Answer)
const vkey = async (): Promise<string> => (await run(['keys', 'trusted'])).stdout.trim()
const credits = async (): Promise<Answer> => (await json(['credits', 'status'])).answer

test('a word of --vary is a range, factors, or values; a slip is told with what to write', () => {
  const from = { name: 'nx', from: 32, to: 512, points: 5 }
  assert.deepEqual(variedInput('nx=32..512:5'), from)
  assert.deepEqual(variedInput('nx=32..512:5linear'), from)
  assert.deepEqual(variedInput('nx=32..512:5log'), { ...from, scale: 'log' })
  assert.deepEqual(variedInput('a.b=-.5..1.5e3:3'), { name: 'a.b', from: -0.5, to: 1500, points: 3 })
  assert.deepEqual(variedInput('k=1,2,3'), { name: 'k', values: [1, 2, 3] })
  assert.deepEqual(variedInput('initial.kind=box,gaussian'), { name: 'initial.kind', values: ['box', 'gaussian'] })
  assert.deepEqual(variedInputs(['k=1,2', 'n=3..4:2', 'm=7']).inputs, ['m=7'])
  const slips = ['nx=32..512', 'nx=32..512:', 'nx=..512:5', 'nx=32..:5', 'nx=NaN..3:5', 'nx=1..1e999:3', 'k=1,,2']
  for (const slip of [...slips, 'nx=1..2:3cubic']) assert.throws(() => variedInput(slip), /CliError|nx|k/, slip)
  assert.throws(() => variedInputs(['m=7']), /takes 1 or 2 inputs/)
  assert.throws(() => variedInputs(['a=1,2', 'b=1,2', 'c=1,2']), /takes 1 or 2 inputs/)
  assert.throws(() => variedInputs(['a=1..2:1000000000']), /1000000000 runs; 1000 are the most/)
})

test(
  'a sweep is a table; saved, it verifies, and with one run taken away it fails',
  async () => {
    const swept = await run(['solve', 'lotka', 't_max=5', '--vary', 'alpha=1..1.5:3', '--to', 'study'])
    assert.equal(swept.code, 0, swept.stderr)
    const [head = '', ...rows] = swept.stdout.trimEnd().split('\n')
    assert.match(head, /^call +alpha +value +error +price +envelope$/)
    assert.deepEqual(
      rows.map((row) => row.split(/ +/).slice(0, 2)),
      [
        ['0', '1'],
        ['1', '1.25'],
        ['2', '1.5'],
      ],
    )
    assert.match(swept.stderr, /3 calls: 3 sealed, 0 refused, 0 failed; 9 credits/)
    const folder = join(dir.path, 'study')
    assert.equal(readdirSync(folder).length, 4, 'the lines, and a bundle of each')
    const whole = await json(['verify', 'study', '--key', await vkey()])
    assert.deepEqual([whole.code, whole.answer['outcome']], [0, 'verified'])
    const lines = join(folder, 'batch.ndjson')
    const text = readFileSync(lines, 'utf8')
    const kept = text.split('\n').filter((_, i) => i !== 3)
    writeFileSync(lines, kept.join('\n'))
    const pleased = await json(['verify', 'study', '--key', await vkey()])
    assert.deepEqual([pleased.code, pleased.answer['outcome'], pleased.answer['failing']], [3, 'failed', 'calls'])
    writeFileSync(lines, text)
    assert.match((await run(['verify', lines, '--key', await vkey()])).stdout, /All 3 calls that were opened are here/)
  },
  MS_MAX,
)

test(
  'a file of calls: lines, a list, stdin; its key reads it again, and nothing is charged twice',
  async () => {
    const calls = [
      { route: 'compute', input: { operators: ['GR37'], inputs: { mass: 1e30 } } },
      { route: 'lotka', input: { t_max: 4 } },
    ]
    writeFileSync(join(dir.path, 'calls.ndjson'), `${calls.map((it) => JSON.stringify(it)).join('\n')}\n`)
    writeFileSync(join(dir.path, 'calls.json'), JSON.stringify(calls))
    const named = ['--json', '--idempotency-key', 'two']
    const first = linesOf((await run(['batch', 'calls.ndjson', ...named])).stdout)
    assert.equal(first.length, 4)
    assert.deepEqual(
      first.map((line) => line['schema']),
      [1, 1, 1, 1],
    )
    const before = await credits()
    const again = linesOf((await run(['batch', 'calls.json', ...named])).stdout)
    assert.deepEqual(again.slice(0, 1), first.slice(0, 1))
    const stdin = linesOf((await run(['batch', '-', ...named], { stdin: JSON.stringify({ calls }) })).stdout)
    assert.deepEqual(stdin.slice(0, 1), first.slice(0, 1))
    assert.deepEqual(await credits(), before)
    writeFileSync(join(dir.path, 'other.json'), JSON.stringify(calls.slice(1)))
    const other = await json(['batch', 'other.json', '--idempotency-key', 'two'])
    assert.deepEqual([other.code, other.answer['code']], [1, 'IDEMPOTENCY_KEY_REUSED'])
  },
  MS_MAX,
)

test(
  'what is wrong with one call is told with its place, and nothing runs',
  async () => {
    const before = await credits()
    const file = (calls: unknown): string => {
      writeFileSync(join(dir.path, 'wrong.json'), JSON.stringify(calls))
      return 'wrong.json'
    }
    const good = { route: 'lotka', input: { t_max: 4 } }
    const wrong = await run(['batch', file([good, { route: 'heat', input: { nx: 'x' } }])])
    assert.deepEqual([wrong.code, /call 1: nx must be a whole number/.test(wrong.stderr)], [1, true], wrong.stderr)
    assert.match((await run(['batch', file([])])).stderr, /A batch has 1 to 1000 calls; this one has 0/)
    writeFileSync(join(dir.path, 'half.ndjson'), `${JSON.stringify(good)}\n{"route":`)
    const half = await run(['batch', 'half.ndjson'])
    assert.deepEqual([half.code, /line 2 is no JSON/.test(half.stderr)], [2, true])
    for (const words of [['--quote'], ['--bundle', 'x.json'], ['--detach'], ['--where', 'mesh']]) {
      assert.equal((await run(['solve', 'lotka', '--vary', 'alpha=1,2', ...words])).code, 2, words.join(' '))
    }
    assert.equal((await run(['solve', 'lotka', '--to', 'x'])).code, 2)
    assert.deepEqual(await credits(), before)
  },
  MS_MAX,
)

test(
  'a call that is refused is told, and the command ends with 1',
  async () => {
    const swept = await run(['solve', 'action', '--vary', 'stepsPerPeriod=40,100000'])
    assert.equal(swept.code, 1, swept.stderr)
    assert.match(swept.stdout, /refused: PRECISION_NOT_MET/)
    assert.match(swept.stderr, /call 0: The measured error/)
    assert.match(swept.stderr, /2 calls: 1 sealed, 1 refused, 0 failed/)
  },
  MS_MAX,
)

test(
  'a sweep that is left is ended by the same words and its key; what is not sealed is shown as refused',
  async () => {
    const words = ['solve', 'heat', 'steps=2000', '--vary', 'nx=128..228:101', '--idempotency-key', 'left']
    const before = await credits()
    const ended = async () => terminal.run([...words, '--cancel'])
    assert.match((await ended()).stderr, /No batch stands under this Idempotency-Key/)
    assert.deepEqual(await credits(), before)
    const reading = terminal.run(words)
    let found = await ended()
    while (found.stdout === '') found = await ended()
    const read = await reading
    for (const it of [found, read]) {
      assert.equal(it.code, 1, it.stderr)
      assert.match(it.stdout, /refused: JOB_CANCELLED/)
      assert.match(it.stderr, /101 calls: \d+ sealed, \d+ refused, 0 failed/)
    }
    assert.equal(read.stdout, found.stdout)
    for (const nameless of [
      ['batch', 'calls.json', '--cancel'],
      ['solve', 'lotka', '--cancel'],
    ]) {
      assert.equal((await run(nameless)).code, 2, nameless.join(' '))
    }
  },
  MS_MAX,
)

closing(test, node, dir)

test.run()
