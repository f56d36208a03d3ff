/**
 * Goal: whole nodes gossip over libp2p, HTTP and Redis at once and take each event once, whatever way it came first;
 * settings that would show a secret or match channels are refused; what the entrance is up to is shown. Method: real
 * nodes on loopback, real Redis servers, events of authors that are no nodes, posted and published as others would.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { examineRedis } from '#cli/examine-redis.ts'
import { utf8 } from '#core/bytes.ts'
import { eventBytes, eventId, type MeshEvent } from '#core/events.ts'
import { makeHandshake } from '#core/handshake.ts'
import { bodyOf, frameOf } from '#domain/network/frame.ts'
import type { Entrance, Network } from '#domain/network/types.ts'
import { ConfigError, loadConfig, showConfig } from '#node/config.ts'
import { readRedis } from '#node/redis.ts'
import { author } from '../domain/network/party.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { redisServer, withoutRedis } from '../kit/redis.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'

const test = suite('node: the entrance over Redis')
const random = seeded()
const OPENSSL = 'openssl'
const SECRET = 'nodes behind one Redis share this secret of theirs'

/** A test that needs a Redis. */
const onRedis = (title: string, body: (signal: AbortSignal) => Promise<void>, msMax?: number): void =>
  withoutRedis === undefined ? test(title, body, msMax) : test.skip(title, withoutRedis)

const statusOf = (it: TestNode) => it.client.call('network.mesh-status', {})
const isConnected = async (it: TestNode): Promise<boolean> => (await statusOf(it)).redis.state === 'connected'

/** What a node takes as new, and by which entrance. */
const taken = ({ node }: TestNode): { readonly id: string; readonly by: Entrance['kind'] }[] => {
  const found: { readonly id: string; readonly by: Entrance['kind'] }[] = []
  const network = node.services.network as { receive: Network['receive'] }
  const { receive } = network
  network.receive = (data, entrance) => {
    const outcome = receive(data, entrance)
    if (outcome.status === 'received') found.push({ id: outcome.id, by: entrance.kind })
    return outcome
  }
  return found
}

const made = (event: MeshEvent) => {
  const body = bodyOf(eventBytes(event))
  const sender = event.sourceNodeId
  return { body, handshake: makeHandshake(utf8(SECRET), { sender, meshTick: event.tick, body }) }
}

const post = async ({ url }: TestNode, event: MeshEvent): Promise<string> => {
  const { body, handshake } = made(event)
  const headers = { 'Content-Type': 'application/json', 'X-Node-Handshake': handshake }
  const response = await fetch(`${url}/api/mesh/gossip`, {
    method: 'POST',
    body: body as Uint8Array<ArrayBuffer>,
    headers,
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { readonly status: string }).status
}

onRedis(
  'three nodes on libp2p, HTTP and Redis take each event once, whatever way it came first',
  async (signal) => {
    await using server = await redisServer()
    const settings = { 'mesh.secret': SECRET }
    await using a = await testNode({ settings: { ...settings, 'p2p.enabled': true, 'mesh.redis.url': server.url } })
    const [address = ''] = (await statusOf(a)).addresses
    await using b = await testNode({ settings: { ...settings, 'p2p.enabled': true, bootstrap: address } })
    await using c = await testNode({ settings: { ...settings, 'mesh.redis.url': server.url } })
    const nodes = [a, b, c]
    for (const it of [a, c]) await until(() => isConnected(it), signal)
    // Gossip flows between two nodes of libp2p when the presence of each has reached the other.
    await until(async () => {
      for (const it of nodes) await it.advanceTicks(4)
      const heard = await Promise.all([a, b].map(async (it) => (await statusOf(it)).counters.received.libp2p))
      return heard.every((n) => n > 0)
    }, signal)

    const logs = nodes.map(taken)
    const now = a.node.store.now().meshTick
    const events: MeshEvent[] = []
    for (let i = 0; i < 24; i++) {
      const event = author(random).presence(now)
      events.push(event)
      const way = i % 6
      const { body, handshake } = made(event)
      const overRedis = (): Promise<string> => server.say(['PUBLISH', 'tickmesh/event/1', frameOf(body, handshake)])
      if (way < 3) assert.equal(await post(nodes[way] as TestNode, event), 'received')
      else await overRedis()
      // Then by another way as well: a repeat, by handshake or by event.
      if (way === 4) await post(b, event)
      if (way === 5) await post(a, event)
      if (way === 1) await overRedis()
    }
    const ids = events.map(eventId).sort()
    const ours = (log: ReturnType<typeof taken>) => log.filter(({ id }) => ids.includes(id))
    await until(async () => {
      for (const it of nodes) await it.advanceTicks(1)
      return logs.every((log) => ours(log).length >= ids.length)
    }, signal)
    // What waits on a bridge is said within 4 ticks; nothing of it is new to anyone.
    for (let tick = 0; tick < 5; tick++) for (const it of nodes) await it.advanceTicks(1)
    for (const log of logs)
      assert.deepEqual(
        ours(log)
          .map(({ id }) => id)
          .sort(),
        ids,
      )

    const by = (log: ReturnType<typeof taken>) => new Set(ours(log).map((it) => it.by))
    assert.deepEqual(
      logs.map((log) => [...by(log)].sort()),
      [
        ['http', 'libp2p', 'redis'],
        ['http', 'libp2p'],
        ['http', 'redis'],
      ],
    )
    const shown = await Promise.all(nodes.map(statusOf))
    console.log('received', JSON.stringify(shown.map(({ counters }) => counters.received)))
    assert.deepEqual(
      shown.map(({ redis }) => redis.state),
      ['connected', 'off', 'connected'],
    )
    const metrics = await (await fetch(`${a.url}/metrics`)).text()
    for (const it of ['http', 'libp2p', 'redis'] as const) {
      const [counted] = shown
      assert.ok(
        metrics.includes(`tickmesh_gossip_received_total{entrance="${it}"} ${counted?.counters.received[it]}`),
        it,
      )
    }
    assert.match(metrics, /tickmesh_redis_connected 1/)
  },
  60_000,
)

onRedis(
  'with Redis alone nodes say their presence and the heads of their logs',
  async (signal) => {
    await using server = await redisServer()
    const settings = { 'mesh.secret': SECRET, 'mesh.redis.url': server.url }
    await using a = await testNode({ settings })
    await using b = await testNode({ settings })
    for (const it of [a, b]) await until(() => isConnected(it), signal)
    const { key } = await a.client.call('economy.demo-key', {})
    await a.as(key).call('compute.heat', {})
    await until(async () => {
      for (const it of [a, b]) await it.advanceTicks(1)
      const { peers, heads } = await statusOf(b)
      const note = a.node.store.log.checkpoint?.note
      return (
        peers.some((it) => it.node === a.node.nodeId && it.version !== null) && heads.some((it) => it.note === note)
      )
    }, signal)
  },
  60_000,
)

onRedis('without a mesh secret it is closed, says why, and makes no connection', async () => {
  await using server = await redisServer()
  await using it = await testNode({ settings: { 'mesh.redis.url': server.url } })
  await it.advanceTicks(8)
  assert.partialDeepStrictEqual((await statusOf(it)).redis, { state: 'closed', reason: 'MESH_SECRET_MISSING' })
  const clients = await server.say(['CLIENT', 'LIST'])
  assert.equal(clients.match(/ cmd=/g)?.length, 1, 'the one that asks')
  const finding = await examineRedis(loadConfig({ flags: { 'mesh.redis.url': server.url } }))
  assert.equal(finding.state, 'warn')
})

/** What starting with these settings is refused with. */
const refusal = (flags: Readonly<Record<string, unknown>>): string => {
  try {
    readRedis(loadConfig({ flags: { data: '/nowhere', ...flags } }).config)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message
  }
  return 'taken'
}

test('settings that cannot be meant are refused with what to do, and no secret is in the sentence', () => {
  const url = (it: string): string => refusal({ 'mesh.redis.url': it })
  for (const it of ['redis://u:hunter2@host', 'redis://:hunter2@host:1', 'rediss://u@host', 'unix://u:hunter2@/a']) {
    assert.match(url(it), /holds a user or a password.*userFile.*passwordFile/)
    assert.ok(!url(it).includes('hunter2'))
  }
  const rows: readonly (readonly [string, RegExp])[] = [
    ['http://host:6379', /scheme http:.*redis:\/\//],
    ['host:6379', /scheme host:/],
    ['localhost', /is no address/],
    ['redis://', /names no host|is no address/],
    ['redis://host:99999', /is no address/],
    ['redis://host:0', /port 0/],
    ['redis://host/3', /names a database/],
    ['redis://host?password=hunter2', /nothing after the address/],
    ['unix://relative/path', /no path/],
    ['unix:///', /no path/],
    ['unix:///%E0%A4%A', /no path/],
  ]
  for (const [it, expected] of rows) assert.match(url(it), expected, it)
  for (const it of ['redis://host', 'redis://host:6380/', 'rediss://[::1]:6380', 'unix:///tmp/a%20b.sock']) {
    assert.equal(url(it), 'taken', it)
  }
  assert.deepEqual(readRedis(loadConfig({ flags: { 'mesh.redis.url': 'unix:///tmp/a%20b.sock' } }).config)?.at, {
    path: '/tmp/a b.sock',
  })
  assert.deepEqual(readRedis(loadConfig({ flags: { 'mesh.redis.url': 'rediss://[::1]' } }).config)?.at, {
    ...{ host: '::1', port: 6379 },
  })
  const channels = ['', 'a*', 'a?', '[a]', 'a\\b', 'a b', 'a\tb', 'a\n', 'é', 'a'.repeat(65), '\u0000']
  for (const it of channels) assert.match(refusal({ 'mesh.redis.channel': it }), /1 to 64 visible ASCII/, it)
  for (const it of ['tickmesh', 'a', 'a'.repeat(64), 'mesh:one/two-3_4.5']) {
    assert.equal(refusal({ 'mesh.redis.channel': it }), 'taken', it)
  }
})

test('files that are not there, read by others, empty or of the wrong kind are refused; no content is shown', () => {
  using dir = tempDir()
  const file = (name: string, text: string, mode = 0o600): string => {
    const path = join(dir.path, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    return path
  }
  const good = file('password', 'hunter2\n')
  const base = { 'mesh.redis.url': 'rediss://host' }
  const rows: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ 'mesh.redis.passwordFile': join(dir.path, 'none') }, /passwordFile cannot be read: there is no/],
    [{ 'mesh.redis.passwordFile': dir.path }, /passwordFile/],
    [{ 'mesh.redis.passwordFile': file('open', 'hunter2', 0o644) }, /can be read by others \(mode 644\): chmod 600/],
    [{ 'mesh.redis.passwordFile': file('group', 'hunter2', 0o640) }, /can be read by others/],
    [{ 'mesh.redis.passwordFile': file('empty', '\n') }, /holds no text/],
    [{ 'mesh.redis.passwordFile': file('long', 'x'.repeat(5_000)) }, /holds no text of 1 to 4096/],
    [{ 'mesh.redis.userFile': good }, /userFile is set and mesh.redis.passwordFile is not/],
    [{ 'mesh.redis.caFile': good }, /holds no certificate in PEM/],
    [{ 'mesh.redis.caFile': file('ca', '-----BEGIN CERTIFICATE-----\nbroken\n') }, /caFile cannot be used/],
    [{ 'mesh.redis.url': 'redis://host', 'mesh.redis.caFile': good }, /has no TLS: write rediss/],
  ]
  for (const [more, expected] of rows) {
    const said = refusal({ ...base, ...more })
    assert.match(said, expected)
    assert.ok(!said.includes('hunter2'))
  }
  const loaded = loadConfig({ flags: { ...base, 'mesh.redis.passwordFile': good, 'mesh.redis.userFile': good } })
  assert.partialDeepStrictEqual(readRedis(loaded.config), { user: 'hunter2', password: 'hunter2' })
  assert.ok(!JSON.stringify(showConfig(loaded)).includes('hunter2'))
})

test('a node whose Redis is not to be had starts and answers; its doctor says what to do', async (signal) => {
  using dir = tempDir()
  const url = `unix://${join(dir.path, 'none.sock')}`
  await using it = await testNode({ settings: { 'mesh.secret': SECRET, 'mesh.redis.url': url } })
  await until(async () => (await statusOf(it)).redis.reason === 'unreachable', signal)
  assert.equal((await fetch(`${it.url}/readyz`)).status, 200)
  const examined = (flags: Readonly<Record<string, unknown>>) =>
    examineRedis(loadConfig({ flags, environment: { TICKMESH_MESH_SECRET: SECRET } }))
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, string, RegExp])[] = [
    [{}, 'ok', /no setting names one/],
    [{ 'mesh.redis.url': url }, 'warn', /unreachable/],
    [{ 'mesh.redis.url': url, 'mesh.redis.passwordFile': join(dir.path, 'none') }, 'fail', /passwordFile/],
  ]
  for (const [flags, state, detail] of rows) {
    const finding = await examined(flags)
    assert.equal(finding.state, state)
    assert.match(finding.detail, detail)
  }
})

/** A port that nobody listens on. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const TLS = 'over TLS, as a user from files: the certificate of the named authority is believed and no other'
const noTls = withoutRedis ?? (spawnSync(OPENSSL, ['version']).status === 0 ? undefined : 'there is no openssl')
if (noTls !== undefined) test.skip(TLS, noTls)
else {
  test(TLS, async (signal) => {
    using dir = tempDir()
    const at = (name: string): string => join(dir.path, name)
    const certificate = (name: string): void => {
      const made = spawnSync(OPENSSL, [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
        ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
        ...['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`)],
      ])
      assert.equal(made.status, 0, String(made.stderr))
    }
    certificate('ours')
    certificate('another')
    for (const [name, text] of [
      ['user', 'node\n'],
      ['password', 'sesame\n'],
    ] as const) {
      writeFileSync(at(name), text, { mode: 0o600 })
    }
    const port = await freePort()
    const tls = ['--tls-port', `${port}`, '--tls-cert-file', at('ours.pem'), '--tls-key-file', at('ours.key')]
    await using server = await redisServer([...tls, '--tls-auth-clients', 'no'])
    const rights = ['resetchannels', '&tickmesh/*', '+ping', '+subscribe', '+unsubscribe', '+publish']
    await server.say(['ACL', 'SETUSER', 'node', 'on', '>sesame', ...rights])
    const settings = {
      ...{ 'mesh.redis.url': `rediss://127.0.0.1:${port}`, 'mesh.redis.caFile': at('ours.pem') },
      ...{ 'mesh.redis.userFile': at('user'), 'mesh.redis.passwordFile': at('password') },
    }
    await using it = await testNode({ settings: { ...settings, 'mesh.secret': SECRET } })
    await until(() => isConnected(it), signal)
    const examined = (more: object) =>
      examineRedis(loadConfig({ flags: { ...settings, ...more }, environment: { TICKMESH_MESH_SECRET: SECRET } }))
    assert.equal((await examined({})).state, 'ok')
    assert.match((await examined({ 'mesh.redis.caFile': at('another.pem') })).detail, /: tls$/)
    assert.match((await examined({ 'mesh.redis.caFile': '' })).detail, /: tls$/)
    const plain = { 'mesh.redis.url': `redis://127.0.0.1:${port}`, 'mesh.redis.caFile': '' }
    assert.equal((await examined(plain)).state, 'warn')
  }, 30_000)
}

test.run()
