/*
 * Goal: whatever callers do, in whatever order and at once, no credit is made or lost and the directory is whole.
 * Method: seeded sequences of seals, failing seals, grants, filings, sign-ups and ticks against a plain model of the
 * balances; then fsck, which adds everything again from nothing.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type Random, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, ownerCaller, sealOne } from '../house.ts'

const test = suite('economy: sequences')
const SEQUENCES = 4
const STEPS = 60

interface Wallet {
  readonly caller: Caller
  readonly zid: string
  free: number
  paid: number
  coins: number
}

/** What the rules of funding make of one price. */
const charge = (wallet: Wallet, price: number): 'free' | 'paid' | 'refused' => {
  if (wallet.free >= price) {
    wallet.free -= price
    return 'free'
  }
  if (wallet.paid < price) return 'refused'
  wallet.paid -= price
  wallet.coins += price
  return 'paid'
}

const step = async (house: House, random: Random, wallets: Wallet[]): Promise<void> => {
  const wallet = random.pick(wallets)
  const { caller, zid } = wallet
  const kind = random.integer(0, 9)
  if (kind <= 5) {
    const credits = random.pick([3, 5, 6, 400])
    const expected = charge(wallet, credits)
    const seal = sealOne(house, { caller, credits, published: random.next() < 0.3 })
    const got = await seal.then(
      (row) => row.funding,
      (cause: { code: string }) => cause.code,
    )
    assert.equal(got, expected === 'refused' ? 'INSUFFICIENT_BALANCE' : expected)
  } else if (kind === 6) {
    const credits = random.integer(1, 500)
    await house.economy.grant(ownerCaller(house), { zid, credits })
    wallet.paid += credits
  } else if (kind === 7) {
    await house.economy.file(caller, { folder: random.pick(['', 'a', 'b/c']), count: random.integer(1, 5) })
  } else if (kind === 8) {
    const hold = house.economy.hold({ kind: 'anonymous', bucket: 'x' }, 3)
    await assert.rejects(
      house.store.commit((tx) => {
        tx.post({ asset: 'coin', debit: 'issued:compute', credit: 'house', amount: 3, reason: 'mint', ref: 'lost' })
        throw new Error('after the mint')
      }),
    )
    hold.release()
  } else {
    house.clock.advanceTicks(random.integer(1, 3))
    await house.store.closeTick()
  }
}

test('balances follow the model and fsck finds the directory whole', async () => {
  const random = seeded()
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      const wallets: Wallet[] = []
      for (let i = 0; i < 3; i++) {
        const { caller, zid } = await newAccount(house, `bucket ${i}`)
        wallets.push({ caller, zid, free: SIGN_UP_CREDITS, paid: 0, coins: 0 })
      }
      for (let i = 0; i < STEPS; i++) await step(house, random, wallets)
      for (const { zid, free, paid, coins } of wallets) {
        const { store } = house
        assert.deepEqual(
          [store.balance('free', zid), store.balance('paid', zid), store.balance('coin', zid)],
          [free, paid, coins],
        )
      }
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  }
}, 60_000)

test.run()
