import Type from 'typebox'
import { patterns } from '#core/ids.ts'
import { count, hex64, integer, meshTick, model, oneOf, orNull, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { contributionModes } from '#core/work/mode.ts'

/** What the node answers about contributed work: its rules, who contributes, and its own part. */

/** What a node does with its threads. */
export const contributionMode = oneOf(contributionModes, { description: 'What the node does with its threads.' })

/** Rules of the mesh as this release has them, numbers and what they mean. */
export const contributionPolicy = model('ContributionPolicy', {
  policy: Type.String({ description: 'The mesh policy this node goes by: `open`, or the SHA-256 of its file.' }),
  bond_envelopes: count(),
  works_open_max: count({ description: 'Works that a bond answers for at a time.' }),
  dispute_ticks: count({ description: 'After its publication, in which a work may be challenged.' }),
  serve_ticks: count({ description: 'Beyond that, for which data are served and the lock stays.' }),
  unchecked_ticks_max: count({ description: 'That a lock may outlive its end while a home cannot check.' }),
  estimate_ticks_max: count({ description: 'Of the largest work that can be offered under a bond.' }),
  units_per_tick: count({ description: 'Work units that a node is taken to do in a tick.' }),
  samples: Type.Object({ default: count(), strict: count() }),
  audit_rate_millionths: Type.Object({ default: count(), least: count(), new_worker: count() }),
  reveal_ticks: count({ description: 'That each side has to reveal its value of a draw.' }),
  duty_ticks_min: count({ description: 'That a rank has to rule, at least.' }),
  ranks_max: count({ description: 'Pool members that are called to rule, one after another.' }),
  open_by_one_max: count({ description: 'Disputes that one challenger may have open.' }),
  open_over_work_max: count({ description: 'Disputes over one work.' }),
  census_least: count({ description: 'Nodes that a count must have to be shown.' }),
  said: Type.Array(Type.String(), { description: 'What is promised and what is not, in sentences.' }),
})
export type ContributionPolicy = View<typeof contributionPolicy>

const group = { mode: contributionMode, nodes: count({ description: 'Never fewer than three.' }) }

/** How many nodes do what, as far as this one has heard; no identity, and nothing under three. */
export const contributionCensus = model('ContributionCensus', {
  modes: Type.Array(Type.Object(group), { description: 'One row for each mode that at least three nodes are in.' }),
  kernels: Type.Array(
    Type.Object({ ...group, kernels: hex64({ description: 'Digest of the names and bytes of all kernels.' }) }),
    { description: 'The same by kernel set, where what is left out is of at least three nodes too.' },
  ),
})
export type ContributionCensus = View<typeof contributionCensus>

const home = () => Type.String({ pattern: patterns.logName, description: 'The log that minted them.' })

/** A bond of this node. */
export const bondView = model('BondOfNode', {
  bond: hex64({ description: 'Its name.' }),
  state: oneOf(['locking', 'held', 'releasing', 'over', 'withheld', 'undoing']),
  count: count({ description: 'Envelopes.' }),
  since: orNull(meshTick(), { description: 'Mesh tick of its event; null before.' }),
  homes: Type.Array(Type.Object({ home: home(), count: count(), tokens_root: hex64() })),
  lock: Type.Object({ kind: Type.Literal('bond'), ref: hex64(), until: Type.Null() }),
  released: orNull(meshTick(), { description: 'When its release was said.' }),
  unlocks_at: orNull(meshTick(), {
    description:
      'Mesh tick from which its envelopes are free: as said at release, or as it would be now. It may move later.',
  }),
  at_risk: count({ description: 'Sum of the faces: what is lost if a work under it is proven wrong.' }),
})
export type BondView = View<typeof bondView>

/** A page of the envelopes under a bond. */
const attestation = Type.Object({
  total: count(),
  offset: count(),
  tokens: Type.Array(Type.Object({ token_id: tokenId(), spend_seq: count(), home: home() })),
})

const record = Type.Object({
  done: count(),
  audited: count(),
  right: count(),
  wrong: count(),
  unavailable: count(),
})

/** What a node contributes, and what that costs and risks. */
export const contributionStatus = model('ContributionStatus', {
  mode: contributionMode,
  since: orNull(meshTick(), { description: 'Mesh tick since when it is in that mode; null for one never changed.' }),
  mesh_tick: meshTick(),
  heartbeat: orNull(meshTick(), { description: 'Mesh tick of the last heartbeat since the start; null without one.' }),
  bond: orNull(bondView),
  attestation,
  needed: count({ description: 'Envelopes of a bond.' }),
  held: count({ description: "The caller's envelopes that nothing ties, counted to `needed` at most." }),
  days_remaining: count({
    description: 'Days until the caller has enough, by free credits alone: ceil((needed − held) · 3 / 128).',
  }),
  works: Type.Object({ open: count(), max: count() }),
  record,
  disputes: Type.Object({ until: orNull(meshTick(), { description: 'Until when open ones can last at most.' }) }),
})
export type ContributionStatus = View<typeof contributionStatus>

/** What a change of the node's part comes to. */
export const modeView = model('ContributionMode', {
  mode: contributionMode,
  since: orNull(meshTick()),
  mesh_tick: meshTick(),
})
export type ModeView = View<typeof modeView>

/** A release: what was said, and what holds now. */
export const releaseView = model('BondReleased', {
  bond: hex64(),
  released: meshTick(),
  unlocks_at: meshTick({ description: 'It may move later, never earlier.' }),
  mesh_tick: meshTick(),
})
export type ReleaseView = View<typeof releaseView>

/** How many envelopes of which to bond. */
export const bondInput = {
  count: Type.Optional(integer({ minimum: 0, maximum: BOND_TOKENS, description: 'A bond takes 1,000.' })),
  token_ids: Type.Optional(
    Type.Array(tokenId(), { maxItems: BOND_TOKENS, description: 'Which; otherwise the node chooses.' }),
  ),
}
