/*
 * Goal: a computation by operators goes through the gate to an envelope that anyone can verify, and whatever is refused
 * leaves ledger and log as they were.
 * Method: a real store, real operators, a fixed clock; bundles are verified by the offline verifier with a key from
 * outside; balances and log are compared before and after.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import type { Bundle } from '#core/claim.ts'
import { verifyBundle } from '#core/verify.ts'
import { replayComputation } from '#numerics/operators/sealed.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, type ComputeHouse, openComputeHouse, stateOf, stranger } from './house.ts'

const test = suite('compute: operators through the gate')

const GR37 = { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } }
const NM21 = { operators: ['KO42', 'NM21'], inputs: { m1: 5.972e24, m2: 1000, r: 6.78e6 } }

const sealed = async (house: ComputeHouse, order: typeof GR37 | typeof NM21, caller: Caller) => {
  const it = await house.compute.operate(order, asking(caller))
  assert.equal(it.kind, 'sealed')
  return it as Extract<typeof it, { kind: 'sealed' }>
}

const verified = (house: ComputeHouse, bundle: Bundle) =>
  verifyBundle({
    bundle,
    trusted: house.keys.nodeId,
    replay: (claim, inputs) => replayComputation(house.compute.registry, inputs, claim),
  })

for (const [name, order, value, unit, digits] of [
  ['GR37', GR37, 2954.0077, 'm', 4],
  ['NM21', NM21, 8670.94, 'N', 2],
] as const) {
  test(`${name} gives ${value} ${unit}, sealed, and its bundle verifies offline bit for bit`, async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller, zid, credits } = await newAccount(house)
    const it = await sealed(house, order, caller)
    assert.equal(it.value?.toFixed(digits), String(value))
    assert.equal(it.unit, unit)
    assert.deepEqual([it.envelope.face_value, it.envelope.funding, it.envelope.state], [3, 'free', 'promised'])
    assert.equal(it.envelope.issued_to, zid)
    assert.equal(house.store.balance('free', zid), credits - 3)
    assert.equal(house.store.balance('coin', 'house'), 3)
    assert.equal((await refusal(() => house.compute.bundle(it.envelope.token_id, caller))).code, 'NOT_SEALED_YET')
    house.clock.advanceTicks(1)
    await house.store.closeTick()
    const bundle = await house.compute.bundle(it.envelope.token_id, caller)
    const found = verified(house, JSON.parse(JSON.stringify(bundle)) as Bundle)
    assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
  })
}

const UNCERTAIN = { operators: ['NM19'], inputs: { m: '5.0 ± 0.1 kg', a: '2.00(5) m/s^2' } }
const DRAWN = { operators: ['NM23'], inputs: { m: 2, v: '1 ± 1 m/s' } }

for (const [method, order] of [
  ['linear', UNCERTAIN],
  ['monte-carlo', DRAWN],
] as const) {
  test(`an uncertainty (${method}) is sealed: its bundle replays, and one that was altered does not`, async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    const it = await sealed(house, order as never, caller)
    house.clock.advanceTicks(1)
    await house.store.closeTick()
    const bundle = JSON.parse(JSON.stringify(await house.compute.bundle(it.envelope.token_id, caller))) as Bundle
    assert.equal(verified(house, bundle).outcome, 'verified')
    assert.equal(bundle.envelope.claim.code.solver, 'compute@2')
    const { output } = bundle.result as unknown as {
      output: { propagated: { method: string; standard_uncertainty: number } }
    }
    assert.equal(output.propagated.method, method)
    const smaller = { ...output.propagated, standard_uncertainty: output.propagated.standard_uncertainty / 2 }
    const result = { ...bundle.result, output: { ...output, propagated: smaller } } as Bundle['result']
    assert.notEqual(verified(house, { ...bundle, ...(result !== undefined && { result }) }).outcome, 'verified')
    const { uncertainties = [], ...rest } = bundle.inputs as { uncertainties?: readonly { standard: number }[] }
    const narrower = uncertainties.map((one) => ({ ...one, standard: one.standard / 2 }))
    assert.notEqual(verified(house, { ...bundle, inputs: { ...rest, uncertainties: narrower } }).outcome, 'verified')
    assert.notEqual(verified(house, { ...bundle, inputs: rest }).outcome, 'verified')
    const plain = await sealed(house, GR37, caller)
    assert.equal(plain.evidence.claim.code.solver, 'compute@1')
  })
}

test('a node that signed another uncertainty than its inputs give is found by the re-run', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const it = await sealed(house, UNCERTAIN as never, caller)
  const inputs = { operators: ['KO42', 'NM19'], inputs: { a: 2, m: 5 }, solve_for: null, bracket: null }
  const standard = (m: number) => [
    { of: ['NM19.a'], standard: 0.05 },
    { of: ['NM19.m'], standard: m },
  ]
  const digestOf = (m: number) => {
    const again = replayComputation(
      house.compute.registry,
      { ...inputs, uncertainties: standard(m) },
      it.evidence.claim,
    )
    return 'result_digest' in again ? again.result_digest : 'unavailable'
  }
  assert.equal(digestOf(0.1), it.evidence.claim.result_digest)
  assert.notEqual(digestOf(0.2), it.evidence.claim.result_digest)
})

test('the same call again gives a new envelope with the same result', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const [one, two] = [await sealed(house, GR37, caller), await sealed(house, GR37, caller)]
  assert.notEqual(one.envelope.token_id, two.envelope.token_id)
  assert.equal(one.evidence.claim.result_digest, two.evidence.claim.result_digest)
  assert.equal(one.evidence.claim.inputs_digest, two.evidence.claim.inputs_digest)
  assert.equal(one.output, two.output)
})

const wrong: readonly (readonly [string, object, string])[] = [
  ['a missing input', { operators: ['GR37'], inputs: {} }, 'MISSING_INPUTS'],
  ['an unknown input', { operators: ['GR37'], inputs: { mass: 1, colour: 2 } }, 'INVALID_INPUT'],
  ['a letter that is also a constant', { operators: ['NM30'], inputs: { x: 1 } }, 'AMBIGUOUS_INPUT'],
  ['a wrong unit', { operators: ['GR37'], inputs: { mass: '3 m' } }, 'DIMENSION_MISMATCH'],
  ['a negative mass', { operators: ['GR37'], inputs: { mass: -1 } }, 'OUT_OF_RANGE'],
  ['an unknown operator', { operators: ['GR999'], inputs: {} }, 'UNKNOWN_OPERATOR'],
  ['four operators', { operators: ['GR37', 'NM21', 'NM19', 'NM23'], inputs: {} }, 'OPERATOR_LIMIT_EXCEEDED'],
  ['a relation without a value', { operators: ['QM2'], inputs: {} }, 'RELATION_REFUSED'],
]

test('each refusal has its code and changes nothing', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  for (const [what, order, code] of wrong) {
    const found = await refusal(() => house.compute.operate(order as never, asking(caller)))
    assert.equal(found.code, code, what)
  }
  assert.deepEqual(stateOf(house, zid), before)
})

test('n parallel calls on one price: one succeeds, the rest are 402 with the price', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const hold = house.economy.hold(caller, credits - 5)
  const calls = Array.from({ length: 12 }, () => house.compute.operate(GR37, asking(caller)))
  const ends = await Promise.allSettled(calls)
  const refused = ends.filter((it) => it.status === 'rejected').map((it) => it.reason)
  assert.equal(ends.length - refused.length, 1)
  assert.ok(refused.every((it) => it.code === 'INSUFFICIENT_BALANCE' && it.details.price === 3))
  assert.equal(house.store.balance('free', zid), credits - 3)
  hold.release()
})

test('an Idempotency-Key: replay, reuse with another input, in progress; refusals are not kept', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const keyed = asking(caller, { idempotencyKey: 'one' })
  const [first, second] = await Promise.allSettled([
    house.compute.operate(GR37, keyed),
    house.compute.operate(GR37, keyed),
  ])
  assert.equal(first.status, 'fulfilled')
  assert.equal(second.status === 'rejected' && second.reason.code, 'IDEMPOTENCY_IN_PROGRESS')
  const again = await house.compute.operate(GR37, keyed)
  assert.ok(first.status === 'fulfilled' && first.value.kind === 'sealed' && again.kind === 'sealed')
  assert.equal(again.replayed, true)
  assert.deepEqual({ ...again, replayed: false }, first.value)
  assert.equal((await refusal(() => house.compute.operate(NM21, keyed))).code, 'IDEMPOTENCY_KEY_REUSED')
  assert.equal(house.store.balance('free', zid), credits - 3)
  const missing = { operators: ['GR37'], inputs: {} }
  const other = asking(caller, { idempotencyKey: 'two' })
  assert.equal((await refusal(() => house.compute.operate(missing, other))).code, 'MISSING_INPUTS')
  assert.equal((await house.compute.operate(GR37, other)).kind, 'sealed')
})

test('prove needs no key, mints to the house and has a budget', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const it = await house.compute.prove(GR37, asking(stranger))
  assert.ok(it.kind === 'sealed')
  assert.deepEqual([it.envelope.issued_to, it.envelope.soulbound, it.evidence.claim.zid], ['house', true, 'house'])
})

test('a clock behind the log refuses before anything is held', async () => {
  using dir = tempDir()
  const { caller, zid } = await (async () => {
    await using house = await openComputeHouse(dir.path)
    house.clock.advanceTicks(50)
    const account = await newAccount(house)
    await sealed(house, GR37, account.caller)
    return account
  })()
  await using house = await openComputeHouse(dir.path)
  const before = stateOf(house, zid)
  assert.equal((await refusal(() => house.compute.operate(GR37, asking(caller)))).code, 'CLOCK_BEHIND')
  house.clock.advanceTicks(50)
  assert.deepEqual(stateOf(house, zid), before)
  assert.equal((await house.compute.operate(GR37, asking(caller))).kind, 'sealed')
})

test('a store that cannot write: the value without a receipt, and nothing charged', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  await house.store[Symbol.asyncDispose]()
  const it = await house.compute.operate(GR37, asking(caller))
  assert.equal(it.kind, 'unsealed')
  assert.ok(it.kind === 'unsealed' && !('envelope' in it) && it.value?.toFixed(4) === '2954.0077')
  assert.deepEqual(stateOf(house, zid), before)
  assert.deepEqual(house.events, ['seal_failed'])
})

test.run()
