/*
 * Goal: the small parts of the compute domain keep their promises: preferences, feeds, receipts, job views, paces.
 * Method: pure calls; tables of cases.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { hmacSha256 } from '#crypto'
import { createFeed, LINES_MAX } from '#domain/compute/feed.ts'
import { endingOf, viewOf } from '#domain/compute/job.ts'
import { createPaces } from '#domain/compute/paces.ts'
import { preferenceOf } from '#domain/compute/prefer.ts'
import { continuumFields, tickReceiptOf } from '#domain/compute/receipt.ts'
import type { JobRow } from '#store/rows/job.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('compute: parts')

test('Prefer: respond-async and wait, in any company and case', () => {
  const cases: readonly (readonly [string | undefined, boolean, number | undefined])[] = [
    [undefined, false, undefined],
    ['', false, undefined],
    ['respond-async', true, undefined],
    ['Respond-Async, wait=5', true, 5_000],
    ['wait=0', false, 0],
    ['wait="7"; foo=bar, handling=strict', false, 7_000],
    ['wait=1, wait=2', false, 1_000],
    ['wait=99999', false, 600_000],
  ]
  for (const [header, async, waitMs] of cases) {
    assert.deepEqual(preferenceOf(header), { async, waitMs, mesh: undefined }, header ?? '')
  }
  const where: readonly (readonly [string, boolean | undefined])[] = [
    ['where=mesh', false],
    ['where=mesh; consent', true],
    ['WHERE="mesh";consent=true', true],
    ['where=mesh; consent=false', false],
    ['where=moon; consent', undefined],
    ['where=mesh, where=mesh; consent', false],
  ]
  for (const [header, consent] of where) assert.equal(preferenceOf(header).mesh?.consent, consent, header)
  for (const header of ['wait=-1', 'wait=soon', 'wait=', 'wait=1.5']) {
    assert.throws(() => preferenceOf(header), { code: 'INVALID_INPUT' }, header)
  }
})

test('a feed gives each reader every line it still holds, shows where some are gone, and ends', async () => {
  const feed = createFeed<number>()
  const { signal } = new AbortController()
  const read = async (after: number): Promise<readonly number[]> => {
    const seen: number[] = []
    for await (const { seq } of feed.tail(after, signal)) seen.push(seq)
    return seen
  }
  const early = read(0)
  await Promise.resolve()
  for (let i = 0; i < LINES_MAX + 10; i++) feed.push('x', i)
  feed.close()
  feed.push('x', -1)
  const whole = await early
  assert.equal(whole.at(-1), LINES_MAX + 10)
  assert.deepEqual((await read(0)).slice(0, 2), [11, 12])
  assert.deepEqual(await read(LINES_MAX + 9), [LINES_MAX + 10])
  assert.deepEqual(await read(LINES_MAX + 10), [])
})

test('a reader of a feed stops when its signal aborts', async () => {
  const feed = createFeed<number>()
  feed.push('x', 1)
  const stop = new AbortController()
  const seen: number[] = []
  for await (const { data } of feed.tail(0, stop.signal)) {
    seen.push(data)
    stop.abort()
  }
  assert.deepEqual(seen, [1])
})

test('continuum fields come from the unit alone; an ambiguous one gives none', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['Pa', 'pressure'],
    ['m/s', 'velocity'],
    ['V', 'potential'],
    ['T', 'magnetic_field'],
    ['kg m/s', 'momentum'],
    ['kg·m/s', 'momentum'],
    ['kg*m/s', 'momentum'],
    ['K', 'temperature'],
    ['J', undefined],
    ['m', undefined],
    ['J/m^3', undefined],
    ['1', undefined],
  ]
  for (const [unit, field] of cases) {
    assert.deepEqual(continuumFields(2, unit), field === undefined ? {} : { [field]: 2 }, unit)
  }
  assert.deepEqual(continuumFields(null, 'Pa'), {})
})

test('a receipt stamps the modulation at its phase, and its hmac is over the pulse’s members', () => {
  const secret = Uint8Array.from({ length: 32 }, (_, i) => i)
  const result = { operators: ['KO42', 'NM19'], resultDigest: 'ab'.repeat(32), value: 10, unit: 'N' }
  const receipt = tickReceiptOf(secret, result, { tokenId: '1'.repeat(32), tick: 9, phase: 0.25 })
  assert.deepEqual([receipt.R_t, receipt.tick, receipt.phase, receipt.pulse], ['1.001000', 9, 0.25, 1.287])
  const stamp = {
    token_id: '1'.repeat(32),
    operators: result.operators,
    R_t: receipt.R_t,
    tick: 9,
    result_digest: result.resultDigest,
  }
  assert.equal(receipt.hmac, toHex(hmacSha256(secret, signedBytes(purposes.pulse, stamp))))
  assert.deepEqual(receipt.tick_averaged, { value: 10, unit: 'N' })
})

const row: JobRow = {
  v: 1,
  id: '0'.repeat(32),
  caller: { kind: 'anonymous', bucket: '192.0.2.1' },
  recipe: { what: 'solver', name: 'heat', inputs: {} },
  route: 'POST /api/svc/heat',
  idempotency_key: null,
  created_tick: 1,
  ended_tick: null,
  state: 'queued',
  reason: null,
  problem: null,
  token_id: null,
  unsealed: null,
}

test('a job’s view: waiting with a reason, running with a pace, over with its last word', () => {
  assert.deepEqual(viewOf(row, undefined).reason, 'It waits for a worker thread.')
  const report = { step: 25, steps: 100, residual: 0.5, elapsedMs: 2_000 }
  const running = viewOf(row, report)
  assert.deepEqual(
    [running.state, running.fraction, running.eta, running.residual, running.reason],
    ['running', 0.25, 6, 0.5, null],
  )
  assert.equal(viewOf(row, { ...report, step: 0 }).eta, null)
  assert.deepEqual(
    [viewOf({ ...row, state: 'done' }, report).fraction, viewOf({ ...row, state: 'done' }, report).eta],
    [1, null],
  )
  assert.equal(endingOf(new Fault('JOB_CANCELLED')).state, 'cancelled')
  const refused = endingOf(new Fault('PRECISION_NOT_MET', 'no', { measured: 1 }))
  assert.deepEqual(refused.problem, { code: 'PRECISION_NOT_MET', detail: 'no', details: { measured: 1 } })
  const defect = endingOf(new TypeError('a secret path'))
  assert.ok(!JSON.stringify(defect).includes('secret'))
})

test('a pace is learnt from what ran, and unknown kinds have the common one', () => {
  const paces = createPaces()
  const run = (kind: string, work: number, inputs = {}) => ({ kind, work, recipe: { inputs } })
  const seconds = (...of: Parameters<typeof run>): number => paces.expect(run(...of)).seconds
  assert.equal(seconds('unheard-of', 1_000), 1)
  const before = seconds('heat', 1_000)
  paces.learn(run('heat', 1_000), before * 2)
  assert.ok(Math.abs(seconds('heat', 1_000) - before * 2) < 1e-12)
  assert.ok(seconds('heat', 2_000) > seconds('heat', 1_000))
  // What takes no time says nothing, and a run through which the machine slept counts for five times at most.
  paces.learn(run('heat', 0.1), 1)
  assert.ok(Math.abs(seconds('heat', 1_000) - before * 2) < 1e-12)
  paces.learn(run('heat', 1_000), before * 1_000)
  assert.ok(seconds('heat', 1_000) <= before * 5)
  // A case of its own is learnt by itself, and a slower machine takes longer for all that it has not done yet.
  const vortex = seconds('flow', 1_000)
  paces.learn(run('flow', 1_000, { case: 'cavity' }), 2)
  assert.equal(seconds('flow', 1_000), vortex)
  assert.ok(Math.abs(seconds('flow', 1_000, { case: 'cavity' }) - 2) < 1e-9)
  paces.slowness = 3
  assert.ok(Math.abs(seconds('unheard-of', 1_000) - 3) < 1e-12)
})

test('where nobody knows how much there is to do, a range is told and nothing is learnt', () => {
  const paces = createPaces()
  const run = { kind: 'sat', work: 1_000, recipe: { inputs: {} } }
  const { seconds, range } = paces.expect(run)
  assert.ok(range !== null && range[0] < seconds && seconds < range[1])
  paces.learn(run, 100)
  assert.deepEqual(paces.expect(run), { seconds, range })
  assert.equal(paces.expect({ ...run, kind: 'heat' }).range, null)
})

test.run()
