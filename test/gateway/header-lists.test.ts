// Goal: what stands in the header of an answer is decided on purpose, whatever is done to write it faster.
// Method: calls of every kind over a bare socket; each header, line by line as it came, beside the list in fixtures.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { suite } from '../kit/suite.ts'
import { house, KEY, LINK, SESSION } from './house.ts'
import { endpoints } from './rooms.ts'

const test = suite('gateway/header-lists')

const ORIGIN = 'https://friend.example'
const BROWSER = 'Accept-Encoding: gzip, deflate, br, zstd'
const JSON_BODY = 'Content-Type: application/json'

interface Asked {
  /** Request line without the version. */
  readonly line: string
  readonly header?: readonly string[]
  readonly body?: string
}

const kinds: Readonly<Record<string, Asked>> = {
  json: { line: 'GET /api/get?say=hi' },
  'json, to a browser': { line: 'GET /api/get?say=hi', header: [BROWSER] },
  'json, to a friend': { line: 'GET /api/get?say=hi', header: [`Origin: ${ORIGIN}`] },
  'json, of a key': { line: 'POST /api/mine', header: [JSON_BODY, `Authorization: Bearer ${KEY}`], body: '{}' },
  'json, of a session': { line: 'GET /api/maybe', header: [`Cookie: tickmesh=${SESSION}`] },
  head: { line: 'HEAD /api/get?say=hi' },
  'head of what is large': { line: 'HEAD /api/large', header: [BROWSER] },
  large: { line: 'GET /api/large' },
  'large, packed': { line: 'GET /api/large', header: [BROWSER] },
  'large, packed by name': { line: 'GET /api/large', header: ['Accept-Encoding: gzip;q=0.5, identity;q=0.1'] },
  'large, and nothing fits': { line: 'GET /api/large', header: ['Accept-Encoding: x-none'] },
  'sealed, never packed': { line: 'GET /api/sealed', header: [BROWSER] },
  bytes: { line: 'GET /api/bytes', header: [BROWSER] },
  'made, with its place': { line: 'POST /api/made', header: ['Content-Length: 0'] },
  repeated: { line: 'POST /api/once', header: [JSON_BODY, 'Idempotency-Key: k'], body: '{"say":"again"}' },
  stream: { line: 'GET /api/feed' },
  'session from a link': { line: `GET /owner?token=${LINK}` },
  'link that is none': { line: 'GET /owner?token=none', header: ['Accept: text/html'] },
  'no such path': { line: 'GET /api/none' },
  'no such method': { line: 'DELETE /api/get' },
  'no such input': { line: 'GET /api/get?no=1' },
  'no such media': { line: 'GET /api/get', header: ['Accept: image/png'] },
  'no credential': { line: 'POST /api/mine', header: ['Content-Length: 0'] },
  busy: { line: 'GET /api/busy' },
  bug: { line: 'GET /api/bug' },
  options: { line: 'OPTIONS /api/get' },
  preflight: { line: 'OPTIONS /api/echo', header: [`Origin: ${ORIGIN}`] },
  page: { line: 'GET /docs/page.js', header: [BROWSER] },
  'file of a page, whoever asks': { line: 'GET /assets/part-00000000.js', header: [`Origin: ${ORIGIN}`] },
  'options of a page': { line: 'OPTIONS /docs/page.js' },
  'method of a page': { line: 'POST /docs/page.js', header: ['Content-Length: 0'] },
  'wish for another protocol': { line: 'GET /api/get', header: ['Upgrade: other', 'Connection: upgrade'] },
  'foreign host': { line: 'GET /api/get', header: ['Host: evil.example'] },
  'older protocol': { line: 'GET /api/get HTTP/1.0' },
  'last of the minute': { line: 'GET /api/rare' },
  'one too many': { line: 'GET /api/rare' },
}

/** Status line and header of an answer; the connection is closed as soon as they are there. */
const headOf = async (
  port: number,
  { line, header = [], body = '' }: Asked,
  signal: AbortSignal,
): Promise<string[]> => {
  const host = header.some((it) => it.startsWith('Host:')) ? [] : [`Host: 127.0.0.1:${port}`]
  const length = body === '' ? [] : [`Content-Length: ${body.length}`]
  const first = line.includes(' HTTP/') ? line : `${line} HTTP/1.1`
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write(`${[first, ...host, ...header, ...length].join('\r\n')}\r\n\r\n${body}`)
  let all = ''
  while (!all.includes('\r\n\r\n')) all += (await once(socket, 'data', { signal }))[0]
  socket.destroy()
  return all.slice(0, all.indexOf('\r\n\r\n')).split('\r\n')
}

const FIXTURE = new URL('../fixtures/header-lists.json', import.meta.url)
/** The lines of each kind; `security` stands for those that every answer has in one place. */
const { security, kinds: expected } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as {
  readonly security: readonly string[]
  readonly kinds: Readonly<Record<string, readonly string[]>>
}

/** What differs from one call to the next, or with the text of a page, is not compared. */
const masked = (line: string): string =>
  line
    .replace(/^(Date|ETag|X-Request-Id|(?:X-)?RateLimit-(?:Remaining|Reset)): .+$/, '$1: *')
    .replace(/^(Retry-After): \d\d$/, '$1: *')

test('each kind of answer has its header, line by line, and nothing beside', async (signal) => {
  const rare = { ...endpoints.find(({ id }) => id === 'get'), id: 'rare', route: 'GET /api/rare' } as const
  const all = [...endpoints, { ...rare, limits: { callsPerMinute: 1 } } as (typeof endpoints)[number]]
  await using it = await house(all, { 'http.origins': [ORIGIN] })
  for (const [name, asked] of Object.entries(kinds)) {
    const lines = (await headOf(it.gateway.port, asked, signal)).map(masked)
    const listed = expected[name]?.flatMap((line) => (line === 'security' ? security : [line]))
    assert.deepEqual(lines, listed, name)
  }
  assert.deepEqual(Object.keys(expected), Object.keys(kinds))
})

test.run()
