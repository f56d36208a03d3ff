/*
 * Goal: a notification arrives at least once, under one id, signed by the key that the node shows; a failing receiver
 * is tried eight times in a day and no more; secrets go to the receiver and nowhere else; no owner's backlog holds
 * up another's; a process that dies before the mark sends again. Method: real receivers on loopback and real stores;
 * signatures checked by the receiver's own library (jose) with the key of the JWK set; a child that is killed in the
 * moment in which its call arrives.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { createRemoteJWKSet } from 'jose'
import { ATTEMPTS_MAX, DAY_TICKS, nextAttempt } from '#domain/contracts/outward/pacing.ts'
import { BODY_BYTES_MAX } from '#domain/contracts/outward/webhook.ts'
import { jwkOf, webhookSigner } from '#domain/identity/webhook-key.ts'
import { keyOf, seqOf } from '#store/layout.ts'
import { numberedKey } from '#store/rows/contract.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { type House, newAccount, openHouse } from '../../house.ts'
import { bodyOf, served } from './kit.ts'
import { FIRE, outboxRows, outwardOf, putContract, putNotice } from './outbox-kit.ts'

const test = suite('contracts: outbox')

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A receiver that keeps what came and answers with the next status, the last one from then on. */
const receiver = async (statuses: readonly number[]) => {
  const got: Got[] = []
  const server = await served(async (request, response) => {
    const text = await bodyOf(request)
    got.push({ headers: request.headers, text })
    response.writeHead(statuses[Math.min(got.length, statuses.length) - 1] ?? 200).end()
  })
  return { ...server, got, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const withContract = async (house: House, actions: readonly object[] = []) => {
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'pump', is_public: true })
  await putContract(house, 'one', 'pump', actions)
}

/** What a receiver does with its own library: the key by its id from the set of the node, then the signature. */
const signatureHolds = async (key: CryptoKey, { headers, text }: Got): Promise<boolean> => {
  const [version, signature = ''] = String(headers['webhook-signature']).split(',')
  assert.equal(version, 'v1a')
  const signed = new TextEncoder().encode(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
  return crypto.subtle.verify('Ed25519', key, Buffer.from(signature, 'base64'), signed)
}

test('a delivered notification is signed by the key of the JWK set, and its row is gone', async () => {
  await using it = await testNode()
  const set = createRemoteJWKSet(new URL(`${it.url}/api/.well-known/jwks.json`))
  const answer = await fetch(`${it.url}/api/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { readonly keys: readonly { readonly kid: string }[] }
  assert.match(String(answer.headers.get('cache-control')), /^public, max-age=\d+$/)
  assert.equal(keys.length, 1)
  const key = (await set({ alg: 'EdDSA', kid: keys[0]!.kid })) as CryptoKey
  await using to = await receiver([200])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  // The node of the test and the house have keys of their own: the house signs with the node's.
  const { openNodeKeys } = await import('#domain/identity/node-keys.ts')
  const signer = webhookSigner(openNodeKeys(it.directory))
  assert.deepEqual(keys, [jwkOf(signer.publicKey)])
  await using outward = outwardOf(house, [to.port], { signer })
  const body = { text: 'ü "quoted"', n: 1.5, list: [true, null] }
  await putNotice(house, { url: `${to.url}/hook`, body, headers: { 'X-Kind': 'alert' } })
  await outward.run()
  await outward.settled()
  const [first] = to.got
  assert.deepEqual(JSON.parse(first!.text), body)
  const { 'webhook-id': id, 'x-kind': kind, 'content-type': type, 'webhook-timestamp': time } = first!.headers
  assert.deepEqual([id, kind, type], [`${FIRE}.0`, 'alert', 'application/json'])
  assert.equal(Number(time), Number(house.clock.now() / 1_000_000_000n))
  assert.ok(await signatureHolds(key, first!))
  assert.ok(!(await signatureHolds(key, { ...first!, text: first!.text.replace('1.5', '1.6') })))
  assert.ok(!(await signatureHolds(key, { ...first!, headers: { ...first!.headers, 'webhook-id': `${FIRE}.1` } })))
  assert.deepEqual(await outboxRows(house), [])
})

test('a receiver that fails is tried again under the same id, later each time, until it takes it', async () => {
  await using to = await receiver([500, 404, 302, 204])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  await using outward = outwardOf(house, [to.port])
  await putNotice(house, { url: to.url, body: 1 })
  const waits: number[] = []
  for (;;) {
    await outward.run()
    await outward.settled()
    const [row] = await outboxRows(house)
    if (row === undefined) break
    const wait = seqOf(row[0].split('/')[0]!) - house.store.now().meshTick
    waits.push(wait)
    house.clock.advanceTicks(wait - 1)
    await outward.run()
    await outward.settled()
    assert.equal(to.got.length, waits.length, 'not before its time')
    house.clock.advanceTicks(1)
  }
  assert.deepEqual(
    to.got.map((it) => it.headers['webhook-id']),
    Array.from({ length: 4 }, () => `${FIRE}.0`),
  )
  assert.ok(waits.every((it, i) => i === 0 || it > waits[i - 1]!))
})

test('after eight attempts within a day it is given up, which the audit and the chain say', async () => {
  await using to = await receiver([503])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  await using outward = outwardOf(house, [to.port])
  const begun = house.store.now().meshTick
  await putNotice(house, { url: `${to.url}/?q=hidden`, body: 'hidden' })
  for (let rows = await outboxRows(house); rows.length > 0; rows = await outboxRows(house)) {
    const due = seqOf(rows[0]![0].split('/')[0]!)
    house.clock.advanceTicks(Math.max(0, due - house.store.now().meshTick))
    await outward.run()
    await outward.settled()
  }
  assert.equal(to.got.length, ATTEMPTS_MAX)
  assert.ok(house.store.now().meshTick - begun <= DAY_TICKS)
  const said = { fire: FIRE, index: 0, attempts: ATTEMPTS_MAX, reason: 'status' }
  const row = house.store.peek('contractFire', numberedKey('one', 1)) as unknown as Record<string, unknown>
  assert.deepEqual([row['outcome'], row['what'], row['details']], ['changed', 'notify_failed', said])
  assert.equal(house.store.peek('contract', 'one')!.rows, 2)
  const { size } = house.store.peek('machineHead', 'pump')!
  const entry = house.store.peek('machineEntry', keyOf('pump', (size - 1).toString(16).padStart(14, '0')))!.entry
  assert.equal(entry.type, 'notify_failed')
  assert.ok(!JSON.stringify([row, entry]).includes('hidden'))
})

test('a receiver that hangs is left, tried again under the same id, and given up as late', async (signal) => {
  const ids: unknown[] = []
  let late = new AbortController()
  await using to = await served((request) => {
    ids.push(request.headers['webhook-id'])
    // It never answers: its time is over as soon as it was reached.
    late.abort(new DOMException('over', 'TimeoutError'))
  })
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  const limit = (): AbortSignal => {
    late = new AbortController()
    return late.signal
  }
  await using outward = outwardOf(house, [to.port], { limit })
  await putNotice(house, { url: to.url, body: 1 })
  for (let rows = await outboxRows(house); rows.length > 0; rows = await outboxRows(house)) {
    signal.throwIfAborted()
    const due = seqOf(rows[0]![0].split('/')[0]!)
    house.clock.advanceTicks(Math.max(0, due - house.store.now().meshTick))
    await outward.run()
    await outward.settled()
  }
  assert.deepEqual(
    ids,
    Array.from({ length: ATTEMPTS_MAX }, () => `${FIRE}.0`),
  )
  const row = house.store.peek('contractFire', numberedKey('one', 1)) as unknown as Record<string, unknown>
  assert.deepEqual(row['details'], { fire: FIRE, index: 0, attempts: ATTEMPTS_MAX, reason: 'late' })
})

test('waits grow, and none ends beyond the day', () => {
  let [tick, tries] = [1_000, 0]
  for (let next: number | undefined = tick; next !== undefined; ) {
    tick = next
    tries += 1
    next = nextAttempt({ attempts: tries, first: 1_000, tick })
    assert.ok(next === undefined || next > tick)
  }
  assert.deepEqual([tries, tick <= 1_000 + DAY_TICKS], [ATTEMPTS_MAX, true])
  assert.equal(nextAttempt({ attempts: 1, first: 0, tick: DAY_TICKS }), undefined)
})

test('secrets are put where the definition has a place for them, and are in nothing that stays', async () => {
  await using to = await receiver([500, 200])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const secrets: Readonly<Record<string, string>> = {
    token: 'tok"$&\n{{secret.other}}',
    bad: 'a\r\nX-Evil: 1',
    other: 'zzz',
    key: 'k-1',
  }
  const lines: unknown[] = []
  const warn = (fields: object): void => void lines.push(fields)
  const log = { debug: warn, info: warn, warn, error: warn, audit: warn }
  const url = `${to.url}/hook`
  const literal = {
    at: 'Bearer {{secret.token}}',
    deep: [{ x: '{{secret.key}}{{secret.key}}' }],
    said: { $: 'event.data.text' },
  }
  await withContract(house, [{ kind: 'notify', url, headers: {}, body: literal }])
  await using outward = outwardOf(house, [to.port], { log, secretOf: (_, name) => secrets[name] })
  const body = { ...literal, said: 'a stranger says {{secret.key}}' }
  await putNotice(house, { url, body, headers: { Authorization: 'Bearer {{secret.key}}' } })
  await outward.run()
  await outward.settled()
  const filled = { at: `Bearer ${secrets['token']}`, deep: [{ x: 'k-1k-1' }], said: body.said }
  assert.deepEqual(JSON.parse(to.got[0]!.text), filled)
  assert.equal(to.got[0]!.headers.authorization, 'Bearer k-1')
  const [waiting] = await outboxRows(house)
  assert.deepEqual(waiting![1].body, body, 'the row keeps places, never values')
  for (const name of ['bad', 'nobody']) {
    await putNotice(house, { url, index: 7, body: null, headers: { 'X-A': `{{secret.${name}}}` } })
    await outward.run()
    await outward.settled()
  }
  assert.equal(to.got.length, 1, 'neither a secret that breaks a header nor one that is not there is sent')
  const stored: unknown[] = [lines, await outboxRows(house)]
  for (const secret of Object.values(secrets))
    assert.ok(!JSON.stringify(stored).includes(JSON.stringify(secret).slice(1, -1)))
  assert.ok(lines.length >= 3)
})

test('a body that is too large is not sent', async () => {
  await using to = await receiver([200])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  await using outward = outwardOf(house, [to.port])
  await putNotice(house, { url: to.url, index: 0, body: 'x'.repeat(BODY_BYTES_MAX - 2) })
  await putNotice(house, { url: to.url, index: 1, body: 'x'.repeat(BODY_BYTES_MAX - 1) })
  await outward.run()
  await outward.settled()
  assert.deepEqual([to.got.length, (await outboxRows(house)).map(([, row]) => row.index)], [1, [1]])
})

test("an owner's hundred hanging receivers do not hold up another's notification", async (signal) => {
  await using hanging = await served(() => undefined)
  await using to = await receiver([200])
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  await withContract(house)
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'other', is_public: true })
  await putContract(house, 'two', 'other', [])
  for (let i = 0; i < 100; i++) await putNotice(house, { url: `${hanging.url}/${i}`, index: i })
  await putNotice(house, { url: to.url, id: 'two', fire: 'ff'.repeat(33) })
  const outward = outwardOf(house, [hanging.port, to.port])
  await outward.run()
  await until(() => to.got.length > 0, signal)
  await outward[Symbol.asyncDispose]()
  assert.ok((await outboxRows(house)).length >= 100, 'what was under way stays, for the next start')
})

test('killed between the call and the mark, it sends again under the same id', async () => {
  using dir = tempDir()
  const file = join(import.meta.dirname, 'outbox-child.ts')
  const got: Got[] = []
  let child: ReturnType<typeof spawn> | undefined
  await using to = await served(async (request, response) => {
    got.push({ headers: request.headers, text: await bodyOf(request) })
    if (got.length === 1) child?.kill('SIGKILL')
    else response.end()
  })
  const run = async (step: string): Promise<unknown> => {
    child = spawn(process.execPath, ['--no-warnings', file, dir.path, String(to.port), step], { stdio: 'inherit' })
    const [code, sign] = await once(child, 'exit')
    return sign ?? code
  }
  assert.equal(await run('put'), 'SIGKILL')
  assert.equal(await run('again'), 0)
  assert.equal(got.length, 2)
  const [first, second] = got.map(({ headers, text }) => [headers['webhook-id'], text])
  assert.deepEqual(first, second)
  assert.equal(await run('empty'), 0, 'the outbox is empty')
}, 30_000)

test.run()
