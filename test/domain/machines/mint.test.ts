/*
 * Goal: a token is minted by its rate and never above its ceiling: each so many-th fire mints in its own batch, each
 * multiple of so many mesh ticks once, and what fell due while the node was down comes in one entry; chain, ledger and
 * rows agree at any time. Method: houses on a clock that the test moves, started again on their directory; fires as the
 * engine makes them; seeded rates; `fsck`, also of stores that other hands changed.
 */
import assert from 'node:assert/strict'
import { tokenEntries } from '#core/token-ranges.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import { tokenAsset, tokenDigits } from '#store/rows/machine-token.ts'
import type { Transaction } from '#store/transaction.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal } from '../house.ts'
import { asWriting, bodiesOf, passTicks, sendUnits, type TallyCaller, tokenHouse } from './tally-kit.ts'

const test = suite('machines: mints')

const rate = async (house: House, caller: TallyCaller, order: object, slug = 'pump') => {
  const writing = asWriting(caller, slug)
  return (await house.machines.setMintRate(writing, order as { every: number | null })).answer
}

/** A fire as the engine writes it. */
const fire = (house: House, name: string, slug = 'pump') =>
  house.store.commit((tx) => {
    const machine = tx.get('machine', slug)!
    house.machines.enter(tx, machine, { type: 'contract_fire', open: { fire: name, outcome: 'fired' } })
    house.machines.minted(tx, machine, name)
  })

const assertWhole = async (house: House, caller: TallyCaller, slug = 'pump') => {
  const found = await house.machines.verifyTally({ caller, slug })
  assert.deepEqual([found.valid, found.ledger, found.message], [true, 'equal', null])
  return found
}

test('ticks mint on the mesh grid, and the ceiling ends it with an entry', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller, zid } = await tokenHouse(house, { max_supply: 130, initial: 100 })
    const set = await rate(house, caller, { amount: 7, per: 'ticks', every: 5 })
    assert.deepEqual([set.state, set.rate], ['on', { amount: 7, per: 'ticks', every: 5 }])
    assert.equal(set.next_mesh_tick! % 5, 0)
    const { id_hash } = house.store.peek('machine', 'pump')!
    const has = () => house.store.balance(tokenAsset(id_hash), zid)
    const seen: number[] = []
    for (let i = 0; i < 30; i++) {
      await passTicks(house, 1)
      seen.push(has())
    }
    assert.deepEqual([...new Set(seen)], [100, 107, 114, 121, 128])
    const mints = await bodiesOf(house, 'pump', tokenEntries.mint)
    assert.deepEqual(
      mints.map(({ count, amount, source }) => [count, amount, source]),
      mints.map(() => [1, 7, 'node']),
    )
    assert.equal((await bodiesOf(house, 'pump', tokenEntries.stopped)).length, 1)
    const now = await house.machines.mintRate({ caller, slug: 'pump' })
    assert.deepEqual([now.state, now.rate, now.next_mesh_tick, now.remaining], ['ceiling', null, null, 2])
    const more = await refusal(() => rate(house, caller, { amount: 3, per: 'ticks', every: 1 }))
    assert.deepEqual([more.code, more.details], ['SUPPLY_EXHAUSTED', { amount: 3, remaining: 2 }])
    await rate(house, caller, { amount: 2, per: 'ticks', every: 1 })
    await passTicks(house, 3)
    assert.equal(has(), 130)
    const none = await refusal(() => rate(house, caller, { amount: 1, per: 'transition', every: 1 }))
    assert.equal(none.code, 'SUPPLY_EXHAUSTED')
    assert.equal((await assertWhole(house, caller)).issued, 130)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what fell due while the node was down comes in one entry, and twice started is not twice minted', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  let caller: TallyCaller
  let next = 0
  {
    await using house = await openHouse(dir.path, clock)
    const at = await tokenHouse(house, { initial: 0 })
    caller = at.caller
    next = (await rate(house, caller, { amount: 3, per: 'ticks', every: 4 })).next_mesh_tick!
  }
  clock.advanceTicks(45)
  const { meshTick: now } = await (async () => {
    await using house = await openHouse(dir.path, clock)
    await Promise.all([house.machines.beat(), house.machines.beat()])
    await house.machines.beat()
    return house.store.now()
  })()
  {
    await using house = await openHouse(dir.path, clock)
    await house.machines.beat()
    const count = Math.floor((now - next) / 4) + 1
    const [mint, ...others] = await bodiesOf(house, 'pump', tokenEntries.mint)
    assert.deepEqual(others, [])
    assert.deepEqual([mint?.['count'], mint?.['amount']], [count, 3 * count])
    assert.equal((await assertWhole(house, caller)).issued, 3 * count)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('each so many-th fire mints in its batch, and a batch that is refused mints nothing', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller } = await tokenHouse(house, { max_supply: 20, initial: 0 })
    await fire(house, 'before')
    await rate(house, caller, { amount: 4, per: 'transition', every: 2 })
    for (let i = 0; i < 5; i++) await fire(house, `f${i}`)
    const issued = () => house.machines.tokenSupply({ caller, slug: 'pump' }).issued
    assert.equal(issued(), 8)
    const refused = house.store.commit((tx) => {
      const machine = tx.get('machine', 'pump')!
      house.machines.enter(tx, machine, { type: 'contract_fire', open: { fire: 'f5', outcome: 'fired' } })
      house.machines.minted(tx, machine, 'f5')
      throw new Error('refused')
    })
    await assert.rejects(refused, /refused/)
    assert.equal(issued(), 8)
    await Promise.all(Array.from({ length: 20 }, (_, i) => fire(house, `g${i}`)))
    assert.equal(issued(), 20)
    assert.equal((await house.machines.mintRate({ caller, slug: 'pump' })).state, 'ceiling')
    assert.equal(house.store.peek('machine', 'pump')!.mints, undefined, 'fires ask no more')
    assert.equal((await bodiesOf(house, 'pump', tokenEntries.mint)).length, 5)
    await assertWhole(house, caller)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('seeded rates, fires, ticks, pauses and transfers, on public and private machines: all of it agrees', async () => {
  using dir = tempDir()
  const random = seeded()
  {
    await using house = await openHouse(dir.path)
    const other = await newAccount(house)
    for (const is_public of [true, false]) {
      const slug = is_public ? 'open' : 'shut'
      const { caller } = await tokenHouse(house, { slug, is_public, max_supply: 3_000, initial: 50 })
      const acts = [
        () => passTicks(house, random.integer(1, 9)),
        () => fire(house, `f${random.next()}`, slug),
        () => sendUnits(house, slug, other.zid, random.integer(1, 40)),
        () => house.machines.setStatus({ caller, slug }, random.pick(['active', 'active', 'paused'] as const)),
        () => {
          const every = random.integer(0, 4) === 0 ? null : random.integer(1, 6)
          const order = { amount: random.integer(1, 90), per: random.pick(['ticks', 'transition'] as const), every }
          return rate(house, caller, order, slug)
        },
      ]
      const allowed = ['INSUFFICIENT_BALANCE', 'SUPPLY_EXHAUSTED', 'MACHINE_NOT_ACTIVE']
      for (let i = 0; i < 80; i++) {
        await Promise.resolve(random.pick(acts)()).catch((cause: { code?: string }) => {
          assert.ok(allowed.includes(cause.code ?? ''), String(cause))
        })
      }
      await assertWhole(house, caller, slug)
      const stranger = await house.machines.verifyTally({ caller: other.caller, slug: 'open' })
      assert.deepEqual([stranger.valid, stranger.ledger], [true, 'equal'])
    }
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('who may set it, and what is no rate', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, machineCaller } = await tokenHouse(house)
  const stranger = await newAccount(house)
  const some = { amount: 1, per: 'ticks', every: 1 }
  for (const by of [machineCaller, stranger.caller]) {
    assert.equal((await refusal(() => rate(house, by, some))).code, 'SCOPE_REQUIRED')
  }
  await house.machines.create(caller, { slug: 'bare', is_public: true })
  assert.equal((await refusal(() => rate(house, caller, some, 'bare'))).code, 'NOT_FOUND')
  assert.equal((await refusal(() => rate(house, caller, { every: 3 }))).code, 'INVALID_INPUT')
  const huge = await refusal(() => rate(house, caller, { ...some, amount: Number.MAX_SAFE_INTEGER }))
  assert.equal(huge.code, 'SUPPLY_EXHAUSTED')
  await house.machines.setStatus({ caller, slug: 'pump' }, 'paused')
  assert.equal((await refusal(() => rate(house, caller, some))).code, 'MACHINE_NOT_ACTIVE')
  await house.machines.setStatus({ caller, slug: 'pump' }, 'active')
  const writing = asWriting(caller, 'pump', 'once')
  const order = { amount: 1, per: 'ticks', every: 1 } as const
  const first = await house.machines.setMintRate(writing, order)
  assert.deepEqual(await house.machines.setMintRate(writing, order), { ...first, replayed: true })
  assert.equal((await bodiesOf(house, 'pump', tokenEntries.rate)).length, 1)
  const off = await rate(house, caller, { every: null })
  assert.deepEqual([off.state, off.rate], ['off', null])
})

test('no mint falls into a pause, and a ceiling of 2^53 − 1 holds over a thousand years', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await tokenHouse(house, { max_supply: Number.MAX_SAFE_INTEGER, initial: 0 })
  await rate(house, caller, { amount: 2 ** 50, per: 'ticks', every: 1 })
  await house.machines.setStatus({ caller, slug: 'pump' }, 'paused')
  await passTicks(house, 50)
  await house.machines.setStatus({ caller, slug: 'pump' }, 'active')
  assert.equal((await house.machines.mintRate({ caller, slug: 'pump' })).issued, 0)
  await passTicks(house, 2)
  assert.equal((await house.machines.mintRate({ caller, slug: 'pump' })).issued, 2 ** 51)
  await passTicks(house, 40_000_000)
  const now = await house.machines.mintRate({ caller, slug: 'pump' })
  assert.deepEqual([now.state, now.issued], ['ceiling', 7 * 2 ** 50])
  await assertWhole(house, caller)
})

/** What `fsck` says of a store of one minted token, after a change by other hands. */
const badAfter = async (change: (tx: Transaction, digits: string, to: string) => void) => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller } = await tokenHouse(house)
    const { zid } = await newAccount(house)
    await rate(house, caller, { amount: 5, per: 'ticks', every: 1 })
    await passTicks(house, 1)
    await sendUnits(house, 'pump', zid, 30)
    const digits = tokenDigits(house.store.peek('machine', 'pump')!.id_hash)
    await house.store.commit((tx) => change(tx, digits, zid))
  }
  const { bad } = await fsck({ directory: dir.path })
  return bad === null ? null : [bad.table, bad.what]
}

test('fsck names units that no entry issued, ranges of others, and mints beside the grid', async () => {
  assert.equal(await badAfter(() => undefined), null)
  const first = (digits: string, unit = 1) => keyOf(digits, seqKey(unit))
  const cases: readonly (readonly [string, string, Parameters<typeof badAfter>[0]])[] = [
    ['tokenStanding', 'another number of units was issued', (tx, it) => tx.del('tokenIssue', first(it, 101))],
    ['tokenIssue', 'it does not follow on the one before', (tx, it) => tx.del('tokenIssue', first(it))],
    ['tokenStanding', 'another number of units has moved', (tx, it) => tx.del('tokenRange', first(it))],
    ['tokenRangeOf', 'it is not that of its range', (tx, it, to) => tx.del('tokenRangeOf', keyOf(it, to, seqKey(1)))],
    [
      'tokenRangeOf',
      'there are more or fewer than ranges',
      (tx, it) => tx.put('tokenRangeOf', `${it}/x/${seqKey(9)}`, 9),
    ],
    [
      'tokenIssue',
      'there is no such token',
      (tx) => tx.put('tokenIssue', `f0/${seqKey(1)}`, { last: 1, seq: 0, tick: 0 }),
    ],
    ['tokenAvatar', 'its token says another', (tx, it) => tx.put('tokenAvatar', it, new Uint8Array(9))],
    [
      'tokenStanding',
      'there is no such token',
      (tx, it) => tx.put('tokenStanding', 'f0', tx.get('tokenStanding', it)!),
    ],
    [
      'tokenMint',
      'it is due beside the grid',
      (tx, it) => tx.put('tokenMint', it, { ...tx.get('tokenMint', it)!, next: 1 }),
    ],
    ['tokenMintDue', 'there are more than mints', (tx, it) => tx.put('tokenMintDue', keyOf(seqKey(9), it), 'pump')],
    [
      'tokenMint',
      'its machine says another',
      (tx) => tx.put('machine', 'pump', { ...tx.get('machine', 'pump')!, mints: true }),
    ],
  ]
  for (const [table, what, change] of cases) assert.deepEqual(await badAfter(change), [table, what])
})

test.run()
