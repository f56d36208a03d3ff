// Goal: buckling finds the lowest load of any column, its shape too, and its check sees every coefficient; mechanisms
// are refused before work.
// Method: Euler's factors, a published stepped column, limits of steps that vanish, halved elements, the exact count of
// loads beside eigenvalues; columns judged as if they were others; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { addTo, band, bandTimes, eigenpair, factorShifted, solveBand } from '#numerics/methods/linear/band.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { exactLoad, loadsBelow } from '#numerics/solvers/buckling/check/exact.ts'
import { buckling } from '#numerics/solvers/buckling/index.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/buckling')

keepsTheRules(test, buckling)

const STEPPED = {
  segments: [
    { length: 1, I: 2e-6 },
    { length: 1.5, I: 1e-6 },
    { length: 0.5, I: 3e-7 },
  ],
}

const { inputOf, solve, errorPct, refusal, sealsOrRefuses } = outcomesOf(buckling)

test('Euler’s four cases: K = 1, 2, 0.5 and 0.699155658', () => {
  const cases = [
    ['pinned', 'pinned', 1],
    ['fixed', 'free', 2],
    ['free', 'fixed', 2],
    ['fixed', 'fixed', 0.5],
    ['fixed', 'pinned', 0.699155658],
    ['pinned', 'fixed', 0.699155658],
  ] as const
  for (const [lower, upper, K] of cases) {
    const { effectiveLength, criticalLoad } = solve({ lower, upper })
    assert(Math.abs(effectiveLength / (3 * K) - 1) < 2e-5, `${lower} ${upper}: ${effectiveLength / 3}`)
    assert(errorPct({ lower, upper }) < 4e-3)
    assert(criticalLoad > 0)
  }
  assert(Math.abs(solve({}).criticalLoad - 230_291.2) < 0.1)
})

test('the load comes from above and gains four bits with every halving', () => {
  const exact = (Math.PI ** 2 * 210e9 * 1e-6) / 9
  const errors = [4, 8, 16, 32].map((elements) => solve({ elements }).criticalLoad / exact - 1)
  errors.forEach((error, k) => {
    assert(error > 0)
    if (k > 0) assert(Math.abs((errors[k - 1] ?? 0) / error - 16) < 0.5)
  })
})

test('a cantilever whose upper half has half the stiffness, against its transcendental equation', () => {
  // Timoshenko, Gere, Theory of Elastic Stability, 2nd ed., §2.14: tan(k1·l1)·tan(k2·l2) = k1/k2, k1 of the free part.
  const { criticalLoad: P } = solve({
    lower: 'fixed',
    upper: 'free',
    segments: [
      { length: 1.5, I: 1e-6 },
      { length: 1.5, I: 5e-7 },
    ],
    elements: 64,
  })
  const [free, fixed] = [Math.sqrt(P / 0.105e6), Math.sqrt(P / 0.21e6)]
  const product = Math.tan(free * 1.5) * Math.tan(fixed * 1.5)
  assert(Math.abs(product - free / fixed) < 1e-7, `${product} ${free / fixed}`)
})

test('two thousand elements lose to rounding less than four gain', () => {
  for (const raw of [{}, { lower: 'fixed', upper: 'free' }, { lower: 'fixed', upper: 'fixed' }]) {
    assert(errorPct({ ...raw, elements: 2_000 }) < 0.02, JSON.stringify(raw))
  }
})

test('steps that vanish leave the uniform column; order, scale and direction do what they must', () => {
  const uniform = solve({ elements: 30 })
  const cut = solve({ elements: 30, segments: [1, 1, 1].map((length) => ({ length, I: 1e-6 })) })
  assert(Math.abs(cut.criticalLoad / uniform.criticalLoad - 1) < 1e-10)
  const up = solve({ ...STEPPED, elements: 30, lower: 'fixed' })
  const down = solve({ segments: STEPPED.segments.toReversed(), elements: 30, upper: 'fixed' })
  assert(Math.abs(up.criticalLoad / down.criticalLoad - 1) < 1e-9)
  for (const [k, it] of up.mode.entries()) assert(Math.abs(it - (down.mode.at(-1 - k) ?? 0)) < 1e-7)
  const stiff = solve({ ...STEPPED, E: 420e9 })
  assert(Math.abs(stiff.criticalLoad / solve(STEPPED).criticalLoad - 2) < 1e-9)
  const soft = STEPPED.segments.map((it, k) => (k === 1 ? { ...it, I: 0.9 * it.I } : it))
  assert(solve({ segments: soft }).criticalLoad < solve(STEPPED).criticalLoad)
})

test('stress and yield are said when the section is', () => {
  const { criticalStress, yieldsFirst } = solve({ area: 1e-3, yield: 235e6 })
  assert(Math.abs((criticalStress ?? 0) / 230.29e6 - 1) < 1e-4)
  assert.equal(yieldsFirst, false)
  assert.equal(solve({ area: 9e-4, yield: 235e6 }).yieldsFirst, true)
  assert.equal(solve({}).criticalStress, undefined)
})

test('the exact count of loads finds Euler’s series: n²·π²·EI/L²', () => {
  const input = inputOf({})
  const euler = (Math.PI ** 2 * 210e9 * 1e-6) / 9
  for (let n = 1; n < 9; n++) {
    assert.equal(loadsBelow(input, euler * n * n * (1 - 1e-6)), n - 1)
    assert.equal(loadsBelow(input, euler * n * n * (1 + 1e-6)), n)
  }
  const clamped = inputOf({ lower: 'fixed', upper: 'fixed' })
  for (const [n, half] of [Math.PI, 4.493409457909064, 2 * Math.PI, 7.725251836937707].entries()) {
    const load = ((2 * half) ** 2 * 0.21e6) / 9
    assert.equal(loadsBelow(clamped, load * (1 - 1e-6)), n)
    assert.equal(loadsBelow(clamped, load * (1 + 1e-6)), n + 1)
  }
  assert(Math.abs(exactLoad(input, euler * 1.3) / euler - 1) < 1e-12)
  assert(Number.isNaN(exactLoad(input, euler * 3)))
})

/** Solves one column and judges the answer as if it were another. */
const judgedAs = (raw: object, spoilt: object): number =>
  buckling.check(inputOf(raw), { output: { ...solve({ ...raw, ...spoilt }) }, evidence: null }).errorPct

test('the check sees every coefficient, another end, another mode and a stepless column', () => {
  const bad = (it: number): boolean => !(it <= 0.1)
  assert(bad(judgedAs({}, { E: 212.1e9 })))
  assert(bad(judgedAs({}, { I: 1.01e-6 })))
  assert(bad(judgedAs({}, { L: 3.03 })))
  assert(bad(judgedAs({ lower: 'fixed' }, { lower: 'pinned' })))
  assert(bad(judgedAs({ lower: 'fixed', upper: 'free' }, { lower: 'free', upper: 'fixed' })))
  STEPPED.segments.forEach((_, k) => {
    const segments = STEPPED.segments.map((it, i) => (i === k ? { ...it, I: 1.05 * it.I } : it))
    assert(bad(judgedAs(STEPPED, { segments })), `segment ${k}`)
  })
  const first = solve({})
  const second = { ...first, criticalLoad: 4 * first.criticalLoad, effectiveLength: first.effectiveLength / 2 }
  assert(bad(buckling.check(inputOf({}), { output: second, evidence: null }).errorPct))
  refusal('PRECISION_NOT_MET', { elements: 2 })
})

for (const raw of [
  STEPPED,
  { ...STEPPED, lower: 'fixed', upper: 'fixed', area: 1e-3, yield: 3e8 },
  { lower: 'fixed', upper: 'free' },
]) {
  test(`every number of the answer is read: ${JSON.stringify(raw).slice(0, 60)}`, () => {
    const input = inputOf(raw)
    const { outcome } = run(buckling, input)
    passGate(buckling.check(input, outcome))
    const refused = (spoilt: object): boolean =>
      !(buckling.check(input, { output: { ...outcome.output, ...spoilt }, evidence: null }).errorPct <= 0.1)
    for (const [name, value] of Object.entries(outcome.output)) {
      if (typeof value === 'number') assert(refused({ [name]: value * 1.01 }), name)
      if (typeof value === 'boolean') assert(refused({ [name]: !value }), name)
      if (!Array.isArray(value) && typeof value !== 'object') continue
      const most = Math.max(...Array.from(value as ArrayLike<number>, Math.abs))
      for (let k = 0; k < (value as ArrayLike<number>).length; k++) {
        const moved = Array.from(value as ArrayLike<number>, (it, i) => (i === k ? it + 0.01 * most : it))
        assert(refused({ [name]: moved }), `${name} ${k}`)
      }
    }
  })
}

test('mechanisms and segments too unlike are refused before work', () => {
  for (const [lower, upper] of [
    ['free', 'free'],
    ['pinned', 'free'],
    ['free', 'pinned'],
  ]) {
    assert.equal(refusal('ILL_POSED', { lower, upper })['lower'], 'fixed')
  }
  const steep = [
    { length: 1, I: 1 },
    { length: 1, I: 1e-7 },
  ]
  assert.equal(refusal('OUT_OF_RANGE', { segments: steep })['limit'], 1e6)
  const long = [
    { length: 1e5, I: 1 },
    { length: 1, I: 1 },
  ]
  assert.equal(refusal('OUT_OF_RANGE', { segments: long })['limit'], 1e4)
  assert.throws(() => inputOf({ I: 0 }), { code: 'INVALID_INPUT' })
})

test('band matrices: factor, product and eigenpairs of the chain of springs', () => {
  const n = 12
  const [K, M] = [band(n, 1), band(n, 1)]
  for (let i = 0; i < n; i++) {
    addTo(K, i, i, 2)
    if (i > 0) addTo(K, i - 1, i, -1)
    addTo(M, i, i, 1)
  }
  for (let k = 0; k < n; k++) {
    const { value, vector } = eigenpair(K, M, { index: k, to: 0.01 })
    const exact = 4 * Math.sin((Math.PI * (k + 1)) / (2 * (n + 1))) ** 2
    assert(Math.abs(value - exact) < 1e-13, `${k}`)
    const product = bandTimes(K, vector)
    for (const [i, it] of product.entries()) assert(Math.abs(it - exact * vector[i]) < 1e-8)
    assert.equal(factorShifted(K, M, exact * 1.0001).negatives, k + 1)
  }
  const random = seeded()
  const [A, zero] = [band(9, 3), band(9, 3)]
  for (let i = 0; i < 9; i++)
    for (let j = Math.max(0, i - 3); j <= i; j++) addTo(A, i, j, random.next() + (i === j ? 9 : 0))
  const x = Float64Array.from({ length: 9 }, () => random.next())
  const b = bandTimes(A, x)
  solveBand(factorShifted(A, zero, 0).factor, b)
  for (const [i, it] of b.entries()) assert(Math.abs(it - x[i]) < 1e-14)
})

const held = fc.constantFrom('pinned', 'fixed', 'free')
const drawn = fc.record(
  {
    L: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    E: fc.double({ min: 1, max: 1e15, noNaN: true }),
    I: fc.double({ min: 1e-24, max: 1e12, noNaN: true }),
    lower: held,
    upper: held,
    elements: fc.integer({ min: 2, max: 60 }),
    segments: fc.array(
      fc.record({
        length: fc.oneof(fc.double({ min: 0.1, max: 3, noNaN: true }), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
        I: fc.oneof(
          fc.double({ min: 1e-6, max: 1e-5, noNaN: true }),
          fc.double({ min: 1e-24, max: 1e12, noNaN: true }),
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    area: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
    yield: fc.double({ min: 1, max: 1e15, noNaN: true }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(fc.oneof(fc.constant({}), drawn), { numRuns: 300 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
