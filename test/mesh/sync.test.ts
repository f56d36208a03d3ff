/**
 * Goal: over real libp2p a node that was away comes back complete from one that is not the source, a head heard by
 * gossip brings what it announces, and streams that break the protocol end without harm. Method: real hosts on
 * loopback over real stores, on clocks that stand until moved; strangers are bare hosts that send what they like.
 */
import assert from 'node:assert/strict'
import { multiaddr } from '@multiformats/multiaddr'
import { encode } from 'it-length-prefixed'
import { concat, utf8 } from '#core/bytes.ts'
import { askFrame, helloFrame } from '#domain/network/sync/frames.ts'
import { createMesh, type Mesh } from '#mesh/host.ts'
import { syncProtocol } from '#mesh/protocols/sync.ts'
import { silentLog } from '#node/log.ts'
import { foreignRow, type Keeper, type KeeperOptions, keeper, rowsIn } from '../domain/network/keeper.ts'
import { SECRET } from '../domain/network/party.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { stranger } from './party.ts'

const test = suite('mesh: sync')
const random = seeded()
const loopback = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }

const frame = (bytes: Uint8Array): Uint8Array => encode.single(bytes).subarray()

interface Meshed extends AsyncDisposable {
  readonly keeper: Keeper
  readonly mesh: Mesh
  readonly address: string
}

const meshed = async (options: KeeperOptions = {}): Promise<Meshed> => {
  await using opened = new AsyncDisposableStack()
  const it = opened.use(await keeper(random, options))
  const { seed, network, clock } = it
  const mesh = opened.use(await createMesh({ seed, config: loopback, network, clock, log: silentLog }))
  const resources = opened.move()
  const [address = ''] = mesh.addresses()
  return { keeper: it, mesh, address, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

const behindOf = (it: Keeper, of: Keeper) => it.sync.sources().find((view) => view.node === of.node)?.behind
const heldOf = (it: Keeper, of: Keeper) => foreignRow(it, of)?.held

test('a node away for 10,000 events comes back complete, from one that is not the source', async (signal) => {
  await using relay = await meshed()
  await using away = await meshed()
  let origin: Pick<Keeper['store']['events'], 'root' | 'size'> | undefined
  let note = ''
  {
    await using source = await meshed()
    await source.keeper.write(100)
    await away.mesh.dial(source.address, signal)
    await until(() => heldOf(away.keeper, source.keeper)?.note === source.keeper.note(), signal)
    await source.keeper.write(9_000)
    await source.keeper.write(1_000)
    await relay.mesh.dial(source.address, signal)
    await until(() => heldOf(relay.keeper, source.keeper)?.note === source.keeper.note(), signal)
    origin = { root: source.keeper.store.events.root, size: source.keeper.store.events.size }
    note = source.keeper.note()
    await relay.keeper.write(3)
  }
  await away.mesh.dial(relay.address, signal)
  const row = await until(async () => {
    const rows = await rowsIn(away.keeper, 'foreignLog')
    return rows.find(([, it]) => it.held?.note === note)?.[1]
  }, signal)
  await until(() => heldOf(away.keeper, relay.keeper)?.note === relay.keeper.note(), signal)
  assert.deepEqual([row?.size, row?.held?.root, row?.aim], [origin.size, origin.root, null])
  assert.deepEqual(await rowsIn(away.keeper, 'assertion'), await rowsIn(relay.keeper, 'assertion'))
}, 60_000)

test('what one node records the other has a tick later: its head is gossiped, and asked for', async (signal) => {
  await using a = await meshed({ secrets: [SECRET] })
  await using b = await meshed({ secrets: [SECRET] })
  await b.mesh.dial(a.address, signal)
  await a.keeper.write(5)
  await until(() => {
    // Gossip needs a moment to mesh; presence and heads go out with the beats.
    for (const { mesh, keeper: it } of [a, b]) {
      it.clock.advanceTicks(1)
      mesh.beat()
    }
    return behindOf(b.keeper, a.keeper) === 0 && heldOf(b.keeper, a.keeper)?.note === a.keeper.note()
  }, signal)
  assert.equal(b.keeper.network.status().sources[0]?.behind, 0)
}, 30_000)

test('a private mesh tells strangers nothing, and one without the secret is no member', async (signal) => {
  await using inside = await meshed({ secrets: [SECRET] })
  await using outside = await meshed()
  await inside.keeper.write(5)
  await outside.mesh.dial(inside.address, signal)
  await until(() => inside.keeper.counted.get('sync_refused_total not_a_member'), signal)
  assert.deepEqual(outside.keeper.sync.sources(), [])
})

test('streams that break the protocol end, each counted by its word, and the node goes on', async (signal) => {
  await using node = await meshed()
  await node.keeper.write(5)
  const flood = (from: string): Uint8Array => {
    const hello = helloFrame({ v: 1, node: from, mesh_tick: 0, logs: {} })
    return concat(frame(new Uint8Array(0)), frame(hello), new Uint8Array(1_024))
  }
  const rows: readonly (readonly [string, (from: string) => Uint8Array])[] = [
    ['oversized', () => Uint8Array.of(0x80, 0x80, 0x80, 0x01, 1, 2, 3)],
    ['oversized', () => new Uint8Array(64).fill(0xff)],
    ['bad_frame', () => concat(frame(new Uint8Array(0)), frame(utf8('{}')))],
    ['overrun', flood],
  ]
  for (const [reason, made] of rows) {
    const before = node.keeper.counted.get(`sync_refused_total ${reason}`) ?? 0
    await using other = await stranger(random)
    const connection = await other.host.dial(multiaddr(node.address), { signal })
    const stream = await connection.newStream(syncProtocol.name, { signal })
    const over = new Promise<void>((resolve) => stream.addEventListener('close', () => resolve(), { once: true }))
    stream.send(made(other.node))
    await over
    await until(() => (node.keeper.counted.get(`sync_refused_total ${reason}`) ?? 0) > before, signal)
  }
  await using honest = await meshed()
  await honest.mesh.dial(node.address, signal)
  await until(() => heldOf(honest.keeper, node.keeper)?.note === node.keeper.note(), signal)
}, 30_000)

test('a peer that vanishes while ranges are on their way to it has done nothing wrong', async (signal) => {
  await using node = await meshed()
  await node.keeper.write(4_000)
  const { origin, size } = node.keeper.store.events
  await using other = await stranger(random)
  const connection = await other.host.dial(multiaddr(node.address), { signal })
  const stream = await connection.newStream(syncProtocol.name, { signal })
  const begun = new Promise<void>((resolve) => {
    // It takes no more than the first bytes, so what follows fills every buffer on the way.
    const look = (): void => {
      stream.removeEventListener('message', look)
      stream.pause()
      resolve()
    }
    stream.addEventListener('message', look)
  })
  const hello = helloFrame({ v: 1, node: other.node, mesh_tick: 0, logs: {} })
  stream.send(concat(frame(new Uint8Array(0)), frame(hello)))
  await begun
  stream.send(frame(askFrame([[origin, 0, size]])))
  await new Promise((resolve) => setImmediate(resolve))
  connection.abort(new Error('gone'))
  await until(() => node.keeper.counted.get('sync_refused_total broken'), signal)
  assert.equal(node.keeper.counted.get('sync_refused_total slow'), undefined)
})

test.run()
