import { toHex } from '#core/bytes.ts'
import { accountCaller, type Caller } from '#core/caller.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import { misfit } from '#core/schema.ts'
import { CASES_MAX, CASES_MIN, type Proposal, proposalId, proposalSchema } from '#core/vote/documents.ts'
import { randomBytes } from '#crypto'
import type { ProposalView } from '#domain/network/views/votes.ts'
import { countKeys, PROPOSALS_MAX } from '#store/rows/vote.ts'
import { measureCases, proposedOperator } from './evaluate.ts'
import type { Show } from './show.ts'
import type { ProposeOrder, VoteOptions } from './types.ts'

const NONCE_BYTES = 16
/** Canonical bytes of a proposal: what fits into its event, with room for all that is around it. */
const PROPOSAL_BYTES_MAX = 49_152

/** Writes drafts, and opens votes on them. */
export const createDrafts = (options: VoteOptions, show: Show) => {
  const { store, economy, recorder, registry, nodeId, policyName } = options

  const proposalOf = (author: string, { row, cases, window_ticks }: ProposeOrder): Proposal => {
    const said = { row, cases: [...cases], window_ticks, policy: policyName, registry_version: registry.version }
    const nonce = toHex(randomBytes(NONCE_BYTES))
    const proposal = { v: 1, node: nodeId, author, nonce, ...said } as Proposal
    const wrong = misfit(proposalSchema, proposal)
    if (wrong !== undefined) throw new Fault('INVALID_INPUT', wrong)
    const bytes = canonicalBytes(proposal as unknown as Json).length
    if (bytes > PROPOSAL_BYTES_MAX) {
      const detail = `A proposal is at most ${PROPOSAL_BYTES_MAX} bytes.`
      throw new Fault('INVALID_INPUT', detail, { bytes, limit: PROPOSAL_BYTES_MAX })
    }
    return proposal
  }

  /** @throws Fault INVALID_INPUT {cases} */
  const assertCases = (count: number): void => {
    if (count >= CASES_MIN && count <= CASES_MAX) return
    throw new Fault('INVALID_INPUT', `A proposal has ${CASES_MIN} to ${CASES_MAX} reference cases.`, { cases: count })
  }

  const propose = async (caller: Caller, order: ProposeOrder, repeat?: Repeat): Promise<WithReplayed<ProposalView>> => {
    const { zid } = accountCaller(caller)
    assertCases(order.cases.length)
    const operator = proposedOperator(registry, order.row)
    const measured = measureCases(registry, operator, order.cases)
    const proposal = proposalOf(zid, order)
    const id = proposalId(proposal)
    const input = digest(purposes.request, { ...order } as unknown as Json)
    const once =
      repeat?.key === undefined ? undefined : await economy.idempotent(caller, repeat.scope, repeat.key, input)
    if (once?.kind === 'replay') return { ...(await show.view((once.answer as { id: string }).id)), replayed: true }
    try {
      await store.commit((tx) => {
        const count = tx.get('voteCount', countKeys.proposals) ?? 0
        if (count >= PROPOSALS_MAX) throw new Fault('NODE_BUSY', 'As many proposals are known here as fit.')
        tx.put('voteCount', countKeys.proposals, count + 1)
        tx.put('proposal', id, { proposal, measured, opened: null, promoted: null })
        once?.keep(tx, () => ({ id }))
      })
    } finally {
      once?.release()
    }
    return { ...(await show.view(id)), replayed: false }
  }

  const openVote = async (caller: Caller, id: string): Promise<ProposalView> => {
    const { zid } = accountCaller(caller)
    await store.commit((tx) => {
      const row = tx.get('proposal', id)
      if (row === undefined || row.proposal.author !== zid || row.proposal.node !== nodeId) throw new Fault('NOT_FOUND')
      if (row.opened !== null) {
        const { closes } = row.opened
        throw new Fault('VOTE_CLOSED', 'The vote was opened before.', { state: 'voting', closes })
      }
      recorder.in(tx, 'proposal', {
        proposal: row.proposal,
        closes: tx.meshTick + row.proposal.window_ticks,
      } as unknown as Json)
    })
    return show.view(id)
  }

  return { propose, openVote }
}
