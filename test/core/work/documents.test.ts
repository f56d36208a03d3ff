/*
 * Goal: offer, accept, work, bond and close are read back as they were signed, and each rule that their forms cannot
 * say refuses. Method: documents by seeded keys, altered one member at a time.
 */
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { type Accept, acceptDigest, readAccept, signAccept, signAcceptWith } from '#core/work/accept.ts'
import { auditCommitment, auditRate, closeFault, isAudited, RATE_ONE } from '#core/work/audit.ts'
import { type Bond, bondFault, bondName, readBond } from '#core/work/bond.ts'
import { jobKey } from '#core/work/job.ts'
import { offerDigest, readOffer, signOffer, signOfferWith, type WorkOffer } from '#core/work/offer.ts'
import { holdsWork, publishedWorks } from '#core/work/published.ts'
import {
  areTwoAnswers,
  type ContributedWork,
  outcomeDigest,
  readWork,
  signWork,
  signWorkWith,
  voidBecause,
  workDigest,
} from '#core/work/work.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { hash } from '../dispute/world.ts'

const test = suite('core/work: documents')
const random = seeded()
const party = () => {
  const seed = random.bytes(32)
  return { seed, node: nodeIdOf(publicKeyOfSeed(seed)) }
}
const [requester, worker, other] = [party(), party(), party()]
const pool = Array.from({ length: 4 }, () => party().node).sort()
const code = {
  release: hash('r'),
  registry: hash('g'),
  constants: hash('c'),
  math: hash('m'),
  kernels: {},
  solver: 'heat@1',
}
const job = { requester: requester.node, random: 'ab'.repeat(16) }
const q = hash('q')
const offer: WorkOffer = {
  ...{
    job,
    attempt: 0,
    worker: worker.node,
    kind: 'heat',
    inputs: hash('inputs'),
    code,
    deadline: 2_000,
    policy: 'open',
  },
  ...{ pool, at_risk: true, disclosed: true, audit: auditCommitment(q, 20_000), mesh_tick: 1_000 },
}
const accept: Accept = {
  ...{ offer: offerDigest(offer), worker: worker.node, bond: hash('bond'), w: hash('w'), mesh_tick: 1_001 },
}
const work: ContributedWork = {
  ...{ job, attempt: 0, code, result_digest: hash('result'), steps: { root: hash('root'), every: 1, count: 11 } },
  check: { against: 'energy', measured: 0.01, bound: 0.1 },
}

const refuses = (read: () => unknown, code_: string, why?: RegExp): void => {
  assert.throws(
    read,
    (thrown) => thrown instanceof Fault && thrown.code === code_ && (why?.test(thrown.message) ?? true),
  )
}

test('offer: read back, signed by the requester that its job names', async () => {
  const signed = signOffer(requester.seed, offer)
  assert.deepEqual(readOffer(structuredClone(signed)), signed)
  assert.deepEqual(await signOfferWith(createSigner(requester.seed), offer), signed)
  assert.equal(jobKey(offer.job), `${requester.node}/${'ab'.repeat(16)}`)
  refuses(() => readOffer(signOffer(worker.seed, offer)), 'BAD_SIGNATURE')
  refuses(() => readOffer({ ...signed, offer: { ...offer, deadline: 2_001 } }), 'BAD_SIGNATURE')
  refuses(() => readOffer({ ...signed, more: 1 }), 'INVALID_INPUT')
  const wrong = (parts: Partial<WorkOffer>) => () => readOffer(signOffer(requester.seed, { ...offer, ...parts }))
  refuses(wrong({ pool: pool.toReversed() }), 'INVALID_INPUT', /pool/)
  refuses(wrong({ pool: [...pool, pool.at(-1)!] }), 'INVALID_INPUT', /pool/)
  refuses(wrong({ at_risk: false }), 'INVALID_INPUT', /at_risk/)
  refuses(wrong({ pool: pool.slice(0, 2) }), 'INVALID_INPUT', /at_risk/)
  refuses(wrong({ pool: [...pool.slice(0, 2), worker.node, requester.node].sort() }), 'INVALID_INPUT', /at_risk/)
  refuses(wrong({ disclosed: false }), 'INVALID_INPUT', /disclosed/)
  refuses(wrong({ worker: requester.node }), 'INVALID_INPUT', /worker/)
  refuses(wrong({ deadline: 1_000 }), 'INVALID_INPUT', /deadline/)
})

test('accept: of that offer, by the worker it names, with a bond iff one is at risk', async () => {
  const signed = signAccept(worker.seed, accept)
  assert.deepEqual(readAccept(structuredClone(signed), offer), signed)
  assert.deepEqual(await signAcceptWith(createSigner(worker.seed), accept), signed)
  assert.notEqual(acceptDigest(accept), acceptDigest({ ...accept, w: hash('w2') }))
  refuses(() => readAccept(signed, { ...offer, inputs: hash('others') }), 'INVALID_INPUT', /offer/)
  refuses(() => readAccept(signAccept(other.seed, accept), offer), 'BAD_SIGNATURE')
  refuses(() => readAccept(signAccept(other.seed, { ...accept, worker: other.node }), offer), 'INVALID_INPUT', /worker/)
  refuses(() => readAccept(signAccept(worker.seed, { ...accept, bond: null }), offer), 'INVALID_INPUT', /bond/)
})

test('work: signed by its worker; other code or another job is void; two answers are told', async () => {
  const signed = signWork(worker.seed, work)
  assert.deepEqual(readWork(structuredClone(signed), worker.node), signed)
  assert.deepEqual(await signWorkWith(createSigner(worker.seed), work), signed)
  refuses(() => readWork(signed, other.node), 'BAD_SIGNATURE')
  assert.equal(voidBecause(offer, work), undefined)
  assert.notEqual(voidBecause(offer, { ...work, code: { ...code, solver: 'heat@2' } }), undefined)
  assert.notEqual(voidBecause(offer, { ...work, attempt: 1 }), undefined)
  assert.equal(areTwoAnswers(work, work), false)
  assert.equal(areTwoAnswers(work, { ...work, result_digest: hash('other') }), true)
  assert.equal(areTwoAnswers(work, { ...work, attempt: 1 }), false, 'another try is another question')
  assert.notEqual(outcomeDigest(work), outcomeDigest({ ...work, check: { ...work.check, measured: 0.02 } }))
})

test('works of a tick: each is shown under the root of the event, at its place and no other', () => {
  const works = Array.from({ length: 5 }, (_, i) => ({ worker: pool[i % 4]!, work: hash(`work ${i}`) }))
  const { payload, path } = publishedWorks(works)
  for (const [index, it] of works.entries()) {
    const place = { event: hash('event'), index, ...it, path: [...path(index)] }
    assert.ok(holdsWork(payload, place))
    assert.equal(holdsWork(payload, { ...place, index: (index + 1) % 5 }), false)
    assert.equal(holdsWork(payload, { ...place, worker: other.node }), false)
    assert.equal(holdsWork({ ...payload, count: 9 }, place), false)
  }
  assert.equal(payload.count, 5)
  assert.notEqual(workDigest(work), hash('work 0'))
})

test('bond: its name is its author’s, its parts add up, its tokens stand in no other', () => {
  const name = bondName(worker.node, 'cd'.repeat(16))
  const part = (home: string, count: number) => ({
    ...{ home: `tickmesh.log/${home}/1`, tokens_root: hash(home), count, receipt: hash('receipt'), index: 4 },
  })
  const bond: Bond = {
    ...{ bond: name, random: 'cd'.repeat(16), policy: 'open', total: 1_000 },
    parts: [part(pool[0]!, 600), part(pool[1]!, 400)],
  }
  assert.deepEqual(readBond(structuredClone(bond), worker.node), bond)
  refuses(() => readBond(bond, other.node), 'INVALID_INPUT', /bond/)
  refuses(() => readBond({ ...bond, parts: [part(pool[0]!, 999)] }, worker.node), 'INVALID_INPUT', /add up/)
  refuses(
    () => readBond({ ...bond, parts: [part(pool[0]!, 500), part(pool[0]!, 500)] }, worker.node),
    'INVALID_INPUT',
    /twice/,
  )
  const ids = (count: number, from: string) => Array.from({ length: count }, (_, i) => `${from}${i}`)
  const lists = new Map([
    [hash(pool[0]!), ids(600, 'a')],
    [hash(pool[1]!), ids(400, 'b')],
  ])
  assert.equal(bondFault(bond, lists, new Set()), undefined)
  assert.match(bondFault(bond, new Map(), new Set()) ?? '', /cannot be had/)
  assert.match(bondFault(bond, lists, new Set(['b7'])) ?? '', /another live bond/)
})

test('audit: the rate falls with what was found right, never below 0.5 %, and steps are audited at r', () => {
  assert.deepEqual(
    [0, 9, 19, 48, 49, 50, 1_000].map((v) => auditRate(v, { steps: false })),
    [...[100_000, 100_000, 50_000, 20_408, 20_000, 20_000, 20_000]],
  )
  assert.equal(auditRate(0, { steps: true }), 20_000)
  assert.equal(auditRate(1_000_000, { r: 1, steps: false }), 5_000)
  const works = Array.from({ length: 20_000 }, (_, i) => hash(`work ${i}`))
  const audited = works.filter((it) => isAudited(q, 100_000, it)).length
  assert.ok(audited > 1_800 && audited < 2_200, `${audited} of 20,000 at 10 %`)
  assert.ok(works.slice(0, 50).every((it) => isAudited(q, RATE_ONE, it)))
})

test('close: what it shows is what was committed to, and an audit is told iff it was drawn', () => {
  const drawn = Array.from({ length: 1_000 }, (_, i) => hash(`work ${i}`))
  const audited = drawn.find((it) => isAudited(q, 20_000, it))!
  const passed = drawn.find((it) => !isAudited(q, 20_000, it))!
  const close = (audit: 'right' | 'wrong' | 'not_audited' | 'no_work', rate = 20_000) => ({
    ...{ job, q, rate, found: { audit, samples: 6, of: 100 } },
  })
  const told = { audit: offer.audit }
  assert.equal(closeFault(close('right'), { ...told, work: audited }), undefined)
  assert.equal(closeFault(close('not_audited'), { ...told, work: passed }), undefined)
  assert.equal(closeFault(close('no_work'), { ...told, work: null }), undefined)
  for (const [it, work_] of [
    [close('not_audited'), audited],
    [close('right'), passed],
    [close('right', 30_000), audited],
    [close('no_work'), passed],
    [close('right'), null],
  ] as const) {
    assert.notEqual(closeFault(it, { ...told, work: work_ }), undefined)
  }
})

test.run()
