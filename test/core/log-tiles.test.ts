// Goal: tiles are C2SP's: each has one spelling, holds the hashes that the document names, and a proof made of tiles
// alone is that of the tree. Method: the examples of the document; trees of many sizes, whose proofs and roots are made
// from tiles cut here of leaf hashes, level by level; texts that name no tile.
import assert from 'node:assert/strict'
import { equalBytes } from '#core/bytes.ts'
import {
  consistencyProof,
  consistencySteps,
  inclusionProof,
  inclusionSteps,
  leafHash,
  type NodeReader,
  nodeHash,
  nodesRead,
  rootFrom,
  rootOf,
} from '#core/merkle.ts'
import {
  entriesOf,
  entryBundle,
  leavesUnder,
  parseTilePath,
  tileAt,
  tileOf,
  tilePath,
  tileReader,
} from '#core/tiles.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/log-tiles')

test('a tile is spelled as the document spells it, and in no other way', () => {
  const good: readonly [string, object, number][] = [
    ['0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }, 1_234_068 * 256],
    ['0/000', { level: 0, index: 0, width: 256 }, 256],
    ['0/273.p/112', { level: 0, index: 273, width: 112 }, 70_000],
    ['1/001.p/17', { level: 1, index: 1, width: 17 }, 273 * 256],
    ['2/000.p/1', { level: 2, index: 0, width: 1 }, 65_536],
    ['entries/x999/999.p/255', { level: 'entries', index: 999_999, width: 255 }, 999_999 * 256 + 255],
    ['6/001', { level: 6, index: 1, width: 256 }, 2 * 256 ** 7],
  ]
  for (const [path, tile, leaves] of good) {
    const parsed = parseTilePath(path)
    assert.deepEqual(parsed, tile, path)
    assert.equal(tilePath(parsed!), path)
    assert.equal(leavesUnder(parsed!), leaves, path)
  }
  const bad = [
    '',
    '0',
    '0/',
    '0/0',
    '0/00',
    '0/0000',
    '00/000',
    '-1/000',
    '0/x000/000',
    '0/x001',
    '0/001/002',
    '+0/000',
  ]
  bad.push(
    '0/X001/000',
    '0/000.p',
    '0/000.p/',
    '0/000.p/0',
    '0/000.p/01',
    '0/000.p/256',
    '0/000.p/999',
    '0/000/',
    '/0/000',
  )
  bad.push('7/000', '63/000', '64/000', '0x0/000', 'entries', 'Entries/000', 'entries/0', '0/000.P/1', '0/000.p/1/2')
  bad.push(
    '0/%30%30%30',
    '0/٠٠٠',
    '0/000\n',
    '0/000 ',
    '../0/000',
    '0/..',
    `0/${'x999/'.repeat(6)}999`,
    '0/'.padEnd(9_999, '0'),
  )
  for (const path of bad) assert.equal(parseTilePath(path), undefined, JSON.stringify(path.slice(0, 60)))
})

/** Tiles of a tree, cut of its leaf hashes as the document says: hashes of a level are roots of full tiles below. */
const cut = (leaves: readonly Uint8Array[]): ReadonlyMap<string, Uint8Array> => {
  const tiles = new Map<string, Uint8Array>()
  const pairs = (hashes: readonly Uint8Array[]): Uint8Array =>
    hashes.length === 1
      ? hashes[0]!
      : pairs(Array.from({ length: hashes.length / 2 }, (_, i) => nodeHash(hashes[2 * i]!, hashes[2 * i + 1]!)))
  let hashes = leaves
  for (let level = 0; hashes.length > 0; level++) {
    const above: Uint8Array[] = []
    for (let index = 0; index * 256 < hashes.length; index++) {
      const some = hashes.slice(index * 256, (index + 1) * 256)
      tiles.set(tilePath({ level, index, width: some.length }), Buffer.concat(some))
      if (some.length === 256) above.push(pairs(some))
    }
    hashes = above
  }
  return tiles
}

const hashesOf = (size: number): Uint8Array[] =>
  Array.from({ length: size }, (_, i) => leafHash(new TextEncoder().encode(`leaf ${i}`)))

test('roots and proofs made of tiles are those of the tree, and name only tiles that it has', () => {
  const random = seeded(62)
  const most = 66_000
  const all = hashesOf(most)
  for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 1_000, 65_535, 65_536, 65_537, most]) {
    const leaves = all.slice(0, size)
    const tiles = cut(leaves)
    const read: NodeReader = tileReader(size, (tile) => {
      const found = tiles.get(tilePath(tile))
      assert(found !== undefined, `${tilePath(tile)} of ${size}`)
      assert(leavesUnder(tile) <= size)
      return found
    })
    const root = rootOf(leaves)
    assert(equalBytes(rootFrom(read, size), root), `root of ${size}`)
    for (let round = 0; round < 8; round++) {
      const index = random.integer(0, size - 1)
      const path = inclusionProof(read, index, size)
      // Each step is the root of the leaves that it says, and folding them on their sides gives the root.
      const steps = inclusionSteps(index, size)
      assert.equal(steps.length, path.length)
      let hash = leaves[index]!
      for (const [i, { side, from, to }] of steps.entries()) {
        if (to - from < 600) assert(equalBytes(path[i]!, rootOf(leaves.slice(from, to))))
        hash = side === 'left' ? nodeHash(path[i]!, hash) : nodeHash(hash, path[i]!)
      }
      assert(equalBytes(hash, root), `path of ${index} in ${size}`)
      const old = random.integer(1, size)
      const covered = consistencySteps(old, size)
      const proof = consistencyProof(read, old, size)
      assert.equal(proof.length, covered.length)
      for (const [i, { from, to }] of covered.entries()) {
        if (to - from < 600) assert(equalBytes(proof[i]!, rootOf(leaves.slice(from, to))))
      }
    }
    for (const { level, index } of nodesRead((it) => rootFrom(it, size))) {
      const { tile } = tileOf(level, index, size)
      assert.deepEqual(tileAt(tile.level as number, tile.index, size), tile)
    }
  }
}, 30_000)

test('a tree has no tile beyond its edge', () => {
  assert.equal(tileAt(0, 0, 0), undefined)
  assert.equal(tileAt(1, 0, 255), undefined)
  assert.deepEqual(tileAt(1, 0, 256), { level: 1, index: 0, width: 1 })
  assert.equal(tileAt(0, 1, 256), undefined)
  assert.equal(tileAt(7, 0, 2 ** 53 - 1), undefined)
})

test('a bundle gives its entries back, and bytes that are none give nothing', () => {
  const random = seeded(63)
  const entries = [new Uint8Array(0), ...Array.from({ length: 255 }, (_, i) => random.bytes(i))]
  const bundle = entryBundle(entries)!
  assert.deepEqual([bundle[0], bundle[1], bundle[2], bundle[3]], [0, 0, 0, 0])
  assert.deepEqual(
    entriesOf(bundle)!.map((it) => Buffer.from(it).toString('hex')),
    entries.map((it) => Buffer.from(it).toString('hex')),
  )
  assert.equal(entryBundle([new Uint8Array(65_535)])!.length, 65_537)
  assert.equal(entryBundle([new Uint8Array(65_536)]), undefined)
  assert.equal(entriesOf(bundle.subarray(0, bundle.length - 1)), undefined)
  assert.equal(entriesOf(Uint8Array.of(0)), undefined)
  assert.equal(entriesOf(new Uint8Array(2 * 257)), undefined)
})

test.run()
