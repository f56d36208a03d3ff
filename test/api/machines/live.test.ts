// Goal: a reader of a live feed misses nothing unseen: it gets what the poll gets, in the same order, goes on where it
// was, and is told of what it can no longer have. Method: a real node, the client's own stream and the platform's
// EventSource in a process of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { REPLAY_MAX } from '#domain/machines/feeds.ts'
import type { Client } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const test = suite('api: live machines')

interface Row {
  readonly slug?: string
  readonly seq: number
  readonly transitionType: string
}

interface Read {
  readonly id: string | undefined
  readonly event: string
  readonly data: Row & { readonly missed?: number; readonly after?: number; readonly next?: number }
}

const owner = async (node: TestNode): Promise<Client> =>
  node.as((await node.client.call('identity.sign-up', {})).api_key)

/** The first frames of a stream after an id. */
const take = async (
  client: Client,
  id: 'explorer.machine-stream' | 'machines.event-stream' | 'explorer.aggregate-stream',
  { input = {}, count, after }: { readonly input?: object; readonly count: number; readonly after?: string },
): Promise<Read[]> => {
  const stop = new AbortController()
  const frames: Read[] = []
  const options = { signal: stop.signal, ...(after === undefined ? {} : { lastEventId: after }) }
  for await (const frame of client.stream(id, input as never, options)) {
    frames.push(frame as unknown as Read)
    if (frames.length >= count) break
  }
  stop.abort()
  return frames
}

const events = async (client: Client, slug: string, count: number, type = 'reading'): Promise<void> => {
  for (let i = 0; i < count; i++) await client.call('machines.event', { slug, type, payload: i })
}

/** Event streams that the node says are open. */
const sseClients = async ({ url }: TestNode): Promise<number> => {
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(/^(?:\w+_)?sse_clients (\d+)$/m.exec(text)?.[1])
}

test('stream and poll give the same rows in the same order, with and without a filter', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  await events(mine, 'pump', 3)
  await events(mine, 'pump', 2, 'alarm')
  await events(mine, 'pump', 2)
  const { rows } = await node.client.call('machines.explore', { slug: 'pump', after: 0 })
  const live = await take(node.client, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 7, after: '0' })
  assert.deepEqual(
    live.map((it) => it.data),
    rows,
  )
  assert.deepEqual(
    live.map((it) => it.id),
    rows.map((it) => String(it.seq)),
  )
  const filter = { slug: 'pump', event: 'alarm' }
  const polled = await mine.call('machines.events', filter)
  const streamed = await take(mine, 'machines.event-stream', { input: filter, count: 2, after: 'f0' })
  assert.deepEqual(
    streamed.map((it) => it.data),
    polled.events,
  )
  assert(
    streamed.every((it) => it.event === 'entry'),
    'a filter is no gap',
  )
})

test('a reader without an id begins with what comes', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  await events(mine, 'pump', 3)
  const reading = take(node.client, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 2 })
  const writer = new AbortController()
  const writing = (async () => {
    while (!writer.signal.aborted) await events(mine, 'pump', 1)
  })()
  const read = await reading
  writer.abort()
  await writing
  assert(read[0]!.data.seq >= 4)
  assert.equal(read[1]!.data.seq, read[0]!.data.seq + 1)
}, 20_000)

test('who was away too long is told what is missing, once, on every stream', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  const most = REPLAY_MAX + 20
  for (let i = 1; i < most; i++) {
    if (i % 500 === 0) await node.advanceTicks(100)
    await mine.call('machines.event', { slug: 'pump', type: 'reading' })
  }
  const first = most - REPLAY_MAX
  const gap = { after: 3, next: first, missed: first - 4 }
  const plain = await take(node.client, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 2, after: '3' })
  const filtered = await take(mine, 'machines.event-stream', {
    input: { slug: 'pump', event: 'reading' },
    count: 2,
    after: 'f3',
  })
  const all = await take(node.client, 'explorer.aggregate-stream', { count: 2, after: 'a3' })
  for (const [lost, next] of [plain, filtered, all]) {
    assert.equal(lost?.event, 'gap')
    assert.deepEqual(lost?.data as object, gap)
    assert.deepEqual([next?.event, next?.data.seq], ['entry', first])
  }
}, 60_000)

test('the aggregate shows public machines alone, and leaves no false gap for private ones', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'seen', is_public: true })
  await mine.call('machines.create', { slug: 'hidden' })
  await events(mine, 'hidden', 3, 'secret')
  await events(mine, 'seen', 1, 'shown')
  const read = await take(node.client, 'explorer.aggregate-stream', { count: 1, after: 'a0' })
  assert.deepEqual(
    read.map((it) => [it.event, it.data.slug, it.data.seq]),
    [['entry', 'seen', 1]],
  )
})

test('a stream ends when its reader may no longer read', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  await mine.call('machines.settings', { slug: 'pump', is_public: false })
  const absent = { code: 'NOT_FOUND' }
  await assert.rejects(take(node.client, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 1 }), absent)
  await assert.rejects(
    take(node.client, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 1, after: '0' }),
    absent,
  )
  const owned = await take(mine, 'explorer.machine-stream', { input: { slug: 'pump' }, count: 1, after: '0' })
  assert.equal(owned[0]?.data.transitionType, 'settings')
})

test('a stream ends when the key that opened it is revoked', async () => {
  await using node = await testNode()
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump' })
  const key = await mine.call('identity.machine-make-key', { slug: 'pump', name: 'reader' })
  const stop = new AbortController()
  const reader = node.as(key.api_key)
  const stream = reader.stream('explorer.machine-stream', { slug: 'pump' }, { signal: stop.signal, lastEventId: '0' })
  assert.equal((await stream.next()).value?.event, 'entry')
  const rest = (async () => {
    const names: string[] = []
    for await (const { event } of stream) {
      names.push(event)
      if (event === 'error') break
    }
    return names
  })()
  await mine.call('identity.machine-revoke-key', { slug: 'pump', id: key.id })
  await events(mine, 'pump', 1)
  assert.deepEqual(await rest, ['error'])
  stop.abort()
})

test('a silent stream ends with what opened it: a key taken or over, a session closed or over', async (signal) => {
  await using node = await testNode({ settings: { 'sse.heartbeatMs': 1000 } })
  const mine = await owner(node)
  await mine.call('machines.create', { slug: 'pump', is_public: true })
  const { identity } = node.node.services
  const session = () => `tickmesh=${identity.openSession(identity.ownerLink()).token}`
  const [closed, over] = [session(), session()]
  const taken = await mine.call('identity.create-key', { name: 'taken' })
  const brief = await mine.call('identity.create-key', { name: 'brief', expires_in_seconds: 3_600 })
  const lasting = await mine.call('identity.create-key', { name: 'lasting' })
  const open = async (headers: Record<string, string>): Promise<string> => {
    const response = await fetch(new URL('/api/chain/pump/explore/sse', node.url), { headers, signal })
    assert.equal(response.status, 200)
    return response.text()
  }
  const bearer = ({ api_key }: { readonly api_key: string }) => ({ Authorization: `Bearer ${api_key}` })
  const leaving = new AbortController()
  const stays = await fetch(new URL('/api/chain/pump/explore/sse', node.url), {
    headers: bearer(lasting),
    signal: leaving.signal,
  })
  const [byTaken, byClosed] = [open(bearer(taken)), open({ Cookie: closed })]
  const [byBrief, byOver] = [open(bearer(brief)), open({ Cookie: over })]
  await until(async () => (await sseClients(node)) === 5, signal)
  await mine.call('identity.revoke-key', { id: taken.id })
  const end = await fetch(new URL('/api/auth/session', node.url), {
    method: 'DELETE',
    headers: { Cookie: closed, Origin: node.url },
  })
  assert.equal(end.status, 200)
  for (const text of [await byTaken, await byClosed]) assert.match(text, /event: error\ndata: .*UNAUTHENTICATED/)
  // Thirteen hours: the brief key and the other session are over.
  await node.advanceTicks(60_000)
  for (const text of [await byBrief, await byOver]) assert.match(text, /event: error\ndata: .*UNAUTHENTICATED/)
  assert.equal(await sseClients(node), 1)
  leaving.abort()
  await stays.text().catch(() => undefined)
}, 30_000)

test('an EventSource goes on where it was after the node was away', async (signal) => {
  using dir = tempDir()
  const first = await testNode({ directory: dir.path })
  const mine = await owner(first)
  const { api_key: key } = await mine.call('machines.create', { slug: 'pump', is_public: true })
  const script = fileURLToPath(new URL('./source-child.ts', import.meta.url))
  const address = `${first.url}/api/chain/pump/explore/sse`
  const child = spawn(process.execPath, ['--experimental-eventsource', '--no-warnings', script, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
    killSignal: 'SIGKILL',
  })
  child.on('error', () => undefined)
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<string> => (await lines.next()).value as string
    assert.equal(await next(), 'open ')
    await events(mine, 'pump', 2)
    assert.deepEqual([await next(), await next()], ['entry 1', 'entry 2'])
    await first[Symbol.asyncDispose]()

    // What was recorded while the reader could not reach the node is there when it comes back.
    const elsewhere = await testNode({ directory: dir.path })
    await events(elsewhere.as(key), 'pump', 2)
    await elsewhere[Symbol.asyncDispose]()
    await using again = await testNode({
      directory: dir.path,
      settings: { 'http.port': Number(new URL(address).port) },
    })
    assert.deepEqual([await next(), await next(), await next()], ['open ', 'entry 3', 'entry 4'])
    await events(again.as(key), 'pump', 1)
    assert.equal(await next(), 'entry 5')
  } finally {
    child.kill('SIGKILL')
  }
}, 60_000)

test.run()
