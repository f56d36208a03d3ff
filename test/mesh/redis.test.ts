/**
 * Goal: gossip over Redis arrives, and whatever Redis does (ends, stands still, speaks another protocol, lets nobody
 * in, brings a stranger's flood), nodes go on, keep within their bounds, and are back when it is. Method: real Redis
 * servers of Debian's at sockets of their own, network services on clocks that stand until moved, and a stranger who
 * publishes on the same channels.
 */
import assert from 'node:assert/strict'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import type { MeshEvent } from '#core/events.ts'
import { frameOf } from '#domain/network/frame.ts'
import { listenedShards } from '#domain/network/shards.ts'
import type { RedisPlace } from '#mesh/redis/link.ts'
import { author, body, handshake } from '../domain/network/party.ts'
import { seeded } from '../kit/random.ts'
import { type RedisServer, redisServer, withoutRedis } from '../kit/redis.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { type OnRedis, onRedisWith } from './redis-kit.ts'

const suiteOf = suite('mesh over Redis')
const random = seeded()
const onRedis = onRedisWith(random)
const test = (title: string, body: (signal: AbortSignal) => Promise<void>, msMax?: number): void =>
  withoutRedis === undefined ? suiteOf(title, body, msMax) : suiteOf.skip(title, withoutRedis)

const at = ({ socket }: RedisServer): RedisPlace => ({ at: { path: socket } })
const presence = { addresses: [], genesisTick: 2_309_999_000, registry_version: 'sha256:aa', version: '0.1.0' }
const frame = (sender: string, tick: number, event: MeshEvent): Uint8Array =>
  frameOf(body(event), handshake(sender, tick, body(event)))
const hasHeard = (it: OnRedis, node: string): boolean => it.network.peers().some((peer) => peer.node === node)

test('what one says all others hear once, and nobody hears itself; channels have their names', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await using b = onRedis(at(server))
  await using c = onRedis(at(server))
  await using elsewhere = onRedis(at(server), 'another')
  const all = [a, b, c]
  for (const it of [...all, elsewhere]) await it.joined(signal)
  for (const it of all) await it.network.announce('presence', presence)
  for (const it of all) {
    const others = all.filter((other) => other !== it)
    await until(() => others.every(({ node }) => hasHeard(it, node)), signal)
    const { received, repeated } = it.network.counters()
    assert.deepEqual(
      [received, repeated],
      [
        { http: 0, libp2p: 0, redis: 2 },
        { replayed: 0, duplicate: 0 },
      ],
    )
  }
  assert.deepEqual(elsewhere.network.counters().received, { http: 0, libp2p: 0, redis: 0 })
  const channels = await server.say(['PUBSUB', 'CHANNELS', 'tickmesh/*'], ['PUBSUB', 'NUMPAT'])
  for (const name of ['tickmesh/event/1', 'tickmesh/head/1', 'tickmesh/shard/1/00'])
    assert.ok(channels.includes(`${name}\r\n`))
  assert.ok(channels.includes(':0\r\n'), 'no pattern is subscribed to')
})

test('it listens to its own shard and those of its partners, and leaves what it needs no more', async (signal) => {
  await using server = await redisServer()
  const [first, second] = [author(random).node, author(random).node]
  let partners = [first]
  await using it = onRedis(at(server), 'tickmesh', () => partners)
  await it.joined(signal)
  const listened = async (): Promise<string[]> => {
    const said = await server.say(['PUBSUB', 'CHANNELS', '*'])
    return [...said.matchAll(/tickmesh\/(shard)\/1\/([0-9a-f]{2})\r/g)].map(([, , digits]) => `shard/${digits}`).sort()
  }
  for (const now of [[first], [second], [first, second]]) {
    partners = now
    for (let i = 0; i < 16; i++) it.tick()
    it.network.peering.beat()
    const wanted = [...listenedShards(it.node, now)].sort()
    await until(async () => isDeepStrictEqual(await listened(), wanted), signal)
  }
  await server.kill()
  await until(() => it.state() === 'failed', signal)
  await server.start()
  await it.joined(signal)
  assert.deepEqual(await listened(), [...listenedShards(it.node, partners)].sort(), 'on a new connection too')
}, 60_000)

test('Redis is asked for nothing that keeps anything, and holds no key', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await a.joined(signal)
  await a.network.announce('presence', presence)
  for (let i = 0; i < 8; i++) a.tick()
  const said = await until(async () => {
    const stats = await server.say(['INFO', 'commandstats'], ['DBSIZE'])
    return stats.includes('cmdstat_publish') && stats
  }, signal)
  const commands = [...said.matchAll(/cmdstat_(\w+)/g)].map((found) => found[1])
  const ours = new Set(['ping', 'publish', 'subscribe', 'unsubscribe', 'auth', 'quit', 'info', 'dbsize'])
  assert.deepEqual(
    commands.filter((it) => !ours.has(it ?? '')),
    [],
  )
  assert.ok(said.includes(':0\r\n'))
})

test('killed and started again, it is found again; each change is told once', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await using b = onRedis(at(server))
  for (const it of [a, b]) await it.joined(signal)
  await server.kill()
  await until(() => [a, b].every((it) => it.state() === 'failed'), signal)
  const lost = a.network.counters().unpublished
  await a.network.announce('presence', presence)
  assert.equal(a.network.counters().unpublished, lost + 1, 'what cannot be said is counted, not kept')
  await until(() => a.redis.status().failures >= 6, signal)
  await server.start()
  for (const it of [a, b]) await it.joined(signal)
  await a.network.announce('presence', presence)
  await until(() => hasHeard(b, a.node), signal)
  assert.ok(a.lines.length <= 4, a.lines.join(', '))
  assert.equal(a.lines.at(-1), 'redis_connected')
  assert.equal(a.counted.get('redis_failures_total'), a.redis.status().failures)
  assert.equal(new Set(a.lines.slice(1)).size, a.lines.length - 1, 'each reason once')
}, 60_000)

test('where nobody is at the start the node runs; it joins when Redis comes', async (signal) => {
  await using server = await redisServer()
  await server.kill()
  await using a = onRedis(at(server))
  await until(() => a.state() === 'failed', signal)
  assert.equal(a.redis.status().reason, 'unreachable')
  await server.start()
  await a.joined(signal)
}, 60_000)

test('one that stands still is given up and found again; what waits for it is bounded', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await using b = onRedis(at(server))
  for (const it of [a, b]) await it.joined(signal)
  server.freeze()
  const big = 'x'.repeat(60)
  for (let i = 0; i < 1_000; i++) await a.network.announce('presence', { ...presence, version: `${big}${i % 10}` })
  const { published, unpublished } = a.network.counters()
  assert.ok(unpublished >= 1_000 - 256 - 32 - 8, `${published} taken, ${unpublished} not`)
  await until(() => {
    a.tick()
    return a.redis.status().reason === 'silent'
  }, signal)
  assert.equal(a.state(), 'failed')
  server.thaw()
  await a.joined(signal)
  await b.joined(signal)
  await a.network.announce('presence', presence)
  await until(() => hasHeard(b, a.node), signal)
}, 60_000)

/** A server that treats everyone alike. */
const serving = async (server: Server): Promise<{ readonly place: RedisPlace } & AsyncDisposable> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    place: { at: { host: '127.0.0.1', port } },
    [Symbol.asyncDispose]: async () => {
      for (const it of sockets) it.destroy()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}
const answering = (...chunks: readonly (string | Uint8Array)[]): Server =>
  createServer((socket) => void socket.on('data', () => chunks.forEach((it) => void socket.write(it))))

const MEGABYTE = Buffer.alloc(1_048_576, 0x61)
const strangers: readonly (readonly [string, () => Server, string])[] = [
  ['a web server', () => createHttpServer((_, response) => void response.end('hello')) as Server, 'protocol'],
  ['random bytes', () => answering(random.bytes(4_096)), 'protocol'],
  ['a line without end', () => answering('+', MEGABYTE, MEGABYTE), 'protocol'],
  ['a string of gigabytes', () => answering('$4000000000\r\n', MEGABYTE), 'oversized'],
  ['arrays within arrays', () => answering('*1\r\n'.repeat(100_000)), 'protocol'],
  ['an array of thousands of millions', () => answering('*2000000000\r\n'), 'protocol'],
  ['nobody who answers', () => createServer(() => undefined), 'silent'],
  ['someone who hangs up', () => createServer((socket) => void socket.end()), 'lost'],
  ['an error for every question', () => answering('-ERR not today\r\n'), 'refused'],
]
for (const [what, server, reason] of strangers) {
  test(`at the address is ${what}: failed, ${reason}; nothing is taken, and it is tried again`, async (signal) => {
    await using stranger = await serving(server())
    await using a = onRedis(stranger.place)
    await until(() => a.redis.status().reason === reason, signal)
    assert.equal(a.state(), 'failed')
    await until(() => a.redis.status().failures >= 4, signal)
    assert.equal(a.redis.status().state, 'failed')
    assert.ok(a.lines.filter((it) => it === `redis_failed ${reason}`).length === 1, a.lines.join(', '))
    assert.deepEqual(a.network.counters().received, { http: 0, libp2p: 0, redis: 0 })
  }, 60_000)
}

test('a user with a password is let in; not one with a wrong one, or without a right that it needs', async (signal) => {
  const rights = (name: string, ...more: string[]) => [
    'ACL',
    'SETUSER',
    name,
    'on',
    '>sesame',
    'resetchannels',
    ...more,
  ]
  await using server = await redisServer()
  const all = ['&tickmesh/*', '+ping', '+subscribe', '+unsubscribe', '+publish', '+auth']
  await server.say(
    rights('node', ...all),
    rights('deaf', '&tickmesh/*', '+ping', '+publish'),
    rights('mute', '&tickmesh/*', '+ping', '+subscribe'),
    rights('outside', '&another/*', '+ping', '+subscribe', '+publish'),
  )
  const as = (user: string, password = 'sesame'): RedisPlace => ({ ...at(server), user, password })
  await using listening = onRedis(as('node'))
  await listening.joined(signal)
  for (const place of [as('node', 'wrong'), as('deaf'), as('outside'), as('nobody')]) {
    await using it = onRedis(place)
    await until(() => it.redis.status().reason === 'refused', signal)
    assert.equal(it.state(), 'failed')
  }
  await using mute = onRedis(as('mute'))
  await mute.joined(signal)
  await mute.network.announce('presence', presence)
  await until(() => mute.redis.status().reason === 'refused', signal)
  await listening.network.announce('presence', presence)
  await until(() => hasHeard(mute, listening.node), signal)
  assert.equal(mute.state(), 'failed', 'it hears, and says that it cannot speak')
  assert.ok(!hasHeard(listening, mute.node))
  await server.say(rights('mute', ...all))
  await mute.network.announce('presence', presence)
  await mute.joined(signal)
  await until(() => hasHeard(listening, mute.node), signal)
}, 60_000)

test('whoever publishes without the secret gets nothing in, and costs a share of each tick at most', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await using b = onRedis(at(server))
  for (const it of [a, b]) await it.joined(signal)
  const other = author(random)
  const now = a.meshTick()
  const good = other.presence(now)
  const bad = new TextEncoder().encode('{"event":{"v":1}}')
  const flood: readonly Uint8Array[] = [
    random.bytes(200),
    new Uint8Array(0),
    new Uint8Array(66_000).fill(0x7b),
    body(good),
    frame(other.node, now - 500, good),
    frameOf(body(good), handshake(other.node, now, bad)),
    frameOf(bad, handshake(other.node, now, body(good))),
    frameOf(body(good), handshake(other.node, now, body(good), new Uint8Array(32).fill(7))),
  ]
  const names = ['tickmesh/event/1', 'tickmesh/head/1', 'tickmesh/shard/1/00']
  const rounds = 250
  const said = Array.from({ length: rounds * flood.length }, (_, i) => [
    'PUBLISH',
    names[i % names.length] ?? '',
    flood[i % flood.length] ?? '',
  ])
  await server.say(...said)
  const seen = (it: OnRedis): number =>
    it.redis.status().passed_over + Object.values(it.network.counters().dropped).reduce((sum, n) => sum + n, 0)
  // Reading stops where a tick's share is used up, so that ticks must pass until all has been read.
  await until(() => {
    for (const it of [a, b]) it.tick()
    return seen(a) >= said.length && seen(b) >= said.length
  }, signal)
  for (const it of [a, b]) {
    const { received, dropped } = it.network.counters()
    assert.deepEqual(received, { http: 0, libp2p: 0, redis: 0 })
    assert.equal(dropped.too_large, rounds)
    assert.ok(dropped.bad > 0 && dropped.missing > 0)
    assert.deepEqual(it.network.peers(), [])
    assert.equal(it.state(), 'connected')
  }
  await a.network.announce('presence', presence)
  await until(() => hasHeard(b, a.node), signal)
}, 60_000)

test('of a tick no more than 4,096 messages are looked at; the rest is counted and not read', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await a.joined(signal)
  await server.say(...Array.from({ length: 6_000 }, (_, i) => ['PUBLISH', 'tickmesh/event/1', `${i}`]))
  await until(() => a.redis.status().passed_over + a.network.counters().dropped.missing >= 6_000, signal)
  assert.equal(a.redis.status().passed_over, 6_000 - 4_096)
  assert.equal(a.counted.get('redis_passed_over_total'), 6_000 - 4_096)
  assert.equal(a.network.counters().dropped.missing, 4_096)
  a.tick()
  await server.say(['PUBLISH', 'tickmesh/event/1', 'one more'])
  await until(() => a.network.counters().dropped.missing === 4_097, signal)
}, 60_000)

test('a message beyond all bounds ends the connection, which is made anew', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await using b = onRedis(at(server))
  for (const it of [a, b]) await it.joined(signal)
  await server.say(['PUBLISH', 'tickmesh/event/1', new Uint8Array(5_000_000)])
  await until(() => a.lines.includes('redis_failed oversized'), signal)
  for (const it of [a, b]) await it.joined(signal)
  await a.network.announce('presence', presence)
  await until(() => hasHeard(b, a.node), signal)
}, 60_000)

test('a recorded message that is sent again is a repeat, and changes nothing', async (signal) => {
  await using server = await redisServer()
  await using a = onRedis(at(server))
  await a.joined(signal)
  const of = author(random)
  const event = of.presence(a.meshTick())
  const data = frame(of.node, a.meshTick(), event)
  await server.say(...Array.from({ length: 50 }, () => ['PUBLISH', 'tickmesh/event/1', data]))
  await until(() => a.network.counters().repeated.replayed === 49, signal)
  assert.deepEqual(a.network.counters().received, { http: 0, libp2p: 0, redis: 1 })
})

test('between libp2p and Redis one node of three carries what came by one to the other', async (signal) => {
  await using server = await redisServer()
  await using listener = onRedis(at(server))
  const bridges = [onRedis(at(server)), onRedis(at(server)), onRedis(at(server))]
  await using opened = new AsyncDisposableStack()
  for (const it of bridges) opened.use(it)
  for (const it of [listener, ...bridges]) await it.joined(signal)
  const of = author(random)
  const event = of.presence(listener.meshTick())
  const data = frame(of.node, listener.meshTick(), event)
  for (const it of bridges) it.network.receive(data, { kind: 'libp2p', channel: 'event', from: of.node })
  /** Waits until everyone has heard all that was said: a stranger's word, said after it, is dropped everywhere. */
  let words = 0
  const allHeard = async (): Promise<void> => {
    const spoken = (): number => bridges.reduce((sum, it) => sum + it.network.counters().published - it.sent.length, 0)
    await until(async () => {
      const calls = /cmdstat_publish:calls=(\d+)/.exec(await server.say(['INFO', 'commandstats']))?.[1]
      return Number(calls ?? 0) === spoken() + words
    }, signal)
    words += 1
    await server.say(['PUBLISH', 'tickmesh/event/1', 'a word'])
    await until(() => [listener, ...bridges].every((it) => it.network.counters().dropped.missing === words), signal)
  }
  for (let tick = 0; tick < 4; tick++) {
    for (const it of bridges) {
      it.tick()
      it.network.peering.beat()
      await allHeard()
    }
  }
  assert.ok(hasHeard(listener, of.node))
  assert.deepEqual(listener.network.counters().repeated, { replayed: 0, duplicate: 0 }, 'it was said once')
}, 60_000)

suiteOf.run()
