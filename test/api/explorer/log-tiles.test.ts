// Goal: the logs can be read by any tool that knows C2SP's documents, as far as they are signed and no further, while
// they grow, after a restart and after a succession; and a path that is not spelled as the document says names nothing.
// Method: a reader of its own (log-reader.ts: RFC 6962 by recursion, notes by node:crypto) rebuilds signed roots from
// what a real node serves; paths are sent byte for byte.
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { purposes } from '#core/digest.ts'
import { TICK_NS } from '#core/tick.ts'
import { rotateIdentity } from '#domain/identity/succession.ts'
import { START } from '../../kit/clock.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { checkUpper, entries, entryHash, type Fetch, leafHashes, openNote, treeHash } from './log-reader.ts'

const test = suite('api: log tiles')

const settings = { 'limits.anonymousCallsPerMinute': 100_000 }

/** Leaves of some text each, in one commit; they are promised until the tick is closed. */
const append = async ({ node: { store } }: TestNode, count: number, log: 'seal' | 'events' = 'seal'): Promise<void> => {
  const purpose = log === 'seal' ? purposes.tokenOp : purposes.eventLeaf
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(`${purpose}\n{"t":"${text}"}`)
  await store.commit((tx) => {
    for (let i = 0; i < count; i++) tx.append(purpose, () => bytes(`${log} ${store.log.size} ${i}`), log)
  })
}

const reader =
  ({ url }: TestNode, log = 'seal'): Fetch =>
  async (path) => {
    const response = await fetch(new URL(`/log/${log}/${path}`, url))
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return Buffer.from(await response.arrayBuffer())
  }

const vkeysOf = async ({ client }: TestNode) => (await client.call('identity.node', {})).vkeys

/** The signed head, held against the root that the tiles lead to. */
const readWhole = async (it: TestNode, vkey: string, log = 'seal') => {
  const get = reader(it, log)
  const head = openNote(String(await get('checkpoint')), vkey)
  const leaves = await leafHashes(get, head.size)
  assert.equal(treeHash(leaves).toString('base64'), head.root)
  return { head, leaves, upper: await checkUpper(get, leaves) }
}

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** Connections that are closed with the test. */
const connections = (): { readonly agent: Agent } & Disposable => {
  const agent = new Agent({ keepAlive: true })
  return { agent, [Symbol.dispose]: () => agent.destroy() }
}

/** One request whose target goes out as it is spelled. */
const send = (it: TestNode, agent: Agent, path: string, method = 'GET', lines: Record<string, string> = {}) => {
  const { promise, resolve, reject } = Promise.withResolvers<Got>()
  const { hostname, port } = new URL(it.url)
  const out = request({ agent, hostname, port, method, path, headers: lines }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => void chunks.push(chunk))
    response.on('end', () => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) })
    })
  })
  out.on('error', reject)
  out.end()
  return promise
}

test('a reader of its own rebuilds every signed root from tiles, and finds no leaf that is not signed', async () => {
  await using it = await testNode({ settings })
  const { log: vkey } = await vkeysOf(it)
  for (const count of [1, 200, 54, 1, 300, 700]) {
    await append(it, count)
    await it.advanceTicks(1)
  }
  const { head, leaves, upper } = await readWhole(it, vkey)
  assert.equal(head.size, it.node.store.log.size)
  assert.equal(upper, 1)
  // Every checkpoint that was ever signed has its tiles.
  const { checkpoints, next } = await it.client.call('explorer.log-checkpoints', { log: 'seal' })
  assert(checkpoints.length >= 6 && next === null)
  for (const { note, size, root } of checkpoints) {
    const signed = openNote(note, vkey)
    assert.deepEqual([signed.size, Buffer.from(signed.root, 'base64').toString('hex')], [size, root])
    assert.deepEqual(await leafHashes(reader(it), size), leaves.slice(0, size))
  }
  // What is durable and not signed yet is not there.
  await append(it, 40)
  assert.equal(it.node.store.log.size, head.size + 40)
  const edge = Math.floor(head.size / 256)
  const rest = head.size % 256
  const get = reader(it)
  const path = (width: number) => `tile/0/${String(edge).padStart(3, '0')}.p/${width}`
  assert.equal((await get(path(rest))).length, rest * 32)
  await assert.rejects(get(path(rest + 1)), /404/)
  assert.equal(openNote(String(await get('checkpoint')), vkey).size, head.size)
}, 30_000)

test('a log that grows while it is read, and a node that starts again, serve the same bytes', async () => {
  using dir = tempDir()
  const before: Buffer[] = []
  let vkey = ''
  {
    await using it = await testNode({ settings, directory: dir.path })
    vkey = (await vkeysOf(it)).log
    await append(it, 250)
    await it.advanceTicks(1)
    const get = reader(it)
    const head = openNote(String(await get('checkpoint')), vkey)
    const first = await get(`tile/0/000.p/${head.size}`)
    await append(it, 400)
    await it.advanceTicks(1)
    // The partial tile is full by now, and is still what it was.
    assert.deepEqual(await get(`tile/0/000.p/${head.size}`), first)
    assert.deepEqual((await get('tile/0/000')).subarray(0, first.length), first)
    const leaves = await leafHashes(get, head.size)
    assert.equal(treeHash(leaves).toString('base64'), head.root)
    before.push(await get('tile/0/000'), await get('tile/1/000.p/2'))
  }
  await using it = await testNode({ settings, directory: dir.path, start: START + 100n * TICK_NS })
  const get = reader(it)
  assert.deepEqual([await get('tile/0/000'), await get('tile/1/000.p/2')], before)
  await readWhole(it, vkey)
})

test('the event log has its entries too, each what the tree hashes; those of the seal log are private', async () => {
  await using it = await testNode({ settings })
  const { events: vkey } = await vkeysOf(it)
  await it.client.call('identity.sign-up', {})
  await append(it, 300, 'events')
  await it.advanceTicks(1)
  const { head, leaves } = await readWhole(it, vkey, 'events')
  const all = await entries(reader(it, 'events'), head.size)
  assert.deepEqual(all.map(entryHash), leaves)
  assert.match(all[0]!.toString(), /^tickmesh\/event-leaf\/1\n\{"payload":.*"type":"identity\.assert"/)
  const seal = reader(it)
  const size = it.node.store.log.checkpoint!.size
  await assert.rejects(seal(`tile/entries/000.p/${Math.min(size, 255)}`), /404/)
  assert.equal((await seal(`tile/0/000.p/${size}`)).length, size * 32)
})

test('answers have the types of the document, are for pages of every origin, and keep as they hold', async () => {
  await using it = await testNode({ settings })
  using open = connections()
  const ask = (path: string, method?: string, lines?: Record<string, string>) =>
    send(it, open.agent, path, method, lines)
  assert.equal((await ask('/log/events/checkpoint')).status, 404)
  await append(it, 300)
  await it.advanceTicks(1)
  const foreign = { Origin: 'https://elsewhere.example' }
  const note = await ask('/log/seal/checkpoint', 'GET', foreign)
  assert.deepEqual(
    [note.status, note.headers['content-type'], note.headers['cache-control']],
    [200, 'text/plain; charset=utf-8', 'no-cache'],
  )
  assert.equal(note.headers['access-control-allow-origin'], '*')
  for (const path of ['/log/seal/tile/0/000', '/log/seal/tile/0/001.p/3', '/log/seal/tile/1/000.p/1']) {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await ask(path, method, foreign)
      assert.deepEqual([status, headers['content-type']], [200, 'application/octet-stream'], path)
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(Number(headers['content-length']) % 32, 0)
      assert.equal(body.length, method === 'HEAD' ? 0 : Number(headers['content-length']))
    }
  }
  assert.equal((await ask('/log/seal/tile/0/000', 'POST')).status, 405)
  // A credential is neither asked for nor read.
  assert.equal((await ask('/log/seal/tile/0/000', 'GET', { Authorization: 'Bearer svc_ak_none' })).status, 200)
})

test('whatever is not spelled as the document says names no tile', async () => {
  await using it = await testNode({ settings })
  using open = connections()
  await append(it, 300)
  await it.advanceTicks(1)
  const size = it.node.store.log.checkpoint!.size
  const bad = [
    '0/0',
    '0/00',
    '0/0000',
    '00/000',
    '0/x000/000',
    '0/000.p/0',
    '0/000.p/01',
    '0/000.p/256',
    '0/000/',
    '//0/000',
  ]
  bad.push(
    '-1/000',
    '1e0/000',
    '0x0/000',
    '0/-01',
    '0/%30%30%30',
    '0%2F000',
    '0/000%2ep/1',
    '0/000.P/1',
    '0/000%00',
    '%',
  )
  bad.push(
    '64/000',
    '63/000',
    '7/000',
    '6/000.p/1',
    '2/000.p/1',
    '1/000',
    '1/000.p/2',
    '0/002',
    '0/x001/000',
    '0/999.p/255',
  )
  bad.push(`0/001.p/${size - 255}`, 'entries/000', 'entries/000.p/1', '../checkpoint', '0/../0/000', '..%2fcheckpoint')
  bad.push(`0/${'x999/'.repeat(5)}999`, `0/${'x999/'.repeat(40)}999`, '9'.repeat(250), 'a'.repeat(4_000), '0/000.p/1/x')
  for (const path of bad) {
    const { status, body } = await send(it, open.agent, `/log/seal/tile/${path}`)
    const { code } = JSON.parse(body.toString()) as { code: string }
    const refused = path.length > 256 ? ['NOT_FOUND', 'INVALID_INPUT'] : ['NOT_FOUND']
    assert(status < 500 && refused.includes(code), `${path.slice(0, 80)}: ${status} ${code}`)
  }
  for (const log of ['Seal', 'seal.', 'seal.1', 'seal.00', 'seal.-1', 'events.1', 'peers', '..', 'seal.99999', '%00']) {
    const { status } = await send(it, open.agent, `/log/${log}/checkpoint`)
    assert.equal(status, 404, log)
  }
  assert.equal((await send(it, open.agent, `/log/seal/tile/0/001.p/${size - 256}`)).status, 200)
})

test('after a succession the new log stands at the old place, and the old one where it always was', async () => {
  using dir = tempDir()
  let old: Awaited<ReturnType<typeof readWhole>>
  let vkey = ''
  {
    await using it = await testNode({ settings, directory: dir.path })
    vkey = (await vkeysOf(it)).log
    await append(it, 300)
    await it.advanceTicks(1)
    old = await readWhole(it, vkey, 'seal.0')
  }
  let now = START + 10n * TICK_NS
  const sleep = async (ms: number): Promise<void> => {
    now += BigInt(Math.ceil(ms)) * 1_000_000n
  }
  const clock = { now: () => now }
  await rotateIdentity({ directory: dir.path, reason: 'planned', clock, sleep, signal: new AbortController().signal })
  await using it = await testNode({ settings, directory: dir.path, start: START + 100n * TICK_NS })
  await append(it, 5)
  await it.advanceTicks(1)
  const fresh = await vkeysOf(it)
  assert.notEqual(fresh.log, vkey)
  const { head } = await readWhole(it, fresh.log)
  assert.deepEqual((await readWhole(it, fresh.log, 'seal.1')).head, head)
  // The old log ended with its succession, and its tiles go on from where they were.
  const ended = await readWhole(it, vkey, 'seal.0')
  assert(ended.head.size > old.head.size)
  assert.deepEqual(ended.leaves.slice(0, old.head.size), old.leaves)
  // A hash is looked for in every era, and the answer says in which it was found.
  const hash = old.leaves[7]!.toString('hex')
  const found = await it.client.call('explorer.log-leaves', { log: 'seal', hash })
  assert.deepEqual([found.era, found.log, found.leaves[0]?.index], [0, old.head.origin, 7])
  assert.deepEqual((await it.client.call('explorer.log-leaves', { log: 'seal.1', hash })).leaves, [])
})

test.run()
