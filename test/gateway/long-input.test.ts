// Goal: an endpoint with a long list takes and refuses a large body as it does a small one, without holding it as text.
// Method: a real gateway; each body twice, once small enough to be kept whole and once padded by a longer list, whose
// answers must say the same; bodies that are cut off, too large, or counted against an allowance.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import Type from 'typebox'
import { integer, text, tokenId } from '#core/schema.ts'
import { WHOLE_BYTES_MAX } from '#gateway/body.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { house } from './house.ts'
import { endpoints, make, post, refusedWith } from './rooms.ts'

const test = suite('gateway/long-input')

const BODY_BYTES = 3 * WHOLE_BYTES_MAX
const MANY = 40_000
const ITEMS_MAX = 60_000

let handled: readonly object[] = []

const long = make({
  id: 'long',
  route: 'POST /api/long',
  input: Type.Object({
    to: text(40),
    n: Type.Optional(integer({ minimum: 0, maximum: 9 })),
    ids: Type.Array(tokenId(), { minItems: 1, maxItems: ITEMS_MAX }),
  }),
  limits: { bodyBytes: BODY_BYTES, longList: 'ids' },
  handle: (_: unknown, { input }: { input: { readonly to: string; readonly ids: readonly string[] } }) => {
    handled = [...handled, input]
    return { to: input.to, count: input.ids.length, last: input.ids.at(-1) }
  },
})

const idOf = (i: number): string => i.toString(16).padStart(32, '0')
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => idOf(i))
const open = () => house([...endpoints, long], { 'limits.anonymousCallsPerMinute': 10_000 })

/** What an answer says, apart from what names the request. */
const said = async (response: Response) => {
  const { instance: _, request_id: __, ...body } = (await response.json()) as Record<string, unknown>
  return { status: response.status, body }
}

test('a large body is one input, in every order of its members', async () => {
  await using it = await open()
  handled = []
  const list = ids(MANY)
  for (const body of [
    { to: 'x', ids: list },
    { ids: list, to: 'x', n: 3 },
  ]) {
    const response = await it.ask('/api/long', post(JSON.stringify(body)))
    assert.deepEqual(await response.json(), { to: 'x', count: MANY, last: idOf(MANY - 1) })
    assert.deepEqual(handled.at(-1), body)
  }
  const spaced = JSON.stringify({ to: 'x', ids: list }, null, 1)
  assert.equal((await it.ask('/api/long', post(spaced))).status, 200)
})

test('what is wrong with a large body is said as of a small one', async () => {
  await using it = await open()
  handled = []
  /** A body whose list has these elements behind so many good ones. */
  const body = (count: number, { more = [], rest = '"to":"x",', end = '}' }: Spoilt): string =>
    `{${rest}"ids":[${[...ids(count).map((id) => `"${id}"`), ...more].join(',')}]${end}`
  const cases: readonly Spoilt[] = [
    { more: ['7'] },
    { more: ['"short"', 'null'] },
    { more: ['{"a":1}'] },
    { rest: '' },
    { rest: '"to":5,' },
    { rest: '"to":"x","n":10,' },
    { rest: '"to":"x","nn":1,' },
    { rest: '"to":"x","to":"y",' },
    { rest: `"to":"x","ids":["${idOf(7)}"],` },
    { rest: '"__proto__":{},"to":"x",' },
    { rest: '"to":"\\ud800",' },
    { end: '' },
    { end: '}}' },
    { end: ',}' },
    { more: ['"\\ud800"'] },
    { more: ['[[[[['] },
  ]
  for (const spoilt of cases) {
    const [small, large] = [await said(await it.ask('/api/long', post(body(3, spoilt)))), body(MANY, spoilt)]
    assert.ok(large.length > WHOLE_BYTES_MAX)
    const found = await said(await it.ask('/api/long', post(large)))
    assert.equal(found.status, 400, JSON.stringify(found.body))
    assert.deepEqual([found.status, found.body['code']], [small.status, small.body['code']], JSON.stringify(spoilt))
    if (small.body['code'] === 'INVALID_INPUT') {
      const moved = JSON.stringify(small.body).replaceAll(/\/ids\/(\d+)/g, (_, at) => `/ids/${Number(at) + MANY - 3}`)
      assert.deepEqual(found.body, JSON.parse(moved))
    }
  }
  const many = await said(await it.ask('/api/long', post(body(ITEMS_MAX + 1, {}))))
  assert.deepEqual(
    [many.status, many.body['errors']],
    [400, [{ path: '/ids', message: `must not have more than ${ITEMS_MAX} items` }]],
  )
  assert.deepEqual(handled, [])
})

interface Spoilt {
  readonly more?: readonly string[]
  readonly rest?: string
  readonly end?: string
}

test('a large body is bounded, counted and held to its type as it comes', async () => {
  const limits = { 'limits.anonymousCallsPerMinute': 40 }
  await using it = await house([...endpoints, long], limits)
  handled = []
  const large = JSON.stringify({ to: 'x', ids: ids(MANY) })
  const announced = post(JSON.stringify({ to: 'x', ids: ids(100_000) }))
  await refusedWith(await it.ask('/api/long', announced), 413, 'BODY_TOO_LARGE')
  const unannounced = { ...announced, body: new Blob([announced.body as string]).stream(), duplex: 'half' } as const
  await refusedWith(await it.ask('/api/long', unannounced as RequestInit), 413, 'BODY_TOO_LARGE').catch(() => undefined)
  await refusedWith(
    await it.ask('/api/long', post(large, { 'content-type': 'text/plain' })),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )
  assert.deepEqual(handled, [])
  await using fresh = await house([...endpoints, long], limits)
  const taken = await fresh.ask('/api/long', post(large))
  assert.equal(taken.headers.get('ratelimit-remaining'), String(39 - Math.floor(large.length / 65_536)))
  await refusedWith(await fresh.ask('/api/long', post(large)), 429, 'RATE_LIMITED')
  assert.equal(handled.length, 1)
})

test('an upload that is given up changes nothing, and nothing is left of it', async (signal) => {
  await using it = await open()
  handled = []
  const whole = JSON.stringify({ to: 'x', ids: ids(MANY) })
  for (const size of [1_000, WHOLE_BYTES_MAX + 100_000, whole.length - 1]) {
    const socket = connect(it.gateway.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `POST /api/long HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: ${whole.length}\r\n\r\n${whole.slice(0, size)}`)
    await until(() => it.gateway.calls === 1, signal)
    socket.destroy()
    await until(() => it.gateway.calls === 0, signal)
  }
  assert.deepEqual(handled, [])
  assert.equal((await it.ask('/api/long', post(whole))).status, 200)
  assert.deepEqual(it.errors, [])
})

test.run()
