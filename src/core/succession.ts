import Type from 'typebox'
import { equalBytes, fromHex, toHex } from './bytes.ts'
import type { Json } from './canonical.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { purposes, signedBytes } from './digest.ts'
import { Fault } from './fault.ts'
import { patterns } from './ids.ts'
import { publicKeyOf, type Signer, signValueWith, soundKeyOf, verifyByNode } from './keys.ts'
import { emptyRoot, leafHash, nodeHash, verifyInclusion } from './merkle.ts'
import { verifierOf } from './note.ts'
import { closedModel, count, fitting, hex64, meshTick, nodeId, signature, text } from './schema.ts'

/** Characters of the reason that a succession states. */
export const REASON_CHARS_MAX = 256
/** Successions of one node that are listed, kept and read: a key that changes hourly would be no identity. */
export const SUCCESSIONS_MAX = 1_024
/** Hashes on a path to the last leaf of a log with 2^53 leaves. */
const PATH_MAX = 53
const NOTE_CHARS_MAX = 16_384

/** What both keys sign when one takes the other's place (protocol.md, Keys and trust). */
export interface Succession {
  readonly old_node: string
  readonly new_node: string
  /** The seal log that ends here. */
  readonly origin: string
  /** Leaves of that log that count; this document is the leaf behind them, and the last. */
  readonly size: number
  /** Root over those leaves, hex. */
  readonly root: string
  readonly reason: string
  readonly mesh_tick: number
}

/** A succession with everything that proves it: both signatures, the old log's last note, the path to its last leaf. */
export interface ProvenSuccession {
  readonly succession: Succession
  readonly old_signature: string
  readonly new_signature: string
  /** Checkpoint of `size + 1` leaves, the last that the old key signs. */
  readonly note: string
  /** RFC 6962 path of the last leaf, hex, bottom up. */
  readonly path: readonly string[]
}

export const successionSchema = closedModel(
  'Succession',
  {
    old_node: nodeId(),
    new_node: nodeId(),
    origin: Type.String({ pattern: patterns.logName, description: 'The seal log that ends here.' }),
    size: count({ description: 'Leaves of that log that count; this document is the leaf behind them.' }),
    root: hex64(),
    reason: text(REASON_CHARS_MAX),
    mesh_tick: meshTick(),
  },
  { description: 'One identity key takes the place of another; signed by both.' },
)

/** Form of a succession with its proof, as `key_supersessions`, the event and files carry it. */
export const provenSuccessionSchema = closedModel('ProvenSuccession', {
  succession: successionSchema,
  old_signature: signature(),
  new_signature: signature(),
  note: text(NOTE_CHARS_MAX, { description: 'The last checkpoint of the old log.' }),
  path: Type.Array(hex64(), { maxItems: PATH_MAX, description: 'Path of the last leaf, bottom up.' }),
})

const json = (succession: Succession): Json => succession as unknown as Json

/** The last leaf of the old log, and the bytes that both keys sign: the purpose, LF, JCS of the document. */
export const successionLeaf = (succession: Succession): Uint8Array => signedBytes(purposes.succession, json(succession))

/** Signs a succession with one of its two keys; 128 hex digits. */
export const signSuccession = (signer: Signer, succession: Succession): Promise<string> =>
  signValueWith(signer, purposes.succession, json(succession))

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/** The root before the last leaf: its path holds the roots of the complete subtrees that stood there, bottom up. */
const rootBefore = (path: readonly Uint8Array[]): Uint8Array => {
  const [lowest, ...higher] = path
  return lowest === undefined ? emptyRoot() : higher.reduce((below, hash) => nodeHash(hash, below), lowest)
}

/**
 * Verifies a succession from nothing but itself: form, both signatures under sound keys, that the origin is a log of
 * the old node, that the old key's last note covers the document as the leaf behind `size`, and that `root` is the
 * tree's there. Whether the old node is trusted is not asked.
 *
 * @throws Fault INVALID_INPUT for another form, BAD_SIGNATURE saying what does not hold.
 */
export const verifySuccession = (value: unknown): ProvenSuccession => {
  const proven = fitting(provenSuccessionSchema, value) as ProvenSuccession
  const { succession, old_signature, new_signature, note } = proven
  const { old_node, new_node, origin, size, root } = succession
  if (old_node === new_node) return refuse('A succession has two keys.')
  if (origin.split('/').at(1) !== old_node) return refuse('The log that ends is not one of the old node.')
  const signed = (node: string, hex: string): boolean => {
    try {
      return verifyByNode(node, purposes.succession, json(succession), hex)
    } catch {
      return refuse('A node id of the succession does not hold a key.')
    }
  }
  if (!signed(old_node, old_signature)) return refuse('The old key did not sign the succession.')
  if (!signed(new_node, new_signature)) return refuse('The new key did not sign the succession.')
  const { checkpoint } = openCheckpoint(note, verifierOf(origin, soundKeyOf(old_node)))
  if (checkpoint.size !== size + 1)
    return refuse('The note is not that of the log with the succession as its last leaf.')
  const path = proven.path.map(fromHex)
  const leaf = leafHash(successionLeaf(succession))
  const included = verifyInclusion({ leafHash: leaf, index: size, path, size: size + 1, root: checkpoint.root })
  if (!included) return refuse('The succession is not the last leaf of the old log.')
  if (toHex(rootBefore(path)) !== root) return refuse('The root is not that of the log at its size.')
  return proven
}

/**
 * Reads successions from JSON: a list, one alone, or the answer of `GET /api/identity`. Each is verified.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const successionsOf = (value: unknown): readonly ProvenSuccession[] => {
  const listed = (value as { readonly key_supersessions?: unknown } | null)?.key_supersessions ?? value
  const all: readonly unknown[] = Array.isArray(listed) ? listed : [listed]
  if (all.length > SUCCESSIONS_MAX) throw new Fault('INVALID_INPUT', `At most ${SUCCESSIONS_MAX} successions are read.`)
  return all.map(verifySuccession)
}

/**
 * The keys that a node's present one took the place of, as `GET /api/identity` lists them. What does not prove itself
 * counts as unknown: evidence under such a key then fails at its key.
 */
export const provenPast = (past: unknown): readonly ProvenSuccession[] => {
  try {
    return successionsOf(past)
  } catch (error) {
    if (error instanceof Fault) return []
    throw error
  }
}

/** The succession that ended a node's key, among known ones; of two the one that lets less count. */
export const endOf = (known: readonly ProvenSuccession[], node: string): ProvenSuccession | undefined =>
  known
    .filter((it) => it.succession.old_node === node)
    .reduce<ProvenSuccession | undefined>((least, it) => {
      return least === undefined || it.succession.size < least.succession.size ? it : least
    }, undefined)

/** Keys that signed two successions: they are in two hands, and neither may speak for them. */
const contestedOf = (known: readonly ProvenSuccession[]): ReadonlySet<string> => {
  const successors = new Map<string, string>()
  const contested = new Set<string>()
  for (const { succession: it } of known) {
    if ((successors.get(it.old_node) ?? it.new_node) !== it.new_node) contested.add(it.old_node)
    successors.set(it.old_node, it.new_node)
  }
  return contested
}

/**
 * Whether a tree head is one that a succession vouches for: that of the leaves which count, or of those and the
 * succession itself. A smaller tree may be a part of it, which only a consistency proof would show.
 */
export const isEnd = ({ succession, note }: ProvenSuccession, head: Checkpoint): boolean => {
  if (head.origin !== succession.origin) return false
  if (head.size === succession.size) return toHex(head.root) === succession.root
  const last = openCheckpoint(note, verifierOf(succession.origin, publicKeyOf(succession.old_node))).checkpoint
  return head.size === last.size && equalBytes(head.root, last.root)
}

/**
 * Whether `node` stands behind what `old` signed in its time: it is its successor, through any number of keys. Each
 * step is signed by both keys, so who trusts the successor trusts its word about its past. The way back is not open:
 * whoever stole an old key could name a successor too.
 */
export const standsBehind = (known: readonly ProvenSuccession[], node: string, old: string): boolean => {
  const contested = contestedOf(known)
  let reached = new Set([node])
  for (let steps = 0; steps <= known.length; steps++) {
    if (reached.has(old)) return true
    const before = known.filter(({ succession: it }) => reached.has(it.new_node) && !contested.has(it.old_node))
    const next = new Set([...reached, ...before.map(({ succession }) => succession.old_node)])
    if (next.size === reached.size) return false
    reached = next
  }
  return false
}
