// Goal: whatever comes over a connection, each call gets its own answer or a coded refusal, nothing is read as a call
// that no caller sent, and the node answers the next one in bounded memory. Method: a real gateway on a free port,
// spoken to with bare sockets: a table of requests that are odd, false or two things at once; floods, and readers that
// do not read. Slow cases use short time-outs of the settings.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { type House, house } from './house.ts'
import { endpoints, raw } from './rooms.ts'

const test = suite('gateway/hostile: the wire')

const settings = { 'http.headersTimeoutMs': 1000, 'http.bodyTimeoutMs': 1000, 'limits.anonymousCallsPerMinute': 1e6 }

const json = 'Content-Type: application/json\r\n'
const chunked = 'Transfer-Encoding: chunked\r\n'
const end = 'Connection: close\r\n\r\n'
const body = '2\r\n{}\r\n0\r\n\r\n'

/** Statuses and codes of the answers on a connection, in their order. */
const answersOf = (text: string): string =>
  text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((it) => it !== '')
    .map((it) => [it.slice(9, 12), /"code":"(\w+)"/.exec(it)?.[1]].filter((part) => part !== undefined).join(' '))
    .join(', ')

/** Raw requests, `{own}` for the Host line, and what all answers to it are. */
const rows: readonly (readonly [string, string, string])[] = [
  ['HTTP/1.0', 'GET /api/get HTTP/1.0\r\n{own}\r\n', '200'],
  ['HTTP/0.9', 'GET /api/get\r\n', '408 HEADER_TOO_SLOW'],
  ['HTTP/2 by prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 MALFORMED_REQUEST'],
  ['a version that is spoken otherwise', `GET /api/get HTTP/2.0\r\n{own}${end}`, '400 MALFORMED_REQUEST'],
  ['a method in lower case', `get /api/get HTTP/1.1\r\n{own}${end}`, '400 MALFORMED_REQUEST'],
  ['TRACE', `TRACE /api/get HTTP/1.1\r\n{own}${end}`, '405 METHOD_NOT_ALLOWED'],
  ['a method of another protocol', `PROPFIND /api/get HTTP/1.1\r\n{own}${end}`, '405 METHOD_NOT_ALLOWED'],
  ['TRACE of the page', `TRACE / HTTP/1.1\r\n{own}${end}`, '405 METHOD_NOT_ALLOWED'],
  ['a method of another protocol for the page', `PROPFIND / HTTP/1.1\r\n{own}${end}`, '405 METHOD_NOT_ALLOWED'],
  ['TRACE of nothing', `TRACE /nothing HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\n{own}\r\n', '405 METHOD_NOT_ALLOWED'],
  ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['dots in the path', `GET /docs/../../../../etc/passwd HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['encoded dots', `GET /docs/%2e%2e/%2e%2e/package.json HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['an encoded slash', `GET /api%2Fget HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['a doubled slash', `GET //api/get HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['an encoded NUL', `GET /api/get%00 HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['a NUL', `GET /api/get\u0000 HTTP/1.1\r\n{own}${end}`, '400 MALFORMED_REQUEST'],
  ['letters beyond ASCII', `GET /api/gét HTTP/1.1\r\n{own}${end}`, '400 MALFORMED_REQUEST'],
  ['overlong UTF-8', `GET /api/%c0%ae HTTP/1.1\r\n{own}${end}`, '404 NOT_FOUND'],
  ['a query of 12,000 letters', `GET /api/get?say=${'x'.repeat(12_000)} HTTP/1.1\r\n{own}${end}`, '400 INVALID_INPUT'],
  ['a query of 6,000 names', `GET /api/get?${'a&'.repeat(6_000)} HTTP/1.1\r\n{own}${end}`, '400 INVALID_INPUT'],
  ['10,000 headers', `GET /api/get HTTP/1.1\r\n{own}${'a:b\r\n'.repeat(10_000)}${end}`, '431 HEADER_TOO_LARGE'],
  ['a header that goes on', `GET /api/get HTTP/1.1\r\n{own}X: a\r\n b\r\n${end}`, '400 MALFORMED_REQUEST'],
  ['line feeds alone', 'GET /api/get HTTP/1.1\n{own}\n', '400 MALFORMED_REQUEST'],
  ['a wish for a web socket', `GET /api/get HTTP/1.1\r\n{own}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`, '200'],
  ['a wish for HTTP/2', `GET /api/get HTTP/1.1\r\n{own}Upgrade: h2c\r\nConnection: Upgrade\r\n\r\nPRI`, '200'],
  ['an expectation', `POST /api/echo HTTP/1.1\r\n{own}${json}Expect: x\r\nContent-Length: 2\r\n${end}{}`, '200'],
  [
    'space before a colon',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length : 2\r\n${end}{}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a length with a sign',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: +2\r\n${end}{}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a length in hex',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: 0x2\r\n${end}{}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a length of 20 digits',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: ${'9'.repeat(20)}\r\n${end}{}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a length of 15 digits',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: ${'9'.repeat(15)}\r\n${end}{}`,
    '413 BODY_TOO_LARGE',
  ],
  [
    'a length that is too long',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: 9\r\n\r\n{}`,
    '408 BODY_TOO_SLOW',
  ],
  [
    'chunked, spelt with a space',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Transfer-Encoding : chunked\r\n${end}${body}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'chunked, and identity',
    `POST /api/echo HTTP/1.1\r\n{own}${json}${chunked}Transfer-Encoding: identity\r\n${end}${body}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'chunked, and another coding',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Transfer-Encoding: gzip, chunked\r\n${end}${body}`,
    '415 UNSUPPORTED_MEDIA_TYPE',
  ],
  [
    'a chunk without an end',
    `POST /api/echo HTTP/1.1\r\n{own}${json}${chunked}\r\nfffffffffffffffff\r\n{}`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a chunk with 20,000 letters of extension',
    `POST /api/echo HTTP/1.1\r\n{own}${json}${chunked}\r\n2;a=${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    '400 MALFORMED_REQUEST',
  ],
  [
    'a trailer of 20,000 letters',
    `POST /api/echo HTTP/1.1\r\n{own}${json}${chunked}\r\n2\r\n{}\r\n0\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
    '431 HEADER_TOO_LARGE',
  ],
  ['a body that drips', `POST /api/echo HTTP/1.1\r\n{own}${json}${chunked}\r\n1\r\n{\r\n`, '408 BODY_TOO_SLOW'],
  ['garbage behind a call', `GET /api/get HTTP/1.1\r\n{own}\r\ngarbage\r\n\r\n`, '200, 400 MALFORMED_REQUEST'],
  [
    'a call behind a length that lies',
    `POST /api/echo HTTP/1.1\r\n{own}${json}Content-Length: 2\r\n\r\n{}{"say":"x"}`,
    '200, 400 MALFORMED_REQUEST',
  ],
  ['two calls at once', `GET /api/get HTTP/1.1\r\n{own}\r\nGET /api/maybe HTTP/1.1\r\n{own}${end}`, '200, 200'],
  [
    'a call hidden in the body of a GET',
    `GET /api/get HTTP/1.1\r\n{own}Content-Length: 27\r\n${end}GET /api/bug HTTP/1.1\r\n\r\n\r\n`,
    '200',
  ],
]

const answers = async (it: House, signal: AbortSignal): Promise<void> => {
  const text = await raw(
    it.gateway.port,
    `GET /api/get HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\n${end}`,
    signal,
  )
  assert.match(text, /^HTTP\/1\.1 200 /)
}

test('what is odd, false or two things at once gets one answer for each call', async (signal) => {
  await using it = await house(endpoints, settings)
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  const wrong: string[] = []
  await Promise.all(
    rows.map(async ([what, request, want]) => {
      const got = answersOf(await raw(it.gateway.port, request.replaceAll('{own}', own), signal))
      if (got !== want) wrong.push(`${what}: ${got}, not ${want}`)
    }),
  )
  assert.deepEqual(wrong, [])
  await answers(it, signal)
  assert.deepEqual(it.errors, [])
}, 30_000)

test('garbage without end behind a call that takes its time costs nothing, and ends with the call', async (signal) => {
  await using it = await house(endpoints, settings)
  const warned: string[] = []
  const onWarning = ({ message }: Error): void => void warned.push(message)
  process.on('warning', onWarning)
  const [socket] = await opened(it.gateway.port, 1, '')
  socket!.write(`GET /api/slow HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\n\r\n`)
  await until(() => it.gateway.calls === 1, signal)
  for (let i = 0; i < 100; i++) {
    if (!socket!.write('garbage\r\n\r\n'.repeat(100))) await once(socket!, 'drain', { signal })
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(it.gateway.calls, 1)
  await answers(it, signal)
  socket!.destroy()
  await until(() => it.gateway.calls === 0, signal)
  process.off('warning', onWarning)
  assert.deepEqual(warned, [])
})

test('a caller that has said all it will say still hears the answer', async (signal) => {
  await using it = await house(endpoints, settings)
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  const text = await raw(it.gateway.port, `GET /api/large HTTP/1.1\r\n${own}\r\n`, signal, true)
  assert.match(text, /^HTTP\/1\.1 200 [\s\S]*"pad":"x{9000}"/)
})

const MEBIBYTE = 1_048_576
/** What all of a test's connections may add to this process, which holds both their ends. */
const GROWTH_BYTES_MAX = 256 * MEBIBYTE

/** Runs what takes memory, and fails if it takes too much of it. */
const bounded = async (work: () => Promise<void>): Promise<void> => {
  const before = process.memoryUsage().rss
  await work()
  const grown = process.memoryUsage().rss - before
  assert(grown < GROWTH_BYTES_MAX, `${Math.round(grown / MEBIBYTE)} MiB more`)
}

const opened = async (port: number, count: number, request: string): Promise<Socket[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      socket.write(request)
      return socket
    }),
  )

const CONNECTIONS = 1_000

test('a thousand connections with half a header are refused in time, and others answered meanwhile', async (signal) => {
  await using it = await house(endpoints, settings)
  await bounded(async () => {
    const sockets = await opened(it.gateway.port, CONNECTIONS, `GET /api/get HTTP/1.1\r\nHost: 127.0.0.1`)
    let refused = 0
    const closed = sockets.map(async (socket) => {
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      await once(socket, 'close', { signal })
      if (answersOf(text) === '408 HEADER_TOO_SLOW') refused += 1
    })
    await answers(it, signal)
    await Promise.all(closed)
    assert.equal(refused, CONNECTIONS)
  })
  await answers(it, signal)
}, 60_000)

test('a thousand calls at once are all answered', async (signal) => {
  await using it = await house(endpoints, settings)
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  await bounded(async () => {
    const texts = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        raw(it.gateway.port, `GET /api/large HTTP/1.1\r\n${own}${end}`, signal),
      ),
    )
    assert(texts.every((text) => /^HTTP\/1\.1 200 [\s\S]*"}$/.test(text)))
  })
}, 60_000)

const PIPELINED = 5_000

test('a flood over one connection is answered in order, and one without a reader is bounded', async (signal) => {
  await using it = await house(endpoints, { ...settings, 'sse.stallMs': 1000 })
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  const call = (n: number): string => `GET /api/get?say=${n} HTTP/1.1\r\n${own}\r\n`
  const flood = Array.from({ length: PIPELINED }, (_, n) => call(n)).join('')
  const text = await raw(it.gateway.port, `${flood}GET /api/get HTTP/1.1\r\n${own}${end}`, signal)
  const said = [...text.matchAll(/"say":"(\d+)"/g)].map(([, n]) => Number(n))
  assert.deepEqual(
    said,
    Array.from({ length: PIPELINED }, (_, n) => n),
  )
  await bounded(async () => {
    const [deaf] = await opened(it.gateway.port, 1, '')
    deaf!.pause()
    const large = `GET /api/large HTTP/1.1\r\n${own}\r\n`.repeat(PIPELINED)
    deaf!.write(large)
    await until(() => it.gateway.calls > 0, signal)
    await answers(it, signal)
    await until(() => deaf!.closed || it.gateway.calls === 0, signal)
    deaf!.destroy()
  })
  await answers(it, signal)
}, 60_000)

test('event streams whose readers never read cost bounded memory, and end', async (signal) => {
  await using it = await house(endpoints, { ...settings, 'sse.stallMs': 1000, 'sse.clientsMax': 200 })
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  await bounded(async () => {
    const sockets = await opened(it.gateway.port, 50, '')
    for (const socket of sockets) socket.pause()
    for (const socket of sockets) socket.write(`GET /api/flood HTTP/1.1\r\n${own}\r\n`)
    await until(() => it.gateway.streams > 0, signal)
    await answers(it, signal)
    await until(() => it.gateway.streams === 0, signal)
    for (const socket of sockets) socket.destroy()
  })
  await answers(it, signal)
}, 60_000)

test.run()
