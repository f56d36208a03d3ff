// Goal: a quote finds what a route computes by the literal that has the route, and by nothing else; a job shows the
// route that was called. Method: every computation of the interface by each way of writing its route, routes that
// compute nothing, and calls that become jobs on a real node.
import assert from 'node:assert/strict'
import { autoEndpoints } from '#api/compute/auto.ts'
import { operateEndpoints } from '#api/compute/operate.ts'
import { quotableOf } from '#api/compute/quotable.ts'
import { solverEndpoints } from '#api/compute/solver-endpoints.ts'
import { Fault } from '#core/fault.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: routes that can be quoted')

const refusalOf = (route: string, input: object = {}): string => {
  try {
    quotableOf(route, input)
    return 'none'
  } catch (cause) {
    assert(cause instanceof Fault)
    return `${cause.code} ${cause.message}`
  }
}

test('every computation is found by its own route, with its method and without', () => {
  for (const { id, route, example } of [...operateEndpoints, ...autoEndpoints, ...solverEndpoints]) {
    const kind = id.replace('compute.', '')
    for (const asked of [route, route.replace('POST ', ''), ` ${route.replace(' ', '   ')} `]) {
      assert.deepEqual(quotableOf(asked, example), { route, kind, input: example }, asked)
    }
  }
})

test('a short name stands for its route, that of operators and questions too', () => {
  for (const { id, route, example } of [...operateEndpoints, ...autoEndpoints, ...solverEndpoints]) {
    const kind = id.replace('compute.', '')
    assert.deepEqual(quotableOf(kind, example), { route, kind, input: example }, kind)
  }
  assert.deepEqual(quotableOf('heta', {}), { route: 'POST /api/svc/heta', kind: 'heta', input: {} })
  assert.match(refusalOf('reactor'), /^NOT_FOUND Making and reading a reactor costs nothing/)
})

test('what computes nothing is refused; the name of no solver is left to who knows which one is near', () => {
  for (const route of ['GET /api/svc/heat', '/api/svc/Heat', '/api/svc/', '/api/credits/status', '', '/api/svc/a/b']) {
    assert.equal(refusalOf(route), `NOT_FOUND No computation has the route ${route}.`)
  }
  for (const route of ['POST /api/svc/reactor', '/api/svc/reactor/step', 'GET /api/svc/reactor/nothing']) {
    assert.match(refusalOf(route), /^NOT_FOUND Making and reading a reactor costs nothing/)
  }
  assert.match(refusalOf('/api/svc/reactor/a/b'), /^NOT_FOUND No computation/)
  assert.deepEqual(quotableOf('/api/svc/heta', {}), { route: 'POST /api/svc/heta', kind: 'heta', input: {} })
  assert.match(refusalOf('/api/svc/auto', { qeury: 'x' }), /^INVALID_INPUT/)
  assert.match(refusalOf('/api/svc/compute', { operators: 1 }), /^INVALID_INPUT/)
})

test('a job shows the route that was called', async () => {
  await using node = await testNode()
  const { api_key } = await node.client.call('identity.sign-up', {})
  const calls = [
    ['POST /api/svc/shift', {}],
    ['POST /api/svc/auto', { query: 'gravitational force', constants: { m1: 5.972e24, m2: 1000, r: '6780 km' } }],
    ['POST /api/svc/compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } }],
  ] as const
  for (const [route, body] of calls) {
    const response = await fetch(new URL(route.replace('POST ', ''), node.url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: JSON.stringify(body),
    })
    const job = (await response.json()) as { readonly id: string; readonly route: string }
    assert.deepEqual([response.status, job.route], [202, route])
    assert.equal((await node.as(api_key).call('compute.job', { id: job.id })).route, route)
  }
})

test.run()
