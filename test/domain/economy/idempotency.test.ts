/*
 * Goal: an Idempotency-Key gives one effect and one answer for 24 hours. Method: keys against a real store, with the
 * stored answer written by a transaction that also moves credits, and the clock moved over the end.
 */
import assert from 'node:assert/strict'
import { TICKS_PER_DAY } from '#domain/economy/calendar.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, openHouse, refusal } from '../house.ts'

const test = suite('economy: idempotency')

test('fresh, in progress, replayed, reused, and fresh again after a day', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { economy, store, clock } = house
  const { caller } = await newAccount(house)
  const ask = (input = 'one') => economy.idempotent(caller, 'compute.heat', 'abc', input)

  const first = await ask()
  assert.ok(first.kind === 'fresh')
  assert.equal((await refusal(ask)).code, 'IDEMPOTENCY_IN_PROGRESS')
  await store.commit((tx) => first.keep(tx, async () => ({ answer: 1 })))
  first.release()
  assert.deepEqual(await ask(), { kind: 'replay', answer: { answer: 1 } })
  assert.equal((await refusal(() => ask('two'))).code, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal((await economy.idempotent(caller, 'compute.multibody', 'abc', 'two')).kind, 'fresh')

  clock.advanceTicks(TICKS_PER_DAY)
  const second = await ask('two')
  assert.ok(second.kind === 'fresh')
  await store.commit((tx) => second.keep(tx, () => 2))
  second.release()
  assert.deepEqual(await ask('two'), { kind: 'replay', answer: 2 })
  clock.advanceTicks(TICKS_PER_DAY + 1)
  assert.ok((await economy.sweep()) >= 2)
  const third = await ask()
  assert.equal(third.kind, 'fresh')
})

test('a refusal is not stored, and a restart forgets what was running', async () => {
  using dir = tempDir()
  const clockAnd = await openHouse(dir.path)
  const { caller, api_key } = await newAccount(clockAnd)
  const running = await clockAnd.economy.idempotent(caller, 'e', 'k', 'i')
  assert.ok(running.kind === 'fresh')
  await assert.rejects(
    clockAnd.store.commit((tx) => {
      running.keep(tx, () => 'never')
      throw new Error('refused')
    }),
  )
  running.release()
  assert.equal((await clockAnd.economy.idempotent(caller, 'e', 'k', 'other')).kind, 'fresh')
  await clockAnd[Symbol.asyncDispose]()
  await using again = await openHouse(dir.path, clockAnd.clock)
  const { identity, economy } = again
  const same = identity.callerOf({ authorization: `Bearer ${api_key}`, bucket: 'b' })
  assert.equal((await economy.idempotent(same, 'e', 'k', 'i')).kind, 'fresh')
})

test('two callers of the shared key on two addresses do not see each other', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { economy, store, identity } = house
  const authorization = `Bearer ${identity.sharedDemoKey().key}`
  const [a, b] = ['192.0.2.1', '192.0.2.2'].map((bucket) => identity.callerOf({ authorization, bucket }))
  const first = await economy.idempotent(a!, 'e', 'k', 'i')
  assert.ok(first.kind === 'fresh')
  await store.commit((tx) => first.keep(tx, () => 'for a'))
  first.release()
  assert.equal((await economy.idempotent(b!, 'e', 'k', 'i')).kind, 'fresh')
})

test('a key is 1 to 255 visible ASCII characters', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const caller = { kind: 'anonymous', bucket: 'x' } as const
  for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'a\n']) {
    assert.equal((await refusal(() => house.economy.idempotent(caller, 'e', key, 'i'))).code, 'INVALID_INPUT')
  }
})

test.run()
