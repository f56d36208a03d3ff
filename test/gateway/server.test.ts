// Goal: whatever arrives on the socket gets one clear answer, and nothing it does harms the next caller.
// Method: a real gateway on a free port over a handful of endpoints, spoken to with fetch and with bare sockets.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { answer, type Endpoint, endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { text } from '#core/schema.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { house, KEY, LINK, SESSION } from './house.ts'
import { manualTime, settle } from './time.ts'

const test = suite('gateway/server')

const base = { domain: 'compute', tier: 'computation', summary: '', auth: 'none', faults: [], example: {} } as const
const anything = Type.Record(Type.String(), Type.Unknown())
const open = Type.Object({})
const echo = Type.Object({ say: Type.Optional(text(4096)), deep: Type.Optional(Type.Unknown()) })

const make = (it: object): Endpoint =>
  endpoint({ ...base, result: anything, input: open, ...it } as never) as unknown as Endpoint

const endpoints: readonly Endpoint[] = [
  make({
    id: 'echo',
    route: 'POST /api/echo',
    input: echo,
    handle: (_: unknown, call: { input: object; headers: object; caller: object }) => ({
      input: call.input,
      headers: call.headers,
      caller: call.caller,
    }),
  }),
  make({
    id: 'get',
    route: 'GET /api/get',
    input: echo,
    handle: (_: unknown, call: { input: object; caller: object }) => ({ input: call.input, caller: call.caller }),
  }),
  make({
    id: 'mine',
    route: 'POST /api/mine',
    auth: 'bearer',
    handle: (_: unknown, call: { caller: object }) => ({ caller: call.caller }),
  }),
  make({
    id: 'maybe',
    route: 'GET /api/maybe',
    auth: 'optional',
    handle: (_: unknown, call: { caller: object }) => ({ caller: call.caller }),
  }),
  make({
    id: 'bug',
    route: 'GET /api/bug',
    handle: () => {
      throw new Error('the secret is 42')
    },
  }),
  make({
    id: 'poor',
    route: 'GET /api/poor',
    handle: () => {
      throw new Fault('INSUFFICIENT_BALANCE', undefined, { price: 3, status: 200, code: 'BENT' })
    },
  }),
  make({
    id: 'busy',
    route: 'GET /api/busy',
    handle: () => {
      throw new Fault('NODE_BUSY', undefined, { retry_after_seconds: 7 })
    },
  }),
  make({
    id: 'sealed',
    route: 'GET /api/sealed',
    handle: () => answer({ body: { pad: 'x'.repeat(9000) }, headers: { 'X-Svc-Sealed': 'promised' } }),
  }),
  make({ id: 'large', route: 'GET /api/large', handle: () => ({ pad: 'x'.repeat(9000) }) }),
  make({
    id: 'bytes',
    route: 'GET /api/bytes',
    produces: ['application/x-bytes'],
    handle: () => answer({ body: new Uint8Array([1, 2, 3]), type: 'application/x-bytes' }),
  }),
  make({
    id: 'made',
    route: 'POST /api/made',
    handle: () => answer({ status: 202, headers: { Location: '/api/jobs/1' }, body: { id: '1' } }),
  }),
  make({
    id: 'gossip',
    route: 'POST /api/gossip',
    auth: 'handshake',
    handle: (_: unknown, call: { body: Uint8Array; headers: object }) => ({
      size: call.body.length,
      headers: call.headers,
    }),
  }),
  make({
    id: 'feed',
    route: 'GET /api/feed',
    produces: ['text/event-stream'],
    handle: async function* (
      _: unknown,
      { signal, headers }: { signal: AbortSignal; headers: { lastEventId?: string } },
    ) {
      if (headers.lastEventId === 'unknown') throw new Fault('NOT_FOUND')
      yield { id: '1', event: 'a', data: { x: 1 } }
      await once(signal, 'abort').catch(() => undefined)
    },
  }),
  make({
    id: 'slow',
    route: 'GET /api/slow',
    handle: (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Fault('NODE_STOPPING')))),
  }),
]

const post = (
  body: BodyInit,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): RequestInit => ({ method: 'POST', body, headers })
const problemOf = async (response: Response) => {
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  return (await response.json()) as Record<string, unknown> & { status: number; code: string }
}
const refusedWith = async (response: Response, status: number, code: string): Promise<Record<string, unknown>> => {
  const problem = await problemOf(response)
  assert.deepEqual([response.status, problem.status, problem.code], [status, status, code])
  assert.equal(problem['type'], `urn:tickmesh:fault:${code}`)
  assert.match(String(problem['instance']), /^urn:uuid:[0-9a-f-]{36}$/)
  return problem
}

/** Sends raw text, and no more if `whole`, and gives back all that comes until the other side closes. */
const raw = async (port: number, text: string, signal: AbortSignal, whole = false): Promise<string> => {
  const socket = connect(port, '127.0.0.1')
  let all = ''
  socket.on('data', (chunk) => {
    all += chunk
  })
  socket.on('error', () => undefined)
  if (whole) socket.end(text)
  else socket.write(text)
  await once(socket, 'close', { signal })
  return all
}

test('a call goes in and its answer comes out', async () => {
  await using it = await house(endpoints)
  const response = await it.ask('/api/echo', post('{"say":"hi"}'))
  assert.equal(response.status, 200)
  const { input, caller } = (await response.json()) as { input: object; caller: { kind: string; bucket: string } }
  assert.deepEqual(input, { say: 'hi' })
  assert.deepEqual(caller, { kind: 'anonymous', bucket: '127.0.0.1' })
  assert.equal((await it.ask('/api/echo', { method: 'POST' })).status, 200)
  const made = await it.ask('/api/made', { method: 'POST' })
  assert.deepEqual([made.status, made.headers.get('location')], [202, '/api/jobs/1'])
  assert.deepEqual(new Uint8Array(await (await it.ask('/api/bytes')).arrayBuffer()), new Uint8Array([1, 2, 3]))
})

test('refusals of paths, methods and media', async () => {
  await using it = await house(endpoints)
  await refusedWith(await it.ask('/api/none'), 404, 'NOT_FOUND')
  const wrong = await it.ask('/api/get', { method: 'DELETE' })
  assert.equal(wrong.headers.get('allow'), 'GET, HEAD, OPTIONS')
  await refusedWith(wrong, 405, 'METHOD_NOT_ALLOWED')
  await refusedWith(await it.ask('/api/get', { headers: { Accept: 'image/png' } }), 406, 'NOT_ACCEPTABLE')
  await refusedWith(
    await it.ask('/api/echo', post('{}', { 'Content-Type': 'text/plain' })),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )
  await refusedWith(
    await it.ask('/api/echo', post('{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })),
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  )
  await refusedWith(await it.ask('/api/echo', post('{"a"')), 400, 'MALFORMED_JSON')
  const unknown = await refusedWith(await it.ask('/api/echo', post('{"sya":"hi"}')), 400, 'INVALID_INPUT')
  assert.deepEqual(unknown['errors'], [{ path: '/sya', message: 'is not known here' }])
  await refusedWith(
    await it.ask('/api/echo', post('{}', { 'Content-Type': 'application/json', 'Idempotency-Key': 'a b' })),
    400,
    'INVALID_INPUT',
  )
})

test('HEAD has the header of GET and no body; OPTIONS says what is allowed', async () => {
  await using it = await house(endpoints)
  const head = await it.ask('/api/large', { method: 'HEAD' })
  assert.equal(head.status, 200)
  assert.equal(head.headers.get('content-length'), String('{"pad":""}'.length + 9000))
  const options = await it.ask('/api/echo', { method: 'OPTIONS' })
  assert.deepEqual([options.status, options.headers.get('allow')], [204, 'POST, OPTIONS'])
  assert.equal(options.headers.get('access-control-allow-origin'), null)
})

test('a bug is a bare 500 whose log line has the instance; a detail cannot bend a standard member', async () => {
  await using it = await house(endpoints)
  const problem = await refusedWith(await it.ask('/api/bug'), 500, 'INTERNAL')
  assert(!JSON.stringify(problem).includes('42'))
  assert.deepEqual(
    it.errors.map(({ fields }) => (fields as { instance: string }).instance),
    [problem['instance']],
  )
  const poor = await refusedWith(await it.ask('/api/poor'), 402, 'INSUFFICIENT_BALANCE')
  assert.equal(poor['price'], 3)
  const busy = await it.ask('/api/busy')
  assert.equal(busy.headers.get('retry-after'), '7')
  assert.equal((await refusedWith(busy, 503, 'NODE_BUSY'))['retryable'], true)
})

test('credentials: none needed, optional, required', async () => {
  await using it = await house(endpoints)
  const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })
  assert.equal((await it.ask('/api/get', bearer('wrong'))).status, 200)
  assert.equal((await it.ask('/api/maybe')).status, 200)
  assert.equal((await it.ask('/api/maybe', bearer(KEY))).status, 200)
  await refusedWith(await it.ask('/api/maybe', bearer('wrong')), 401, 'UNAUTHENTICATED')
  const missing = await it.ask('/api/mine', { method: 'POST' })
  assert.match(missing.headers.get('www-authenticate') ?? '', /^Bearer/)
  await refusedWith(missing, 401, 'UNAUTHENTICATED')
  assert.equal((await it.ask('/api/mine', { method: 'POST', ...bearer(KEY) })).status, 200)
})

test('the owner link becomes a session, and a session acts only from the node’s own page', async () => {
  await using it = await house(endpoints)
  await refusedWith(await it.ask('/owner?token=wrong'), 401, 'UNAUTHENTICATED')
  await refusedWith(await it.ask('/owner'), 400, 'INVALID_INPUT')
  const owner = await it.ask(`/owner?token=${LINK}`)
  assert.deepEqual([owner.status, owner.headers.get('location')], [303, '/'])
  assert.equal(owner.headers.get('set-cookie'), `tickmesh=${SESSION}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`)
  const cookie = { Cookie: `other=1; tickmesh=${SESSION}` }
  assert.equal((await it.ask('/api/maybe', { headers: cookie })).status, 200)
  await refusedWith(await it.ask('/api/mine', { method: 'POST', headers: cookie }), 403, 'ORIGIN_REFUSED')
  const from = (origin: string) => it.ask('/api/mine', { method: 'POST', headers: { ...cookie, Origin: origin } })
  await refusedWith(await from('https://evil.example'), 403, 'ORIGIN_REFUSED')
  assert.equal((await from(it.gateway.url)).status, 200)
})

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
  assert.match(await raw(it.gateway.port, 'GET /api/get HTTP/1.0\r\n\r\n', signal), / 421 /)
})

test('CORS answers configured origins alone', async () => {
  await using it = await house(endpoints, { 'http.origins': ['https://lab.example'] })
  const ask = (origin: string) => it.ask('/api/echo', { method: 'OPTIONS', headers: { Origin: origin } })
  assert.equal((await ask('https://lab.example')).headers.get('access-control-allow-origin'), 'https://lab.example')
  assert.match((await ask('https://lab.example')).headers.get('access-control-allow-headers') ?? '', /Idempotency-Key/)
  assert.equal((await ask('https://evil.example')).headers.get('access-control-allow-origin'), null)
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

test('handshake endpoints get the exact bytes, unparsed, and no more than a gossip message', async () => {
  await using it = await house(endpoints)
  const response = await it.ask('/api/gossip', post('{"a":1,  "a":2', { 'x-node-handshake': 'v1;x' }))
  assert.deepEqual(await response.json(), {
    size: 14,
    headers: { handshake: 'v1;x', host: new URL(it.gateway.url).host, accept: '*/*' },
  })
  await refusedWith(await it.ask('/api/gossip', post('x'.repeat(65_536))), 413, 'BODY_TOO_LARGE')
})

test('limits: headers count down, then 429 with the time to wait; keys and buckets are counted apart', async () => {
  await using it = await house(endpoints, { 'limits.anonymousCallsPerMinute': 3, 'limits.keyCallsPerMinute': 5 })
  const first = await it.ask('/api/get')
  assert.deepEqual(
    ['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`)),
    ['3', '2', '60'],
  )
  assert.equal(first.headers.get('x-ratelimit-remaining'), '2')
  await it.ask('/api/maybe', { headers: { Authorization: 'Bearer guess' } })
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

test('large answers are compressed; sealed bytes and events are not', async () => {
  await using it = await house(endpoints)
  const encoding = async (path: string) =>
    (await it.ask(path, { headers: { 'Accept-Encoding': 'gzip' } })).headers.get('content-encoding')
  assert.equal(await encoding('/api/large'), 'gzip')
  assert.equal(await encoding('/api/sealed'), null)
})

test('an event stream is resumed by id, counted, and told to come back when the node stops', async () => {
  const it = await house(endpoints, { 'sse.clientsMax': 1 })
  await refusedWith(await it.ask('/api/feed', { headers: { 'Last-Event-ID': 'unknown' } }), 404, 'NOT_FOUND')
  const response = await it.ask('/api/feed', { headers: { Accept: 'text/event-stream', 'Accept-Encoding': 'gzip' } })
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(response.headers.get('content-encoding'), null)
  assert.equal((await it.ask('/api/feed', { method: 'HEAD' })).status, 405)
  assert.equal(it.gateway.streams, 1)
  await refusedWith(await it.ask('/api/feed'), 503, 'NODE_BUSY')
  const text = response.text()
  await it[Symbol.asyncDispose]()
  assert.equal(await text, 'retry: 3000\n\nid: 1\nevent: a\ndata: {"x":1}\n\nretry: 3000\n\n')
  assert.equal(it.gateway.streams, 0)
})

test('stopping ends a call that would not end, within its time', async () => {
  const time = manualTime()
  const it = await house(endpoints, { 'stop.timeoutMs': 1000 }, time.sleep)
  const slow = it.ask('/api/slow')
  while (it.gateway.calls === 0) await settle()
  const closed = it[Symbol.asyncDispose]()
  await time.advance(599)
  assert.equal(it.gateway.calls, 1)
  await time.advance(1)
  await refusedWith(await slow, 503, 'NODE_STOPPING')
  await closed
})

test('metrics on a port of their own are not beside the interface, and nothing else is on that port', async () => {
  const metrics = make({
    id: 'metrics',
    route: 'GET /metrics',
    handle: () => answer({ body: 'up 1\n', type: 'text/plain' }),
  })
  await using it = await house([...endpoints, metrics], { 'metrics.port': 0 })
  await refusedWith(await it.ask('/metrics'), 404, 'NOT_FOUND')
  const { port } = it.infos.find(({ event }) => event === 'metrics_listening')!.fields as { port: number }
  assert.equal(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(), 'up 1\n')
  for (const path of ['/api/get', '/', '/docs']) {
    await refusedWith(await fetch(`http://127.0.0.1:${port}${path}`), 404, 'NOT_FOUND')
  }
  await using beside = await house([...endpoints, metrics])
  assert.equal(await (await beside.ask('/metrics')).text(), 'up 1\n')
})

test('the page and the API page load nothing from outside, and no script stands in them', async () => {
  await using it = await house(endpoints)
  for (const path of ['/', '/docs']) {
    const response = await it.ask(path)
    const html = await response.text()
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
    assert(!/https?:\/\//.test(html) && !/<script>/.test(html) && !/ on\w+=/.test(html), path)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'self';script-src 'self' 'wasm-unsafe-eval';/)
    assert(!/script-src[^;]*unsafe-inline/.test(policy))
  }
  const start = await it.ask('/docs/start.js')
  assert.match(await start.text(), /validatorUrl: null/)
  const tag = start.headers.get('etag') ?? ''
  assert.equal((await it.ask('/docs/start.js', { headers: { 'If-None-Match': tag } })).status, 304)
  for (const path of ['/docs/index.html', '/docs/..%2fpackage.json', '/docs/package.json', '/%2e%2e/package.json']) {
    assert.equal((await it.ask(path)).status, 404, path)
  }
})

test('no request that a fuzzer makes of good ones is a bug of ours, and the node goes on', async (signal) => {
  await using it = await house(endpoints, { 'limits.anonymousCallsPerMinute': 1e6 })
  const random = seeded()
  const host = `127.0.0.1:${it.gateway.port}`
  const good = [
    `GET /api/get?say=hi HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    `GET /api/maybe HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nCookie: tickmesh=x\r\nConnection: close\r\n\r\n`,
    `POST /api/echo HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"say":"hi"}`,
    `GET /docs/start.js HTTP/1.1\r\nHost: ${host}\r\nIf-None-Match: "x"\r\nConnection: close\r\n\r\n`,
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

test('a port that is taken is named', async () => {
  await using it = await house(endpoints)
  await assert.rejects(
    house(endpoints, { 'http.port': it.gateway.port }),
    new RegExp(`127\\.0\\.0\\.1:${it.gateway.port}: the port is taken`),
  )
})

test.run()
