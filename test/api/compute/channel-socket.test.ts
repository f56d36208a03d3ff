// Goal: whoever follows a channel over its WebSocket is told each sealed tick once and in order, with what came while
// it was away; keys, links and closing decide who may.
// Method: a real node, followed by the client of ws with keys and links, through restarts of the node on its directory.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { accountOf, RADIUS, tickBy } from '../../domain/channels/channel-kit.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'

const test = suite('api: sockets of channels')

interface Heard {
  readonly type: string
  readonly epoch?: number
  readonly count?: number
  readonly output?: string
  readonly contentType?: string
  readonly token_id?: string
  readonly reason?: string
}

interface Asking {
  readonly key?: string
  readonly protocols?: string[]
}

const address = ({ url }: TestNode, query: Record<string, string>): string =>
  `${url.replace('http', 'ws')}/ws/stream?${new URLSearchParams(query)}`

const client = (it: TestNode, query: Record<string, string>, { key, protocols = [] }: Asking): WebSocket =>
  new WebSocket(address(it, query), protocols, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } })

const follow = async (it: TestNode, query: Record<string, string>, asking: Asking) => {
  const socket = client(it, query, asking)
  const heard: Heard[] = []
  socket.on('message', (data) => void heard.push(JSON.parse(String(data))))
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')
  return { socket, heard, closed }
}

const refused = async (it: TestNode, query: Record<string, string>, asking: Asking): Promise<string> => {
  const socket = client(it, query, asking)
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const piece of response) body += String(piece)
  return JSON.parse(body).code
}

const counts = (heard: readonly Heard[]) => heard.flatMap(({ type, count }) => (type === 'tick' ? [count] : []))

const made = async (it: TestNode, more: object = {}) => {
  const { client: owner, key } = await accountOf(it)
  const { stream, key: own } = await owner.call('compute.stream-create', { ...RADIUS, ...more })
  return { owner, key, own, id: stream.id }
}

test('a reader is told each tick with its output, one who comes back what it missed, all the end', async (signal) => {
  using dir = tempDir()
  const first = await testNode({ directory: dir.path })
  const { key, own, id, owner } = await made(first)
  const live = await follow(first, { channel: id }, { key: own })
  await until(() => live.heard.length === 1, signal)
  assert.deepEqual(live.heard[0], { type: 'hello', epoch: 1, count: 0 })
  const named = await follow(first, { channel: id }, { protocols: [`svc.key.${own}`] })
  await until(() => named.heard.length === 1, signal)
  const open = /^\w*socket_clients (\d+)$/m.exec(await (await fetch(`${first.url}/metrics`)).text())?.[1]
  assert.equal(open, '2')
  for (let i = 0; i < 3; i++) await owner.call('compute.stream-tick', { id })
  await until(() => counts(live.heard).length === 3 && counts(named.heard).length === 3, signal)
  assert.deepEqual(live.heard, named.heard)
  const shown = JSON.parse(live.heard[3]?.output ?? '')
  assert.deepEqual([shown.count, shown.token_id], [3, live.heard[3]?.token_id])
  await first[Symbol.asyncDispose]()
  assert.deepEqual([await live.closed, await named.closed], [1001, 1001])

  await using it = await testNode({ directory: dir.path })
  const again = it.as(key)
  await again.call('compute.stream-tick', { id })
  const back = await follow(it, { channel: id, after: '1.1' }, { key })
  await until(() => counts(back.heard).length === 3, signal)
  await again.call('compute.stream-tick', { id })
  await until(() => counts(back.heard).length === 4, signal)
  assert.deepEqual(counts(back.heard), [2, 3, 4, 5])
  assert.deepEqual(
    back.heard.slice(1).map(({ output }) => output === undefined),
    [true, true, true, false],
  )
  const { sig } = await again.call('compute.stream-link', { id })
  const linked = await follow(it, { channel: id, sig }, {})
  await again.call('compute.stream-close', { id })
  assert.deepEqual([await back.closed, await linked.closed], [1000, 1000])
  assert.deepEqual([back.heard.at(-1)?.type, linked.heard.at(-1)?.type], ['closed', 'closed'])
  const late = await follow(it, { channel: id, after: '1.4' }, { key })
  assert.equal(await late.closed, 1000)
  assert.deepEqual(counts(late.heard), [5])
  const last = await follow(it, { channel: id }, { key })
  assert.equal(await last.closed, 1000)
  assert.deepEqual([late.heard.at(-1), last.heard.at(-1)], [{ type: 'closed' }, { type: 'closed' }])
})

test('a reader who joins while ticks come misses none and is told none twice', async (signal) => {
  await using it = await testNode()
  const { owner, own, id } = await made(it, { autotick: true, tickIntervalTicks: 1 })
  await tickBy(it, 5)
  const all = []
  for (let i = 0; i < 6; i++) {
    const reader = follow(it, { channel: id, after: '0.0' }, { key: own })
    await tickBy(it, 3)
    all.push(await reader)
  }
  const { stream } = await owner.call('compute.stream', { id })
  const whole = Array.from({ length: stream.count }, (_, i) => i + 1)
  for (const { heard, socket } of all) {
    await until(() => heard.some(({ count, type }) => type === 'tick' && count === stream.count), signal)
    assert.deepEqual(counts(heard), whole)
    socket.terminate()
  }
})

test('what is told afterwards has the value of its entry, for a key; a link shows outputs alone', async (signal) => {
  await using it = await testNode()
  const inputs = { mass: { $: '1e30 * count' } }
  const { own, id, owner } = await made(it, { inputs })
  const live = await follow(it, { channel: id }, { key: own })
  for (let i = 0; i < 3; i++) await owner.call('compute.stream-tick', { id })
  await until(() => counts(live.heard).length === 3, signal)
  const told = live.heard.slice(1).map(({ output = '', contentType: _, ...frame }) => {
    const { value, unit, errorPct } = JSON.parse(output)
    return { ...frame, value, unit, errorPct }
  })
  const keyed = await follow(it, { channel: id, after: '0.0' }, { key: own })
  await until(() => counts(keyed.heard).length === 3, signal)
  assert.deepEqual(keyed.heard.slice(1), told)
  assert.equal(new Set(told.map(({ value }) => value)).size, 3)
  const { sig } = await owner.call('compute.stream-link', { id })
  const linked = await follow(it, { channel: id, sig, after: '0.0' }, {})
  await until(() => counts(linked.heard).length === 3, signal)
  assert.deepEqual(
    linked.heard.slice(1),
    told.map(({ value: _, unit: __, errorPct: ___, ...frame }) => frame),
  )
  for (const { socket } of [live, keyed, linked]) socket.terminate()
})

test('nobody follows without a key or a link that reaches the channel, nor any longer than it does', async (signal) => {
  await using it = await testNode()
  const { key, own, id, owner } = await made(it)
  const other = await made(it)
  const { key: stranger } = await accountOf(it)
  const { sig } = await owner.call('compute.stream-link', { id, ticks: 2 })
  const altered = `${sig.slice(0, -1)}${sig.endsWith('A') ? 'B' : 'A'}`
  const rows: readonly (readonly [Record<string, string>, Asking, string])[] = [
    [{ channel: id }, {}, 'UNAUTHENTICATED'],
    [{ channel: id }, { key: other.own }, 'NOT_FOUND'],
    [{ channel: id }, { key: stranger }, 'NOT_FOUND'],
    [{ channel: id }, { key: `sck_${'0'.repeat(43)}` }, 'UNAUTHENTICATED'],
    [{ channel: id, sig: altered }, {}, 'UNAUTHENTICATED'],
    [{ channel: other.id, sig }, {}, 'UNAUTHENTICATED'],
    [{ channel: 'none' }, { key }, 'NOT_FOUND'],
    [{ channel: id, after: '1' }, { key }, 'INVALID_INPUT'],
    [{ channel: id, key: own }, {}, 'INVALID_INPUT'],
  ]
  for (const [query, asking, code] of rows) assert.equal(await refused(it, query, asking), code)
  const linked = await follow(it, { channel: id, sig }, {})
  const keyed = await follow(it, { channel: id }, { key })
  await owner.call('compute.stream-tick', { id })
  await until(() => counts(linked.heard).length === 1 && counts(keyed.heard).length === 1, signal)
  await it.advanceTicks(3)
  await owner.call('compute.stream-tick', { id })
  assert.equal(await linked.closed, 4401)
  assert.equal(await refused(it, { channel: id, sig }, {}), 'LINK_EXPIRED')
  const { keys } = await owner.call('identity.keys', {})
  assert.equal(keys.length, 1)
  await owner.call('identity.revoke-key', { id: keys[0]?.id ?? '' })
  await it.as(own).call('compute.stream-tick', { id })
  assert.equal(await keyed.closed, 4401)
  assert.deepEqual([counts(linked.heard), counts(keyed.heard)], [[1], [1, 2]])
})

test.run()
