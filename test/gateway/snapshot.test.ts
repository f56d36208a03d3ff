/*
 * Goal: the rows of a node leave it for the owner's own key, on this machine, one copy at a time, and a copy that
 * breaks off looks so. Method: a real node asked with every kind of credential, by every method, and by two at once;
 * an endpoint whose answer is a source that stalls or fails.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import Type from 'typebox'
import { answer, type Endpoint, endpoint } from '#api/endpoint.ts'
import { closed } from '#core/schema.ts'
import type { Sleep } from '#core/wait.ts'
import { sleep as realSleep } from '#core/wait.ts'
import { readArchive } from '#store/backup/read.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { house } from './house.ts'

const test = suite('gateway: snapshot')

const ask = (url: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Response> =>
  fetch(`${url}/control/snapshot`, { method, headers })

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

test('every credential but the owner’s own key is refused, and every method but POST', async () => {
  await using it = await testNode()
  const { node, url, client } = it
  const owner = readFileSync(join(it.directory, 'owner.key'), 'utf8').trim()
  const account = (await client.call('identity.sign-up', {})).api_key
  const demo = (await client.call('economy.demo-key', {})).key
  const second = (await it.as(owner).call('identity.create-key', { name: 'second' })).api_key
  const token = new URL(node.ownerLink()).searchParams.get('token') ?? ''
  const session = await fetch(`${url}/owner?token=${token}`, { redirect: 'manual' })
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? ''
  assert.match(cookie, /^tickmesh=/)
  const refusals: readonly (readonly [Record<string, string>, number, string])[] = [
    [{}, 401, 'UNAUTHENTICATED'],
    [bearer('svc_nothing'), 401, 'UNAUTHENTICATED'],
    [{ cookie, origin: url }, 401, 'UNAUTHENTICATED'],
    [bearer(demo), 403, 'SCOPE_REQUIRED'],
    [bearer(account), 403, 'SCOPE_REQUIRED'],
    [bearer(second), 403, 'SCOPE_REQUIRED'],
  ]
  for (const [headers, status, code] of refusals) {
    const refusal = await ask(url, headers)
    assert.deepEqual([refusal.status, ((await refusal.json()) as { code: string }).code], [status, code])
  }
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const refused = await ask(url, bearer(owner), method)
    assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'POST, OPTIONS'], method)
  }
  assert.equal((await ask(url, { ...bearer(owner), origin: 'http://elsewhere.example' })).status, 403)

  const copy = await ask(url, bearer(owner))
  assert.equal(copy.status, 200)
  assert.equal(copy.headers.get('content-encoding'), null)
  assert.equal(copy.headers.get('cache-control'), 'no-store')
  let size = -1
  for await (const piece of readArchive(copy.body as unknown as AsyncIterable<Uint8Array>)) {
    assert.notEqual(piece.kind, 'file', 'keys never leave over HTTP')
    if (piece.kind === 'head') size = piece.head.logs[0]?.size ?? -1
  }
  assert.equal(size, node.store.log.size)
})

/** How long a reader may take nothing, as config/default.json has it. */
const STALL_MS = 60_000

/** A house with one archive, of which one copy is given at a time. */
const houseWith = (source: () => AsyncIterable<Uint8Array>, sleep: Sleep = () => new Promise<void>(() => undefined)) =>
  house(
    [
      endpoint({
        id: 'explorer.archive',
        route: 'POST /archive',
        domain: 'explorer-platform',
        tier: 'computation',
        summary: 'An archive.',
        access: { credential: 'none' },
        limits: { atOnce: 1 },
        input: closed({}),
        result: Type.String(),
        faults: [],
        example: {},
        produces: ['application/octet-stream'],
        handle: () => answer<never>({ body: source(), type: 'application/octet-stream' }),
      }) as unknown as Endpoint,
    ],
    {},
    sleep,
  )

test('a second copy waits for its turn, and a reader that leaves gives the first one’s back', async (signal) => {
  const left = Promise.withResolvers<void>()
  await using place = await houseWith(async function* () {
    yield new Uint8Array(10)
    await left.promise
  })
  const first = new AbortController()
  const begun = await place.ask('/archive', { method: 'POST', signal: first.signal })
  assert.equal(begun.status, 200)
  const second = await place.ask('/archive', { method: 'POST' })
  assert.deepEqual([second.status, ((await second.json()) as { code: string }).code], [503, 'NODE_BUSY'])
  first.abort()
  left.resolve()
  const third = new AbortController()
  await until(
    async () => (await place.ask('/archive', { method: 'POST', signal: third.signal })).status === 200,
    signal,
  )
  third.abort()
})

test('a source that fails, and a reader that takes nothing, end the connection: none takes it for whole', async () => {
  await using failing = await houseWith(async function* () {
    yield new Uint8Array(10)
    throw new Error('the disk broke')
  })
  const broken = await failing.ask('/archive', { method: 'POST' })
  await assert.rejects(broken.arrayBuffer())

  const stalled = Promise.withResolvers<void>()
  let ended = false
  await using endless = await houseWith(
    async function* () {
      try {
        for (;;) yield new Uint8Array(65_536)
      } finally {
        ended = true
      }
    },
    (ms, signal) => (ms === STALL_MS ? stalled.promise : realSleep(ms, signal)),
  )
  const closed = Promise.withResolvers<void>()
  const slow = request(new URL('/archive', endless.gateway.url), { method: 'POST' }, (response) => {
    response.pause()
    response.once('close', () => closed.resolve())
    response.once('error', () => undefined)
    stalled.resolve()
    setImmediate(() => response.resume())
  })
  slow.once('error', () => closed.resolve())
  slow.end()
  await closed.promise
  assert.equal(ended, true)
})

test.run()
