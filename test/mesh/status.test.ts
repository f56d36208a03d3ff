/**
 * Goal: the status protocol is bounded and always ends, whatever the other side does, and the small parts of the mesh
 * keep their bounds. Method: strangers on loopback answer wrongly in each way there is; a real host asks them.
 */
import assert from 'node:assert/strict'
import type { Stream } from '@libp2p/interface'
import { messageStreamToDuplex } from '@libp2p/utils'
import { multiaddr } from '@multiformats/multiaddr'
import { encode } from 'it-length-prefixed'
import { pipe } from 'it-pipe'
import { utf8 } from '#core/bytes.ts'
import { dialable } from '#mesh/acquaintances.ts'
import { outbox } from '#mesh/outbox.ts'
import { ask } from '#mesh/protocol.ts'
import { statusProtocol } from '#mesh/protocols/status.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { meshParty, stranger } from './party.ts'

const test = suite('mesh status protocol')
const random = seeded()

const send = (stream: Stream, frames: readonly Uint8Array[]): Promise<void> =>
  pipe(frames, (source) => encode(source), messageStreamToDuplex(stream).sink)

const wrongs: Readonly<Record<string, (stream: Stream) => Promise<void>>> = {
  'a frame above the limit': (stream) => send(stream, [new Uint8Array(statusProtocol.frameBytesMax + 1)]),
  'one frame instead of two': (stream) => send(stream, [utf8('x')]),
  'no length at all': async (stream) => {
    stream.send(new Uint8Array(64).fill(0xff))
    await stream.close()
  },
  'a reset': async (stream) => stream.abort(new Error('no')),
  'nothing, and closed': async (stream) => stream.close(),
}

for (const [name, wrong] of Object.entries(wrongs)) {
  test(`a peer that answers with ${name} is shown without status`, async (signal) => {
    await using it = await meshParty(random)
    await using other = await stranger(random)
    await other.host.handle(statusProtocol.name, wrong)
    await other.join(it.address, signal)
    await it.until(() => it.network.peers()[0]?.reasons[0] === 'no_status', signal)
    assert.equal(it.network.peers()[0]?.state, 'incompatible')
  })
}

test('a peer whose document is no status is shown as such', async (signal) => {
  await using it = await meshParty(random, { secrets: [] })
  await using other = await stranger(random)
  await other.host.handle(statusProtocol.name, (stream) => send(stream, [utf8(''), utf8('{"v":1}')]))
  await other.join(it.address, signal)
  await it.until(() => it.network.peers()[0]?.reasons[0] === 'bad_status', signal)
})

test('a peer that never answers holds nothing up: the host stops', async (signal) => {
  const asked = Promise.withResolvers<void>()
  await using other = await stranger(random)
  await other.host.handle(statusProtocol.name, () => asked.resolve())
  {
    await using it = await meshParty(random)
    await other.join(it.address, signal)
    await asked.promise
  }
  assert.equal(signal.aborted, false)
})

test('an asker of wrong frames is refused, and the signal ends a wait', async (signal) => {
  await using it = await meshParty(random)
  await using other = await stranger(random)
  await other.join(it.address, signal)
  const open = async (): Promise<Stream> => {
    const connection = await other.host.dial(multiaddr(it.address), { signal })
    return connection.newStream(statusProtocol.name, { signal })
  }
  const big = new Uint8Array(statusProtocol.frameBytesMax + 1)
  const generous = { ...statusProtocol, frameBytesMax: 2 * statusProtocol.frameBytesMax }
  await assert.rejects(ask(generous, await open(), [big, big], signal))
  await assert.rejects(ask(statusProtocol, await open(), [big, big], signal), 'our own side keeps the limit too')
  const stop = new AbortController()
  const waiting = ask({ ...statusProtocol, frames: 3 }, await open(), [utf8('a'), utf8('b')], stop.signal)
  stop.abort(new Error('enough'))
  await assert.rejects(waiting)
  const [, document] = await ask(statusProtocol, await open(), [utf8(''), utf8('{}')], signal)
  assert.match(new TextDecoder().decode(document), new RegExp(`"node":"${it.node}"`), 'and still answers')
})

test('the outbox keeps order, refuses beyond 256 and ends with its signal', async () => {
  const sent: number[] = []
  const gate = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const box = outbox(async (item: number) => {
    await gate.promise
    if (sent.push(item) === 257) done.resolve()
  })
  const stop = new AbortController()
  const running = box.run(stop.signal)
  const taken = Array.from({ length: 300 }, (_, i) => box.push(i)).filter(Boolean).length
  assert.equal(taken, 256, 'the loop has not yet run')
  gate.resolve()
  await Promise.resolve()
  while (!box.push(1_000)) await new Promise((resolve) => setImmediate(resolve))
  await done.promise
  assert.deepEqual(sent, [...Array.from({ length: 256 }, (_, i) => i), 1_000])
  stop.abort()
  await running
})

test('announced addresses: plain TCP only, and none of this machine unless it is on loopback', () => {
  const rows = [
    ['/ip4/192.0.2.1/tcp/7771', true, true],
    ['/ip6/2001:db8::1/tcp/7771', true, true],
    ['/ip4/127.0.0.1/tcp/7771', true, false],
    ['/ip4/0.0.0.0/tcp/7771', true, false],
    ['/ip6/::1/tcp/22', true, false],
    ['/ip6/::ffff:127.0.0.1/tcp/22', true, false],
    ['/ip4/999.0.0.1/tcp/1', false, false],
    ['/dns4/example.org/tcp/443', false, false],
    ['/ip4/192.0.2.1/udp/7771/quic-v1', false, false],
    ['/ip4/192.0.2.1/tcp/7771/p2p/12D3KooW/p2p-circuit', false, false],
  ] as const
  for (const [address, local, open] of rows) {
    assert.equal(dialable(address, '127.0.0.1'), local, address)
    assert.equal(dialable(address, '192.0.2.9'), open, address)
  }
})

test.run()
