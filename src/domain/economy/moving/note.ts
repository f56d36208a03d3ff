import { nodeOfZid } from '#domain/network/succession.ts'
import type { Transaction } from '#store/transaction.ts'

/**
 * Puts down, in the commit of an op, that the node of its recipient is to be told. One row stands for any number of
 * ops, so what nobody fetches takes no more room than the op itself.
 */
export const noteFor = (
  tx: Transaction,
  own: string,
  { to, place }: { readonly to: string; readonly place: string },
): void => {
  const named = nodeOfZid(tx, to)
  if (named === own || (named === undefined && tx.get('account', to) !== undefined)) return
  tx.put('notice', to, { first: tx.get('notice', to)?.first ?? place, last: place })
}
