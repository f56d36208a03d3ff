// Goal: whatever is asked gets one clear answer, and stopping keeps the promises that were made.
// Method: a real gateway on a free port over a handful of endpoints, spoken to with fetch.
import assert from 'node:assert/strict'
import { answer } from '#api/endpoint.ts'
import { suite } from '../kit/suite.ts'
import { house, KEY, LINK, SESSION } from './house.ts'
import { endpoints, make, post, refusedWith } from './rooms.ts'
import { manualTime, settle } from './time.ts'

const test = suite('gateway/server')

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
  assert.deepEqual(unknown['errors'], [{ path: '/sya', message: 'is not known here. Did you mean say?' }])
  const unfit = await refusedWith(await it.ask('/api/unfit'), 400, 'INVALID_INPUT')
  assert.deepEqual(unfit['errors'], [{ path: '/n', message: '/n: must be odd.' }])
  await refusedWith(
    await it.ask('/api/echo', post('{}', { 'Content-Type': 'application/json', 'Idempotency-Key': 'a b' })),
    400,
    'INVALID_INPUT',
  )
})

test('an idempotent endpoint is told how a repeat is known; the header alone says that an answer is one', async () => {
  await using it = await house(endpoints)
  const json = { 'Content-Type': 'application/json', 'Idempotency-Key': 'k-1' }
  const first = await it.ask('/api/once', post('{"say":"hi"}', json))
  assert.equal(first.headers.get('idempotency-replayed'), null)
  assert.deepEqual(await first.json(), { repeat: { scope: 'once', key: 'k-1', input: { say: 'hi' } } })
  const again = await it.ask('/api/once', post('{"say":"again"}'))
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(await again.json(), { repeat: { scope: 'once', input: { say: 'again' } } })
  assert.equal((await it.ask('/api/unstated', { method: 'POST' })).status, 500)
})

test('a page and the owner link take their own methods, and say which', async () => {
  await using it = await house(endpoints)
  for (const [path, allow] of [
    ['/', 'GET, HEAD, OPTIONS'],
    ['/index.html', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/owner', 'GET, OPTIONS'],
  ] as const) {
    for (const method of ['POST', 'DELETE', 'PROPFIND']) {
      const refused = await it.ask(path, { method })
      assert.equal(refused.headers.get('allow'), allow, `${method} ${path}`)
      await refusedWith(refused, 405, 'METHOD_NOT_ALLOWED')
    }
    const options = await it.ask(path, { method: 'OPTIONS' })
    assert.deepEqual([options.status, options.headers.get('allow')], [204, allow], path)
  }
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
  assert(!JSON.stringify(problem).includes('secret'))
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
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  for (const [path, status] of [
    ['/owner?token=%3Cscript%3E', 401],
    ['/owner', 400],
  ] as const) {
    const page = await it.ask(path, { headers: browser })
    assert.deepEqual([page.status, page.headers.get('content-type')], [status, 'text/html; charset=utf-8'])
    assert.deepEqual([page.headers.get('set-cookie'), page.headers.get('cache-control')], [null, 'no-store'])
    const text = await page.text()
    assert.match(text, /opens nothing any more/)
    assert(!text.includes('script'))
  }
  // What will open later is not said to open nothing.
  await using narrow = await house(endpoints, { 'limits.anonymousCallsPerMinute': 1 })
  await narrow.ask('/api/get')
  const later = await narrow.ask(`/owner?token=${LINK}`, { headers: browser })
  await refusedWith(later, 429, 'RATE_LIMITED')
  const owner = await it.ask(`/owner?token=${LINK}`)
  assert.deepEqual([owner.status, owner.headers.get('location')], [303, '/#owner'])
  assert.equal(owner.headers.get('set-cookie'), `tickmesh=${SESSION}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax`)
  const cookie = { Cookie: `other=1; tickmesh=${SESSION}` }
  assert.equal((await it.ask('/api/maybe', { headers: cookie })).status, 200)
  await refusedWith(await it.ask('/api/mine', { method: 'POST', headers: cookie }), 403, 'ORIGIN_REFUSED')
  const from = (origin: string) => it.ask('/api/mine', { method: 'POST', headers: { ...cookie, Origin: origin } })
  await refusedWith(await from('https://evil.example'), 403, 'ORIGIN_REFUSED')
  assert.equal((await from(it.gateway.url)).status, 200)
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
    assert(!/(?:src|href)="(?:https?:)?\/\//.test(html) && !/<script>/.test(html) && !/ on\w+=/.test(html), path)
    const policy = response.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'self';script-src 'self' 'wasm-unsafe-eval';/)
    assert(!/script-src[^;]*unsafe-inline/.test(policy))
  }
  const start = await it.ask('/docs/page.js')
  assert.match(await start.text(), /search/)
  const tag = start.headers.get('etag') ?? ''
  assert.equal((await it.ask('/docs/page.js', { headers: { 'If-None-Match': tag } })).status, 304)
  for (const path of ['/docs/index.html', '/docs/..%2fpackage.json', '/docs/package.json', '/%2e%2e/package.json']) {
    assert.equal((await it.ask(path)).status, 404, path)
  }
})

test('a port that is taken is named', async () => {
  await using it = await house(endpoints)
  await assert.rejects(
    house(endpoints, { 'http.port': it.gateway.port }),
    new RegExp(`127\\.0\\.0\\.1:${it.gateway.port}: the port is taken`),
  )
})

test.run()
