import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import type { Funding } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { HOUSE } from '#core/ids.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { dayPeriod, type Period } from './calendar.ts'
import type { Hold } from './economy.ts'
import { countOne, quotaKey } from './quota.ts'

/** Calls a day that one address bucket has with the shared demo key. */
export const SHARED_DEMO_CALLS_PER_DAY = 10

/** Who pays, and where the envelope goes. */
export interface Payer {
  /** Ledger account that is charged; a source for callers whose calls the node gives away. */
  readonly account: string
  readonly zid: string
  /** Whose list the envelope stands in. */
  readonly list: string
}

/** The payer of a caller. Demo and anonymous callers mint to the house. */
export const payerOf = (caller: Caller): Payer => {
  if (caller.kind === 'anonymous') return { account: 'issued:anonymous', zid: HOUSE, list: HOUSE }
  if (caller.shared) return { account: 'issued:demo-shared', zid: HOUSE, list: HOUSE }
  if (caller.kind === 'demo') return { account: caller.account, zid: HOUSE, list: caller.account }
  return { account: caller.account, zid: caller.zid, list: caller.zid }
}

/** A hold as the commit sees it. */
interface Held {
  readonly payer: Payer
  /** Key of the daily count, under the shared demo key. */
  readonly countKey: string | undefined
}

/** Prices kept back between quote and commit. */
export interface Holds {
  hold(caller: Caller, credits: number): Hold
  /** Credits of an account and asset that running calls keep back. */
  held(asset: Funding, account: string): number
  /** Calls that a bucket has left today under the shared demo key. */
  sharedCallsLeft(bucket: string): number
  /**
   * Paid credits that running calls keep back beyond those there are: more than 0 only where the owner's own runs are
   * taken on trust.
   *
   * @param reader what knows the balance: the store, or a transaction.
   */
  lacking(reader: Pick<Store, 'balance'>, hold: Hold): number
  /** Burns a held price in a transaction and frees the hold when that is durable. */
  burn(tx: Transaction, hold: Hold, ref: string): Payer
}

const insufficient = (price: number, free: number, paid: number): Fault => {
  const detail = `The price is ${price} credits of one kind; ${free} free and ${paid} paid ones are available.`
  return new Fault('INSUFFICIENT_BALANCE', detail, { price, free, paid })
}

const amounts = () => {
  const byName = new Map<string, number>()
  return {
    of: (name: string): number => byName.get(name) ?? 0,
    add: (name: string, amount: number): void => {
      const sum = (byName.get(name) ?? 0) + amount
      assert(sum >= 0, 'nothing is freed twice')
      if (sum === 0) byName.delete(name)
      else byName.set(name, sum)
    },
  }
}

/** Calls under the shared demo key, counted by bucket and day: those that are over in the store, running ones here. */
const sharedCalls = (store: Store) => {
  const calls = amounts()

  const sharedKey = (bucket: string): { readonly key: string; readonly day: Period } => {
    const day = dayPeriod(store.now().instant)
    return { key: quotaKey('demo-call', day, bucket), day }
  }
  const sharedLeft = (key: string): number =>
    Math.max(0, SHARED_DEMO_CALLS_PER_DAY - (store.peek('quota', key) ?? 0) - calls.of(key))

  const takeCall = (bucket: string): string => {
    const { key, day } = sharedKey(bucket)
    if (sharedLeft(key) < 1) {
      const detail = `The shared demo key has ${SHARED_DEMO_CALLS_PER_DAY} calls a day; mint a key of your own.`
      throw new Fault('DAILY_LIMIT_EXCEEDED', detail, {
        limit: SHARED_DEMO_CALLS_PER_DAY,
        retry_after_seconds: day.secondsLeft,
      })
    }
    calls.add(key, 1)
    return key
  }

  const left = (bucket: string): number => sharedLeft(sharedKey(bucket).key)
  return { left, take: takeCall, giveBack: (key: string): void => calls.add(key, -1) }
}

/**
 * Holds of this process; none outlives it, for a hold is a promise about a computation that is still running.
 *
 * @param trustsOwner whether the owner holds what it has not got, to be granted before the burn.
 */
export const createHolds = (store: Store, trustsOwner: boolean): Holds => {
  const credits = amounts()
  const calls = sharedCalls(store)
  const open = new Map<Hold, Held>()

  const heldName = (asset: Funding, account: string): string => `${asset}/${account}`
  const available = (asset: Funding, account: string): number =>
    store.balance(asset, account) - credits.of(heldName(asset, account))

  const fundingOf = (caller: Caller, account: string, price: number): Funding => {
    if (account.startsWith('issued:')) return 'free'
    const free = available('free', account)
    const paid = available('paid', account)
    if (free >= price) return 'free'
    if (paid >= price || (trustsOwner && caller.kind === 'owner')) return 'paid'
    throw insufficient(price, free, paid)
  }

  const hold = (caller: Caller, price: number): Hold => {
    assert(Number.isSafeInteger(price) && price > 0, 'a price is a positive whole number')
    assert(caller.kind !== 'channel', 'what a channel computes is held for its owner')
    if (caller.kind === 'machine' && caller.machine.scope === 'read') {
      throw new Fault('SCOPE_REQUIRED', 'A key that may only read spends nothing.', { scope: 'write' })
    }
    const payer = payerOf(caller)
    const funding = fundingOf(caller, payer.account, price)
    const countKey = caller.kind !== 'anonymous' && caller.shared ? calls.take(caller.bucket) : undefined
    const name = heldName(funding, payer.account)
    credits.add(name, price)
    const it: Hold = {
      caller,
      credits: price,
      funding,
      zid: payer.zid,
      release: () => {
        if (!open.delete(it)) return
        credits.add(name, -price)
        if (countKey !== undefined) calls.giveBack(countKey)
      },
    }
    open.set(it, { payer, countKey })
    return it
  }

  const lacking: Holds['lacking'] = (reader, { caller, funding }) => {
    if (!trustsOwner || caller.kind !== 'owner' || funding !== 'paid') return 0
    const { account } = payerOf(caller)
    return Math.max(0, credits.of(heldName('paid', account)) - reader.balance('paid', account))
  }

  const burn = (tx: Transaction, it: Hold, ref: string): Payer => {
    const held = open.get(it)
    assert(held !== undefined, 'a hold is settled while it holds')
    const { payer, countKey } = held
    const { funding: asset, credits: amount } = it
    if (!payer.account.startsWith('issued:') && tx.balance(asset, payer.account) < amount) {
      throw insufficient(amount, tx.balance('free', payer.account), tx.balance('paid', payer.account))
    }
    tx.post({ asset, debit: payer.account, credit: 'burned:compute', amount, reason: 'compute', ref })
    if (countKey !== undefined) countOne(tx, countKey)
    tx.onDurable(it.release)
    return payer
  }

  return {
    hold,
    held: (asset, account) => credits.of(heldName(asset, account)),
    sharedCallsLeft: calls.left,
    lacking,
    burn,
  }
}
