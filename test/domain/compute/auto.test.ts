/*
 * Goal: a question in words is answered as the call that it stands for, with the reading beside the answer and bound by
 * its claim, which says whether it was confirmed; what cannot
 * be read is asked about and costs nothing; what only a node knows enters the sealed inputs once.
 * Method: a real store, real solvers in a worker, a fixed clock; claims compared with those of direct calls; jobs,
 * quotes and repeated keys; re-runs by the node's own verdicts, also under another registry.
 */
import assert from 'node:assert/strict'
import type { AskedClaim, Bundle, Claim, Question } from '#core/claim.ts'
import { askedDigest, sealedReading } from '#core/question.ts'
import { verifyBundle } from '#core/verify.ts'
import { questionOf } from '#domain/compute/auto-orders.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import type { Computed } from '#domain/compute/types.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { rerun, schemasHere } from '#numerics/runtime/rerun.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, type ComputeHouse, openComputeHouse, stateOf, stranger } from './house.ts'

const test = suite('compute: questions in words')
const MS_MAX = 60_000

const sealedOf = (it: Computed) => {
  assert.equal(it.kind, 'sealed', JSON.stringify(it).slice(0, 300))
  return it as Extract<Computed, { kind: 'sealed' }>
}

const bundleOf = async (house: ComputeHouse, caller: Parameters<typeof asking>[0], token: string): Promise<Bundle> => {
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  return JSON.parse(JSON.stringify(await house.compute.bundle(token, caller))) as Bundle
}

const askedOf = (claim: Claim): AskedClaim => {
  assert.equal(claim.v, 2)
  return claim as AskedClaim
}

const judged = (house: ComputeHouse, bundle: Bundle) =>
  verifyBundle({
    bundle,
    trusted: house.keys.nodeId,
    schemas: schemasHere,
    replay: (of, inputs) => rerun(of, inputs, { registry: loadRegistry }),
  })

const EARTH = { query: 'gravitational force between two masses', constants: { m1: 5.972e24, m2: 1000, r: '6780 km' } }
const SPRING = { query: 'mass on a spring with stiffness 200 N/m, 0.5 kg, released from 10 cm, for 2 seconds' }

test(
  'the answer is that of the direct call: kind, inputs, result, price; the reading stands beside it',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const asked = sealedOf(await house.compute.auto(EARTH, asking(caller)))
    const order = { operators: ['NM21'], inputs: { ...EARTH.constants } }
    const direct = sealedOf(await house.compute.operate(order, asking(caller)))
    for (const name of ['kind', 'inputs_digest', 'result_digest', 'operators', 'unit', 'price'] as const) {
      assert.deepEqual(asked.evidence.claim[name], direct.evidence.claim[name], name)
    }
    assert.equal(asked.output, direct.output)
    const reading = asked.extras['reading'] as { operators: string[]; bound: { input: string; value: number }[] }
    assert.deepEqual(reading.operators, ['KO42', 'NM21'])
    assert.equal(reading.bound.find(({ input }) => input === 'r')?.value, 6.78e6)
    const spring = sealedOf(await house.compute.auto(SPRING, asking(caller)))
    const same = { referenceMode: 'shm', stiffness: 200, mass: 0.5, displacement: 0.1, t_max: 2 }
    const solved = sealedOf(await house.compute.solve('solve', same, asking(caller)))
    assert.equal(spring.evidence.claim.inputs_digest, solved.evidence.claim.inputs_digest)
    assert.equal(spring.evidence.claim.result_digest, solved.evidence.claim.result_digest)
  },
  MS_MAX,
)

test('what cannot be read is asked about, and nothing is held or sealed', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['what is the meaning of life', {}, 'AMBIGUOUS_INPUT'],
    ['heat or wave?', {}, 'AMBIGUOUS_INPUT'],
    ['free fall with 3 kg and 5 V', {}, 'AMBIGUOUS_INPUT'],
    ['kinetic energy', { m: 1 }, 'MISSING_INPUTS'],
    ['heisenberg uncertainty relation', {}, 'RELATION_REFUSED'],
    ['free fall', { mas: 1 }, 'AMBIGUOUS_INPUT'],
    ['schwarzschild radius', { mass: '5 m' }, 'DIMENSION_MISMATCH'],
    ['free fall from -5e99 m', {}, 'INVALID_INPUT'],
    ['free fall', Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`c${i}`, i])), 'INVALID_INPUT'],
  ]
  for (const [query, constants, code] of cases) {
    const found = await refusal(() => house.compute.auto({ query, constants }, asking(caller)))
    assert.equal(found.code, code, query)
  }
  assert.deepEqual(stateOf(house, zid), before)
})

test(
  'words are read by a thread: this one answers others meanwhile',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path, { options: { threads: 1 } })
    const { caller } = await newAccount(house)
    const started: unknown[] = []
    const keep = (worker: unknown): void => void started.push(worker)
    process.on('worker', keep)
    await house.compute.read(EARTH, asking(caller))
    process.off('worker', keep)
    assert.equal(started.length, 1)
    const client = new AbortController()
    client.abort(new Error('gone'))
    await assert.rejects(house.compute.read(EARTH, asking(caller, { signal: client.signal })), /gone/)
  },
  MS_MAX,
)

test('a dry reading runs nothing; a quote has the price of the chosen route', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const { reading, price } = await house.compute.read(SPRING, asking(caller))
  assert.equal(reading.solver, 'solve')
  assert.equal(reading.route, 'POST /api/svc/solve')
  assert.deepEqual(reading.settings[0], { input: 'referenceMode', value: 'shm', because: 'spring' })
  assert.equal(reading.defaults['dt'], 0.01)
  assert.equal((await house.compute.quote('auto', SPRING, asking(caller))).price, price)
  const chosen = await house.compute.quote('solve', { referenceMode: 'shm' }, asking(caller))
  assert.equal(price, chosen.price)
  assert.deepEqual(stateOf(house, zid), before)
})

test(
  'an Idempotency-Key is held against the words; a job answers with the reading',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const keyed = asking(caller, { idempotencyKey: 'one' })
    const first = sealedOf(await house.compute.auto(SPRING, keyed))
    const again = sealedOf(await house.compute.auto(SPRING, keyed))
    assert.equal(again.replayed, true)
    assert.equal(again.envelope.token_id, first.envelope.token_id)
    assert.deepEqual(again.extras['reading'], first.extras['reading'])
    const other = await refusal(() => house.compute.auto({ query: `${SPRING.query}!` }, keyed))
    assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED')
    const accepted = await house.compute.auto(EARTH, asking(caller, { prefer: 'respond-async', route: 'POST /words' }))
    assert.ok(accepted.kind === 'accepted')
    assert.equal(accepted.job.route, 'POST /words', 'a job shows what was called')
    for await (const frame of house.compute.jobFrames(accepted.job.id, asking(caller), 0)) {
      if (frame.data.state === 'done') break
    }
    const answer = await house.compute.jobAnswer(accepted.job.id, caller)
    assert.equal((answer?.extras['reading'] as { kind?: string } | undefined)?.kind, 'operators')
  },
  MS_MAX,
)

test(
  'the claim binds the question and its reading, under its own version; what was confirmed is said',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller, zid } = await newAccount(house)
    const { reading_digest: confirm, reading } = await house.compute.read(SPRING, asking(caller))
    const before = stateOf(house, zid)
    const stale = await refusal(() => house.compute.auto({ ...SPRING, confirm: '0'.repeat(64) }, asking(caller)))
    assert.equal(stale.code, 'AMBIGUOUS_INPUT')
    assert.deepEqual([stale.details['reading'], stale.details['reading_digest']], [reading, confirm])
    const other = { query: SPRING.query.replace('200', '201'), confirm }
    assert.equal((await refusal(() => house.compute.auto(other, asking(caller)))).code, 'AMBIGUOUS_INPUT')
    assert.equal((await refusal(() => house.compute.quote('auto', other, asking(caller)))).code, 'AMBIGUOUS_INPUT')
    assert.deepEqual(stateOf(house, zid), before, 'nothing was held or sealed')
    for (const confirmed of [true, false]) {
      const asked = sealedOf(await house.compute.auto({ ...SPRING, ...(confirmed && { confirm }) }, asking(caller)))
      const claim = askedOf(asked.evidence.claim)
      assert.equal(claim.asked.confirmed, confirmed)
      assert.equal(asked.extras['confirmed'], confirmed)
      const bundle = await bundleOf(house, caller, asked.envelope.token_id)
      assert.equal(bundle.question?.query, SPRING.query)
      assert.equal(askedDigest(claim.nonce, bundle.question as Question), claim.asked.reading)
      const found = judged(house, bundle)
      assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
      assert.match(found.answers ?? '', confirmed ? /^Answers the question/ : /not confirmed by the caller/)
      const { question, ...hidden } = bundle
      assert.deepEqual(judged(house, hidden).unchecked, ['question'])
      const altered = { ...bundle, question: { ...question, query: 'how long is a day' } } as Bundle
      assert.equal(judged(house, altered).failing, 'question')
    }
    const direct = sealedOf(await house.compute.solve('solve', {}, asking(caller)))
    assert.equal(direct.evidence.claim.v, 1)
    assert.equal('asked' in direct.evidence.claim, false)
    const plain = await bundleOf(house, caller, direct.envelope.token_id)
    assert.equal('question' in plain, false)
  },
  MS_MAX,
)

test(
  'whoever may not see the inputs may not see the question; reverify takes a claim of version 2',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const other = await newAccount(house, '192.0.2.9')
    const asked = sealedOf(await house.compute.auto(EARTH, asking(caller)))
    const { claim, signature } = asked.evidence
    const bundle = await bundleOf(house, caller, asked.envelope.token_id)
    assert.deepEqual(bundle.question?.constants, EARTH.constants)
    for (const by of [other.caller, stranger]) {
      const found = await refusal(() => house.compute.bundle(asked.envelope.token_id, by, claim.nonce))
      assert.equal(found.code, 'NOT_FOUND')
    }
    const { verdict } = await house.compute.reverify({ claim, signature, inputs: bundle.inputs }, asking(stranger))
    assert.deepEqual([verdict.verdict, verdict.signer], ['agree', 'pinned'])
    const without = { ...claim, v: 1 }
    for (const wrong of [without, { ...claim, asked: undefined }, { ...claim, v: 3 }]) {
      const given = { claim: JSON.parse(JSON.stringify(wrong)), inputs: bundle.inputs }
      assert.equal((await refusal(() => house.compute.reverify(given, asking(stranger)))).code, 'INVALID_INPUT')
    }
  },
  MS_MAX,
)

test(
  'a repeat under one key gives the same claim, another confirmation is another call; a quote shows the reading',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const quote = await house.compute.quote('auto', EARTH, asking(caller))
    const { reading, reading_digest: confirm } = await house.compute.read(EARTH, asking(caller))
    assert.deepEqual([quote.reading, quote.reading_digest], [reading, confirm])
    const keyed = asking(caller, { idempotencyKey: 'yes' })
    const first = sealedOf(await house.compute.auto({ ...EARTH, confirm }, keyed))
    const again = sealedOf(await house.compute.auto({ ...EARTH, confirm }, keyed))
    assert.deepEqual([again.replayed, again.evidence.claim], [true, first.evidence.claim])
    assert.equal(again.extras['confirmed'], true)
    assert.equal((await refusal(() => house.compute.auto(EARTH, keyed))).code, 'IDEMPOTENCY_KEY_REUSED')
    const solver = await house.compute.quote('solve', {}, asking(caller))
    assert.equal('reading' in solver, false)
  },
  MS_MAX,
)

test(
  'a job that runs again after a restart seals the question as it was asked and confirmed',
  async () => {
    using dir = tempDir()
    const options = { threads: 1 }
    const { caller, id, confirm } = await (async () => {
      await using house = await openComputeHouse(dir.path, { options })
      const account = await newAccount(house)
      const later = asking(account.caller, { prefer: 'respond-async' })
      const { reading_digest } = await house.compute.read(SPRING, asking(account.caller))
      // The one thread is busy, so the second one is still to be done when the node stops.
      await house.compute.solve('heat', { nx: 256, ny: 256, steps: 5_000 }, later)
      const words = asking(account.caller, { prefer: 'respond-async', idempotencyKey: 'words' })
      const accepted = await house.compute.auto({ ...SPRING, confirm: reading_digest }, words)
      assert.ok(accepted.kind === 'accepted')
      return { caller: account.caller, id: accepted.job.id, confirm: reading_digest }
    })()
    await using house = await openComputeHouse(dir.path, { options: { threads: 2 } })
    for await (const frame of house.compute.jobFrames(id, asking(caller), 0)) if (frame.data.state === 'done') break
    const answer = await house.compute.jobAnswer(id, caller)
    assert.ok(answer?.kind === 'sealed', JSON.stringify(answer))
    const claim = askedOf(answer.evidence.claim)
    assert.deepEqual([claim.asked.confirmed, answer.extras['confirmed']], [true, true])
    const bundle = await bundleOf(house, caller, answer.envelope.token_id)
    assert.equal(bundle.question?.query, SPRING.query)
    assert.equal(judged(house, bundle).outcome, 'verified')
    const keyed = asking(caller, { idempotencyKey: 'words' })
    const again = sealedOf(await house.compute.auto({ ...SPRING, confirm }, keyed))
    assert.deepEqual([again.replayed, again.evidence.claim], [true, answer.evidence.claim])
  },
  MS_MAX,
)

test(
  'a job of a release that kept no words seals a claim of version 1, as it would have',
  async () => {
    assert.equal(questionOf({}), undefined)
    assert.equal(questionOf({ reading: { kind: 'solver' } }), undefined)
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const { reading } = await house.compute.read(EARTH, asking(caller))
    const of = (more: object) => questionOf({ reading: JSON.parse(JSON.stringify(reading)), ...more })
    const words = { query: EARTH.query, constants: {}, confirmed: true }
    assert.deepEqual([of({})?.confirmed, of({ words })?.confirmed], [undefined, true])
    assert.deepEqual(of({ words })?.question.reading, sealedReading(reading))
  },
  MS_MAX,
)

test(
  'fsck takes claims of both versions',
  async () => {
    using dir = tempDir()
    {
      await using house = await openComputeHouse(dir.path)
      const { caller } = await newAccount(house)
      await house.compute.auto(EARTH, asking(caller))
      await house.compute.operate({ operators: ['NM21'], inputs: { ...EARTH.constants } }, asking(caller))
      house.clock.advanceTicks(1)
      await house.store.closeTick()
    }
    const { bad, envelopes } = await fsck({ directory: dir.path })
    assert.deepEqual([bad, envelopes], [null, 2])
  },
  MS_MAX,
)

test(
  'the node fills in its own tick once: a repeated key is the same call a tick later',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    house.clock.advanceTicks(3)
    const keyed = asking(caller, { idempotencyKey: 'lattice' })
    const first = sealedOf(await house.compute.solve('lattice', {}, keyed))
    const { tick, sharedTick } = JSON.parse(first.output) as { tick: number; sharedTick: number }
    assert.equal(tick, house.store.now().tick)
    assert.equal(sharedTick, house.store.now().meshTick)
    house.clock.advanceTicks(1)
    const again = sealedOf(await house.compute.solve('lattice', {}, keyed))
    assert.equal(again.envelope.token_id, first.envelope.token_id)
    const fresh = sealedOf(await house.compute.solve('lattice', {}, asking(caller)))
    assert.notEqual(fresh.evidence.claim.inputs_digest, first.evidence.claim.inputs_digest)
  },
  MS_MAX,
)

test('solve, lattice and shift answer without a key, for the house', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  for (const name of ['solve', 'lattice', 'shift']) {
    const it = sealedOf(await house.compute.solve(name, {}, asking(stranger)))
    assert.equal(it.envelope.issued_to, 'house', name)
  }
})

const ROOT = { referenceMode: 'algebraic', relation: { operator: 'NM19', inputs: { m: 5, a: 2 } } }

for (const [name, input] of [
  ['solve', {}],
  ['solve', ROOT],
  ['lattice', {}],
  ['shift', { mode: 'gauge', phi0: 0.3 }],
] as const) {
  test(
    `${name} ${JSON.stringify(input)}: verified elsewhere, agreed by reverify, named as other under another registry`,
    async () => {
      using dir = tempDir()
      await using house = await openComputeHouse(dir.path)
      const { caller } = await newAccount(house)
      const it = sealedOf(await house.compute.solve(name, input, asking(caller)))
      const { claim, signature } = it.evidence
      const bundle = await bundleOf(house, caller, it.envelope.token_id)
      const replayed = (registry: typeof loadRegistry) =>
        verifyBundle({
          bundle,
          trusted: house.keys.nodeId,
          schemas: schemasHere,
          replay: (of, inputs) => rerun(of, inputs, { registry }),
        })
      assert.equal(replayed(loadRegistry).outcome, 'verified')
      const { verdict } = await house.compute.reverify({ claim, signature, inputs: bundle.inputs }, asking(stranger))
      assert.equal(verdict.verdict, 'agree', verdict.reason)
      const wrong = { ...claim, value: (claim.value ?? 0) + 1 }
      const other = await house.compute.reverify({ claim: wrong, inputs: bundle.inputs }, asking(stranger))
      assert.equal(other.verdict.verdict, 'disagree')
      const fewer = () =>
        operatorRegistry(
          loadRegistry()
            .operators.slice(1)
            .map(({ row }) => row),
        )
      const reads = name !== 'solve' || 'relation' in input
      const step = replayed(fewer).steps.at(-1)
      assert.equal(step?.state, 'ok', step?.detail)
      assert.equal(/registry/.test(step?.detail ?? ''), reads)
      const foreign = { ...claim, code: { ...claim.code, registry: `sha256:${'0'.repeat(64)}` } }
      const unread = await house.compute.reverify({ claim: foreign, inputs: bundle.inputs }, asking(stranger))
      assert.equal(unread.verdict.verdict, reads ? 'unverifiable' : 'agree', unread.verdict.reason)
    },
    MS_MAX,
  )
}

test.run()
