// Goal: fea solves plane stress at the order of quadratic elements, its bounds hold, and its check sees every
// coefficient; what cannot be solved is refused before work.
// Method: closed forms, halved meshes, theorems of work and energy, CalculiX on the same mesh; runs of another body
// judged as if they were of this one; inputs drawn from the schema; kernel beside its twin.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { createCondenser } from '#numerics/methods/linear/condense.ts'
import { fieldEquations } from '#numerics/runtime/equations.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { meshHolds } from '#numerics/solvers/fea/check/check.ts'
import { recomputeEnergy } from '#numerics/solvers/fea/check/recompute-element.ts'
import { holeSolution } from '#numerics/solvers/fea/exact.ts'
import { fea } from '#numerics/solvers/fea/index.ts'
import { lineStart, meshOf } from '#numerics/solvers/fea/mesh.ts'
import { materialOf, stiffnessOf } from '#numerics/solvers/fea/run/element.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { twinBackward, twinEliminate, twinForward } from '../../methods/condense-twin.ts'
import { outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/fea')

keepsTheRules(test, fea)

const { inputOf, solve, found, refusal, sealsOrRefuses } = outcomesOf(fea)

test('displacements of the cantilever gain four bits with every halving of the mesh', () => {
  const errors = [0, 1, 2].map((k) => found({ nx: 10 * 2 ** k, ny: 2 ** k }).figures['field_pct'] ?? 1)
  for (const k of [0, 1]) {
    const ratio = (errors[k] ?? 0) / (errors[k + 1] ?? 1)
    assert(ratio > 13 && ratio < 18, `ratio ${ratio}`)
  }
  assert((errors[2] ?? 1) < 1.2e-4)
})

test('the published accuracies: 40 × 4, 20 × 2 and 10 × 1 for any slenderness and Poisson ratio', () => {
  for (const raw of [{}, { L: 0.3, nx: 12 }, { nu: 0 }, { nu: 0.499 }, { L: 20, nx: 200 }, { P: -7e5, E: 3e9 }]) {
    const { errorPct, figures } = found(raw)
    assert((figures['theory_pct'] ?? 1) < 1e-2, `${JSON.stringify(raw)}: ${figures['theory_pct']}`)
    assert(errorPct < 0.04, `${JSON.stringify(raw)}: ${errorPct}`)
  }
  assert(Math.abs(solve({}).deflectionRatio - 0.9991) < 5e-5)
})

test('a body a thousand times as long as high bends as it should, one of eight thousand is refused', () => {
  assert(found({ L: 100, nx: 1_000, ny: 1 }).errorPct < 4e-3)
  refusal('DID_NOT_CONVERGE', { L: 4_000, h: 0.5, nx: 4_096, ny: 1 })
})

test('the plate: third order in the displacements, Kirsch’s three at the hole', () => {
  const field = (k: number): number =>
    found({ problem: 'hole', plate: { radial: 8 * k, around: 16 * k } }).figures['field_pct'] ?? 1
  const ratio = field(1) / field(2)
  assert(ratio > 8 && ratio < 20, `ratio ${ratio}`)
  const { concentration = 0, v, y } = solve({ problem: 'hole' })
  assert(Math.abs(concentration - 3) < 2e-3)
  const top = holeSolution(inputOf({ problem: 'hole' }), 0, y[0] ?? 0)
  assert(Math.abs((v[0] ?? 0) - top.v) < 1e-4 * Math.abs(top.v))
})

test('work of the load is twice the energy of a held beam, and the load scales everything', () => {
  const raw = { root: 'clamp', L: 3, nx: 60, ny: 2 }
  const one = solve(raw)
  assert(Math.abs(one.deflection * 1000 - 2 * one.energy) < 1e-7 * one.energy)
  const five = solve({ ...raw, P: -5000 })
  assert(Math.abs(five.deflection / one.deflection + 5) < 1e-7, `${five.deflection / one.deflection}`)
  assert(Math.abs(five.energy / one.energy - 25) < 1e-7)
})

test('top and bottom of a beam mirror each other', () => {
  const { u, v } = solve({ nx: 12, ny: 3 })
  for (let column = 0; column <= 12; column++) {
    const start = lineStart(3, column)
    for (let k = 0; k <= 6; k++) {
      assert(Math.abs((u[start + k] ?? 0) + (u[start + 6 - k] ?? 0)) < 1e-12 * 1e-3)
      assert(Math.abs((v[start + k] ?? 0) - (v[start + 6 - k] ?? 0)) < 1e-12 * 1e-3)
    }
  }
})

test('CalculiX moves the same mesh alike', () => {
  const file = new URL('../../../fixtures/fea/ccx-20x2.json', import.meta.url)
  const theirs = JSON.parse(readFileSync(file, 'utf8')) as { u: number[]; v: number[] }
  const ours = solve({ nx: 20, ny: 2, t: 1e-4, P: 10 })
  const scale = Math.abs(ours.deflection)
  assert.equal(theirs.v.length, ours.nodes)
  for (let i = 0; i < ours.nodes; i++) {
    assert(Math.abs((ours.v[i] ?? 0) - (theirs.v[i] ?? 0)) < 1e-5 * scale)
    assert(Math.abs((ours.u[i] ?? 0) - (theirs.u[i] ?? 0)) < 1e-5 * scale)
  }
})

test('an element resists no rigid motion, and the check’s own element has its energy', () => {
  const x = Float64Array.of(0, 2, 2.5, 0.2, 1, 2.4, 1.3, 0)
  const y = Float64Array.of(0, 0.1, 1.4, 1, -0.1, 0.7, 1.3, 0.5)
  const K = stiffnessOf(x, y, materialOf(1, 0.3), 1)
  const energy = (u: Float64Array, v: Float64Array): number => {
    let sum = 0
    const at = (i: number): number => (i % 2 === 0 ? u[i / 2] : v[(i - 1) / 2])
    for (let p = 0; p < 16; p++) for (let q = 0; q < 16; q++) sum += (at(p) * K[16 * p + q] * at(q)) / 2
    return sum
  }
  const ones = new Float64Array(8).fill(1)
  const rigid = [
    energy(ones, new Float64Array(8)),
    energy(
      y.map((it) => -it),
      x,
    ),
  ]
  for (const it of rigid) assert(Math.abs(it) < 1e-13, `${it}`)
  // Constant strains are exact on any shape; others differ by the quadrature alone.
  const stretched = energy(
    x,
    y.map((it) => 0.5 * it),
  )
  const own = recomputeEnergy({ x, y, u: x, v: y.map((it) => 0.5 * it) }, 1, 0.3)
  assert(Math.abs(stretched - own) < 1e-12)
  const square = { x: Float64Array.of(0, 1, 1, 0, 0.5, 1, 0.5, 0), y: Float64Array.of(0, 0, 1, 1, 0, 0.5, 1, 0.5) }
  const random = seeded()
  const [u, v] = [ones.map(() => random.next()), ones.map(() => random.next())]
  K.set(stiffnessOf(square.x, square.y, materialOf(1, 0.3), 1))
  assert(Math.abs(energy(u, v) - recomputeEnergy({ ...square, u, v }, 1, 0.3)) < 1e-12)
})

/** Solves one problem and judges the answer as if it were that of another. */
const judgedAs = (raw: object, spoilt: object): number => {
  const input = inputOf(raw)
  const output = solve({ ...raw, ...spoilt })
  return fea.check(input, { output, evidence: null }).errorPct
}

test('the check sees every coefficient, a wrong root, another load and a moved node', () => {
  assert(judgedAs({}, { E: 212.1e9 }) > 0.1)
  assert(judgedAs({}, { t: 0.0101 }) > 0.1)
  assert(judgedAs({}, { P: 1010 }) > 0.1)
  assert(judgedAs({ L: 0.2 }, { L: 0.2, nu: 0.33 }) > 0.1)
  const short = { root: 'clamp', L: 2.5, nx: 100 }
  assert(judgedAs(short, { E: 212.1e9 }) > 0.1)
  assert(judgedAs(short, { t: 0.0101 }) > 0.1)
  assert(judgedAs({ problem: 'hole' }, { E: 212.1e9 }) > 0.1)
  assert(judgedAs({ problem: 'hole' }, { nu: 0.303 }) > 0.1)
  assert(judgedAs({ problem: 'hole' }, { plate: { stress: 1.01e6 } }) > 0.1)
  const held = solve({ root: 'clamp' })
  assert(fea.check(inputOf({}), { output: { ...held, root: 'elastic' }, evidence: null }).errorPct > 0.1)
})

for (const raw of [
  {},
  { root: 'clamp', L: 2.5, nx: 100 },
  { root: 'clamp', L: 20, nx: 200, ny: 2 },
  { problem: 'hole' },
]) {
  test(`every number of the answer is read: ${JSON.stringify(raw)}`, () => {
    const input = inputOf(raw)
    const { outcome } = run(fea, input)
    passGate(fea.check(input, outcome))
    const { output } = outcome
    const random = seeded()
    for (const name of ['u', 'v', 'vonMises', 'x', 'y'] as const) {
      const values = output[name] ?? []
      const scale = values.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
      for (let k = 0; k < 12 && values.length > 0; k++) {
        const moved = Array.from(values)
        const node = random.integer(0, moved.length - 1)
        moved[node] = (moved[node] ?? 0) + 0.01 * scale
        const altered = { ...output, [name]: moved }
        assert(fea.check(input, { output: altered, evidence: null }).errorPct > 0.1, `${name} ${node}`)
      }
    }
    for (const [name, value] of Object.entries(output)) {
      if (typeof value !== 'number') continue
      const altered = { ...output, [name]: value * 1.01 }
      assert(fea.check(input, { output: altered, evidence: null }).errorPct > 0.1, name)
    }
  })
}

test('too coarse a mesh and too slender a body are refused by their error', () => {
  refusal('PRECISION_NOT_MET', { nx: 10, ny: 1 })
  refusal('PRECISION_NOT_MET', { problem: 'hole', plate: { radial: 4, around: 8 } })
})

test('what cannot be solved is refused before work, with a value that passes', () => {
  assert.equal(refusal('ILL_POSED', { P: 0 })['path'], '/P')
  assert.equal(refusal('ILL_POSED', { problem: 'hole', plate: { stress: 0 } })['path'], '/plate/stress')
  assert.equal(refusal('OUT_OF_RANGE', { L: 0.05 })['limit'], 1)
  assert.equal(refusal('OUT_OF_RANGE', { problem: 'hole', plate: { around: 31 } })['around'], 32)
  const tight = refusal('OUT_OF_RANGE', { problem: 'hole', plate: { width: 1 } })
  assert.equal(tight['width'], 1.5)
  // What is named passes every other refusal as well: neither too long again, nor too many, nor beyond the schema.
  const beams = [
    { L: 100 },
    { L: 0.1, nx: 100 },
    { nx: 1, ny: 64 },
    { nx: 4096, ny: 1 },
    { nx: 4096, ny: 64 },
    { L: 100, nx: 4096, ny: 64 },
    { L: 1e6, h: 1e-6, ny: 64 },
  ]
  for (const raw of beams) passing(fea, raw, ['L', 'nx', 'ny'])
  assert.deepEqual(passing(fea, { L: 0.1, nx: 100 }, ['L', 'nx', 'ny']), { ny: 5 })
  const plates = [
    { grading: 1_000 },
    { radial: 2, around: 96, grading: 1 },
    { radial: 48, around: 4 },
    { width: 1e6, radius: 1e-6 },
  ]
  for (const plate of plates) passing(fea, { problem: 'hole', plate }, ['grading', 'radial', 'width'], 'plate')
  assert.throws(() => inputOf({ nu: 0.5 }), { code: 'INVALID_INPUT' })
  assert.throws(() => inputOf({ nu: -0.1 }), { code: 'INVALID_INPUT' })
})

test('the field of a beam has equations, of one element too; a plate has none', () => {
  for (const raw of [{ nx: 1, ny: 1, L: 0.1 }, {}, { nx: 7, ny: 3 }]) {
    const field = fea.field?.(inputOf(raw), run(fea, inputOf(raw)).outcome)
    const { master, functional, propagator } = fieldEquations(field, 2)
    assert(master !== null && Object.values(master).every(Number.isFinite))
    assert(functional === null && propagator !== null)
  }
  assert.equal(fea.field?.(inputOf({ problem: 'hole' }), run(fea, inputOf({ problem: 'hole' })).outcome), undefined)
})

test('plots of both problems are whole on coarse and fine meshes', () => {
  for (const raw of [{ nx: 1, ny: 1, L: 0.1 }, { nx: 400, ny: 20, L: 2 }, { problem: 'hole' }]) {
    const input = inputOf(raw)
    for (const plot of fea.plots?.(input, solve(raw)) ?? []) {
      if (plot.kind !== 'curves') continue
      for (const curve of plot.curves) {
        assert(curve.x.length === curve.y.length && curve.x.length < 14_000)
        assert(Array.from(curve.x).every(Number.isFinite) && Array.from(curve.y).every(Number.isFinite))
        assert(curve.shade === undefined || curve.shade.values.length === curve.x.length / 2)
      }
    }
  }
})

test('kernel = twin: elimination, forward and backward, for sizes that fill lanes and panels and that do not', () => {
  const random = seeded()
  for (const [n, k] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 4],
    [8, 8],
    [9, 5],
    [17, 12],
    [30, 7],
    [33, 32],
    [64, 21],
  ] as const) {
    const matrix = new Float64Array(n * n)
    for (let i = 0; i < n; i++) for (let j = i; j < n; j++) matrix[i * n + j] = (i === j ? n : 0) + random.next()
    const condenser = createCondenser(n)
    const { factor, left } = condenser.condense(n, k, (to, stride) => {
      for (let i = 0; i < n; i++) to.set(matrix.subarray(i * n, i * n + n), i * stride)
    })
    twinEliminate(matrix, n, k)
    for (let i = k; i < n; i++) {
      for (let j = i; j < n; j++) assert(Object.is(left[(i - k) * (n - k) + j - k], matrix[i * n + j]), `${n} ${k}`)
    }
    const loads = Float64Array.from({ length: n }, () => random.next())
    const vector = condenser.vector()
    vector.fill(0)
    vector.set(loads)
    condenser.forward(factor)
    twinForward(matrix, loads, k)
    assert.deepEqual(Array.from(vector.subarray(0, n)), Array.from(loads), `forward ${n} ${k}`)
    condenser.backward(factor)
    twinBackward(matrix, loads, k)
    assert.deepEqual(Array.from(vector.subarray(0, n)), Array.from(loads), `backward ${n} ${k}`)
  }
  const condenser = createCondenser(2)
  const broken = (to: Float64Array): void => to.set([1, 2, 0, 1])
  assert.throws(() => condenser.condense(2, 2, broken), { code: 'DID_NOT_CONVERGE' })
})

const drawn = fc.record(
  {
    problem: fc.constantFrom('cantilever', 'hole'),
    root: fc.constantFrom('elastic', 'clamp'),
    E: fc.double({ min: 1, max: 1e15, noNaN: true }),
    nu: fc.double({ min: 0, max: 0.499, noNaN: true }),
    t: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    L: fc.oneof(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.double({ min: 0.1, max: 10, noNaN: true })),
    h: fc.oneof(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.double({ min: 0.1, max: 1, noNaN: true })),
    P: fc.double({ min: -1e12, max: 1e12, noNaN: true }),
    nx: fc.integer({ min: 1, max: 60 }),
    ny: fc.integer({ min: 1, max: 4 }),
    plate: fc.record(
      {
        radius: fc.double({ min: 0.5, max: 2, noNaN: true }),
        width: fc.double({ min: 1e-6, max: 20, noNaN: true }),
        stress: fc.double({ min: -1e15, max: 1e15, noNaN: true }),
        radial: fc.integer({ min: 2, max: 12 }),
        around: fc.integer({ min: 2, max: 16 }),
        grading: fc.double({ min: 1, max: 1e3, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(fc.oneof(fc.constant({ nx: 20, ny: 2 }), drawn), { numRuns: 200 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test('the check sees a mesh that is not the one of the input: moved, longer, of other steps', () => {
  for (const raw of [
    { nx: 5, ny: 3, L: 2 },
    { problem: 'hole', plate: { radial: 6, around: 8, grading: 7 } },
  ]) {
    const input = inputOf(raw)
    const mesh = meshOf(input)
    assert(meshHolds(input, mesh))
    assert(!meshHolds(input, { ...mesh, x: mesh.x.map((x) => 1.001 * x) }))
    assert(!meshHolds(input, { ...mesh, y: mesh.y.map((y) => y + 0.005) }))
    const other = { ...input, L: 2.02, h: 0.101, nx: 6, plate: { ...input.plate, grading: 7.1 } }
    assert(!meshHolds(other, mesh))
  }
})

test('the mesh of a plate lies on hole, edges and axes', () => {
  const input = inputOf({ problem: 'hole' })
  const { x, y, columns, rows } = meshOf(input)
  for (let column = 0; column <= columns; column++) {
    const hole = lineStart(rows, column)
    assert(Math.abs(Math.sqrt(x[hole] * x[hole] + y[hole] * y[hole]) - 1) < 1e-15)
    assert.equal(Math.max(x[hole + 2 * rows], y[hole + 2 * rows]), 5)
  }
  for (let k = 0; k <= 2 * rows; k++) assert.equal(x[k], 0)
  for (let k = 0; k <= 2 * rows; k++) assert.equal(y[lineStart(rows, columns) + k], 0)
})

test.run()
