// Goal: what the command line reads and draws is right without a process around it: inputs, progress line, tables,
// schemas, JSON, exit codes. Method: values written down by hand, and seeded words for what must never throw.
import assert from 'node:assert/strict'
import { quantity } from '#cli/answer.ts'
import { cell, listText } from '#cli/describe.ts'
import { exits, worst } from '#cli/exit.ts'
import { explain } from '#cli/explain.ts'
import { parseAssignments, wholeOption } from '#cli/input.ts'
import { type Io, JSON_SCHEMA_VERSION, jsonText, printable, processIo, table } from '#cli/io.ts'
import { CliError } from '#cli/problem.ts'
import { progressLine } from '#cli/progress.ts'
import { schemaRows } from '#cli/schema-rows.ts'
import { misfit, oneOf } from '#core/schema.ts'
import { NodeRefusal } from '#gateway/client.ts'
import type { Problem } from '#gateway/problem.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('cli/text')

const plain = (words: readonly string[]): object => parseAssignments(words, { nested: false })
const nested = (words: readonly string[], base = {}): object => parseAssignments(words, { nested: true, base })
const isUsage = (error: unknown): boolean => error instanceof CliError && error.exit === exits.usage

test('a value is a number, JSON, or else text', () => {
  assert.deepEqual(plain(['a=1', 'b=-2.5e-3', 'c=.5', 'd=+3', 'e=1.', 'f=1E3']), {
    a: 1,
    b: -0.0025,
    c: 0.5,
    d: 3,
    e: 1,
    f: 1000,
  })
  assert.deepEqual(plain(['a=true', 'b=null', 'c=[1,2]', 'd={"x":1}', 'e="5"']), {
    a: true,
    b: null,
    c: [1, 2],
    d: { x: 1 },
    e: '5',
  })
  assert.deepEqual(plain(['a=5 km', 'b=', 'c=x=y', 'd=0x10', 'e=NaN', 'f={']), {
    a: '5 km',
    b: '',
    c: 'x=y',
    d: '0x10',
    e: 'NaN',
    f: '{',
  })
})

test('dots name members of members for a solver, and are letters for operators', () => {
  assert.deepEqual(nested(['initial.kind=box', 'initial.x=0.5', 'nx=16']), {
    initial: { kind: 'box', x: 0.5 },
    nx: 16,
  })
  assert.deepEqual(plain(['GR37.M=1']), { 'GR37.M': 1 })
})

test('words of the command line stand on top of a file, member by member, and the file stays as it was', () => {
  const base = { nx: 32, initial: { kind: 'box', x: 0.1 } }
  assert.deepEqual(nested(['initial.x=0.2', 'ny=8'], base), { nx: 32, ny: 8, initial: { kind: 'box', x: 0.2 } })
  assert.deepEqual(base, { nx: 32, initial: { kind: 'box', x: 0.1 } })
})

test('words that are no inputs are refused by name', () => {
  const wrong = ['nx', '=1', 'a..b=1', '.a=1', 'a.=1', `${'a.'.repeat(9)}a=1`, 'nx=1e999', 'nx=-1e999']
  for (const word of wrong) assert.throws(() => nested([word]), isUsage, word)
  assert.throws(() => nested(['nx=1', 'nx=1']), isUsage)
})

test('no name reaches anything but the input itself', () => {
  const input = nested(['__proto__.x=1', 'constructor.prototype.x=1', 'toString=2'])
  assert.equal(({} as Record<string, unknown>)['x'], undefined)
  assert.deepEqual(Object.keys(input), ['__proto__', 'constructor', 'toString'])
  assert.match(JSON.stringify(input), /^\{"__proto__":\{"x":1\}/)
})

test('any words give an input or a usage error', () => {
  const random = seeded()
  const letters = ['a', '.', '=', '1', '-', 'e', '{', '"', '[', ' ', 'é', '\u0000', '_']
  for (let i = 0; i < 2_000; i++) {
    const word = Array.from({ length: random.integer(0, 12) }, () => random.pick(letters)).join('')
    try {
      assert.equal(typeof nested([word]), 'object')
    } catch (error) {
      assert.ok(isUsage(error), word)
    }
  }
})

test('an option for a whole number takes nothing else', () => {
  assert.equal(wholeOption(undefined, '--limit'), undefined)
  assert.equal(wholeOption('0', '--limit'), 0)
  assert.equal(wholeOption('1287', '--limit'), 1287)
  for (const wrong of ['', '-1', '1.5', '1e3', 'x', '9'.repeat(16), true]) {
    assert.throws(() => wholeOption(wrong, '--limit'), isUsage, String(wrong))
  }
})

test('the progress line has bar, percent, step and seconds left', () => {
  assert.equal(progressLine({ state: 'queued' }), 'queued …')
  assert.equal(progressLine({ state: 'queued', fraction: null }), 'queued …')
  assert.equal(progressLine({ state: 'running', fraction: 0 }), `${'░'.repeat(28)}   0 %`)
  assert.equal(
    progressLine({ state: 'running', fraction: 0.5, step: 100, steps: 200, eta: 1.2 }),
    `${'█'.repeat(14)}${'░'.repeat(14)}  50 %  step 100/200  2 s left`,
  )
  assert.equal(progressLine({ state: 'running', fraction: 0.999, eta: 0.2 }), `${'█'.repeat(27)}░  99 %  <1 s left`)
  assert.equal(progressLine({ state: 'done', fraction: 1, eta: null }), `${'█'.repeat(28)} 100 %`)
})

test('a table has its columns under each other', () => {
  assert.equal(
    table([
      ['a', 'bb', 'c'],
      ['aaa', 'b', 'a longer one'],
    ]),
    'a    bb  c\naaa  b   a longer one',
  )
  assert.equal(table([]), '')
})

test('a schema is shown with defaults, units and ranges, and groups by their dotted names', () => {
  const schema = {
    properties: {
      nx: { type: 'integer', minimum: 16, maximum: 64, default: 32, description: 'Intervals.' },
      kind: { enum: ['a', 'b'], description: 'Kind.' },
      start: {
        default: {},
        properties: { t: { type: 'number', minimum: -Number.MAX_VALUE, maximum: 5, 'x-unit': 'K' } },
      },
    },
  }
  assert.deepEqual(schemaRows(schema), [
    ['nx', '= 32', '', '16 … 64', 'Intervals.'],
    ['kind', '', '', 'a | b', 'Kind.'],
    ['start.t', '', 'K', '… 5', ''],
  ])
})

test('JSON names its schema first, whatever the answer calls itself', () => {
  assert.equal(jsonText({ ok: true, n: 1 }), `{"schema":${JSON_SCHEMA_VERSION},"ok":true,"n":1}`)
  assert.equal(JSON.parse(jsonText({ schema: 'other' })).schema, JSON_SCHEMA_VERSION)
})

test('text from elsewhere cannot steer a terminal', () => {
  assert.equal(printable('a\tb\nc'), 'a\tb\nc')
  assert.equal(printable('\u001B[2J\u009B1m\r\u0007x\u007F'), '\uFFFD[2J\uFFFD1m\uFFFD\uFFFDx\uFFFD')
  assert.equal(printable('a\u202Eb\u2066c\u2028d\u200F'), 'a\uFFFDb\uFFFDc\uFFFDd\uFFFD')
  assert.equal(printable('□φ − µ … —'), '□φ − µ … —')
})

test('a name with line ends stays within its cell: it is no second row of the table', () => {
  const rows = [{ slug: 'evil', display_name: 'x\npump-7\tarchived\r' }]
  assert.equal(listText(rows, ['slug', 'display_name']), 'slug  display_name\nevil  x\\npump-7\\tarchived\\r')
  assert.equal(cell({ name: 'x\ny' }), '{"name":"x\\ny"}')
})

const toldOf = (members: object): string => {
  const said: string[] = []
  const quiet: Io = { ...processIo({ json: false, quiet: true }), complain: (text) => void said.push(text) }
  const problem = { code: 'SCOPE_REQUIRED', detail: 'No.', status: 403, retryable: false, ...members } as Problem
  assert.equal(explain(quiet, new NodeRefusal(problem)), exits.failure)
  return said.join('\n')
}

test('who lacks a right is sent to the data directory only where that helps', () => {
  assert.match(toldOf({ scope: 'owner' }), /run it on the data directory of the node/)
  assert.equal(toldOf({ scope: 'admin', role: 'owner' }), 'tickmesh: SCOPE_REQUIRED: No.')
  assert.match(toldOf({ scope: 'account' }), /keys of .*streams.* have no account; sign up on the page/)
})

test('a refusal names the page that explains it, at the node that refused, and no password of its address', () => {
  const said: string[] = []
  const io = (json: boolean): Io => ({
    ...processIo({ json, quiet: false }),
    out: () => undefined,
    complain: (text) => void said.push(text),
  })
  const problem = { code: 'NOT_FOUND', detail: 'No.', status: 404, retryable: false, docs: '/docs/errors/NOT_FOUND' }
  const url = 'https://me:secret@node.example/'
  explain(io(false), new NodeRefusal(problem as unknown as Problem, url))
  explain(io(true), new NodeRefusal(problem as unknown as Problem, url))
  explain(io(false), new NodeRefusal({ ...problem, docs: '//elsewhere.example' } as unknown as Problem, url))
  const line = 'tickmesh: NOT_FOUND: No.'
  assert.deepEqual(said, [`${line}\nsee https://node.example/docs/errors/NOT_FOUND`, line, line])
})

const refusedAs = (message: string, members: object = {}): string =>
  toldOf({
    ...{ code: 'INVALID_INPUT', status: 400, detail: `/lx: ${message}.`, errors: [{ path: '/lx', message }] },
    ...members,
  })

test('a refused input is told in a sentence: the input as it is written, its bound, and what was read', () => {
  assert.equal(refusedAs('must be >= 1e-9'), 'tickmesh: INVALID_INPUT: lx must be at least 1e-9.')
  assert.equal(refusedAs('must be <= 5'), 'tickmesh: INVALID_INPUT: lx must be at most 5.')
  assert.equal(refusedAs('must be > 0'), 'tickmesh: INVALID_INPUT: lx must be above 0.')
  assert.equal(refusedAs('must be number'), 'tickmesh: INVALID_INPUT: lx must be a number.')
  assert.equal(
    refusedAs('is not known here. Did you mean lz?'),
    'tickmesh: INVALID_INPUT: lx is not known here. Did you mean lz?',
  )
  const nested = { errors: [{ path: '/initial/kind', message: 'must be string' }] }
  assert.equal(refusedAs('', nested), 'tickmesh: INVALID_INPUT: initial.kind must be a text.')
  const bound = [{ input: 'lx', from: 'query', given: '-5 m', value: -5, unit: 'm' }]
  const read_as = { kind: 'solver', name: 'heat', title: 'Heat diffusion', bound }
  assert.equal(
    refusedAs('must be >= 1e-9', { read_as }),
    'tickmesh: INVALID_INPUT: Read as Heat diffusion (heat), with lx = -5 m: lx must be at least 1e-9 m.',
  )
  // What a node says in another form is left as it is.
  for (const errors of [[], 'x', [{ path: '', message: 'must be object' }], [null]]) {
    assert.equal(refusedAs('must be >= 1', { errors }), 'tickmesh: INVALID_INPUT: /lx: must be >= 1.')
  }
})

test('a bug of the node is told by its instance, and without the stack of the command that asked', () => {
  const line = toldOf({ code: 'INTERNAL', status: 500, detail: 'The node failed.', instance: 'urn:uuid:1' })
  assert.equal(line, 'tickmesh: INTERNAL: The node failed. (urn:uuid:1)')
})

test('a word that is none of a few is answered with the few', () => {
  const wrong = misfit(oneOf(['inbound', 'outbound']), 'out')
  assert.equal(wrong, '/: must be one of inbound, outbound')
})

test('a value stands with its unit, and a dimensionless one alone', () => {
  assert.deepEqual(
    [quantity(10.5, '1'), quantity(0.5, 'K'), quantity(null, 'K'), quantity(undefined, undefined)],
    ['10.5', '0.5 K', 'none K', 'none'],
  )
})

test('of many checks the worst decides', () => {
  assert.equal(worst([]), 0)
  assert.equal(worst([0, 0]), 0)
  assert.equal(worst([0, 4, 0]), 4)
  assert.equal(worst([4, 3, 0]), 3)
})

test.run()
