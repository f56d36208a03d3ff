/*
 * Goal: who is who: accounts belong to keys, credentials are known by their hash, secrets stay in 0600 files, and
 * sign-ups are rationed. Method: a real directory with its key files, a clock moved by hand, and core's verification
 * of what the node signs.
 */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fromHex, toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { publicKeyOf, publicKeyOfSeed, signValue, verifyValue, zidOf } from '#core/keys.ts'
import { encodeVkey, parseVkey } from '#core/note.ts'
import { workOf } from '#core/proof-of-work.ts'
import { meshTickStart } from '#core/tick.ts'
import { randomBytes } from '#crypto'
import { KeyFileRefused, keyFiles, openNodeKeys } from '#domain/identity/node-keys.ts'
import { DEMO_KEYS_PER_DAY } from '#domain/identity/service.ts'
import { LINK_SECONDS, SESSION_SECONDS } from '#domain/identity/sessions.ts'
import { SIGN_UP_CREDITS, SIGN_UP_TICKS, SIGN_UPS_FREE } from '#domain/identity/sign-up.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, type House, newAccount, openHouse, ownerCaller, refusal } from '../house.ts'

const test = suite('identity')
const SECOND_NS = 1_000_000_000n
const bucket = '192.0.2.1'

const signedOrder = (house: House, seed: Uint8Array, meshTick = house.store.now().meshTick) => {
  const publicKey = toHex(publicKeyOfSeed(seed))
  const signed = { node: house.keys.nodeId, public_key: publicKey, mesh_tick: meshTick }
  return { publicKey, signature: signValue(seed, purposes.signUp, signed), meshTick, bucket }
}

test('key files are made once, private, and refused when others can read them or they hold no key', async () => {
  using dir = tempDir()
  const first = openNodeKeys(dir.path)
  assert.equal(openNodeKeys(dir.path).nodeId, first.nodeId)
  assert.deepEqual(publicKeyOf(first.nodeId), first.publicKey)
  assert.notDeepEqual(first.secret('demo'), first.secret('pulse'))
  const path = join(dir.path, keyFiles.identity)
  for (const name of [keyFiles.identity, keyFiles.vault, keyFiles.secret]) {
    assert.equal(statSync(join(dir.path, name)).mode & 0o777, 0o600, name)
  }
  chmodSync(path, 0o640)
  assert.throws(() => openNodeKeys(dir.path), KeyFileRefused)
  chmodSync(path, 0o600)
  writeFileSync(path, 'no key')
  assert.throws(() => openNodeKeys(dir.path), KeyFileRefused)
})

test('a key that data need is never made anew beside them; the node secret may be', async () => {
  using dir = tempDir()
  const node = await (async () => {
    await using house = await openHouse(dir.path)
    return house.keys.nodeId
  })()
  for (const name of [keyFiles.identity, keyFiles.vault]) {
    const path = join(dir.path, name)
    renameSync(path, `${path}.kept`)
    assert.throws(() => openNodeKeys(dir.path), new RegExp(`${name} is missing`))
    assert.equal(existsSync(path), false)
    renameSync(`${path}.kept`, path)
  }
  unlinkSync(join(dir.path, keyFiles.secret))
  assert.equal(openNodeKeys(dir.path).nodeId, node)
  assert.deepEqual(
    readdirSync(dir.path).filter((name) => name.includes('.key.')),
    [],
    'nothing is left aside',
  )
})

test('the node describes itself by keys that its names contain, and its signature verifies', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { identity, store } = house
  const it = identity.describe()
  assert.equal(toHex(publicKeyOf(it.node)), it.public_key)
  assert.equal(it.zid, zidOf(fromHex(it.public_key)))
  const log = parseVkey(it.vkeys.log)
  assert.deepEqual([log.name, toHex(log.publicKey)], [store.log.origin, it.public_key])
  assert.equal(encodeVkey(log), it.vkeys.log)
  assert.equal(it.genesis_ns, String(meshTickStart(it.genesisTick)))
  const value = { subject: 'x' }
  const signature = signValue(house.keys.seed, purposes.verdict, value)
  assert.ok(verifyValue(fromHex(it.public_key), purposes.verdict, value, signature))
})

test('the first start makes the owner, with a key file that opens the owner account', async () => {
  using dir = tempDir()
  const path = join(dir.path, keyFiles.owner)
  const house = await openHouse(dir.path)
  const key = readFileSync(path, 'utf8').trim()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const caller = callerOf(house, key)
  assert.deepEqual([caller.kind, caller.kind !== 'anonymous' && caller.zid], ['owner', house.identity.ownerZid])
  assert.equal((await house.identity.account(caller)).owner, true)
  assert.equal(house.store.balance('free', house.identity.ownerZid), SIGN_UP_CREDITS)
  await house[Symbol.asyncDispose]()

  const again = await openHouse(dir.path, house.clock)
  assert.equal(readFileSync(path, 'utf8').trim(), key)
  assert.equal(again.store.supply('free'), SIGN_UP_CREDITS)
  await again[Symbol.asyncDispose]()

  writeFileSync(path, 'svc_ak_foreign', { mode: 0o600 })
  await using third = await openHouse(dir.path, house.clock)
  assert.equal((await refusal(() => callerOf(third, key))).code, 'UNAUTHENTICATED')
  assert.equal(callerOf(third, readFileSync(path, 'utf8').trim()).kind, 'owner')
  assert.equal(third.store.supply('free'), SIGN_UP_CREDITS)
})

test('a sign-up without a key is kept by the node, sealed at rest and exportable by its owner alone', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { zid, custody, public_key, credits, caller } = await newAccount(house)
  assert.deepEqual([custody, credits, zidOf(fromHex(public_key))], ['node', SIGN_UP_CREDITS, zid])
  const { seed } = await house.identity.exportKey(caller)
  assert.equal(toHex(publicKeyOfSeed(fromHex(seed))), public_key)
  const row = (await house.store.get('account', zid))!
  assert.ok(!JSON.stringify(row).includes(seed))
  const demo = callerOf(house, (await house.identity.mintDemoKey(bucket)).key)
  assert.equal((await refusal(() => house.identity.exportKey(demo))).code, 'SCOPE_REQUIRED')
  assert.equal((await refusal(() => house.identity.exportKey(ownerCaller(house)))).code, 'NOT_FOUND')
})

test('a ZID belongs to the key that proved it; proving it again gives a key and no credits', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const seed = randomBytes(32)
  const order = signedOrder(house, seed)
  const first = await house.identity.signUp(order)
  assert.deepEqual([first.custody, first.credits, first.zid], ['self', SIGN_UP_CREDITS, zidOf(publicKeyOfSeed(seed))])
  assert.equal((await refusal(() => house.identity.signUp(order))).code, 'INVALID_INPUT')
  house.clock.advanceTicks(1)
  const second = await house.identity.signUp(signedOrder(house, seed))
  assert.deepEqual([second.zid, second.credits], [first.zid, 0])
  assert.equal(house.store.balance('free', first.zid), SIGN_UP_CREDITS)
  const [one, two] = [callerOf(house, first.api_key), callerOf(house, second.api_key)]
  assert.notEqual(one.kind !== 'anonymous' && one.keyId, two.kind !== 'anonymous' && two.keyId)
  assert.equal((await refusal(() => house.identity.exportKey(one))).code, 'NOT_FOUND')
})

test('a proof that is old, for another node, by another key or of a weak key is refused', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const seed = randomBytes(32)
  const now = house.store.now().meshTick
  const good = signedOrder(house, seed)
  const weak = `01${'0'.repeat(62)}`
  const cases = [
    [signedOrder(house, seed, now - SIGN_UP_TICKS - 1), 'INVALID_INPUT'],
    [signedOrder(house, seed, now + SIGN_UP_TICKS + 1), 'INVALID_INPUT'],
    [{ ...good, meshTick: now + 1 }, 'BAD_SIGNATURE'],
    [{ ...good, publicKey: toHex(publicKeyOfSeed(randomBytes(32))) }, 'BAD_SIGNATURE'],
    [{ ...good, signature: 'f'.repeat(128) }, 'BAD_SIGNATURE'],
    [{ ...good, publicKey: weak }, 'BAD_PUBLIC_KEY'],
    [{ publicKey: good.publicKey, bucket }, 'INVALID_INPUT'],
  ] as const
  for (const [order, code] of cases) {
    assert.equal((await refusal(() => house.identity.signUp(order))).code, code)
  }
  assert.equal(house.store.supply('free'), SIGN_UP_CREDITS)
})

test('the fourth sign-up of an address and hour costs work, spent once; the next hour is free again', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { identity } = house
  for (let i = 0; i < SIGN_UPS_FREE; i++) await identity.signUp({ bucket })
  const { code, details } = await refusal(() => identity.signUp({ bucket }))
  const { challenge, bits } = details['work'] as { challenge: string; bits: number }
  assert.deepEqual([code, bits], ['RATE_LIMITED', 18])
  assert.ok(Number(details['retry_after_seconds']) > 0)
  let nonce = 0
  while (workOf(challenge, String(nonce)) < bits) nonce += 1
  const work = { challenge, nonce: String(nonce) }
  const bad = [
    { challenge, nonce: `0${nonce}` },
    { challenge: `${challenge.slice(0, -2)}AA`, nonce: work.nonce },
    { challenge: 'x', nonce: '1' },
  ]
  for (const wrong of bad)
    assert.equal((await refusal(() => identity.signUp({ bucket, work: wrong }))).code, 'INVALID_INPUT')
  await identity.signUp({ bucket: '192.0.2.2' })
  await identity.signUp({ bucket, work })
  assert.equal((await refusal(() => identity.signUp({ bucket, work }))).code, 'INVALID_INPUT')
  house.clock.advance(3_600n * SECOND_NS)
  await identity.signUp({ bucket })
}, 60_000)

test('a challenge is worth nothing after 120 ticks', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  for (let i = 0; i < SIGN_UPS_FREE; i++) await house.identity.signUp({ bucket })
  const { details } = await refusal(() => house.identity.signUp({ bucket }))
  const { challenge } = details['work'] as { challenge: string }
  house.clock.advanceTicks(121)
  const { code } = await refusal(() => house.identity.signUp({ bucket, work: { challenge, nonce: '1' } }))
  assert.equal(code, 'INVALID_INPUT')
})

test('keys: listed without their value, over at their tick, revoked at once, of one account only', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { identity, store, clock } = house
  const { caller, api_key } = await newAccount(house)
  const expiresMeshTick = store.now().meshTick + 10
  const brief = await identity.createKey(caller, { name: 'brief', expiresMeshTick })
  const list = await identity.keys(caller)
  assert.deepEqual(list.map((it) => it.name).sort(), ['brief', 'sign-up'])
  assert.ok(!JSON.stringify(list).includes(brief.api_key))
  assert.equal(callerOf(house, brief.api_key).kind, 'account')
  clock.advanceTicks(10)
  assert.equal((await refusal(() => callerOf(house, brief.api_key))).code, 'UNAUTHENTICATED')

  const stranger = await newAccount(house, '192.0.2.7')
  const [own] = list.filter((it) => it.name === 'sign-up')
  assert.equal((await refusal(() => identity.revokeKey(stranger.caller, own!.id))).code, 'NOT_FOUND')
  await identity.revokeKey(caller, own!.id)
  assert.equal((await refusal(() => callerOf(house, api_key))).code, 'UNAUTHENTICATED')
})

test('what is no credential is refused, whatever it looks like', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { api_key } = await newAccount(house)
  const wrong = ['', 'Basic abc', 'Bearer', 'Bearer x', `Bearer ${api_key.slice(0, -1)}`, `Bearer ${api_key}x`]
  const flipped = `Bearer svc_ak_${'0'.repeat(43)}`
  for (const authorization of [...wrong, flipped, `Bearer zsm_${'0'.repeat(43)}`]) {
    const { code } = await refusal(() => house.identity.callerOf({ authorization, bucket }))
    assert.equal(code, 'UNAUTHENTICATED', authorization)
  }
  assert.equal(house.identity.callerOf({ bucket }).kind, 'anonymous')
  assert.equal((await refusal(() => house.identity.callerOf({ session: 'x', bucket }))).code, 'UNAUTHENTICATED')
})

test('the owner link works once within an hour; its session lasts 12 hours and can be ended', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { identity, clock } = house
  const link = identity.ownerLink()
  const { token } = identity.openSession(link)
  assert.equal((await refusal(() => identity.openSession(link))).code, 'UNAUTHENTICATED')
  assert.equal(identity.callerOf({ session: token, bucket }).kind, 'owner')
  const late = identity.ownerLink()
  clock.advance(BigInt(LINK_SECONDS) * SECOND_NS)
  assert.equal((await refusal(() => identity.openSession(late))).code, 'UNAUTHENTICATED')
  const other = identity.openSession(identity.ownerLink()).token
  identity.closeSession(identity.callerOf({ session: other, bucket }))
  assert.equal((await refusal(() => identity.callerOf({ session: other, bucket }))).code, 'UNAUTHENTICATED')
  clock.advance(BigInt(SESSION_SECONDS - LINK_SECONDS) * SECOND_NS)
  assert.equal((await refusal(() => identity.callerOf({ session: token, bucket }))).code, 'UNAUTHENTICATED')
})

test('the shared demo key stays the same, and minted ones are rationed by address', async () => {
  using dir = tempDir()
  const house = await openHouse(dir.path)
  const { key } = house.identity.sharedDemoKey()
  for (let i = 0; i < DEMO_KEYS_PER_DAY; i++) await house.identity.mintDemoKey(bucket)
  assert.equal((await refusal(() => house.identity.mintDemoKey(bucket))).code, 'RATE_LIMITED')
  await house.identity.mintDemoKey('192.0.2.2')
  await house[Symbol.asyncDispose]()
  await using again = await openHouse(dir.path, house.clock)
  assert.equal(again.identity.sharedDemoKey().key, key)
  assert.equal((await refusal(() => again.identity.mintDemoKey(bucket))).code, 'RATE_LIMITED')
})

test.run()
