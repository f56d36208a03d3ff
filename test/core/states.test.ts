// Goal: a run is cut into at most 4,096 segments by rule, and its tree of states follows from their digests.
// Method: cuts are held against sums over their segments; leaves and roots against texts put together by hand.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { toHex, utf8 } from '#core/bytes.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import {
  cutOf,
  SEGMENTS_MAX,
  stateDigestAt,
  stateLeaf,
  stateLeafHashes,
  stepAt,
  stepsOf,
  strideOf,
} from '#core/states.ts'
import { sha256 } from '#crypto'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/states')

test('segments lie one after another, are as long as the first but for the last, and are 4,096 at most', () => {
  assert.equal(SEGMENTS_MAX, 4_096)
  assert.deepEqual([1, 4_096, 4_097, 8_192, 8_193].map(strideOf), [1, 1, 2, 2, 3])
  const steps = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 2_000_000_000 }))
  fc.assert(
    fc.property(steps, (all) => {
      const { every, segments, count } = cutOf(all)
      assert(segments <= SEGMENTS_MAX && count === segments + 1)
      assert.equal(stepAt(all, 0), 0)
      assert.equal(stepAt(all, segments), all)
      assert.equal(stepAt(all, segments - 1), (segments - 1) * every)
      assert(all - (segments - 1) * every >= 1 && all - (segments - 1) * every <= every)
    }),
    { seed },
  )
})

const inputsDigest = 'ab'.repeat(32)

test('a leaf is the purpose, a line feed and the place of the state with its digest', () => {
  const digest = sha256(utf8('a state'))
  const text = `tickmesh/state/1\n{"i":3,"inputs_digest":"${inputsDigest}","sha256":"${toHex(digest)}","step":7}`
  assert.deepEqual(stateLeaf({ inputsDigest, i: 3, step: 7 }, digest), utf8(text))
})

test('the tree is over the leaves in their order, and the last state is the end', () => {
  const steps = 8_193
  const { count } = cutOf(steps)
  assert.equal(count, 2_732)
  const states = Array.from({ length: count }, (_, i) => sha256(utf8(`${i}`)))
  const digests = new Uint8Array(32 * count)
  for (const [i, digest] of states.entries()) digests.set(digest, 32 * i)
  assert.deepEqual(stateDigestAt(digests, 7), states[7])
  const leaves = states.map((digest, i) =>
    leafHash(stateLeaf({ inputsDigest, i, step: i === count - 1 ? steps : 3 * i }, digest)),
  )
  assert.deepEqual(stateLeafHashes({ inputsDigest, steps, digests }), leaves)
  assert.deepEqual(stepsOf({ inputsDigest, steps, digests }), { root: toHex(rootOf(leaves)), every: 3, count })
})

test('digests of another number of states are refused', () => {
  for (const length of [0, 31, 64, 33, 96 + 32]) {
    assert.throws(() => stepsOf({ inputsDigest, steps: 2, digests: new Uint8Array(length) }), {
      code: 'INVALID_INPUT',
      details: { measured: length, limit: 96 },
    })
  }
})

test.run()
