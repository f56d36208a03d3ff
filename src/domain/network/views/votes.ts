import Type from 'typebox'
import { closedModel, count, credits, finite, hex64, meshTick, nodeId, oneOf, orNull, text, zid } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { caseSchema, countings, resolvedSchema, rowSchema, sides, tallySchema } from '#core/vote/documents.ts'

/** What is answered of proposals and votes. */

export const proposalStates = ['draft', 'voting', 'resolved', 'promoted', 'rejected'] as const

/** Why a stake does not count, or not yet. */
export const reasons = [
  'lock_pending',
  'not_cosigned',
  'other_policy',
  'outside_policy',
  'superseded',
  'evidence',
  'home',
  'quorum',
  'lock_ends',
  'too_late',
  'voided',
  'other_side',
  'lock_counted',
] as const

const summary = {
  id: hex64({ description: 'Digest of what the proposal says.' }),
  state: oneOf(proposalStates),
  operator: text(64, { description: 'Id of the proposed operator.' }),
  name: text(2_000),
  domain: text(64),
  equation: text(2_000),
  source: text(2_000, { description: 'The book or paper that it is from.' }),
  author: zid({ description: 'Who wrote it, by the word of its node.' }),
  node: nodeId({ description: 'Where it was written.' }),
  window_ticks: count({ description: 'Mesh ticks for which its vote is open.' }),
  opened: orNull(meshTick(), { description: 'Mesh tick at which the vote began; null for a draft.' }),
  closes: orNull(meshTick(), { description: 'The last mesh tick that counts.' }),
  closed: Type.Boolean({ description: 'Whether that tick is over.' }),
  settles: orNull(meshTick(), { description: 'Mesh tick from which the result is settled.' }),
  settled: Type.Boolean({ description: 'The result stands, but for a counting stake that is found later.' }),
  counts_here: Type.Boolean({ description: 'False: it goes by another mesh policy, and nothing of it is counted.' }),
  tally: tallySchema,
}

/** A proposal, as a list shows it. */
export const proposalItem = closedModel('ProposalItem', summary)
export type ProposalItem = View<typeof proposalItem>

/** A page of proposals. */
export const proposalPage = closedModel('ProposalPage', {
  proposals: Type.Array(proposalItem, { description: 'Whose vote was opened last, first. Drafts are in no list.' }),
  limit: count(),
  offset: count(),
  total: count({ description: 'Proposals whose vote was opened, on all pages.' }),
  mesh_tick: meshTick(),
})
export type ProposalPage = View<typeof proposalPage>

/** One stake, and whether it counts. */
export const stakeView = closedModel('VoteStake', {
  id: hex64({
    description: 'Digest of what the staker signed; of a lock that waits for its checkpoint, that of the op.',
  }),
  zid: zid(),
  side: oneOf(sides),
  count: count({ description: 'Envelopes.' }),
  weight: orNull(credits(), { description: 'Sum of their faces, by the receipt; null until there is one.' }),
  home: text(128, { description: 'The log that minted them.' }),
  node: nodeId({ description: 'Whose event it is.' }),
  mesh_tick: orNull(meshTick(), { description: 'When it happened, as far as is known.' }),
  counting: oneOf(countings),
  why: orNull(oneOf(reasons)),
  locked_until: orNull(meshTick(), {
    description: 'The lock is void from this mesh tick on, whoever resolves or not.',
  }),
})
export type StakeView = View<typeof stakeView>

/** Stakes that one answer shows. */
export const STAKES_SHOWN_MAX = 256

/** A proposal, whole. */
export const proposalView = closedModel('Proposal', {
  ...summary,
  row: rowSchema,
  cases: Type.Array(caseSchema),
  measured: orNull(Type.Array(finite({ minimum: 0 })), {
    description: 'Errors that this node measured in the cases, in percent; null where it cannot compute the row.',
  }),
  policy: text(64, { description: 'The mesh policy that it goes by: open, or its SHA-256.' }),
  registry_version: text(128),
  stakes: Type.Array(stakeView, { maxItems: STAKES_SHOWN_MAX, description: 'The newest; the tally is of all.' }),
  stakes_total: count(),
  resolutions: Type.Array(
    Type.Object({ node: nodeId(), mesh_tick: meshTick(), ...resolvedSchema.properties }, { title: 'VoteResolution' }),
    { description: 'What nodes said that they counted. Each node counts for itself.' },
  ),
  promoted: orNull(Type.Object({ root: hex64(), mesh_tick: meshTick(), by: zid() }), {
    description: 'Which count a person of this node saw when they let it through. The merge is a maintainer’s.',
  }),
  last_tick: orNull(meshTick(), { description: 'The last mesh tick at which this node takes a stake.' }),
  mesh_tick: meshTick(),
})
export type ProposalView = View<typeof proposalView>

/** A stake that was made. */
export const staked = closedModel('Staked', {
  proposal: hex64(),
  op_digest: hex64({ description: 'Digest of the lock, a move of the account.' }),
  stake: stakeView,
})
export type Staked = View<typeof staked>

/** What was counted. */
export const resolved = closedModel('VoteResolved', {
  ...summary,
  returned: count({ description: 'Envelopes of accounts of this node that are free again.' }),
})
export type ResolvedView = View<typeof resolved>
