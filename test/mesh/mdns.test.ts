// Goal: with mdns two hosts that were told nothing find each other, without it they do not; what is heard so passes
// the same rule and bounds as any announced address. Method: real hosts on loopback, multicast on a port of the test's
// own; where the machine passes no multicast to itself, what the library would say is said by its real object instead.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import { acquaintances } from '#mesh/acquaintances.ts'
import { type MeshConfig, startHost } from '#mesh/libp2p.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { meshParty } from './party.ts'

const test = suite('mesh: mdns')
const random = seeded()
const GROUP = '224.0.0.251'
/** Of this run's own, so that no other node on the machine or near by takes part. */
const PORT = random.integer(20_000, 59_999)

/** Whether this machine hears its own multicast. */
const hearsItself = async (): Promise<boolean> => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  const heard = Promise.withResolvers<boolean>()
  socket.on('message', () => heard.resolve(true))
  socket.on('error', () => heard.resolve(false))
  socket.bind(PORT, () => {
    try {
      socket.addMembership(GROUP)
      socket.setMulticastLoopback(true)
      socket.send('x', PORT, GROUP, (error) => {
        if (error !== null) heard.resolve(false)
      })
    } catch {
      heard.resolve(false)
    }
  })
  AbortSignal.timeout(10_000).addEventListener('abort', () => heard.resolve(false))
  const result = await heard.promise
  socket.close()
  return result
}

const multicast = await hearsItself()

const finds = async (signal: AbortSignal): Promise<void> => {
  await using a = await meshParty(random, { mdns: { port: PORT } })
  await using b = await meshParty(random, { mdns: { port: PORT } })
  await using deaf = await meshParty(random)
  await until(() => a.mesh.peers().includes(b.node) && b.mesh.peers().includes(a.node), signal)
  assert.deepEqual(deaf.mesh.peers(), [])
}
if (multicast) test('two hosts find each other, and one without it finds and is found by nobody', finds, 30_000)
else test.skip('two hosts find each other', 'this machine does not hear its own multicast')

test('what the library tells is met under the rule for announced addresses', async (signal) => {
  const config: MeshConfig = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [], mdns: { port: PORT } }
  const stop = new AbortController()
  const host = await startHost(random.bytes(32), config)
  const other = await startHost(random.bytes(32), { ...config, mdns: undefined })
  const outside = await startHost(random.bytes(32), { ...config, host: '0.0.0.0', mdns: undefined })
  try {
    const work: Promise<void>[] = []
    const meet = (from: typeof host, own: MeshConfig) => {
      const friends = acquaintances(from, own, stop.signal)
      return (node: string, at: readonly string[]) => friends.meet(node, at, (it) => void work.push(it))
    }
    const addresses = other.getMultiaddrs().map(String)
    const node = other.peerId.toString()
    // A node that is open to others is not sent to what runs beside it.
    meet(outside, { ...config, host: '0.0.0.0' })(node, addresses)
    assert.equal(work.length, 0)
    meet(host, config)(node, ['/ip4/127.0.0.1/udp/1/quic-v1', '/dns4/example.org/tcp/1', '/ip4/127.0.0.1/tcp/1/ws'])
    meet(host, config)(host.peerId.toString(), addresses)
    assert.equal(work.length, 0)
    host.services.nearby?.addEventListener('peer', ({ detail: { id, multiaddrs } }) => {
      meet(host, config)(id.toString(), multiaddrs.map(String))
    })
    const detail = { id: peerIdFromString(node), multiaddrs: addresses.map((it) => multiaddr(it)) }
    ;(host.services.nearby as unknown as EventTarget).dispatchEvent(new CustomEvent('peer', { detail }))
    await until(() => host.getPeers().some((it) => it.toString() === node), signal)
    assert.equal(other.services.nearby, undefined)
  } finally {
    stop.abort()
    await Promise.all([host.stop(), other.stop(), outside.stop()])
  }
}, 20_000)

test.run()
