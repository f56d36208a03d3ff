/*
 * Goal: segments, estimates, samples and the rules of exposure and release are those of trust.md. Method: the plan is
 * held against the one that runs use, proofs against altered states, sums against hand-made tables.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { fromHex, toHex } from '#core/bytes.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import { cutOf, stepsOf as runSteps, stateLeaf } from '#core/states.ts'
import { canBeOffered, estimateTicks, segmentEstimateTicks } from '#core/work/estimate.ts'
import { countedWorks, openWorks, unlocksAt } from '#core/work/exposure.ts'
import { SAMPLES_DEFAULT, SAMPLES_STRICT, sampledSegments, sampleIndices, sampleTicks } from '#core/work/samples.ts'
import {
  boundsOf,
  firstDifference,
  hasSegment,
  holdsState,
  provenStateOf,
  STATES_MAX,
  segmentPlan,
  stateLeafData,
  statesTree,
  stepOfState,
  stepsOf,
} from '#core/work/segments.ts'
import { sha256 } from '#crypto'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { hash } from '../dispute/world.ts'

const test = suite('core/work: segments and sums')
const inputs = hash('inputs')
const digestsOf = (count: number) => Array.from({ length: count }, (_, i) => hash(`state ${i}`))

test('the plan is that of runs, for every number of steps: at most 4,096 segments, each state once', () => {
  const random = seeded()
  const counts = [1, 2, 4_095, 4_096, 4_097, 8_191, 8_192, 8_193, 12_288, 1_000_000]
  for (const steps of [...counts, ...Array.from({ length: 200 }, () => random.integer(1, 100_000_000))]) {
    const plan = segmentPlan(steps)
    assert.deepEqual([plan.every, plan.k], [cutOf(steps).every, cutOf(steps).segments])
    assert.ok(plan.count <= STATES_MAX && plan.count === plan.k + 1)
    assert.equal(stepOfState(plan, 0), 0)
    assert.equal(stepOfState(plan, plan.k), steps)
    assert.ok(stepOfState(plan, plan.k - 1) < steps)
  }
})

test('a leaf by its digest is the leaf that a run makes of the state’s bytes', () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const made = stateLeafData({ inputs_digest: inputs, i: 3, step: 30, sha256: toHex(sha256(bytes)) })
  assert.deepEqual(made, stateLeaf({ inputsDigest: inputs, i: 3, step: 30 }, sha256(bytes)))
})

test('a state is proven under the root at its place, with its step, and nowhere else', () => {
  for (const steps of [1, 7, 10_000]) {
    const plan = segmentPlan(steps)
    const digests = digestsOf(plan.count)
    const tree = statesTree(inputs, plan, digests)
    const claimed = stepsOf(inputs, plan, digests)
    const bytes = Uint8Array.from(digests.flatMap((it) => [...fromHex(it)]))
    assert.deepEqual(claimed, runSteps({ inputsDigest: inputs, steps, digests: bytes }))
    assert.deepEqual(
      tree.root,
      rootOf(
        digests.map((sha, i) =>
          leafHash(stateLeafData({ inputs_digest: inputs, i, step: stepOfState(plan, i), sha256: sha })),
        ),
      ),
    )
    for (const i of [0, 1, plan.k - 1, plan.k]) {
      const proven = { ...provenStateOf(tree, plan, { i, sha256: digests[i]! }), i }
      assert.ok(holdsState(claimed, inputs, proven))
      assert.equal(holdsState(claimed, hash('others'), proven), false)
      assert.equal(holdsState(claimed, inputs, { ...proven, sha256: hash('else') }), false)
      assert.equal(holdsState(claimed, inputs, { ...proven, step: proven.step + 1 }), false)
      assert.equal(holdsState(claimed, inputs, { ...proven, i: i + 1 }), false)
    }
  }
})

test('segments of a run: init, k numbers, finish; all of a run that does not step', () => {
  assert.deepEqual(
    ['init', 0, 9, 10, 'finish', 'all'].map((it) => hasSegment({ count: 11 }, it as never)),
    [...[true, true, true, false, true, false]],
  )
  assert.deepEqual(
    ['init', 0, 'finish', 'all'].map((it) => hasSegment(null, it as never)),
    [false, false, false, true],
  )
  assert.deepEqual(boundsOf(11, 'init'), { before: null, after: 0 })
  assert.deepEqual(boundsOf(11, 3), { before: 3, after: 4 })
  assert.deepEqual(boundsOf(11, 'finish'), { before: 10, after: null })
})

test('the first difference of two runs is found from their digests alone', () => {
  const mine = { states: digestsOf(5), outcome: 'o' }
  const differing = (at: number) => ({ ...mine, states: mine.states.map((it, i) => (i >= at ? hash(`x ${i}`) : it)) })
  assert.equal(firstDifference(mine, mine), undefined)
  assert.deepEqual(
    [0, 1, 4].map((at) => firstDifference(mine, differing(at))),
    ['init', 0, 3],
  )
  assert.equal(firstDifference(mine, { ...mine, outcome: 'p' }), 'finish')
  assert.equal(firstDifference({ states: null, outcome: 'o' }, { states: null, outcome: 'p' }), 'all')
})

test('estimates follow from the work alone', () => {
  assert.deepEqual([0, 1, 1_000, 1_001].map(estimateTicks), [0, 1, 1, 2])
  assert.deepEqual([segmentEstimateTicks(500_000, 100), segmentEstimateTicks(500_000, 0)], [5, 500])
  assert.deepEqual([canBeOffered(4_634_000), canBeOffered(4_634_001)], [true, false])
  assert.deepEqual([sampleTicks(0), sampleTicks(1_920), sampleTicks(1_921)], [240, 240, 241])
})

test('samples are the HMAC’s number mod k, and every segment is as likely', () => {
  const q = hash('q')
  const [work, k] = [hash('work'), 997]
  const expected = (j: number): number => {
    const mac = createHmac('sha256', Buffer.from(q, 'hex')).update(`tickmesh/sample/1\n{"j":${j},"work":"${work}"}`)
    return Number(BigInt(`0x${mac.digest('hex')}`) % BigInt(k))
  }
  assert.deepEqual(sampleIndices(q, work, { m: 4, k }), [0, 1, 2, 3].map(expected))
  const seen = new Set(sampleIndices(q, work, { m: 400, k: 10 }))
  assert.equal(seen.size, 10)
  const drawn = sampledSegments(q, work, { m: SAMPLES_STRICT, k: 2 })
  assert.deepEqual([drawn[0], drawn.at(-1)], ['init', 'finish'])
  assert.equal(new Set(drawn).size, drawn.length, 'each once')
  assert.ok(sampledSegments(q, work, { m: SAMPLES_DEFAULT, k: 1 }).length === 3)
})

test('a bond answers for 64 works at a time: the later ones by When, then id, count for nothing', () => {
  const works = Array.from({ length: 70 }, (_, i) => ({
    id: `w${String(i).padStart(2, '0')}`,
    at: 100 as number | undefined,
  }))
  assert.deepEqual(
    countedWorks([...works].reverse()),
    works.slice(0, 64).map(({ id }) => id),
  )
  const next = { id: 'next', at: 100 + 1_287 }
  assert.equal(countedWorks([...works, next]).includes('next'), false, 'the 1,287 ticks are not over')
  assert.equal(countedWorks([...works, { ...next, at: 100 + 1_288 }]).includes('next'), true)
  assert.equal(countedWorks([...works, { id: 'a', at: undefined }]).includes('a'), true, 'pending stands behind all')
  const open = [
    { accepted: 10, at: undefined },
    { accepted: 10, at: 50 },
    { accepted: 500, at: 600 },
  ]
  assert.deepEqual(
    [openWorks(open, 100), openWorks(open, 1_337), openWorks(open, 1_338), openWorks(open, 5_000)],
    [2, 3, 2, 1],
  )
})

test('a bond unlocks 1,287 + 240 ticks after its last result or publication, and not in a dispute', () => {
  const none = { released: 100, works: [], disputesUntil: [] }
  assert.equal(unlocksAt(none), 100 + 1_527, 'a work may not have been heard of yet')
  const works = [
    { result: 50, published: 60 },
    { result: 190, published: undefined },
  ]
  assert.equal(unlocksAt({ ...none, works }), 190 + 1_527)
  assert.equal(unlocksAt({ ...none, works: [...works, { result: 180, published: 195 }] }), 195 + 1_527)
  assert.equal(unlocksAt({ ...none, works, disputesUntil: [4_000] }), 4_000)
  assert.equal(unlocksAt({ ...none, released: 9_000, works }), 9_000 + 1_527)
})

test.run()
