import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Signer } from '#core/keys.ts'
import { changedOnce, countOf, packSorted, placesOf, type TokenList, tokensRoot } from '#core/token/list.ts'
import { OP_VALID_TICKS_MAX, opDigest, type SignedOp } from '#core/token/op.ts'
import { signOpWith } from '#core/token/order.ts'
import type { TokenReceipt } from '#core/token/receipt.ts'
import type { Bond } from '#core/work/bond.ts'
import { bondRef } from '#store/bonds.ts'
import { readList } from '#store/op-lists.ts'
import type { Store } from '#store/store.ts'
import type { HomeList } from './tokens.ts'
import type { ContributionPorts } from './types.ts'

/** The ops that lock the parts of a bond and let them go again, through the one door of moves. */

/** The key of an account that the node keeps. @throws Fault SCOPE_REQUIRED */
export const signerOf = ({ store, custody }: Pick<ContributionPorts, 'store' | 'custody'>, zid: string): Signer => {
  const account = store.peek('account', zid)
  const signer = account === undefined ? undefined : custody(account)
  if (signer === undefined)
    throw new Fault('SCOPE_REQUIRED', 'The node keeps no key of this account.', { scope: 'owner' })
  return signer
}

/** Signs the lock of a home's part, or what ends it, of the list as it is then. */
export const signPartOp = (
  signer: Signer,
  name: string,
  { op, home, list, meshTick }: HomeList & { readonly op: 'lock' | 'unlock'; readonly meshTick: number },
): Promise<SignedOp> =>
  signOpWith(signer, {
    ...{ home, op, ref: bondRef(name), until: null, tokens_root: tokensRoot(list), count: countOf(list) },
    ...{ mesh_tick: meshTick, valid_to: meshTick + OP_VALID_TICKS_MAX },
  })

/** The list of a part once its lock was applied: each token at one change more. */
export const lockedList = (list: TokenList): TokenList => packSorted(changedOnce(placesOf(list)))

/** Applies an op with its list. The same op again gives the same receipt. @throws Fault as the door */
export const applyOp = async (
  { moves }: Pick<ContributionPorts, 'moves'>,
  { op, public_key, signature }: SignedOp,
  list: TokenList,
): Promise<TokenReceipt> =>
  (await moves.apply({ op, list: [...placesOf(list)], signature, public_key })).receipt.receipt

/** Digest of a receipt, as a bond names it. */
const receiptDigest = (receipt: TokenReceipt): string => digest(purposes.tokenReceipt, receipt as unknown as Json)

/** A bond's part, from the receipt of its lock. */
export const partOf = (receipt: TokenReceipt): Bond['parts'][number] => ({
  home: receipt.home,
  tokens_root: receipt.tokens_root,
  count: receipt.count,
  receipt: receiptDigest(receipt),
  index: receipt.index,
})

/** Whether an op was applied here. */
export const isApplied = async (store: Store, { op }: SignedOp): Promise<boolean> =>
  (await store.get('moveByDigest', opDigest(op))) !== undefined

/** The list that an applied op moved. */
export const listOfOp = async (store: Store, { op }: SignedOp): Promise<TokenList> => {
  const list = await readList(store, 'moveList', opDigest(op))
  assert(countOf(list) === op.count, 'an applied op has its list')
  return list
}
