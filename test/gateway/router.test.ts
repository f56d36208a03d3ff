// Goal: a request finds the one route that is meant, and is told what the path takes when it finds none.
// Method: small endpoint arrays whose routes overlap on purpose.
import assert from 'node:assert/strict'
import Type from 'typebox'
import { type Endpoint, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { splitRoute } from '#core/route.ts'
import { createRouter, routesOf } from '#gateway/router.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/router')

const at = (id: string, route: Endpoint['route'], also: Endpoint['route'][] = []): Endpoint =>
  endpoint({
    id,
    route,
    also,
    domain: 'compute',
    tier: 'computation',
    summary: id,
    access: { credential: 'none' },
    input: Type.Object(Object.fromEntries(splitRoute(route).names.map((name) => [name, Type.String()]))),
    result: Type.Object({}),
    faults: [],
    example: {},
    handle: () => ({}),
  }) as unknown as Endpoint

const codeOf = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (thrown) {
    return thrown instanceof Fault ? thrown.code : String(thrown)
  }
}

const router = createRouter([
  at('active', 'GET /api/chain/active'),
  at('state', 'GET /api/chain/{slug}/state'),
  at('set', 'POST /api/chain/{slug}/state'),
  at('anchored', 'GET /api/chain/{motherSlug}/anchored'),
  at('rule', 'DELETE /api/cf/sites/{id}/rules/{rule_id}'),
  at('feed', 'GET /api/chain/aggregate/list'),
  at('twin', 'POST /api/svc/stream/channels', ['POST /stream/channels']),
])
const idOf = (method: string, path: string): string => router.match(method, path).route.endpoint.id

test('a literal beats a name, and a literal that leads nowhere gives way to it', () => {
  assert.equal(idOf('GET', '/api/chain/active'), 'active')
  assert.equal(idOf('GET', '/api/chain/x/state'), 'state')
  assert.equal(idOf('GET', '/api/chain/aggregate/state'), 'state')
  assert.equal(idOf('GET', '/api/chain/aggregate/list'), 'feed')
})

test('names belong to the endpoint, not to the branch', () => {
  assert.deepEqual(router.match('GET', '/api/chain/moon/anchored').params, { motherSlug: 'moon' })
  assert.deepEqual(router.match('GET', '/api/chain/moon/state').params, { slug: 'moon' })
  assert.deepEqual(router.match('DELETE', '/api/cf/sites/a/rules/b').params, { id: 'a', rule_id: 'b' })
})

test('values are decoded once, and a bad escape is the caller’s fault', () => {
  assert.deepEqual(router.match('GET', '/api/chain/a%2Fb%2525/state').params, { slug: 'a/b%25' })
  assert.equal(
    codeOf(() => router.match('GET', '/api/chain/%E0%A4%A/state')),
    'INVALID_INPUT',
  )
})

test('a legacy twin is the same operation', () => {
  assert.equal(idOf('POST', '/stream/channels'), 'twin')
  assert.equal(router.match('POST', '/stream/channels').route.alias, true)
})

test('no path: NOT_FOUND; another method: METHOD_NOT_ALLOWED with what is allowed', () => {
  for (const path of [
    '/api/chain',
    '/api/chain/',
    '/api/chain//state',
    '/api/chain/a/state/',
    '',
    'api',
    '/'.repeat(40),
  ]) {
    assert.equal(
      codeOf(() => router.match('GET', path)),
      'NOT_FOUND',
      path,
    )
  }
  try {
    router.match('PUT', '/api/chain/a/state')
    assert.fail('a route was found')
  } catch (thrown) {
    assert(thrown instanceof Fault)
    assert.equal(thrown.code, 'METHOD_NOT_ALLOWED')
    assert.deepEqual(thrown.details['allow'], ['GET', 'POST', 'HEAD', 'OPTIONS'])
  }
})

test('HEAD is answered by GET and by nothing else', () => {
  assert.equal(idOf('HEAD', '/api/chain/active'), 'active')
  assert.equal(
    codeOf(() => router.match('HEAD', '/stream/channels')),
    'METHOD_NOT_ALLOWED',
  )
})

test('two endpoints on one route cannot be', () => {
  assert.throws(() => createRouter([at('a', 'GET /x/{a}'), at('b', 'GET /x/{b}')]), /stands twice/)
  assert.equal(routesOf([at('a', 'GET /x', ['GET /y'])]).length, 2)
})

test('a last part may take the rest of the path, as it is spelled', () => {
  const tiles = createRouter([
    at('tile', 'GET /log/{log}/tile/{tile...}'),
    at('named', 'GET /log/{log}/tile/{level}/edge'),
    at('literal', 'GET /log/{log}/tile/none'),
  ])
  const paramsOf = (path: string) => tiles.match('GET', path).params
  assert.deepEqual(paramsOf('/log/seal/tile/0/x001/x234/067.p/8'), { log: 'seal', tile: '0/x001/x234/067.p/8' })
  // A name is read, a rest is not: another spelling of it is another text.
  assert.deepEqual(paramsOf('/log/%73eal/tile/0/%30%30%30'), { log: 'seal', tile: '0/%30%30%30' })
  assert.deepEqual(paramsOf('/log/seal/tile/%'), { log: 'seal', tile: '%' })
  assert.deepEqual(paramsOf('/log/seal/tile//..//'), { log: 'seal', tile: '/..//' })
  assert.equal(tiles.match('GET', '/log/seal/tile/3/edge').route.endpoint.id, 'named')
  assert.equal(tiles.match('GET', '/log/seal/tile/3/edges').route.endpoint.id, 'tile')
  assert.equal(tiles.match('GET', '/log/seal/tile/none').route.endpoint.id, 'literal')
  assert.equal(
    codeOf(() => tiles.match('GET', '/log/seal/tile')),
    'NOT_FOUND',
  )
  assert.equal(
    codeOf(() => tiles.match('GET', `/log/seal/tile/${'x001/'.repeat(20)}`)),
    'NOT_FOUND',
  )
  assert.equal(
    codeOf(() => tiles.match('POST', '/log/seal/tile/0/000')),
    'METHOD_NOT_ALLOWED',
  )
  assert.throws(() => createRouter([at('middle', 'GET /a/{b...}/c')]))
})

test.run()
