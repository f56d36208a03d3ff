import { fromHex } from './bytes.ts'
import { canonical, type Json } from './canonical.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { digest, purposes, signedBytes, signedText, textDigest } from './digest.ts'
import { Fault } from './fault.ts'
import { isHex64 } from './ids.ts'
import { leafHash, verifyInclusion } from './merkle.ts'
import type { Verifier } from './note.ts'

/** What a machine's identity is made of, once. */
export interface Genesis {
  readonly slug: string
  /** ZID of the owner. */
  readonly owner: string
  readonly node: string
  /** Node tick of the genesis. */
  readonly genesis_tick: number
  /** 16 random bytes, hex. */
  readonly nonce: string
}

/** One link of a machine's chain. */
export interface Entry {
  readonly seq: number
  /** Hash of the entry before it; of the first one, the genesis hash. */
  readonly previous: string
  /** Node tick; never falls within a chain. */
  readonly tick: number
  readonly type: string
  readonly body: Json
}

/** Where a machine stands: a leaf of the node's log in every tick in which it moved. */
export interface Head {
  readonly id_hash: string
  /** Number of the last entry. */
  readonly seq: number
  /** Hash of the last entry. */
  readonly hash: string
  /** Leaves of the machine's own tree: `seq + 1`. */
  readonly size: number
  /** Root of that tree, hex. */
  readonly root: string
}

/** Hash that a machine's first entry names as the one before it. */
export const genesisHash = ({ slug, owner, node, genesis_tick, nonce }: Genesis): string =>
  digest(purposes.genesis, { slug, owner, node, genesis_tick, nonce })

/** A machine's identity, recomputed by whoever knows slug and genesis hash. */
export const machineIdHash = (slug: string, genesis: string): string =>
  digest(purposes.machineId, { slug, genesis_hash: genesis })

/** In the order of their names, in which a canonical text is written fastest. */
const members = ({ seq, previous, tick, type, body }: Entry): Json => ({ body, previous, seq, tick, type })

/** Hash of an entry, which the next one names. @throws Fault NOT_CANONICAL */
export const entryHash = (entry: Entry): string => digest(purposes.entry, members(entry))

/** Leaf data of an entry in its machine's own tree: the very bytes that {@link entryHash} hashes. */
export const entryLeaf = (entry: Entry): Uint8Array => signedBytes(purposes.entry, members(entry))

/** Both {@link entryHash} and {@link entryLeaf}, of a text that is made once. @throws Fault NOT_CANONICAL */
export const sealedEntry = (entry: Entry): { readonly hash: string; readonly leaf: Uint8Array } => {
  const text = canonical(members(entry))
  return { hash: textDigest(purposes.entry, text), leaf: signedText(purposes.entry, text) }
}

/** Leaf data of a head in the node's log: `tickmesh/head/1`, LF, JCS of the head. */
export const headLeaf = ({ id_hash, seq, hash, size, root }: Head): Uint8Array =>
  signedBytes(purposes.head, { hash, id_hash, root, seq, size })

/** What an anchor shows of a head: nothing but who has the head can open it. */
export const headDigest = ({ id_hash, seq, hash, size, root }: Head): string =>
  digest(purposes.head, { id_hash, seq, hash, size, root })

/** Where a walk along a chain begins: what the first entry must name, and the least tick it may have. */
export interface ChainStart {
  readonly seq: number
  readonly previous: string
  readonly tick: number
}

/** What a walk found; `broken` is the first entry that does not follow from those before it. */
export interface ChainVerdict {
  readonly valid: boolean
  readonly count: number
  readonly broken: { readonly seq: number; readonly tick: number; readonly why: string } | undefined
}

/** A walk that takes entries one by one, with the hash that is claimed for each. */
export interface ChainWalk {
  /** @returns whether the chain still holds. */
  step(entry: Entry, claimed: string): boolean
  verdict(): ChainVerdict
}

const hashOrNothing = (entry: Entry): string | undefined => {
  try {
    return entryHash(entry)
  } catch (fault) {
    if (fault instanceof Fault) return undefined
    throw fault
  }
}

/** Walks a chain from a known place: numbers without gap, hashes that link, ticks that never fall. */
export const chainWalk = (start: ChainStart): ChainWalk => {
  let next = start
  let count = 0
  let broken: ChainVerdict['broken']

  const wrong = (entry: Entry, claimed: string): string | undefined => {
    if (entry.seq !== next.seq) return 'an entry is missing or out of order'
    if (entry.previous !== next.previous) return 'it does not name the entry before it'
    if (!(entry.tick >= next.tick)) return 'its tick is below the one before it'
    return hashOrNothing(entry) === claimed ? undefined : 'its hash is another one'
  }

  return {
    step: (entry, claimed) => {
      if (broken !== undefined) return false
      count += 1
      const why = wrong(entry, claimed)
      if (why !== undefined) broken = { seq: entry.seq, tick: entry.tick, why }
      next = { seq: entry.seq + 1, previous: claimed, tick: entry.tick }
      return broken === undefined
    },
    verdict: () => ({ valid: broken === undefined, count, broken }),
  }
}

/** That an entry is in a machine's chain, and the machine's head in a checkpoint of its node. */
export interface EntryProof {
  readonly head: Head
  /** From the entry to the root of the machine's tree, hex. */
  readonly path: readonly string[]
  /** Place of the head in the node's log. */
  readonly head_index: number
  /** From the head to the root of the checkpoint, hex. */
  readonly head_path: readonly string[]
  /** C2SP signed note. */
  readonly checkpoint: string
}

/** Why an entry is not under its machine's head, or undefined when it is. @throws Fault NOT_CANONICAL */
export const entryFault = (entry: Entry, { head, path }: Pick<EntryProof, 'head' | 'path'>): string | undefined => {
  if (head.seq !== head.size - 1) return 'The head counts wrongly.'
  if (head.seq === entry.seq && head.hash !== entryHash(entry)) return 'The head names another last entry.'
  const leaf = { leafHash: leafHash(entryLeaf(entry)), index: entry.seq, size: head.size }
  const found = verifyInclusion({ ...leaf, path: path.map(fromHex), root: fromHex(head.root) })
  return found ? undefined : 'The entry is not under this head.'
}

/** Why a head is not in the log that a checkpoint is of, or undefined when it is. */
export const headFault = (
  { head, head_index: index, head_path: path }: Omit<EntryProof, 'path' | 'checkpoint'>,
  { size, root }: Checkpoint,
): string | undefined => {
  const leaf = { leafHash: leafHash(headLeaf(head)), index, size }
  const found = verifyInclusion({ ...leaf, path: path.map(fromHex), root })
  return found ? undefined : 'The head is not under this checkpoint.'
}

/** Why a proof proves nothing, or undefined when it holds. @param verifier of the node's log, from a trusted source. */
export const entryProofFault = (entry: Entry, proof: EntryProof, verifier: Verifier): string | undefined => {
  const { head, path, head_path, checkpoint } = proof
  if (![head.root, ...path, ...head_path].every(isHex64)) return 'A hash of the proof is malformed.'
  try {
    return entryFault(entry, proof) ?? headFault(proof, openCheckpoint(checkpoint, verifier).checkpoint)
  } catch (cause) {
    if (cause instanceof Fault) return cause.message
    throw cause
  }
}

/** An entry's hash in the form of a UUID (RFC 9562, version 8), for readers that expect one. */
export const transitionIdOf = (hash: string): string => {
  const variant = (8 + (Number.parseInt(hash.charAt(16), 16) % 4)).toString(16)
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
