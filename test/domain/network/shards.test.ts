/*
 * Goal: what is about works is said where those are that it concerns, heard nowhere else, and a mesh of few nodes is
 * one shard. Method: the rule in numbers, against node:crypto; then services whose outlet keeps what they say and hear.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Json } from '#core/canonical.ts'
import { type ChallengeOfWork, signChallenge } from '#core/dispute/challenge.ts'
import { signRuling } from '#core/dispute/statements.ts'
import { eventId, type MeshEvent } from '#core/events.ts'
import type { Channel } from '#domain/network/outlet.ts'
import { listenedShards, mayTravel, saidOn, shardOf, shards } from '#domain/network/shards.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { type Keeper, keeper, syncBetween } from './keeper.ts'
import { type Author, author, body, handshake, type Party, party } from './party.ts'

const test = suite('domain/network: shards')
const random = seeded()
const hex64 = (): string => Buffer.from(random.bytes(32)).toString('hex')

/** What a requester publishes; its works are nobody's business here. */
const works = (): Json => ({ root: hex64(), count: 3 })

/** An author in another shard than these nodes, and not in the common one. */
const elsewhere = (...nodes: readonly string[]): Author => {
  for (;;) {
    const it = author(random)
    if (!['shard/00', ...nodes.map(shardOf)].includes(shardOf(it.node))) return it
  }
}

test('the shard of a node is the first byte of the SHA-256 of its id', () => {
  assert.deepEqual([shards.length, shards[0], shards[171]], [256, 'shard/00', 'shard/ab'])
  for (let i = 0; i < 8; i++) {
    const { node } = author(random)
    assert.equal(shardOf(node), `shard/${createHash('sha256').update(node).digest('hex').slice(0, 2)}`)
  }
})

test('up to 256 nodes all is said on one shard; what is of no known shard is said there, and heard anywhere', () => {
  const { node } = elsewhere()
  const other = elsewhere(node)
  assert.deepEqual([saidOn(node, 256), saidOn(node, 257)], ['shard/00', shardOf(node)])
  assert.equal(saidOn(undefined, 100_000), 'shard/00')
  assert.deepEqual(
    [shardOf(node), 'shard/00' as const, shardOf(other.node)].map((at) => mayTravel(at, node)),
    [true, true, false],
  )
  assert.equal(mayTravel(shardOf(other.node), undefined), true)
})

test('a node listens to the common shard, its own, and those of whom it works with: eight at most', () => {
  const self = elsewhere()
  const partners: string[] = []
  while (partners.length < 12) partners.push(elsewhere(self.node, ...partners).node)
  assert.deepEqual(listenedShards(self.node, []), ['shard/00', shardOf(self.node)])
  const listened = listenedShards(self.node, [partners[0] ?? '', ...partners])
  assert.deepEqual(listened, ['shard/00', shardOf(self.node), ...partners.slice(0, 7).map(shardOf)])
})

const come = (it: Party, event: MeshEvent, channel: Channel): string => {
  const bytes = body(event)
  const outcome = it.network.receive(bytes, { kind: 'libp2p', channel, from: event.sourceNodeId })
  return outcome.status === 'dropped' ? `${outcome.reason} ${outcome.blame}` : outcome.status
}

test('an event of works comes on its own shard or the common one; anywhere else who passes it on loses score', () => {
  using it = party(random, { secrets: [] })
  const source = elsewhere()
  const tick = it.meshTick()
  const event = (seq: number) => source.event({ type: 'work', seq, tick, payload: works() })
  const other = shardOf(elsewhere(source.node).node)
  assert.equal(come(it, event(1), shardOf(source.node)), 'received')
  assert.equal(come(it, event(2), 'shard/00'), 'received')
  for (const channel of ['event', 'head', other] as const) assert.equal(come(it, event(3), channel), 'schema true')
  assert.equal(come(it, source.presence(tick), 'shard/00'), 'schema true')
  const reveal = { of: 'c', challenge: hex64(), value: hex64(), next: null, after: null }
  const revealed = source.event({ type: 'reveal', seq: 4, tick, payload: reveal })
  for (const channel of ['event', 'head', 'shard/00', shardOf(source.node)] as const) {
    assert.equal(come(it, revealed, channel), 'schema true')
  }
})

test('who has heard of 257 nodes says works on their shards, and listens where its partners are', async () => {
  const [friend, source] = [elsewhere(), elsewhere()]
  let partners: readonly string[] = []
  using it = party(random, { partners: () => partners })
  assert.deepEqual(it.listened, listenedShards(it.node, []))
  partners = [friend.node]
  it.network.peering.beat()
  assert.deepEqual(it.listened, listenedShards(it.node, partners))

  const tell = (event: MeshEvent): string => {
    const bytes = body(event)
    const header = handshake(it.node, it.meshTick(), bytes)
    return it.network.receive(bytes, { kind: 'http', handshake: header }).status
  }
  const saidWorks = (seq: number): string | undefined => {
    const before = it.sent.length
    tell(source.event({ type: 'work', seq, tick: it.meshTick(), payload: works() }))
    return it.sent.slice(before).map(({ channel }) => channel)[0]
  }
  assert.equal(saidWorks(1), 'shard/00')
  // The source is one of the 257.
  for (let i = 1; i < 256; i++) tell(author(random).presence(it.meshTick()))
  assert.equal(saidWorks(2), 'shard/00')
  tell(author(random).presence(it.meshTick()))
  assert.equal(saidWorks(3), shardOf(source.node))
})

/** Ends a keeper's tick, and lets another learn of it. */
const learn = async (it: Keeper, of: Keeper): Promise<void> => {
  of.clock.advanceTicks(1)
  await of.store.closeTick()
  assert.equal((await syncBetween(it, of)).own.ok, true)
}

/** Who says that the data of a work cannot be had. */
const unavailable = (event: string, work: string): ChallengeOfWork => ({
  ...{ kind: 'unavailable', place: { event, index: 0, worker: author(random).node, work, path: [] } },
  ...{ inputs: null, segment: null, own: null, before: null, after: null, commitment: hex64(), follows: null },
})

test('what a keeper records goes to the common shard, and a reveal nowhere', async () => {
  await using it = await keeper(random)
  const said: Channel[] = []
  using _ = it.network.attach({
    transport: 'libp2p',
    publish: (channel) => said.push(channel) > 0,
    ...{ listen: () => undefined, addresses: () => [], acquaint: () => undefined },
  })
  await it.network.record('reveal', { of: 'c', challenge: hex64(), value: hex64(), next: null, after: null })
  await it.network.record('work', works())
  assert.deepEqual(said, ['shard/00'])
})

test('challenges and rulings are of the shard of who published the work, as soon as that is known', async () => {
  await using requester = await keeper(random)
  await using challenger = await keeper(random)
  await using it = await keeper(random)
  const other = shardOf(elsewhere(requester.node).node)
  const tick = (): number => it.store.now().meshTick
  const statusOf = (event: MeshEvent, channel: Channel): string =>
    it.network.receive(body(event), { kind: 'libp2p', channel, from: event.sourceNodeId }).status
  const published = eventId(await requester.network.record('work', works()))
  const someone = author(random)
  const challenged = (seq: number): MeshEvent => {
    const payload = signChallenge(someone.seed, unavailable(published, hex64())) as unknown as Json
    return someone.event({ type: 'challenge', seq, tick: tick(), payload })
  }
  assert.equal(statusOf(challenged(1), other), 'received', 'whose work it is is not known yet')
  await learn(it, requester)
  assert.equal(statusOf(challenged(2), other), 'dropped')
  assert.equal(statusOf(challenged(2), shardOf(requester.node)), 'received')

  const work = hex64()
  const signed = signChallenge(challenger.seed, unavailable(published, work)) as unknown as Json
  const challenge = eventId(await challenger.network.record('challenge', signed))
  const ruled = (seq: number): MeshEvent => {
    const ruling = { challenge, work, outcome: 'unavailable' as const, recomputed: null, code: null }
    const payload = signRuling(someone.seed, ruling) as unknown as Json
    return someone.event({ type: 'ruling', seq, tick: tick(), payload })
  }
  assert.equal(statusOf(ruled(3), other), 'received')
  await learn(it, challenger)
  assert.equal(statusOf(ruled(4), other), 'dropped')
  assert.equal(statusOf(ruled(4), shardOf(requester.node)), 'received')
})

test.run()
