/**
 * Goal: what a node learns from gossip and status is bounded, attributed and decides nothing. Method: services on fixed
 * clocks talk through their own ports, without a network; expected values are worked out from protocol.md.
 */
import assert from 'node:assert/strict'
import { toBase64, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { EVENT_BYTES_MAX } from '#core/events.ts'
import { logName } from '#core/ids.ts'
import { publicKeyOf } from '#core/keys.ts'
import { frameOf, openFrame } from '#domain/network/frame.ts'
import { remembered } from '#domain/network/remembered.ts'
import type { PeerView } from '#domain/network/views.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { author, body, GENESIS, handshake, type Party, party } from './party.ts'

const test = suite('domain/network')
const random = seeded()

/** Hands an event over as libp2p would. */
const tell = (to: Party, from: { readonly node: string }, event: Parameters<typeof body>[0]) => {
  const bytes = body(event)
  const channel = event.type === 'head' ? 'head' : 'event'
  const data = frameOf(bytes, handshake(from.node, to.meshTick(), bytes))
  return to.network.receive(data, { kind: 'libp2p', channel, from: from.node })
}
const peer = (it: Party, node: string): PeerView => it.network.peers().find((one) => one.node === node)!

test('presence: the source is known, counted in the window, and its addresses are passed to the transport', () => {
  using it = party(random)
  const other = author(random)
  const blank = it.network.status()
  assert.deepEqual(
    [blank.meshSize, blank.activeNodes, blank.recentGossipCount, blank.lastGossip, blank.lastGossipTick],
    [1, 1, 0, 0, null],
  )
  assert.equal(blank.coherenceScore, null)
  assert.equal(tell(it, other, other.presence(it.meshTick(), { version: '7.0.0' })).status, 'received')
  const one = it.network.status()
  assert.deepEqual([one.meshSize, one.activeNodes, one.recentGossipCount, one.lastGossip], [1, 2, 1, 1])
  assert.equal(one.lastGossipTick, it.meshTick() - GENESIS)
  assert.equal(peer(it, other.node).version, '7.0.0')
  assert.deepEqual(it.met, [other.node])
  it.clock.advanceTicks(59)
  assert.deepEqual([it.network.status().recentGossipCount, it.network.status().activeNodes], [1, 2])
  it.clock.advanceTicks(1)
  assert.deepEqual([it.network.status().recentGossipCount, it.network.status().activeNodes], [0, 1])
  assert.equal(it.network.status().lastGossipTick, it.meshTick() - 60 - GENESIS, 'the last one stays known')
})

test('the beat: a presence every 16 ticks, or 4 when someone new listens, and each new head once', async () => {
  let note: string | undefined
  using it = party(random, { ownHead: () => note })
  const beat = async (): Promise<string[]> => {
    const from = it.sent.length
    it.network.peering.beat()
    // What the beat says is signed first and sent later; the marker queues behind it.
    await it.network.announce('presence', { addresses: [], genesisTick: 0, registry_version: '', version: 'marker' })
    return it.sent.slice(from).flatMap(({ channel, data }) => (text(data).includes('marker') ? [] : [channel]))
  }
  const text = (data: Uint8Array): string => new TextDecoder().decode(data)
  assert.deepEqual(await beat(), ['event'])
  it.clock.advanceTicks(1)
  assert.deepEqual(await beat(), [])
  note = author(random).note(3, 1)
  assert.deepEqual(await beat(), ['head'])
  assert.deepEqual(await beat(), [])
  it.network.peering.listening(author(random).node)
  assert.deepEqual(await beat(), [])
  it.clock.advanceTicks(3)
  assert.deepEqual(await beat(), ['event'])
  it.clock.advanceTicks(15)
  assert.deepEqual(await beat(), [])
  it.clock.advanceTicks(1)
  assert.deepEqual(await beat(), ['event'])
})

test('what one node announces the other accepts, and its own event coming back teaches it nothing', async () => {
  using a = party(random)
  using b = party(random)
  await a.network.announce('head', { note: a.note(5, 9) })
  const [sent] = a.sent
  assert.ok(sent)
  assert.deepEqual(
    b.network.receive(sent.data, { kind: 'libp2p', channel: sent.channel, from: a.node }).status,
    'received',
  )
  assert.deepEqual(b.network.heads()[0]!.size, 5)
  const { body: bytes } = openFrame(sent.data)
  const header = handshake(a.node, a.meshTick() + 1, bytes)
  assert.equal(a.network.receive(bytes, { kind: 'http', handshake: header }).status, 'duplicate')
})

test('heads: the largest is kept, only of the source, and two roots of one size are evidence', () => {
  using it = party(random)
  const other = author(random)
  const say = (note: string, source = other) =>
    tell(it, source, source.event({ type: 'head', tick: it.meshTick(), payload: { note } }))
  assert.equal(say(other.note(4, 1)).status, 'received')
  assert.equal(say(other.note(9, 2)).status, 'received')
  assert.equal(say(other.note(7, 3)).status, 'received', 'an older size is no evidence by itself')
  const [head] = it.network.heads()
  assert.deepEqual([head!.size, head!.node, head!.seen], [9, other.node, it.meshTick()])
  assert.deepEqual(peer(it, other.node).head, {
    origin: head!.origin,
    size: 9,
    root: toBase64(new Uint8Array(32).fill(2)),
  })
  assert.deepEqual(it.network.equivocations(), [])

  assert.equal(say(other.note(7, 4)).status, 'received', 'it travels on, so that others see it too')
  const [proof] = it.network.equivocations()
  assert.deepEqual(proof!.notes, [other.note(7, 3), other.note(7, 4)])
  assert.equal(proof!.size, 7)

  const stranger = author(random)
  const lent = say(other.note(12, 1), stranger)
  assert.ok(lent.status === 'dropped' && lent.reason === 'bad_signature', "another node's head")
  const forged = other.note(12, 1).replace('\n12\n', '\n13\n')
  const outcome = say(forged)
  assert.ok(outcome.status === 'dropped' && outcome.reason === 'bad_signature', 'a note that its key did not sign')
  assert.equal(it.network.heads()[0]!.size, 9)
})

test('heads: one node names many logs, and takes no place but its own', () => {
  using it = party(random)
  const quiet = author(random)
  const loud = author(random)
  const say = (source: typeof quiet, note: string) =>
    tell(it, source, source.event({ type: 'head', tick: it.meshTick(), payload: { note } })).status
  assert.equal(say(quiet, quiet.note(1, 1)), 'received')
  const publicKey = publicKeyOf(loud.node)
  const noteOf = (genesis: number): string =>
    signCheckpoint({ origin: logName(loud.node, genesis), size: 1, root: new Uint8Array(32) }, publicKey, loud.seed)
  for (let i = 0; i < 40; i++) assert.equal(say(loud, noteOf(GENESIS + i)), 'received')
  const origins = it.network.heads().map((head) => head.origin)
  const newest = [36, 37, 38, 39].map((i) => logName(loud.node, GENESIS + i))
  assert.deepEqual(origins, [logName(quiet.node, GENESIS), ...newest])
})

test('status: two nodes of one mesh find each other compatible, with heads', () => {
  using a = party(random, { ownHead: () => a.note(6, 6) })
  using b = party(random)
  b.network.peering.connected(a.node, '/ip4/127.0.0.1/tcp/1')
  assert.equal(peer(b, a.node).state, 'unknown')
  b.network.peering.statusOf(a.node, a.network.peering.ownStatus(), 1.5)
  const { state, reasons, head, skew_ticks, rtt_ms, genesisTick } = peer(b, a.node)
  assert.deepEqual(
    [state, reasons, head?.size, skew_ticks, rtt_ms, genesisTick],
    ['compatible', [], 6, 0, 1.5, GENESIS],
  )
  assert.equal(b.network.status().meshSize, 2)
  b.network.peering.disconnected(a.node)
  assert.equal(b.network.status().meshSize, 1)
})

test('status: every misfit has its word', () => {
  using it = party(random)
  const wordsFor = (other: Party): readonly string[] => {
    it.network.peering.connected(other.node, '/ip4/127.0.0.1/tcp/1')
    it.network.peering.statusOf(other.node, other.network.peering.ownStatus(), undefined)
    assert.equal(peer(it, other.node).state, 'incompatible')
    return peer(it, other.node).reasons
  }
  using registry = party(random, { registryVersion: 'sha256:bb', policy: 'cc' })
  assert.deepEqual(wordsFor(registry), ['other_registry', 'other_policy'])
  using ahead = party(random)
  ahead.clock.advanceTicks(2)
  assert.deepEqual(wordsFor(ahead), ['clock_skew'])
  assert.equal(peer(it, ahead.node).skew_ticks, 2)
  using open = party(random, { secrets: [] })
  assert.deepEqual(wordsFor(open), ['not_a_member'])
  using other = party(random, { secrets: [utf8('some other secret')] })
  assert.deepEqual(wordsFor(other), ['not_a_member'])
  using liar = party(random, { ownHead: () => it.note(8, 1) })
  assert.deepEqual(wordsFor(liar), ['bad_head'])

  open.network.peering.connected(it.node, '/ip4/127.0.0.1/tcp/1')
  open.network.peering.statusOf(it.node, it.network.peering.ownStatus(), undefined)
  assert.deepEqual(peer(open, it.node).reasons, ['private_mesh'])

  const named = (node: string, parts: readonly [Uint8Array, Uint8Array]): readonly string[] => {
    it.network.peering.connected(node, '/ip4/127.0.0.1/tcp/1')
    it.network.peering.statusOf(node, parts, undefined)
    return peer(it, node).reasons
  }
  using honest = party(random)
  assert.deepEqual(named(author(random).node, honest.network.peering.ownStatus()), ['not_a_member'], 'lent by another')
  const odd = canonicalBytes({ v: 1, node: other.node } as Json)
  assert.deepEqual(named(other.node, [utf8(handshake(other.node, it.meshTick(), odd)), odd]), ['bad_status'])
  it.network.peering.statusFailed(other.node, 'refused')
  assert.deepEqual(peer(it, other.node).reasons, ['no_status'])
})

test('memory is bounded: peers, heads and replays have a largest number', () => {
  using it = party(random, { secrets: [] })
  const crowd = Array.from({ length: 1_100 }, () => author(random))
  it.network.peering.connected(crowd[0]!.node, '/ip4/127.0.0.1/tcp/1')
  for (const one of crowd) {
    const event = one.event({ type: 'head', tick: it.meshTick(), payload: { note: one.note(1, 1) } })
    it.network.receive(body(event), { kind: 'libp2p', channel: 'head', from: one.node })
  }
  assert.equal(it.network.peers().length, 1_024)
  assert.ok(peer(it, crowd[0]!.node).connected, 'a connected peer keeps its place')
  assert.equal(it.network.heads().length, 1_024)
  assert.equal(it.network.counters().dropped.refused, 76)
  const shown = it.network.status()
  assert.deepEqual([shown.peers.length, shown.heads.length], [256, 256])
  assert.equal(shown.peers[0]!.node, crowd[0]!.node, 'the connected one first')
  it.clock.advanceTicks(1_287)
  const late = author(random)
  const event = late.event({ type: 'head', tick: it.meshTick(), payload: { note: late.note(1, 1) } })
  assert.equal(it.network.receive(body(event), { kind: 'libp2p', channel: 'head', from: late.node }).status, 'received')
  assert.equal(it.network.heads().length, 1_024, 'a log silent for 1,287 ticks makes room')

  const memory = remembered(241, 3)
  for (const [key, at] of [
    ['a', 0],
    ['b', 1],
    ['c', 1],
    ['d', 2],
  ] as const)
    memory.add(key, at)
  assert.deepEqual([memory.has('a'), memory.has('b'), memory.size], [false, true, 3])
  memory.forget(242)
  assert.deepEqual([memory.has('b'), memory.has('d'), memory.size], [false, true, 1])
}, 30_000)

test('frames: what is put together comes apart, and a tail inside an event is not a handshake', () => {
  using it = party(random)
  const header = handshake(it.node, it.meshTick(), utf8('x'))
  const plain = body(it.presence(it.meshTick(), { version: '","handshake":"v1;a;1;b"}' }))
  assert.deepEqual(openFrame(frameOf(plain, header)), { body: plain, handshake: header })
  assert.deepEqual(openFrame(plain), { body: plain, handshake: undefined })
  const wide = body(it.presence(it.meshTick(), { version: 'żółć' }))
  assert.deepEqual(openFrame(frameOf(wide, header)), { body: wide, handshake: header })
  const most = new Uint8Array(EVENT_BYTES_MAX).fill(0x7d)
  assert.deepEqual(openFrame(frameOf(most, header)), { body: most, handshake: header })
})

test.run()
