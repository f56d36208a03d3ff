/**
 * Goal: on real libp2p, events and heads arrive; tampered, lifted, stale, repeated, oversized, misspelled and
 * misattributed ones are dropped under the right reason; status is exchanged; a stopped host leaves nothing behind.
 * Method: hosts on loopback in this process and a stranger that publishes any bytes; waits are on what reaches the
 * service, never on time.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { eventBytes } from '#core/events.ts'
import { frameOf } from '#domain/network/frame.ts'
import type { DropReason } from '#domain/network/views.ts'
import { createMesh } from '#mesh/host.ts'
import { eventTopic } from '#mesh/topics/event.ts'
import { headTopic } from '#mesh/topics/head.ts'
import { silentLog } from '#node/log.ts'
import { author, body, handshake } from '../domain/network/party.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { meshParty, stranger } from './party.ts'

const test = suite('mesh host')
const random = seeded()

test('the peer id is the node id, and the addresses carry it', async () => {
  await using it = await meshParty(random)
  assert.equal(it.mesh.nodeId, it.node)
  assert.match(it.address, new RegExp(`^/ip4/127\\.0\\.0\\.1/tcp/[1-9][0-9]*/p2p/${it.node}$`))
  assert.deepEqual(it.network.status().addresses, [it.address])
})

test('two nodes: status is exchanged on connecting, an event and a head arrive, on both sides', async (signal) => {
  let note: string | undefined
  await using a = await meshParty(random, { ownHead: () => note })
  await using b = await meshParty(random)
  assert.equal(await b.mesh.dial(a.address, signal), a.node)
  await b.until(() => b.network.peers()[0]?.state === 'compatible', signal)
  await a.until(() => a.network.peers()[0]?.state === 'compatible', signal)
  await b.until(() => b.network.peers()[0]?.rtt_ms === 0, signal)
  // Both have asked: an answer that came later would bring the version of the status back.
  await a.until(() => a.network.peers()[0]?.rtt_ms === 0, signal)
  assert.deepEqual([a.network.status().meshSize, b.network.status().meshSize], [2, 2])
  await a.until(() => a.listeners.has(b.node), signal)
  await b.until(() => b.listeners.has(a.node), signal)

  note = a.note(8, 3)
  await a.network.announce('head', { note })
  await b.network.announce('presence', { addresses: [], genesisTick: 1, registry_version: 'r', version: '3' })
  await b.until(() => b.network.heads().length === 1, signal)
  await a.until(() => a.network.peers()[0]?.version === '3', signal)
  assert.equal(b.network.heads()[0]?.note, note)
}, 20_000)

test('an event that enters one node by HTTP reaches the others by libp2p, once', async (signal) => {
  await using a = await meshParty(random)
  await using b = await meshParty(random)
  await b.mesh.dial(a.address, signal)
  // That b's word of listening came by a's stream to it shows that the way back is open, too.
  await a.until(() => a.listeners.has(b.node), signal)
  await b.until(() => b.listeners.has(a.node), signal)
  const other = author(random)
  const bytes = body(other.presence(a.meshTick()))
  const header = handshake(b.node, a.meshTick(), bytes)
  assert.equal(a.network.receive(bytes, { kind: 'http', handshake: header }).status, 'received')
  await b.until(() => b.network.peers().some((it) => it.node === other.node), signal)
  const again = handshake(b.node, b.meshTick() + 1, bytes)
  const { published } = b.network.counters()
  assert.deepEqual(b.network.receive(bytes, { kind: 'http', handshake: again }), {
    status: 'duplicate',
    eventType: 'presence',
  })
  assert.equal(b.network.counters().published, published, 'and is not published again')
}, 20_000)

test('what does not fit is dropped under its reason', async (signal) => {
  await using it = await meshParty(random)
  await using bad = await stranger(random)
  await using worse = await stranger(random)
  await bad.join(it.address, signal)
  await worse.join(it.address, signal)
  const now = it.meshTick()
  const signed = (who: { readonly node: string }, bytes: Uint8Array, tick = now): Uint8Array =>
    frameOf(bytes, handshake(who.node, tick, bytes))
  const other = author(random)
  const good = body(other.presence(now))
  const altered = body({ ...other.presence(now), seq: 1 })
  const spaced = utf8(`{"event": ${new TextDecoder().decode(eventBytes(other.presence(now)))}}`)
  const foreign = body({ ...other.presence(now), sourceNodeId: author(random).node })

  const rows: readonly (readonly [DropReason, typeof bad, Uint8Array])[] = [
    ['missing', bad, good],
    ['bad', bad, frameOf(good, handshake(bad.node, now, altered))],
    ['stale', bad, signed(bad, good, now - 121)],
    ['bad_signature', bad, signed(bad, altered)],
    ['bad_signature', bad, signed(bad, foreign)],
    ['not_canonical', bad, signed(bad, spaced)],
    ['malformed', worse, signed(worse, utf8('{"event":}'))],
    ['schema', worse, signed(worse, body(other.event({ tick: now })))],
    ['lifted', worse, signed(bad, body(other.presence(now, { version: '2' })))],
    ['too_large', worse, signed(worse, new Uint8Array(65_536).fill(0x7d))],
  ]
  for (const [reason, from, data] of rows) {
    const before = it.network.counters().dropped[reason]
    await from.publish(eventTopic.name, data)
    await it.until(() => it.network.counters().dropped[reason] === before + 1, signal)
  }

  await worse.publish(eventTopic.name, signed(worse, good))
  await it.until(() => it.network.counters().received.libp2p === 1, signal)
  await worse.publish(eventTopic.name, signed(worse, good, now + 1))
  await it.until(() => it.network.counters().repeated.duplicate === 1, signal)
  await worse.publish(headTopic.name, signed(worse, body(other.presence(now, { version: '3' }))))
  await it.until(() => it.network.counters().dropped.schema === 2, signal)
  assert.equal(it.network.counters().received.libp2p, 1, 'nothing else came in')
}, 20_000)

test('a bootstrap node that names its peer id, and one that does not, are both joined', async (signal) => {
  await using first = await meshParty(random)
  await using named = await meshParty(random, { bootstrap: [first.address] })
  await named.until(() => named.network.peers()[0]?.state === 'compatible', signal)
  await using unnamed = await meshParty(random, { bootstrap: [first.address.replace(/\/p2p\/.*/, '')] })
  await unnamed.until(() => unnamed.network.peers()[0]?.state === 'compatible', signal)
  assert.equal(named.network.peers()[0]?.node, first.node)
  assert.equal(unnamed.network.peers()[0]?.node, first.node)
}, 20_000)

test('presence introduces nodes that share only a third one', async (signal) => {
  await using hub = await meshParty(random)
  await using a = await meshParty(random, { bootstrap: [hub.address] })
  await using b = await meshParty(random, { bootstrap: [hub.address] })
  for (const it of [a, b]) {
    await it.until(() => it.listeners.has(hub.node), signal)
    await hub.until(() => hub.listeners.has(it.node), signal)
  }
  // With everyone listening a presence is due.
  for (const it of [a, b]) it.mesh.beat()
  await b.until(() => b.mesh.peers().includes(a.node) && b.network.status().meshSize === 3, signal)
}, 20_000)

test('nodes of one machine may share its address: what one says reaches all seventeen', async (signal) => {
  await using opened = new AsyncDisposableStack()
  const hub = opened.use(await meshParty(random))
  const others = await Promise.all(Array.from({ length: 16 }, () => meshParty(random, { bootstrap: [hub.address] })))
  for (const it of others) opened.use(it)
  for (const it of others) {
    await hub.until(() => hub.listeners.has(it.node), signal)
    await it.until(() => it.listeners.has(hub.node), signal)
  }
  const [one] = others
  const note = one!.note(3, 1)
  await one!.network.announce('head', { note })
  for (const it of others.slice(1)) {
    await it.until(() => it.network.heads().some((head) => head.note === note), signal)
  }
  for (const it of [hub, ...others]) {
    assert.deepEqual(
      Object.entries(it.network.counters().dropped).filter(([, count]) => count > 0),
      [],
    )
  }
}, 30_000)

test('a taken port and bad addresses are named, and a failed start leaves nothing', async () => {
  await using it = await meshParty(random)
  const port = Number(/\/tcp\/(\d+)/.exec(it.address)?.[1])
  const seed = author(random).seed
  const { network, clock } = it
  const config = { host: '127.0.0.1', port, bootstrap: [], announce: [] }
  const start = (more: object) => createMesh({ seed, config: { ...config, ...more }, network, clock, log: silentLog })
  const refused = (message: RegExp) => ({ name: 'MeshRefused', message })
  await assert.rejects(start({}), refused(new RegExp(`/tcp/${port}\\b`)))
  await assert.rejects(start({ port: 0, bootstrap: ['example.org:7771'] }), refused(/example\.org/))
  await assert.rejects(start({ port: 0, announce: ['/ip4/x'] }), refused(/\/ip4\/x/))
  await assert.rejects(start({ port: 0, bootstrap: [it.address.slice(0, -1)] }), refused(/no node has the id/))
  await assert.rejects(start({ port: 0, host: 'localhost' }), refused(/p2p\.host/))
})

test('a peer that does not speak our status, and one that goes away, are shown as such', async (signal) => {
  await using it = await meshParty(random)
  {
    await using other = await stranger(random)
    await other.join(it.address, signal)
    await it.until(() => it.network.peers()[0]?.reasons[0] === 'no_status', signal)
    assert.equal(it.network.peers()[0]?.connected, true)
  }
  await it.until(() => it.network.peers()[0]?.connected === false, signal)
}, 20_000)

test.run()
