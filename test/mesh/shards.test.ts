/**
 * Goal: on real libp2p, what is about works reaches who listens to its shard and nobody else, from a moment to the
 * next; what comes on a shard where it does not belong, or that nobody listens to here, changes nothing. Method: hosts
 * on loopback; one has heard of more than 256 nodes, so it uses the shards.
 */
import assert from 'node:assert/strict'
import type { MeshEvent } from '#core/events.ts'
import { shardOf, shards } from '#domain/network/shards.ts'
import { shardTopics } from '#mesh/topics/shard.ts'
import { author, body, handshake } from '../domain/network/party.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { type MeshParty, meshParty, stranger } from './party.ts'

const test = suite('mesh: shards')
const random = seeded()
const hex64 = (): string => Buffer.from(random.bytes(32)).toString('hex')

const topicOf = (shard: string): string => shardTopics.find((it) => it.channel === shard)?.name ?? ''

/** An author whose shard is none of those of these nodes. */
const elsewhere = (...nodes: readonly string[]) => {
  for (;;) {
    const it = author(random)
    if (!['shard/00', ...nodes.map(shardOf)].includes(shardOf(it.node))) return it
  }
}

/** An event comes to a host by HTTP, which says it on. */
const tell = (it: MeshParty, event: MeshEvent): void => {
  const bytes = body(event)
  const header = handshake(it.node, it.meshTick(), bytes)
  assert.equal(it.network.receive(bytes, { kind: 'http', handshake: header }).status, 'received')
}

const heard = (it: MeshParty): number => it.network.counters().received.libp2p
const drops = (it: MeshParty): number => Object.values(it.network.counters().dropped).reduce((sum, n) => sum + n, 0)

test('topics of shards are named by two hex digits, and there are 256', () => {
  assert.deepEqual(
    shardTopics.map(({ name }) => name),
    shards.map((it) => `/tickmesh/shard/1/${it.slice(-2)}`),
  )
  assert.equal(topicOf('shard/ab'), '/tickmesh/shard/1/ab')
})

test('works reach those who listen to their shard, and whoever begins to', async (signal) => {
  await using a = await meshParty(random)
  let [ofB, ofC]: [readonly string[], readonly string[]] = [[], []]
  await using b = await meshParty(random, { partners: () => ofB })
  await using c = await meshParty(random, { partners: () => ofC })
  for (let i = 0; i < 257; i++) tell(a, author(random).presence(a.meshTick()))
  for (const it of [b, c]) {
    await it.mesh.dial(a.address, signal)
    await a.until(() => a.listeners.has(it.node), signal)
    await it.until(() => it.listeners.has(a.node), signal)
  }
  const source = elsewhere(b.node, c.node)
  let seq = 0
  /** Publishes works until somebody has heard some: who begins to listen says so first, which takes its time. */
  const sayTo = async (it: MeshParty): Promise<void> => {
    const before = heard(it)
    await until(async () => {
      seq += 1
      tell(a, source.event({ type: 'work', seq, tick: a.meshTick(), payload: { root: hex64(), count: 1 } }))
      return heard(it) > before
    }, signal)
  }

  ofB = [source.node]
  b.network.peering.beat()
  await sayTo(b)
  const last = author(random).presence(a.meshTick())
  tell(a, last)
  await c.until(() => c.network.peers().some(({ node }) => node === last.sourceNodeId), signal)
  assert.ok(!c.network.peers().some(({ node }) => node === source.node), 'c has heard of no works')
  assert.ok(b.network.peers().some(({ node }) => node === source.node))

  ofC = [source.node]
  c.clock.advanceTicks(16)
  c.network.peering.beat()
  await sayTo(c)
  assert.ok(c.network.peers().some(({ node }) => node === source.node))
  assert.deepEqual([drops(b), drops(c)], [0, 0])
}, 30_000)

test('on a shard of others an event is refused; a topic that nobody listens to here brings nothing', async (signal) => {
  await using it = await meshParty(random, { secrets: [] })
  await using bad = await stranger(random)
  await bad.join(it.address, signal)
  const source = elsewhere(it.node)
  const works = (seq: number): Uint8Array =>
    body(source.event({ type: 'work', seq, tick: it.meshTick(), payload: { root: hex64(), count: 1 } }))
  /** It says whatever it likes to whoever it likes: gossipsub itself would send nothing nobody asked for. */
  const { topics } = bad.host.services.gossip as unknown as { readonly topics: Map<string, Set<string>> }
  const force = async (topic: string, data: Uint8Array): Promise<void> => {
    topics.set(topic, new Set([it.node]))
    await bad.publish(topic, data)
  }
  await force(topicOf(shardOf(source.node)), works(1))
  await force('/tickmesh/shard/1/zz', works(2))
  await force('/tickmesh/shard/2/00', works(3))
  await force(topicOf(shardOf(it.node)), works(4))
  await it.until(() => it.network.counters().dropped.schema === 1, signal)
  await force(topicOf('shard/00'), works(5))
  await it.until(() => heard(it) === 1, signal)
  assert.deepEqual([drops(it), heard(it)], [1, 1], 'the three before came to nothing')
}, 20_000)

test.run()
