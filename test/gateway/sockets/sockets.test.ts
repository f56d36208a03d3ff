// Goal: a WebSocket is looked at as any call is, gets what is pushed in order, costs a bounded memory however slowly it
// is read, and one text is written once for all of them.
// Method: a real gateway with an endpoint that pushes what the test says, read by the clients of ws and by raw sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import type { Endpoint } from '#api/endpoint.ts'
import type { PushedText, PushOutlet } from '#core/pushing.ts'
import { closed, text } from '#core/schema.ts'
import { type Meter, noMeter } from '#core/telemetry.ts'
import { sleep } from '#core/wait.ts'
import { sharedMessage, textMessage } from '#gateway/sockets/frame.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { house, KEY, SESSION } from '../house.ts'
import { make } from '../rooms.ts'
import { manualTime } from '../time.ts'

const test = suite('gateway/sockets/sockets')

/** Bytes of a text that no kernel takes many of unread. */
const LARGE = 1_000_000

const pushed = (meshTick: number, chars = 10): PushedText => ({
  meshTick,
  text: JSON.stringify({ type: 'tick', count: meshTick, pad: 'x'.repeat(chars) }),
})

/** An endpoint whose readers the test pushes to. */
const room = () => {
  const outlets = new Set<PushOutlet>()
  const path = {
    id: 'compute.room',
    route: 'GET /ws/room',
    socket: true,
    input: closed({ channel: text(10) }),
    handle: () => ({
      feed: (outlet: PushOutlet) => {
        outlets.add(outlet)
        outlet.push({ text: '{"type":"hello"}', meshTick: 0 })
        return { [Symbol.dispose]: () => void outlets.delete(outlet) }
      },
    }),
  }
  const endpoints: readonly Endpoint[] = [
    make(path),
    make({
      ...path,
      id: 'compute.mine',
      route: 'GET /ws/mine',
      access: { credential: 'bearer', reach: { to: 'anyone' } },
    }),
  ]
  return { outlets, endpoints, push: (it: PushedText) => outlets.forEach((outlet) => void outlet.push(it)) }
}

const address = (url: string, path: string): string => new URL(path, url.replace('http', 'ws')).href

/** A client with what it heard. */
const reader = async (url: string, options: { protocols?: string[]; headers?: Record<string, string> } = {}) => {
  const socket = new WebSocket(url, options.protocols ?? [], { headers: options.headers ?? {} })
  const heard: { readonly type: string; readonly [k: string]: unknown }[] = []
  socket.on('message', (data) => void heard.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return { socket, heard }
}

/** What an opening that is refused is answered with. */
const refused = async (url: string, options: { protocols?: string[]; headers?: Record<string, string> } = {}) => {
  const socket = new WebSocket(url, options.protocols ?? [], { headers: options.headers ?? {} })
  socket.on('error', () => undefined)
  const [, response] = await once(socket, 'unexpected-response')
  let body = ''
  for await (const piece of response) body += String(piece)
  return { status: response.statusCode, problem: JSON.parse(body) }
}

test('a text is the message that a client reads, whatever its length, and is written once', async (signal) => {
  const { endpoints, outlets, push } = room()
  await using it = await house(endpoints)
  const { socket, heard } = await reader(address(it.gateway.url, '/ws/room?channel=a'))
  await until(() => outlets.size === 1, signal)
  const lengths = [0, 90, 91, 92, 93, 94, 95, 96, 65_490, 65_500, 65_501, 65_502, 65_503, 65_510, 70_000]
  for (const [i, chars] of lengths.entries()) push(pushed(i + 1, chars))
  await until(() => heard.length === lengths.length + 1, signal)
  assert.deepEqual(
    heard.slice(1).map(({ count, pad }) => [count, String(pad).length]),
    lengths.map((chars, i) => [i + 1, chars]),
  )
  const one = pushed(7)
  assert.equal(sharedMessage(one), sharedMessage(one))
  assert.deepEqual(sharedMessage(one), textMessage(one.text))
  socket.close()
  await until(() => outlets.size === 0, signal)
  assert.equal(it.gateway.sockets, 0)
})

test('who asks is looked at as in any call', async () => {
  const { endpoints } = room()
  await using it = await house(endpoints)
  const url = it.gateway.url
  const mine = address(url, '/ws/mine?channel=a')
  assert.equal((await refused(mine)).problem.code, 'UNAUTHENTICATED')
  assert.equal((await refused(mine, { headers: { Authorization: 'Bearer no' } })).status, 401)
  assert.equal((await refused(mine, { protocols: ['svc.key.no'] })).problem.code, 'UNAUTHENTICATED')
  for (const headers of [{ Host: 'evil.example' }]) {
    assert.equal((await refused(mine, { headers })).problem.code, 'HOST_REFUSED')
  }
  const session = { Cookie: `tickmesh=${SESSION}` }
  assert.equal((await refused(mine, { headers: session })).problem.code, 'ORIGIN_REFUSED')
  const elsewhere = { ...session, Origin: 'http://evil.example' }
  assert.equal((await refused(mine, { headers: elsewhere })).problem.code, 'ORIGIN_REFUSED')
  assert.equal((await refused(address(url, '/ws/room'))).problem.code, 'INVALID_INPUT')
  assert.equal((await refused(address(url, '/ws/room?channel=a&more=1'))).problem.code, 'INVALID_INPUT')
  const own = await reader(mine, { headers: { ...session, Origin: url } })
  const keyed = await reader(mine, { headers: { Authorization: `Bearer ${KEY}` } })
  const named = await reader(mine, { protocols: [`svc.key.${KEY}`] })
  for (const { socket } of [own, keyed, named]) socket.terminate()
})

test('without the wish for a socket it is a call that is refused, and no other path becomes one', async () => {
  const { endpoints } = room()
  await using it = await house([...endpoints, make({ id: 'plain', route: 'GET /api/plain', handle: () => ({ a: 1 }) })])
  const asked = await it.ask('/ws/room?channel=a')
  assert.equal(asked.status, 426)
  assert.equal(asked.headers.get('upgrade'), 'websocket')
  assert.equal((await asked.json()).code, 'UPGRADE_REQUIRED')
  const plain = await refused(address(it.gateway.url, '/api/plain'))
  assert.deepEqual([plain.status, plain.problem], [200, { a: 1 }])
  assert.equal((await refused(address(it.gateway.url, '/ws/none'))).status, 404)
})

test('a reader that takes nothing has the newest kept for it, and is told what it missed', async (signal) => {
  const { endpoints, outlets, push } = room()
  let gaps = 0
  const count: Meter['count'] = (name) => {
    if (name === 'socket_gaps_total') gaps += 1
  }
  await using it = await house(endpoints, {}, sleep, { ...noMeter, count })
  const { socket, heard } = await reader(address(it.gateway.url, '/ws/room?channel=a'))
  const beside = await reader(address(it.gateway.url, '/ws/room?channel=a'))
  await until(() => outlets.size === 2 && heard.length === 1, signal)
  socket.pause()
  const last = 40
  for (let i = 1; i <= last; i++) {
    push(pushed(i, LARGE))
    await until(() => beside.heard.length === i + 1, signal)
  }
  socket.resume()
  await until(() => heard.at(-1)?.['count'] === last, signal)
  const counts = heard.filter(({ type }) => type === 'tick').map(({ count }) => Number(count))
  const gap = heard.findIndex(({ type }) => type === 'gap')
  const { from, to, reason } = heard[gap] as unknown as { from: number; to: number; reason: string }
  assert.equal(reason, 'slow')
  assert.equal(counts.at(-1), last)
  assert.equal(to, last - 1)
  assert.equal(from, (counts.at(-2) ?? 0) + 1)
  assert.equal(gaps, 1)
  for (const { socket: open } of [beside, { socket }]) open.terminate()
})

test('there are so many places and no more, and of them a quarter for one address', async (signal) => {
  const { endpoints, outlets } = room()
  await using it = await house(endpoints, { 'sockets.clientsMax': 8 })
  const url = address(it.gateway.url, '/ws/room?channel=a')
  const two = [await reader(url), await reader(url)]
  assert.equal((await refused(url)).problem.code, 'RATE_LIMITED')
  two[0]?.socket.terminate()
  await until(() => outlets.size === 1, signal)
  two.push(await reader(url))
  for (const { socket } of two) socket.terminate()
})

test('a connection that became a socket takes no place of a call', async () => {
  const { endpoints, outlets } = room()
  await using it = await house(endpoints, { 'http.connectionsMax': 4, 'sockets.clientsMax': 64 })
  const url = address(it.gateway.url, '/ws/room?channel=a')
  const all = []
  for (let i = 0; i < 12; i++) all.push(await reader(url))
  assert.equal(outlets.size, 12)
  assert.equal((await it.ask('/ws/room?channel=a')).status, 426)
  for (const { socket } of all) socket.terminate()
})

test('who says much, or what is no message, is let go', async () => {
  const { endpoints } = room()
  await using it = await house(endpoints)
  const url = address(it.gateway.url, '/ws/room?channel=a')
  const large = await reader(url)
  large.socket.send('x'.repeat(1_025))
  assert.equal((await once(large.socket, 'close'))[0], 1009)
  const much = await reader(url)
  for (let i = 0; i < 65; i++) much.socket.send('x')
  assert.equal((await once(much.socket, 'close'))[0], 1008)
  const { port } = it.gateway
  const raw = connect(port, '127.0.0.1')
  raw.write(
    `GET /ws/room?channel=a HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 7\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  let answered = ''
  raw.on('data', (piece) => {
    answered += String(piece)
  })
  await once(raw, 'close')
  assert.match(answered, /^HTTP\/1\.1 400 /)
})

test('a ping is answered by who has read it; of whom it is not, the socket ends', async (signal) => {
  const { endpoints, outlets } = room()
  const time = manualTime()
  await using it = await house(endpoints, {}, time.sleep)
  const url = address(it.gateway.url, '/ws/room?channel=a')
  const { socket } = await reader(url)
  const guessing = new WebSocket(url, { autoPong: false })
  const over = once(guessing, 'close')
  await until(() => outlets.size === 2, signal)
  /** Resolves when the gateway has read all that was sent until now. */
  const heard = async (of: WebSocket): Promise<void> => {
    of.ping()
    await Promise.race([once(of, 'pong'), over])
  }
  // Twice the time between two pings.
  for (let looks = 0; looks < 2 * 25; looks++) {
    if (guessing.readyState === WebSocket.OPEN) {
      guessing.pong()
      guessing.pong('a guess')
      await heard(guessing)
    }
    await heard(socket)
    await time.advance(1_000)
  }
  await until(() => guessing.readyState === WebSocket.CLOSED, signal)
  await until(() => outlets.size === 1, signal)
  assert.equal(socket.readyState, WebSocket.OPEN)
  socket.terminate()
})

test('when the node stops, its readers are told', async (signal) => {
  const { endpoints, outlets } = room()
  const it = await house(endpoints)
  const { socket } = await reader(address(it.gateway.url, '/ws/room?channel=a'))
  await until(() => outlets.size === 1, signal)
  const over = once(socket, 'close')
  await it[Symbol.asyncDispose]()
  assert.equal((await over)[0], 1001)
})

test.run()
