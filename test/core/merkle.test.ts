// Goal: trees and proofs of RFC 6962 / RFC 9162. Method: the published hashes of the classic eight leaves, a second
// way of computing roots (the recursive definition), every proof of every tree up to 70 leaves, and every way of
// spoiling one.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { concat, fromHex, toHex, utf8 } from '#core/bytes.ts'
import {
  compactRange,
  consistencyProof,
  edgeOf,
  emptyRoot,
  inclusionProof,
  leafHash,
  type NodeReader,
  nodeHash,
  nodesRead,
  rootFrom,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from '#core/merkle.ts'
import { sha256 } from '#crypto'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/merkle')

const SIZE_MAX = 70
const hashes = Array.from({ length: SIZE_MAX }, (_, i) => leafHash(utf8(`leaf ${i}`)))

/** RFC 6962 section 2.1, word for word: the second opinion. */
const defined = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [only] = leaves
  if (only === undefined) return sha256(new Uint8Array(0))
  if (leaves.length === 1) return only
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha256(concat(Uint8Array.of(1), defined(leaves.slice(0, split)), defined(leaves.slice(split))))
}

const read: NodeReader = (level, index) => defined(hashes.slice(index << level, (index + 1) << level))
const roots = Array.from({ length: SIZE_MAX + 1 }, (_, size) => defined(hashes.slice(0, size)))
const rootAt = (size: number): Uint8Array => roots[size] as Uint8Array

const flip = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes, (byte, i) => (i === 7 ? byte ^ 4 : byte))

test('the eight classic leaves have the published hashes and roots', () => {
  const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const published = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]
  const leafHashes = leaves.map((leaf) => leafHash(fromHex(leaf)))
  for (const [size, root] of published.entries()) assert.equal(toHex(rootOf(leafHashes.slice(0, size))), root)
  assert.equal(toHex(emptyRoot()), published[0])
  // The path of leaf 0 and the proof from 1 to 8, as transparency-dev publishes them.
  const path = [
    '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
    '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
    '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
  ]
  const reader: NodeReader = (level, index) => defined(leafHashes.slice(index << level, (index + 1) << level))
  assert.deepEqual(inclusionProof(reader, 0, 8).map(toHex), path)
  assert.deepEqual(consistencyProof(reader, 1, 8).map(toHex), path)
})

test('the compact range, the reader and the definition give one root at every size', () => {
  const range = compactRange()
  const nodes = new Map<string, Uint8Array>()
  for (let size = 0; size < SIZE_MAX; size++) {
    assert.deepEqual(range.root(), rootAt(size))
    assert.equal(range.size, size)
    assert.equal(range.hashes().length, edgeOf(size).length)
    for (const node of range.append(hashes[size] as Uint8Array)) nodes.set(`${node.level}/${node.index}`, node.hash)
    const taken: NodeReader = (level, index) => nodes.get(`${level}/${index}`) as Uint8Array
    assert.deepEqual(rootFrom(taken, size + 1), rootAt(size + 1))
  }
  for (const [name, hash] of nodes) {
    const [level = 0, index = 0] = name.split('/').map(Number)
    assert.deepEqual(hash, read(level, index), name)
  }
})

test('a range taken up at any size goes on as if it had never stopped', () => {
  for (let size = 0; size <= 40; size++) {
    const edge = edgeOf(size).map(({ level, index }) => read(level, index))
    const range = compactRange(size, edge)
    for (const hash of hashes.slice(size)) range.append(hash)
    assert.deepEqual(range.root(), rootAt(SIZE_MAX), `${size}`)
  }
  assert.throws(() => compactRange(3, [rootAt(1)]), /broken invariant/)
  assert.deepEqual(edgeOf(2 ** 40 + 5), [
    { level: 40, index: 0 },
    { level: 2, index: 2 ** 38 },
    { level: 0, index: 2 ** 40 + 4 },
  ])
})

test('every inclusion proof up to 70 leaves verifies, and none verifies for another leaf, place, size or root', () => {
  for (let size = 1; size <= SIZE_MAX; size++) {
    for (let index = 0; index < size; index++) {
      const leaf = hashes[index] as Uint8Array
      const root = rootAt(size)
      const path = inclusionProof(read, index, size)
      const proof = { leafHash: leaf, index, size, path, root }
      assert.equal(verifyInclusion(proof), true, `${index} of ${size}`)
      assert.equal(verifyInclusion({ ...proof, leafHash: flip(leaf) }), false)
      assert.equal(verifyInclusion({ ...proof, root: flip(root) }), false)
      assert.equal(verifyInclusion({ ...proof, path: [...path, root] }), false)
      if (path.length > 0) assert.equal(verifyInclusion({ ...proof, path: path.slice(1) }), false)
      if (size > 1) assert.equal(verifyInclusion({ ...proof, index: (index + 1) % size }), false)
    }
  }
}, 60_000)

test('every consistency proof up to 70 leaves verifies, and none for another root', () => {
  for (let newSize = 0; newSize <= SIZE_MAX; newSize++) {
    for (let oldSize = 0; oldSize <= newSize; oldSize++) {
      const path = consistencyProof(read, oldSize, newSize)
      const proof = { oldSize, newSize, oldRoot: rootAt(oldSize), newRoot: rootAt(newSize), path }
      assert.equal(verifyConsistency(proof), true, `${oldSize} to ${newSize}`)
      assert.equal(verifyConsistency({ ...proof, path: [...path, rootAt(1)] }), false)
      assert.equal(verifyConsistency({ ...proof, oldRoot: flip(proof.oldRoot) }), false)
      // Any tree continues the empty one, so only there the new root says nothing.
      if (oldSize > 0) assert.equal(verifyConsistency({ ...proof, newRoot: flip(proof.newRoot) }), false)
      if (path.length > 0) assert.equal(verifyConsistency({ ...proof, path: path.slice(0, -1) }), false)
    }
  }
}, 60_000)

test('any flipped hash, dropped hash or shifted size spoils a proof', () => {
  const sizes = fc.integer({ min: 2, max: SIZE_MAX }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))
  fc.assert(
    fc.property(sizes, fc.nat(), fc.nat(255), ([size, index], at, byte) => {
      const path = inclusionProof(read, index, size)
      const proof = { leafHash: hashes[index] as Uint8Array, index, size, path, root: rootAt(size) }
      const spoiled = path.map((hash, i) =>
        i === at % path.length ? Uint8Array.from(hash, (it, j) => (j === byte % 32 ? it ^ 1 : it)) : hash,
      )
      assert.equal(verifyInclusion({ ...proof, path: spoiled }), false)
      const old = index + 1
      if (old === size) return
      const consistency = { oldSize: old, newSize: size, oldRoot: rootAt(old), newRoot: rootAt(size) }
      const joined = consistencyProof(read, old, size)
      const other = joined.map((hash, i) => (i === at % joined.length ? flip(hash) : hash))
      assert.equal(verifyConsistency({ ...consistency, path: joined }), true)
      assert.equal(verifyConsistency({ ...consistency, path: other }), false)
    }),
    { seed, numRuns: 300 },
  )
})

test('nonsense is false, never an exception', () => {
  const leaf = hashes[0] as Uint8Array
  const proof = { leafHash: leaf, index: 0, size: 1, path: [], root: rootAt(1) }
  assert.equal(verifyInclusion(proof), true)
  for (const bad of [
    { index: -1 },
    { index: 1 },
    { index: 0.5 },
    { size: 0 },
    { size: Number.NaN },
    { size: 2 ** 60 },
  ]) {
    assert.equal(verifyInclusion({ ...proof, ...bad }), false)
  }
  assert.equal(verifyInclusion({ ...proof, root: leaf.subarray(1) }), false)
  assert.equal(verifyInclusion({ ...proof, path: Array.from({ length: 5_000 }, () => leaf) }), false)
  const join = { oldSize: 0, newSize: 0, oldRoot: emptyRoot(), newRoot: emptyRoot(), path: [] }
  assert.equal(verifyConsistency(join), true)
  assert.equal(verifyConsistency({ ...join, oldSize: 2 }), false)
  assert.equal(verifyConsistency({ ...join, newSize: 1.5 }), false)
  assert.equal(verifyConsistency({ ...join, oldRoot: leaf, newSize: 1, newRoot: leaf }), false)
})

test('proofs in trees beyond 2^32 leaves take no 32-bit shortcut', () => {
  const size = 2 ** 40 + 3
  const index = 2 ** 40 + 1
  // The left 2^40 leaves are one made-up hash: a tree that nobody can hold, of which only the edge is real.
  const big: NodeReader = (level, at) => {
    if (level === 1) return nodeHash(big(0, 2 * at), big(0, 2 * at + 1))
    return sha256(utf8(`${level}/${at}`))
  }
  const root = rootFrom(big, size)
  const path = inclusionProof(big, index, size)
  assert.equal(path.length, 3)
  assert.equal(verifyInclusion({ leafHash: big(0, index), index, size, path, root }), true)
  assert.equal(verifyInclusion({ leafHash: big(0, index), index: index - 2 ** 32, size, path, root }), false)
})

test('the nodes a proof reads are known before it is made', () => {
  const wanted = nodesRead((reader) => inclusionProof(reader, 5, 11))
  const seen: { level: number; index: number }[] = []
  inclusionProof(
    (level, index) => {
      seen.push({ level, index })
      return read(level, index)
    },
    5,
    11,
  )
  assert.deepEqual(wanted, seen)
  assert.deepEqual(nodeHash(read(0, 0), read(0, 1)), read(1, 0))
})

test.run()
