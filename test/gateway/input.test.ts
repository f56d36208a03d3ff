// Goal: path, query and body make one input that fits the schema exactly, and whatever does not fit is named.
// Method: one endpoint for each place a value can come from.
import assert from 'node:assert/strict'
import Type, { type TObject } from 'typebox'
import { type Endpoint, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { finite, integer, text } from '#core/schema.ts'
import { accepted, strict } from '#core/strict-schema.ts'
import { coerce, inputReader } from '#gateway/input.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/input')

const reader = (route: Endpoint['route'], input: TObject) =>
  inputReader(
    endpoint({
      id: 'test',
      route,
      domain: 'compute',
      tier: 'computation',
      summary: '',
      access: { credential: 'none' },
      input,
      result: Type.Object({}),
      faults: [],
      example: {},
      handle: () => ({}),
    }) as unknown as Endpoint,
  )

const get = reader(
  'GET /x/{id}',
  Type.Object({
    id: text(8),
    n: Type.Optional(integer({ minimum: 0, maximum: 9 })),
    x: Type.Optional(finite()),
    yes: Type.Optional(Type.Boolean()),
    many: Type.Optional(Type.Array(integer(), { maxItems: 3 })),
    word: Type.Optional(Type.Enum(['a', 'b'])),
    either: Type.Optional(Type.Union([integer(), Type.Null()])),
    digits: Type.Optional(text(8)),
  }),
)
const post = reader('POST /x/{id}', Type.Object({ id: text(8), deep: Type.Object({ a: finite() }) }))

const errorsOf = (work: () => unknown): readonly { path: string; message: string }[] => {
  try {
    work()
  } catch (thrown) {
    assert(thrown instanceof Fault, String(thrown))
    assert.equal(thrown.code, 'INVALID_INPUT')
    return thrown.details['errors'] as { path: string; message: string }[]
  }
  return assert.fail('it was taken')
}
const query = (text: string) => get({ params: { id: '7' }, query: text, body: undefined })

test('a query is read as its schema asks, strictly', () => {
  const whole = query('n=3&x=-1.5e3&yes=true&many=1&many=2&word=b&either=null&digits=007')
  assert.deepEqual(whole, {
    id: '7',
    n: 3,
    x: -1500,
    yes: true,
    many: [1, 2],
    word: 'b',
    either: null,
    digits: '007',
  })
})

test('what does not fit is named by its path', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['n=3.5', '/n'],
    ['n=1e400', '/n'],
    ['n=0x1', '/n'],
    ['n=+1', '/n'],
    ['n=', '/n'],
    ['n=%201', '/n'],
    ['n=10', '/n'],
    ['x=NaN', '/x'],
    ['x=Infinity', '/x'],
    ['yes=1', '/yes'],
    ['yes=TRUE', '/yes'],
    ['many=1&many=x', '/many/1'],
    ['many=1&many=2&many=3&many=4', '/many'],
    ['word=c', '/word'],
    ['n=1&n=2', '/n'],
    ['other=1', '/other'],
    ['__proto__=1', '/__proto__'],
    ['constructor=1', '/constructor'],
    ['id=8', '/id'],
  ]
  for (const [text, path] of rows) {
    assert.deepEqual(
      errorsOf(() => query(text)).map((it) => it.path),
      [path],
      text,
    )
  }
})

test('a query has a bound', () => {
  assert.match(errorsOf(() => query(Array.from({ length: 65 }, (_, i) => `many=${i}`).join('&')))[0]!.message, /64/)
})

test('a body is closed at every level, and takes neither a query nor what the path has said', () => {
  const take = (body: Record<string, unknown>, text = '') => post({ params: { id: 'i' }, query: text, body })
  assert.deepEqual(take({ deep: { a: 1 } }), { id: 'i', deep: { a: 1 } })
  assert.deepEqual(
    errorsOf(() => take({ deep: { a: 1, b: 2 } })).map((it) => it.path),
    ['/deep/b'],
  )
  assert.deepEqual(
    errorsOf(() => take({})).map((it) => it.path),
    ['/deep'],
  )
  assert.deepEqual(
    errorsOf(() => take({ deep: { a: Number.POSITIVE_INFINITY } })).map((it) => it.path),
    ['/deep/a'],
  )
  assert.deepEqual(
    errorsOf(() => take({ id: 'j', deep: { a: 1 } })).map((it) => it.path),
    ['/id'],
  )
  assert.equal(errorsOf(() => take({ deep: { a: 1 } }, 'deep=1')).length, 1)
})

test('what a schema leaves open stays open', () => {
  const open = { type: 'object', properties: { a: {} }, additionalProperties: true }
  assert.deepEqual(strict(open), open)
  const parts = {
    allOf: [
      { type: 'object', properties: { a: {} } },
      { type: 'object', properties: { b: {} } },
    ],
  }
  assert.deepEqual(strict(parts), parts)
})

test('an object is closed wherever it stands in a schema, and a value that looks like one is left alone', () => {
  const open = { type: 'object', properties: { a: {} } }
  const closed = { ...open, additionalProperties: false }
  for (const at of ['items', 'additionalProperties']) assert.deepEqual(strict({ [at]: open }), { [at]: closed })
  for (const at of ['anyOf', 'oneOf', 'prefixItems']) {
    assert.deepEqual(strict({ [at]: [open, open] }), { [at]: [closed, closed] })
  }
  for (const at of ['patternProperties', '$defs']) {
    assert.deepEqual(strict({ [at]: { x: open } }), { [at]: { x: closed } })
  }
  assert.deepEqual(strict({ properties: { x: open } }), { properties: { x: closed }, additionalProperties: false })
  for (const at of ['default', 'const']) assert.deepEqual(strict({ [at]: open }), { [at]: open })
})

test('a member with a default may be left out, at every level, and the handler gets it', () => {
  const schema = Type.Object({
    steps: integer({ default: 5 }),
    start: Type.Object({ x: finite({ default: 1 }), y: finite() }),
  })
  const take = (body: Record<string, unknown>) => reader('POST /x', schema)({ params: {}, query: '', body })
  assert.deepEqual(take({ start: { y: 2 } }), { steps: 5, start: { x: 1, y: 2 } })
  assert.deepEqual(
    errorsOf(() => take({ start: {} })).map((it) => it.path),
    ['/start/y'],
  )
  assert.deepEqual(
    errorsOf(() => take({ steps: null, start: { y: 2 } })).map((it) => it.path),
    ['/steps'],
  )
  assert.deepEqual((accepted(schema) as { required: string[] }).required, ['start'])
})

test('text stays text unless the schema asks for something else', () => {
  assert.equal(coerce({ type: 'string' }, '12'), '12')
  assert.equal(coerce({ type: 'string' }, 'null'), 'null')
  assert.equal(coerce({ const: 3 }, '3'), 3)
  assert.equal(coerce(undefined, '3'), '3')
})

test.run()
