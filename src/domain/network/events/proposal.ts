import { openedSchema, proposalId } from '#core/vote/documents.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { keepProposal } from '#domain/network/votes/keep.ts'

/**
 * A vote is open. Its node alone says so, once: of two openings of one proposal the first in that node's log counts, so
 * nobody else's word and no later one moves the close.
 */
export const proposal = lastingType({
  type: 'proposal',
  payload: openedSchema,
  atOnce: false,
  names: (_, { proposal: said }) => [{ kind: 'proposal', name: proposalId(said), isIt: true }],

  check: ({ sourceNodeId, tick }, { proposal: said, closes }) => {
    if (said.node !== sourceNodeId) return 'The proposal is of another node than its source.'
    return closes === tick + said.window_ticks ? undefined : 'The window does not begin with the event.'
  },

  apply: (tx, { sourceNodeId: source, seq, tick }, { proposal: said, closes }) =>
    keepProposal(tx, { id: proposalId(said), proposal: said, opened: { source, seq, tick, closes } }),
})
