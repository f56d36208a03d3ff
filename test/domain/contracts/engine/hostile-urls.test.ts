// Goal: no contract makes the node call home, in whatever notation, and a server that redirects, floods, drips, packs
// or lies in wait gives no reading, holds up nobody else's fire and is read no further than a document may go. Method:
// definitions over HTTP, and whole fires of contracts whose oracles read such servers on loopback, beside one whose
// server is good.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { DOCUMENT_BYTES_MAX } from '#domain/contracts/outward/read-url.ts'
import { suite } from '../../../kit/suite.ts'
import { until } from '../../../kit/until.ts'
import { leftIn } from '../contract-kit.ts'
import { served } from '../outward/kit.ts'
import { counting, firesOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, hostile urls')

const trigger = { kind: 'recurring', every_ticks: 3 }
const reading = (url: string) =>
  counting(trigger, {
    oracles: { level: { from: { kind: 'url', url, pointer: '/level' }, type: 'number', max_age: 60 } },
    transitions: [
      {
        ...{ id: 'look', from: 'on', to: 'on', trigger, guard: 'oracle.level >= 0' },
        actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
      },
    ],
    budget: { failures_in_row: 100 },
  })
const telling = (url: string) =>
  counting(trigger, {
    transitions: [
      {
        ...{ id: 'tell', from: 'on', to: 'on', trigger },
        actions: [{ kind: 'notify', url, headers: {}, body: null }],
      },
    ],
  })

/** Hosts at home, in every notation, and what leads there. */
const hosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '017700000001', '0x7f.0.0.1', '127.0.0.1.'],
  ...['10.1.2.3', '172.16.0.1', '192.168.1.1', '0xc0a80101', '100.64.0.1', '0.0.0.0', '0', '255.255.255.255'],
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '168.63.129.16'],
  ...['[::1]', '[::]', '[fe80::1]', '[fc00::1]', '[fd12:3456::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::ffff:a9fe:a9fe]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:1::1]', '[::127.0.0.1]', '[ff02::1]'],
  ...['localhost', 'a.localhost', 'localhost.', 'printer', 'nas.lan', 'db.internal', 'metadata.google.internal'],
]

test('no definition names an address at home, in an oracle or a notification', async () => {
  const at = await stage({ settings: { 'limits.keyCallsPerMinute': 1_000_000 } })
  await using it = at.it
  const before = await leftIn(it)
  for (const host of hosts) {
    for (const [definition, path] of [
      [reading(`https://${host}/x`), '/oracles/level/from/url'],
      [telling(`https://${host}:8443/x`), '/transitions/0/actions/0/url'],
    ] as const) {
      const refusal = await at.owner
        .call('contracts.custom', { slug: 'open', definition, start: true })
        .catch((cause: { problem: { code: string; path?: string } }) => cause.problem)
      assert.ok('code' in refusal, `${host} is taken`)
      assert.deepEqual([refusal.code, refusal.path], ['TARGET_REFUSED', path], host)
    }
  }
  assert.equal(await leftIn(it), before)
}, 20_000)

test('servers that redirect, flood, drip, pack or are silent give no reading, nor hold up others', async (signal) => {
  // Unpacked it has 64 MiB; what is packed is refused before it is.
  const bomb = gzipSync(Buffer.alloc(64 * 1_048_576))
  const reached = new Map<string, number>()
  let flooded = 0
  await using server = await served((request, response) => {
    const { url = '' } = request
    reached.set(url, (reached.get(url) ?? 0) + 1)
    const json = { 'content-type': 'application/json' }
    if (url === '/good') response.writeHead(200, json).end('{"level":1}')
    else if (url === '/redirect') response.writeHead(302, { location: '/inside' }).end('{"level":1}')
    else if (url === '/bomb') response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb)
    else if (url === '/nested') response.writeHead(200, json).end('['.repeat(200_000))
    else if (url === '/drip') {
      response.writeHead(200, json)
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    } else if (url === '/flood') {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) flooded += 65_536
        response.once('drain', more)
      }
      more()
    }
    // What is left is silent.
  })
  const at = await stage({ settings: { 'contracts.targets': [`127.0.0.1:${server.port}`] } })
  await using it = at.it
  const made = async (owner: typeof at.owner, slug: string, path: string): Promise<string> =>
    (await owner.call('contracts.custom', { slug, definition: reading(`${server.url}${path}`), start: true })).contract
      .id
  const quick = ['/redirect', '/bomb', '/nested', '/flood']
  const bad = new Map<string, string>()
  for (const path of [...quick, '/drip', '/silent', '/silent', '/silent'])
    bad.set(path, await made(at.owner, 'open', path))
  const other = it.as((await it.client.call('identity.sign-up', {})).api_key)
  await other.call('machines.create', { slug: 'other', is_public: true })
  const good = await made(other, 'other', '/good')
  const refusedOf = async (path: string) => firesOf(it, bad.get(path) ?? '')
  // Those that drip and are silent hold their places for all of it.
  await it.advanceTicks(4)
  await until(async () => (await firesOf(it, good)).length > 0, signal)
  assert.equal((await firesOf(it, good))[0]?.outcome, 'fired')
  assert.deepEqual(await refusedOf('/silent'), [])
  await until(async () => {
    for (const path of quick) if ((await refusedOf(path)).length === 0) return false
    return true
  }, signal)
  for (const path of quick) {
    const [row] = await refusedOf(path)
    assert.deepEqual([row?.outcome, row?.problem?.reason, row?.context], ['refused', 'stale', { n: 0 }], path)
    assert.deepEqual(row?.readings, [])
  }
  assert.equal(reached.get('/inside'), undefined)
  assert.ok(flooded < 16 * DOCUMENT_BYTES_MAX, `${flooded} bytes of an endless answer were taken`)
  const told = new Set(
    it.lines.flatMap(({ event, fields }) =>
      event === 'reading_failed' ? [(fields as { reason: string }).reason] : [],
    ),
  )
  for (const reason of ['redirected', 'unreadable', 'too-large']) assert.ok(told.has(reason as never), reason)
}, 20_000)

test.run()
