import { fromHex } from '#core/bytes.ts'
import { zidOf } from '#core/keys.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import { moved, type OpContext, type TokenRow } from '#core/token/decide.ts'
import type { TokenPlace } from '#core/token/list.ts'
import type { SignedOp, TokenOp } from '#core/token/op.ts'
import { speaksFor } from '#core/token/speaks.ts'
import { relist } from '#domain/economy/book.ts'
import { bondEnds } from '#store/bonds.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { isVoteOver } from '#store/rows/vote.ts'
import type { Transaction } from '#store/transaction.ts'

/** What an op does to the rows of envelopes. */

/** Keys that took over from others, for owners whose ZID is of an earlier key. */
export type Successions = () => readonly ProvenSuccession[]

/** The context of an op at a mesh tick. */
export const contextOf = (
  { public_key: publicKey }: Pick<SignedOp, 'public_key'>,
  meshTick: number,
  { tx, known }: { readonly tx: Pick<Transaction, 'get'>; readonly known: Successions },
): OpContext => {
  // A list has one owner: what is found of it is asked for once a token.
  const found = new Map<string, boolean>()
  const speaks = (owner: string): boolean => {
    const accountKey = (zid: string): string | undefined => tx.get('account', zid)?.public_key
    const answer = speaksFor(publicKey, owner, { accountKey, successions: known() })
    found.set(owner, answer)
    return answer
  }
  return {
    publicKey,
    speaksFor: (owner) => found.get(owner) ?? speaks(owner),
    meshTick,
    released: (ref, kind) => (kind === 'vote' ? isVoteOver(tx, ref, meshTick) : bondEnds(tx, ref, meshTick)),
  }
}

/** The same of an op whose leaf is durable: that a bond's lock might end was decided with it. */
export const appliedContextOf = (...of: Parameters<typeof contextOf>): OpContext => ({
  ...contextOf(...of),
  released: () => true,
})

/** Whose lists an op concerns beside its tokens' owner. */
export const namedBy = ({ op, public_key }: SignedOp): readonly string[] => [
  zidOf(fromHex(public_key)),
  ...('to' in op ? [op.to] : []),
]

/** What of an envelope its moves depend on. */
export const tokenOf = (row: EnvelopeRow): TokenRow => ({
  token_id: row.token_id,
  owner: row.listed_under,
  soulbound: row.soulbound,
  lock: row.lock,
  spend_seq: row.spend_seq,
})

/**
 * The row after an op. A new owner files, opens and shows it anew: how the old one did is none of its business, nor
 * which key sealed it.
 *
 * @throws Fault as {@link moved}
 */
export const movedRow = (
  row: EnvelopeRow | undefined,
  place: TokenPlace,
  how: { readonly op: TokenOp; readonly context: OpContext },
): EnvelopeRow => {
  const { owner, lock, spend_seq } = moved(row === undefined ? undefined : tokenOf(row), place, how)
  const before = row as EnvelopeRow
  if (owner === before.listed_under) return { ...before, lock, spend_seq }
  const { sealed_by: _, shared: __, ...rest } = before
  return { ...rest, listed_under: owner, folder: '', lock, spend_seq }
}

/** Writes the row of a token after an op. @param serial of the op's leaf, as a key part. */
export const putMoved = (
  tx: Transaction,
  { before, after, serial }: { readonly before: EnvelopeRow; readonly after: EnvelopeRow; readonly serial: string },
): void => {
  relist(tx, before, after)
  tx.put('moveOfToken', keyOf(after.token_id, seqKey(after.spend_seq)), serial)
}

/** Writes what an op does to one token. @param serial of the op's leaf, as a key part. */
export const moveToken = (
  tx: Transaction,
  place: TokenPlace,
  { serial, ...how }: { readonly op: TokenOp; readonly context: OpContext; readonly serial: string },
): void => {
  const before = tx.get('envelope', place.token_id)
  putMoved(tx, { before: before as EnvelopeRow, after: movedRow(before, place, how), serial })
}
