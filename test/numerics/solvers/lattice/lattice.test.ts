// Goal: lattice sees one value from exact places of a tick, and its check sees every number of every node.
// Method: exact fractions and closed sums for all node counts; nodes altered one number at a time; wrong amplitudes,
// offsets and values judged as right; inputs drawn from the schema; the node's own moment completed and kept.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { momentAt } from '#core/clock.ts'
import { Fault } from '#core/fault.ts'
import { TICK_NS } from '#core/tick.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { lattice as bare } from '#numerics/solvers/lattice/index.ts'
import type { LatticeInput, LatticeOutput } from '#numerics/solvers/lattice/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/lattice')
const lattice = bare as unknown as Solver

keepsTheRules(test, lattice)

const registry = loadRegistry()
const it = aided(bare, { registry: () => registry })
const { inputOf, sealed, refusal, sealsOrRefuses } = outcomesOf(it)

const GR37 = { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } }

test('any number of nodes at any moment: mean S, spread S·α/√2, phases as exact fractions', () => {
  for (let nodeCount = 1; nodeCount <= 16; nodeCount++) {
    for (const phaseNs of [0, 1, 123_456_789, Number(TICK_NS) - 1]) {
      const output = sealed({ nodeCount, phaseNs, tick: 7, genesis: 2_000_000_000, spec: GR37 })
      assert.equal(output.nodes.length, nodeCount)
      assert(Math.abs(output.specValue - 2954.0077) < 1e-3)
      if (nodeCount > 1) assert(Math.abs(output.meanRt / output.specValue - 1) < 1e-12)
      if (nodeCount > 2) assert(Math.abs(output.coherenceScore - (1 - 0.001 / Math.SQRT2)) < 1e-12)
      output.nodes.forEach(({ phase, tick, value }, i) => {
        const num = BigInt(phaseNs) * BigInt(nodeCount) + BigInt(i) * TICK_NS
        const den = TICK_NS * BigInt(nodeCount)
        assert.equal(tick, 7 + (num >= den ? 1 : 0))
        assert.equal(phase, Number(num % den) / Number(den))
        assert.equal(value, output.specValue)
      })
      assert.equal(output.sharedTick, 2_000_000_007)
      assert.equal(output.computedAt, String(2_000_000_007n * TICK_NS + BigInt(phaseNs)))
    }
  }
})

test('a lone node is off S by its own phase, and is judged by the sine alone', () => {
  const { meanRt, specValue, coherenceScore } = sealed({ nodeCount: 1, phaseNs: 194_250_194 })
  assert(Math.abs(meanRt / specValue - 1.001) < 1e-8)
  assert.equal(coherenceScore, 1)
})

test('the manual mode takes the amplitude of the caller', () => {
  const { coherenceScore } = sealed({ mode: 'manual', beta: 0.05 })
  assert(Math.abs(coherenceScore - (1 - 0.05 / Math.SQRT2)) < 1e-12)
  refusal('INVALID_INPUT', { mode: 'manual' })
  refusal('INVALID_INPUT', { beta: 0.01 })
})

const refuses = (input: LatticeInput, output: LatticeOutput, why: string): void =>
  assert.throws(() => passGate(it.check(input, { output, evidence: null })), Fault, why)

test('each number of each node altered is refused', () => {
  const input = inputOf({ phaseNs: 5_000, tick: 3, genesis: 9 })
  const { output } = produce(it, input).outcome
  output.nodes.forEach((node, i) => {
    for (const [name, value] of Object.entries(node)) {
      // A hundredth of the modulation, which is a hundred thousandth of R, is seen.
      const altered = typeof value === 'number' ? value + (name === 'R_t' ? 1e-5 : 0.01) * (value || 1) : `${value}x`
      const nodes = output.nodes.map((other, at) => (at === i ? { ...other, [name]: altered } : other))
      refuses(input, { ...output, nodes } as LatticeOutput, `node ${i} ${name}`)
    }
  })
  refuses(input, { ...output, nodes: output.nodes.slice(1) }, 'a node left out')
  refuses(input, { ...output, latticeEquation: 'E = mc^2' }, 'another equation')
  refuses(input, { ...output, specUnit: 'kg' }, 'another unit')
  refuses(input, { ...output, coherenceScore: output.coherenceScore + 1e-12 }, 'another score')
  refuses(input, { ...output, computedAt: String(BigInt(output.computedAt) + 1n) }, 'a nanosecond later')
  refuses(input, { ...output, computedAt: 'now' }, 'no moment')
  refuses(input, { ...output, tickSec: 0.777 }, 'the caption of the tick')
  refuses(input, { ...output, pulseHz: 1.287 }, 'the caption of the pulse')
})

test('sabotage: a wrong amplitude, offset, moment or value is refused', () => {
  const raw = { phaseNs: 100_000_000, tick: 3, genesis: 9 }
  const input = inputOf(raw)
  const others = [
    { mode: 'manual', beta: 0.00101 },
    { phaseNs: 100_100_000 },
    { nodeCount: 7 },
    { tick: 4 },
    { genesis: 10 },
    { spec: { operators: ['NM19'], inputs: { m: 5, a: 2.0001 } } },
  ]
  for (const over of others) refuses(input, sealed({ ...raw, ...over }), JSON.stringify(over))
})

test('the node fills in its own moment, unless the caller names one', () => {
  const moment = momentAt(2_000_000_123n * TICK_NS + 777n, 2_000_000_000)
  const full = bare.completed?.(inputOf({}), moment)
  assert.deepEqual([full?.tick, full?.phaseNs, full?.genesis], [123, 777, 2_000_000_000])
  const young = bare.completed?.(inputOf({}), { ...moment, tick: -1 })
  assert.equal(young?.tick, 0, 'a node in its first tick')
  const named = bare.completed?.(inputOf({ tick: 5 }), moment)
  assert.deepEqual([named?.tick, named?.phaseNs, named?.genesis], [5, 0, 2_000_000_000])
})

test('what cannot be computed or modulated is refused', () => {
  refusal('ILL_POSED', { spec: { operators: ['NM19'], inputs: { m: 5, a: 0 } } })
  refusal('ILL_POSED', { spec: { operators: ['NM19'], inputs: { m: 1e-300, a: 1e-20 } } })
  refusal('MISSING_INPUTS', { spec: { operators: ['NM19'], inputs: {} } })
  refusal('UNKNOWN_OPERATOR', { spec: { operators: ['NO1'], inputs: {} } })
  refusal('INVALID_INPUT', { spec: { ...GR37, domain: 'optics' } })
  refusal('INVALID_INPUT', { nodeCount: 17 })
  refusal('INVALID_INPUT', { phaseNs: Number(TICK_NS) })
})

const drawn = fc.record(
  {
    nodeCount: fc.integer({ min: 1, max: 16 }),
    tick: fc.option(fc.integer({ min: 0, max: 1e12 })),
    phaseNs: fc.option(fc.integer({ min: 0, max: Number(TICK_NS) - 1 })),
    genesis: fc.option(fc.integer({ min: 0, max: 1e12 })),
    mode: fc.constantFrom('automatic', 'manual'),
    beta: fc.option(fc.double({ min: 1e-4, max: 0.1, noNaN: true })),
    spec: fc.record({
      operators: fc.constantFrom(['NM19'], ['ko42', 'nm19'], ['NM19', 'NM22'], []),
      inputs: fc.record({ m: fc.double({ min: 0, max: 1e9 }), a: fc.double({ min: -1e9, max: 1e9 }) }),
    }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 200 })
  assert(seals > 3, `${seals} of them seal`)
}, 30_000)

test.run()
