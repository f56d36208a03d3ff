// Goal: a node that was in a mesh finds it again after a restart without any bootstrap address, and what strangers
// announce never gets them remembered. Method: whole nodes on loopback with clocks that are moved by hand; the rows of
// the store are read, and filled by hand where thousands are needed.
import assert from 'node:assert/strict'
import { nodeIdOf } from '#core/keys.ts'
import { frameOf } from '#domain/network/frame.ts'
import type { RememberedPeer } from '#domain/network/remembered-peers.ts'
import { createRememberedPeers, FORGOTTEN_TICKS } from '#domain/network/remembered-peers.ts'
import { silentLog } from '#node/log.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { PEER_ROWS_MAX, type PeerRow, UNREACHED_ROWS_MAX } from '#store/rows/peer.ts'
import type { Store } from '#store/store.ts'
import { openHouse } from '../domain/house.ts'
import { author, body } from '../domain/network/party.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'

const test = suite('mesh: rejoin')
const random = seeded()

const p2p = { 'p2p.enabled': true }
const mesh = (it: TestNode) => it.client.call('network.mesh-status', {})
const isWith = async (it: TestNode, node: string): Promise<boolean> =>
  (await mesh(it)).peers.some((peer) => peer.node === node && peer.connected)
const rowsOf = async (store: Store): Promise<ReadonlyMap<string, PeerRow>> => {
  const rows = new Map<string, PeerRow>()
  for await (const [node, row] of store.range('peer')) rows.set(node, row)
  return rows
}

test('restarted without a bootstrap address, each of two nodes finds the other', async (signal) => {
  using first = tempDir()
  using second = tempDir()
  const [a, b] = await (async () => {
    await using it = await testNode({ directory: first.path, settings: p2p })
    const [address = ''] = (await mesh(it)).addresses
    await using other = await testNode({ directory: second.path, settings: { ...p2p, bootstrap: address } })
    await until(() => isWith(it, other.node.nodeId), signal)
    await until(() => isWith(other, it.node.nodeId), signal)
    // The one that was dialled learns where the other listens from what it says of itself.
    await until(async () => (await it.node.services.network.peering.remembered()).length === 1, signal)
    return [
      { node: it.node.nodeId, port: Number(address.split('/')[4]) },
      { node: other.node.nodeId, port: Number((await mesh(other)).addresses[0]?.split('/')[4]) },
    ]
  })()
  const report = await fsck({ directory: second.path })
  assert.deepEqual(report.bad, null)
  for (const [dirs, dialled, dialler] of [
    [[first, second], a, b],
    [[second, first], b, a],
  ] as const) {
    await using stays = await testNode({ directory: dirs[0].path, settings: { ...p2p, 'p2p.port': dialled?.port } })
    await using returns = await testNode({ directory: dirs[1].path, settings: p2p })
    assert.equal(returns.node.nodeId, dialler?.node)
    await until(() => isWith(returns, stays.node.nodeId), signal)
  }
}, 40_000)

test('a peer that comes back later is found by a node that is alone', async (signal) => {
  using dir = tempDir()
  using other = tempDir()
  const where = await (async () => {
    await using it = await testNode({ directory: other.path, settings: p2p })
    const [address = ''] = (await mesh(it)).addresses
    await using self = await testNode({ directory: dir.path, settings: { ...p2p, bootstrap: address } })
    await until(() => isWith(self, it.node.nodeId), signal)
    return Number(address.split('/')[4])
  })()
  await using self = await testNode({ directory: dir.path, settings: p2p })
  await self.advanceTicks(1)
  await using it = await testNode({ directory: other.path, settings: { ...p2p, 'p2p.port': where } })
  await until(async () => {
    await self.advanceTicks(1)
    return isWith(self, it.node.nodeId)
  }, signal)
}, 40_000)

test('what strangers announce is not remembered, nor are inner addresses where they reach nobody', async () => {
  using dir = tempDir()
  await using it = await testNode({ directory: dir.path, settings: p2p })
  const { network } = it.node.services
  const now = it.node.store.now().meshTick
  for (let i = 0; i < 2_000; i++) {
    const who = author(random)
    const event = who.presence(now, { addresses: [`/ip4/198.51.100.${i % 250}/tcp/${1 + i}/p2p/${who.node}`] })
    const outcome = network.receive(frameOf(body(event), undefined), {
      ...{ kind: 'libp2p', channel: 'event', from: who.node },
    })
    assert.equal(outcome.status, 'received')
  }
  assert.ok(network.peers().length > 1_000)
  await it.advanceTicks(300)
  await network.peering.remember()
  assert.equal((await rowsOf(it.node.store)).size, 0)
}, 30_000)

const nodeOf = (): string => nodeIdOf(random.bytes(32))
const place = (i: number): string => `/ip4/198.51.${i >> 8}.${i & 255}/tcp/7771`

test('the rows are bounded: the reached and the newest stay, the old are forgotten, little is written', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { store } = house
  const start = store.now().meshTick
  const memory = createRememberedPeers(store, silentLog, start)
  const reached: string[] = []
  for (let i = 0; i < 1_500; i++) {
    const [one, other] = [nodeOf(), nodeOf()]
    reached.push(one)
    memory.reached(one, place(i), start + i)
    memory.told(other, [place(i), place(i + 1), place(i + 2), place(i + 3), place(i + 4)], start + i)
    if (i % 50 === 0) await memory.save(start + i, [])
  }
  await memory.save(start + 1_500, [])
  const rows = await rowsOf(store)
  assert.ok(rows.size <= PEER_ROWS_MAX)
  const unreached = [...rows.values()].filter((it) => !it.reached)
  assert.ok(unreached.length <= UNREACHED_ROWS_MAX)
  assert.ok([...rows.values()].every((it) => it.addresses.length <= 4))
  for (const node of reached.slice(-900)) assert.ok(rows.has(node))
  const listed: readonly RememberedPeer[] = await memory.list(start + 1_500)
  assert.equal(listed[0]?.node, reached.at(-1))

  // The same again writes nothing; an address that was only told does not stand before one that worked.
  const [node = ''] = reached.slice(-1)
  memory.reached(node, place(1_499), start + 1_600)
  const before = await rowsOf(store)
  await memory.save(start + 1_600, [])
  assert.deepEqual(await rowsOf(store), before)
  memory.told(node, [place(1)], start + 1_601)
  await memory.save(start + 1_601, [])
  assert.deepEqual((await rowsOf(store)).get(node)?.addresses, [place(1_499), place(1)])
  memory.reached(node, place(1), start + 1_602)
  await memory.save(start + 1_602, [])
  assert.deepEqual((await rowsOf(store)).get(node)?.addresses, [place(1), place(1_499)])

  const later = start + 1_602 + FORGOTTEN_TICKS
  assert.deepEqual(
    (await memory.list(later)).map((it) => it.node),
    [node],
  )
  await memory.save(later, [])
  assert.deepEqual([...(await rowsOf(store)).keys()], [node])
}, 30_000)

test.run()
