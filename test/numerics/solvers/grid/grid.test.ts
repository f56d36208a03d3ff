// Goal: grid gives the one set of flows that Kirchhoff's laws allow, for the published cases, own grids and every
// outage; its check sees a reactance, tap, shift or load that is wrong; what has no such flows is refused before work.
// Method: published flows of the IEEE 14-bus case, dense elimination of whole and of cut grids, grids drawn by seed,
// superposition and scaling; runs of another grid judged as if they were of this one; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { factorSparse, sparseOf, type Triples } from '#numerics/methods/linear/sparse-ldl.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { BASE_MVA, CASES } from '#numerics/solvers/grid/ieee.ts'
import { grid } from '#numerics/solvers/grid/index.ts'
import { networkOf } from '#numerics/solvers/grid/problem.ts'
import { bridgesOf } from '#numerics/solvers/grid/run/bridges.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { near, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { asOwn, type Branch, type Bus, dense, drawnGrid, type Own } from './grid-drawn.ts'

const test = suite('numerics/grid')

keepsTheRules(test, grid)

const { inputOf, ran: solved, sealed, refusal, sealsOrRefuses } = outcomesOf(grid)
const errorPct = (asked: object, outcome: ReturnType<typeof solved>): number =>
  grid.check(inputOf(asked), outcome).errorPct

test('the IEEE 14-bus case: published flows', () => {
  // DC power flow of MATPOWER and pandapower on their case14, in MW to two digits.
  const published = [147.84, 71.16, 70.01, 55.15, 40.97, -24.19, -61.75, 28.36, 16.55, 42.79]
  const { flows, slackInjection, load } = sealed({})
  for (const [k, flow] of published.entries()) near(flows[k], flow, 0.005)
  near(slackInjection, 219, 1e-9)
  near(load, 259, 1e-9)
})

test('the built-in cases have the totals of the archive', () => {
  // Buses, lines, loads and what is left for the slack bus, in MW.
  for (const [name, buses, lines, load, slack] of [
    ['ieee14', 14, 20, 259, 219],
    ['ieee30', 30, 41, 283.4, 243.4],
    ['ieee57', 57, 80, 1250.8, 450.8],
    ['ieee118', 118, 186, 3668, 381],
  ] as const) {
    const it = sealed({ case: name })
    assert.deepEqual([it.buses, it.lines, it.islands, it.loops], [buses, lines, 1, lines - buses + 1])
    near(it.load, load, 1e-9)
    // The slack bus of 57 has a load of its own: 55 MW.
    near(it.slackInjection, name === 'ieee57' ? slack - 55 : slack, 1e-9)
  }
})

test('every case and every outage of three of them agree with dense elimination', () => {
  for (const name of CASES) {
    const own = asOwn(name)
    const flows = dense(own)
    for (const [k, flow] of sealed({ case: name }).flows.entries()) near(flow, flows[k] ?? 0, 1e-9)
    if (name === 'ieee118') continue
    const { output, evidence } = solved({ case: name, contingencies: true })
    const count = own.lines.length
    for (let k = 0; k < count; k++) {
      if (output.bridges.includes(k + 1)) continue
      const cut = dense(own, k)
      for (let l = 0; l < count; l++) near(evidence.outageFlows[k * count + l], cut[l] ?? 0, 1e-8)
      near(output.worstFlows[k], Math.max(...cut.map(Math.abs)), 1e-8)
    }
  }
})

test('drawn grids with taps, shifts and parallel lines agree with dense elimination, also with a line out', () => {
  const random = seeded()
  for (let round = 0; round < 30; round++) {
    const own = drawnGrid(random, random.integer(2, 25), random.integer(0, 20))
    const { output, evidence } = solved({ ...own, contingencies: true })
    passGate(grid.check(inputOf({ ...own, contingencies: true }), { output, evidence }))
    const flows = dense(own)
    const scale = Math.max(...flows.map(Math.abs))
    for (const [k, flow] of output.flows.entries()) near(flow, flows[k] ?? 0, 1e-9 * scale)
    const k = random.integer(0, own.lines.length - 1)
    if (output.bridges.includes(k + 1)) continue
    const cut = dense(own, k)
    for (const [l, flow] of cut.entries()) {
      near(evidence.outageFlows[k * own.lines.length + l], flow, 1e-7 * Math.max(...cut.map(Math.abs)))
    }
  }
})

test('a line is a bridge exactly when leaving it out leaves a bus unreached', () => {
  const random = seeded()
  for (let round = 0; round < 40; round++) {
    const own = drawnGrid(random, random.integer(2, 20), random.integer(0, 12))
    const found = bridgesOf(networkOf(inputOf(own)))
    for (const [k] of own.lines.entries()) {
      const reached = new Set([1])
      for (let before = 0; before < reached.size; ) {
        before = reached.size
        for (const [l, { from, to }] of own.lines.entries()) {
          if (l !== k && reached.has(from) !== reached.has(to)) reached.add(reached.has(from) ? to : from)
        }
        if (reached.size === before) break
      }
      assert.equal(found[k], reached.size < own.buses.length ? 1 : 0)
    }
  }
})

const triplesOf = (all: readonly (readonly [number, number, number])[]): Triples => ({
  row: Int32Array.from(all, ([i]) => i),
  column: Int32Array.from(all, ([, j]) => j),
  value: Float64Array.from(all, ([, , x]) => x),
})

test('the sparse factor solves what it factored, definite or not', () => {
  const random = seeded()
  for (let round = 0; round < 20; round++) {
    const n = random.integer(1, 60)
    const triples: [number, number, number][] = []
    for (let i = 0; i < n; i++) triples.push([i, i, 4 * (random.next() < 0.2 ? -1 : 1)])
    for (let k = 0; k < n; k++) {
      const [i, j, x] = [random.integer(0, n - 1), random.integer(0, n - 1), 0.3 * random.next()]
      if (i !== j) triples.push([i, j, x], [j, i, x])
    }
    const x = Float64Array.from({ length: n }, () => random.next() - 0.5)
    const b = new Float64Array(n)
    for (const [i, j, value] of triples) b[i] = (b[i] ?? 0) + value * (x[j] ?? 0)
    factorSparse(sparseOf(n, triplesOf(triples)))?.solve(b)
    for (const [i, value] of x.entries()) near(b[i], value, 1e-9)
  }
  const singular = triplesOf([
    [0, 0, 1],
    [1, 1, 1],
    [0, 1, 1],
    [1, 0, 1],
  ])
  assert.equal(factorSparse(sparseOf(2, singular)), undefined)
})

test('flows add up: twice the power is twice the flow, a shift alone drives a flow around its loop', () => {
  const { flows } = sealed({})
  for (const [k, flow] of sealed({ scale: 2 }).flows.entries()) near(flow, 2 * (flows[k] ?? 0), 1e-9)
  const idle = { load: 0, generation: 0, slack: false }
  const line = { x: 0.1, tap: 1, shift: 0 }
  const ring: Own = {
    case: 'own',
    buses: [{ ...idle, slack: true }, idle, idle],
    lines: [
      { ...line, from: 1, to: 2, shift: 6 },
      { ...line, from: 2, to: 3 },
      { ...line, from: 3, to: 1 },
    ],
  }
  for (const flow of sealed(ring).flows) near(flow, (-BASE_MVA * 6 * Math.PI) / 180 / 0.3, 1e-9)
  // A series capacitor of half the reactance of a line beside it: the flow goes the other way round.
  const capacitor = {
    ...ring,
    buses: [{ ...idle, slack: true }, { ...idle, load: 90 }, idle],
    lines: [
      { ...line, from: 1, to: 2 },
      { ...line, from: 1, to: 3 },
      { ...line, from: 3, to: 2, x: -0.15 },
    ],
  }
  near(sealed(capacitor).flows[0], -90, 1e-9)
  near(sealed(capacitor).flows[1], 180, 1e-9)
})

test('islands with a slack bus each are one answer', () => {
  const own = asOwn('ieee14')
  const twice = {
    case: 'own',
    contingencies: true,
    buses: [...own.buses, ...own.buses],
    lines: [...own.lines, ...own.lines.map((line) => ({ ...line, from: line.from + 14, to: line.to + 14 }))],
  }
  const [one, two] = [sealed({ contingencies: true }), sealed(twice)]
  assert.equal(two.islands, 2)
  for (const [k, flow] of two.flows.entries()) near(flow, one.flows[k % 20] ?? 0, 1e-9)
  assert.deepEqual(Array.from(two.bridges), [14, 34])
})

test('the check sees each reactance, tap, shift, load and line that is wrong, from the flows alone', () => {
  const own: Own = asOwn('ieee14')
  own.lines = own.lines.map((line, k) => (k === 7 ? { ...line, shift: 5 } : line))
  const wrong = (change: (own: Own) => void): number => {
    const other = structuredClone(own)
    change(other)
    const { output, evidence } = solved(other)
    // What follows from the grid that was asked for is given rightly: the flows and angles alone are wrong.
    const right = solved(own).output
    const claimed = { ...output, load: right.load, injections: right.injections, slackInjection: right.slackInjection }
    return errorPct(own, { output: claimed, evidence })
  }
  assert(wrong(() => undefined) <= 1e-9)
  for (const [k, { x }] of own.lines.entries()) {
    // A line that carries nothing has no flow that its reactance could change.
    if (k === 13) continue
    assert(!(wrong(({ lines }) => lines.splice(k, 1, { ...(lines[k] as Branch), x: 1.1 * x })) <= 0.1), `x ${k}`)
  }
  assert(!(wrong(({ lines }) => lines.splice(7, 1, { ...(lines[7] as Branch), tap: 1 })) <= 0.1))
  assert(!(wrong(({ lines }) => lines.splice(7, 1, { ...(lines[7] as Branch), shift: 4.9 })) <= 0.1))
  assert(!(wrong(({ lines }) => lines.splice(7, 1, { ...(lines[7] as Branch), shift: -5 })) <= 0.1))
  for (const [k, { load }] of own.buses.entries()) {
    if (k === 0 || load === 0) continue
    assert(!(wrong(({ buses }) => buses.splice(k, 1, { ...(buses[k] as Bus), load: load + 1 })) <= 0.1), `load ${k}`)
  }
})

test('each number of an answer with contingencies altered is refused, and of the flows in its evidence', () => {
  const input = { case: 'ieee30', contingencies: true }
  const { output, evidence } = solved(input)
  assert(errorPct(input, { output, evidence }) <= 1e-9)
  for (const name of ['worstLines', 'worstFlows', 'bridges', 'flows', 'angles', 'injections', 'ends'] as const) {
    for (const [k, it] of output[name].entries()) {
      const altered = Array.from(output[name], (value, i) =>
        i === k ? value + (Number.isInteger(it) ? 1 : 0.5) : value,
      )
      assert(!(errorPct(input, { output: { ...output, [name]: altered }, evidence }) <= 0.1), `${name}[${k}]`)
    }
  }
  const random = seeded()
  for (let round = 0; round < 100; round++) {
    const at = random.integer(0, evidence.outageFlows.length - 1)
    const outageFlows = evidence.outageFlows.map((it, k) => (k === at ? it + 1 : it))
    assert(!(errorPct(input, { output, evidence: { outageFlows } }) <= 0.1), `${at}`)
  }
  // Flows of another outage obey the same laws at every bus but one line too many.
  const shifted = evidence.outageFlows.slice()
  shifted.copyWithin(0, 41, 82)
  assert(!(errorPct(input, { output, evidence: { outageFlows: shifted } }) <= 0.1))
})

test('grids that have no one answer are refused, with what is wrong', () => {
  const idle = { load: 0, generation: 0, slack: false }
  const buses = [
    { ...idle, slack: true },
    { ...idle, load: 10 },
    { ...idle, load: 20 },
  ]
  const lines = [
    { from: 1, to: 2, x: 0.1 },
    { from: 2, to: 3, x: 0.1 },
  ]
  assert.equal(sealed({ case: 'own', buses, lines }).flows[0], 30)
  const alone = refusal('ILL_POSED', { case: 'own', buses, lines: lines.slice(0, 1) })
  assert.deepEqual([alone['measured'], alone['limit'], alone['balance']], [0, 1, -20])
  refusal('ILL_POSED', { case: 'own', buses: buses.map((it) => ({ ...it, slack: true })), lines })
  refusal('ILL_POSED', { case: 'own', buses, lines: [...lines, { from: 1, to: 3, x: 0 }] })
  refusal('ILL_POSED', { case: 'own', buses: [{ ...idle, slack: true, load: 5 }, idle, idle], lines })
  // Two ways of opposite reactance: any flow around them costs nothing.
  refusal('ILL_POSED', { case: 'own', buses, lines: [...lines, { from: 2, to: 3, x: -0.1 }] })
  refusal('INVALID_INPUT', { case: 'own', buses, lines: [...lines, { from: 1, to: 4, x: 0.1 }] })
  refusal('INVALID_INPUT', { case: 'own', buses, lines: [...lines, { from: 2, to: 2, x: 0.1 }] })
  refusal('INVALID_INPUT', { case: 'own' })
  refusal('INVALID_INPUT', { buses, lines })
  refusal('INVALID_INPUT', { baseMva: 50 })
  const many = Array.from({ length: 1_001 }, () => ({ from: 1, to: 2, x: 0.1 }))
  const pair = { case: 'own', buses: buses.slice(0, 2), lines: many }
  assert.equal(refusal('WORK_LIMIT_EXCEEDED', { ...pair, contingencies: true })['limit'], 1_000)
  near(sealed(pair).flows[1_000], 10 / 1_001, 1e-9)
})

test('the largest grid of the schema is solved', () => {
  const own = drawnGrid(seeded(7), 2_000, 2_000)
  assert((produce(grid, inputOf(own)).reality?.errorPct ?? 1) < 1e-6)
}, 20_000)

const bus = fc.record(
  {
    load: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    generation: fc.integer({ min: 0, max: 500 }),
    slack: fc.boolean(),
  },
  { requiredKeys: [] },
)
const end = fc.integer({ min: 1, max: 5 })
const branch = fc.record(
  {
    from: end,
    to: end,
    x: fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.constantFrom(0.1, -0.1, 0, 1e-9)),
    tap: fc.double({ min: 0.1, max: 10, noNaN: true }),
    shift: fc.double({ min: -180, max: 180, noNaN: true }),
  },
  { requiredKeys: ['from', 'to', 'x'] },
)
const drawn = fc.record(
  {
    case: fc.constantFrom('own', 'own', 'own', 'ieee14', 'ieee57'),
    contingencies: fc.boolean(),
    scale: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
    baseMva: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    buses: fc.array(bus, { minLength: 2, maxLength: 6 }),
    lines: fc.array(branch, { minLength: 1, maxLength: 10 }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 1_500 })
  assert(seals > 0, 'some of them seal')
}, 20_000)

test.run()
