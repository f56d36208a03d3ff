// Goal: nothing that a stranger sends harms the node or its next caller: foreign names, endless or slow bodies, floods.
// Method: a real gateway on a free port, spoken to with fetch and with bare sockets; a fuzzer over good requests.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import Type from 'typebox'
import { answer } from '#api/endpoint.ts'
import { createBodyReader } from '#gateway/body.ts'
import { createPending } from '#gateway/pending.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { house, KEY, LINK } from './house.ts'
import { endpoints, make, post, raw, refusedWith } from './rooms.ts'
import { manualTime, settle } from './time.ts'

const test = suite('gateway/hostile')

/** More than a socket buffers. */
const huge = make({
  id: 'huge',
  route: 'GET /api/huge',
  produces: ['application/x-bytes'],
  handle: () => answer({ body: new Uint8Array(16_777_216), type: 'application/x-bytes' }),
})

const WIDE = { bodyBytes: 262_144 }

test('a foreign Host is refused before anything is routed', async (signal) => {
  await using it = await house(endpoints)
  for (const path of ['/api/get', '/', '/docs', '/nowhere', '/owner?token=x']) {
    const text = await raw(
      it.gateway.port,
      `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
      signal,
    )
    assert.match(text, /^HTTP\/1\.1 421 [\s\S]*HOST_REFUSED/, path)
  }
  const own = `Host: 127.0.0.1:${it.gateway.port}`
  const end = 'Connection: close\r\n\r\n'
  for (const [what, text] of [
    ['none in 1.0', 'GET /api/get HTTP/1.0\r\n\r\n'],
    ['none in 1.1', `GET /api/get HTTP/1.1\r\n${end}`],
    ['two, the first one good', `GET /api/get HTTP/1.1\r\n${own}\r\nHost: evil.example\r\n${end}`],
    ['two good ones', `GET /api/get HTTP/1.1\r\n${own}\r\n${own}\r\n${end}`],
    ['another in the target', `GET http://evil.example/api/get HTTP/1.1\r\n${own}\r\n${end}`],
  ] as const) {
    assert.match(await raw(it.gateway.port, text, signal), /^HTTP\/1\.1 421 [\s\S]*HOST_REFUSED/, what)
  }
  const whole = `GET http://127.0.0.1:${it.gateway.port}/api/get HTTP/1.1\r\nHost: other\r\n${end}`
  assert.match(await raw(it.gateway.port, whole, signal), /^HTTP\/1\.1 200 /)
})

test('two credentials are none: neither of two lines is believed, whatever the other says', async (signal) => {
  await using it = await house(endpoints)
  const head = `GET /api/maybe HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\nConnection: close\r\n`
  const lines = (...keys: readonly string[]): string => keys.map((key) => `Authorization: Bearer ${key}\r\n`).join('')
  for (const keys of [
    [KEY, 'guess'],
    ['guess', KEY],
    [KEY, KEY],
  ]) {
    const text = await raw(it.gateway.port, `${head}${lines(...keys)}\r\n`, signal)
    assert.match(text, /^HTTP\/1\.1 401 [\s\S]*UNAUTHENTICATED/, keys.join())
  }
  assert.match(await raw(it.gateway.port, `${head}${lines(KEY)}\r\n`, signal), /^HTTP\/1\.1 200 /)
})

test('what is no request is refused with a document, and ends its connection alone', async (signal) => {
  await using it = await house(endpoints, { 'http.headersTimeoutMs': 1000 })
  const own = `Host: 127.0.0.1:${it.gateway.port}\r\n`
  for (const [text, status, code] of [
    ['\u0016\u0003\u0001 hello\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [`BREW /api/get HTTP/1.1\r\n${own}\r\n`, 400, 'MALFORMED_REQUEST'],
    [`POST /api/echo HTTP/1.1\r\n${own}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400, 'MALFORMED_REQUEST'],
    [
      `POST /api/echo HTTP/1.1\r\n${own}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
      400,
      'MALFORMED_REQUEST',
    ],
    [`GET /api/get HTTP/1.1\r\n${own}x: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADER_TOO_LARGE'],
    [`GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\n${own}\r\n`, 431, 'HEADER_TOO_LARGE'],
    [`GET /api/get HTTP/1.1\r\n${own}`, 408, 'HEADER_TOO_SLOW'],
  ] as const) {
    const answer = await raw(it.gateway.port, text, signal)
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} [^]*content-type: application/problem\\+json`, 'i'), code)
    const problem = JSON.parse(body) as { status: number; code: string }
    assert.deepEqual([problem.status, problem.code], [status, code])
  }
  assert.equal((await it.ask('/api/get')).status, 200)
  assert.deepEqual(it.errors, [])
})

test('a caller that goes away ends its call, and is no failure of the node', async (signal) => {
  await using it = await house(endpoints)
  const leaving = new AbortController()
  const left = it.ask('/api/slow', { signal: leaving.signal })
  await until(() => it.gateway.calls === 1, signal)
  leaving.abort()
  await assert.rejects(left)
  await until(() => it.gateway.calls === 0, signal)
  assert.equal((await it.ask('/api/get')).status, 200)
  assert.deepEqual(it.errors, [])
})

test('CORS answers configured origins alone', async () => {
  await using it = await house(endpoints, { 'http.origins': ['https://lab.example'] })
  const ask = (origin: string) => it.ask('/api/echo', { method: 'OPTIONS', headers: { Origin: origin } })
  assert.equal((await ask('https://lab.example')).headers.get('access-control-allow-origin'), 'https://lab.example')
  assert.match((await ask('https://lab.example')).headers.get('access-control-allow-headers') ?? '', /Idempotency-Key/)
  assert.equal((await ask('https://evil.example')).headers.get('access-control-allow-origin'), null)
  assert.match((await ask('https://evil.example')).headers.get('vary') ?? '', /Accept-Encoding, Origin/)
})

test('bodies have a size and a time', async (signal) => {
  const time = manualTime()
  await using it = await house(endpoints, { 'http.bodyBytesMax': 1024 }, time.sleep)
  await refusedWith(await it.ask('/api/echo', post(`{"say":"${'x'.repeat(2000)}"}`)), 413, 'BODY_TOO_LARGE')
  const head = `POST /api/echo HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\nContent-Type: application/json\r\n`
  const chunk = 'x'.repeat(2000)
  const endless = await raw(
    it.gateway.port,
    `${head}Transfer-Encoding: chunked\r\n\r\n7d0\r\n${chunk}\r\n7d0\r\n${chunk}\r\n`,
    signal,
  )
  assert.match(endless, /^HTTP\/1\.1 413 [\s\S]*BODY_TOO_LARGE/)
  const slow = raw(it.gateway.port, `${head}Content-Length: 10\r\n\r\n{"s`, signal)
  while (time.waiting === 0) await settle()
  await time.advance(10_000)
  assert.match(await slow, /^HTTP\/1\.1 408 [\s\S]*BODY_TOO_SLOW/)
  assert.equal((await it.ask('/api/get')).status, 200)
})

test('an endpoint may take larger bodies than others; a large one counts as several calls', async () => {
  const input = Type.Object({ say: Type.String() })
  const wide = make({ id: 'wide', route: 'POST /api/wide', input, limits: WIDE, handle: () => ({}) })
  await using it = await house([...endpoints, wide], { 'http.bodyBytesMax': 1024, 'limits.anonymousCallsPerMinute': 9 })
  const left = (response: Response) => response.headers.get('ratelimit-remaining')
  const say = (length: number) => post(JSON.stringify({ say: 'x'.repeat(length) }))
  assert.equal(left(await it.ask('/api/echo', say(900))), '8')
  const large = await it.ask('/api/wide', say(200_000))
  assert.deepEqual([large.status, left(large)], [200, '4'])
  await refusedWith(await it.ask('/api/wide', say(300_000)), 413, 'BODY_TOO_LARGE')
  const over = await it.ask('/api/wide', say(250_000))
  assert.equal(left(over), '0')
  await refusedWith(over, 429, 'RATE_LIMITED')
})

test('all bodies that arrive at once have a bound, which is free again when they are read', async (signal) => {
  const read = createBodyReader(100)
  const never = new Promise<void>(() => undefined)
  const from = (body: Readable) => {
    const request = Object.assign(body, { headers: { 'transfer-encoding': 'chunked' } }) as unknown as IncomingMessage
    return read(request, { bytesMax: 1000, timeoutMs: 1000 }, { sleep: () => never, signal })
  }
  const [first, second] = [new PassThrough(), new PassThrough()]
  const [one, two] = [from(first), from(second)]
  first.write(Buffer.alloc(60))
  await settle()
  second.write(Buffer.alloc(60))
  await assert.rejects(two, { code: 'NODE_BUSY' })
  first.end(Buffer.alloc(20))
  assert.equal((await one)?.length, 80)
  assert.equal((await from(Readable.from([Buffer.alloc(100)])))?.length, 100)
})

test('a body that was too slow takes no more room, though its sender holds on', async (signal) => {
  const read = createBodyReader(100)
  const time = manualTime()
  const from = (body: Readable) => {
    const request = Object.assign(body, { headers: { 'transfer-encoding': 'chunked' } }) as unknown as IncomingMessage
    return read(request, { bytesMax: 1000, timeoutMs: 1000 }, { sleep: time.sleep, signal })
  }
  for (let i = 0; i < 3; i += 1) {
    const body = new PassThrough()
    const slow = from(body)
    body.write(Buffer.alloc(90))
    await settle()
    await Promise.all([assert.rejects(slow, { code: 'BODY_TOO_SLOW' }), time.advance(1000)])
    body.write(Buffer.alloc(90))
    await settle()
  }
  assert.equal((await from(Readable.from([Buffer.alloc(100)])))?.length, 100)
})

test('who takes bytes gets exactly those of the body, unparsed, and no more than its bound', async () => {
  await using it = await house(endpoints)
  const response = await it.ask('/api/gossip', post('{"a":1,  "a":2', { 'x-node-handshake': 'v1;x' }))
  assert.deepEqual(await response.json(), {
    size: 14,
    headers: { handshake: 'v1;x', host: new URL(it.gateway.url).host, accept: '*/*' },
  })
  await refusedWith(await it.ask('/api/gossip', post('x'.repeat(65_536))), 413, 'BODY_TOO_LARGE')
})

test('behind a configured proxy its word counts for address, name and scheme; else it does not', async (signal) => {
  const ask = async (port: number, lines: string): Promise<string> =>
    raw(port, `GET /api/get HTTP/1.1\r\nConnection: close\r\n${lines}\r\n\r\n`, signal)
  const forwarded = 'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-Host: node.example\r\nX-Forwarded-Proto: https'
  await using behind = await house(endpoints, { 'http.proxies': ['127.0.0.1'], 'http.hosts': ['node.example'] })
  assert.match(await ask(behind.gateway.port, `Host: inner\r\n${forwarded}`), /"bucket":"203\.0\.113\.9"/)
  await using direct = await house(endpoints, { 'http.hosts': ['node.example'] })
  assert.match(await ask(direct.gateway.port, `Host: inner\r\n${forwarded}`), /^HTTP\/1\.1 421 /)
  assert.match(await ask(direct.gateway.port, `Host: node.example\r\n${forwarded}`), /"bucket":"127\.0\.0\.1"/)
  const owner = `GET /owner?token=${LINK} HTTP/1.1\r\nConnection: close\r\nHost: inner\r\n${forwarded}\r\n\r\n`
  assert.match(await raw(behind.gateway.port, owner, signal), /set-cookie: __Host-tickmesh=[^\r]*; Secure\r/i)
})

test('a reader that leaves frees its place; one that takes nothing is dropped', async (signal) => {
  const time = manualTime()
  await using it = await house(endpoints, {}, time.sleep)
  const leaving = new AbortController()
  const left = await it.ask('/api/feed', { signal: leaving.signal })
  assert.equal(it.gateway.streams, 1)
  leaving.abort()
  await left.text().catch(() => undefined)
  await until(() => it.gateway.streams === 0, signal)
  const socket = connect(it.gateway.port, '127.0.0.1')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write(`GET /api/flood HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\n\r\n`)
  await until(() => time.waiting > 0 && it.gateway.streams === 1, signal)
  await until(async () => {
    await time.advance(60_000)
    return it.gateway.streams === 0
  }, signal)
  socket.destroy()
})

test('one address takes no more than a quarter of the places for event streams', async (signal) => {
  await using it = await house(endpoints, { 'sse.clientsMax': 6, 'http.proxies': ['127.0.0.1'] })
  const leaving = new AbortController()
  const open = (address: string) =>
    it.ask('/api/feed', { headers: { 'X-Forwarded-For': address }, signal: leaving.signal })
  const [first, second] = [await open('198.51.100.1'), await open('198.51.100.1')]
  assert.deepEqual([first.status, second.status], [200, 200])
  await refusedWith(await open('198.51.100.1'), 429, 'RATE_LIMITED')
  for (const address of ['198.51.100.2', '198.51.100.2', '198.51.100.3', '198.51.100.3']) {
    assert.equal((await open(address)).status, 200)
  }
  await refusedWith(await open('198.51.100.4'), 503, 'NODE_BUSY')
  leaving.abort()
  await until(() => it.gateway.streams === 0, signal)
  const back = new AbortController()
  const headers = { 'X-Forwarded-For': '198.51.100.1' }
  assert.equal((await it.ask('/api/feed', { headers, signal: back.signal })).status, 200)
  back.abort()
})

test('who takes nothing of an answer is not waited for; who waits for one may be silent', async (signal) => {
  await using it = await house([...endpoints, huge], { 'sse.stallMs': 1000 })
  const socketOf = (path: string) => {
    const socket = connect(it.gateway.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${it.gateway.port}\r\n\r\n`)
    return socket
  }
  const patient = socketOf('/api/slow')
  const idle = socketOf('/api/slow')
  await until(() => it.gateway.calls === 2, signal)
  idle.destroy()
  const deaf = socketOf('/api/huge').pause()
  await until(() => it.gateway.calls === 2, signal)
  await until(() => it.gateway.calls === 1, signal)
  // The one that waits has been silent for longer than that, and is still there.
  assert.ok(!patient.closed)
  for (const socket of [patient, deaf]) socket.destroy()
}, 20_000)

test('an address that leaves answers unread gets no more until it reads', async (signal) => {
  const pending = createPending(150_000, 250_000)
  const response = () => new PassThrough() as unknown as ServerResponse
  const held = [response(), response(), response()]
  const codeOf = (bucket: string): string => {
    try {
      pending.admit(bucket)
      return 'admitted'
    } catch (refusal) {
      return (refusal as { code: string }).code
    }
  }
  pending.hold(held[0]!, 'a', 100_000)
  pending.hold(response(), 'a', 1000)
  assert.equal(codeOf('a'), 'admitted')
  pending.hold(held[1]!, 'a', 100_000)
  assert.deepEqual([codeOf('a'), codeOf('b')], ['RATE_LIMITED', 'admitted'])
  pending.hold(held[2]!, 'b', 100_000)
  assert.deepEqual([codeOf('b'), codeOf('c')], ['NODE_BUSY', 'NODE_BUSY'])
  for (const it of held) it.destroy()
  await until(() => codeOf('a') === 'admitted' && codeOf('c') === 'admitted', signal)
})

test('limits: headers count down, then 429 with the time to wait; keys and buckets are counted apart', async () => {
  await using it = await house(endpoints, { 'limits.anonymousCallsPerMinute': 3, 'limits.keyCallsPerMinute': 5 })
  const first = await it.ask('/api/get')
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`)),
    ['3', '2', '60'],
  )
  assert.equal(first.headers.get('x-ratelimit-remaining'), '2')
  const guess = await it.ask('/api/maybe', { headers: { Authorization: 'Bearer guess' } })
  assert.deepEqual([guess.status, guess.headers.get('ratelimit-remaining')], [401, '1'])
  await it.ask('/api/get')
  const over = await it.ask('/api/get')
  assert.deepEqual(
    [over.headers.get('ratelimit-remaining'), over.headers.get('retry-after')],
    ['0', over.headers.get('ratelimit-reset')],
  )
  await refusedWith(over, 429, 'RATE_LIMITED')
  await refusedWith(await it.ask('/api/maybe', { headers: { Authorization: 'Bearer guess' } }), 429, 'RATE_LIMITED')
  const keyed = await it.ask('/api/maybe', { headers: { Authorization: `Bearer ${KEY}` } })
  assert.deepEqual([keyed.status, keyed.headers.get('ratelimit-remaining')], [200, '4'])
})

test('no request that a fuzzer makes of good ones is a bug of ours, and the node goes on', async (signal) => {
  await using it = await house(endpoints, { 'limits.anonymousCallsPerMinute': 1e6 })
  const random = seeded()
  const host = `127.0.0.1:${it.gateway.port}`
  const json = 'Content-Type: application/json\r\n'
  const last = 'Connection: close\r\n\r\n'
  const good = [
    `GET /api/get?say=hi HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET /api/maybe HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nCookie: a=x\r\n${last}`,
    `POST /api/echo HTTP/1.1\r\nHost: ${host}\r\n${json}Content-Length: 12\r\n${last}{"say":"hi"}`,
    `GET /docs/page.js HTTP/1.1\r\nHost: ${host}\r\nIf-None-Match: "x"\r\nConnection: close\r\n\r\n`,
  ]
  const spice = [
    '%',
    '%00',
    '\\',
    '"',
    '{',
    '\u0000',
    '../',
    ';',
    '=',
    '&',
    '__proto__',
    '\t',
    'é',
    '9'.repeat(400),
    ':',
    '?',
    '#',
  ]
  for (let i = 0; i < 200; i++) {
    const text = random.pick(good)
    const at = random.integer(0, text.length)
    const mutated = text.slice(0, at) + random.pick(spice) + text.slice(at + random.integer(0, 3))
    const answer = await raw(it.gateway.port, mutated, signal, true)
    assert(!/^HTTP\/1\.1 5/.test(answer), `${JSON.stringify(mutated)}: ${answer.slice(0, 300)}`)
  }
  assert.deepEqual(it.errors, [])
  assert.equal((await it.ask('/api/get')).status, 200)
}, 60_000)

test.run()
