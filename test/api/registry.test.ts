// Goal: an endpoint that is in the registry is right on every surface.
// Method: loops over the registry, in which nothing names an endpoint; then each one is asked its own example over
// HTTP, on a real node, and must answer with what its result schema says or with a refusal that it declares.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Check, Errors } from 'typebox/value'
import { isHandled } from '#api/access.ts'
import { domains, type Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { faults } from '#core/fault.ts'
import { outgoing, splitRoute, templateOf } from '#core/route.ts'
import { accepted } from '#core/strict-schema.ts'
import { faultsOf } from '#gateway/openapi/refusals.ts'
import { routesOf } from '#gateway/router.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { type Response as Described, document, resolved } from './openapi-document.ts'

const test = suite('api/registry')
const all = endpoints as unknown as readonly Endpoint[]
const ajv = new Ajv2020({ strict: false, allErrors: true, formats: {} })

const properties = ({ input }: Endpoint): object => input.properties

test('ids and routes are unique', () => {
  const ids = all.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  )
  const routes = routesOf(all).map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  assert.deepEqual(
    routes.filter((route, i) => routes.indexOf(route) !== i),
    [],
  )
})

test('32 sealed solvers are tagged as such, each with its metadata, and nothing else is', () => {
  const solvers = all.filter(({ describe = {} }) => describe['x-solver'] !== undefined)
  assert.equal(solvers.length, 32)
  for (const { id, describe = {} } of solvers) {
    const { domain, method, operators, unit } = describe['x-solver'] as Readonly<Record<string, unknown>>
    assert(domain !== '' && method !== '' && unit !== '' && Array.isArray(operators), id)
    assert.equal(operators[0], 'KO42', id)
  }
  const tagged = all.filter(({ describe }) => (describe?.['tags'] as string[] | undefined)?.includes('Solvers'))
  assert.deepEqual(tagged, solvers)
})

test('an id begins with the folder of its domain', () => {
  for (const { id, domain } of all) assert(id.startsWith(`${domains[domain]}.`), `${id} is of ${domain}`)
})

test('every {name} of a route is an input, and the same in its legacy twins', () => {
  for (const endpoint of all) {
    for (const route of [endpoint.route, ...(endpoint.also ?? [])]) {
      for (const name of splitRoute(route).names) assert(name in properties(endpoint), `${endpoint.id}: ${name}`)
    }
  }
})

test('every example fits its input, closed as the gateway closes it', () => {
  for (const { id, input, example } of all) {
    const wrong = Errors(accepted(input) as typeof input, example)
    assert(Check(accepted(input) as typeof input, example), `${id}: ${JSON.stringify(wrong[0])}`)
  }
})

test('inputs and results are valid JSON Schema 2020-12', () => {
  for (const { id, input, result } of all) {
    for (const schema of [input, result]) {
      const plain = JSON.parse(JSON.stringify(schema))
      assert(ajv.validateSchema(plain), `${id}: ${ajv.errorsText(ajv.errors)}`)
      ajv.compile(plain)
    }
  }
})

test('two judges agree on every example', () => {
  for (const { id, input, example } of all) {
    assert(ajv.validate(JSON.parse(JSON.stringify(accepted(input))), example), `${id}: ${ajv.errorsText(ajv.errors)}`)
  }
})

test('every member of an input has words for a reader', () => {
  for (const endpoint of all) {
    for (const [name, schema] of Object.entries(properties(endpoint))) {
      const { description, $ref } = schema as { description?: string; $ref?: string }
      assert((description ?? $ref ?? '').length > 0, `${endpoint.id}: ${name} is not described`)
    }
  }
})

/** Asks the example over HTTP, with a key or without. */
const ask = async ({ url }: TestNode, endpoint: Endpoint, key?: string): Promise<Response> => {
  const { method, path, body } = outgoing(endpoint.route, endpoint.example as Record<string, unknown>)
  const stop = AbortSignal.timeout(90_000)
  const headers = {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  }
  return fetch(new URL(path, url), {
    method,
    headers,
    signal: stop,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** Headers of every answer, whatever was called: of HTTP, of the policy of the page, and what all calls have. */
const general = new RegExp(
  '^(?:' +
    [
      ...['connection', 'content-encoding', 'content-length', 'content-security-policy', 'content-type', 'date'],
      ...['keep-alive', 'origin-agent-cluster', 'referrer-policy', 'transfer-encoding', 'upgrade', 'vary'],
      ...['access-control-.*', 'cross-origin-.*', 'ratelimit-.*', 'x-(?!svc-sealed|source-).*'],
    ].join('|') +
    ')$',
)

/** A status or header that the description does not have. */
const undescribed = (endpoint: Endpoint, response: Response): string | undefined => {
  const { method, path } = splitRoute(endpoint.route)
  const described = document.paths[templateOf(path)]?.[method.toLowerCase()]?.responses[response.status]
  if (described === undefined) return `${endpoint.id} answers ${response.status}, which is not described`
  const allowed = Object.keys(resolved<Described>(described).headers ?? {}).map((name) => name.toLowerCase())
  const said = [...response.headers].filter(
    ([name, value]) => !(name === 'cache-control' && value.startsWith('no-store')),
  )
  const more = said.map(([name]) => name).filter((name) => !general.test(name) && !allowed.includes(name))
  return more.length === 0
    ? undefined
    : `${endpoint.id} answers ${response.status} with ${more.join()}, which is not described`
}

const mismatchOf = async (endpoint: Endpoint, response: Response): Promise<string | undefined> => {
  const strange = undescribed(endpoint, response)
  if (strange !== undefined) return strange
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return undefined
  }
  const text = await response.text()
  if (type === 'application/problem+json') {
    const { code } = JSON.parse(text) as { code: string }
    const declared = faultsOf(endpoint) as readonly string[]
    // No example can hold a challenge that this node gave.
    if (code === 'INVALID_INPUT' && endpoint.id === 'economy.claim') return undefined
    if (code === 'INVALID_INPUT') return `${endpoint.id} refuses its own example: ${text}`
    return declared.includes(code) ? undefined : `${endpoint.id} answers ${code}, which it does not declare: ${text}`
  }
  if (!type.startsWith('application/json')) return undefined
  const body: unknown = JSON.parse(text)
  if (Check(endpoint.result, body)) return undefined
  const [first] = Errors(endpoint.result, body)
  return `${endpoint.id} answers what its schema does not say: ${JSON.stringify(first)}: ${text.slice(0, 400)}`
}

test('every endpoint answers its example as it says, without a credential and with one', async () => {
  await using node = await testNode({ keptRuns: true })
  const account = await node.client.call('identity.sign-up', {})
  const wrong: (string | undefined)[] = []
  for (const endpoint of all) {
    for (const key of [undefined, account.api_key]) {
      const response = await ask(node, endpoint, key)
      if (key === undefined && endpoint.access.credential === 'bearer') {
        if (response.status !== 401) wrong.push(`${endpoint.id} answers ${response.status} without a credential`)
        if (response.headers.get('www-authenticate') === null) wrong.push(`${endpoint.id}: no WWW-Authenticate`)
      }
      wrong.push(await mismatchOf(endpoint, response))
    }
  }
  assert.deepEqual(
    wrong.filter((it) => it !== undefined),
    [],
  )
  const failed = node.lines.filter(({ event }) => event === 'call_failed')
  assert.deepEqual(failed, [])
}, 120_000)

test('a bad credential is refused wherever one is read', async () => {
  await using node = await testNode()
  for (const endpoint of all) {
    const response = await ask(node, endpoint, 'svc_ak_0000000000000000000000000000000000000000000')
    await response.body?.cancel()
    // A link has its credential in its own input.
    if (isHandled(endpoint.access.credential) || endpoint.acts === 'by-link') continue
    const reads = endpoint.access.credential === 'bearer' || endpoint.access.credential === 'optional'
    assert.equal(response.status === 401, reads, endpoint.id)
  }
}, 60_000)

test('every declared refusal is in the catalogue, once', () => {
  for (const { id, faults: declared } of all) {
    for (const code of declared) assert(code in faults, `${id}: ${code}`)
    assert.equal(new Set(declared).size, declared.length, id)
  }
})

test.run()
