/*
 * Goal: over HTTP a computation is answered, sealed, proved, verified, judged and turned into a job.
 * Method: a real node on a free port with a clock that the test moves; answers are read as a stranger reads them.
 */
import assert from 'node:assert/strict'
import { Check, Errors } from 'typebox/value'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import type { Bundle, Claim } from '#core/claim.ts'
import { publicKeyOf } from '#core/keys.ts'
import { verifyVerdict } from '#core/verdict.ts'
import { verifyBundle } from '#core/verify.ts'
import { NodeRefusal } from '#gateway/client.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: compute')

const GR37 = { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } }
const SMALL_HEAT = { nx: 96, ny: 96 }

interface Answer {
  readonly value: number
  readonly unit: string
  readonly envelope: {
    readonly token_id: string
    readonly state: string
    readonly hash: string
    readonly bundle: string
  }
  readonly claim: Claim
  readonly signature: string
  readonly tick_receipt: { readonly tick: number; readonly hmac: string }
  readonly protocol_steps: readonly { readonly name: string }[]
  readonly svcProof: string
}

/** A client with an account of its own. */
const signedUp = async (it: TestNode) => {
  const { body } = await it.client.send('POST', '/api/auth/sign-up', {})
  const { api_key, zid } = body as { api_key: string; zid: string }
  return { client: it.as(api_key), zid }
}

const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause.code
  }
  return 'answered'
}

const resultOf = (id: string) => (endpoints as unknown as readonly Endpoint[]).find((it) => it.id === id)?.result

const bundleOf = async (it: TestNode, answer: Answer, client = it.client): Promise<Bundle> => {
  await it.advanceTicks(1)
  return (await client.send('GET', answer.envelope.bundle)).body as Bundle
}

test('compute: shape, the seven steps, headers, and the bundle verifies offline', async () => {
  await using it = await testNode()
  const { client, zid } = await signedUp(it)
  const { body, headers, status } = await client.send('POST', '/api/svc/compute', GR37)
  const answer = body as Answer
  assert.equal(status, 200)
  const schema = resultOf('compute.compute')
  assert.ok(schema && Check(schema, answer), JSON.stringify(schema && Errors(schema, answer).slice(0, 3)))
  assert.deepEqual([answer.value.toFixed(4), answer.unit, answer.claim.zid], ['2954.0077', 'm', zid])
  const names = ['SELECT', 'BIND', 'VALIDATE', 'COMPUTE', 'VERIFY', 'PULSE', 'RETURN']
  assert.deepEqual(
    answer.protocol_steps.map(({ name }) => name),
    names,
  )
  assert.equal(answer.svcProof, answer.tick_receipt.hmac)
  assert.deepEqual(
    ['X-Svc-Sealed', 'X-Svc-Proof', 'X-Svc-Token', 'X-Svc-Tick', 'X-Svc-Verify'].map((name) => headers.get(name)),
    ['promised', answer.envelope.hash, answer.envelope.token_id, String(answer.claim.tick), answer.envelope.bundle],
  )
  assert.equal(await codeOf(client.send('GET', answer.envelope.bundle)), 'NOT_SEALED_YET')
  const bundle = await bundleOf(it, answer, client)
  assert.equal(verifyBundle({ bundle, trusted: it.node.nodeId }).outcome, 'verified')
  assert.equal(await codeOf(it.client.send('GET', answer.envelope.bundle)), 'NOT_FOUND')
})

test('compute names the branch it took and the others; conditions are shown with the row', async () => {
  await using it = await testNode()
  const { client } = await signedUp(it)
  const malus = { operators: ['OP4'], inputs: { I: 1, I_0: 4 }, solve_for: 'theta' }
  const answer = (await client.send('POST', '/api/svc/compute', malus)).body as Answer & {
    branches: readonly { symbol: string; taken: number; others: readonly number[] }[]
  }
  const schema = resultOf('compute.compute')
  assert.ok(schema && Check(schema, answer))
  assert.deepEqual([answer.branches[0]?.symbol, answer.branches[0]?.taken], ['theta', answer.value])
  assert.ok(answer.branches[0]?.others.some((other) => Math.abs(other + answer.value) < 1e-12))
  const none = (await client.send('POST', '/api/svc/compute', GR37)).body as object
  assert.ok(!('branches' in none))
  const { body } = await client.send('GET', '/api/operators/GARCH_LONG_RUN_VARIANCE')
  assert.deepEqual(
    (body as { requires: readonly { holds: string }[] }).requires.map(({ holds }) => holds),
    ['alpha + beta < 1'],
  )
  const impossible = { operators: ['GARCH_LONG_RUN_VARIANCE'], inputs: { omega: 1e-6, alpha: 0.2, beta: 0.9 } }
  assert.equal(await codeOf(client.send('POST', '/api/svc/compute', impossible)), 'OUT_OF_RANGE')
})

test('compute with uncertain inputs: the shape, linear and drawn; the bundle verifies, bad ones end', async () => {
  await using it = await testNode()
  const { client } = await signedUp(it)
  const schema = resultOf('compute.compute')
  for (const [method, order] of [
    ['linear', { operators: ['NM19'], inputs: { m: '5.0 ± 0.1 kg', a: { value: 2, uncertainty: 0.05 } } }],
    ['linear', { operators: ['NM19'], inputs: { m: 5, a: 2 }, uncertainties: [{ of: ['NM19.m'], standard: 0.1 }] }],
    ['monte-carlo', { operators: ['NM23'], inputs: { m: 2, v: '1 ± 1 m/s' } }],
  ] as const) {
    const answer = (await client.send('POST', '/api/svc/compute', order)).body as Answer & {
      propagated: { method: string }
    }
    assert.ok(schema && Check(schema, answer), JSON.stringify(schema && Errors(schema, answer).slice(0, 3)))
    assert.equal(answer.propagated.method, method)
    const bundle = await bundleOf(it, answer, client)
    assert.equal(verifyBundle({ bundle, trusted: it.node.nodeId }).outcome, 'verified')
  }
  const wrong = { operators: ['NM19'], inputs: { m: 5, a: 2 }, uncertainties: [{ of: ['F'], standard: 1 }] }
  assert.equal(await codeOf(client.send('POST', '/api/svc/compute', wrong)), 'INVALID_INPUT')
  const negative = { operators: ['NM19'], inputs: { m: '5 ± -1 kg', a: 2 } }
  assert.equal(await codeOf(client.send('POST', '/api/svc/compute', negative)), 'INVALID_INPUT')
  const none = (await client.send('POST', '/api/svc/compute', GR37)).body as object
  assert.ok(!('propagated' in none))
})

test('verify names the step that fails, and this node is the default key for its own claims', async () => {
  await using it = await testNode()
  const answer = (await it.client.send('POST', '/api/svc/prove', GR37)).body as Answer
  const bundle = await bundleOf(it, answer)
  const verify = async (given: unknown, key?: string) =>
    (await it.client.send('POST', '/api/envelopes/verify', { bundle: given, ...(key === undefined ? {} : { key }) }))
      .body as { ok: boolean; outcome: string; failing: string | null; token_id: string | null }
  const good = await verify(bundle)
  assert.deepEqual([good.ok, good.outcome, good.token_id], [true, 'verified', answer.envelope.token_id])
  const { claim } = bundle.envelope
  const altered = { ...bundle, envelope: { ...bundle.envelope, claim: { ...claim, value: (claim.value ?? 0) + 1 } } }
  assert.equal((await verify(altered)).failing, 'signature')
  assert.equal((await verify({ ...bundle, result: { output: {}, evidence_digest: null } })).failing, 'result')
  assert.equal((await verify({ nothing: true })).failing, 'form')
  const other = '12D3KooWQK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV'
  assert.equal((await verify(bundle, other)).failing, 'key')
})

test('reverify and attest sign what they found', async () => {
  await using it = await testNode()
  const answer = (await it.client.send('POST', '/api/svc/prove', GR37)).body as Answer
  const bundle = await bundleOf(it, answer)
  const { claim, signature } = bundle.envelope
  const { inputs } = bundle
  type Found = { ok: boolean; verdict: { verdict: string; signer: string; reason: string }; signature: string }
  const post = async (path: string, body: unknown): Promise<Found> =>
    (await it.client.send('POST', path, body)).body as Found
  const again = await post('/api/svc/reverify', { bundle })
  assert.deepEqual([again.ok, again.verdict.verdict, again.verdict.signer], [true, 'agree', 'pinned'])
  assert.ok(verifyVerdict('verdict', again as never))
  assert.ok(!verifyVerdict('attestation', again as never))
  const forged = { ...claim, value: 1 }
  assert.equal((await post('/api/svc/reverify', { claim: forged, inputs })).verdict.verdict, 'disagree')
  assert.equal(await codeOf(post('/api/svc/reverify', { claim: forged, signature, inputs })), 'BAD_SIGNATURE')
  const without = await post('/api/svc/reverify', { claim })
  assert.deepEqual([without.verdict.verdict, without.verdict.signer], ['unverifiable', 'unknown'])
  const origin_public_key = Buffer.from(publicKeyOf(claim.node)).toString('hex')
  const attested = await post('/api/attest', { claim, signature, origin_public_key, inputs })
  assert.ok(attested.ok && verifyVerdict('attestation', attested as never))
  assert.equal(
    await codeOf(post('/api/attest', { claim: forged, signature, origin_public_key, inputs })),
    'BAD_SIGNATURE',
  )
  const nobody = `${'0'.repeat(63)}1`
  assert.equal(await codeOf(post('/api/attest', { claim, signature, origin_public_key: nobody })), 'BAD_PUBLIC_KEY')
})

test('heat: its schema, an envelope with field equations, a verdict; attest says it is no closed form', async () => {
  await using it = await testNode()
  const { client } = await signedUp(it)
  const { body } = await client.send('POST', '/api/svc/heat', SMALL_HEAT)
  const answer = body as Answer & { equations: { propagator: unknown; master: unknown } }
  const schema = resultOf('compute.heat')
  assert.ok(schema && Check(schema, answer), JSON.stringify(schema && Errors(schema, answer).slice(0, 3)))
  assert.ok(answer.equations.propagator !== null && answer.equations.master !== null)
  assert.equal(answer.claim.kind, 'heat')
  const bundle = await bundleOf(it, answer, client)
  const schemas = (claim: Claim) => solverByName(claim.kind)
  const found = verifyBundle({ bundle, trusted: it.node.nodeId, schemas })
  assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
  const again = (await it.client.send('POST', '/api/svc/reverify', { bundle })).body as { verdict: { verdict: string } }
  assert.equal(again.verdict.verdict, 'agree', JSON.stringify(again))
  const { claim, signature } = bundle.envelope
  const origin_public_key = Buffer.from(publicKeyOf(claim.node)).toString('hex')
  const attested = (await it.client.send('POST', '/api/attest', { claim, signature, origin_public_key })).body
  assert.equal((attested as { verdict: { verdict: string } }).verdict.verdict, 'unverifiable')
}, 30_000)

test('respond-async: 202 with Location, frames, the answer by the job, 404 for everyone else', async (signal) => {
  await using it = await testNode()
  const { client } = await signedUp(it)
  const { status, headers, body } = await client.send('POST', '/api/svc/heat', SMALL_HEAT, { prefer: 'respond-async' })
  const { id } = body as { id: string }
  assert.deepEqual([status, headers.get('Location')], [202, `/api/jobs/${id}`])
  let last: { state: string; token_id: string | null } | undefined
  for await (const { data } of client.stream('compute.job-events', { id }, { signal })) {
    last = data as typeof last
    if (last?.state === 'done' || last?.state === 'failed') break
  }
  assert.equal(last?.state, 'done')
  const job = (await client.send('GET', `/api/jobs/${id}`)).body as { answer: Answer }
  assert.equal(job.answer.envelope.token_id, last?.token_id)
  for (const path of [`/api/jobs/${id}`, `/api/jobs/${id}/events`]) {
    assert.equal(await codeOf(it.client.send('GET', path)), 'NOT_FOUND')
  }
  assert.equal(await codeOf(client.send('DELETE', `/api/jobs/${id}`)), 'JOB_FINISHED')
}, 30_000)

test('an Idempotency-Key over HTTP: the same answer, marked', async () => {
  await using it = await testNode()
  const { client } = await signedUp(it)
  const keyed = { idempotencyKey: 'once' }
  const first = await client.send('POST', '/api/svc/compute', GR37, keyed)
  const again = await client.send('POST', '/api/svc/compute', GR37, keyed)
  assert.deepEqual(again.body, first.body)
  assert.deepEqual(
    [first.headers.get('Idempotency-Replayed'), again.headers.get('Idempotency-Replayed')],
    [null, 'true'],
  )
})

test('the catalogue: operators by page, by id, by words; solvers with their schemas', async () => {
  await using it = await testNode()
  const get = async <T>(path: string): Promise<T> => (await it.client.send('GET', path)).body as T
  const page = await get<{ operators: unknown[] }>('/api/operators?limit=5&offset=2')
  assert.equal(page.operators.length, 5)
  assert.equal((await get<{ id: string }>('/api/operators/gr37')).id, 'GR37')
  const found = await get<{ operators: { id: string }[] }>('/api/operators/search?q=gravitation')
  assert.equal(found.operators[0]?.id, 'NM21')
  assert.equal(await codeOf(get('/api/operators/nothing')), 'NOT_FOUND')
  type Ways = {
    operators: { operators: string[]; solve_for: string; given: { write: string }[]; missing: unknown[] }[]
  }
  const ways = await get<Ways>('/api/operators/find?wanted=pressure&known=volume,temperature,%20amount&limit=1')
  const [way] = ways.operators
  assert.deepEqual([ways.operators.length, way?.operators, way?.missing], [1, ['TH2'], []])
  const call = { operators: way?.operators, solve_for: way?.solve_for }
  const inputs = Object.fromEntries((way?.given ?? []).map(({ write }) => [write, 1]))
  const gas = (await it.client.send('POST', '/api/svc/prove', { ...call, inputs })).body as Answer
  // One mole in a cubic metre at one kelvin: the gas constant.
  assert.deepEqual([gas.value.toFixed(6), gas.unit], ['8.314463', 'Pa'])
  assert.equal(await codeOf(get('/api/operators/find?wanted=presure')), 'INVALID_INPUT')
  assert.equal(await codeOf(get('/api/operators/find?known=mass')), 'INVALID_INPUT')
  assert.equal(await codeOf(get('/api/operators/find?wanted=force&limit=51')), 'INVALID_INPUT')
  const { solvers } = await get<{ solvers: { name: string }[] }>('/api/solvers')
  assert.ok(solvers.some(({ name }) => name === 'heat'))
  assert.equal((await get<{ input: { type: string } }>('/api/solvers/heat')).input.type, 'object')
})

test.run()
