/**
 * Goal: over real libp2p a node learns when witnesses of its policy signed another's events, from beats alone; a peer
 * that does not speak of it, or speaks nonsense, leaves them pending and costs nothing. Method: real hosts on loopback
 * over real stores; witnesses that sign whatever second they are told to; a bare host as stranger.
 */
import assert from 'node:assert/strict'
import { multiaddr } from '@multiformats/multiaddr'
import { encode } from 'it-length-prefixed'
import { NS_PER_SECOND } from '#core/time.ts'
import { meshTickOfSecond } from '#core/when.ts'
import { ANSWER_BYTES_MAX, QUESTION_BYTES_MAX } from '#domain/network/cosigned/frames.ts'
import { createMesh, type Mesh } from '#mesh/host.ts'
import { cosignedExchange } from '#mesh/protocols/cosigned.ts'
import { silentLog } from '#node/log.ts'
import { cosign, policyOf, takeOwn, toyWitness } from '../domain/network/cosigned-kit.ts'
import { foreignRow, type Keeper, type KeeperOptions, keeper } from '../domain/network/keeper.ts'
import { START } from '../kit/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { stranger } from './party.ts'

const test = suite('mesh: cosigned')
const random = seeded()
const loopback = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }
const NOW = Number(START / NS_PER_SECOND) + 50

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

test('an event is pending until its cosignature came by the beats, and then happened at its tick', async (signal) => {
  const witness = toyWitness(random)
  await using source = await meshed()
  await using other = await meshed({ policy: policyOf(witness) })
  await source.keeper.write(3)
  await other.mesh.dial(source.address, signal)
  await until(() => foreignRow(other.keeper, source.keeper)?.held?.note === source.keeper.note(), signal)
  const event = { origin: source.keeper.store.events.origin, seq: 2, tick: meshTickOfSecond(NOW) - 9 }
  other.mesh.beat()
  assert.equal(other.keeper.network.whenOf(event), 'pending')
  await cosign(source.keeper, witness, NOW)
  await takeOwn(source.keeper)
  const happened = await until(() => {
    other.mesh.beat()
    const when = other.keeper.network.whenOf(event)
    return when !== 'pending' && when
  }, signal)
  assert.deepEqual(happened, { at: event.tick, mark: null })
})

test('questions and answers that are none end their stream, and nothing is known by them', async (signal) => {
  const witness = toyWitness(random)
  await using node = await meshed({ policy: policyOf(witness) })
  await using other = await stranger(random)
  const connection = await other.host.dial(multiaddr(node.address), { signal })
  const questions = [
    encode.single(new Uint8Array(0)).subarray(),
    encode.single(new Uint8Array(QUESTION_BYTES_MAX + 1)).subarray(),
    new Uint8Array(32).fill(0xff),
  ]
  for (const question of questions) {
    const stream = await connection.newStream(cosignedExchange.name, { signal })
    const over = new Promise<void>((resolve) => stream.addEventListener('close', () => resolve(), { once: true }))
    stream.send(question)
    await over
  }
  await using teller = await stranger(random)
  await teller.host.handle(cosignedExchange.name, async (stream) => {
    stream.send(encode.single(new Uint8Array(ANSWER_BYTES_MAX + 1)).subarray())
  })
  const [address = ''] = teller.host.getMultiaddrs().map(String)
  await node.mesh.dial(address, signal)
  await assert.rejects(
    node.mesh.ask(cosignedExchange, { node: teller.node, question: new Uint8Array(1), signal }),
    /length|long/i,
  )
})

test.run()
