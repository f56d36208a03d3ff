/**
 * Goal: two whole nodes do over HTTP and libp2p what protocol.md says of the mesh: an event and a head arrive, and
 * tampered, lifted, stale and repeated ones are answered by code, dropped and counted. Method: real nodes on loopback
 * with clocks that stand until moved; requests are plain HTTP, written as another implementation would.
 */
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import type { MeshEvent } from '#core/events.ts'
import { eventBytes } from '#core/events.ts'
import { author } from '../domain/network/party.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'

const test = suite('mesh of two nodes')
const random = seeded()
const SECRET = 'two nodes share this secret, of more than 32 bytes'

/** The header as definitions.md writes it, without our own code. */
const header = (sender: string, tick: number, body: string): string => {
  const hash = createHash('sha256').update(body).digest('hex')
  const mac = createHmac('sha256', SECRET).update(`tickmesh/handshake/1\n${sender}\n${tick}\n${hash}`).digest('hex')
  return `v1;${sender};${tick};${mac}`
}
const bodyOf = (event: MeshEvent): string => `{"event":${new TextDecoder().decode(eventBytes(event))}}`

const post = async ({ url }: TestNode, body: string, handshake?: string): Promise<{ status: number; body: object }> => {
  const headers = {
    'Content-Type': 'application/json',
    ...(handshake === undefined ? {} : { 'X-Node-Handshake': handshake }),
  }
  const response = await fetch(`${url}/api/mesh/gossip`, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as object }
}
const status = (it: TestNode) => it.client.call('network.mesh-status', {})

test('an event by HTTP and a head by sealing reach the other node; what does not fit is counted', async (signal) => {
  await using a = await testNode({ settings: { 'p2p.enabled': true, 'mesh.secret': SECRET } })
  const [address = ''] = (await status(a)).addresses
  await using b = await testNode({ settings: { 'p2p.enabled': true, 'mesh.secret': SECRET, bootstrap: address } })
  const isJoined = async (it: TestNode): Promise<boolean> => (await status(it)).peers[0]?.state === 'compatible'
  await until(() => isJoined(a), signal)
  await until(() => isJoined(b), signal)
  // A presence is said again 4 ticks after someone new listens, so one that arrived shows that gossip flows that way.
  await until(async () => {
    for (const it of [a, b]) await it.advanceTicks(4)
    return (await status(b)).counters.received.libp2p > 0
  }, signal)
  const now = a.node.store.now().meshTick

  const other = author(random)
  const good = bodyOf(other.presence(now))
  const made = header(other.node, now, good)
  const received = await post(a, good, made)
  assert.equal(received.status, 200)
  assert.partialDeepStrictEqual(received.body, { status: 'received', eventType: 'presence' })
  const seen = await until(async () => (await status(b)).peers.find((it) => it.node === other.node), signal)
  assert.equal(seen.connected, false)

  const tampered = good.replace('"version":"0.1.0"', '"version":"0.1.1"')
  const rows: readonly (readonly [string, string | undefined, number, object])[] = [
    [good, made, 200, { status: 'duplicate' }],
    [good, header(other.node, now + 1, good), 200, { status: 'duplicate', eventType: 'presence' }],
    [good, undefined, 401, { code: 'MISSING_HANDSHAKE' }],
    [good, made.replace('v1;', 'v0;'), 401, { code: 'BAD_HANDSHAKE' }],
    [good, header(other.node, now - 121, good), 401, { code: 'STALE_HANDSHAKE' }],
    [tampered, made, 401, { code: 'BAD_HANDSHAKE' }],
    [tampered, header(other.node, now, tampered), 400, { code: 'BAD_SIGNATURE' }],
    ['{"event":', header(other.node, now, '{"event":'), 400, { code: 'MALFORMED_JSON' }],
    ['{}', header(other.node, now, '{}'), 400, { code: 'INVALID_INPUT' }],
    [good + ' '.repeat(65_536 - good.length), made, 413, { code: 'BODY_TOO_LARGE' }],
  ]
  for (const [body, handshake, code, expected] of rows) {
    const answered = await post(a, body, handshake)
    assert.equal(answered.status, code, JSON.stringify(answered.body))
    assert.partialDeepStrictEqual(answered.body, expected)
  }
  const { counters } = await status(a)
  assert.partialDeepStrictEqual(counters, {
    received: { http: 1 },
    repeated: { replayed: 1, duplicate: 1 },
    dropped: { missing: 1, bad: 1, stale: 1, lifted: 1, bad_signature: 1, malformed: 1, schema: 1 },
  })
  const metrics = await (await fetch(`${a.url}/metrics`)).text()
  assert.match(metrics, /gossip_dropped_total\{reason="lifted"\} 1/)

  await a.advanceTicks(1)
  await b.advanceTicks(1)
  const { key } = await a.client.call('economy.demo-key', {})
  await a.as(key).call('compute.heat', {})
  await a.advanceTicks(1)
  await b.advanceTicks(1)
  const note = a.node.store.log.checkpoint?.note
  const head = await until(async () => (await status(b)).heads.find((it) => it.note === note), signal)
  assert.deepEqual([head.node, head.size], [a.node.nodeId, a.node.store.log.checkpoint?.size])
}, 30_000)

test('one address brings 60 messages a minute, bad ones included; the rest of the node still answers', async () => {
  await using it = await testNode({ settings: { 'mesh.secret': SECRET } })
  for (let left = 60; left > 0; left--) assert.equal((await post(it, '{}')).status, 401)
  const refused = await post(it, '{}')
  assert.equal(refused.status, 429)
  assert.partialDeepStrictEqual(refused.body, { code: 'RATE_LIMITED', limit: 60 })
  assert.equal((await status(it)).counters.dropped['missing'], 60)
})

test('after a restart a handshake in its window is taken once more, and changes nothing by it', async () => {
  using dir = tempDir()
  const settings = { 'mesh.secret': SECRET }
  const other = author(random)
  const answers: object[] = []
  let made: readonly [string, string] | undefined
  for (let start = 0; start < 2; start++) {
    await using it = await testNode({ directory: dir.path, settings })
    const now = it.node.store.now().meshTick
    const body = bodyOf(other.presence(now))
    made ??= [body, header(other.node, now, body)]
    const size = it.node.store.log.size
    for (let i = 0; i < 2; i++) answers.push((await post(it, ...made)).body)
    assert.equal(it.node.store.log.size, size)
    assert.deepEqual((await status(it)).peers.length, 1)
  }
  assert.deepEqual(
    answers.map((it) => (it as { readonly status: string }).status),
    ['received', 'duplicate', 'received', 'duplicate'],
  )
})

test('without a secret the HTTP entrance is closed before anything is looked at; status answers', async () => {
  await using it = await testNode()
  const answered = await post(it, 'not even JSON', 'no handshake')
  assert.equal(answered.status, 503)
  assert.partialDeepStrictEqual(answered.body, { code: 'MESH_SECRET_MISSING' })
  const shown = await status(it)
  assert.partialDeepStrictEqual(shown, {
    coherenceScore: null,
    recentGossipCount: 0,
    lastGossip: 0,
    lastGossipTick: null,
    meshSize: 1,
    activeNodes: 1,
    private: false,
    addresses: [],
    node: it.node.nodeId,
  })
})

test.run()
