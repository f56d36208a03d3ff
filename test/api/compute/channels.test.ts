// Goal: channels over HTTP: the key is shown once and reaches its own channel alone, legacy paths answer alike and
// say what took their place, ticks carry the five headers of a seal, and a repeat makes and seals nothing twice.
// Method: a real node, asked by fetch, with the keys of the owner, of the channel, of another channel, of a stranger.
import assert from 'node:assert/strict'
import { nodeOfLog } from '#core/ids.ts'
import { verifyBundle } from '#core/verify.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { accountOf, RADIUS, tickBy } from '../../domain/channels/channel-kit.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: channels')

const SEAL = ['x-svc-sealed', 'x-svc-proof', 'x-svc-token', 'x-svc-tick', 'x-svc-verify'] as const

/** What of answers is looked at here. */
interface Said {
  readonly code: string
  readonly next: number
  readonly key: string
  readonly token_id: string
  readonly stream: { readonly id: string; readonly slug: string; readonly status: string; readonly count: number }
  readonly claim: { readonly token_id: string }
  readonly envelope: { readonly token_id: string; readonly claim: unknown }
}

const asks =
  (url: string) =>
  async (route: string, key: string, body?: object, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = route.split(' ')
    const content = method === 'GET' ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...content, ...headers },
      ...(method !== 'GET' && { body: JSON.stringify(body ?? {}) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Said }
  }

test('the key of a channel ticks and reads its own, neither patches nor closes, and reaches nothing else', async () => {
  await using it = await testNode()
  const ask = asks(it.url)
  const { key: mine } = await accountOf(it)
  const { key: stranger } = await accountOf(it)
  const made = await ask('POST /api/svc/stream/channels', mine, RADIUS)
  assert.equal(made.status, 201)
  const { key, stream } = made.body
  assert.match(key, /^sck_[0-9A-Za-z]{43}$/)
  const other = await ask('POST /stream/channels', mine, RADIUS)
  const { key: another } = other.body
  const at = `/api/svc/streams/${stream.id}`
  const rows: readonly (readonly [string, string, number])[] = [
    [`GET ${at}`, key, 200],
    [`POST ${at}/tick`, key, 200],
    [`GET ${at}/latest`, key, 200],
    [`PATCH ${at}`, key, 403],
    [`POST ${at}/close`, key, 403],
    [`GET /api/svc/streams/${other.body.stream.id}`, key, 404],
    ['POST /api/svc/stream/channels', key, 403],
    ['POST /api/svc/compute', key, 403],
    ['GET /api/credits/status', key, 403],
    ['GET /api/auth/keys', key, 403],
    [`GET /api/chain/${stream.slug}/state`, key, 403],
    [`GET ${at}`, another, 404],
    [`POST ${at}/tick`, another, 404],
    [`GET ${at}`, stranger, 404],
    [`POST ${at}/tick`, stranger, 404],
    [`PATCH ${at}`, stranger, 404],
    [`POST ${at}/close`, stranger, 404],
    [`GET ${at}`, `sck_${'0'.repeat(43)}`, 401],
    [`PATCH ${at}`, mine, 200],
  ]
  const got: unknown[] = []
  for (const [route, by] of rows) got.push([route, by, (await ask(route, by)).status])
  assert.deepEqual(got, rows)
  const demo = (await it.client.call('economy.demo-key', {})).key
  assert.equal((await ask('POST /api/svc/stream/channels', demo, RADIUS)).status, 403)
  const { body } = await ask(`POST ${at}/close`, mine)
  assert.equal(body.stream.status, 'closed')
  assert.equal((await ask(`POST ${at}/tick`, key)).body.code, 'CHANNEL_CLOSED')
  assert.equal((await ask(`GET ${at}/latest`, key)).status, 200)
})

test('the key of a channel shows the receipts of its ticks, which verify offline, and no other envelope', async () => {
  await using it = await testNode()
  const ask = asks(it.url)
  const { client, key: mine } = await accountOf(it)
  const { stream, key } = (await ask('POST /api/svc/stream/channels', mine, RADIUS)).body
  const { key: another } = (await ask('POST /api/svc/stream/channels', mine, RADIUS)).body
  // Whoever asks for a tick: its key, its owner, and the channel by itself.
  const bySelf = await ask(`POST /api/svc/streams/${stream.id}/tick`, key)
  const byOwner = await ask(`POST /api/svc/streams/${stream.id}/tick`, mine)
  await client.call('compute.stream-patch', { id: stream.id, autotick: true })
  await tickBy(it, 2)
  const { token_id: newest } = (await ask(`GET /api/svc/streams/${stream.id}/latest`, key)).body
  const { envelope: beside } = await client.call('compute.compute', { ...RADIUS, operators: ['GR37'] })
  await it.advanceTicks(2)
  const tokens = [bySelf, byOwner].map(({ body }) => body.envelope.token_id)
  assert.equal(new Set([...tokens, newest]).size, 3)
  const { origin } = (await it.client.call('explorer.status', {})).log
  for (const token of [...tokens, newest]) {
    const shown = await ask(`GET /api/envelopes/${token}/bundle`, key)
    assert.equal(shown.status, 200, shown.text)
    const { outcome } = verifyBundle({ bundle: shown.body, trusted: nodeOfLog(origin), schemas: schemasHere })
    assert.equal(outcome, 'verified')
    assert.equal((await ask(`GET /api/envelopes/${token}/bundle`, another)).status, 404)
    assert.equal((await ask(`GET /api/envelopes/${token}`, key)).status, 403)
  }
  assert.equal((await ask(`GET /api/envelopes/${beside?.token_id}/bundle`, key)).status, 404)
  assert.equal((await ask(`GET /api/envelopes/${beside?.token_id}/bundle`, mine)).status, 200)
})

test('ticks and outputs carry the headers of the seal; legacy paths answer alike and say what is new', async () => {
  await using it = await testNode()
  const ask = asks(it.url)
  const { key: mine } = await accountOf(it)
  const { body } = await ask('POST /stream/channels', mine, RADIUS)
  const id = body.stream.id
  const tick = await ask(`POST /stream/channels/${id}/tick`, mine)
  for (const name of SEAL) assert.notEqual(tick.headers.get(name), null, name)
  assert.equal(tick.headers.get('deprecation'), '@1795132800')
  assert.equal(tick.headers.get('link'), `</api/svc/streams/${id}/tick>; rel="successor-version"`)
  assert.equal(tick.headers.get('x-svc-token'), tick.body.envelope.token_id)
  for (const suffix of ['', '/latest']) {
    const [old, now] = [
      await ask(`GET /stream/channels/${id}${suffix}`, mine),
      await ask(`GET /api/svc/streams/${id}${suffix}`, mine),
    ]
    assert.deepEqual([old.status, old.text], [200, now.text])
    assert.equal(now.headers.get('deprecation'), null)
    assert.equal(old.headers.get('deprecation'), '@1795132800')
  }
  const latest = await ask(`GET /api/svc/streams/${id}/latest`, mine)
  for (const name of SEAL.slice(1)) assert.equal(latest.headers.get(name), tick.headers.get(name), name)
  assert.equal(latest.body.token_id, tick.body.claim.token_id)
  assert.deepEqual(latest.body.envelope.claim, tick.body.claim)
})

test('a repeat under one Idempotency-Key makes one channel, shows its key again, and seals one tick', async () => {
  await using it = await testNode()
  const ask = asks(it.url)
  const { key: mine } = await accountOf(it)
  const once = { 'Idempotency-Key': 'made-once-0123456789' }
  const [one, two] = [
    await ask('POST /api/svc/stream/channels', mine, RADIUS, once),
    await ask('POST /api/svc/stream/channels', mine, RADIUS, once),
  ]
  assert.deepEqual([one.status, two.status, one.body.key], [201, 201, two.body.key])
  assert.equal(one.body.stream.id, two.body.stream.id)
  assert.equal(two.headers.get('idempotency-replayed'), 'true')
  const id = one.body.stream.id
  const tick = () => ask(`POST /api/svc/streams/${id}/tick`, one.body.key, {}, once)
  const [first, second] = [await tick(), await tick()]
  assert.deepEqual([first.body.stream, first.body.claim], [second.body.stream, second.body.claim])
  assert.equal((await ask(`GET /api/svc/streams/${id}`, mine)).body.stream.count, 1)
  const taken = await ask(`POST /api/svc/streams/${id}/tick`, mine, { count: 1 })
  assert.deepEqual([taken.status, taken.body.code, taken.body.next], [409, 'TICK_TAKEN', 2])
  for (const body of [{ count: 0 }, { count: 1.5 }, { more: 1 }]) {
    assert.equal((await ask(`POST /api/svc/streams/${id}/tick`, mine, body)).status, 400)
  }
  for (const body of [{}, { operators: ['NO1'] }, { ...RADIUS, tickIntervalTicks: 0 }, { ...RADIUS, more: 1 }]) {
    assert.equal((await ask('POST /api/svc/stream/channels', mine, body)).status, 400, JSON.stringify(body))
  }
})

test('an account lists its own channels, newest first and page by page, before and after a restart', async () => {
  using dir = tempDir()
  const keys: string[] = []
  const made: string[] = []
  const ids = ({ streams }: { readonly streams: readonly { readonly id: string }[] }) => streams.map(({ id }) => id)
  {
    await using it = await testNode({ directory: dir.path })
    const ask = asks(it.url)
    const { client, key } = await accountOf(it)
    const { client: other, key: another } = await accountOf(it)
    keys.push(key, another)
    assert.deepEqual(ids(await client.call('compute.streams', {})), [])
    for (let i = 0; i < 5; i++) {
      made.unshift((await client.call('compute.stream-create', RADIUS)).stream.id)
      await other.call('compute.stream-create', RADIUS)
    }
    const [newest = '', second = ''] = made
    await client.call('compute.stream-tick', { id: newest })
    await client.call('compute.stream-close', { id: second })
    const { streams, ...page } = await client.call('compute.streams', { limit: 2 })
    assert.deepEqual(page, { ok: true, total: 5, limit: 2, offset: 0 })
    const { inputs, template, oracles, ...summary } = (await client.call('compute.stream', { id: newest })).stream
    assert.deepEqual([streams[0], inputs, template, oracles], [summary, RADIUS.inputs, null, {}])
    const closed = await client.call('compute.streams', { status: 'closed' })
    assert.deepEqual([closed.total, ids(closed)], [1, [second]])

    const legacy = await ask('GET /stream/channels?limit=2', key)
    const now = await ask('GET /api/svc/streams?limit=2', key)
    assert.deepEqual([legacy.status, legacy.text], [200, now.text])
    assert.deepEqual([legacy.headers.get('deprecation'), now.headers.get('deprecation')], ['@1795132800', null])
    const { api_key: scoped } = await client.call('machines.create', {})
    const { key: own } = await client.call('compute.stream-create', RADIUS)
    made.unshift(ids(await client.call('compute.streams', { limit: 1 }))[0] ?? '')
    const demo = (await it.client.call('economy.demo-key', {})).key
    for (const by of [scoped, own, demo]) {
      const refused = await ask('GET /api/svc/streams', by)
      assert.deepEqual([refused.status, refused.body.code], [403, 'SCOPE_REQUIRED'])
    }
    for (const query of ['limit=0', 'limit=201', 'offset=-1', 'status=none', 'more=1']) {
      assert.equal((await ask(`GET /api/svc/streams?${query}`, key)).status, 400, query)
    }
  }
  await using it = await testNode({ directory: dir.path })
  const [mine, others] = keys.map((key) => it.as(key))
  assert.deepEqual(ids((await mine?.call('compute.streams', {})) ?? { streams: [] }), made)
  const pages: string[] = []
  for (const offset of [0, 4, 8]) {
    pages.push(...ids((await mine?.call('compute.streams', { limit: 4, offset })) ?? { streams: [] }))
  }
  assert.deepEqual(pages, made)
  const theirs = ids((await others?.call('compute.streams', {})) ?? { streams: [] })
  assert.deepEqual([theirs.length, theirs.some((id) => made.includes(id))], [5, false])
})

test.run()
