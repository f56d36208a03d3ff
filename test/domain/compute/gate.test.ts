/*
 * Goal: only a result whose measured error is a number of at most 0.1 % is sealed; every other end of a run charges and
 * appends nothing and leaves the node able to go on.
 * Method: a real store and a real worker pool with trial solvers that go wrong on demand; balances and log are compared
 * before and after each.
 */
import assert from 'node:assert/strict'
import { digest, purposes } from '#core/digest.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, openComputeHouse, stateOf, stranger } from './house.ts'
import { lies } from './lying-worker.ts'
import { trialSolvers } from './trial-solvers.ts'

const test = suite('compute: the gate')

const workerFile = new URL('./trial-worker.ts', import.meta.url)
const open = (directory: string, options = {}) =>
  openComputeHouse(directory, { solvers: trialSolvers, workerFile, options })

test('a good result is sealed with everything that its claim needs', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller } = await newAccount(house)
  const it = await house.compute.solve('sum', {}, asking(caller))
  assert.ok(it.kind === 'sealed')
  const { claim, tick_receipt } = it.evidence
  assert.deepEqual([claim.value, claim.kind, claim.code.solver, claim.price], [5050, 'sum', 'sum@1', 3])
  assert.deepEqual(claim.operators, ['KO42', 'NM19'])
  const result = digest(purposes.result, { output: { sum: 5050 }, evidence: null })
  assert.equal(claim.result_digest, result)
  assert.deepEqual([tick_receipt.tick, tick_receipt.phase], [claim.tick, claim.phase])
  assert.deepEqual(tick_receipt.tick_averaged, { value: 5050, unit: '1' })
  assert.deepEqual(tick_receipt.fields, {})
  assert.deepEqual(it.check.figures, { n: 100 })
})

const refusals: readonly (readonly [string, string, object, string])[] = [
  ['a wrong coefficient', 'sum', { off: 1 }, 'PRECISION_NOT_MET'],
  ['an error of 0.11 %', 'sum', { n: 9, off: 0.0055 }, 'PRECISION_NOT_MET'],
  ['a measurement that is no number', 'sum', { blind: true }, 'PRECISION_NOT_MET'],
  ['a refusal before any work', 'sum', { off: -1 }, 'UNSTABLE_STEP'],
  ['an unknown member', 'sum', { m: 1 }, 'INVALID_INPUT'],
  ['a member out of range', 'sum', { n: 0 }, 'INVALID_INPUT'],
  ['too much work', 'sum', { work: 1_001 }, 'WORK_LIMIT_EXCEEDED'],
  ['an unknown solver', 'none', {}, 'NOT_FOUND'],
  ['a worker that dies', 'odd', { how: 'exit' }, 'WORKER_LOST'],
]

test('each refusal has its code, charges nothing and appends nothing', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  for (const [what, name, input, code] of refusals) {
    const found = await refusal(() => house.compute.solve(name, input, asking(caller)))
    assert.equal(found.code, code, what)
    assert.deepEqual(stateOf(house, zid), before, what)
  }
  assert.equal((await house.compute.solve('sum', { n: 9, off: 0.0049 }, asking(caller))).kind, 'sealed')
})

test('the refusal of the gate names the measured error and the bound', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller } = await newAccount(house)
  const { details } = await refusal(() => house.compute.solve('sum', { n: 9, off: 0.05 }, asking(caller)))
  assert.ok(Math.abs((details['measured'] as number) - 1) < 1e-9)
  assert.equal(details['bound'], 0.1)
  const blind = await refusal(() => house.compute.solve('sum', { blind: true }, asking(caller)))
  assert.equal(blind.details['measured'], null)
})

test('402 comes before the run, with the price', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, credits } = await newAccount(house)
  const hold = house.economy.hold(caller, credits - 2)
  const found = await refusal(() => house.compute.solve('odd', { how: 'exit' }, asking(caller)))
  assert.equal(found.code, 'INSUFFICIENT_BALANCE')
  assert.equal(found.details['price'], 3)
  hold.release()
})

test('an answer that can have no envelope costs nothing', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const it = await house.compute.solve('odd', {}, asking(caller))
  assert.ok(it.kind === 'unsealed')
  assert.deepEqual([it.output, it.reason, it.check], ['{"sum":1}', 'There is nothing to seal.', null])
  assert.deepEqual(stateOf(house, zid), before)
})

test('a defect of a solver is no fault of the caller, and the pool goes on', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  await assert.rejects(house.compute.solve('odd', { how: 'throw' }, asking(caller)), /a defect/)
  assert.deepEqual(stateOf(house, zid), before)
  assert.equal((await house.compute.solve('sum', {}, asking(caller))).kind, 'sealed')
})

test('a client that leaves ends the run and pays nothing', async (signal) => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const client = new AbortController()
  const call = house.compute.solve('slow', {}, asking(caller, { signal: client.signal }))
  client.abort(new Error('gone'))
  await assert.rejects(call, /gone/)
  // The one thread is free again: the next call is answered.
  assert.equal((await house.compute.solve('sum', {}, asking(caller, { signal }))).kind, 'sealed')
  assert.equal(house.store.balance('free', zid), before.free - 3)
})

test('callers without an account have a lower work limit and mint to the house', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const found = await refusal(() => house.compute.solve('sum', { work: 101 }, asking(stranger)))
  assert.deepEqual([found.code, found.details['limit']], ['WORK_LIMIT_EXCEEDED', 100])
  const it = await house.compute.solve('sum', { work: 100 }, asking(stranger))
  assert.ok(it.kind === 'sealed' && it.envelope.issued_to === 'house')
})

test('the code that mints judges by itself: what a worker lets through is refused all the same', async () => {
  using dir = tempDir()
  const lying = new URL('./lying-worker.ts', import.meta.url)
  await using house = await openComputeHouse(dir.path, { solvers: trialSolvers, workerFile: lying })
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  for (const n of Object.keys(lies).map(Number)) {
    const { code } = await refusal(() => house.compute.solve('sum', { n }, asking(caller)))
    assert.equal(code, 'PRECISION_NOT_MET', String(lies[n]))
  }
  assert.deepEqual(stateOf(house, zid), before)
  assert.equal((await house.compute.solve('sum', { n: 5 }, asking(caller))).kind, 'sealed')
})

test('callers without a key have a work budget for the day, each address its own', async () => {
  using dir = tempDir()
  const keyless = { workMax: 100, workPerDay: 150, bucketsMax: 16 }
  await using house = await openComputeHouse(dir.path, { solvers: trialSolvers, workerFile, keyless })
  const call = (bucket: string) => house.compute.solve('sum', { work: 100 }, asking({ kind: 'anonymous', bucket }))
  assert.equal((await call('198.51.100.1')).kind, 'sealed')
  const leaves = house.store.log.size
  const { code, details } = await refusal(() => call('198.51.100.1'))
  assert.deepEqual([code, details['spent'], house.store.log.size], ['DAILY_LIMIT_EXCEEDED', 100, leaves])
  assert.equal((await call('198.51.100.2')).kind, 'sealed')
})

test('a node that stops ends what runs, and charges nothing for it', async () => {
  using dir = tempDir()
  const house = await open(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const call = house.compute.solve('slow', {}, asking(caller))
  const ended = assert.rejects(call, { code: 'NODE_STOPPING' })
  await house.compute[Symbol.asyncDispose]()
  await ended
  assert.equal((await refusal(() => house.compute.solve('sum', {}, asking(caller)))).code, 'NODE_STOPPING')
  assert.equal(house.store.balance('free', zid), credits)
  await house[Symbol.asyncDispose]()
})

test('a full queue refuses, and what waits is answered', async () => {
  using dir = tempDir()
  await using house = await open(dir.path, { threads: 1, queueMax: 2 })
  const { caller } = await newAccount(house)
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => house.compute.solve('sum', {}, asking(caller))))
  const codes = ends.map((it) => (it.status === 'rejected' ? it.reason.code : it.value.kind))
  assert.deepEqual(codes.filter((it) => it === 'sealed').length, 3)
  assert.deepEqual(codes.filter((it) => it === 'NODE_BUSY').length, 5)
})

test('a quote runs nothing, holds nothing, and refuses what the call would refuse', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const quote = await house.compute.quote('sum', { work: 500 }, asking(caller))
  assert.deepEqual([quote.price, quote.work, quote.work_limit], [3, 500, 1_000])
  assert.ok(quote.expected_seconds > 0)
  assert.equal((await house.compute.quote('odd', { how: 'exit' }, asking(caller))).price, 3)
  const codes = ['sum', 'sums'].map(async (kind) =>
    refusal(() => house.compute.quote(kind, { off: -1 }, asking(caller))),
  )
  assert.deepEqual(
    (await Promise.all(codes)).map((it) => it.code),
    ['UNSTABLE_STEP', 'NOT_FOUND'],
  )
  assert.deepEqual(stateOf(house, zid), before)
})

test.run()
