import type { UnsignedEvent } from '#core/events.ts'
import { type Resolved, type SignedStake, stakeId } from '#core/vote/documents.ts'
import { keyOf } from '#store/layout.ts'
import {
  countKeys,
  PROPOSALS_MAX,
  type ProposalRow,
  proposalTickKey,
  RESOLUTIONS_ALL_MAX,
  RESOLUTIONS_MAX,
  STAKES_ALL_MAX,
  STAKES_MAX,
} from '#store/rows/vote.ts'
import type { Transaction } from '#store/transaction.ts'

/** What events of votes write: unions, with bounds on what strangers fill. */

/** Counts one more under each key, unless one of them is full. @returns whether there was room */
const counted = (tx: Transaction, bounds: Readonly<Record<string, number>>): boolean => {
  const counts = Object.entries(bounds).map(([key, max]) => ({ key, max, count: tx.get('voteCount', key) ?? 0 }))
  if (counts.some(({ count, max }) => count >= max)) return false
  for (const { key, count } of counts) tx.put('voteCount', key, count + 1)
  return true
}

/** Keeps a proposal, or notes that the vote on a draft of this node is open. */
export const keepProposal = (
  tx: Transaction,
  { id, proposal, opened }: Pick<ProposalRow, 'proposal' | 'opened'> & { readonly id: string },
): void => {
  const before = tx.get('proposal', id)
  const known = before?.opened ?? null
  // Of two openings the first in their log counts, in whatever order they came.
  if (known !== null && (opened === null || opened.seq >= known.seq)) return
  if (known !== null) tx.del('proposalByTick', proposalTickKey(known.tick, id))
  if (before === undefined && !counted(tx, { [countKeys.proposals]: PROPOSALS_MAX })) return
  tx.put('proposal', id, { measured: null, promoted: null, ...before, proposal, opened })
  if (opened !== null) tx.put('proposalByTick', proposalTickKey(opened.tick, id), true)
}

/** Keeps a stake, once for each node that tells of it. */
export const keepStake = (tx: Transaction, { sourceNodeId: source, seq, tick }: UnsignedEvent, signed: SignedStake) => {
  const { proposal } = signed.stake
  const key = keyOf(proposal, stakeId(signed), source)
  const before = tx.get('stake', key)
  if (before !== undefined && before.seq <= seq) return
  if (
    before === undefined &&
    !counted(tx, { [countKeys.stakes(proposal)]: STAKES_MAX, [countKeys.stakesAll]: STAKES_ALL_MAX })
  )
    return
  tx.put('stake', key, { source, seq, tick, signed })
}

/**
 * Keeps what a node counted; of several words of one node that which came last in its log. Whether it is dated after
 * the close is asked when it is read: its proposal may come later.
 */
export const keepResolution = (tx: Transaction, { sourceNodeId: source, seq, tick }: UnsignedEvent, it: Resolved) => {
  const key = keyOf(it.proposal, source)
  const before = tx.get('resolution', key)
  if (before !== undefined && before.seq >= seq) return
  const bounds = {
    [countKeys.resolutions(it.proposal)]: RESOLUTIONS_MAX,
    [countKeys.resolutionsAll]: RESOLUTIONS_ALL_MAX,
  }
  if (before === undefined && !counted(tx, bounds)) return
  tx.put('resolution', key, { source, seq, tick, resolved: it })
  const newest = countKeys.counted(it.proposal)
  tx.put('voteCount', newest, Math.max(tick, tx.get('voteCount', newest) ?? 0))
}
