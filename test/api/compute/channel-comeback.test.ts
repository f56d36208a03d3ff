// Goal: a reader of a channel that comes back is given what is behind the tick that it names, of whatever epoch; the
// end of a channel is told by whatever can tell it; and a link in a socket's address is written down nowhere. Method:
// a real node, and the client of ws.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { accountOf, RADIUS, tickBy } from '../../domain/channels/channel-kit.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'

const test = suite('api: readers of channels that come back')

type Heard = Readonly<Record<string, unknown>>

interface Asking {
  readonly key?: string
  readonly signal: AbortSignal
}

const follow = async ({ url }: TestNode, query: Record<string, string>, { key, signal }: Asking) => {
  const address = `${url.replace('http', 'ws')}/ws/stream?${new URLSearchParams(query)}`
  const socket = new WebSocket(address, key === undefined ? [] : [`svc.key.${key}`])
  const heard: Heard[] = []
  let code = 0
  socket.on('message', (data) => void heard.push(JSON.parse(String(data))))
  socket.on('close', (it) => {
    code = it
  })
  await once(socket, 'open', { signal })
  const has = (count: number) => until(() => heard.length >= count, signal)
  return { heard, has, over: () => until(() => code > 0 && code, signal), [Symbol.dispose]: () => socket.terminate() }
}

const marks = (heard: readonly Heard[]) =>
  heard.flatMap(({ type, epoch, count }) => (type === 'tick' ? [`${epoch}.${count}`] : []))

test('what is behind a tick is what comes after it in its epoch, and all later epochs', async (signal) => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const order = { solver: 'lotka', inputs: {}, mode: 'continue' } as const
  const { stream, key } = await client.call('compute.stream-create', order)
  const { id } = stream
  for (const _ of [1, 2]) {
    for (const _ of [1, 2]) await client.call('compute.stream-tick', { id })
    await client.call('compute.stream-patch', { id, inputs: {} })
  }
  await client.call('compute.stream-tick', { id })
  const all = ['1.1', '1.2', '2.1', '2.2', '3.1']
  for (const [i, after] of ['0.0', ...all].entries()) {
    using back = await follow(it, { channel: id, after }, { key, signal })
    await back.has(1 + all.length - i)
    assert.deepEqual(marks(back.heard), all.slice(i))
    assert.deepEqual(back.heard[0], { type: 'hello', epoch: 3, count: 1 })
  }
}, 20_000)

test('a gap that no tick has ended yet is behind the last tick, and is told to whoever comes back', async (signal) => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const { stream, key } = await client.call('compute.stream-create', { ...RADIUS, autotick: true })
  const { id } = stream
  await tickBy(it, 2)
  using first = await follow(it, { channel: id, after: '1.2' }, { key, signal })
  it.passTicks(3)
  await client.call('compute.stream-patch', { id, autotick: false })
  await first.has(2)
  using second = await follow(it, { channel: id, after: '1.2' }, { key, signal })
  await second.has(2)
  assert.deepEqual(second.heard, first.heard)
  assert.partialDeepStrictEqual(first.heard[1], { type: 'gap', reason: 'late' })
  await client.call('compute.stream-tick', { id })
  using third = await follow(it, { channel: id, after: '1.3' }, { key, signal })
  await client.call('compute.stream-tick', { id })
  await third.has(2)
  assert.deepEqual([marks(third.heard), third.heard.length], [['1.4'], 2])
})

/** Entries of a machine that are looked through for a reader, and some more. */
const MUCH = 20_100
const AT_ONCE = 300

test('what stands behind more entries of others than are looked through is said to lack', async (signal) => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  await client.call('machines.create', { slug: 'pump' })
  const { stream, key } = await client.call('compute.stream-create', { ...RADIUS, slug: 'pump' })
  const { id } = stream
  for (const _ of [1, 2, 3]) await client.call('compute.stream-tick', { id })
  await it.advanceTicks(5)
  const { store, services } = it.node
  for (let left = MUCH; left > 0; left -= AT_ONCE) {
    await store.commit((tx) => {
      const machine = tx.get('machine', 'pump')
      assert(machine !== undefined)
      for (let i = 0; i < AT_ONCE; i++) services.machines.enter(tx, machine, { type: 'contract_fire', open: { i } })
    })
  }
  using behind = await follow(it, { channel: id, after: '1.1' }, { key, signal })
  using level = await follow(it, { channel: id, after: '1.3' }, { key, signal })
  await client.call('compute.stream-tick', { id })
  for (const { has } of [behind, level]) await has(2)
  await until(() => marks(behind.heard).length === 1, signal)
  const lack = { type: 'gap', from: null, to: store.now().meshTick, reason: 'old' }
  assert.deepEqual([behind.heard[1], marks(behind.heard)], [lack, ['1.4']])
  assert.deepEqual([level.heard.length, marks(level.heard)], [2, ['1.4']])
})

test('a reader is told the end of a channel whose machine takes no entries any more', async (signal) => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  await client.call('machines.create', { slug: 'pump' })
  const { stream, key } = await client.call('compute.stream-create', { ...RADIUS, slug: 'pump' })
  const { id } = stream
  using live = await follow(it, { channel: id }, { key, signal })
  await live.has(1)
  await client.call('machines.status', { slug: 'pump', status: 'archived' })
  await client.call('compute.stream-close', { id })
  assert.equal(await live.over(), 1000)
  assert.deepEqual(live.heard.at(-1), { type: 'closed' })
})

test('a link in the address of a socket, good, altered or over, stands in no line of the log', async (signal) => {
  await using it = await testNode()
  const { client } = await accountOf(it)
  const { stream } = await client.call('compute.stream-create', RADIUS)
  const channel = stream.id
  const { sig } = await client.call('compute.stream-link', { id: channel, ticks: 1 })
  {
    using live = await follow(it, { channel, sig }, { signal })
    await live.has(1)
  }
  const answers: string[] = []
  const refused = async (query: Record<string, string>): Promise<void> => {
    const socket = new WebSocket(`${it.url.replace('http', 'ws')}/ws/stream?${new URLSearchParams(query)}`)
    socket.on('error', () => undefined)
    const [, response] = await once(socket, 'unexpected-response', { signal })
    let body = `${response.statusCode} ${JSON.stringify(response.headers)}`
    for await (const piece of response) body += String(piece)
    answers.push(body)
  }
  await refused({ channel, sig: `A${sig}` })
  await refused({ channel, sig, more: '1' })
  await refused({ channel: `${channel}0`, sig })
  await it.advanceTicks(2)
  await refused({ channel, sig })
  answers.push(await (await fetch(`${it.url}/metrics`)).text())
  const [said, mac] = sig.split('.')
  const lines = JSON.stringify(it.lines, (_, value: unknown) => (value instanceof Error ? value.stack : value))
  const told = `${lines}${answers}`
  assert(it.lines.length > 0 && answers.length === 5)
  for (const part of [said ?? '', mac ?? '']) assert(part.length > 20 && !told.includes(part))
})

test.run()
