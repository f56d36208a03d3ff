import { assert } from '#core/assert.ts'
import { compactRange, inclusionProof, type NodeReader } from '#core/merkle.ts'

/** A tree whose leaves are all at hand: the states of a run, or the works of a tick. */
export interface LeafTree {
  readonly root: Uint8Array
  /** RFC 6962 path of a leaf, its sibling first. */
  path(index: number): readonly Uint8Array[]
}

/** The RFC 6962 tree over leaf hashes, with every complete subtree kept: two hashes a leaf. */
export const leafTree = (leafHashes: readonly Uint8Array[]): LeafTree => {
  const range = compactRange()
  const levels: Uint8Array[][] = []
  for (const leaf of leafHashes) {
    for (const { level, hash } of range.append(leaf)) {
      const row = levels[level] ?? []
      row.push(hash)
      levels[level] = row
    }
  }
  const read: NodeReader = (level, index) => {
    const hash = levels[level]?.[index]
    assert(hash !== undefined, 'a complete subtree of these leaves')
    return hash
  }
  return { root: range.root(), path: (index) => inclusionProof(read, index, leafHashes.length) }
}
