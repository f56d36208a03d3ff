import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { purposes } from '#core/digest.ts'
import { signValue } from '#core/keys.ts'
import { inclusionProof, leafHash, rootFrom } from '#core/merkle.ts'
import { type ProvenSuccession, type Succession, successionLeaf } from '#core/succession.ts'
import { GENESIS, node, sealLog, treeOf, witness } from './sample.ts'

/** Leaves of the logs that end: none, one, and enough for a path of several hashes. */
const SIZES = [0, 1, 5, 8]

const sign = (seed: Uint8Array, succession: Succession): string =>
  signValue(seed, purposes.succession, succession as unknown as Json)

/** A log of some leaves, ended by a succession from the node of the vectors to another key of theirs. */
const ended = (size: number): ProvenSuccession => {
  const leaves = Array.from({ length: size }, (_, i) => leafHash(utf8(`leaf ${i}`)))
  const succession: Succession = {
    old_node: node.node,
    new_node: witness.node,
    origin: sealLog,
    size,
    root: toHex(rootFrom(treeOf(leaves), size)),
    reason: 'planned',
    mesh_tick: GENESIS + 1_287,
  }
  const tree = treeOf([...leaves, leafHash(successionLeaf(succession))])
  const root = rootFrom(tree, size + 1)
  return {
    succession,
    old_signature: sign(node.seed, succession),
    new_signature: sign(witness.seed, succession),
    note: signCheckpoint({ origin: sealLog, size: size + 1, root }, node.publicKey, node.seed),
    path: inclusionProof(tree, size, size + 1).map(toHex),
  }
}

/** Successions that hold, with their leaf, and some that must not. */
export const successionVectors = (): object => {
  const proven = SIZES.map(ended)
  const [small, good] = [ended(1), ended(5)]
  const { succession } = good
  const swapped = { ...succession, old_node: witness.node, new_node: node.node }
  const larger = { ...succession, size: succession.size + 1 }
  return {
    about: 'Key successions (wire/succession.md).',
    proven: proven.map((it) => ({ proven: it, leaf: toHex(successionLeaf(it.succession)) })),
    refused: [
      { why: 'the new key did not sign', proven: { ...good, new_signature: good.old_signature } },
      { why: 'the old key did not sign', proven: { ...good, old_signature: good.new_signature } },
      {
        why: 'the log is not of the old node',
        proven: {
          ...good,
          succession: swapped,
          old_signature: sign(witness.seed, swapped),
          new_signature: sign(node.seed, swapped),
        },
      },
      {
        why: 'the size is not where the leaf stands',
        proven: {
          ...good,
          succession: larger,
          old_signature: sign(node.seed, larger),
          new_signature: sign(witness.seed, larger),
        },
      },
      { why: 'the path is another one', proven: { ...good, path: good.path.slice(1) } },
      { why: 'the note is of another size', proven: { ...good, note: small.note } },
    ],
  }
}
