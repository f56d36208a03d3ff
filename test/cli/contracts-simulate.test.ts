// Goal: `contracts simulate` says what a definition would do, without a node, and `contracts replay` whether an export
// comes out the same; both say what is wrong with their files. Method: the commands' words in this process; real
// computations; an export that a contract run by hand wrote, as it is and changed.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import type { FireRow } from '#core/contract/fire-row.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { byHand, KEY } from '../numerics/contracts/fire/exported.ts'
import { terminalIn } from './terminal.ts'

const test = suite('cli/contracts-simulate')
const MS_MAX = 60_000

const definition = {
  v: 1,
  name: 'pump',
  context: { n: { type: 'integer', initial: 0 }, v: { type: 'number', initial: 0 } },
  events: { reading: { data: { p: { type: 'number' } } } },
  oracles: {
    limit: { from: { kind: 'machine', slug: 'pump-8', event: 'r', field: 'p' }, type: 'number', max_age: 9_000 },
  },
  states: { calm: { initial: true }, high: {} },
  transitions: [
    {
      ...{ id: 'hourly', from: 'calm', to: 'calm', trigger: { kind: 'cron', expression: '0 * * * *' } },
      actions: [
        { kind: 'compute', operators: ['GR37'], inputs: { mass: 1.98892e30 }, bind: { v: '/value' } },
        { kind: 'set', n: { $: 'context.n + 1' } },
      ],
    },
    {
      ...{ id: 'rise', from: 'calm', to: 'high', trigger: { kind: 'event', event: 'reading' } },
      guard: 'event.data.p > oracle.limit',
    },
    { id: 'fall', from: 'high', to: 'calm', trigger: { kind: 'after', ticks: 100 } },
  ],
}
const EVENTS = [
  '{"in": 500, "event": "reading", "data": {"p": 3}}',
  '',
  '{"in": 600, "event": "reading", "data": {"p": 9}}',
]
const FROM = ['--from', '2027-01-01T00:30:00Z']

interface Simulated {
  readonly ok: boolean
  readonly stubbed: boolean
  readonly timeline: readonly {
    readonly outcome: string
    readonly steps: readonly string[]
    readonly credits: number
  }[]
  readonly standing: { readonly context: { readonly n: number; readonly v: number } }
  readonly spending: { readonly credits: number }
  readonly error: string
}

const terminal = (files: Readonly<Record<string, unknown>>) => {
  const dir = tempDir()
  for (const [name, text] of Object.entries(files))
    writeFileSync(`${dir.path}/${name}`, typeof text === 'string' ? text : JSON.stringify(text))
  const { run } = terminalIn(dir.path).here
  const json = async (words: readonly string[]) => {
    const { code, stdout } = await run(['contracts', ...words, '--json'])
    return { code, answer: JSON.parse(stdout) as Simulated }
  }
  return { run, json, [Symbol.dispose]: () => dir[Symbol.dispose]() }
}

test(
  'a definition is simulated with computations of this process, events and readings',
  async () => {
    const readings = '{"in": 10, "oracle": "limit", "value": 5}'
    using it = terminal({ 'pump.json': definition, 'events.jsonl': EVENTS.join('\n'), 'readings.jsonl': readings })
    const words = [
      'simulate',
      'pump.json',
      '--events',
      'events.jsonl',
      '--readings',
      'readings.jsonl',
      ...FROM,
      '--until',
      '9000',
    ]
    const { code, answer } = await it.json(words)
    assert.equal(code, 0, JSON.stringify(answer))
    const told = answer.timeline.map(({ outcome, steps }) => `${outcome} ${steps.join()}`)
    assert.deepEqual(told, ['none ', 'fired rise', 'fired fall', 'fired hourly', 'fired hourly'])
    assert.ok(Math.abs(answer.standing.context.v - 2_954) < 1, 'the Schwarzschild radius of the sun')
    assert.deepEqual([answer.standing.context.n, answer.spending.credits], [2, 6])
    const { stdout } = await it.run(['contracts', ...words])
    assert.match(stdout, /2027-01-01 01:00:00 +clock +fired +calm → calm +hourly +n 0 → 1/)
    assert.match(stdout, /states not entered +none/)
    const stubbed = await it.json([...words, '--stub'])
    assert.deepEqual(
      [stubbed.answer.stubbed, stubbed.answer.standing.context.v, stubbed.answer.standing.context.n],
      [true, 0, 2],
    )
  },
  MS_MAX,
)

test(
  'a claim that does not hold ends with 1, and what is wrong with the words or the files is said at its line',
  async () => {
    const broken = { ...definition, claims: [{ never: 'context.n > 1' }] }
    using it = terminal({
      ...{ 'pump.json': definition, 'broken.json': broken, 'bad.json': { v: 1 } },
      ...{
        'member.jsonl': '{"in":1,"evnt":"reading"}',
        'name.jsonl': '\n{"in":1,"event":"readin"}',
        'text.jsonl': '{',
      },
      'time.jsonl': '{"event":"reading"}',
    })
    const claim = await it.run(['contracts', 'simulate', 'broken.json', ...FROM, '--until', '12000', '--stub'])
    assert.equal(claim.code, 1)
    assert.match(claim.stdout, /claim broken at 2027-01-01 02:00:00: never context.n > 1/)
    for (const [words, code, error] of [
      [['bad.json'], 1, /faults/],
      [['none.json'], 1, /none\.json/],
      [['pump.json', '--events', 'member.jsonl'], 2, /member\.jsonl:1: .*Did you mean event\?/],
      [['pump.json', '--events', 'name.jsonl'], 2, /name\.jsonl:2: .*Did you mean reading\?/],
      [['pump.json', '--events', 'text.jsonl'], 2, /text\.jsonl:1/],
      [['pump.json', '--events', 'time.jsonl'], 2, /either tick/],
      [['pump.json', '--until', 'soon'], 2, /--until takes/],
      [['pump.json', '--until', '2020-01-01T00:00:00Z'], 2, /before the start/],
      [['pump.json', '--from', 'then'], 2, /--from takes/],
    ] as const) {
      const found = await it.json(['simulate', ...words])
      assert.equal(found.code, code, `${words.join(' ')}: ${JSON.stringify(found.answer)}`)
      assert.match(found.answer.error, error)
    }
  },
  MS_MAX,
)

/** A contract without computations, since those of the one that is run by hand are no solver's. */
const quiet = {
  v: 1,
  name: 'quiet',
  context: { n: { type: 'integer', initial: 0 } },
  events: { go: { data: { x: { type: 'number' } } } },
  states: { a: { initial: true } },
  transitions: [
    {
      ...{ id: 'every', from: 'a', to: 'a', trigger: { kind: 'recurring', every_ticks: 10 } },
      actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
    },
    { id: 'go', from: 'a', to: 'a', trigger: { kind: 'event', event: 'go' }, actions: [{ kind: 'set', n: 0 }] },
  ],
}

test(
  'an export comes out the same, differs at a row that is named, or cannot be checked without a key',
  async () => {
    const contract = byHand(quiet)
    for (let i = 0; i < 5; i += 1) contract.due()
    contract.event('go', { x: 1 })
    contract.due()
    const file = contract.exported()
    const rows = file.rows.map((row): FireRow => (row.no === 3 && 'context' in row ? { ...row, to: 'b' } : row))
    using it = terminal({ 'good.json': file, 'bad.json': { ...file, rows }, 'none.json': { format: 'x' } })
    const good = await it.run(['contracts', 'replay', 'good.json', '--key', KEY])
    assert.equal(good.code, 0, good.stdout)
    assert.match(good.stdout, /rows +8, 7 of them decided again, 8 held against their entries/)
    assert.match(good.stdout, /readings +0 attested by their source's chain, 0 by this node's word, 0 withheld/)
    assert.match(good.stdout, /every fire comes out the same/)
    const bad = await it.run(['contracts', 'replay', 'bad.json', '--key', KEY])
    assert.equal(bad.code, 3)
    assert.match(bad.stdout, /row 3 differs in entry\.to: it says "b", and "a" was found/)
    assert.equal((await it.run(['contracts', 'replay', 'good.json'])).code, 4)
    assert.equal((await it.run(['contracts', 'replay', 'good.json', '--key', '0'.repeat(64)])).code, 3)
    assert.equal((await it.json(['replay', 'none.json', '--key', KEY])).code, 1)
  },
  MS_MAX,
)

test.run()
