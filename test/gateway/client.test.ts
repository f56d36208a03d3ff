// Goal: a caller of the typed client cannot be charged twice, hang, or take a refusal for an answer.
// Method: the client over a fetch that the test plays, then over real event streams; wrong calls must not compile.
import assert from 'node:assert/strict'
import { endpoints } from '#api/index.ts'
import { outgoing } from '#core/route.ts'
import { type Client, createClient, NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { suite } from '../kit/suite.ts'

const test = suite('gateway/client')

type Sent = { readonly url: string; readonly init: RequestInit }

/** A client whose calls are answered in turn. */
const played = (answers: readonly (Response | Error)[], more: { key?: string } = {}) => {
  const sent: Sent[] = []
  const fetch = async (url: URL | RequestInfo, init: RequestInit = {}): Promise<Response> => {
    const next = answers[sent.length]
    sent.push({ url: String(url), init })
    init.signal?.throwIfAborted()
    if (next === undefined) return assert.fail('one call too many')
    if (next instanceof Error) throw next
    return next
  }
  return { client: createClient({ url: 'http://node', fetch: fetch as typeof globalThis.fetch, ...more }), sent }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })
const problem = (code: string, status: number, retryable: boolean): Response =>
  new Response(JSON.stringify({ code, status, retryable, detail: code, type: '', title: '', instance: '' }), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '0' },
  })
const header = ({ init }: Sent, name: string): string | null => new Headers(init.headers).get(name)

test('a call is path, query or body by the one rule', () => {
  const input = { id: 'a/b', q: 'x y', many: [1, 2], none: undefined }
  assert.deepEqual(outgoing('GET /x/{id}', input), {
    method: 'GET',
    path: '/x/a%2Fb?q=x+y&many=1&many=2',
    body: undefined,
  })
  assert.deepEqual(outgoing('POST /x/{id}', input), {
    method: 'POST',
    path: '/x/a%2Fb',
    body: { q: 'x y', many: [1, 2] },
  })
})

test('a key goes as a bearer, and a POST has an Idempotency-Key that every attempt repeats', async () => {
  const { client, sent } = played([new TypeError('reset'), problem('NODE_BUSY', 503, true), json({ a: 1 })], {
    key: 'k',
  })
  assert.deepEqual(await client.send('POST', '/x', { b: 2 }).then((it) => it.body), { a: 1 })
  assert.equal(sent.length, 3)
  const keys = new Set(sent.map((it) => header(it, 'idempotency-key')))
  assert.equal(keys.size, 1)
  assert.match([...keys][0] ?? '', /^[0-9a-f-]{36}$/)
  for (const it of sent) assert.deepEqual([header(it, 'authorization'), it.init.body], ['Bearer k', '{"b":2}'])
})

test('a refusal that may not be repeated is thrown at once, with its code', async () => {
  const { client, sent } = played([problem('INSUFFICIENT_BALANCE', 402, false)])
  await assert.rejects(client.send('POST', '/x', {}), (error) => {
    assert(error instanceof NodeRefusal)
    return error.code === 'INSUFFICIENT_BALANCE' && error.status === 402 && !error.retryable
  })
  assert.equal(sent.length, 1)
})

test('attempts end', async () => {
  const { client, sent } = played([1, 2, 3].map(() => problem('NODE_BUSY', 503, true)))
  await assert.rejects(client.send('GET', '/x'), (error) => error instanceof NodeRefusal && error.code === 'NODE_BUSY')
  assert.equal(sent.length, 3)
})

test('an answer that no node gives is told apart from a refusal', async () => {
  const { client } = played([
    new Response('<html>', { status: 502 }),
    new Response('', { status: 502 }),
    new Response('', { status: 502 }),
  ])
  await assert.rejects(client.send('GET', '/x'), (error) => error instanceof NodeUnreachable)
})

test('the caller’s own signal ends a call with its own reason', async () => {
  const { client } = played([json({})])
  const reason = new Error('enough')
  await assert.rejects(client.send('GET', '/x', undefined, { signal: AbortSignal.abort(reason) }), reason)
})

const stream = (text: string): Response => new Response(text, { headers: { 'Content-Type': 'text/event-stream' } })

test('a stream goes on after its last id, until it has nothing more to say', async () => {
  const { client, sent } = played([
    stream(
      'retry: 0\n\nid: 1\nevent: a\ndata: {"n":1}\n\n: heartbeat\n\nid: 2\nevent: a\ndata: {"n":2}\n\nretry: 0\n\n',
    ),
    stream('retry: 0\n\nevent: gap\ndata: {"after":2}\n\nid: 9\nevent: a\ndata: {"n":9}\n\nretry: 0\n\n'),
    stream('retry: 0\n\nretry: 0\n\n'),
  ])
  const [first] = endpoints
  const seen: unknown[] = []
  for await (const frame of client.stream(first.id, {}, { signal: new AbortController().signal })) {
    seen.push([frame.id, frame.event])
  }
  assert.deepEqual(seen, [
    ['1', 'a'],
    ['2', 'a'],
    [undefined, 'gap'],
    ['9', 'a'],
  ])
  assert.deepEqual(
    sent.map((it) => header(it, 'last-event-id')),
    [null, '2', '9'],
  )
})

// The client's types are a test too: these lines must not compile without their markers.
export const misuse = (client: Client): void => {
  // @ts-expect-error there is no such endpoint
  void client.call('compute.nothing-of-the-kind-x'.slice(0), {})
  // @ts-expect-error the key is required
  void client.call('compute.constant', {})
  // @ts-expect-error the key is a text
  void client.call('compute.constant', { key: 1 })
}

test.run()
