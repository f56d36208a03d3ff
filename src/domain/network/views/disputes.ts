import Type from 'typebox'
import { challengeSchema } from '#core/dispute/challenge.ts'
import { rulingOutcomes } from '#core/dispute/statements.ts'
import { anything, count, hex64, meshTick, model, nodeId, oneOf, orNull, text } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { signedAcceptSchema } from '#core/work/accept.ts'
import { signedOfferSchema } from '#core/work/offer.ts'
import { signedWorkSchema } from '#core/work/work.ts'

const when = () =>
  Type.Object({ at: orNull(meshTick(), { description: 'Null while pending.' }), mark: orNull(text(16)) })

const members = {
  id: hex64({ description: 'Id of the event of the challenge.' }),
  work: hex64({ description: 'Digest of the work.' }),
  challenger: nodeId(),
  requester: nodeId(),
  worker: nodeId(),
  kind: oneOf(['wrong', 'unavailable']),
  segment: orNull(Type.Union([count(), text(8)])),
  when: when(),
  phase: oneOf(['refused', 'pending', 'documents', 'w', 'c', 'duty', 'ended']),
  refused: orNull(text(32), { description: 'Why the challenge opened no dispute.' }),
  end: orNull(Type.Object({ how: text(16), at: meshTick() })),
  verdict: orNull(text(32), { description: 'What this node found when it ran the segment itself.' }),
  until: orNull(meshTick(), { description: 'The last mesh tick at which it can still be open.' }),
}

/** A dispute in a list. */
export const disputeItem = model('DisputeItem', members)
export type DisputeItem = View<typeof disputeItem>

/** A page of disputes, the newest first. */
export const disputePage = model('DisputePage', {
  total: count(),
  open: count(),
  offset: count(),
  items: Type.Array(disputeItem),
})
export type DisputePage = View<typeof disputePage>

const blob = () =>
  orNull(
    Type.Object({
      sha256: orNull(hex64()),
      size: count(),
      base64: orNull(Type.String(), { description: 'The bytes, where they are few enough to stand here.' }),
    }),
    { description: 'Null where this node does not have it.' },
  )

/** A dispute with everything that its check needs. */
export const disputeView = model('DisputeView', {
  ...members,
  mesh_tick: meshTick(),
  challenge: challengeSchema,
  signature: Type.String(),
  dossier: orNull(Type.Object({ offer: signedOfferSchema, accept: signedAcceptSchema, work: signedWorkSchema }), {
    description: 'What requester and worker signed; null while it is not here.',
  }),
  inputs: orNull(anything(), { description: 'The full inputs; null while they are not here.' }),
  before: blob(),
  records: blob(),
  draw: orNull(Type.Object({ w: orNull(hex64()), w_until: meshTick(), c: orNull(hex64()), c_until: meshTick() })),
  ranks: Type.Array(nodeId(), { description: 'Who may rule, in the order of duty.' }),
  rulings: Type.Array(
    Type.Object({ event: hex64(), author: nodeId(), outcome: oneOf(rulingOutcomes), at: meshTick() }),
  ),
  own: orNull(Type.Object({ outcome: text(32), recomputed: orNull(hex64()), at: meshTick() }), {
    description: "This node's own check.",
  }),
  claimed: orNull(hex64(), { description: 'What the worker says is there.' }),
  bond: orNull(hex64()),
  withheld_by: Type.Array(nodeId(), { description: 'Homes that say that they withheld the bond.' }),
  steps: Type.Array(
    Type.Object({
      what: text(32),
      by: nodeId(),
      at: orNull(meshTick()),
      until: orNull(meshTick()),
      done: Type.Boolean(),
    }),
    { description: 'What happened and what is owed, by whom and until when, in the order of time.' },
  ),
})
export type DisputeView = View<typeof disputeView>
