/*
 * Goal: a signed challenge and a signed ruling are read back as signed, and prove what they say or are refused.
 * Method: a run of eleven states by seeded keys, with one member altered at a time.
 */
import assert from 'node:assert/strict'
import {
  assertProves,
  type ChallengeOfWork,
  challengeDigest,
  outcomeOf,
  readChallenge,
  signChallenge,
  signChallengeWith,
} from '#core/dispute/challenge.ts'
import { readReveal, readRuling, readWithheld, signRuling, signRulingWith } from '#core/dispute/statements.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { misfit } from '#core/schema.ts'
import { bondReleaseSchema } from '#core/work/bond.ts'
import { provenStateOf, segmentPlan, statesTree, stepsOf } from '#core/work/segments.ts'
import { type ContributedWork, workDigest } from '#core/work/work.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { hash } from './world.ts'

const test = suite('core/dispute: statements')
const seed = seeded().bytes(32)
const node = nodeIdOf(publicKeyOfSeed(seed))
const inputs = hash('inputs')
const plan = segmentPlan(10)
const states = Array.from({ length: plan.count }, (_, i) => hash(`state ${i}`))
const tree = statesTree(inputs, plan, states)
const state = (i: number) => provenStateOf(tree, plan, { i, sha256: states[i]! })
const code = {
  release: hash('r'),
  registry: hash('g'),
  constants: hash('c'),
  math: hash('m'),
  kernels: {},
  solver: 'heat@1',
}
const work: ContributedWork = {
  ...{ job: { requester: node, random: 'ab'.repeat(16) }, attempt: 0, code, result_digest: hash('result') },
  ...{ steps: stepsOf(inputs, plan, states), check: { against: 'energy', measured: 0.01, bound: 0.1 } },
}
const challenge: ChallengeOfWork = {
  ...{ kind: 'wrong', inputs, segment: 3, own: hash('mine'), before: state(3), after: state(4), follows: null },
  place: { event: hash('event'), index: 0, worker: node, work: workDigest(work), path: [] },
  commitment: hash('c'),
}
const refused = (read: () => unknown) => assert.throws(read, Fault)

test('a challenge is read back, proves its place in the run, and is refused with any member altered', async () => {
  const signed = signChallenge(seed, challenge)
  assert.deepEqual(readChallenge(structuredClone(signed), node), signed)
  assert.deepEqual(await signChallengeWith(createSigner(seed), challenge), signed)
  assert.notEqual(challengeDigest(challenge), challengeDigest({ ...challenge, commitment: hash('d') }))
  refused(() => readChallenge({ ...signed, challenge: { ...challenge, commitment: hash('d') } }, node))
  for (const parts of [
    { segment: null },
    { own: null },
    { before: null },
    { own: states[4]! },
    { kind: 'unavailable' as const },
  ]) {
    refused(() => readChallenge(signChallenge(seed, { ...challenge, ...parts }), node))
  }
  assertProves(challenge, work, inputs)
  const forged = [
    { segment: 4 },
    { before: state(2) },
    { after: { ...state(4), sha256: hash('x') } },
    { inputs: hash('y') },
  ]
  for (const parts of forged) refused(() => assertProves({ ...challenge, ...parts }, work, inputs))
  refused(() => assertProves(challenge, { ...work, result_digest: hash('other') }, inputs))
})

test('what running the segment again gives decides, and neither digest is neither', () => {
  const found = [states[4]!, hash('mine'), hash('third')].map((it) => outcomeOf(it, challenge, work))
  assert.deepEqual(found, ['dismissed', 'upheld', 'not_reproducible'])
})

test('rulings, reveals, withheld and release keep to their forms', async () => {
  const ruling = { challenge: hash('e'), work: hash('w'), outcome: 'upheld', recomputed: hash('mine'), code } as const
  const signed = signRuling(seed, ruling)
  assert.deepEqual(readRuling(structuredClone(signed), node), signed)
  assert.deepEqual(await signRulingWith(createSigner(seed), ruling), signed)
  refused(() => readRuling(signRuling(seed, { ...ruling, recomputed: null }), node))
  refused(() => readRuling({ ...signed, ruling: { ...ruling, outcome: 'dismissed' } }, node))
  const reveal = { of: 'w', challenge: hash('e'), value: hash('v'), next: hash('n'), after: null }
  assert.deepEqual(readReveal(reveal), reveal)
  refused(() => readReveal({ ...reveal, of: 'c' }))
  refused(() => readReveal({ ...reveal, next: null }))
  refused(() => readWithheld({ home: 'nowhere', bond: hash('b'), challenge: hash('e'), ruling: null }))
  assert.equal(misfit(bondReleaseSchema, { bond: hash('b'), unlocks_at: 7 }), undefined)
})

test.run()
