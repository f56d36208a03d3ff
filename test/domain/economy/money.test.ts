/*
 * Goal: credits and coins move by the rules of protocol.md, Economy and The gate: n parallel calls need n prices, one
 * envelope has one source, refusals cost nothing. Method: a real store with accounts made by sign-up; envelopes are
 * sealed as the gate does it; balances are read from the ledger afterwards.
 */
import assert from 'node:assert/strict'
import { purposes } from '#core/digest.ts'
import { SHARED_DEMO_CALLS_PER_DAY } from '#domain/economy/holds.ts'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, newAccount, openHouse, ownerCaller, refusal, sealOne } from '../house.ts'

const test = suite('economy: money')
const DAY_NS = 86_400_000_000_000n

test('of n parallel calls on one price one is held, and the others name the price', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  await sealOne(house, { caller, credits: SIGN_UP_CREDITS - 3 })
  assert.equal(house.store.balance('free', zid), 3)
  const attempts = await Promise.allSettled(Array.from({ length: 40 }, () => sealOne(house, { caller })))
  const refused = attempts.filter((it) => it.status === 'rejected')
  assert.equal(refused.length, 39)
  for (const { reason } of refused) {
    assert.deepEqual([reason.code, reason.details], ['INSUFFICIENT_BALANCE', { price: 3, free: 0, paid: 0 }])
  }
  assert.equal(house.store.balance('free', zid), 0)
})

test('free pays if it covers the whole price, else paid does, and one envelope is never divided', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  await house.economy.grant(ownerCaller(house), { zid, credits: 10, reason: 'test' })
  await sealOne(house, { caller, credits: SIGN_UP_CREDITS - 2 })
  const paid = await sealOne(house, { caller, credits: 3 })
  assert.deepEqual([paid.funding, paid.issued_to, paid.soulbound, paid.backs], ['paid', zid, false, null])
  assert.deepEqual([house.store.balance('free', zid), house.store.balance('paid', zid)], [2, 7])
  assert.equal(house.store.balance('coin', zid), 3)
  const free = await sealOne(house, { caller, credits: 2 })
  assert.deepEqual([free.funding, free.listed_under, free.soulbound, free.backs], ['free', zid, true, 'house'])
  assert.equal(house.store.balance('coin', 'house'), SIGN_UP_CREDITS)
  const { code, details } = await refusal(() => house.economy.hold(caller, 8))
  assert.deepEqual([code, details], ['INSUFFICIENT_BALANCE', { price: 8, free: 0, paid: 7 }])
})

test('a hold lowers what is available until it is released, and releasing twice frees once', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await newAccount(house)
  const hold = house.economy.hold(caller, 287)
  assert.deepEqual(await shownCredits(house, caller), { free: 1_287, held: 287, available: 1_000 })
  hold.release()
  hold.release()
  assert.deepEqual(await shownCredits(house, caller), { free: 1_287, held: 0, available: 1_287 })
})

const shownCredits = async (
  house: Awaited<ReturnType<typeof openHouse>>,
  caller: Parameters<typeof house.economy.credits>[0],
) => {
  const { free, held, available } = await house.economy.credits(caller)
  return { free, held, available }
}

test('a seal that fails after the burn costs nothing and mints nothing', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const hold = house.economy.hold(caller, 3)
  const size = house.store.log.size
  const failing = house.store.commit((tx) => {
    const index = tx.append(purposes.envelope, () => Promise.reject(new Error('no key')))
    const token = { kind: 'heat', operators: ['KO42'], precisionActual: 0, value: 1, unit: 'K', kept: {} }
    assert.throws(() => house.economy.settle(tx, hold, { ...token, tokenId: 'f'.repeat(32), index }), /token id/)
    tx.post({ asset: 'free', debit: zid, credit: 'burned:compute', amount: 3, reason: 'compute', ref: 'x' })
  })
  await assert.rejects(failing, /no key/)
  hold.release()
  assert.equal(house.store.balance('free', zid), SIGN_UP_CREDITS)
  assert.equal(house.store.log.size, size)
  assert.equal(house.store.supply('coin'), 0)
})

test('the shared demo key has ten calls a day per address, parallel ones counted, refused ones free', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const shared = house.identity.sharedDemoKey()
  assert.equal(shared.dailyLimit, SHARED_DEMO_CALLS_PER_DAY)
  const caller = callerOf(house, shared.key, '2001:db8::/64')
  house.economy.hold(caller, 3).release()
  const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => sealOne(house, { caller })))
  const codes = attempts.map((it) => (it.status === 'fulfilled' ? it.value.issued_to : it.reason.code))
  assert.equal(codes.filter((it) => it === 'house').length, 10)
  assert.equal(codes.filter((it) => it === 'DAILY_LIMIT_EXCEEDED').length, 2)
  const other = callerOf(house, shared.key, '192.0.2.9')
  assert.equal((await house.economy.credits(other)).calls_left_today, 10)
  await sealOne(house, { caller: other })
  house.clock.advance(DAY_NS)
  assert.equal((await house.economy.credits(caller)).calls_left_today, 10)
})

test('a minted demo key spends its own 100 credits and mints to the house', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { key, computeBudget } = await house.identity.mintDemoKey('192.0.2.1')
  assert.equal(computeBudget, 100)
  const caller = callerOf(house, key)
  const row = await sealOne(house, { caller, credits: 98 })
  assert.deepEqual([row.issued_to, row.funding, row.soulbound], ['house', 'free', true])
  assert.equal((await refusal(() => house.economy.hold(caller, 3))).code, 'INSUFFICIENT_BALANCE')
  assert.equal((await house.economy.credits(caller)).free, 2)
})

test('keyless calls have a work cap and a daily budget per address, and the book of addresses is bounded', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { economy, clock } = house
  assert.equal((await refusal(() => economy.keyless('a', 11))).code, 'WORK_LIMIT_EXCEEDED')
  assert.equal((await refusal(() => economy.keyless('a', Number.NaN))).code, 'WORK_LIMIT_EXCEEDED')
  for (let i = 0; i < 2; i++) economy.keyless('a', 10)
  const { code, details } = await refusal(() => economy.keyless('a', 6))
  assert.deepEqual([code, details['limit'], details['spent']], ['DAILY_LIMIT_EXCEEDED', 25, 20])
  economy.keyless('b', 10)
  economy.keyless('c', 10)
  economy.keyless('a', 10)
  clock.advance(DAY_NS)
  economy.keyless('c', 10)
  const row = await sealOne(house, { caller: { kind: 'anonymous', bucket: 'a' } })
  assert.deepEqual([row.listed_under, row.issued_to], ['house', 'house'])
})

test('only the owner grants, to accounts that exist, once per Idempotency-Key', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const owner = ownerCaller(house)
  assert.equal((await refusal(() => house.economy.grant(caller, { zid, credits: 5 }))).code, 'SCOPE_REQUIRED')
  const nobody = `zid1${'a'.repeat(32)}`
  assert.equal((await refusal(() => house.economy.grant(owner, { zid: nobody, credits: 5 }))).code, 'UNKNOWN_ZID')
  for (const credits of [0, -1, 1.5, 1e10]) {
    assert.equal((await refusal(() => house.economy.grant(owner, { zid, credits }))).code, 'INVALID_INPUT')
  }
  const repeat = { scope: 'economy.grant', key: 'key-1' }
  const first = await house.economy.grant(owner, { zid, credits: 5 }, repeat)
  assert.equal(first.replayed, false)
  assert.deepEqual(await house.economy.grant(owner, { zid, credits: 5 }, repeat), { ...first, replayed: true })
  assert.equal(house.store.balance('paid', zid), 5)
  const reused = await refusal(() => house.economy.grant(owner, { zid, credits: 6 }, repeat))
  assert.equal(reused.code, 'IDEMPOTENCY_KEY_REUSED')
  const leaf = (await house.store.log.leaf(first.index))!
  assert.match(new TextDecoder().decode(leaf), /^tickmesh\/ledger\/1\n.*"amount":5,.*"kind":"grant"/)
})

test('the meter counts a month, reports an overage and enforces nothing', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  await house.economy.grant(ownerCaller(house), { zid, credits: 100 })
  await sealOne(house, { caller, credits: 1_285 })
  await sealOne(house, { caller, credits: 5 })
  const usage = await house.economy.usage(caller)
  assert.deepEqual(usage, {
    period: usage.period,
    used: 1_290,
    envelopes: 2,
    bundle: 1_287,
    remaining: 0,
    overage: 3,
    enforced: false,
  })
  house.clock.advance(DAY_NS * 31n)
  assert.equal((await house.economy.usage(caller)).used, 0)
})

test.run()
