// Goal: `ok: true` is the gateway's to say, and what a handler says of it stands.
// Method: bodies of every kind against results with and without `ok`; what types must refuse does not compile.
import assert from 'node:assert/strict'
import Type, { type TSchema } from 'typebox'
import { answered, type CallerInput, type Endpoint, type HandlerResult } from '#api/endpoint.ts'
import { closed, count, pageLimit, pageOffset } from '#core/schema.ts'
import { completed } from '#gateway/complete.ts'
import { inputReader } from '#gateway/input.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/complete')

const view = Type.Object({ size: count() })
const granted = answered(view)
const judged = Type.Object({ ok: Type.Boolean(), size: count() })
const page = closed({ limit: pageLimit(), offset: pageOffset(), before: Type.Optional(count()) })

const endpointOf = (result: TSchema, input: Endpoint['input'] = closed({})): Endpoint => ({
  id: 'x',
  route: 'GET /x',
  domain: 'compute',
  tier: 'computation',
  summary: '',
  access: { credential: 'none' },
  input,
  result,
  faults: [],
  example: {},
  handle: () => ({}),
})

test('ok stands in front where the result has it and the handler was silent', () => {
  assert.equal(JSON.stringify(completed(endpointOf(granted), { size: 1 })), '{"ok":true,"size":1}')
  assert.equal(JSON.stringify(completed(endpointOf(answered(Type.Object({}))), {})), '{"ok":true}')
})

test('what a handler said of ok stands', () => {
  const said = { ok: false, size: 1 }
  assert.equal(completed(endpointOf(judged), said), said)
})

test('what has no ok, is text or bytes or nothing goes out as it is', () => {
  const bytes = new Uint8Array([1])
  for (const body of [bytes, 'text', '', null, [1], 7]) assert.equal(completed(endpointOf(granted), body), body)
  const bare = { size: 1 }
  assert.equal(completed(endpointOf(view), bare), bare)
  assert.equal(completed(endpointOf(Type.Union([view, granted])), bare), bare)
})

test('a member with a default is there for the handler, and may be left out by a caller', () => {
  const read = inputReader(endpointOf(view, page))
  const raw = { params: {}, body: undefined }
  assert.deepEqual({ ...read({ ...raw, query: '' }) }, { limit: 50, offset: 0 })
  assert.deepEqual({ ...read({ ...raw, query: 'limit=2&before=9' }) }, { limit: 2, before: 9, offset: 0 })
})

// The types are a test too: these lines must not compile without their markers.
export const misuse = (given: HandlerResult<typeof granted>, sent: CallerInput<typeof page>): void => {
  const silent: HandlerResult<typeof granted> = { size: 1 }
  const left: CallerInput<typeof page> = {}
  // @ts-expect-error a result whose ok may be false is judged by its handler
  const unjudged: HandlerResult<typeof judged> = { size: 1 }
  // @ts-expect-error what a handler gives is not written to
  given.size = 2
  // @ts-expect-error a limit is a number
  const wrong: CallerInput<typeof page> = { limit: '1' }
  void [silent, left, unjudged, wrong, sent]
}

test.run()
