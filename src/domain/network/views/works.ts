import Type from 'typebox'
import { count, hex64, meshTick, model, nodeId, oneOf, orNull, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'
import { auditFindings } from '#core/work/audit.ts'
import { workPlaceSchema } from '#core/work/published.ts'

/** How jobs stand that left this node, or came to it. */
export const workStates = ['offered', 'running', 'working', 'done', 'accepted', 'wrong', 'over'] as const

/** One try at one job, as this node knows it. */
export const workItem = model('WorkItem', {
  role: oneOf(['worker', 'requester'], { description: 'What this node is in it.' }),
  job: Type.Object({ requester: nodeId(), random: Type.String() }),
  attempt: count(),
  with: nodeId({ description: 'The node at the other end.' }),
  kind: Type.String({ description: 'Name of the solver.' }),
  state: oneOf(workStates),
  reason: orNull(Type.String(), { description: 'Why it came to nothing.' }),
  offered: meshTick(),
  deadline: meshTick(),
  inputs: hex64({ description: 'inputs_digest.' }),
  work: orNull(hex64(), { description: 'Digest of the work; null before there is one.' }),
  result: orNull(hex64(), { description: 'result_digest.' }),
  at_risk: Type.Boolean({ description: 'Whether a bond answers for it.' }),
  bond: orNull(hex64()),
  place: orNull(workPlaceSchema, { description: 'Where it was published; null before.' }),
  published: orNull(meshTick()),
  disputable_until: orNull(meshTick(), { description: 'The last mesh tick at which a dispute over it may be opened.' }),
  found: orNull(Type.Object({ audit: oneOf(auditFindings), samples: count(), of: count() })),
  token_id: orNull(tokenId(), { description: 'The envelope that it became here.' }),
})
export type WorkItem = View<typeof workItem>

/** A page of jobs, the newest first. */
export const workPage = model('WorkPage', { total: count(), offset: count(), items: Type.Array(workItem) })
export type WorkPage = View<typeof workPage>
