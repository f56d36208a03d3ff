// Goal: sockets are so many and no more, whoever asks; and one ends whose credential is over, though nothing is pushed.
// Method: a real gateway behind a proxy that says who asks, on a clock that is moved by hand; the client of ws.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { closed, text } from '#core/schema.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { house } from '../house.ts'
import { make } from '../rooms.ts'
import { manualTime } from '../time.ts'

const test = suite('gateway/sockets/doors')

/** Looks from one ping of a socket to its next, and how long one takes. */
const LOOKS = 25
const LOOK_MS = 1_000

/** An endpoint that pushes nothing. */
const silence = (mayRead = (): boolean => true) =>
  make({
    ...{ id: 'compute.room', route: 'GET /ws/room', socket: true, input: closed({ channel: text(10) }) },
    handle: () => ({ feed: () => ({ [Symbol.dispose]: () => undefined }), mayRead }),
  })

const socketTo = ({ gateway }: Awaited<ReturnType<typeof house>>, address = '192.0.2.1'): WebSocket =>
  new WebSocket(`${gateway.url.replace('http', 'ws')}/ws/room?channel=a`, {
    headers: { 'X-Forwarded-For': address },
  })

test('beyond all places everyone is refused, and a place that is free again is anyone’s', async (signal) => {
  await using it = await house([silence()], { 'sockets.clientsMax': 4, 'http.proxies': ['127.0.0.1'] })
  const open = []
  for (let i = 1; i <= 4; i++) {
    const socket = socketTo(it, `192.0.2.${i}`)
    await once(socket, 'open', { signal })
    open.push(socket)
  }
  const refused = socketTo(it, '192.0.2.9')
  refused.on('error', () => undefined)
  const [, response] = await once(refused, 'unexpected-response', { signal })
  let body = ''
  for await (const piece of response) body += String(piece)
  assert.deepEqual([response.statusCode, JSON.parse(body).code], [503, 'CAPACITY_EXCEEDED'])
  assert.equal(it.gateway.sockets, 4)
  open[0]?.terminate()
  await until(() => it.gateway.sockets === 3, signal)
  const again = socketTo(it, '192.0.2.9')
  await once(again, 'open', { signal })
  for (const socket of [again, ...open]) socket.terminate()
})

test('a socket whose credential is over ends at its next ping', async (signal) => {
  const time = manualTime()
  let good = true
  await using it = await house([silence(() => good)], {}, time.sleep)
  const socket = socketTo(it)
  let code = 0
  socket.on('close', (said) => {
    code = said
  })
  await once(socket, 'open', { signal })
  const looks = async (): Promise<void> => {
    for (let i = 0; i < LOOKS && code === 0; i++) {
      await time.advance(LOOK_MS)
      socket.ping()
      if (good) await once(socket, 'pong', { signal })
    }
  }
  await looks()
  assert.equal(code, 0)
  good = false
  await looks()
  await until(() => code > 0, signal)
  assert.equal(code, 4401)
})

test.run()
