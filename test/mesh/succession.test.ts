// Goal: a node that rotated its key finds its mesh again, and the others learn from the event logs who took its place.
// Method: two whole nodes on loopback, clocks moved by hand; one is stopped, rotated and started again.
import assert from 'node:assert/strict'
import { TICK_NS } from '#core/tick.ts'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { START } from '../kit/clock.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'

const test = suite('mesh: succession')
const p2p = { 'p2p.enabled': true }
const mesh = (it: TestNode) => it.client.call('network.mesh-status', {})
const isWith = async (it: TestNode, node: string): Promise<boolean> =>
  (await mesh(it)).peers.some((peer) => peer.node === node && peer.connected)

test('the mesh learns who took the place of a node that it knew', async (signal) => {
  using first = tempDir()
  await using stays = await testNode({ settings: p2p })
  const [address = ''] = (await mesh(stays)).addresses
  const old = await (async () => {
    await using it = await testNode({ directory: first.path, settings: { ...p2p, bootstrap: address } })
    await until(() => isWith(stays, it.node.nodeId), signal)
    await until(() => isWith(it, stays.node.nodeId), signal)
    return it.node.nodeId
  })()
  let now = START + 3n * TICK_NS
  const { succession } = await rotateIdentity({
    ...{ directory: first.path, reason: 'planned', signal, clock: { now: () => now } },
    sleep: async (ms) => {
      now += BigInt(Math.ceil(ms)) * 1_000_000n
    },
  })
  assert.equal(succession.old_node, old)
  // No bootstrap address: it remembers whom it was with.
  await using it = await testNode({ directory: first.path, settings: p2p, start: START + 6n * TICK_NS })
  await stays.advanceTicks(6)
  await until(() => isWith(it, stays.node.nodeId), signal)
  const known = await until(async () => {
    for (const node of [it, stays]) await node.advanceTicks(1)
    return (await mesh(stays)).peers.find((peer) => peer.node === old && peer.superseded_by !== null)
  }, signal)
  assert.equal(known.superseded_by, succession.new_node)
  // Both of its event logs, the one that ended and the one that began, are there whole.
  const sources = await until(async () => {
    for (const node of [it, stays]) await node.advanceTicks(1)
    const all = (await mesh(stays)).sources.filter((row) => row.node === old || row.node === succession.new_node)
    return all.length === 2 && all.every((row) => row.behind === 0) ? all : undefined
  }, signal)
  assert.equal(sources.length, 2)
}, 60_000)

test.run()
