// Goal: what an endpoint's literal says of it is whole and true. Method: the members of every literal held against one
// another, and against what must not be forgotten; the type checker refuses an audit that names what is not there.
import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { type Endpoint, endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { templateOf } from '#core/route.ts'
import { closed, slug } from '#core/schema.ts'
import { faultsOf } from '#gateway/openapi/refusals.ts'
import { openapi } from '#gateway/openapi.ts'
import { suite } from '../kit/suite.ts'

const test = suite('api: literals of endpoints')

const all = endpoints as unknown as readonly Endpoint[]
const methodOf = ({ route }: Endpoint): string => route.split(' ')[0] ?? ''
const membersOf = (schema: TSchema): readonly string[] =>
  Object.keys((schema as { readonly properties?: object }).properties ?? {})

/** Members of an answer that there must not be two of because a call was sent twice. */
const minted = new Set(['api_key', 'computeBudget', 'envelope'])

test('whatever mints does so once for an Idempotency-Key', () => {
  const minting = all.filter((it) => methodOf(it) === 'POST' && membersOf(it.result).some((name) => minted.has(name)))
  assert(minting.length > 30)
  assert.deepEqual(
    minting.filter(({ idempotent }) => idempotent !== true).map(({ id }) => id),
    [],
  )
  for (const it of all.filter(({ idempotent }) => idempotent === true)) {
    assert.equal(methodOf(it), 'POST', `${it.id} is a call that is sent with an Idempotency-Key`)
    assert(faultsOf(it).includes('IDEMPOTENCY_KEY_REUSED'), it.id)
  }
})

test('a stream is a GET; what acts though it is safe says so, and nothing else does', () => {
  for (const it of all) {
    if (it.streams === true) assert.equal(methodOf(it), 'GET', it.id)
    if (it.acts !== undefined) assert.equal(methodOf(it), 'GET', `${it.id} acts by its method already`)
    assert(it.produces?.includes('text/event-stream') !== true, `${it.id} says it by \`streams\``)
  }
  const charging = all.filter((it) => methodOf(it) === 'GET' && it.faults.includes('INSUFFICIENT_BALANCE'))
  assert(charging.length > 0)
  for (const { id, acts } of charging) assert.equal(acts, true, `${id} charges by GET`)
})

test('bounds are ones: what is not counted has no count, and the description says each', () => {
  const { paths } = openapi(all) as { paths: Record<string, Record<string, Record<string, unknown>>> }
  for (const { id, route, limits = {} } of all) {
    const { callsPerMinute, bodyBytes, unlimited } = limits
    assert(unlimited === undefined || callsPerMinute === undefined, id)
    for (const bound of [callsPerMinute, bodyBytes]) assert(bound === undefined || bound > 0, id)
    const [method = '', path = ''] = route.split(' ')
    const operation = paths[templateOf(path)]?.[method.toLowerCase()] ?? {}
    assert.deepEqual(
      [operation['x-calls-per-minute'], operation['x-body-bytes-max'], operation['x-unlimited']],
      [callsPerMinute, bodyBytes, unlimited],
      id,
    )
  }
})

test('the type checker refuses an audit that names no member, and access without a reach', () => {
  const base = {
    id: 'machines.x',
    route: 'POST /api/x/{slug}',
    domain: 'state-machines',
    tier: 'computation',
    summary: '',
    input: closed({ slug: slug() }),
    result: closed({ seq: slug() }),
    faults: [],
    example: { slug: 'x' },
    handle: () => ({ seq: 'x' }),
  } as const
  const access = { credential: 'none' } as const
  endpoint({ ...base, access, audit: { event: 'x', input: ['slug'], result: ['seq'] } })
  // @ts-expect-error: the input has no such member
  endpoint({ ...base, access, audit: { event: 'x', input: ['slog'] } })
  // @ts-expect-error: the result has no such member
  endpoint({ ...base, access, audit: { event: 'x', result: ['slug'] } })
  // @ts-expect-error: a credential reaches somewhere
  endpoint({ ...base, access: { credential: 'bearer' } })
})

test.run()
