/*
 * Goal: the terms of a computation are kept: who may see it, what it costs, what an older client may say, and an answer
 * that every reader understands in one way.
 * Method: a real node on a free port; answers are read by the strict reader that the node's own bodies go through.
 */
import assert from 'node:assert/strict'
import { NodeRefusal } from '#gateway/client.ts'
import { parseObject } from '#gateway/json.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: terms of a computation')

const GR37 = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }
const FIELDS = { bodies: [{ mass: 1 }, { mass: 2 }] }

interface Answer {
  readonly value: number
  readonly envelope: { readonly token_id: string; readonly published: boolean } | null
  readonly unsealed_reason: string | null
}

const refusalOf = async (call: Promise<unknown>): Promise<NodeRefusal> => {
  try {
    await call
  } catch (cause) {
    assert.ok(cause instanceof NodeRefusal, String(cause))
    return cause
  }
  throw new Error('it was answered')
}

const post = async (it: TestNode, path: string, body: object, key?: string): Promise<Answer> =>
  (await (key === undefined ? it.client : it.as(key)).send('POST', path, body)).body as Answer

const accountOf = async (it: TestNode): Promise<{ api_key: string; zid: string }> =>
  it.client.call('identity.sign-up', {})

const recordOf = async (it: TestNode): Promise<readonly string[]> =>
  (await it.client.call('economy.record', {})).records.map(({ token_id }) => token_id)

test('no name stands twice in an answer, at any level', async () => {
  await using it = await testNode()
  const { api_key } = await accountOf(it)
  const ask = async (path: string, body: object): Promise<string> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${api_key}` }
    return (await fetch(new URL(path, it.url), { method: 'POST', headers, body: JSON.stringify(body) })).text()
  }
  for (const [path, body] of [
    ['/api/svc/compute', GR37],
    ['/api/svc/prove', GR37],
    ['/api/svc/heat', { nx: 80, ny: 80 }],
    ['/api/svc/multibody', FIELDS],
  ] as const) {
    const text = await ask(path, body)
    const answer = parseObject(new TextEncoder().encode(text))
    assert.equal(JSON.stringify(answer), JSON.stringify(JSON.parse(text)), path)
    assert.ok('value' in answer && 'unit' in answer && 'envelope' in answer, path)
  }
})

test('publish: a call’s own word, else the account’s choice, which is private until it says otherwise', async () => {
  await using it = await testNode()
  const { api_key: key } = await accountOf(it)
  const compute = async (more: object) => {
    const { envelope, value } = await post(it, '/api/svc/compute', { ...GR37, ...more }, key)
    return { id: envelope?.token_id ?? '', published: envelope?.published, value }
  }
  const silent = await compute({})
  const open = await compute({ publish: true })
  assert.deepEqual([silent.published, open.published], [false, true])
  assert.deepEqual(await recordOf(it), [open.id])
  const client = it.as(key)
  assert.deepEqual(await client.call('economy.publish-default', {}), { ok: true, publish: false })
  assert.deepEqual(await client.call('economy.set-publish-default', { publish: true }), { ok: true, publish: true })
  assert.equal((await client.call('economy.publish-default', {})).publish, true)
  const chosen = await compute({})
  const hidden = await compute({ publish: false })
  const solved = await post(it, '/api/svc/multibody', {}, key)
  assert.deepEqual([chosen.published, hidden.published, solved.envelope?.published], [true, false, true])
  const proved = await post(it, '/api/svc/prove', { ...GR37, publish: true })
  const ids = [proved.envelope?.token_id, solved.envelope?.token_id, chosen.id, open.id]
  assert.deepEqual(await recordOf(it), ids)
  const text = JSON.stringify((await it.client.call('economy.record', {})).records)
  // In full: a few digits stand in some hash sooner or later.
  for (const secret of ['mass', '1.98892e+30', String(chosen.value), 'zid1']) assert.ok(!text.includes(secret), secret)
  const demo = await it.client.call('economy.mint-demo-key', {})
  assert.equal((await refusalOf(it.as(demo.key).call('economy.publish-default', {}))).code, 'SCOPE_REQUIRED')
})

test('publish is part of what an Idempotency-Key stands for', async () => {
  await using it = await testNode()
  const { api_key: key } = await accountOf(it)
  const send = (more: object) =>
    it.as(key).send('POST', '/api/svc/compute', { ...GR37, ...more }, { idempotencyKey: 'one' })
  const first = (await send({ publish: true })).body as Answer
  assert.equal(((await send({ publish: true })).body as Answer).envelope?.token_id, first.envelope?.token_id)
  assert.equal((await refusalOf(send({}))).code, 'IDEMPOTENCY_KEY_REUSED')
})

test('an answer that can have no envelope has no price: neither a balance nor a demo call is asked for', async () => {
  await using it = await testNode()
  const { key } = await it.client.call('economy.mint-demo-key', {})
  for (let left = 100; left >= 3; left -= 3) await post(it, '/api/svc/compute', GR37, key)
  assert.equal((await refusalOf(post(it, '/api/svc/multibody', {}, key))).code, 'INSUFFICIENT_BALANCE')
  const free = await post(it, '/api/svc/multibody', FIELDS, key)
  assert.equal(free.envelope, null)
  assert.match(free.unsealed_reason ?? '', /dissipative/)
  const quote = (input: Record<string, unknown>) =>
    it.client.call('compute.quote', { route: '/api/svc/multibody', input })
  assert.deepEqual([(await quote(FIELDS)).price, (await quote({})).price], [0, 3])
  const shared = await it.client.call('economy.demo-key', {})
  for (let i = 0; i < 11; i++) await post(it, '/api/svc/multibody', FIELDS, shared.key)
  assert.equal((await it.as(shared.key).call('economy.credits', {})).calls_left_today, 10)
}, 30_000)

test('members of earlier versions: what is done anyway may be said, what is not is refused by its name', async () => {
  await using it = await testNode()
  const said = { domain: 'Relativity', mode: 'algebraic', precision: 0.001, proof: true, compliance_envelope: false }
  assert.ok((await post(it, '/api/svc/prove', { ...GR37, ...said })).envelope !== null)
  assert.ok((await post(it, '/api/svc/prove', { ...GR37, mode: 'strict' })).envelope !== null)
  const leaves = it.node.store.log.size
  for (const [name, value] of [
    ['domain', 'quantum'],
    ['mode', 'ode'],
    ['precision', 0.1],
    ['precision', 1e-9],
    ['proof', false],
    ['compliance_envelope', true],
    ['publish', 'yes'],
    ['cross_domain', true],
  ] as const) {
    for (const [path, body] of [
      ['/api/svc/prove', { ...GR37, [name]: value }],
      ['/api/quote', { route: 'POST /api/svc/prove', input: { ...GR37, [name]: value } }],
    ] as const) {
      const { code, message } = await refusalOf(post(it, path, body))
      assert.equal(code, 'INVALID_INPUT', `${path} ${name}`)
      assert.ok(message.includes(name), `${path}: ${message}`)
    }
  }
  assert.equal(it.node.store.log.size, leaves)
})

test('the typed client knows each solver: members of its input by name, and those of its answer', async () => {
  await using it = await testNode()
  const { api_key } = await accountOf(it)
  const client = it.as(api_key)
  const heat = await client.call('compute.heat', { nx: 64, ny: 64, initial: { kind: 'box' } })
  assert.deepEqual([heat.nx, heat.envelope?.kind, heat.unit], [64, 'heat', 'K'])
  // @ts-expect-error The type checker refuses what the node refuses.
  assert.equal((await refusalOf(client.call('compute.heat', { nn: 64 }))).code, 'INVALID_INPUT')
})

test('jobs: listed for their owner, newest first; an address or the shared key lists nobody’s', async () => {
  await using it = await testNode()
  const [mine, other] = [await accountOf(it), await accountOf(it)]
  const begin = async (key: string, prefer: string) => {
    const { headers, body } = await it.as(key).send('POST', '/api/svc/multibody', {}, { prefer })
    return { id: (body as { id: string }).id, applied: headers.get('Preference-Applied') }
  }
  const first = await begin(mine.api_key, 'respond-async')
  await it.advanceTicks(1)
  const second = await begin(mine.api_key, 'wait=0')
  assert.deepEqual([first.applied, second.applied], ['respond-async', 'wait=0'])
  const list = await it.as(mine.api_key).call('compute.jobs', {})
  assert.deepEqual([list.total, list.jobs.map(({ id }) => id)], [2, [second.id, first.id]])
  const page = await it.as(mine.api_key).call('compute.jobs', { limit: 1, offset: 1 })
  assert.deepEqual([page.total, page.jobs.map(({ id }) => id)], [2, [first.id]])
  assert.equal((await it.as(other.api_key).call('compute.jobs', {})).total, 0)
  const shared = await it.client.call('economy.demo-key', {})
  assert.equal((await refusalOf(it.as(shared.key).call('compute.jobs', {}))).code, 'SCOPE_REQUIRED')
  assert.equal((await refusalOf(it.client.call('compute.jobs', {}))).code, 'UNAUTHENTICATED')
})

test.run()
