/*
 * Goal: a reactor steps a solver from where it ended, adds up the errors, chains every state, charges as any call, and
 * is whole or not at all.
 * Method: a real store, pool and machines with the heat solver on a short line; results are held against runs of the
 * solver made here, refusals against what they must leave behind.
 */
import assert from 'node:assert/strict'
import type { Sealed } from '#domain/compute/types.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, openComputeHouse, stateOf } from './house.ts'
import { beside, contract, LINE, make, sealedStep, statesByHand } from './reactor-kit.ts'

const test = suite('compute: reactors')

/** Of 32 intervals: 0.02 % a step, so that the sum leaves the bound with the sixth. */
const COARSE = { dim: 1, nx: 32, steps: 2 }

test('ten steps are those of the solver, each taken up where the last ended, sealed and charged', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const made = await make(house, caller)
  assert.deepEqual([made.status, made.step, made.steps, made.price], ['ready', 0, 10, 3])
  assert.equal(house.store.balance('free', zid), credits, 'a contract costs nothing')
  const hand = statesByHand(made.contract, LINE, 10)
  assert.equal(made.state, hand.states[0])
  let sum = 0
  for (let step = 1; step <= 10; step++) {
    const it = await sealedStep(house, asking(caller))
    const at = beside(house, it)
    sum += hand.errors[step - 1] as number
    assert.deepEqual([at.step, at.state, at.errorSum], [step, hand.states[step], sum])
    assert.equal(at.token_id, it.envelope.token_id)
    assert.equal(it.evidence.claim.kind, 'heat', 'a receipt is replayed as any of its solver')
  }
  assert.equal(house.store.balance('free', zid), credits - 30)
  const { reactor, input, digest } = await house.compute.reactors.state(undefined, asking(caller))
  assert.deepEqual([reactor.status, reactor.step, digest], ['complete', 10, hand.states[10]])
  assert.equal(JSON.parse(input).initial.values.length, 129)
  const over = await refusal(() => house.compute.reactors.step({}, asking(caller)))
  assert.deepEqual([over.code, over.details['ended']], ['REACTOR_ENDED', 'complete'])
}, 60_000)

test('every state is an entry of the chain, which names the one before; rows and chain prove each other', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'plate', is_public: false })
  const made = await make(house, caller, { observers: ['l2Norm'] }, 'plate')
  for (let i = 0; i < 4; i++) await sealedStep(house, asking(caller))
  await house.store.closeTick()
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  const query = { reactor: made.id, limit: 10, proofs: true, rerun: true }
  const { rows, verified, rerun, next_after } = await house.compute.reactors.trajectory(query, asking(caller))
  assert.deepEqual(verified, { valid: true, count: 5, entries: 5, broken: null })
  assert.deepEqual(rerun, { from: 2, to: 4, agrees: true, differs_at: null })
  assert.deepEqual([rows.length, next_after], [5, null])
  for (const { step, state, previous, seq, entry, token_id, observed, value } of rows) {
    const body = entry?.entry.body as Record<string, unknown>
    assert.equal(body['state'], state)
    assert.equal(entry?.entry.seq, seq)
    assert.ok(entry?.proof !== null, 'its head is under a checkpoint')
    if (step === 0) continue
    assert.deepEqual([body['previous'], body['token_id'], body['step']], [previous, token_id, step])
    assert.equal(observed['l2Norm'], value)
    assert.ok(!('value' in body) && !('result_digest' in body), 'a chain that may be public holds no result')
  }
  assert.equal(house.store.peek('machineHead', 'plate')?.state_hash, rows.at(-1)?.state)
}, 60_000)

test('errors add up, and the step that would leave the bound is refused, then and ever after', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const made = await make(house, caller, { inputs: COARSE })
  const { errors } = statesByHand(made.contract, COARSE, 8)
  let [fits, sum] = [0, 0]
  for (const it of errors) {
    if (sum + it > 0.1) break
    sum += it
    fits += 1
  }
  assert.ok(fits >= 3 && fits < 8, 'the case crosses the bound')
  for (let i = 0; i < fits; i++) await sealedStep(house, asking(caller))
  const before = stateOf(house, zid)
  for (let i = 0; i < 2; i++) {
    const { code, details } = await refusal(() => house.compute.reactors.step({}, asking(caller)))
    assert.equal(code, 'PRECISION_NOT_MET')
    assert.deepEqual([details['bound'], details['step'], details['before']], [0.1, fits + 1, sum])
    assert.ok((details['measured'] as number) > 0.1)
  }
  assert.deepEqual(stateOf(house, zid), before, 'nothing was sealed and nothing charged')
  assert.equal(house.store.balance('free', zid), credits - 3 * fits)
  const { reactor } = await house.compute.reactors.state(made.id, asking(caller))
  assert.deepEqual([reactor.status, reactor.step, reactor.errorSum], ['refused', fits, sum])
}, 60_000)

test('without sealing it goes on beyond the bound, at no cost, on the budget of calls without a key', async () => {
  using dir = tempDir()
  const keyless = { workMax: 5_000, workPerDay: 1, bucketsMax: 4 }
  await using house = await openComputeHouse(dir.path, { keyless })
  const { caller, zid, credits } = await newAccount(house)
  const made = await make(house, caller, { inputs: COARSE, seal: false, steps: 4_096 })
  assert.equal(made.price, 0)
  const work = heat.work(resolveInput(heat, COARSE))
  const within = Math.floor(1 / work)
  let last = 0
  for (let i = 1; i <= 8; i++) {
    const it = await house.compute.reactors.step({ step: i }, asking(caller))
    assert.ok(it.kind === 'unsealed' && it.reason.includes('contract'))
    last = beside(house, it as unknown as Sealed).errorSum
  }
  assert.ok(last > 0.1, 'the sum is told all the same')
  assert.equal(house.store.balance('free', zid), credits)
  const keyed = () => house.compute.reactors.step({}, asking(caller, { idempotencyKey: 'a' }))
  const [once, twice] = [await keyed(), await keyed()]
  assert.ok(once.kind === 'unsealed' && twice.kind === 'unsealed')
  assert.deepEqual([twice.replayed, twice.value, twice.extras], [true, once.value, once.extras])
  assert.ok(within > 9, 'the budget holds more than nine steps')
  house.economy.keyless('192.0.2.1', 1 - 9.5 * work)
  assert.equal((await refusal(() => house.compute.reactors.step({}, asking(caller)))).code, 'DAILY_LIMIT_EXCEEDED')
  const { verified } = await house.compute.reactors.trajectory(
    { reactor: made.id, limit: 1, proofs: false, rerun: false },
    asking(caller),
  )
  assert.deepEqual([verified.valid, verified.count, verified.entries], [true, 10, 10])
}, 60_000)

test('of parallel steps one wins and the others are told; no number is given twice', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const made = await make(house, caller)
  const all = await Promise.allSettled(
    Array.from({ length: 6 }, (_, i) =>
      house.compute.reactors.step(i % 2 === 0 ? { reactor: made.id } : { reactor: made.id, step: 1 }, asking(caller)),
    ),
  )
  const won = all.filter((it) => it.status === 'fulfilled')
  const codes = all.flatMap((it) => (it.status === 'rejected' ? [(it.reason as { code: string }).code] : []))
  assert.equal(won.length, 1)
  assert.deepEqual([...new Set(codes)], ['REACTOR_BUSY'])
  assert.equal(house.store.balance('free', zid), credits - 3)
  const again = await refusal(() => house.compute.reactors.step({ step: 1 }, asking(caller)))
  assert.deepEqual([again.code, again.details['next']], ['STEP_TAKEN', 2])
  assert.equal(house.compute.load().waiting, 0)
}, 60_000)

test('a repeat under an Idempotency-Key is the same step, at the end of the contract as well', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const key = { idempotencyKey: 'make-1' }
  const first = await house.compute.reactors.create({ ...contract({ steps: 1 }), slug: undefined }, asking(caller, key))
  const again = await house.compute.reactors.create({ ...contract({ steps: 1 }), slug: undefined }, asking(caller, key))
  assert.deepEqual([again.view.id, first.replayed, again.replayed], [first.view.id, false, true])
  const step = await sealedStep(house, asking(caller, { idempotencyKey: 'step-1' }))
  const repeat = await sealedStep(house, asking(caller, { idempotencyKey: 'step-1' }))
  assert.deepEqual([step.replayed, repeat.replayed], [false, true])
  assert.equal(repeat.envelope.token_id, step.envelope.token_id)
  assert.deepEqual(beside(house, repeat), beside(house, step))
  assert.equal(house.store.balance('free', zid), credits - 3)
  const other = await refusal(() =>
    house.compute.reactors.step({ step: 1 }, asking(caller, { idempotencyKey: 'step-1' })),
  )
  assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED')
}, 60_000)

test('a long step becomes a job, which takes the step once', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  await make(house, caller)
  const it = await house.compute.reactors.step({}, asking(caller, { prefer: 'respond-async', route: 'POST /step' }))
  assert.ok(it.kind === 'accepted' && it.job.route === 'POST /step')
  for await (const { data } of house.compute.jobFrames(it.job.id, asking(caller), 0)) if (data.state === 'done') break
  const answer = await house.compute.jobAnswer(it.job.id, caller)
  assert.ok(answer?.kind === 'sealed')
  assert.equal(beside(house, answer).step, 1)
}, 60_000)

test('a client that leaves takes its step with it: no number, no charge, and the next call takes it', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const made = await make(house, caller)
  const before = stateOf(house, zid)
  const leaving = new AbortController()
  const gone = house.compute.reactors.step({}, asking(caller, { signal: leaving.signal }))
  await new Promise((resolve) => setImmediate(resolve))
  leaving.abort(new Error('the client left'))
  await assert.rejects(gone, /the client left/)
  assert.deepEqual(stateOf(house, zid), before)
  // The worker ends a moment after its client has gone.
  for (;;) {
    try {
      assert.equal(beside(house, await sealedStep(house, asking(caller))).step, 1)
      break
    } catch (cause) {
      if ((cause as { code?: string }).code !== 'REACTOR_BUSY') throw cause
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  assert.equal((await house.compute.reactors.state(made.id, asking(caller))).step, 1)
}, 60_000)

test.run()
