// Goal: `contracts lint` says all that is wrong with a file, at its line, and its exit code says whether anything is.
// Method: the command in this process, on files and in JSON.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { jsonLines } from '#cli/json-lines.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { good } from '../numerics/contracts/definition/samples.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/contracts')

const bad = `{
  "v": 1, "name": "x",
  "states": { "a": { "initial": true } },
  "transitions": [
    {
      "id": "t", "from": "a", "to": "b", "trigger": { "kind": "always" },
      "guard": "state_ticks"
    }
  ]
}
`

test('a good file has its version, and exits with 0', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  writeFileSync(`${dir.path}/good.json`, JSON.stringify(good))
  const { code, stdout } = await run(['contracts', 'lint', 'good.json'])
  assert.equal(code, 0, stdout)
  assert.match(stdout, /pump watch[\s\S]*version +[0-9a-f]{64}/)
  const answer = JSON.parse((await run(['contracts', 'lint', 'good.json', '--json'])).stdout) as Record<string, unknown>
  assert.deepEqual([answer['ok'], answer['faults'], answer['earlier']], [true, [], false])
  assert.match(String(answer['version']), /^[0-9a-f]{64}$/)
})

test('faults are told at their lines, and exit with 1', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  writeFileSync(`${dir.path}/bad.json`, bad)
  const { code, stdout } = await run(['contracts', 'lint', 'bad.json'])
  assert.equal(code, 1)
  assert.match(stdout, /^bad\.json:6: \/transitions\/0\/to: there is no state b/m)
  assert.match(stdout, /^bad\.json:7: \/transitions\/0\/guard, character 1: a boolean is wanted/m)
  assert.match(stdout, /^2 faults$/m)
  const json = await run(['contracts', 'lint', 'bad.json', '--json'])
  const { faults } = JSON.parse(json.stdout) as { faults: readonly { path: string; line: number }[] }
  assert.deepEqual([json.code, faults.map(({ line }) => line)], [1, [6, 7]])
})

const doubtful = `{
  "v": 1, "name": "x", "budget": { "credits_per_day": 100 },
  "context": { "peak": { "type": "number", "initial": 0 } },
  "events": { "reading": { "data": { "p": { "type": "number" } } } },
  "states": { "a": { "initial": true }, "b": {},
    "lost": {} },
  "transitions": [
    { "id": "rise", "from": "a", "to": "b", "trigger": { "kind": "event", "event": "reading" },
      "guard": "event.data.p > 300", "actions": [{ "kind": "set", "peak": { "$": "event.data.p" } }] },
    { "id": "burst", "from": "a", "to": "b", "trigger": { "kind": "event", "event": "reading" },
      "guard": "event.data.p > 500" },
    { "id": "check", "from": "b", "to": "b", "trigger": { "kind": "cron", "expression": "*/5 * * * *" },
      "actions": [{ "kind": "compute", "solver": "heat", "inputs": {} }] }
  ],
  "claims": [{ "never": "context.peak > 1000" }]
}
`

test('what can go wrong is told with how it comes about, and exits with 1 where it keeps from deploying', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  writeFileSync(`${dir.path}/x.json`, doubtful)
  const { code, stdout } = await run(['contracts', 'lint', 'x.json'])
  assert.equal(code, 1)
  for (const line of [
    /^x\.json:10: \/transitions\/1: fault: rise and burst .*\n {4}with event\.data\.p = 501$/m,
    /^x\.json:15: \/claims\/0\/never: fault: .* > 1000 \(claim, refuted\)\n {4}tick 1: reading \{"p":1001\} → b/m,
    /^x\.json:6: \/states\/lost: warning: State lost is never entered/m,
    /^x\.json:2: \/budget\/credits_per_day: warning: A day may have 864 credits by the clock/m,
    /^2 faults\ncontract +x$/m,
  ]) {
    assert.match(stdout, line)
  }
  const json = await run(['contracts', 'lint', 'x.json', '--json'])
  const answer = JSON.parse(json.stdout) as { ok: boolean; faults: []; findings: { rule: string; line: number }[] }
  assert.deepEqual([json.code, answer.ok, answer.faults], [1, false, []])
  assert.deepEqual(
    answer.findings.slice(0, 2).map(({ rule, line }) => [rule, line]),
    [
      ['exclusive', 10],
      ['claim', 15],
    ],
  )
  const mended = doubtful.replace('"id": "burst",', '"id": "burst", "priority": 1,').replace('peak > 1000', 'peak < 0')
  writeFileSync(`${dir.path}/x.json`, mended)
  const after = await run(['contracts', 'lint', 'x.json'])
  assert.equal(after.code, 0, after.stdout)
  assert.match(after.stdout, /claims\/0\/never: note: This never holds: context\.peak < 0 \(claim, proved\)/)
})

test('a pattern of cron that says no times, and a zone that is none, are told with what they should be', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  const at = (expression: string, timezone: string) => ({
    ...good,
    transitions: [
      ...good.transitions,
      { id: 'daily', from: 'idle', to: 'idle', trigger: { kind: 'cron', expression, timezone } },
    ],
  })
  for (const [expression, zone, words] of [
    ['0 0 31 2 *', 'UTC', /\/expression: .*never/],
    ['61 * * * *', 'UTC', /\/expression: minute: /],
    ['0 9 * * *', 'Europe/Berln', /there is no zone Europe\/Berln.*Europe\/Berlin/],
  ] as const) {
    writeFileSync(`${dir.path}/x.json`, JSON.stringify(at(expression, zone)))
    const { code, stdout } = await run(['contracts', 'lint', 'x.json'])
    assert.equal(code, 1, stdout)
    assert.match(stdout, words)
  }
  writeFileSync(`${dir.path}/x.json`, JSON.stringify(at('0 9 * * *', 'Europe/Berlin')))
  assert.equal((await run(['contracts', 'lint', 'x.json'])).code, 0)
})

test('a file of the earlier shape has paths and no lines', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  writeFileSync(`${dir.path}/old.json`, JSON.stringify({ name: 'x', version: '1.0', states: {}, transitions: [] }))
  const { code, stdout } = await run(['contracts', 'lint', 'old.json'])
  assert.equal(code, 1)
  assert.match(stdout, /^old\.json: \/states: /m)
})

test('what is no JSON, or stands in it twice, is told so', async () => {
  using dir = tempDir()
  const { run } = terminalIn(dir.path).here
  for (const [text, code] of [
    ['{', 'MALFORMED_JSON'],
    ['{"v":1,"v":1}', 'MALFORMED_JSON'],
    [' '.repeat(1_048_577), 'BODY_TOO_LARGE'],
  ] as const) {
    writeFileSync(`${dir.path}/x.json`, text)
    const found = await run(['contracts', 'lint', 'x.json'])
    assert.equal(found.code, 1)
    assert.match(found.stderr, new RegExp(code))
  }
})

test('lines are those on which values begin, or what they stand in', () => {
  const lineOf = jsonLines('{"a":\n [1,\n"x\\",\\n]",\n{"b/~":\n true}], "c" : {}}')
  for (const [path, line] of [
    ['', 1],
    ['/a', 2],
    ['/a/0', 2],
    ['/a/1', 3],
    ['/a/2/b~1~0', 5],
    ['/c', 5],
    ['/c/none', 5],
    ['/a/2/none/at/all', 4],
  ] as const) {
    assert.equal(lineOf(path), line, path)
  }
})

test.run()
