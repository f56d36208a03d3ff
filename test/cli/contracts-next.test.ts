// Goal: `tickmesh contracts next` lists due instants without a node, by the clocks of the zone and of the machine, and
// says what is wrong with a pattern, a zone or a table. Method: the command's words in this process.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/contracts-next')

interface Answer {
  readonly ok: boolean
  readonly digest: string
  readonly next: readonly { readonly unix: number; readonly zoned: string; readonly mark: string | null }[]
  readonly last: { readonly zoned: string } | null
  readonly table: object
  readonly error: string
  readonly details: { readonly faults?: readonly object[]; readonly suggestions?: readonly string[] }
}

const called = async (directory: string, words: readonly string[]) => {
  const { run } = terminalIn(directory).here
  const { code, stdout } = await run(['contracts', 'next', ...words, '--json'])
  return { code, answer: JSON.parse(stdout) as Answer }
}

const GAP = ['0,30 2 * * *', '--zone', 'Europe/Berlin', '--from', '2027-03-27T12:00:00Z', '--count', '3']

test('fires are listed by the clock of the zone, with a gap marked, and again by the table of the answer', async () => {
  using dir = tempDir()
  const { code, answer } = await called(dir.path, GAP)
  assert.equal(code, 0)
  assert.deepEqual(
    answer.next.map(({ zoned, mark }) => [zoned, mark]),
    [
      ['2027-03-28T03:00:00+02:00', 'gap'],
      ['2027-03-29T02:00:00+02:00', null],
      ['2027-03-29T02:30:00+02:00', null],
    ],
  )
  assert.equal(answer.last?.zoned, '2027-03-27T02:30:00+01:00')
  writeFileSync(`${dir.path}/answer.json`, JSON.stringify(answer))
  writeFileSync(`${dir.path}/table.json`, JSON.stringify(answer.table))
  for (const file of ['answer.json', 'table.json']) {
    const again = await called(dir.path, ['0,30 2 * * *', '--table', file, '--from', '1806148800', '--count', '3'])
    assert.deepEqual([again.code, again.answer.digest, again.answer.next], [0, answer.digest, answer.next])
  }
})

test('people read a line for each, what is marked, and where the table ends', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  const { code, stdout } = await run(['contracts', 'next', ...GAP])
  assert.equal(code, 0)
  assert.match(stdout, /^Europe\/Berlin +here \(/)
  assert.match(stdout, /^Sun 2027-03-28 03:00 \+02:00 .* gap: the clock leaps over 2027-03-28 02:00$/m)
  assert.match(stdout, /^last: Sat 2027-03-27 02:30 \+01:00$/m)
  const twice = await run([
    'contracts',
    'next',
    '*/30 2 * * *',
    '--zone',
    'Europe/Berlin',
    '--from',
    '2027-10-30T12:00:00Z',
  ])
  assert.match(twice.stdout, /^Sun 2027-10-31 02:00 \+02:00 .* comes twice: the first time$/m)
  assert.match(twice.stdout, /^Sun 2027-10-31 02:00 \+01:00 .* comes twice: again$/m)
  const rare = await run(['contracts', 'next', '0 0 29 2 *', '--from', '2026-11-27T00:00:00Z'])
  assert.match(rare.stdout, /^the table of UTC ends 2038-01-01: later ones are not known$/m)
  assert.equal((rare.stdout.match(/-02-29 00:00 \+00:00/g) ?? []).length, 6)
})

test('what is wrong with the words is said, with exit code 2', async () => {
  using dir = tempDir()
  writeFileSync(`${dir.path}/bad.json`, '{"v": 1}')
  const faults = await called(dir.path, ['61 * 30 2 *'])
  assert.equal(faults.code, 2)
  assert.deepEqual(faults.answer.details.faults, [{ field: 'minute', reason: '61 is not from 0 to 59' }])
  const near = await called(dir.path, ['0 9 * * *', '--zone', 'Europe/Berlni'])
  assert.deepEqual([near.code, near.answer.details.suggestions], [2, ['Europe/Berlin']])
  for (const words of [
    ['--from', 'tomorrow'],
    ['--from', '0'],
    ['--count', '0'],
    ['--count', '1001'],
    ['--count', 'x'],
    ['--zone', 'UTC', '--table', 'bad.json'],
  ]) {
    const { code, answer } = await called(dir.path, ['0 9 * * *', ...words])
    assert.deepEqual([code, answer.ok], [2, false], words.join(' '))
  }
  const bad = await called(dir.path, ['0 9 * * *', '--table', 'bad.json'])
  assert.equal(bad.answer.ok, false)
  const { answer } = await called(dir.path, GAP)
  writeFileSync(`${dir.path}/table.json`, JSON.stringify(answer.table))
  const outside = await called(dir.path, ['0 9 * * *', '--table', 'table.json', '--from', '2001-01-01T00:00:00Z'])
  assert.match(outside.answer.error, /the table is for 2026-01-01 to 2039-01-01/)
})

test.run()
