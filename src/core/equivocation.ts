import Type, { type Static } from 'typebox'
import { equalBytes, fromBase64, toBase64 } from './bytes.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { Fault } from './fault.ts'
import { nodeOfLog, patterns } from './ids.ts'
import { soundKeyOf } from './keys.ts'
import { oldRootOf, verifyConsistency } from './merkle.ts'
import { type Verifier, verifierOf, withSignaturesOf } from './note.ts'
import { closed, orNull, text } from './schema.ts'

/** Bytes of a note in evidence: the text and the log's own signature, nothing else. */
const NOTE_CHARS_MAX = 1_024
/** Hashes of a path between two sizes. */
const PATH_MAX = 64

const hash = () => Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$', description: 'A SHA-256, base64.' })

/** Form of evidence that one log has signed two histories. */
export const equivocationSchema = closed({
  origin: Type.String({ pattern: `${patterns.logName}|${patterns.eventsLogName}` }),
  notes: Type.Array(text(NOTE_CHARS_MAX), { minItems: 2, maxItems: 2, description: 'The smaller tree first.' }),
  /** Null for equal sizes; else the root of the larger tree's first leaves, with a consistency path to its root. */
  prefix: orNull(closed({ root: hash(), path: Type.Array(hash(), { maxItems: PATH_MAX }) })),
})

/**
 * Evidence against a log, which proves itself to anyone: two notes signed by its key, and, for unequal sizes, what the
 * larger tree's own first leaves hash to: another root than the smaller note says.
 */
export type EquivocationProof = Static<typeof equivocationSchema>

/** What evidence says, once it was verified. */
export interface ProvenEquivocation {
  readonly origin: string
  /** The node whose log it is. */
  readonly node: string
  /** The smaller of the two sizes: nothing of the log counts beyond it. */
  readonly size: number
  readonly larger: number
}

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/**
 * The key of one of our logs, which its name contains. @throws Fault BAD_SIGNATURE for any other name, BAD_PUBLIC_KEY
 */
export const logVerifierOf = (origin: string): Verifier => {
  const isLog = new RegExp(patterns.logName).test(origin) || new RegExp(patterns.eventsLogName).test(origin)
  return isLog ? verifierOf(origin, soundKeyOf(nodeOfLog(origin))) : refuse('This is the name of no log of a node.')
}

/**
 * Checks evidence by itself: who brought it says nothing.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE, BAD_PUBLIC_KEY saying what does not hold.
 */
export const verifyEquivocation = ({ origin, notes, prefix }: EquivocationProof): ProvenEquivocation => {
  const log = logVerifierOf(origin)
  const [first = '', second = ''] = notes
  const a = openCheckpoint(first, log).checkpoint
  const b = openCheckpoint(second, log).checkpoint
  for (const note of [first, second])
    if (withSignaturesOf(note, log) !== note) refuse('A note has other signatures too.')
  const proven = { origin, node: nodeOfLog(origin), size: a.size, larger: b.size }
  if (a.size > b.size) return refuse('The note of the smaller tree stands first.')
  if (a.size === b.size) {
    if (prefix !== null) return refuse('Equal sizes need no path.')
    return equalBytes(a.root, b.root) ? refuse('Both notes say the same.') : proven
  }
  if (prefix === null) return refuse('Unequal sizes need the root that the larger tree has at the smaller size.')
  const oldRoot = hashOf(prefix.root)
  if (equalBytes(oldRoot, a.root)) return refuse('The larger tree continues the smaller one.')
  const path = prefix.path.map(hashOf)
  const leads = verifyConsistency({ oldSize: a.size, newSize: b.size, oldRoot, newRoot: b.root, path })
  // Every tree continues the one without leaves, so a note of size 0 with another root is bad by itself.
  return leads && a.size > 0 ? proven : refuse('The path does not lead to the larger tree.')
}

const hashOf = (base64: string): Uint8Array => {
  try {
    return fromBase64(base64)
  } catch {
    return refuse('A hash is not base64.')
  }
}

/** A signed head, as it is held against another. */
export interface SignedHead {
  readonly note: string
  readonly checkpoint: Checkpoint
}

/**
 * Evidence of two heads of one log, if they are any. `path` is what is known of a way from the smaller to the larger
 * tree: the path of a consistency proof of the larger tree and, where it is known, the root that the larger tree has
 * at the smaller size (without it a size that is a power of two cannot be checked).
 *
 * @returns undefined when this proves nothing to a third party.
 */
export const equivocationOf = (
  one: SignedHead,
  other: SignedHead,
  way?: { readonly path: readonly Uint8Array[]; readonly root?: Uint8Array | undefined },
): EquivocationProof | undefined => {
  const [small, large] = one.checkpoint.size <= other.checkpoint.size ? [one, other] : [other, one]
  const { origin } = small.checkpoint
  if (origin !== large.checkpoint.origin) return undefined
  const log = logVerifierOf(origin)
  const notes = [withSignaturesOf(small.note, log), withSignaturesOf(large.note, log)]
  const proof = (prefix: EquivocationProof['prefix']): EquivocationProof | undefined => {
    try {
      verifyEquivocation({ origin, notes, prefix })
      return { origin, notes, prefix }
    } catch (cause) {
      if (cause instanceof Fault) return undefined
      throw cause
    }
  }
  if (small.checkpoint.size === large.checkpoint.size) return proof(null)
  if (way === undefined) return undefined
  const between = { oldSize: small.checkpoint.size, newSize: large.checkpoint.size, newRoot: large.checkpoint.root }
  const root = way.root ?? oldRootOf({ ...between, path: way.path })
  return root === undefined ? undefined : proof({ root: toBase64(root), path: way.path.map(toBase64) })
}
