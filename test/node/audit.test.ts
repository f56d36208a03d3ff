/**
 * Goal: the log of a node says who was let in and who gained or lost a right, each call by the id that its answer has,
 * and no secret of any kind, however it was presented. Method: a real node whose lines go through the real log at debug
 * level, and a walk through everything that makes, takes or refuses a secret; then the text is searched.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { createLog } from '#node/log.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/audit')
const SECRET = 'a mesh secret of the test, of more than 32 bytes'
const WRONG = `svc_ak_${'Z9'.repeat(22).slice(0, 43)}`

const recorded = async (level = 'debug', settings: object = {}) => {
  let text = ''
  const log = createLog(level, { write: (line) => (text += line) })
  const node = await testNode({ log, settings: { 'mesh.secret': SECRET, ...settings } })
  const lines = (): readonly Record<string, unknown>[] =>
    text
      .split('\n')
      .filter((it) => it !== '')
      .map((it) => JSON.parse(it))
  const events = (): readonly unknown[] => lines().flatMap(({ log: of, event }) => (of === 'audit' ? [event] : []))
  return { node, text: () => text, lines, events, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() }
}

const sessionOf = async (link: string): Promise<string> => {
  const answer = await fetch(link, { redirect: 'manual' })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return cookie
}

/** Makes a secret of every kind, uses it, and gives it back. @returns all of them. */
const walk = async (node: TestNode): Promise<readonly string[]> => {
  const { client } = node
  const owner = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  const mine = await client.call('identity.sign-up', {})
  const other = await client.call('identity.sign-up', {})
  const me = node.as(mine.api_key)
  const second = await me.call('identity.create-key', { name: 'laptop' })
  await me.call('identity.revoke-key', { id: second.id })
  const { seed } = await me.call('identity.export-key', {})
  const demo = await client.call('economy.mint-demo-key', {})
  await node.as(owner).call('economy.grant', { zid: mine.zid, credits: 7 })
  const slug = 'pump'
  await me.call('machines.create', { slug, is_public: false })
  await me.call('identity.machine-add-admin', { slug, zid: other.zid, role: 'viewer' })
  await me.call('identity.machine-change-admin', { slug, zid: other.zid, role: 'operator' })
  await me.call('identity.machine-remove-admin', { slug, zid: other.zid })
  const machine = await me.call('identity.machine-make-key', { slug, name: 'line', scope: 'write' })
  await node.as(machine.api_key).call('machines.event', { slug, type: 'reading', payload: 1 })
  await me.call('identity.machine-revoke-key', { slug, id: machine.id })
  const { share_token: share } = await me.call('machines.share', { slug })
  await node.as(other.api_key).call('machines.unlock', { slug, token: share })
  await me.call('machines.unshare', { slug })
  const link = node.node.ownerLink()
  const cookie = await sessionOf(link)
  const inSession = { Cookie: cookie, Origin: node.url }
  await fetch(new URL('/api/auth/keys', node.url), { headers: inSession })
  await fetch(new URL('/api/auth/session', node.url), { method: 'DELETE', headers: inSession })
  const shared = node.node.services.identity.sharedDemoKey().key
  const token = new URL(link).searchParams.get('token') ?? ''
  const keys = [owner, mine.api_key, other.api_key, second.api_key, demo.key, machine.api_key, shared]
  const all = [...keys, seed, share, token, cookie.slice(cookie.indexOf('=') + 1)]
  assert(all.every((it) => it.length >= 20))
  return all
}

/** Presents a secret in all the wrong ways. */
const misuse = async ({ url }: TestNode, secret: string): Promise<void> => {
  const at = (path: string, init: RequestInit = {}): Promise<Response> => fetch(new URL(path, url), init)
  const json = { 'Content-Type': 'application/json' }
  await at('/api/credits/status', { headers: { Authorization: `Bearer ${secret}x` } })
  await at('/api/credits/status', { headers: { Authorization: `Basic ${btoa(`u:${secret}`)}` } })
  await at('/api/credits/status', { headers: { Cookie: `tickmesh=${secret}` } })
  await at(`/api/credits/status?key=${secret}`)
  await at(`/${secret}`)
  await at(`/api/chain/${secret}/explore`)
  await at(`/owner?token=${secret}`, { headers: { Accept: 'text/html' } })
  await at('/api/svc/compute', { method: 'POST', headers: json, body: JSON.stringify({ [secret]: secret }) })
  await at('/api/svc/compute', { method: 'POST', headers: json, body: `{"key":"${secret}` })
  await at('/api/mesh/gossip', {
    method: 'POST',
    headers: { 'X-Node-Handshake': secret },
    body: `{"event":"${secret}"}`,
  })
  await at('/api/svc/heat', { method: 'POST', headers: { ...json, 'Idempotency-Key': secret }, body: '{"nx":"x"}' })
}

test('no secret of any kind is in any line, at the level that tells most', async () => {
  await using it = await recorded()
  const secrets = [...(await walk(it.node)), SECRET, WRONG]
  for (const secret of secrets) await misuse(it.node, secret)
  const text = it.text()
  assert(it.lines().filter(({ event }) => event === 'call').length > 100)
  for (const secret of secrets) {
    assert(!text.includes(secret), `${secret.slice(0, 12)}… is in the log`)
    assert(!text.includes(btoa(`u:${secret}`)), 'an encoded one is in the log')
    // A key is stored by its hash alone, which a line may begin and not tell.
    assert(!text.includes(createHash('sha256').update(secret).digest('hex')))
  }
}, 60_000)

test('every gain and loss of a right is audited in its order, with ids and without secrets', async () => {
  await using it = await recorded('error')
  await walk(it.node)
  const events = it.events()
  const expected = [
    'account_created account_created key_created key_revoked account_key_exported demo_key_created credits_granted',
    'machine_created role_given role_changed role_taken machine_key_created machine_key_revoked',
    'share_opened share_used share_closed',
    'owner_link_used session_closed',
  ]
  assert.deepEqual(events, expected.join(' ').split(' '))
  const given = it.lines().find(({ event }) => event === 'role_given')
  const { caller, of } = given as { caller: Record<string, string>; of: Record<string, string> }
  assert.deepEqual([caller['by'], of['slug'], of['role']], ['account', 'pump', 'viewer'])
  assert.match(caller['credential'] ?? '', /^[0-9a-f]{16}$/)
  assert.match(String(given?.['request']), /^[0-9a-f-]{36}$/)
})

test('whatever hands out a secret is audited, and the audit names only what is there', () => {
  const all = endpoints as unknown as readonly Endpoint[]
  const secrets = new Set(['api_key', 'seed', 'share_token'])
  const namesOf = (schema: TSchema): string[] => Object.keys((schema as { properties?: object }).properties ?? {})
  const giving = all.filter(({ result }) => namesOf(result as TSchema).some((name) => secrets.has(name)))
  assert(giving.length >= 5)
  for (const { id, audit } of giving) assert(audit !== undefined, `${id} hands out a secret`)
  assert(all.filter(({ audit }) => audit !== undefined).length >= 19)
  for (const { id, input, result, audit: row } of all) {
    for (const name of row?.input ?? []) assert(namesOf(input as TSchema).includes(name), `${id} input ${name}`)
    for (const name of row?.result ?? []) assert(namesOf(result as TSchema).includes(name), `${id} result ${name}`)
    for (const name of [...(row?.input ?? []), ...(row?.result ?? [])]) assert(!secrets.has(name))
  }
})

test('a copy of the whole data is audited, and so is the refusal of one', async () => {
  await using it = await recorded('error')
  const { url, directory } = it.node
  const owner = readFileSync(join(directory, 'owner.key'), 'utf8').trim()
  const copy = async (key: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${key}` }
    const answer = await fetch(new URL('/control/snapshot', url), { method: 'POST', headers })
    await answer.arrayBuffer()
    return answer.status
  }
  assert.deepEqual([await copy(owner), await copy(WRONG)], [200, 401])
  assert.deepEqual(it.events(), ['snapshot_taken', 'refused'])
})

test('an owner link that is made is audited, without its token', async () => {
  await using it = await recorded('error')
  const { url, directory } = it.node
  const owner = readFileSync(join(directory, 'owner.key'), 'utf8').trim()
  const ask = (key: string): Promise<Response> =>
    fetch(new URL('/control/owner-link', url), { method: 'POST', headers: { Authorization: `Bearer ${key}` } })
  const made = await ask(owner)
  assert.deepEqual([made.status, made.headers.get('cache-control'), (await ask(WRONG)).status], [200, 'no-store', 401])
  const { path } = (await made.json()) as { path: string }
  const open = async (): Promise<number> => (await fetch(new URL(path, url), { redirect: 'manual' })).status
  assert.deepEqual([await open(), await open()], [303, 401], 'it works once')
  assert.deepEqual(it.events(), ['owner_link_made', 'refused', 'owner_link_used', 'refused'])
  const token = path.slice(path.indexOf('=') + 1)
  assert.ok(token.length > 20 && !it.text().includes(token))
})

test('guesses are counted, not told one by one', async () => {
  await using it = await recorded('info', { 'limits.anonymousCallsPerMinute': 10_000 })
  const guesses = 200
  for (let i = 0; i < guesses; i++) {
    const headers = { Authorization: `Bearer ${WRONG.slice(0, -3)}${100 + i}` }
    assert.equal((await fetch(new URL('/api/credits/status', it.node.url), { headers })).status, 401)
  }
  assert.deepEqual(it.events(), ['refused', 'refused', 'refused'])
  assert.partialDeepStrictEqual(
    it.lines().find(({ event }) => event === 'refused'),
    { code: 'UNAUTHENTICATED', bucket: '127.0.0.1', endpoint: 'economy.credits' },
  )
  const metrics = await (await fetch(new URL('/metrics', it.node.url))).text()
  assert.match(metrics, /^tickmesh_credentials_refused_total\{code="UNAUTHENTICATED"\} 200$/m)
})

test('a call has one id, in its answer, its problem and its line, which has the template and no path', async () => {
  await using it = await recorded()
  const answer = await fetch(new URL('/api/chain/nobody-knows/explore?after=0', it.node.url))
  const id = answer.headers.get('x-request-id')
  const problem = (await answer.json()) as { instance: string }
  assert.equal(problem.instance, `urn:uuid:${id}`)
  const line = it.lines().find(({ request, event }) => request === id && event === 'call')
  assert.partialDeepStrictEqual(line, {
    level: 'debug',
    method: 'GET',
    status: 404,
    route: '/api/chain/{slug}/explore',
  })
  assert.equal(typeof line?.['ms'], 'number')
  assert(!it.text().includes('nobody-knows'))
  // The name that a client gives its request is the client's: it is neither believed nor repeated.
  const named = await fetch(new URL('/healthz', it.node.url), { headers: { 'X-Request-Id': 'forged' } })
  assert.match(named.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
})

test.run()
