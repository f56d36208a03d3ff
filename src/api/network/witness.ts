import Type from 'typebox'
import { closed, count, nodeId, oneOf, orNull, text } from '#core/schema.ts'
import type { Standing } from '#domain/network/standing.ts'
import type { WitnessStatus } from '#domain/network/witness/witness.ts'

/** How far a log counts here. */
export const standingSchema = closed(
  {
    counts: Type.Boolean(),
    up_to: orNull(count(), { description: 'Leaves from this index on count for nothing; null for no bound.' }),
    because: oneOf(['open', 'policy', 'outside_policy', 'other_policy', 'evidence', 'superseded']),
  },
  { description: 'Whether its tokens, bonds, stakes and events count here, by mesh policy and evidence.' },
)

const cosigned = closed({
  origin: text(256),
  size: orNull(count(), { description: 'Of its newest checkpoint.' }),
  witnessed: count({ description: 'Cosignatures of that checkpoint.' }),
  quorum_size: orNull(count(), { description: 'The newest size that met the quorum; without one, that was cosigned.' }),
  witnesses: Type.Array(closed({ name: text(256), size: count() }), { description: 'Largest size each cosigned.' }),
})

const evidence = closed({
  origin: text(256),
  node: nodeId(),
  size: count({ description: 'Nothing of the log counts beyond it.' }),
  larger: count(),
  notes: Type.Array(text(1_024), { description: 'Two notes of one key that no log can have grown through.' }),
  prefix: orNull(closed({ root: text(64), path: Type.Array(text(64)) })),
})

/** What a node says of itself as a witness, and of its own logs as others witness them. */
export const witnessSchema = closed({
  name: text(256),
  vkey: text(512),
  logs_known: count({ description: 'Logs of others that it has cosigned, beside those of the policy.' }),
  policy: text(128),
  quorum: oneOf(['none', 'asked'], { description: 'Whether the policy asks for cosignatures.' }),
  logs: Type.Array(cosigned),
  evidence: Type.Array(evidence, { maxItems: 64, description: 'Logs proved to have signed two histories.' }),
  state: oneOf(['growing', 'unconfirmed', 'rolled_back'], {
    description: 'rolled_back: its own key has signed more than its log holds, and nothing is sealed.',
  }),
  lost: orNull(closed({ log: text(64), origin: text(256), size: count(), signed: count(), from: text(256) }), {
    description: 'What was signed and is not held, and who showed it.',
  }),
})

/** A witness's status as the wire has it. */
export const witnessShown = ({ logs, evidence: proved, lost, ...rest }: WitnessStatus) => ({
  ...rest,
  logs: logs.map((it) => ({ ...it, witnesses: it.witnesses.map((witness) => ({ ...witness })) })),
  evidence: proved.map((it) => ({
    ...it,
    notes: [...it.notes],
    prefix: it.prefix === null ? null : { root: it.prefix.root, path: [...it.prefix.path] },
  })),
  lost: lost === null ? null : { ...lost },
})

/** A standing as the wire has it. */
export const standingShown = (standing: Standing) => ({ ...standing })
