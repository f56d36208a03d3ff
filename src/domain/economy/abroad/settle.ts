import { countOf, placesOf, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { opDigest, type TokenOp } from '#core/token/op.ts'
import type { TokenReceiptFile } from '#core/token/receipt.ts'
import type { InBatch } from '#domain/economy/moving/append.ts'
import type { AwayMoveRow, AwayTokenRow } from '#store/away.ts'
import type { Transaction } from '#store/transaction.ts'
import { type FetchOptions, isReceived } from './fetch.ts'
import { keepMove, keepWays, leave, tokenIn, WAYS_AT_ONCE } from './keep.ts'

/** What an op does to tokens in lists here. @returns those that stay with their owner, of which their home will tell */
const after = (tx: Transaction, op: TokenOp, places: readonly TokenPlace[]): readonly AwayTokenRow[] =>
  places.flatMap(({ token_id, spend_seq }) => {
    const row = tokenIn(tx, token_id)
    if (row === undefined || row.spend_seq > spend_seq) return []
    if (!('to' in op) || op.to === row.owner) return [row]
    leave(tx, row)
    return []
  })

/** Keeps a receipt; what went to somebody else leaves its owner's list. */
export const createSettleAway = ({ context, lots, onTwice }: FetchOptions) => {
  const { store } = context
  return async (file: TokenReceiptFile, list: TokenList, beside?: InBatch): Promise<AwayMoveRow> => {
    const { op, public_key, signature, receipt, receipt_signature, proof } = file
    const digest = opDigest(op)
    const received = proof !== null && isReceived(context, receipt.log, proof)
    await store.commit((tx) => {
      keepMove(tx, store, { op, public_key, signature, receipt, receipt_signature, proof, received })
      tx.del('awayPending', digest)
      const isHere = 'to' in op && tx.get('account', op.to) !== undefined
      tx.put('awayArrival', digest, { listed: true, done: isHere ? 0 : op.count })
      beside?.(tx, digest)
    })
    // A crash before the last of these leaves rows that the home, when it is asked again, says are nobody's here.
    const stayed: AwayTokenRow[] = []
    for (let at = 0; at < countOf(list); at += WAYS_AT_ONCE) {
      const places = [...placesOf(list, at, Math.min(at + WAYS_AT_ONCE, countOf(list)))]
      stayed.push(...(await store.commit((tx) => after(tx, op, places))))
    }
    const twice = await keepWays(store, digest, list)
    if (twice !== undefined) await onTwice(twice)
    // What its home says now of lock and count may also be asked for later.
    if (stayed.length > 0 && 'ref' in op) await lots.again(stayed).catch(() => undefined)
    return (await store.get('awayMove', digest)) as AwayMoveRow
  }
}
