import { closed, count, hex64, text } from '#core/schema.ts'
import { type ProvenSuccession, provenSuccessionSchema, type Succession, verifySuccession } from '#core/succession.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { originHash } from '#domain/network/witness/evidence.ts'
import { SUCCESSORS_MAX, type SuccessorRow, withClaim } from '#store/rows/era.ts'

/** The succession that a key's row comes to; undefined when two hands wrote it. */
export const agreedSuccession = (row: SuccessorRow | undefined): Succession | undefined =>
  row?.claims.length === 1 ? row.claims[0]?.succession : undefined

/**
 * One identity key took the place of another: the last event of the old key's event log, and the first of the new
 * one's. It carries its whole proof, so it counts whoever says it first. An old key that signed two successions is in
 * two hands: then neither is its successor.
 */
export const succession = lastingType({
  type: 'succession',
  payload: closed({
    ...provenSuccessionSchema.properties,
    events: closed(
      { origin: text(128), size: count(), root: hex64() },
      { description: "The old key's event log before this event: what counts of it." },
    ),
  }),
  atOnce: true,
  names: (_, { succession: { old_node, new_node } }) => [
    { kind: 'node', name: old_node, isIt: true },
    { kind: 'node', name: new_node, isIt: true },
  ],

  check: ({ sourceNodeId, seq }, { events, ...proven }) => {
    const { old_node, new_node, origin } = proven.succession
    if (events.origin !== origin.replace('tickmesh.log/', 'tickmesh.events/')) return 'The event log is another one.'
    if (sourceNodeId !== old_node && sourceNodeId !== new_node) return 'It is told by neither of its two nodes.'
    if (sourceNodeId === old_node && seq !== events.size) return 'It is not the last event of the old log.'
    try {
      verifySuccession(proven)
      return undefined
    } catch (cause) {
      return cause instanceof Error ? cause.message : 'The succession does not verify.'
    }
  },

  apply: (tx, _, { events, ...proven }) => {
    const { old_node, origin } = proven.succession
    const before = tx.get('successor', old_node)
    if (before === undefined) {
      const known = tx.get('successorCount', 'all') ?? 0
      // Keys cost strangers nothing; for a log that is witnessed here, or named by the policy, there is always room.
      if (known >= SUCCESSORS_MAX && tx.get('witnessed', originHash(origin)) === undefined) return
      tx.put('successorCount', 'all', known + 1)
    }
    tx.put('successor', old_node, withClaim(before, proven as ProvenSuccession, events.size))
  },
})
