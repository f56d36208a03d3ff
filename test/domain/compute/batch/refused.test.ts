/*
 * Goal: a batch that may not begin begins with nothing: no leaf, no charge, no hold, and a refusal that names the call.
 * Method: a real node over HTTP; each bad body once, and after all of them the log, the balance and the holds are what
 * they were.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { until } from '../../../kit/until.ts'
import { ask, form, forms } from './asking.ts'

const test = suite('domain/compute: batches refused')

const sweepOf = (...vary: unknown[]) => ({
  sweep: { route: 'compute', input: { operators: ['GR37'], inputs: {} }, vary },
})
const name = 'inputs.mass'
const LINES = 'application/x-ndjson'

interface Bad {
  readonly what: string
  readonly body: unknown
  readonly type?: string
  readonly status?: number
  readonly code?: string
  readonly with?: Readonly<Record<string, unknown>>
}

const bad: readonly Bad[] = [
  { what: 'no call', body: { calls: [] }, with: { count: 0, limit: 1_000 } },
  { what: 'an empty list', body: [], with: { count: 0, limit: 1_000 } },
  { what: 'no line', body: '\n \n', type: LINES, with: { count: 0, limit: 1_000 } },
  { what: '1,001 calls', body: { calls: forms(1_001) }, with: { count: 1_001, limit: 1_000 } },
  { what: 'neither calls nor sweep', body: {} },
  { what: 'both', body: { calls: forms(1), ...sweepOf({ name, values: [1] }) } },
  {
    what: 'a call without its mass',
    body: { calls: [form(1), { route: 'compute', input: { operators: ['GR37'], inputs: {} } }] },
    code: 'MISSING_INPUTS',
    with: { index: 1 },
  },
  {
    what: 'a text where a number belongs',
    body: { calls: [...forms(7), { route: 'heat', input: { nx: 'NaN' } }] },
    with: { index: 7 },
  },
  { what: 'a member that nobody knows', body: { calls: [{ route: 'heat', input: { nz: 1 } }] }, with: { index: 0 } },
  {
    what: 'a solver that nobody knows',
    body: { calls: [form(1), { route: 'heet', input: {} }] },
    status: 404,
    code: 'NOT_FOUND',
    with: { index: 1 },
  },
  {
    what: 'a route that computes nothing',
    body: { calls: [{ route: 'GET /api/jobs' }] },
    status: 404,
    code: 'NOT_FOUND',
    with: { index: 0 },
  },
  {
    what: 'a question in words',
    body: { calls: [{ route: 'auto', input: { query: 'mass of 2 kg' } }] },
    with: { index: 0 },
  },
  { what: 'what is keyless', body: { calls: [{ ...form(1), route: 'prove' }] }, with: { index: 0 } },
  {
    what: 'a step beyond its limit',
    body: { calls: [{ route: 'heat', input: { scheme: 'ftcs', dt: 1e6 } }] },
    code: 'UNSTABLE_STEP',
    with: { index: 0 },
  },
  {
    what: 'more work than is allowed',
    body: { calls: [form(1), { route: 'heat', input: { nx: 4096, ny: 4096, steps: 1_000_000 } }] },
    code: 'WORK_LIMIT_EXCEEDED',
    with: { index: 1 },
  },
  { what: 'a call that is no object', body: { calls: [form(1), 7] } },
  { what: 'a member beside route and input', body: { calls: [{ ...form(1), price: 0 }] } },
  {
    what: 'a line that is no object',
    body: `${JSON.stringify(form(1))}\n[]\n`,
    type: LINES,
    code: 'MALFORMED_JSON',
    with: { index: 1 },
  },
  {
    what: 'a line that stops in the middle',
    body: `${JSON.stringify(form(1))}\n{"route":"comp`,
    type: LINES,
    code: 'MALFORMED_JSON',
    with: { index: 1 },
  },
  {
    what: 'NaN, which is no JSON',
    body: '[{"route":"compute","input":{"operators":["GR37"],"inputs":{"mass":NaN}}}]',
    code: 'MALFORMED_JSON',
  },
  {
    what: 'a number beyond the doubles',
    body: '[{"route":"compute","input":{"operators":["GR37"],"inputs":{"mass":1e999}}}]',
    code: 'MALFORMED_JSON',
  },
  {
    what: 'a sweep of 10^9 points',
    body: sweepOf({ name, from: 1, to: 2, points: 1e9 }),
    with: { count: 1e9, limit: 1_000 },
  },
  {
    what: 'a sweep of 10^18',
    body: sweepOf({ name, from: 1, to: 2, points: 1e9 }, { name: 'x', from: 1, to: 2, points: 1e9 }),
    with: { count: 1e18 },
  },
  {
    what: 'a sweep of 1,001 pairs',
    body: sweepOf({ name, from: 1, to: 2, points: 77 }, { name: 'x', from: 1, to: 2, points: 13 }),
    with: { count: 1_001 },
  },
  {
    what: 'three varied inputs',
    body: sweepOf({ name, values: [1] }, { name: 'x', values: [1] }, { name: 'y', values: [1] }),
  },
  { what: 'one input twice', body: sweepOf({ name, values: [1] }, { name, values: [2] }) },
  { what: 'a range without its end', body: sweepOf({ name, from: 1, points: 3 }) },
  { what: 'values and a range', body: sweepOf({ name, values: [1], from: 1, to: 2, points: 3 }) },
  { what: 'a log scale from 0', body: sweepOf({ name, from: 0, to: 2, points: 3, scale: 'log' }) },
  { what: 'a name that is a prototype', body: sweepOf({ name: '__proto__.x', values: [1] }) },
  { what: 'a name that leads through a list', body: sweepOf({ name: 'operators.0', values: [1] }) },
  {
    what: 'a value that one point refuses',
    body: { sweep: { route: 'heat', input: {}, vary: [{ name: 'nx', from: 32, to: 33, points: 3 }] } },
    with: { index: 1 },
  },
  { what: 'another media type', body: 'x', type: 'text/csv', status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
]

test('whatever is wrong with one call, none runs and nothing is written', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const client = it.as(key)
  const size = it.node.store.log.size
  const before = await client.call('economy.credits', {})
  for (const { what, body, type, status = 400, code = 'INVALID_INPUT', with: details = {} } of bad) {
    const { status: found, problem } = await ask(body, { url: it.url, key, ...(type === undefined ? {} : { type }) })
    assert.deepEqual([found, problem?.code], [status, code], `${what}: ${JSON.stringify(problem)}`)
    for (const [member, value] of Object.entries(details)) assert.equal(problem[member], value, `${what}: ${member}`)
  }
  assert.equal(it.node.store.log.size, size, 'no leaf was written')
  assert.deepEqual(await client.call('economy.credits', {}), before, 'nothing was charged or is kept back')
})

test('whoever has no key, or one that may not spend, opens no batch', async () => {
  await using it = await testNode()
  const { status, problem } = await ask({ calls: forms(1) }, { url: it.url, key: 'svc_nothing' })
  assert.deepEqual([status, problem.code], [401, 'UNAUTHENTICATED'])
})

test('a price above the balance: 402 with the sum and how many calls the balance would pay for', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const client = it.as(key)
  const before = await client.call('economy.credits', {})
  const size = it.node.store.log.size
  const calls = forms(1_000)
  const { price } = await client.call('compute.quote', form(1))
  const { status, problem } = await ask({ calls }, { url: it.url, key })
  assert.deepEqual([status, problem.code], [402, 'INSUFFICIENT_BALANCE'])
  assert.equal(problem['price'], price * 1_000)
  assert.equal(problem['calls'], 1_000)
  assert.equal(problem['paid_for'], Math.floor(before.available / price))
  assert.deepEqual(await client.call('economy.credits', {}), before, 'all holds were given back')
  assert.equal(it.node.store.log.size, size)
  const paid = await ask({ calls: calls.slice(0, Number(problem['paid_for'])) }, { url: it.url, key })
  assert.equal(paid.status, 200, 'as many as it said are paid for')
})

test('a body that stops in the middle opens nothing', async (signal) => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const size = it.node.store.log.size
  const { hostname, port } = new URL(it.url)
  const socket = connect(Number(port), hostname)
  const half = `${JSON.stringify(form(1))}\n`
  const head = ['POST /api/svc/batch HTTP/1.1', `Host: ${hostname}:${port}`, `Authorization: Bearer ${key}`]
  socket.write([...head, `Content-Type: ${LINES}`, 'Content-Length: 5000', '', half].join('\r\n'))
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.destroy()
  // The node answers others meanwhile, and what it has read of that body is forgotten.
  await until(async () => (await it.as(key).call('economy.credits', {})).held === 0, signal)
  assert.equal(it.node.store.log.size, size)
})

test.run()
