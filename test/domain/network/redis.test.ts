/**
 * Goal: the entrance over Redis has the door of the others, in the same order and with the same memory, and asks of a
 * handshake whose it is no more than HTTP does; between two transports an event is carried by one node, as a rule.
 * Method: the network service alone on a fixed clock, with transports that keep what they are given.
 */
import assert from 'node:assert/strict'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { eventBytes, eventId, type MeshEvent } from '#core/events.ts'
import { frameOf } from '#domain/network/frame.ts'
import type { Channel } from '#domain/network/outlet.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { author, body, GENESIS, handshake, type Party, party, SECRET } from './party.ts'

const test = suite('domain/network: the entrance over Redis')
const random = seeded()

const frame = (sender: string, tick: number, event: MeshEvent): Uint8Array =>
  frameOf(body(event), handshake(sender, tick, body(event)))

/** A party with a second transport, which keeps what it is given. */
const onBoth = (options: Parameters<typeof party>[1] = {}) => {
  const it = party(random, options)
  const overRedis: { readonly channel: Channel; readonly data: Uint8Array }[] = []
  const attached = it.network.attach({
    transport: 'redis',
    publish: (channel, data) => overRedis.push({ channel, data }) > 0,
    listen: () => undefined,
    addresses: () => [],
    acquaint: () => undefined,
  })
  return { ...it, overRedis, leaveRedis: () => attached[Symbol.dispose]() }
}

const hear = (it: Party, data: Uint8Array, channel: Channel = 'event') =>
  it.network.receive(data, { kind: 'redis', channel })

/** The reason of a drop, or the status. */
const word = (outcome: ReturnType<Party['network']['receive']>): string =>
  outcome.status === 'dropped' ? outcome.reason : outcome.status

/** The events of what was sent. */
const idsOf = (sent: readonly { readonly data: Uint8Array }[]): string[] =>
  sent
    .map(({ data }) => (JSON.parse(new TextDecoder().decode(data)) as { event: MeshEvent }).event)
    .filter(({ type }) => type !== 'head')
    .map(eventId)

test('without a secret it is closed, whatever comes', () => {
  using it = party(random, { secrets: [] })
  const event = author(random).presence(it.meshTick())
  for (const data of [body(event), new Uint8Array(0), new Uint8Array(1e6)]) {
    assert.equal(word(hear(it, data)), 'secret_missing')
  }
  assert.equal(it.network.counters().dropped.secret_missing, 3)
  assert.deepEqual(it.network.peers(), [])
})

test('each check comes before the next one, and each drop is counted by its reason', () => {
  using it = party(random)
  const other = author(random)
  const now = it.meshTick()
  const event = other.presence(now)
  const made = (of: Uint8Array, tick = now): Uint8Array => frameOf(of, handshake(other.node, tick, of))
  const changed = (more: object): Uint8Array => canonicalBytes({ event: { ...event, ...more } } as unknown as Json)
  const unsigned = changed({ tick: now + 500 })
  const spaced = new TextEncoder().encode(new TextDecoder().decode(body(event)).replace('"event":{', '"event":{ '))
  const rows: readonly (readonly [string, Uint8Array, Channel?])[] = [
    ['too_large', new Uint8Array(70_000)],
    ['too_large', made(new Uint8Array(65_536).fill(0x20))],
    ['missing', body(event)],
    ['stale', made(unsigned, now - 121)],
    ['bad', frameOf(unsigned, handshake(other.node, now, body(event)))],
    ['malformed', made(new TextEncoder().encode('{"event":}'))],
    ['schema', made(new TextEncoder().encode('{"events":{}}'))],
    ['not_canonical', made(spaced)],
    ['unknown_type', made(changed({ type: 'gossip.of.tomorrow' }))],
    ['bad_signature', made(unsigned)],
    ['schema', made(body(event)), 'head'],
    ['schema', made(body(event)), 'shard/00'],
    ['stale_event', made(body(other.presence(now - 121)))],
    ['received', made(body(event))],
    ['lifted', frameOf(unsigned, handshake(other.node, now, body(event)))],
    ['duplicate', made(body(event))],
  ]
  for (const [expected, data, channel] of rows) assert.equal(word(hear(it, data, channel)), expected)
  const { received, dropped, repeated } = it.network.counters()
  assert.deepEqual(received, { http: 0, libp2p: 0, redis: 1 })
  assert.deepEqual(repeated, { replayed: 1, duplicate: 0 })
  for (const reason of new Set(rows.map(([name]) => name).filter((name) => Object.hasOwn(dropped, name)))) {
    const expected = rows.filter(([name]) => name === reason).length
    assert.equal(dropped[reason as keyof typeof dropped], expected, reason)
  }
})

test('a member may bring the event of another node; a handshake under another secret brings nothing', () => {
  using it = party(random)
  const [of, bringer] = [author(random), author(random)]
  const event = of.presence(it.meshTick())
  const foreign = SECRET.slice().reverse()
  const strange = handshake(of.node, it.meshTick(), body(event), foreign)
  assert.equal(word(hear(it, frameOf(body(event), strange))), 'bad')
  assert.equal(word(hear(it, frame(bringer.node, it.meshTick(), event))), 'received')
  assert.deepEqual(
    it.network.peers().map(({ node }) => node),
    [of.node],
  )
})

test('one memory for all entrances: what came by one is a repeat at the others, by handshake or by event', () => {
  const entrances = {
    http: (it: Party, sender: string, event: MeshEvent) =>
      it.network.receive(body(event), { kind: 'http', handshake: handshake(sender, it.meshTick(), body(event)) }),
    libp2p: (it: Party, sender: string, event: MeshEvent) =>
      it.network.receive(frame(sender, it.meshTick(), event), { kind: 'libp2p', channel: 'event', from: sender }),
    redis: (it: Party, sender: string, event: MeshEvent) => hear(it, frame(sender, it.meshTick(), event)),
  }
  const names = Object.keys(entrances) as (keyof typeof entrances)[]
  for (const first of names) {
    using it = party(random)
    const [of, bringer] = [author(random), author(random)]
    const event = of.presence(it.meshTick())
    assert.equal(entrances[first](it, of.node, event).status, 'received')
    for (const then of names) {
      assert.equal(entrances[then](it, of.node, event).status, 'duplicate', `${first}, ${then}`)
      assert.equal(entrances[then](it, bringer.node, event).status, 'duplicate', `${first}, ${then}`)
    }
    const { received, repeated } = it.network.counters()
    assert.deepEqual(received, { http: 0, libp2p: 0, redis: 0, [first]: 1 })
    assert.deepEqual(repeated, { replayed: 3, duplicate: 3 })
  }
})

test('what a node says, and what came to it by HTTP, goes out by both at once', async () => {
  using it = onBoth()
  const own = await it.network.announce('presence', {
    ...{ addresses: [], genesisTick: GENESIS, registry_version: 'sha256:aa', version: '0.1.0' },
  })
  const brought = author(random).presence(it.meshTick())
  const header = handshake(it.node, it.meshTick(), body(brought))
  it.network.receive(body(brought), { kind: 'http', handshake: header })
  assert.deepEqual(idsOf(it.sent), [own, eventId(brought)])
  assert.deepEqual(it.overRedis, it.sent)
  assert.equal(it.network.counters().published, 4)
})

test('what came by one transport is said by the other after 1 to 4 ticks, under a handshake of this node', () => {
  const waits = new Set<number>()
  for (const kind of ['libp2p', 'redis'] as const) {
    using it = onBoth()
    const there = kind === 'libp2p' ? it.overRedis : it.sent
    const here = kind === 'libp2p' ? it.sent : it.overRedis
    const due = new Map<string, number>()
    const begin = it.meshTick()
    for (let i = 0; i < 32; i++) {
      const of = author(random)
      const event = of.presence(begin)
      const data = frame(of.node, begin, event)
      const entrance = kind === 'libp2p' ? { kind, channel: 'event', from: of.node } : { kind, channel: 'event' }
      assert.equal(it.network.receive(data, entrance as Parameters<typeof it.network.receive>[1]).status, 'received')
      due.set(eventId(event), 0)
    }
    assert.deepEqual(idsOf(there), [])
    for (let tick = 1; tick <= 5; tick++) {
      it.clock.advanceTicks(1)
      it.network.peering.beat()
      for (const id of idsOf(there)) if (due.get(id) === 0) due.set(id, tick)
    }
    for (const wait of due.values()) {
      assert.ok(wait >= 1 && wait <= 4, `waited ${wait} ticks`)
      waits.add(wait)
    }
    const said = idsOf(there).filter((id) => due.has(id))
    assert.equal(said.length, due.size, 'each once')
    assert.deepEqual(
      idsOf(here).filter((id) => due.has(id)),
      [],
      'and never back to where it came from',
    )
    const senders = there.filter((_, i) => due.has(idsOf(there)[i] ?? ''))
    for (const { data } of senders)
      assert.match(new TextDecoder().decode(data), new RegExp(`"handshake":"v1;${it.node};`))
  }
  assert.deepEqual([...waits].sort(), [1, 2, 3, 4], 'not all wait alike')
})

test('it is not said where it was heard meanwhile, under the same handshake or one of another bridge', () => {
  using it = onBoth()
  const [of, bridge] = [author(random), author(random)]
  const [same, other] = [of.presence(it.meshTick()), of.presence(it.meshTick(), { version: '0.1.1' })]
  for (const event of [same, other]) {
    const from = of.node
    const data = frame(from, it.meshTick(), event)
    assert.equal(it.network.receive(data, { kind: 'libp2p', channel: 'event', from }).status, 'received')
  }
  assert.equal(hear(it, frame(of.node, it.meshTick(), same)).status, 'duplicate')
  assert.equal(hear(it, frame(bridge.node, it.meshTick(), other)).status, 'duplicate')
  it.clock.advanceTicks(4)
  it.network.peering.beat()
  const said = idsOf(it.overRedis)
  assert.ok(!said.includes(eventId(same)) && !said.includes(eventId(other)))
})

test('1,024 events wait for a transport; what is beyond that is counted, and a transport that left gets none', () => {
  using it = onBoth()
  const begin = it.meshTick()
  for (let i = 0; i < 1_030; i++) {
    const of = author(random)
    const data = frame(of.node, begin, of.presence(begin))
    assert.equal(word(it.network.receive(data, { kind: 'libp2p', channel: 'event', from: of.node })), 'received')
  }
  assert.equal(it.network.counters().unpublished, 6)
  it.leaveRedis()
  it.clock.advanceTicks(4)
  it.network.peering.beat()
  assert.deepEqual(it.overRedis, [])
  assert.equal(it.network.counters().unpublished, 6)
}, 60_000)

test('an event that is said over Redis has the form of the private mesh, name for name', async () => {
  using it = onBoth()
  await it.network.announce('presence', {
    ...{ addresses: [], genesisTick: GENESIS, registry_version: 'sha256:aa', version: '0.1.0' },
  })
  const [{ channel, data } = { channel: '', data: new Uint8Array(0) }] = it.overRedis
  const value = JSON.parse(new TextDecoder().decode(data)) as { readonly event: MeshEvent }
  assert.equal(channel, 'event')
  assert.deepEqual(Object.keys(value), ['event', 'handshake'])
  assert.deepEqual(canonicalBytes(value as unknown as Json), data)
  assert.ok(eventBytes(value.event).length > 0)
})

test.run()
