import { assert } from '#core/assert.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Economy, Shared } from './economy.ts'
import { isOwn, maySee, nonceOf } from './sight.ts'

/** The row, for its owner. @throws Fault NOT_FOUND where it is not shown, SCOPE_REQUIRED where it is another's. */
const ownRow = (row: EnvelopeRow | undefined, caller: Caller): EnvelopeRow => {
  if (row === undefined || !maySee(row, caller)) throw new Fault('NOT_FOUND')
  if (isOwn(row, caller)) return row
  throw new Fault('SCOPE_REQUIRED', 'Its owner alone opens a receipt to others.', { scope: 'owner' })
}

/** Only what is opened has the member: rows of earlier releases are those of receipts that are closed. */
const put = (tx: Transaction, { shared: _, ...row }: EnvelopeRow, on: boolean): void =>
  tx.put('envelope', row.token_id, on ? { ...row, shared: true } : row)

/** Opens a receipt to whoever has its nonce, or closes it again; once per Idempotency-Key. */
export const createSharing =
  (store: Store, idempotent: Economy['idempotent']) =>
  async (caller: Caller, { token_id: token, on }: Shared, repeat?: Repeat): ReturnType<Economy['share']> => {
    const nonce = await nonceOf(store, ownRow(await store.get('envelope', token), caller))
    assert(nonce !== undefined, 'an envelope has its leaf')
    const said: WithReplayed<Shared & { readonly nonce: string }> = { token_id: token, on, nonce, replayed: false }
    const input = digest(purposes.request, { token_id: token, on })
    const once = repeat?.key === undefined ? undefined : await idempotent(caller, repeat.scope, repeat.key, input)
    if (once?.kind === 'replay') return { ...said, ...(once.answer as object), replayed: true }
    try {
      await store.commit((tx) => {
        const row = ownRow(tx.get('envelope', token), caller)
        if ((row.shared === true) !== on) put(tx, row, on)
        // The nonce stands in the leaf, and in no row beside it.
        once?.keep(tx, () => ({ token_id: token, on }) satisfies Json)
      })
      return said
    } finally {
      once?.release()
    }
  }
