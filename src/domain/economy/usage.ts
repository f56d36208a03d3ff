import type { Caller } from '#core/caller.ts'
import { keyOf } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import { monthOf } from './calendar.ts'
import { type Holds, payerOf } from './holds.ts'
import type { CreditStatus, Usage } from './views.ts'

/** Key of an account's month. */
export const usageKey = (account: string, month: string): string => keyOf(account, month)

/** The meter: what a payer used this month, beside the bundle. It reports and never refuses. */
export const usageOf = (store: Store, bundle: number, caller: Caller): Usage => {
  const period = monthOf(store.now().instant)
  const row = store.peek('usage', usageKey(payerOf(caller).account, period)) ?? { credits: 0, envelopes: 0 }
  return {
    period,
    used: row.credits,
    envelopes: row.envelopes,
    bundle,
    remaining: Math.max(0, bundle - row.credits),
    overage: Math.max(0, row.credits - bundle),
    enforced: false,
  }
}

/** Balances of a caller, beside what the rules of the daily claim say of it now. */
export const creditsOf = (store: Store, holds: Holds, caller: Caller): Omit<CreditStatus, 'claim'> => {
  const { account, zid } = payerOf(caller)
  const given = account.startsWith('issued:')
  const free = given ? 0 : store.balance('free', account)
  const paid = given ? 0 : store.balance('paid', account)
  const held = given ? 0 : holds.held('free', account) + holds.held('paid', account)
  return {
    zid,
    account: given ? 'house' : account,
    free,
    paid,
    held,
    // The owner of a node of its own may hold what it is granted at the seal.
    available: Math.max(0, free + paid - held),
    coins: given ? 0 : store.balance('coin', account),
    calls_left_today: caller.kind !== 'anonymous' && caller.shared ? holds.sharedCallsLeft(caller.bucket) : null,
  }
}
