import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import { HOUSE, tokenIdOf } from '#core/ids.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { enter } from './book.ts'
import { monthOf } from './calendar.ts'
import type { Hold, Minting } from './economy.ts'
import type { Holds, Payer } from './holds.ts'
import { usageKey } from './usage.ts'

const addUsage = (tx: Transaction, store: Store, { account }: Payer, credits: number): void => {
  const key = usageKey(account, monthOf(store.now().instant))
  const before = tx.get('usage', key) ?? { credits: 0, envelopes: 0 }
  tx.put('usage', key, { credits: before.credits + credits, envelopes: before.envelopes + 1 })
}

/** What a row keeps of who had it sealed. */
const sealedBy = (caller: Caller): Pick<EnvelopeRow, 'sealed_by'> => {
  if (caller.kind === 'anonymous') return {}
  return { sealed_by: { key: caller.keyId, slug: caller.kind === 'machine' ? caller.machine.slug : null } }
}

/**
 * Burn, coin and record of one envelope, in the transaction that appends its leaf. A coin exists only through here:
 * a paid-funded one belongs to its payer, every other one to the house.
 */
export const createSettle =
  (store: Store, holds: Holds) =>
  (tx: Transaction, hold: Hold, minting: Minting): EnvelopeRow => {
    const { tokenId, index, published, ...rest } = minting
    assert(tokenId === tokenIdOf(store.log.origin, index), 'a token id follows from its place in the log')
    const { credits: face, funding, zid } = hold
    const payer = holds.burn(tx, hold, tokenId)
    const keeper = funding === 'paid' ? zid : HOUSE
    tx.post({ asset: 'coin', debit: 'issued:compute', credit: keeper, amount: face, reason: 'mint', ref: tokenId })
    addUsage(tx, store, payer, face)
    const row: EnvelopeRow = {
      token_id: tokenId,
      index: store.log.base + index,
      kind: rest.kind,
      operators: rest.operators,
      tick: tx.tick,
      phase: tx.phase,
      face,
      funding,
      issued_to: zid,
      listed_under: payer.list,
      ...sealedBy(hold.caller),
      soulbound: funding === 'free',
      backs: funding === 'free' ? HOUSE : null,
      precision_actual: rest.precisionActual,
      value: rest.value,
      unit: rest.unit,
      folder: '',
      lock: null,
      spend_seq: 0,
      published: published ?? tx.get('account', payer.list)?.publish_default ?? false,
      ...rest.kept,
    }
    enter(tx, row)
    return row
  }
