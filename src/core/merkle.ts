import { sha256 } from '#crypto'
import { assert } from './assert.ts'
import { concat, equalBytes } from './bytes.ts'

const LEAF_PREFIX = 0x00
const leafPrefix = Uint8Array.of(LEAF_PREFIX)
const nodePrefix = Uint8Array.of(0x01)

/**
 * Room for a leaf behind its prefix, written over by the next one: most leaves are short, and memory of their own costs
 * as much as their hash.
 */
const SCRATCH_BYTES = 8_192
const scratch = new Uint8Array(SCRATCH_BYTES)

/** Hash of a leaf's data (RFC 6962 section 2.1). */
export const leafHash = (data: Uint8Array): Uint8Array => {
  if (data.length >= SCRATCH_BYTES) return sha256(concat(leafPrefix, data))
  scratch[0] = LEAF_PREFIX
  scratch.set(data, 1)
  return sha256(scratch.subarray(0, data.length + 1))
}
/** Hash of an inner node. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concat(nodePrefix, left, right))
/** Root of the tree without leaves. */
export const emptyRoot = (): Uint8Array => sha256(new Uint8Array(0))

/** Sizes and indexes are safe integers, so 32-bit shifts would cut them: halves are taken by division. */
const half = (value: number): number => Math.floor(value / 2)
const isOdd = (value: number): boolean => value % 2 === 1
/** 2^level; exact, and without the exponentiation operator, whose bits engines disagree on. */
const powerOfTwo = (level: number): number => {
  let value = 1
  for (let i = 0; i < level; i++) value *= 2
  return value
}
/** The largest power of two below a size of at least 2. */
const splitOf = (size: number): number => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

const assertSize = (value: number): void => assert(Number.isSafeInteger(value) && value >= 0, 'a tree size')

/** Levels of the largest tree: sizes are below 2^53. */
export const LEVELS_MAX = 53

/**
 * Reads the hash of a complete subtree: level 0 is the leaves, and (level, index) covers the leaves from
 * index · 2^level to (index + 1) · 2^level, all of which must exist in the tree that is asked about.
 */
export type NodeReader = (level: number, index: number) => Uint8Array

/** Root of the leaves `from` (inclusive) to `to` (exclusive), where `from` is a multiple of a fitting power of two. */
export const rangeRoot = (read: NodeReader, from: number, to: number): Uint8Array => {
  const size = to - from
  const split = size === 1 ? 1 : splitOf(size)
  if (size === split || size === split * 2) {
    let level = 0
    for (let width = 1; width < size; width *= 2) level++
    return read(level, from / size)
  }
  return nodeHash(rangeRoot(read, from, from + split), rangeRoot(read, from + split, to))
}

/** Root of the first `size` leaves. */
export const rootFrom = (read: NodeReader, size: number): Uint8Array => {
  assertSize(size)
  return size === 0 ? emptyRoot() : rangeRoot(read, 0, size)
}

/** Root over leaf hashes held in memory. */
export const rootOf = (leafHashes: readonly Uint8Array[]): Uint8Array => {
  const range = compactRange()
  for (const hash of leafHashes) range.append(hash)
  return range.root()
}

/** The leaves `from` (inclusive) to `to` (exclusive), whose root one hash of a proof is. */
export interface Covered {
  readonly from: number
  readonly to: number
}

/** One hash of an inclusion path, and on which side of the way up it stands. */
export interface InclusionStep extends Covered {
  readonly side: 'left' | 'right'
}

/** What the hashes of an inclusion path stand for, the leaf's sibling first (RFC 6962 section 2.1.1). */
export const inclusionSteps = (index: number, size: number): readonly InclusionStep[] => {
  assertSize(size)
  assert(Number.isSafeInteger(index) && index >= 0 && index < size, 'the leaf is in the tree')
  const steps: InclusionStep[] = []
  let from = 0
  let to = size
  while (to - from > 1) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      steps.push({ side: 'right', from: middle, to })
      to = middle
    } else {
      steps.push({ side: 'left', from, to: middle })
      from = middle
    }
  }
  return steps.reverse()
}

/** What the hashes of a consistency proof stand for, in its order (RFC 6962 section 2.1.2). */
export const consistencySteps = (oldSize: number, newSize: number): readonly Covered[] => {
  assertSize(newSize)
  assert(Number.isSafeInteger(oldSize) && oldSize >= 0 && oldSize <= newSize, 'the old tree is not the larger one')
  if (oldSize === 0 || oldSize === newSize) return []
  const steps: Covered[] = []
  let from = 0
  let to = newSize
  while (oldSize < to) {
    const middle = from + splitOf(to - from)
    if (oldSize <= middle) {
      steps.push({ from: middle, to })
      to = middle
    } else {
      steps.push({ from, to: middle })
      from = middle
    }
  }
  // Where the part in hand is the whole old tree, the verifier has its root.
  if (from > 0) steps.push({ from, to })
  return steps.reverse()
}

/** Inclusion proof of a leaf in the tree of `size` leaves, the leaf's sibling first. */
export const inclusionProof = (read: NodeReader, index: number, size: number): Uint8Array[] =>
  inclusionSteps(index, size).map(({ from, to }) => rangeRoot(read, from, to))

/** Consistency proof between the trees of `oldSize` and `newSize` leaves. */
export const consistencyProof = (read: NodeReader, oldSize: number, newSize: number): Uint8Array[] =>
  consistencySteps(oldSize, newSize).map(({ from, to }) => rangeRoot(read, from, to))

/** The nodes that a proof or root reads, so that a store can fetch them before it is made. */
export const nodesRead = (
  make: (read: NodeReader) => unknown,
): { readonly level: number; readonly index: number }[] => {
  const nodes: { level: number; index: number }[] = []
  const nothing = new Uint8Array(32)
  make((level, index) => {
    nodes.push({ level, index })
    return nothing
  })
  return nodes
}

/** What an inclusion proof is checked against. */
export interface Inclusion {
  readonly leafHash: Uint8Array
  readonly index: number
  readonly size: number
  readonly path: readonly Uint8Array[]
  readonly root: Uint8Array
}

const hashesFit = (...hashes: readonly Uint8Array[]): boolean => hashes.every((hash) => hash.length === 32)

/** Whether a leaf is in a tree (RFC 9162 section 2.1.3.2). Never throws on bad proofs. */
export const verifyInclusion = ({ leafHash: leaf, index, size, path, root }: Inclusion): boolean => {
  const sizesFit = Number.isSafeInteger(size) && Number.isSafeInteger(index) && index >= 0 && index < size
  if (!sizesFit || path.length > LEVELS_MAX || !hashesFit(leaf, root, ...path)) return false
  let fn = index
  let sn = size - 1
  let hash = leaf
  for (const sibling of path) {
    if (sn === 0) return false
    if (isOdd(fn) || fn === sn) {
      hash = nodeHash(sibling, hash)
      while (!isOdd(fn) && fn !== 0) {
        fn = half(fn)
        sn = half(sn)
      }
    } else {
      hash = nodeHash(hash, sibling)
    }
    fn = half(fn)
    sn = half(sn)
  }
  return sn === 0 && equalBytes(hash, root)
}

/** What a consistency proof is checked against. */
export interface Consistency {
  readonly oldSize: number
  readonly newSize: number
  readonly oldRoot: Uint8Array
  readonly newRoot: Uint8Array
  readonly path: readonly Uint8Array[]
}

const isPowerOfTwo = (value: number): boolean => value >= 1 && (value === 1 || splitOf(value) * 2 === value)

/** The old and the new root that a path leads to (RFC 9162 section 2.1.4.2), for 0 < oldSize < newSize. */
const rootsOf = (
  oldSize: number,
  newSize: number,
  nodes: readonly Uint8Array[],
): { readonly oldRoot: Uint8Array; readonly newRoot: Uint8Array } | undefined => {
  const [first, ...rest] = nodes
  if (first === undefined) return undefined
  let fn = oldSize - 1
  let sn = newSize - 1
  while (isOdd(fn)) {
    fn = half(fn)
    sn = half(sn)
  }
  let fr = first
  let sr = first
  for (const node of rest) {
    if (sn === 0) return undefined
    if (isOdd(fn) || fn === sn) {
      fr = nodeHash(node, fr)
      sr = nodeHash(node, sr)
      while (!isOdd(fn) && fn !== 0) {
        fn = half(fn)
        sn = half(sn)
      }
    } else {
      sr = nodeHash(sr, node)
    }
    fn = half(fn)
    sn = half(sn)
  }
  return sn === 0 ? { oldRoot: fr, newRoot: sr } : undefined
}

const consistentWalk = ({ oldSize, newSize, oldRoot, newRoot, path }: Consistency): boolean => {
  const roots = rootsOf(oldSize, newSize, isPowerOfTwo(oldSize) ? [oldRoot, ...path] : path)
  return roots !== undefined && equalBytes(roots.oldRoot, oldRoot) && equalBytes(roots.newRoot, newRoot)
}

/**
 * Whether the tree of `newSize` leaves continues that of `oldSize` (RFC 9162 section 2.1.4.2). Equal sizes need equal
 * roots and no path; every tree continues the empty one. Never throws on bad proofs.
 */
export const verifyConsistency = (proof: Consistency): boolean => {
  const { oldSize, newSize, oldRoot, newRoot, path } = proof
  const sizesFit = Number.isSafeInteger(newSize) && Number.isSafeInteger(oldSize) && oldSize >= 0 && oldSize <= newSize
  if (!sizesFit || path.length > 2 * LEVELS_MAX || !hashesFit(oldRoot, newRoot, ...path)) return false
  if (oldSize === newSize) return path.length === 0 && equalBytes(oldRoot, newRoot)
  if (oldSize === 0) return path.length === 0 && equalBytes(oldRoot, emptyRoot())
  return consistentWalk(proof)
}

/**
 * Root of the first `oldSize` leaves of the tree that has `newRoot`, as a path of a consistency proof shows it: nobody
 * can make a path that leads to `newRoot` and to another old root than the tree's own. Undefined for a path that does
 * not lead to `newRoot`, and for sizes that are powers of two, of which such a path leaves the old root out.
 */
export const oldRootOf = ({
  oldSize,
  newSize,
  newRoot,
  path,
}: Omit<Consistency, 'oldRoot'>): Uint8Array | undefined => {
  const sizesFit = Number.isSafeInteger(newSize) && Number.isSafeInteger(oldSize) && oldSize > 0 && oldSize < newSize
  if (!sizesFit || isPowerOfTwo(oldSize) || path.length > 2 * LEVELS_MAX || !hashesFit(newRoot, ...path)) {
    return undefined
  }
  const roots = rootsOf(oldSize, newSize, path)
  return roots !== undefined && equalBytes(roots.newRoot, newRoot) ? roots.oldRoot : undefined
}

/** A complete subtree that an append finished. */
export interface TreeNode {
  readonly level: number
  readonly index: number
  readonly hash: Uint8Array
}

/** The right edge of a growing tree: one hash per set bit of its size is all that appending needs. */
export interface CompactRange {
  readonly size: number
  /** Takes a leaf hash in; answers the complete subtrees that this leaf finished, the leaf itself first. */
  append(leafHash: Uint8Array): readonly TreeNode[]
  root(): Uint8Array
  /** The edge, largest subtree first: with the size, all that must be kept to go on appending. */
  hashes(): readonly Uint8Array[]
}

/** Complete subtrees on the right edge of a tree: the set bits of its size, highest first. */
export const edgeOf = (size: number): { readonly level: number; readonly index: number }[] => {
  assertSize(size)
  const edge: { level: number; index: number }[] = []
  let done = 0
  for (let level = LEVELS_MAX - 1; level >= 0; level--) {
    const width = powerOfTwo(level)
    if (size - done < width) continue
    edge.push({ level, index: done / width })
    done += width
  }
  return edge
}

/** Set bits of a size: the subtrees of its edge. */
const edgeLength = (size: number): number => {
  let bits = 0
  for (let rest = size; rest > 0; rest = half(rest)) bits += rest % 2
  return bits
}

/** A compact range, empty or taken up at a size with the hashes of {@link edgeOf}. */
export const compactRange = (startSize = 0, startHashes: readonly Uint8Array[] = []): CompactRange => {
  assertSize(startSize)
  assert(edgeLength(startSize) === startHashes.length, 'one hash per set bit of the size')
  assert(hashesFit(...startHashes), 'an edge hash has 32 bytes')
  let size = startSize
  const edge = [...startHashes]
  return {
    get size() {
      return size
    },
    append: (hash) => {
      assert(hash.length === 32, 'a leaf hash has 32 bytes')
      const done: TreeNode[] = [{ level: 0, index: size, hash }]
      let node = hash
      for (let level = 1, index = size; isOdd(index); level++) {
        const left = edge.pop()
        assert(left !== undefined, 'an edge hash per set bit')
        node = nodeHash(left, node)
        index = half(index)
        done.push({ level, index, hash: node })
      }
      edge.push(node)
      size++
      return done
    },
    root: () => {
      const last = edge.at(-1)
      if (last === undefined) return emptyRoot()
      return edge.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last)
    },
    hashes: () => [...edge],
  }
}
