/*
 * Goal: a call goes to the addresses that were judged and to no others, follows nothing, and ends, whatever the other
 * side does; what it tells of a failure holds nothing of what was sent. Method: real servers on loopback (allowed by the
 * setting, at their port alone) that redirect, hang, drip, flood and break off; a real server of names that answers
 * private addresses, and others the second time; TLS with a certificate of the test; a process with proxies in its
 * environment.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createTls } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createOutwardCall, headerFault, type OutwardCall } from '#domain/contracts/outward/call.ts'
import { OutwardProblem } from '#domain/contracts/outward/problem.ts'
import { DOCUMENT_BYTES_MAX, readValue } from '#domain/contracts/outward/read-url.ts'
import { targetRules } from '#domain/contracts/outward/targets.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { bodyOf, listening, nameServer, served } from './kit.ts'

const test = suite('contracts: calls outward')

const get = (url: string, more: Partial<OutwardCall> = {}): OutwardCall => ({
  ...{ method: 'GET', url, headers: {}, answerBytesMax: 1_000, whole: true },
  ...more,
})

const problemOf = async (work: Promise<unknown>): Promise<OutwardProblem> => {
  try {
    await work
  } catch (cause) {
    if (cause instanceof OutwardProblem) return cause
    throw cause
  }
  throw new Error('nothing was refused')
}

const callerTo = (ports: readonly number[], more: object = {}) =>
  createOutwardCall({ rules: targetRules(ports.map((port) => `127.0.0.1:${port}`)), ...more })

test('a redirect is an answer that leads nowhere, to a private address or elsewhere', async (signal) => {
  let reached = 0
  await using inner = await served((_, response) => {
    reached += 1
    response.end('inner')
  })
  for (const status of [300, 301, 302, 303, 307, 308]) {
    await using outer = await served((_, response) => response.writeHead(status, { location: inner.url }).end())
    const call = callerTo([outer.port])
    const { reason, status: told } = await problemOf(call(get(outer.url), signal))
    assert.deepEqual([reason, told], ['redirected', status])
  }
  assert.equal(reached, 0)
})

test('slow, endless and broken answers end; what is larger than allowed is cut', async (signal) => {
  const sockets = new Set<Socket>()
  await using server = await served((request, response) => {
    sockets.add(request.socket)
    const { url = '' } = request
    if (url === '/flood') {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more)
      }
      more()
    } else if (url === '/length') response.writeHead(200, { 'content-length': 2_000 }).end('x'.repeat(2_000))
    else if (url === '/headers') response.writeHead(200, { x: 'y'.repeat(20_000) }).end()
    else if (url === '/break') response.write('x', () => request.socket.destroy())
    else if (url === '/garbage') request.socket.end('SMTP ready\r\n')
    else if (url === '/upgrade')
      request.socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
    else response.end('fits')
  })
  const call = callerTo([server.port])
  const reasonOf = async (path: string, more = {}) =>
    (await problemOf(call(get(`${server.url}${path}`, more), signal))).reason
  assert.equal(await reasonOf('/flood'), 'too-large')
  assert.equal(await reasonOf('/length'), 'too-large')
  for (const path of ['/headers', '/break', '/garbage', '/upgrade'])
    assert.equal(await reasonOf(path), 'unreachable', path)
  const cut = await call(get(`${server.url}/flood`, { whole: false }), signal)
  assert.ok(cut.status === 200 && cut.body.length <= 1_000)
  assert.equal(Buffer.from((await call(get(`${server.url}/`), signal)).body).toString(), 'fits')
  // No connection is kept for another call.
  for (const socket of sockets) if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
})

test('a server that never answers, or drips for ever, is left after ten seconds; a stop ends it at once', async (signal) => {
  const came = Promise.withResolvers<void>()
  await using server = await served((request, response) => {
    came.resolve()
    if (request.url === '/drip') {
      const timer = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(timer))
    }
  })
  const call = callerTo([server.port])
  const [silent, drip, left] = await Promise.all([
    problemOf(call(get(`${server.url}/silent`), signal)),
    problemOf(call(get(`${server.url}/drip`, { answerBytesMax: 1e6 }), signal)),
    call(get(`${server.url}/drip`, { whole: false, answerBytesMax: 1e6 }), signal),
  ])
  assert.deepEqual([silent.reason, drip.reason, left.status], ['late', 'late', 200])
  const stop = new AbortController()
  const stopped = problemOf(call(get(`${server.url}/silent`), stop.signal))
  await came.promise
  stop.abort()
  assert.equal((await stopped).reason, 'stopped')
}, 20_000)

test('a name that leads home is refused, one that changes is asked for once', async (signal) => {
  let hits = 0
  await using server = await served((_, response) => {
    hits += 1
    response.end('home')
  })
  await using names = await nameServer((name, times) => {
    if (name === 'silent.example.com') return undefined
    if (name === 'mixed.example.com') return ['93.184.216.34', '127.0.0.1']
    if (name === 'rebound.example.com') return times === 1 ? ['203.0.113.7'] : ['127.0.0.1']
    if (name === 'turned.example.com') return times === 1 ? ['10.7.7.7'] : ['127.0.0.1']
    if (name === 'nothing.example.com') return []
    return ['127.0.0.1']
  })
  const { port } = server
  // Addresses of the block may be connected to at this port, and 10.7.7.7 is nobody's: the connection fails.
  const call = callerTo([port], { nameServers: names.servers })
  for (const name of ['home', 'mixed', 'rebound']) {
    const problem = await problemOf(call(get(`https://${name}.example.com/`), signal))
    assert.equal(problem.reason, 'refused', name)
    assert.ok(!/127|203/.test(problem.message), 'it does not say what is inside')
  }
  assert.equal((await problemOf(call(get('https://nothing.example.com/'), signal))).reason, 'unreachable')
  // The name leads to loopback at a port that the setting allows: connected to, so TLS fails against plain HTTP.
  const once = await problemOf(call(get(`https://home.example.com:${port}/`), signal))
  assert.equal(once.reason, 'unreachable')
  assert.equal(names.timesAsked('home.example.com'), 2, 'one question for each call')
  const turned = createOutwardCall({ rules: targetRules(['10.7.7.7']), nameServers: names.servers })
  const stop = AbortSignal.any([signal, AbortSignal.timeout(300)])
  await problemOf(turned(get(`https://turned.example.com:${port}/`), stop))
  assert.equal(names.timesAsked('turned.example.com'), 1)
  assert.equal(hits, 0)
  const cut = await problemOf(call(get('https://silent.example.com/'), AbortSignal.timeout(100)))
  assert.equal(cut.reason, 'stopped')
})

const OPENSSL = spawnSync('openssl', ['version']).status === 0
const withTls = OPENSSL ? test : (title: string) => test.skip(title, 'there is no openssl')

withTls('certificate and host go by the name, though the connection goes to an address', async (signal) => {
  using dir = tempDir()
  const [keyFile, certFile] = [join(dir.path, 'key.pem'), join(dir.path, 'cert.pem')]
  const about = ['-subj', '/CN=receiver.example.com', '-addext', 'subjectAltName=DNS:receiver.example.com']
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '30',
    ...about,
  ]
  assert.equal(spawnSync('openssl', [...made, '-keyout', keyFile, '-out', certFile]).status, 0)
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')]
  const told: unknown[] = []
  const tls = createTls({ key, cert }, (request, response) => {
    told.push([(request.socket as unknown as { servername: string }).servername, request.headers.host])
    response.end('ok')
  })
  await using server = await listening(tls)
  await using names = await nameServer(() => ['127.0.0.1'])
  const { port } = server
  const options = { nameServers: names.servers }
  const call = callerTo([port], { ...options, trusted: [cert] })
  assert.equal((await call(get(`https://receiver.example.com:${port}/`), signal)).status, 200)
  assert.deepEqual(told, [['receiver.example.com', `receiver.example.com:${port}`]])
  for (const [caller, name] of [
    [call, 'other.example.com'],
    [callerTo([port], options), 'receiver.example.com'],
  ] as const) {
    const problem = await problemOf(caller(get(`https://${name}:${port}/`), signal))
    assert.equal(problem.reason, 'unreachable', 'a certificate that nobody vouches for, or of another name')
  }
  assert.equal(told.length, 1)
})

test("proxies of the environment are not taken, and the caller's own words are not in what is refused", async () => {
  let proxied = 0
  await using proxy = await served((_, response) => {
    proxied += 1
    response.end('proxy')
  })
  await using server = await served((_, response) => response.end('server'))
  const file = join(import.meta.dirname, 'call-child.ts')
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy.url,
    http_proxy: proxy.url,
    HTTPS_PROXY: proxy.url,
  }
  const child = spawn(process.execPath, ['--no-warnings', file, String(server.port)], { env })
  const said = await bodyOf(child.stdout as never)
  assert.deepEqual([said, proxied], ['server', 0])
})

test('headers that are no headers, or not the caller’s to set', async (signal) => {
  for (const headers of [
    ...[{ Host: 'x' }, { 'webhook-signature': 'x' }, { 'Content-Length': '1' }, { 'transfer-encoding': 'chunked' }],
    ...[
      { a: 'b\r\nc: d' },
      { a: 'b\nc' },
      { a: 'ü' },
      { a: '\0' },
      { 'a b': 'c' },
      { 'a:': 'c' },
      { '': 'c' },
      { 'a\r\n': 'x' },
    ],
    ...[{ Connection: 'close' }, { Cookie: 'x' }, { 'Proxy-Authorization': 'x' }, { Expect: '100-continue' }],
  ]) {
    const why = headerFault(headers as Record<string, string>)
    assert.ok(why !== undefined && !why.includes('b\r'), JSON.stringify(headers))
  }
  assert.equal(headerFault({ Authorization: 'Bearer x', 'X-Y': '', 'content-type': 'text/plain' }), undefined)
  const call = callerTo([9])
  const problem = await problemOf(call(get('http://127.0.0.1:9/', { headers: { a: 'key\r\nX: secret' } }), signal))
  assert.ok(problem.reason === 'secret' && !problem.message.includes('key'))
})

test('a value is read at its place of a document, and anything else says why not', async (signal) => {
  const document = { a: [1, { 'b/c': 2.5, '~': 'tilde' }], n: null, t: true, '': 'empty', deep: {}, __proto__x: 1 }
  const bodies: Readonly<Record<string, string | Buffer>> = {
    '/ok': JSON.stringify(document),
    '/text': 'no json',
    '/latin': Buffer.from([0x22, 0xe9, 0x22]),
    '/inf': '{"x":1e999}',
    '/nested': '['.repeat(100_000),
    '/big': `{"x":"${'y'.repeat(DOCUMENT_BYTES_MAX)}"}`,
    '/scalar': '7',
  }
  const seen: unknown[] = []
  await using server = await served((request, response) => {
    const { url = '', headers } = request
    seen.push(headers.authorization)
    if (url === '/status') response.writeHead(503).end('{}')
    else if (url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}')
    else response.end(bodies[url])
  })
  const call = callerTo([server.port])
  const read = (path: string, pointer: string, secret?: string) =>
    readValue(call, { url: `${server.url}${path}`, pointer, secret }, signal)
  for (const [pointer, value] of [
    ...[
      ['/a/0', 1],
      ['/a/1/b~1c', 2.5],
      ['/a/1/~0', 'tilde'],
      ['/n', null],
      ['/t', true],
      ['/', 'empty'],
    ],
  ] as const) {
    assert.equal(await read('/ok', pointer as string), value)
  }
  assert.equal(await read('/scalar', ''), 7)
  await read('/ok', '/t', 'token')
  assert.deepEqual([seen[0], seen.at(-1)], [undefined, 'Bearer token'])
  for (const [path, pointer, reason] of [
    ...[
      '',
      '/a',
      '/deep',
      '/x',
      '/a/2',
      '/a/-',
      '/a/01',
      '/a/length',
      '/n/x',
      '/t/x',
      '/__proto__',
      '/constructor',
      '/deep/toString',
    ].map((it) => ['/ok', it, 'absent'] as const),
    ...([
      ['/text', '/x', 'unreadable'],
      ['/latin', '', 'unreadable'],
      ['/nested', '/x', 'unreadable'],
    ] as const),
    ...([
      ['/inf', '/x', 'absent'],
      ['/big', '/x', 'too-large'],
      ['/status', '/x', 'status'],
      ['/gzip', '/x', 'unreadable'],
    ] as const),
  ]) {
    assert.equal((await problemOf(read(path, pointer))).reason, reason, `${path} ${pointer}`)
  }
})

test.run()
