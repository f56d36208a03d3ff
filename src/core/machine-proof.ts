import Type from 'typebox'
import type { Json } from './canonical.ts'
import { type LogTrust, type LogVerification, logChecks, refuse, takeSteps } from './log-trust.ts'
import { type Entry, type EntryProof, entryFault, entryHash, headFault, machineIdHash } from './machine.ts'
import { LEVELS_MAX } from './merkle.ts'
import { NOTE_BYTES_MAX } from './note.ts'
import { closed, closedModel, count, fitting, hex64, json, text, tick } from './schema.ts'

const TYPE_CHARS_MAX = 64

/** Form of an entry: unknown members are refused, since nothing would bind them. */
export const entrySchema = closedModel('Entry', {
  seq: count(),
  previous: hex64(),
  tick: tick(),
  type: text(TYPE_CHARS_MAX, { minLength: 1 }),
  body: json(),
})

/** Form of a machine's head. */
export const headSchema = closed({ id_hash: hex64(), seq: count(), hash: hex64(), size: count(), root: hex64() })

const path = Type.Array(hex64(), { maxItems: LEVELS_MAX })

/** Form of the members that place a head in its node's log. */
export const inLogMembers = { head: headSchema, head_index: count(), head_path: path, checkpoint: text(NOTE_BYTES_MAX) }

/** Form of the proof of an entry. */
export const entryProofSchema = closed({ path, ...inLogMembers })

const provedSchema = closed({ entry: entrySchema, proof: entryProofSchema })

/** An entry as a node lists it. */
export interface EntryRow {
  readonly seq: number
  readonly prevHash: string
  readonly tickNumber: number
  readonly transitionType: string
  readonly body: unknown
  /** The entry's hash. */
  readonly stateHash: string
}

/** The hashed form of an entry that a node lists. */
export const entryOfRow = ({
  seq,
  prevHash: previous,
  tickNumber: tick,
  transitionType: type,
  body,
}: EntryRow): Entry => ({
  ...{ seq, previous, tick, type },
  body: body as Json,
})

/** The steps of a verification, in the order in which they are taken; the last one only where there is a policy. */
export type EntryStepName = 'form' | 'key' | 'entry' | 'identity' | 'chain' | 'checkpoint' | 'inclusion' | 'quorum'

/** What is known of an entry before its proof is asked for. */
export interface ShownEntry {
  readonly slug: string
  /** Genesis hash of the machine. */
  readonly genesis: string
  readonly row: EntryRow
}

interface Proved {
  readonly entry: Entry
  readonly proof: EntryProof
}

const checkEntry = ({ row }: ShownEntry, { entry }: Proved): string => {
  const hash = entryHash(entry)
  if (hash !== row.stateHash) return refuse('The entry is not the one that is shown.')
  if (hash !== entryHash(entryOfRow(row))) return refuse('What is shown of the entry has another hash.')
  return `Entry ${entry.seq} has the hash ${hash}.`
}

const checkIdentity = ({ slug, genesis }: ShownEntry, { proof: { head } }: Proved): string => {
  const id = machineIdHash(slug, genesis)
  return head.id_hash === id ? `${slug}, id hash ${id}.` : refuse('The head is of another machine.')
}

const checkChain = ({ entry, proof }: Proved): string => {
  const why = entryFault(entry, proof)
  return why === undefined ? `It is leaf ${entry.seq} of the ${proof.head.size} under the head.` : refuse(why)
}

/**
 * Verifies what a node answers for an entry, by arithmetic alone: that its checkpoint is of a log that is trusted, that
 * the entry is the one shown, that the machine is the one named, its place under the machine's head, the signature, and
 * the head's place under that. It stops at the first step that does not hold. Never throws on a bad answer or key.
 *
 * @param answer whatever came, with `entry` and `proof`; other members are not looked at.
 */
export const verifyEntry = (
  shown: ShownEntry,
  answer: unknown,
  trust: LogTrust = {},
): LogVerification<EntryStepName> => {
  const { entry, proof } = { ...(answer as object | null) } as Proved
  const proved: Proved = { entry, proof }
  const form = (): string => {
    fitting(provedSchema, proved)
    return 'Entry and proof can be read.'
  }
  const log = logChecks(
    () => proof,
    () => trust,
    trust.policy,
  )
  return takeSteps<EntryStepName>([
    ['form', form],
    ['key', log.key],
    ['entry', () => checkEntry(shown, proved)],
    ['identity', () => checkIdentity(shown, proved)],
    ['chain', () => checkChain(proved)],
    ['checkpoint', log.checkpoint],
    ['inclusion', () => log.found((tree) => headFault(proof, tree))],
    ...(log.quorum === undefined ? [] : [['quorum', log.quorum] as const]),
  ])
}
