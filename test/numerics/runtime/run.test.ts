// Goal: a run digests its states by the rule, the gate lets through what was measured and nothing else, inputs get
// their defaults or a coded refusal, and a replay tells equal bits from unequal ones.
// Method: a tiny solver whose states are known by hand; tables of errors; the real solvers for replay.
import assert from 'node:assert/strict'
import Type from 'typebox'
import { doublesOf } from '#core/arrays.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import type { Claim } from '#core/claim.ts'
import { inputsDigest } from '#core/envelope.ts'
import { type Fault, faults } from '#core/fault.ts'
import { leafHash, rootOf } from '#core/merkle.ts'
import { closed, finite, integer, oneOf } from '#core/schema.ts'
import { SEGMENTS_MAX, strideOf } from '#core/states.ts'
import { sha256 } from '#crypto'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { codeOf, replay } from '#numerics/runtime/replay.ts'
import { run } from '#numerics/runtime/run.ts'
import { type Reality, type Solver, solver } from '#numerics/runtime/solver.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/run')

const counting = solver({
  name: 'counting',
  revision: 1,
  title: 'Counting',
  summary: 'Counts to a number, one by one.',
  domain: 'test',
  method: 'addition',
  operators: ['NM19'],
  unit: '1',
  kernels: ['math'],
  input: closed({
    steps: integer({ minimum: 1, maximum: 100_000, default: 10 }),
    by: finite({ minimum: -1e308, maximum: 1e308, default: 1 }),
    way: oneOf(['up', 'down'], { default: 'up' }),
    deep: closed({ level: integer({ minimum: 0, maximum: 3, default: 2 }) }, { default: {} }),
  }),
  output: Type.Object({ total: Type.Number() }),
  limits: { workAnonymousMax: 1, workMax: 1 },
  work: () => 0,
  refuse: () => undefined,
  run: {
    kind: 'steps',
    steps: ({ steps }) => steps,
    init: () => Float64Array.of(0),
    resume: (_, { bytes }) => doublesOf(bytes),
    advance: ({ by, steps }, state, from, to, progress) => {
      for (let step = from; step < to; step++) {
        state[0] = state[0] + by
        progress({ step: step + 1, steps })
      }
      return state
    },
    bytes: (state) => new Uint8Array(state.buffer.slice(0)),
    finish: (_, state) => ({ output: { total: state[0] }, evidence: null }),
  },
  check: ({ steps, by }, { output }) => ({
    against: 'multiplication',
    errorPct: (100 * Math.abs(output.total - steps * by)) / Math.abs(steps * by),
    figures: { steps },
  }),
  value: ({ total }) => total,
})

const bytesOf = (value: number): Uint8Array => new Uint8Array(Float64Array.of(value).buffer)

test('leaves are tickmesh/state/1 over inputs digest, number, step and state, the first state included', () => {
  const input = resolveInput(counting, { steps: 3, by: 2 })
  const digest = inputsDigest(counting.input, input)
  const leaves = [0, 1, 2, 3].map((i) => {
    const state = toHex(sha256(bytesOf(2 * i)))
    const text = `tickmesh/state/1\n{"i":${i},"inputs_digest":"${digest}","sha256":"${state}","step":${i}}`
    return leafHash(utf8(text))
  })
  assert.deepEqual(run(counting, input).steps, { root: toHex(rootOf(leaves)), every: 1, count: 4 })
})

test('states are taken every ceil(steps / 4,096) steps, and the last one is the end', () => {
  assert.equal(SEGMENTS_MAX, 4_096)
  assert.deepEqual([1, 4_096, 4_097, 8_192, 8_193].map(strideOf), [1, 1, 2, 2, 3])
  const input = resolveInput(counting, { steps: 4_099 })
  const { steps } = run(counting, input)
  assert.equal(steps?.every, 2)
  assert.equal(steps?.count, 1 + 2_050)
  const other = run(counting, resolveInput(counting, { steps: 4_099, by: 1 + 2 ** -52 })).steps
  assert.notEqual(other?.root, steps?.root)
})

test('progress is told for every step', () => {
  const seen: number[] = []
  run(counting, resolveInput(counting, { steps: 4 }), { progress: ({ step, steps }) => seen.push(step / steps) })
  assert.deepEqual(seen, [0.25, 0.5, 0.75, 1])
})

test('outputs lose their −0; numbers that are not finite are refused', () => {
  const none = produce(counting, resolveInput(counting, { by: 5, steps: 1 }))
  assert.equal(none.value, 5)
  const signed = { ...counting, run: { ...counting.run, finish: () => ({ output: { total: -0 }, evidence: null }) } }
  assert(Object.is(run(signed as typeof counting, resolveInput(counting, {})).outcome.output.total, 0))
  assert.throws(() => run(counting, resolveInput(counting, { by: 1e308, steps: 10 })), {
    code: 'DID_NOT_CONVERGE',
  })
})

const reality = (errorPct: number, refusal?: Reality['refusal']): Reality => ({
  against: 'nothing',
  errorPct,
  figures: { dt: 0.5, t_max: 3, odd: Number.NaN },
  ...(refusal === undefined ? {} : { refusal }),
})

test('the gate passes 0 to 0.1 percent and nothing else', () => {
  for (const errorPct of [0, 1e-300, 0.1]) passGate(reality(errorPct))
  for (const errorPct of [0.10000000000000002, 1, 1e300, Number.POSITIVE_INFINITY, Number.NaN, -1e-9]) {
    assert.throws(() => passGate(reality(errorPct)), { code: 'PRECISION_NOT_MET' }, String(errorPct))
  }
})

test('a refusal says what was measured, the bound and the figures', () => {
  for (const refusal of ['PRECISION_NOT_MET', 'ENERGY_NOT_CONSERVED', 'DID_NOT_CONVERGE'] as const) {
    assert.equal(faults[refusal].status, 422)
    assert.throws(
      () => passGate(reality(0.25, refusal)),
      (fault: Fault) => {
        assert.equal(fault.code, refusal)
        assert.deepEqual(fault.details, { dt: 0.5, t_max: 3, measured: 0.25, bound: 0.1, against: 'nothing' })
        return true
      },
    )
  }
  assert.throws(
    () => passGate(reality(Number.NaN)),
    (fault: Fault) => fault.details['measured'] === null,
  )
})

test('an outcome without a seal is not judged', () => {
  const unsealed = {
    ...counting,
    run: { ...counting.run, finish: () => ({ output: { total: 7 }, evidence: null, unsealed: 'It has none.' }) },
    check: () => assert.fail('the check was asked'),
  } as unknown as typeof counting
  const { reality: judged, outcome } = produce(unsealed, resolveInput(counting, {}))
  assert.equal(judged, null)
  assert.equal(outcome.unsealed, 'It has none.')
})

test('inputs get their defaults and are not changed', () => {
  const raw = { by: 3 }
  assert.deepEqual(resolveInput(counting, raw), { steps: 10, by: 3, way: 'up', deep: { level: 2 } })
  assert.deepEqual(raw, { by: 3 })
  assert.deepEqual(resolveInput(counting, undefined), resolveInput(counting, {}))
  assert.deepEqual(resolveInput(counting, { deep: {} }).deep, { level: 2 })
})

test('bad inputs are refused with path and limit', () => {
  const table: readonly (readonly [unknown, Readonly<Record<string, unknown>>])[] = [
    [null, { path: '/' }],
    [[], { path: '/' }],
    ['{}', { path: '/' }],
    [{ steps: 0 }, { path: '/steps', limit: 1 }],
    [{ steps: 100_001 }, { path: '/steps', limit: 100_000 }],
    [{ steps: 1.5 }, { path: '/steps' }],
    [{ steps: '3' }, { path: '/steps' }],
    [{ steps: null }, { path: '/steps' }],
    [{ by: Number.POSITIVE_INFINITY }, { path: '/by' }],
    [{ by: Number.NaN }, { path: '/by' }],
    [{ way: 'left' }, { path: '/way', allowed: ['up', 'down'] }],
    [{ deep: { level: 4 } }, { path: '/deep/level', limit: 3 }],
    [{ deep: { depth: 4 } }, { path: '/deep/depth' }],
    [{ deep: 3 }, { path: '/deep' }],
    [{ stepz: 3 }, { path: '/stepz', suggestions: ['steps'] }],
    [JSON.parse('{"constructor": {"steps": 1}}'), { path: '/constructor' }],
    [JSON.parse('{"__proto__": {"steps": 1}}'), { path: '/__proto__' }],
    [JSON.parse('{"deep": {"__proto__": {"level": 1}}}'), { path: '/deep/__proto__' }],
  ]
  for (const [raw, details] of table) {
    const shown = JSON.stringify(raw)
    assert.throws(
      () => resolveInput(counting, raw),
      (fault: Fault) => {
        assert.equal(fault.code, 'INVALID_INPUT', shown)
        const { errors, ...others } = fault.details as { errors: readonly { path: string; message: string }[] }
        assert.deepEqual(others, details, shown)
        assert.equal(errors[0]?.path || '/', details['path'], shown)
        assert(fault.message.startsWith(`${details['path']}: ${errors[0]?.message}`), shown)
        return true
      },
      shown,
    )
  }
})

const claimOf = (it: Solver, over: object = {}): Claim =>
  ({ kind: it.name, phase: 0.25, code: { ...codeOf(it), registry: '', constants: '' }, ...over }) as unknown as Claim

test('a replay gives every number that a claim holds', () => {
  const inputs = { nx: 32, ny: 32, dt: 0.1, steps: 10, initial: { kind: 'mode' } }
  const claim = claimOf(heat as unknown as Solver)
  const order = { kind: 'heat', inputs, claim }
  const found = replay(solvers, order)
  assert(!('unavailable' in found))
  const { resultDigest, value, reality: seen, steps } = produce(heat, resolveInput(heat, inputs))
  assert.equal(found.result_digest, resultDigest)
  assert.equal(found.value, value)
  assert.equal(found.measured, seen?.errorPct)
  assert.deepEqual(found.steps, steps)
  assert.equal(found.R_t, '1.001000')
  assert.match(found.equations_digest ?? '', /^[0-9a-f]{64}$/)
  assert.deepEqual(replay(solvers, order), found)
})

test('a replay by other code says so, and what such code refuses is no word about the claim', () => {
  const code = { ...codeOf(heat), registry: '', constants: '' }
  const strange = [
    { code: { ...code, solver: `heat@${heat.revision + 1}` } },
    { code: { ...code, math: '0'.repeat(64) } },
    { code: { ...code, kernels: {} } },
    { code: { ...code, kernels: { ...code.kernels, other: '0'.repeat(64) } } },
  ]
  for (const over of strange) {
    const claim = claimOf(heat as unknown as Solver, over)
    const found = replay(solvers, { kind: claim.kind, inputs: {}, claim })
    assert(!('unavailable' in found) && found.otherCode !== undefined, JSON.stringify(over))
    assert('unavailable' in replay(solvers, { kind: claim.kind, inputs: { nx: 1 }, claim }))
  }
  const nothing = claimOf(heat as unknown as Solver)
  assert('unavailable' in replay(solvers, { kind: 'nothing', inputs: {}, claim: nothing }))
})

test.run()
