import Type from 'typebox'
import { anything, count, json, meshTick, model, oneOf, orNull, tick } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What fires of contracts answer: rows of the audit, and what would come or could. */

const outcomes = ['fired', 'refused', 'failed', 'skipped', 'replaced', 'missed', 'zone_changed', 'changed'] as const

/** A row of a contract's audit. What it says beside its place depends on its outcome: protocols/wire/contract.md. */
export const fireRow = Type.Object(
  {
    no: count({ description: 'Number of the row, from 0.' }),
    tick: tick(),
    mesh_tick: meshTick({ description: 'Mesh tick of the decision.' }),
    outcome: oneOf(outcomes),
  },
  { additionalProperties: true, title: 'ContractFireRow' },
)

const problem = model('ContractProblem', {
  reason: Type.String(),
  message: Type.String(),
  path: Type.Optional(Type.String({ description: 'JSON pointer into the definition.' })),
  position: Type.Optional(count({ description: 'Characters before what refused, in an expression.' })),
  code: Type.Optional(Type.String()),
})

const seen = model('ContractSeen', {
  transition: Type.String(),
  guard: Type.String(),
  values: Type.Record(Type.String(), json()),
})

const wouldBe = ['fired', 'refused', 'none', 'compute'] as const

/** What a decision would come to: nothing of it was done. */
export const wouldView = model('ContractWould', {
  would: oneOf(wouldBe, { description: 'compute: it goes on with what a computation gives, which was not run.' }),
  from: Type.String(),
  to: orNull(Type.String()),
  steps: Type.Array(Type.String(), { description: 'Transitions, in order.' }),
  context: Type.Record(Type.String(), json()),
  effects: Type.Array(anything()),
  problem: orNull(problem),
  seen: Type.Array(seen, { description: 'Guards that were false, and what they read.' }),
  compute: orNull(anything(), { description: 'The computation that it waits for, with its price.' }),
})
export type WouldView = View<typeof wouldView>

const waits = model('ContractWaits', {
  kind: Type.String({ description: 'Kind of its trigger.' }),
  trigger: Type.String(),
  event: orNull(Type.String()),
  from: orNull(Type.String({ description: 'Slug of the machine that the event comes from; null for its own.' })),
  due: orNull(count({ description: 'The next instant, as its cause names it.' })),
  tick: orNull(meshTick({ description: 'The mesh tick in which that is decided, without jitter.' })),
  guarded: Type.Boolean(),
})

/** What each transition of the present state would do now. */
export const previewView = model('ContractPreview', {
  id: Type.String(),
  tick: tick(),
  state: Type.String(),
  status: Type.String(),
  transitions: Type.Array(Type.Object({ transition: Type.String(), waits, would: orNull(wouldView) })),
})
export type PreviewView = View<typeof previewView>

/** What could come next, and what each waits for. */
export const superpositionView = model('ContractSuperposition', {
  id: Type.String(),
  tick: tick(),
  state: Type.String(),
  status: Type.String(),
  states: Type.Array(Type.Object({ to: Type.String(), transition: Type.String(), waits })),
})
export type SuperpositionView = View<typeof superpositionView>

/** A page of a contract's audit, newest first. */
export const auditPage = model('ContractAudit', {
  id: Type.String(),
  rows: Type.Array(fireRow),
  next_after: orNull(count({ description: 'Where the next page begins.' })),
})

/** A transition that was taken, as members of the machine see it in a stream: no value of it. */
export const takenView = model('ContractTaken', {
  no: count(),
  tick: tick(),
  mesh_tick: meshTick(),
  fire: Type.String(),
  from: Type.String(),
  to: Type.String(),
  steps: Type.Array(Type.String()),
  version_no: count(),
  attempt: count(),
  seq: orNull(count({ description: 'Its entry in the machine’s chain.' })),
})
export type TakenView = View<typeof takenView>

/** What came of deciding every row of an audit again. */
export const verifiedView = model('ContractVerified', {
  id: Type.String(),
  rows: count({ description: 'Rows that were looked at.' }),
  decided: count({ description: 'Fires that were decided again.' }),
  equal: Type.Boolean(),
  differs: orNull(Type.Object({ no: count(), what: Type.String() }), { description: 'The first row that differs.' }),
})
export type VerifiedView = View<typeof verifiedView>
