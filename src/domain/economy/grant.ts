import type { Caller } from '#core/caller.ts'
import { assertOwner } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { WithReplayed } from '#core/once.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Economy, GrantOrder, Issue } from './economy.ts'
import type { Holds } from './holds.ts'
import type { Granted } from './views.ts'

/** Credits of one grant. */
export const GRANT_MAX = 1_000_000_000
/** Credits of one grant by which an owner's own run is covered, or a multiple of it. */
export const OWN_GRANT = 1_000

const assertGrant = (caller: Caller, credits: number): void => {
  assertOwner(caller, "Only the node's owner grants credits.")
  if (!Number.isSafeInteger(credits) || credits < 1 || credits > GRANT_MAX) {
    throw new Fault('INVALID_INPUT', `A grant is a whole number from 1 to ${GRANT_MAX}.`, { credits })
  }
}

/** Paid credits by the node's owner: a transfer and its signed leaf, once per Idempotency-Key. */
export const createGrant =
  (store: Store, issue: (tx: Transaction, it: Issue) => number, idempotent: Economy['idempotent']) =>
  async (
    caller: Caller,
    order: GrantOrder,
    repeat?: Parameters<Economy['grant']>[2],
  ): Promise<WithReplayed<Granted>> => {
    const { zid, credits, reason } = order
    assertGrant(caller, credits)
    const input = digest(purposes.request, { zid, credits, reason: reason ?? null })
    const once = repeat?.key === undefined ? undefined : await idempotent(caller, repeat.scope, repeat.key, input)
    if (once?.kind === 'replay') return { ...(once.answer as unknown as Granted), replayed: true }
    try {
      const made = await store.commit((tx): Granted => {
        if (tx.get('account', zid) === undefined) throw new Fault('UNKNOWN_ZID', undefined, { zid })
        const index = issue(tx, { kind: 'grant', asset: 'paid', to: zid, amount: credits, ref: reason || 'owner' })
        const granted: Granted = { zid, credits, paid: tx.balance('paid', zid), index, tick: tx.tick }
        once?.keep(tx, () => granted as unknown as Json)
        return granted
      })
      return { ...made, replayed: false }
    } finally {
      once?.release()
    }
  }

/**
 * Grants the owner of a node of its own what its runs hold beyond its paid credits, in whole blocks: the ledger counts
 * these credits as it counts all others, and a signed leaf says where they come from. Nothing where nothing is lacking.
 */
export const createCover =
  (store: Store, issue: (tx: Transaction, it: Issue) => number, holds: Pick<Holds, 'lacking'>): Economy['cover'] =>
  async (hold) => {
    if (holds.lacking(store, hold) === 0) return
    await store.commit((tx) => {
      const lacking = holds.lacking(tx, hold)
      // Another run of the owner's may have been granted what was lacking for both.
      if (lacking === 0) return
      const amount = Math.ceil(lacking / OWN_GRANT) * OWN_GRANT
      issue(tx, { kind: 'grant', asset: 'paid', to: hold.zid, amount, ref: 'owner, own node' })
    })
  }
