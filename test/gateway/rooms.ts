import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { answer, type Endpoint, endpoint, type Once } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { text } from '#core/schema.ts'

/** Endpoints that answer in every way there is, and what tests say to them. */

const open = { credential: 'none' } as const
const base = { domain: 'compute', tier: 'computation', summary: '', access: open, faults: [], example: {} } as const
const anything = Type.Record(Type.String(), Type.Unknown())
const nothing = Type.Object({})
const echo = Type.Object({ say: Type.Optional(text(4096)), deep: Type.Optional(Type.Unknown()) })

export const make = (it: object): Endpoint =>
  endpoint({ ...base, result: anything, input: nothing, ...it } as never) as unknown as Endpoint

export const endpoints: readonly Endpoint[] = [
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
    access: { credential: 'bearer', reach: { to: 'anyone' } },
    handle: (_: unknown, call: { caller: object }) => ({ caller: call.caller }),
  }),
  make({
    id: 'maybe',
    route: 'GET /api/maybe',
    access: { credential: 'optional', reach: { to: 'anyone' } },
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
    id: 'unfit',
    route: 'GET /api/unfit',
    handle: () => {
      throw new Fault('INVALID_INPUT', '/n: must be odd.', { path: '/n' })
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
    id: 'once',
    route: 'POST /api/once',
    idempotent: true,
    input: echo,
    handle: (_: unknown, { once, input }: { once: Once; input: { say?: string } }) =>
      once(async (repeat) => ({ repeat, replayed: input.say === 'again' })),
  }),
  make({
    id: 'unstated',
    route: 'POST /api/unstated',
    handle: (_: unknown, { once }: { once: Once }) => once(async () => ({})),
  }),
  make({
    id: 'gossip',
    route: 'POST /api/gossip',
    access: { credential: 'handshake' },
    takes: 'bytes',
    limits: { bodyBytes: 65_535 },
    handle: (_: unknown, call: { body: Uint8Array; headers: object }) => ({
      size: call.body.length,
      headers: call.headers,
    }),
  }),
  make({
    id: 'feed',
    route: 'GET /api/feed',
    streams: true,
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
    id: 'flood',
    route: 'GET /api/flood',
    streams: true,
    handle: async function* () {
      for (;;) yield { event: 'flood', data: 'x'.repeat(65_536) }
    },
  }),
  make({
    id: 'slow',
    route: 'GET /api/slow',
    handle: (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  }),
]

export const post = (
  body: BodyInit,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): RequestInit => ({ method: 'POST', body, headers })
const problemOf = async (response: Response) => {
  assert.equal(response.headers.get('content-type'), 'application/problem+json')
  return (await response.json()) as Record<string, unknown> & { status: number; code: string }
}
export const refusedWith = async (
  response: Response,
  status: number,
  code: string,
): Promise<Record<string, unknown>> => {
  const problem = await problemOf(response)
  assert.deepEqual([response.status, problem.status, problem.code], [status, status, code])
  assert.equal(problem['type'], `urn:tickmesh:fault:${code}`)
  assert.match(String(problem['instance']), /^urn:uuid:[0-9a-f-]{36}$/)
  return problem
}

/** Sends raw text, and no more if `whole`, and gives back all that comes until the other side closes. */
export const raw = async (port: number, text: string, signal: AbortSignal, whole = false): Promise<string> => {
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
