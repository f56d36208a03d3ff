// Goal: opt finds the global minimum it says it found, by either method and wherever the minimum was moved, and says
// that it did not converge otherwise; the minimum of an own function is proved.
// Method: known minima under random shifts, gradients beside differences, enclosures beside points inside them, proofs
// with a part left out or a bound raised, searches of a spoilt function judged as if it were right; inputs drawn from
// the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { above, below, cosine, type Interval, multiply, power, sine } from '#numerics/methods/interval.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import type { Outcome } from '#numerics/runtime/solver.ts'
import { enclose, leastOver } from '#numerics/solvers/opt/enclosure.ts'
import { objectiveOf, parseFunction } from '#numerics/solvers/opt/expression.ts'
import { boxes, objectives } from '#numerics/solvers/opt/functions.ts'
import { opt } from '#numerics/solvers/opt/index.ts'
import { references } from '#numerics/solvers/opt/reference.ts'
import { beginSearch } from '#numerics/solvers/opt/run/search.ts'
import type { FunctionName, OptEvidence, OptInput, OptOutput } from '#numerics/solvers/opt/schema.ts'
import { seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { close, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/opt')

keepsTheRules(test, opt)

const { inputOf, ran: outcomeOf, refusal, sealed, sealsOrRefuses } = outcomesOf(opt)

const named = Object.keys(objectives) as readonly Exclude<FunctionName, 'expression'>[]

/** Steps of a difference that a draw stays away from 0, where Schwefel's function has a kink: a slope of √|x|. */
const KINK_STEPS = 100

for (const name of named) {
  test(`${name}: the search's function is that of the literature, and its gradient that of differences`, () => {
    const random = seeded()
    const [low, high] = boxes[name]
    const d = name === 'himmelblau' ? 2 : 5
    const f = objectives[name]
    const h = 1e-5 * (high - low)
    const clear = name === 'schwefel' ? KINK_STEPS * h : 0
    for (let k = 0; k < 40; k++) {
      const x = Float64Array.from({ length: d }, () => {
        const drawn = low + (high - low) * random.next()
        return Math.abs(drawn) < clear ? drawn + 2 * clear : drawn
      })
      const slope = new Float64Array(d)
      const value = f(x, slope)
      const size = 1 + Math.abs(value)
      assert(Math.abs(value - references[name].value(x)) <= 1e-9 * (size + 1e3), `${value}`)
      for (let i = 0; i < d; i++) {
        const at = (by: number): number => f(x.map((c, j) => (j === i ? c + by : c)))
        const difference = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
        assert(Math.abs(slope[i] - difference) <= 1e-5 * (1 + Math.abs(difference)) + 1e-9 * size, `${i} of ${x}`)
      }
    }
    for (const minimiser of references[name].minimisers(d)) {
      const least = references[name].least(d)
      assert(Math.abs(f(Float64Array.from(minimiser)) - least) <= 1e-9 * (1 + Math.abs(least)))
    }
  })
}

test("Schwefel's function: about the kink its slope is the one of the formula", () => {
  // Found by a drawn point: differences reach over the kink, where they are no slope.
  for (const x of [0, 1e-300, 1e-9, 0.009562121704220772, 0.5]) {
    for (const at of [x, -x]) {
      const slope = new Float64Array(1)
      objectives.schwefel(Float64Array.of(at), slope)
      const root = Math.sqrt(x)
      close(slope[0], -(Math.sin(root) + (root / 2) * Math.cos(root)), 1e-12)
    }
  }
})

test('published values', () => {
  const at = (name: (typeof named)[number], ...x: readonly number[]): number => objectives[name](Float64Array.from(x))
  assert.equal(at('rosenbrock', 0, 0, 0), 2)
  assert.equal(at('rosenbrock', -1.2, 1), 24.199999999999996)
  assert.equal(at('himmelblau', 0, 0), 170)
  // The local maximum of Himmelblau's function: 181.617 at (−0.270845, −0.923039).
  assert(Math.abs(at('himmelblau', -0.270845, -0.923039) - 181.617) < 1e-3)
  assert(Math.abs(at('rastrigin', 4.52299366, 4.52299366) - 80.70658039) < 1e-6)
  assert(Math.abs(at('styblinski-tang', 2.7468, 2.7468) - 2 * -25.0294) < 1e-3)
})

for (const [name, dimension, method] of [
  ['rosenbrock', 2, 'lbfgs'],
  ['rosenbrock', 100, 'lbfgs'],
  ['rosenbrock', 10, 'cma-es'],
  ['rastrigin', 5, 'cma-es'],
  ['ackley', 10, 'cma-es'],
  ['himmelblau', 2, 'cma-es'],
  ['himmelblau', 2, 'lbfgs'],
  ['griewank', 10, 'cma-es'],
  ['griewank', 30, 'lbfgs'],
  ['schwefel', 2, 'cma-es'],
  ['schwefel', 5, 'cma-es'],
  ['styblinski-tang', 5, 'cma-es'],
  ['styblinski-tang', 4, 'lbfgs'],
] as const) {
  test(`${name}, ${dimension} coordinates, ${method}: found wherever it was moved`, () => {
    const random = seeded()
    const [low, high] = boxes[name]
    for (let k = 0; k < 2; k++) {
      const shift = Array.from({ length: dimension }, () =>
        name === 'schwefel' ? 0 : 0.15 * (high - low) * (random.next() - 0.5),
      )
      const moved = name === 'schwefel' ? {} : { shift }
      const own = random.integer(0, 2 ** 31)
      const raw = { function: name, dimension, method, ...moved, seed: own }
      // A search may miss, and then must say so; it may not miss with every seed.
      let error = Number.POSITIVE_INFINITY
      for (let tried = 0; tried < 3 && error > 1e-4; tried++) {
        try {
          error = produce(opt, inputOf({ ...raw, seed: own + tried })).reality?.errorPct ?? Number.NaN
        } catch (thrown) {
          assert(thrown instanceof Fault && thrown.code === 'DID_NOT_CONVERGE')
        }
      }
      assert(error <= 1e-4, `${error}`)
    }
  }, 20_000)
}

test('a search that ends in a local minimum is no answer', () => {
  const details = refusal('DID_NOT_CONVERGE', {
    function: 'rastrigin',
    dimension: 10,
    method: 'lbfgs',
    evaluations: 5_000,
  })
  assert(Number(details['measured']) > 0.1 && Number(details['minimum']) > 0.9)
  refusal('DID_NOT_CONVERGE', { function: 'schwefel', dimension: 30, evaluations: 20_000 })
})

test('what is found does not depend on the name of the coordinates', () => {
  const shift = [1, -2, 0.5]
  const turned = [0.5, 1, -2]
  const at = (by: readonly number[]) => outcomeOf({ function: 'ackley', dimension: 3, shift: by }).output.point
  const [a, b] = [at(shift), at(turned)]
  for (let i = 0; i < 3; i++) assert(Math.abs((a[i] ?? 0) - (b[(i + 1) % 3] ?? 0)) <= 1e-6)
})

const OWN = [
  { f: '(x1^2 + x2 - 11)^2 + (x1 + x2^2 - 7)^2', dimension: 2, minimum: 0 },
  { f: 'x1*sin(x1) + x2^2/4', dimension: 2, minimum: -4.814469889712269 },
  { f: 'abs(x1 - 1) + 2*abs(x2 + 0.5)', dimension: 2, minimum: 0 },
  { f: 'x1 + 2*x2 - x3', dimension: 3, minimum: -20 },
  { f: '(1 - x1)^2 + 100*(x2 - x1^2)^2', dimension: 2, minimum: 0 },
  { f: '4*x1^2 - 2.1*x1^4 + x1^6/3 + x1*x2 - 4*x2^2 + 4*x2^4', dimension: 2, minimum: -1.0316284534898774 },
  { f: 'exp(x1) - 2*x1', dimension: 1, minimum: 2 - 2 * Math.log(2) },
  { f: 'max(x1^2, (x1 - 2)^2) + cosh(x2)', dimension: 2, minimum: 2 },
  { f: 'sqrt(x1^2 + 1) + tanh(x2) + ln(x3^2 + 2)', dimension: 3, minimum: 1 + Math.tanh(-5) + Math.log(2) },
] as const

for (const { f, dimension, minimum } of OWN) {
  test(`the minimum of ${f} is proved`, () => {
    const raw = { function: 'expression', dimension, expression: { f } }
    const { reality, outcome } = produce(opt, inputOf(raw))
    passGate(reality ?? assert.fail())
    const { output } = outcome as Outcome<OptOutput, OptEvidence>
    assert(Math.abs(output.minimum - minimum) <= 1e-9 * (1 + Math.abs(minimum)), `${output.minimum}`)
    assert((output.lowerBound ?? Number.NaN) <= minimum + 1e-15 * Math.abs(minimum))
  })
}

test('the six-hump camel has two minima, Himmelblau’s function four: each is told', () => {
  const groups = (f: string): number | undefined =>
    produce(opt, inputOf({ function: 'expression', dimension: 2, expression: { f } })).reality?.figures['groups']
  assert.equal(groups(OWN[0].f), 4)
  assert.equal(groups(OWN[5].f), 2)
})

test('a proof follows a shift', () => {
  const f = 'x1*sin(x1) + x2^2/4'
  const raw = { function: 'expression', dimension: 2, expression: { f }, lower: [-1, -4], upper: [6, 6], shift: [1, 1] }
  const { output } = outcomeOf(raw)
  passGate(opt.check(inputOf(raw), outcomeOf(raw)))
  assert(Math.abs((output.point[0] ?? 0) - 5.9131804394) <= 1e-6 && Math.abs((output.point[1] ?? 0) - 1) <= 1e-6)
})

test('minima that are no points, and functions without bounds, are not sealed', () => {
  for (const f of ['(x1*x2 - 1)^2', '1/(x1 + x2)', 'sqrt(x1) + x2^2', 'sin(60*x1)*sin(60*x2)']) {
    refusal('DID_NOT_CONVERGE', { function: 'expression', dimension: 2, expression: { f }, evaluations: 2_000 })
  }
})

test('a proof with a part left out, a bound raised or a point moved is refused', () => {
  const raw = { function: 'expression', dimension: 2 }
  const input = inputOf(raw)
  const outcome = outcomeOf(raw)
  passGate(opt.check(input, outcome))
  const { output, evidence } = outcome
  const seen = (altered: Partial<Outcome<OptOutput, OptEvidence>>): void => {
    assert.throws(() => passGate(opt.check(input, { ...outcome, ...altered })), Fault)
  }
  const { division } = evidence
  seen({ evidence: { ...evidence, division: division.slice(0, -1) } })
  seen({ evidence: { ...evidence, division: division.slice(1) } })
  seen({ evidence: { ...evidence, division: Uint8Array.of(...division, 255) } })
  seen({ evidence: { ...evidence, division: Uint8Array.of(255) } })
  seen({ evidence: { ...evidence, division: Uint8Array.of(7, 255, 255) } })
  seen({ output: { ...output, lowerBound: (output.lowerBound ?? 0) + 0.1 } })
  seen({ output: { ...output, lowerBound: null } })
  // The local minimum of the next valley, told with a search that ends there.
  const other = { ...input, lower: [0, 0], upper: [5, 5] }
  const local = run(opt, other as OptInput).outcome
  assert((local.output.minimum ?? 0) > output.minimum + 1)
  seen({ output: { ...local.output, lowerBound: output.lowerBound }, evidence: { ...local.evidence, division } })
})

test('searches of a spoilt function are refused', () => {
  for (const name of named) {
    const dimension = 2
    const input = inputOf({ function: name, dimension })
    const outcome = outcomeOf({ function: name, dimension })
    passGate(opt.check(input, outcome))
    const spoilt = outcomeOf({ function: name, dimension, ...(name === 'schwefel' ? {} : { shift: [0.02, 0] }) })
    if (name !== 'schwefel') assert.throws(() => passGate(opt.check(input, spoilt)), Fault, name)
    // Values that are 0.1 % high all along.
    const raised = outcome.output.values.map((f) => f * 1.001 + 1e-3)
    const minimum = raised.at(-1) ?? 0
    assert.throws(
      () => passGate(opt.check(input, { ...outcome, output: { ...outcome.output, values: raised, minimum } })),
      Fault,
      name,
    )
  }
})

test('a search keeps within its budget and forgets nothing of its best', () => {
  const search = beginSearch((x) => x[0] * x[0], { lower: Float64Array.of(-1), upper: Float64Array.of(1) }, 10_000)
  for (let k = 0; k < 20_000; k++) search.evaluate(Float64Array.of(1 / (k + 1)))
  assert.equal(search.count(), 10_000)
  assert.equal(search.best().value, 1e-8)
  const history = search.history()
  assert(history.length <= 256 && history.at(-1)?.value === 1e-8)
  assert(history.every(({ value }, k) => k === 0 || value < (history[k - 1]?.value ?? 0)))
  assert.equal(beginSearch(() => Number.NaN, search.box, 5).evaluate(Float64Array.of(0)), Number.POSITIVE_INFINITY)
})

const within = (x: number, [low, high]: Interval): boolean => low <= x && x <= high

test('ends are rounded outwards: the next double or one beyond it', () => {
  const random = seeded()
  const next = (x: number): number => {
    const bits = new BigInt64Array(Float64Array.of(x).buffer)
    bits[0] = (bits[0] ?? 0n) + (x >= 0 ? 1n : -1n)
    return new Float64Array(bits.buffer)[0]
  }
  for (let k = 0; k < 2_000; k++) {
    const x = (random.next() - 0.5) * 10 ** random.integer(-300, 300)
    assert(above(x) >= next(x) && above(x) <= next(next(x)), `${x}`)
    assert(below(-x) <= -next(x), `${x}`)
  }
  assert(above(0) > 0 && below(0) < 0)
  assert.equal(above(Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)
  assert.equal(below(Number.POSITIVE_INFINITY), Number.MAX_VALUE)
})

test('waves, powers and products of intervals', () => {
  assert.deepEqual(sine([0, 2]), [below(below(0)), 1])
  assert.deepEqual(cosine([3, 3.5])[0], -1)
  assert.deepEqual(cosine([-1, 100]), [-1, 1])
  assert.deepEqual(power([-2, 1], 2), [0, above(4)])
  assert(within(-8, power([-2, 1], 3)) && within(1, power([-2, 1], 3)))
  assert.deepEqual(power([-1, 1], -1), [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
  assert.deepEqual(multiply([0, 0], [Number.NEGATIVE_INFINITY, 3]), [0, 0])
})

const leaf = fc.constantFrom('x1', 'x2', '0.3', '2', 'pi', '(x1 - x2)')
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([a, s, b]) => `(${a} ${s} ${b})`),
    fc.tuple(tie('tree'), fc.constantFrom('2', '3', '-1', '0.5')).map(([a, p]) => `(${a})^(${p})`),
    fc
      .tuple(fc.constantFrom('sin', 'cos', 'exp', 'ln', 'sqrt', 'tanh', 'abs', 'cosh', 'sinh'), tie('tree'))
      .map(([f, a]) => `${f}(${a})`),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]) => `max(${a}, min(${b}, ${a}))`),
  ),
}))

test('an enclosure holds every value and every slope inside', () => {
  let told = 0
  fc.assert(
    fc.property(
      tree,
      fc.array(
        fc.integer({ min: -192, max: 192 }).map((k) => k / 64),
        { minLength: 2, maxLength: 2 },
      ),
      fc.array(
        fc.integer({ min: 0, max: 64 }).map((k) => k / 64),
        { minLength: 4, maxLength: 4 },
      ),
      (f, low, [u = 0, v = 0, s = 0, t = 0]) => {
        const parsed = parseFunction(`${f} + 0*x1`, 2)
        const box = [u, v].map((width, k): Interval => [low[k] ?? 0, (low[k] ?? 0) + width])
        const x = Float64Array.from([s, t], (share, k) =>
          Math.min(box[k]?.[1] ?? 0, (low[k] ?? 0) + share * ([u, v][k] ?? 0)),
        )
        const { value, slopes } = enclose(parsed, box)
        const slope = new Float64Array(2)
        const exact = objectiveOf(parsed)(x, slope)
        const plain = evaluate(parsed, new Map([...x].map((c, k) => [`x${k + 1}`, c])))
        if (!Number.isFinite(exact) || !Number.isFinite(plain)) return
        // Doubles have their own rounding; the enclosure is of the exact value.
        const slack = 1e-9 * (1 + Math.abs(exact))
        assert(exact >= value[0] - slack && exact <= value[1] + slack, `${f} at ${x}: ${exact} outside ${value}`)
        assert(leastOver(parsed, box).least <= exact + slack)
        told++
        for (const [k, [least, most]] of slopes.entries()) {
          const own = slope[k]
          if (!Number.isFinite(own)) continue
          const room = 1e-7 * (1 + Math.abs(own))
          assert(own >= least - room && own <= most + room, `${f} at ${x}: slope ${own} outside ${least}, ${most}`)
        }
      },
    ),
    { seed, numRuns: 1_200 },
  )
  assert(told > 120, `${told}`)
}, 20_000)

test('what cannot be minimised is refused with what would pass', () => {
  const three = refusal('OUT_OF_RANGE', { function: 'himmelblau' })
  assert.equal(three['dimension'], 2)
  assert.equal(refusal('OUT_OF_RANGE', { function: 'expression', dimension: 4 })['dimension'], 3)
  assert.equal(refusal('OUT_OF_RANGE', { dimension: 1 })['dimension'], 2)
  assert.equal(refusal('INVALID_INPUT', { lower: [1, 2] })['path'], '/lower')
  refusal('OUT_OF_RANGE', { dimension: 2, upper: [1e9, 3] })
  refusal('ILL_POSED', { dimension: 2, lower: [3, 3], upper: [3, 9] })
  const boxes = [
    { dimension: 2, lower: [3, 3], upper: [9, 9] },
    { dimension: 2, shift: [100, -7] },
    { dimension: 3, function: 'styblinski-tang', lower: [0, -9, -9], upper: [9, 9, -4] },
    { dimension: 2, function: 'schwefel', lower: [0, 0], upper: [300, 500] },
    { dimension: 2, function: 'schwefel', upper: [600, 500] },
    { dimension: 2, function: 'schwefel', shift: [1, 0] },
  ]
  for (const raw of boxes) {
    refusal('ILL_POSED', raw)
    passing(opt, raw, ['lower', 'upper'])
  }
  sealed({ ...boxes[0], ...passing(opt, { ...boxes[0] }, ['lower', 'upper']) })
  for (const f of ['x4', 'x1 +', 'lgamma(x1)', '2^x1', '@c*x1', 'x1/[m]', '3', 'x1^(1/0)']) {
    assert.equal(
      refusal('INVALID_INPUT', { function: 'expression', dimension: 3, expression: { f } })['path'] ?? '',
      f === 'x1 +' ? '' : '/expression/f',
    )
  }
  refusal('ILL_POSED', { function: 'expression', dimension: 1, expression: { f: 'ln(-1 - x1^2)' } })
})

const drawn = fc.record(
  {
    function: fc.constantFrom(...named, 'expression'),
    dimension: fc.integer({ min: 1, max: 6 }),
    method: fc.constantFrom('auto', 'cma-es', 'lbfgs'),
    evaluations: fc.integer({ min: 100, max: 4_000 }),
    seed: fc.integer({ min: 0, max: 2 ** 50 }),
    lower: fc.array(fc.double({ min: -1e7, max: 1e7, noNaN: true }), { maxLength: 3 }),
    upper: fc.array(fc.double({ min: -1e7, max: 1e7, noNaN: true }), { maxLength: 3 }),
    shift: fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { maxLength: 3 }),
    expression: fc.record({ f: fc.oneof(tree, fc.string({ minLength: 1, maxLength: 40 })) }),
  },
  { requiredKeys: ['evaluations'] },
)

test('any input of the schema seals or is refused with a code', () => {
  const any = sealsOrRefuses(drawn, { numRuns: 120 })
  const calm = drawn.map(({ lower: _l, upper: _u, shift: _s, ...rest }) => ({
    ...rest,
    evaluations: 20_000,
    dimension: 2,
  }))
  const seals = any.seals + sealsOrRefuses(calm, { numRuns: 40 }).seals
  assert(seals > 10, `${seals} seal`)
}, 60_000)

test.run()
