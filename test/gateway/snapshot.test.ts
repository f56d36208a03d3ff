/*
 * Goal: the rows of a node leave it for the owner's own key, on this machine, one copy at a time, and a copy that
 * breaks off looks so. Method: a real node asked with every kind of credential, by every method, and by two at once;
 * the route alone with a source that stalls or fails.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Koa from 'koa'
import type { Caller } from '#domain/identity/caller.ts'
import { createSnapshots, SNAPSHOT_PATH } from '#gateway/snapshot.ts'
import { readArchive } from '#store/backup/read.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'

const test = suite('gateway: snapshot')

const ask = (url: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Response> =>
  fetch(`${url}${SNAPSHOT_PATH}`, { method, headers })

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
    const answer = await ask(url, headers)
    assert.deepEqual([answer.status, ((await answer.json()) as { code: string }).code], [status, code])
  }
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    assert.equal((await ask(url, bearer(owner), method)).status, 404, method)
  }
  assert.equal((await ask(url, { ...bearer(owner), origin: 'http://elsewhere.example' })).status, 403)

  const answer = await ask(url, bearer(owner))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-encoding'), null)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  let size = -1
  for await (const piece of readArchive(answer.body as unknown as AsyncIterable<Uint8Array>)) {
    assert.notEqual(piece.kind, 'file', 'keys never leave over HTTP')
    if (piece.kind === 'head') size = piece.head.logs[0]?.size ?? -1
  }
  assert.equal(size, node.store.log.size)
})

interface Place extends AsyncDisposable {
  readonly url: string
}

const OWNER: Caller = { kind: 'owner', bucket: '', zid: 'z', keyId: 'k', account: 'z', shared: false }

/** The route alone, on loopback, for a caller who is the owner. */
const placeWith = async (source: () => AsyncIterable<Uint8Array>, sleep = () => new Promise<void>(() => undefined)) => {
  const snapshots = createSnapshots({ source, identity: { callerOf: () => OWNER }, sleep, stallMs: 1 })
  const app = new Koa()
  app.silent = true
  app.use((ctx) => {
    try {
      const presented = { authorization: 'Bearer x', session: undefined, bucket: '' }
      snapshots(ctx, { presented, signal: new AbortController().signal })
    } catch (refusal) {
      ctx.status = 503
      ctx.body = (refusal as { code: string }).code
    }
  })
  const server: Server = createServer(app.callback()).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dispose = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url, [Symbol.asyncDispose]: dispose } satisfies Place
}

test('a second copy waits for its turn, and a reader that leaves gives the first one’s back', async (signal) => {
  const left = Promise.withResolvers<void>()
  await using place = await placeWith(async function* () {
    yield new Uint8Array(10)
    await left.promise
  })
  const first = new AbortController()
  const answer = await fetch(place.url, { method: 'POST', signal: first.signal })
  assert.equal(answer.status, 200)
  const second = await fetch(place.url, { method: 'POST' })
  assert.deepEqual([second.status, await second.text()], [503, 'NODE_BUSY'])
  first.abort()
  left.resolve()
  const third = new AbortController()
  await until(async () => (await fetch(place.url, { method: 'POST', signal: third.signal })).status === 200, signal)
  third.abort()
})

test('a source that fails, and a reader that takes nothing, end the connection: none takes it for whole', async () => {
  await using failing = await placeWith(async function* () {
    yield new Uint8Array(10)
    throw new Error('the disk broke')
  })
  const answer = await fetch(failing.url, { method: 'POST' })
  await assert.rejects(answer.arrayBuffer())

  const stalled = Promise.withResolvers<void>()
  let ended = false
  await using endless = await placeWith(
    async function* () {
      try {
        for (;;) yield new Uint8Array(65_536)
      } finally {
        ended = true
      }
    },
    () => stalled.promise,
  )
  const closed = Promise.withResolvers<void>()
  const slow = request(endless.url, { method: 'POST' }, (response) => {
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
