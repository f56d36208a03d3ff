import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import { nodeIdOf } from '#core/keys.ts'
import type { Caller } from '#domain/identity/caller.ts'
import type { Store } from '#store/store.ts'
import { createBudget, type KeylessLimits } from './budget.ts'
import type { Economy, Granted, GrantOrder } from './economy.ts'
import { createEnvelopes } from './envelopes.ts'
import { createHolds } from './holds.ts'
import { createIdempotency } from './idempotency.ts'
import { createIssue } from './issue.ts'
import { createRecord } from './record.ts'
import { createSettle } from './settle.ts'
import { createSweep } from './sweep.ts'
import { creditsOf, usageOf } from './usage.ts'

/** Credits of one grant. */
export const GRANT_MAX = 1_000_000_000
/** Credits a month that the usage meter counts as the bundle. */
export const BUNDLE_CREDITS = 1_287

export interface EconomyOptions {
  readonly store: Store
  /** The identity key: ledger leaves are signed by it. */
  readonly signer: Signer
  readonly keyless: KeylessLimits
  /** Credits of the monthly bundle that the meter reports; nothing is refused for it. */
  readonly bundleCredits?: number
}

/** The economy of one node. */
export const createEconomy = ({ store, signer, keyless, bundleCredits }: EconomyOptions): Economy => {
  const holds = createHolds(store)
  const issue = createIssue({ store, signer, node: nodeIdOf(signer.publicKey) })
  const bundle = bundleCredits ?? BUNDLE_CREDITS

  const grant = async (caller: Caller, { zid, credits, reason }: GrantOrder): Promise<Granted> => {
    if (caller.kind !== 'owner') {
      throw new Fault('SCOPE_REQUIRED', "Only the node's owner grants credits.", { scope: 'owner' })
    }
    if (!Number.isSafeInteger(credits) || credits < 1 || credits > GRANT_MAX) {
      throw new Fault('INVALID_INPUT', `A grant is a whole number from 1 to ${GRANT_MAX}.`, { credits })
    }
    return store.commit((tx) => {
      if (tx.get('account', zid) === undefined) throw new Fault('UNKNOWN_ZID', undefined, { zid })
      const index = issue(tx, { kind: 'grant', asset: 'paid', to: zid, amount: credits, ref: reason || 'owner' })
      return { zid, credits, paid: tx.balance('paid', zid), index, tick: tx.tick }
    })
  }

  return {
    hold: holds.hold,
    settle: createSettle(store, holds),
    keyless: createBudget(keyless, () => store.now().instant),
    idempotent: createIdempotency(store),
    issue,
    ...createEnvelopes(store),
    record: createRecord(store),
    credits: async (caller) => creditsOf(store, holds, caller),
    usage: async (caller) => usageOf(store, bundle, caller),
    grant,
    sweep: createSweep(store),
  }
}
