/**
 * Goal: a lasting event is a signed leaf before anybody hears of it, counts the same whatever way and order it comes
 * in; one that is malformed or badly signed changes nothing. Method: real stores; events that are recorded,
 * gossiped and synced, assertions in both orders of two sources.
 */
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import { EVENT_BYTES_MAX, eventBytes, eventLeaf, type MeshEvent, parseEvent, signEvent } from '#core/events.ts'
import { publicKeyOfSeed, signValue, zidOf } from '#core/keys.ts'
import { TICK_NS } from '#core/tick.ts'
import { openFrame } from '#domain/network/frame.ts'
import type { Channel } from '#domain/network/outlet.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { START } from '../../kit/clock.ts'
import { testNode } from '../../kit/node.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { type Keeper, keeper, rowsIn, syncBetween } from './keeper.ts'
import { author, body } from './party.ts'

const test = suite('domain/network: lasting events')
const random = seeded()

/** What a ZID's key signs when it names a node. */
const assertion = (key: Uint8Array, node: string, mesh_tick: number) => {
  const signed = { node, public_key: toHex(publicKeyOfSeed(key)), mesh_tick }
  return { ...signed, signature: signValue(key, purposes.signUp, signed) }
}

/** A transport that keeps what it is given. */
const listening = ({ network }: Keeper) => {
  const sent: { readonly channel: Channel; readonly data: Uint8Array }[] = []
  network.attach({
    transport: 'libp2p',
    publish: (channel, data) => sent.push({ channel, data }) > 0,
    listen: () => undefined,
    addresses: () => [],
    acquaint: () => undefined,
  })
  return sent
}

const meshTick = (it: Keeper): number => it.store.now().meshTick
const hear = (it: Keeper, event: MeshEvent, from = event.sourceNodeId) =>
  it.network.receive(body(event), { kind: 'libp2p', channel: 'event', from })

test('a recorded event is a leaf at its own index, durable before it is gossiped, and its head follows', async () => {
  using dir = tempDir()
  const seed = random.bytes(32)
  let leaf: Uint8Array | undefined
  {
    await using it = await keeper(random, { directory: dir.path, seed })
    const sent = listening(it)
    await it.write(3)
    sent.length = 0
    const key = random.bytes(32)
    const event = await it.network.record('identity.assert', assertion(key, it.node, meshTick(it)))
    assert.equal(event.seq, 4)
    assert.equal(event.tick, meshTick(it))
    leaf = eventLeaf(event)
    assert.deepEqual(await it.store.events.leaf(4), leaf)
    assert.deepEqual(
      sent.map(({ channel, data }) => [channel, openFrame(data).body]),
      [['event', body(event)]],
    )
    assert.deepEqual(it.store.peek('assertion', zidOf(publicKeyOfSeed(key)))?.node, it.node)
    it.clock.advanceTicks(1)
    await it.store.closeTick()
    it.network.peering.beat()
    // What the beat says is signed before it is sent; the marker queues behind it.
    await it.network.announce('presence', { addresses: [], genesisTick: 0, registry_version: '', version: 'marker' })
    const heads = sent.filter(({ channel }) => channel === 'head')
    assert.equal(heads.length, 1)
    const head = parseEvent(openFrame(heads[0]!.data).body.slice('{"event":'.length, -1))
    assert.deepEqual(head.payload, { note: it.note() })
  }
  await using again = await keeper(random, { directory: dir.path, seed })
  assert.deepEqual(await again.store.events.leaf(4), leaf)
})

test('a payload that its type refuses is not recorded, and changes nothing', async () => {
  await using it = await keeper(random)
  const key = random.bytes(32)
  const now = meshTick(it)
  const good = assertion(key, it.node, now)
  const bad: readonly Json[] = [
    null,
    {},
    { ...good, more: 1 },
    { ...good, mesh_tick: now + 1 },
    { ...good, signature: 'ab'.repeat(64) },
    { ...good, public_key: '00'.repeat(32) },
    assertion(key, author(random).node, now),
    assertion(key, it.node, now + 121),
    assertion(key, it.node, now - 121),
  ]
  for (const payload of bad) {
    await assert.rejects(it.network.record('identity.assert', payload), { code: 'INVALID_INPUT' })
  }
  assert.equal(it.store.events.size, 0)
  assert.deepEqual(await rowsIn(it, 'assertion'), [])
  await it.network.record('identity.assert', good)
  assert.equal(it.store.events.size, 1)
})

test('of assertions of one key the newest names its node, in whatever order they come', async () => {
  await using a = await keeper(random)
  await using b = await keeper(random)
  const key = random.bytes(32)
  const zid = zidOf(publicKeyOfSeed(key))
  const now = meshTick(a)
  const said = [
    [a, now - 5],
    [b, now + 7],
    [a, now + 3],
    [b, now - 50],
    [a, now + 7],
    [b, now + 3],
  ] as const
  const expected = a.node > b.node ? a.node : b.node
  for (const [it, at] of said) await it.network.record('identity.assert', assertion(key, it.node, at))
  for (const it of [a, b]) {
    it.clock.advanceTicks(1)
    await it.store.closeTick()
  }
  for (const order of [
    [a, b],
    [b, a],
  ]) {
    await using other = await keeper(random)
    for (const source of order) assert.ok((await syncBetween(other, source)).own.ok)
    assert.deepEqual(other.store.peek('assertion', zid), {
      public_key: toHex(publicKeyOfSeed(key)),
      node: expected,
      mesh_tick: now + 7,
    })
    assert.equal((await rowsIn(other, 'assertion')).length, 1)
  }
})

test('a gossiped lasting event is a hint: judged, passed on, and without effect until its leaf comes', async () => {
  await using source = await keeper(random)
  await using it = await keeper(random)
  const key = random.bytes(32)
  const event = await source.network.record('identity.assert', assertion(key, source.node, meshTick(source)))
  assert.equal(hear(it, event).status, 'received')
  assert.equal(hear(it, event).status, 'duplicate')
  assert.deepEqual([await rowsIn(it, 'assertion'), await rowsIn(it, 'foreignLog')], [[], []])

  const { signature: _, ...unsigned } = event
  const payload = event.payload as { readonly node: string; readonly public_key: string; readonly mesh_tick: number }
  const refused: readonly (readonly [string, MeshEvent])[] = [
    ['bad_signature', { ...event, seq: 9 }],
    ['schema', signEvent(source.seed, { ...unsigned, payload: { ...payload, mesh_tick: payload.mesh_tick + 1 } })],
    ['schema', signEvent(source.seed, { ...unsigned, payload: {} })],
    ['schema', signEvent(it.seed, { ...unsigned, sourceNodeId: it.node })],
    ['schema', author(random).event({ seq: 1, tick: meshTick(it), payload: {} })],
    ['schema', signEvent(source.seed, { ...unsigned, type: 'work' })],
    ['schema', signEvent(source.seed, { ...unsigned, tick: event.tick - 121 })],
  ]
  for (const [reason, one] of refused) {
    const outcome = hear(it, one)
    assert.deepEqual([outcome.status, 'reason' in outcome ? outcome.reason : ''], ['dropped', reason])
  }
  source.clock.advanceTicks(1)
  await source.store.closeTick()
  assert.ok((await syncBetween(it, source)).own.ok)
  assert.equal((await rowsIn(it, 'assertion')).length, 1)
})

test('leaves that are no sound event of their log are kept, as the root needs them, and change nothing', async () => {
  await using source = await keeper(random)
  const now = meshTick(source)
  const key = random.bytes(32)
  const other = await author(random)
  const good = (seq: number) => ({
    ...({ v: 1, type: 'identity.assert', sourceNodeId: source.node, seq, tick: now } as const),
    payload: assertion(key, source.node, now),
  })
  const leaf = (text: string): Uint8Array => withPurpose(purposes.eventLeaf, utf8(text))
  const makers: readonly ((seq: number) => Uint8Array)[] = [
    (seq) => eventLeaf({ ...signEvent(source.seed, good(seq)), signature: '00'.repeat(64) }),
    (seq) => eventLeaf(signEvent(source.seed, { ...good(seq), seq: seq + 1 })),
    (seq) => eventLeaf(signEvent(other.seed, { ...good(seq), sourceNodeId: other.node })),
    (seq) => leaf(` ${new TextDecoder().decode(eventBytes(signEvent(source.seed, good(seq))))}`),
    (seq) => eventLeaf(signEvent(source.seed, { ...good(seq), payload: { ...good(seq).payload, mesh_tick: now + 1 } })),
    (seq) => eventLeaf(signEvent(source.seed, { ...good(seq), type: 'bond' })),
    () => leaf('not JSON'),
    () => leaf(''),
    () => leaf(`{"type":"identity.assert","v":1}`),
    () => withPurpose(purposes.eventLeaf, random.bytes(300)),
    () => withPurpose(purposes.eventLeaf, canonicalBytes({ filler: 'x'.repeat(EVENT_BYTES_MAX - 13) })),
  ]
  await source.store.commit((tx) => {
    for (const make of makers) tx.append(purposes.eventLeaf, make, 'events')
  })
  source.clock.advanceTicks(1)
  await source.store.closeTick()
  await using it = await keeper(random)
  assert.deepEqual((await syncBetween(it, source)).own, { ok: true, leaves: makers.length + 1 })
  assert.deepEqual(await rowsIn(it, 'assertion'), [])
  await using third = await keeper(random)
  assert.deepEqual((await syncBetween(third, it)).own, { ok: true, leaves: makers.length + 1 })
})

test("the owner's ZID is asserted once, and what a log that took nothing left out is made up for", async (signal) => {
  using dir = tempDir()
  let zid = ''
  {
    await using it = await testNode({ directory: dir.path })
    const { store, nodeId } = it.node
    const node = await it.client.call('identity.node', {})
    zid = node.zid
    assert.deepEqual(store.peek('assertion', zid)?.node, nodeId)
    assert.equal(store.events.size, 1)
    await it.advanceTicks(3)
    assert.deepEqual([store.events.size, store.events.checkpoint?.size], [2, 2])
    // As the directory of an earlier release, which told nobody.
    await store.commit((tx) => {
      tx.del('assertion', zid)
      tx.put('assertionCount', 'all', 0)
    })
  }
  {
    // Its clock is behind: the log takes nothing, and the node runs all the same.
    await using it = await testNode({ directory: dir.path, start: START + TICK_NS })
    const { store } = it.node
    assert.deepEqual([store.clockBehind, store.events.size, store.peek('assertion', zid)], [true, 2, undefined])
    await it.advanceTicks(4)
    await it.advanceTicks(1)
    assert.equal((await until(() => store.peek('assertion', zid), signal)).node, it.node.nodeId)
    // A row is seen a moment before its log has grown: the leaf is there when the log says so.
    const size = await until(() => store.events.size > 2 && store.events.size, signal)
    for (let i = 0; i < 4; i += 1) await it.advanceTicks(1)
    assert.ok(store.events.size <= size + 1, 'a leaf for its tick, and no second assertion')
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('a sign-up is asserted in the event log, under either custody, and each new proof asserts it anew', async () => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path })
    const owners = it.node.store.events.size
    const made = await it.client.call('identity.sign-up', {})
    const key = random.bytes(32)
    const public_key = toHex(publicKeyOfSeed(key))
    const prove = (mesh_tick: number) => {
      const signature = signValue(key, purposes.signUp, { node: it.node.nodeId, public_key, mesh_tick })
      return it.client.call('identity.sign-up', { public_key, signature, mesh_tick })
    }
    const now = it.node.store.now().meshTick
    const own = await prove(now)
    await prove(now + 9)
    const { store } = it.node
    assert.equal(store.events.size, owners + 3)
    assert.deepEqual(store.peek('assertion', made.zid)?.node, it.node.nodeId)
    assert.deepEqual(store.peek('assertion', own.zid), { public_key, node: it.node.nodeId, mesh_tick: now + 9 })
    await it.advanceTicks(1)
    assert.equal(store.events.checkpoint?.size, owners + 4)
    // Refused sign-ups assert nothing.
    await assert.rejects(prove(now + 9))
    assert.equal(store.events.size, owners + 4)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test.run()
