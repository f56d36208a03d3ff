import { type Checkpoint, openCheckpoint } from '#core/checkpoint.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { publicKeyOf } from '#core/keys.ts'
import { parseNote, parseVkey, type Verifier, verifierOf } from '#core/note.ts'
import { provenPast } from '#core/succession.ts'

/** Whom this page trusts: the log key that it pinned when it was opened, and the keys before it with their proofs. */
export interface Pinned {
  readonly vkey: string
  readonly past: unknown
}

/** The key of a log of the pinned node, by the name that the log gives itself. @throws Fault BAD_SIGNATURE */
const verifierFor = ({ vkey, past }: Pinned, origin: string): { readonly log: Verifier; readonly by: string } => {
  const pinned = parseVkey(vkey)
  const events = pinned.name.replace(/^tickmesh\.log\//, 'tickmesh.events/')
  const own = 'the key of this node, pinned when the page was opened'
  if (origin === pinned.name) return { log: pinned, by: own }
  if (origin === events) return { log: verifierOf(origin, pinned.publicKey), by: own }
  const node = nodeOfLog(origin)
  const isBefore = provenPast(past).some(({ succession }) => succession.old_node === node)
  if (!isBefore) throw new Fault('BAD_SIGNATURE', 'It is of a log that is none of this node’s.')
  return {
    log: verifierOf(origin, publicKeyOf(node)),
    by: 'an earlier key of this node, which passed on to its present one',
  }
}

/** A checkpoint that was opened. */
export interface OpenedHead {
  readonly checkpoint: Checkpoint
  /** Who signed it, in words. */
  readonly by: string
  /** Names of others that signed it, not judged here. */
  readonly witnesses: readonly string[]
}

/** Opens a checkpoint under the pinned key. @throws Fault BAD_SIGNATURE */
export const openPinned = (pinned: Pinned, note: string): OpenedHead => {
  const { log, by } = verifierFor(pinned, note.slice(0, Math.max(0, note.indexOf('\n'))))
  const { checkpoint } = openCheckpoint(note, log)
  return { checkpoint, by, witnesses: witnessesOn(note, checkpoint.origin) }
}

/** Names on a note beside that of its log. */
export const witnessesOn = (note: string, origin: string): readonly string[] =>
  parseNote(note)
    .signatures.map(({ name }) => name)
    .filter((name) => name !== origin)
