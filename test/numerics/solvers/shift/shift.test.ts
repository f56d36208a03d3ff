// Goal: shift projects one value over ticks whose instants are exact, and its check sees every number of every step.
// Method: instants, ticks and phases by integers; identities of the gauge from its formula; steps altered one number
// at a time; other amplitudes, starts and moments judged as right; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { TICK_NS } from '#core/tick.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { shift as bare } from '#numerics/solvers/shift/index.ts'
import type { ShiftInput, ShiftOutput } from '#numerics/solvers/shift/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/shift')
const shift = bare as unknown as Solver

keepsTheRules(test, shift)

const registry = loadRegistry()
const it = aided(bare, { registry: () => registry })
const { inputOf, sealed, refusal, sealsOrRefuses } = outcomesOf(it)

const MOMENT = { baseTick: 1_000, genesis: 2_000_000_000, phaseNs: 123_456_789 }

test('each step is one tick on, with the same phase and the same R', () => {
  const { projection, summary, projected } = sealed({ ...MOMENT, stepCount: 64 })
  assert.equal(projection.length, 64)
  projection.forEach(({ step, tick, instant, phase, R_t, s }, i) => {
    assert.deepEqual([step, tick, s], [i + 1, 1_001 + i, null])
    assert.equal(BigInt(instant), (2_000_001_001n + BigInt(i)) * TICK_NS + 123_456_789n)
    assert.equal(phase, 123_456_789 / 777_000_777)
    assert.equal(R_t, projected)
  })
  assert(Math.abs(projected - 10 * (1 + 0.001 * Math.sin((2 * Math.PI * 123_456_789) / 777_000_777))) < 1e-13)
  assert.equal(summary.minRt, summary.maxRt)
})

test('the gauge leaves the value and turns the time, periodically and rising', () => {
  const { projection, projected } = sealed({ ...MOMENT, mode: 'gauge', phi0: 0.3 })
  assert.equal(projected, 10)
  const times = projection.map(({ s }) => s ?? Number.NaN)
  assert(times.every((s, i) => i === 0 || Math.abs(s - (times[i - 1] ?? 0) - 0.777000777) < 1e-13))
  const phases = Array.from({ length: 40 }, (_, i) => 19_000_000 * i)
  const within = phases.map((phaseNs) => sealed({ ...MOMENT, phaseNs, mode: 'gauge', phi0: 0.3 }).projection[0]?.s ?? 0)
  assert(within.every((s, i) => i === 0 || s > (within[i - 1] ?? 0)))
  assert(
    within.some((s, i) => Math.abs(s - 0.777000777 - (phases[i] ?? 0) / 1e9) > 1e-4),
    'time is turned',
  )
})

const refuses = (input: ShiftInput, output: ShiftOutput, why: string): void =>
  assert.throws(() => passGate(it.check(input, { output, evidence: null })), Fault, why)

test('each number of each step altered is refused', () => {
  for (const mode of ['automatic', 'gauge']) {
    const input = inputOf({ ...MOMENT, mode })
    const { output } = produce(it, input).outcome
    output.projection.forEach((row, i) => {
      for (const [name, value] of Object.entries(row)) {
        const small = name === 'R_t' ? 1e-5 : name === 's' ? 1e-6 : 0.01
        const altered = typeof value === 'number' ? value + small * (value || 1) : value === null ? 1 : `${value}1`
        const projection = output.projection.map((other, at) => (at === i ? { ...other, [name]: altered } : other))
        refuses(input, { ...output, projection } as ShiftOutput, `${mode} step ${i} ${name}`)
      }
    })
    for (const name of ['minRt', 'maxRt', 'meanRt'] as const) {
      const summary = { ...output.summary, [name]: output.summary[name] * 1.001 }
      refuses(input, { ...output, summary }, name)
    }
    refuses(input, { ...output, projection: output.projection.slice(1) }, 'a step left out')
    refuses(input, { ...output, equation: 'R = S' }, 'another equation')
    refuses(input, { ...output, computedAt: String(BigInt(output.computedAt) + 1n) }, 'a nanosecond later')
    refuses(input, { ...output, tickSec: 0.777 }, 'the caption of the tick')
  }
})

test('sabotage: a wrong amplitude, phase, start of the gauge or value is refused', () => {
  const cases: readonly (readonly [object, object])[] = [
    [{}, { mode: 'manual', beta: 0.00101 }],
    [{}, { phaseNs: 123_956_789 }],
    [{}, { baseTick: 999 }],
    [{}, { genesis: 2_000_000_001 }],
    [{}, { spec: { operators: ['NM19'], inputs: { m: 5, a: 2.0001 } } }],
    [{ mode: 'gauge' }, { mode: 'gauge', phi0: 0.01 }],
    [{ mode: 'gauge' }, {}],
  ]
  for (const [right, wrong] of cases) {
    refuses(inputOf({ ...MOMENT, ...right }), sealed({ ...MOMENT, ...wrong }), JSON.stringify(wrong))
  }
})

test('the node fills in its own moment, unless the caller names one', () => {
  const moment = momentAt(2_000_000_123n * TICK_NS + 777n, 2_000_000_000)
  const full = bare.completed?.(inputOf({}), moment)
  assert.deepEqual([full?.baseTick, full?.phaseNs, full?.genesis], [123, 777, 2_000_000_000])
  const named = bare.completed?.(inputOf({ baseTick: 5, phaseNs: 9 }), moment)
  assert.deepEqual([named?.baseTick, named?.phaseNs, named?.genesis], [5, 9, 2_000_000_000])
})

test('what cannot be projected is refused', () => {
  refusal('ILL_POSED', { spec: { operators: ['NM19'], inputs: { m: 5, a: 0 } } })
  refusal('MISSING_INPUTS', { spec: { operators: ['NM19'], inputs: {} } })
  refusal('INVALID_INPUT', { stepCount: 65 })
  refusal('INVALID_INPUT', { stepCount: 0 })
  refusal('INVALID_INPUT', { mode: 'manual' })
  refusal('INVALID_INPUT', { mode: 'gauge', beta: 0.01 })
})

const drawn = fc.record(
  {
    stepCount: fc.integer({ min: 1, max: 64 }),
    baseTick: fc.option(fc.integer({ min: 0, max: 1e12 })),
    phaseNs: fc.option(fc.integer({ min: 0, max: Number(TICK_NS) - 1 })),
    genesis: fc.option(fc.integer({ min: 0, max: 1e12 })),
    mode: fc.constantFrom('automatic', 'manual', 'gauge'),
    beta: fc.option(fc.double({ min: 1e-4, max: 0.1, noNaN: true })),
    phi0: fc.double({ min: 0, max: 1, noNaN: true }),
    spec: fc.record({
      operators: fc.constantFrom(['NM19'], ['KO42', 'nm19'], ['NM19', 'NM22']),
      inputs: fc.record({ m: fc.double({ min: 0, max: 1e9 }), a: fc.double({ min: -1e9, max: 1e9 }) }),
    }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 150 })
  assert(seals > 3, `${seals} of them seal`)
}, 30_000)

test.run()
