// Goal: an uncertainty is read as written, goes through relation and chain by the books, and is drawn where the tangent
// does not hold; nothing else changes. Method: published and hand-worked examples, closed forms of distributions, a
// linear relation that must be exact, inputs drawn over the rows.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { FaultCode } from '#core/fault.ts'
import { planChain } from '#numerics/operators/chain.ts'
import type { Order, Propagated } from '#numerics/operators/computation.ts'
import { computeCertain, computeOperators } from '#numerics/operators/compute.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { bindInputs } from '#numerics/operators/resolve.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { measureSlopes } from '#numerics/operators/uncertainty/check.ts'
import { slopesOf } from '#numerics/operators/uncertainty/linear.ts'
import { linkModels } from '#numerics/operators/uncertainty/model.ts'
import { rootNear } from '#numerics/operators/uncertainty/near-root.ts'
import { sourcesOf } from '#numerics/operators/uncertainty/sources.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf, registry } from './table.ts'

const test = suite('uncertainty of inputs')

const spread = (operators: readonly string[], inputs: Order['inputs'], more: Partial<Order> = {}): Propagated => {
  const { propagated } = checkComputation(compute(operators, inputs, more)).output
  return propagated as unknown as Propagated
}

const near = (found: number, wanted: number, tolerance = 1e-12): void =>
  assert.ok(Math.abs(found - wanted) <= tolerance * Math.abs(wanted), `${found} instead of ${wanted}`)

/** Rows made for a test stand beside the kernel alone, and never in the table. */
const kernel = registry.operator('KO42').row

/** A registry with relations of a test, all variables pure numbers. */
const relations = (equations: Readonly<Record<string, readonly [equation: string, variables: readonly string[]]>>) =>
  operatorRegistry([
    kernel,
    ...Object.entries(equations).map(([id, [equation, variables]]) => ({
      id,
      name: id,
      domain: 'trial',
      equation,
      variables: Object.fromEntries(variables.map((it) => [it, { name: `variable ${it}`, unit: '1' }])),
      solves_for: variables.slice(0, 1),
      source: 'made for this test',
      example: { inputs: {}, output: variables[0] ?? '', value: 0, unit: '1' },
    })),
  ])

test('every way of writing one uncertainty gives the same bits', () => {
  const same: readonly (readonly [Order['inputs'], Partial<Order>?])[] = [
    [{ m: '5.0 ± 0.1 kg', a: 2 }],
    [{ m: '(5.0 ± 0.1) kg', a: 2 }],
    [{ m: '5.0 +/- 0.1 kg', a: 2 }],
    [{ m: '5.0(1) kg', a: 2 }],
    [{ m: '50(1)e-1 kg', a: 2 }],
    [{ m: '5 kg ± 100 g', a: 2 }],
    [{ m: '5000 g ± 0.1 kg', a: 2 }],
    [{ m: '5 kg ± 2 %', a: 2 }],
    [{ m: '5 ± 2 %', a: 2 }],
    [{ m: { value: 5, uncertainty: 0.1, unit: 'kg' }, a: 2 }],
    [{ m: { value: 5, uncertainty: '100 g' }, a: 2 }],
    [{ mass: { value: 5000, uncertainty: '2 %', unit: 'g' }, a: 2 }],
    [{ m: 5, a: 2 }, { uncertainties: [{ of: ['NM19.m'], standard: 0.1 }] }],
    [{ m: 5, a: 2 }, { uncertainties: [{ of: ['mass'], standard: 0.1 }] }],
  ]
  const digests = same.map(([inputs, more]) => {
    const it = checkComputation(compute(['NM19'], inputs, more))
    return [it.inputsDigest, it.resultDigest].join()
  })
  assert.deepEqual(new Set(digests).size, 1)
  near(spread(['NM19'], { m: '5.0(1) kg', a: 2 }).standard_uncertainty, 0.2)
  const celsius = compute(['TH15'], { P: '10 ± 1 W', L: 1, A: 1, dT: { value: 5, uncertainty: '0.5 °C', unit: 'K' } })
  assert.deepEqual(
    celsius.order.uncertainties?.map((it) => it.standard),
    [1, 0.5],
  )
  const scale = compute(['TH2'], { n: 1, T: '25 ± 0.5 °C', V: 1 })
  assert.deepEqual([scale.order.inputs['T'], scale.order.uncertainties?.[0]?.standard], [298.15, 0.5])
})

type Refusal = readonly [Order['inputs'], FaultCode, Partial<Order>?]

test('what is no uncertainty is refused by its code', () => {
  const m = 5
  const cases: readonly Refusal[] = [
    [{ m: '5 ± -1 kg', a: 1 }, 'INVALID_INPUT'],
    [{ m: '5 ± kg', a: 1 }, 'INVALID_INPUT'],
    [{ m: '± 1 kg', a: 1 }, 'INVALID_INPUT'],
    [{ m: '5 ± 1 ± 1 kg', a: 1 }, 'INVALID_INPUT'],
    [{ m: '5(1.2) kg', a: 1 }, 'INVALID_INPUT'],
    [{ m: '5 ± 1 m', a: 1 }, 'DIMENSION_MISMATCH'],
    [{ m: '5 kg ± 1 m', a: 1 }, 'DIMENSION_MISMATCH'],
    [{ m: '5 ± 1e390 kg', a: 1 }, 'OUT_OF_RANGE'],
    [{ m: '5 ± 1e300 kg', a: 1e20 }, 'OUT_OF_RANGE'],
    [{ m: { value: 5, uncertainty: Number.NaN }, a: 1 }, 'INVALID_INPUT'],
    [{ m: { value: 5, uncertainty: Number.POSITIVE_INFINITY }, a: 1 }, 'INVALID_INPUT'],
    [{ m: { value: 5, uncertainty: -1 }, a: 1 }, 'INVALID_INPUT'],
    [{ m: { value: 5, uncertainty: null }, a: 1 }, 'INVALID_INPUT'],
    [{ m: { value: 5, uncertainty: 'some' }, a: 1 }, 'INVALID_INPUT'],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [{ of: ['F'], standard: 1 }] }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [{ of: ['q'], standard: 1 }] }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [{ of: [], standard: 1 }] }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [{ of: ['m'], standard: -1 }] }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [{ of: ['m'] }] as never }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: 'm' as never }],
    [{ m, a: 1 }, 'INVALID_INPUT', { uncertainties: [null] as never }],
    [{ m, a: 1 }, 'DIMENSION_MISMATCH', { uncertainties: [{ of: ['m', 'a'], standard: 1 }] }],
    [{ m: '5 ± 1 kg', a: 1 }, 'AMBIGUOUS_INPUT', { uncertainties: [{ of: ['m'], standard: 1 }] }],
  ]
  for (const [inputs, code, more] of cases) {
    const fault = faultOf(() => spread(['NM19'], inputs, more))
    assert.equal(fault.code, code, `${JSON.stringify([inputs, more])}: ${fault.message}`)
    JSON.stringify(fault.details)
  }
  assert.equal(faultOf(() => compute(['QM5'], { n: '1 ± 0.1', m: 1, L: 1 })).code, 'INVALID_INPUT')
  assert.equal(faultOf(() => compute(['TH2'], { n: 1, T: '25 °C ± 2 %', V: 1 })).code, 'AMBIGUOUS_INPUT')
  assert.equal(faultOf(() => compute(['GR41'], { z: '50 % ± 2 %', lambda_e: 1 })).code, 'AMBIGUOUS_INPUT')
})

/*
 * JCGM 100:2008, H.1: an end gauge compared with a standard. l = ls(1 + as·θs − …) + d there; here the same model with
 * the numbers of its table H.1: l = ls + d − ls(δα·θ + αs·δθ). u(ls) = 25 nm, u(d) = 9.7 nm, u(δα) = 0.58e-6 /°C,
 * u(δθ) = 0.029 °C, θ = −0.1 °C with u = 0.41 °C, αs = 11.5e-6 /°C, u(αs) = 1.2e-6 /°C: first-order uc(l) = 32 nm.
 */
test('the end gauge of the GUM, H.1, has its 32 nm linear and, with second-order terms, its 34 nm drawn', () => {
  const gauge = relations({ H1: ['l = ls + d - ls*(da*th + as*dth)', ['l', 'ls', 'd', 'da', 'th', 'as', 'dth']] })
  const found = computeOperators(gauge, {
    operators: ['H1'],
    inputs: {
      ls: { value: 50_000_623, uncertainty: 25 },
      d: { value: 215, uncertainty: 9.7 },
      da: { value: 0, uncertainty: 0.58e-6 },
      th: { value: -0.1, uncertainty: 0.41 },
      as: { value: 11.5e-6, uncertainty: 1.2e-6 },
      dth: { value: 0, uncertainty: 0.029 },
    },
  })
  const it = checkComputation(found).output['propagated'] as unknown as Propagated
  assert.equal(found.value, 50_000_838)
  // H.1.3.4: uc² = 25² + 9.7² + 2.9² + 16.6² = 1 002 nm²; H.1.7 adds 11.7 nm and 1.7 nm: 34 nm.
  assert.equal(Math.round(it.linear ?? 0), 32)
  const parts = it.budget.map(({ source, sensitivity, standard_uncertainty: u }) => [
    source,
    Math.abs((sensitivity ?? 0) * u),
  ])
  const part = Object.fromEntries(parts) as Record<string, number>
  near(part['H1.da'] ?? 0, 2.9, 0.01)
  near(part['H1.dth'] ?? 0, 16.6, 0.01)
  assert.equal(it.method, 'monte-carlo', 'θ and αs have no first-order part: the GUM looks at second order here')
  assert.equal(Math.round(it.standard_uncertainty), 34)
})

// Taylor, An Introduction to Error Analysis, 2nd ed., 3.8: g = 4π²l/T², l = 92.95 ± 0.1 cm, T = 1.936 ± 0.004 s.
test('the pendulum of Taylor: g = 979 ± 4 cm/s²', () => {
  const pendulum = relations({ G: ['g = 4*pi^2*l/T^2', ['g', 'l', 'T']] })
  const order = {
    operators: ['G'],
    inputs: { l: { value: 92.95, uncertainty: 0.1 }, T: { value: 1.936, uncertainty: 0.004 } },
  }
  const it = computeOperators(pendulum, order).propagate?.()
  assert.equal(it?.method, 'linear')
  assert.deepEqual([Math.round(it?.mean ?? 0), Math.round(it?.standard_uncertainty ?? 0)], [979, 4])
})

test('a linear relation is exact, its shares add up, its interval is 1.96 u either way', () => {
  const amount = fc.double({ min: -1e3, max: 1e3, noNaN: true, noDefaultInfinity: true })
  const width = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
  const sum = relations({ S: ['y = 3*a - 4*b + x/8', ['y', 'a', 'b', 'x']] })
  fc.assert(
    fc.property(fc.tuple(amount, amount, amount), fc.tuple(width, width, width), ([a, b, x], [ua, ub, ux]) => {
      const inputs = {
        a: { value: a, uncertainty: ua },
        b: { value: b, uncertainty: ub },
        x: { value: x, uncertainty: ux },
      }
      const it = computeOperators(sum, { operators: ['S'], inputs }).propagate?.()
      assert.ok(it && it.method === 'linear' && it.check.measured <= 1e-9)
      const wanted = Math.hypot(3 * ua, 4 * ub, ux / 8)
      near(it.standard_uncertainty, wanted)
      near(
        it.budget.reduce((all, { share }) => all + (share ?? 0), 0),
        1,
      )
      near(it.interval.high - it.interval.low, 2 * 1.959963984540054 * wanted, 1e-9)
    }),
    { seed, numRuns: 200 },
  )
})

test('units and scale change nothing but the unit', () => {
  const one = spread(['NM19'], { m: '5.0 ± 0.1 kg', a: '2.00 ± 0.05 m/s^2' })
  const other = spread(['NM19'], { m: '5000 ± 100 g', a: '200 ± 5 cm/s^2' })
  assert.deepEqual(other.standard_uncertainty, one.standard_uncertainty)
  near(
    spread(['NM19'], { m: '5e9 ± 1e8 kg', a: '2.00 ± 0.05 m/s^2' }).standard_uncertainty,
    1e9 * one.standard_uncertainty,
  )
})

test('one input through a chain is one error: x − x is certain, and equal inputs of their own names are not', () => {
  const chain = relations({ A: ['y = x + 1', ['y', 'x']], B: ['z = y - x', ['z', 'y', 'x']] })
  const spreadOf = (inputs: Order['inputs'], more: Partial<Order> = {}) =>
    computeOperators(chain, { operators: ['A', 'B'], inputs, ...more })
  const shared = spreadOf({ x: '5 ± 0.1' })
  assert.deepEqual([shared.value, shared.propagate?.().standard_uncertainty, shared.propagate?.().linear], [1, 0, 0])
  const apart = spreadOf({ 'A.x': '5 ± 0.1', 'B.x': '5 ± 0.1' })
  near(apart.propagate?.().standard_uncertainty ?? 0, Math.SQRT2 * 0.1)
  const again = spreadOf(apart.order.inputs, apart.order)
  assert.deepEqual([again.order, again.propagate?.()], [apart.order, apart.propagate?.()], 'also once bound')
  const common = spreadOf({ 'A.x': 5, 'B.x': 7 }, { uncertainties: [{ of: ['A.x', 'B.x'], standard: 0.1 }] })
  assert.deepEqual([common.value, common.propagate?.().standard_uncertainty], [-1, 0])
  assert.equal(common.propagate?.().budget[0]?.value, null)
})

test('constants that are not exact are part of it, once any input is uncertain', () => {
  const it = spread(['NM21'], { m1: 5.972e24, m2: '1000 ± 0 kg', r: 6.78e6 })
  // CODATA 2022: G = 6.674 30(15)e-11, a relative uncertainty of 2.2e-5.
  near(it.standard_uncertainty, 8670.939079889664 * (0.00015 / 6.6743), 1e-9)
  assert.deepEqual(
    it.budget.map(({ source, share }) => [source, share]),
    [
      ['NM21.m2', 0],
      ['@G', 1],
    ],
  )
  assert.equal(compute(['NM21'], { m1: 5.972e24, m2: 1000, r: 6.78e6 }).propagate, undefined)
})

test('Monte Carlo at a zero of the gradient: the moments of a square of a normal', () => {
  const square = relations({ Q: ['y = x^2', ['y', 'x']] })
  const it = computeOperators(square, { operators: ['Q'], inputs: { x: '0 ± 1' } }).propagate?.()
  assert.ok(it)
  assert.deepEqual([it.method, it.linear, it.draws?.refused], ['monte-carlo', 0, 0])
  assert.deepEqual(it.doubts, ['zero-sensitivity', 'curvature'])
  // χ² with one degree of freedom: mean 1, standard deviation √2, quantiles within the shortest rank interval.
  near(it.mean, 1, 2e-3)
  near(it.standard_uncertainty, Math.SQRT2, 5e-3)
  near(it.interval.high, 5.0239, 0.01)
  near(it.interval.low, 9.82e-4, 0.05)
})

test('doubts: a range within three u, a kink, a product at zero, a missing derivative; a narrow input has none', () => {
  const trial = relations({
    K: ['y = abs(x)', ['y', 'x']],
    M: ['y = min(a, b)', ['y', 'a', 'b']],
    P: ['y = a*b', ['y', 'a', 'b']],
    R: ['y = sqrt(x)', ['y', 'x']],
    S: ['y = sin(x)', ['y', 'x']],
  })
  const doubts = (id: string, inputs: Order['inputs']) =>
    computeOperators(trial, { operators: [id], inputs }).propagate?.().doubts
  assert.deepEqual(doubts('K', { x: '1 ± 0.5' }), ['curvature'])
  assert.deepEqual(doubts('K', { x: '1 ± 0.2' }), [])
  assert.deepEqual(doubts('M', { a: '1 ± 0.5', b: '2 ± 0.001' }), ['zero-sensitivity', 'curvature'])
  assert.deepEqual(doubts('P', { a: '0 ± 1', b: '0 ± 1' }), ['zero-sensitivity', 'curvature'])
  assert.deepEqual(doubts('R', { x: '0 ± 1' }), ['range', 'no-derivative'])
  assert.deepEqual(doubts('S', { x: '0 ± 1' }), ['curvature'], 'the second derivative is zero there')
  assert.deepEqual(doubts('S', { x: '1.5 ± 1e-9' }), [])
  assert.deepEqual(spread(['NM19'], { m: '5 ± 3 kg', a: 1 }).doubts, ['range'])
  // √|x| of the half that is in range: E = Γ(3/4)·2^(1/4)/√π.
  const root = computeOperators(trial, { operators: ['R'], inputs: { x: '0 ± 1' } }).propagate?.()
  near(root?.mean ?? 0, 0.8221789586623885, 2e-3)
  assert.deepEqual([root?.linear, root?.budget[0]?.sensitivity, root?.draws?.refused], [null, null, 5000])
})

test('the same order gives the same bits, another order other draws, and a wide one is refused', () => {
  const inputs = { m: '5 ± 3 kg', a: '1.0(1) m/s^2' }
  const [one, two] = [spread(['NM19'], inputs), spread(['NM19'], Object.fromEntries(Object.entries(inputs).reverse()))]
  assert.deepEqual(two, one)
  assert.notEqual(spread(['NM19'], { ...inputs, a: '1.0(2) m/s^2' }).draws?.seed, one.draws?.seed)
  const range = registry.operators.find(({ row }) => row.id === 'GR35')
  assert.ok(range)
  const wide = { dt0: 1, M: '1 ± 1e60 kg', r: '1e9 m', v: 0 }
  assert.equal(faultOf(() => spread(['GR35'], wide)).code, 'OUT_OF_RANGE')
})

test('without uncertainties neither order nor output has a new member', () => {
  const it = checkComputation(compute(['NM26', 'NM23'], { m: 2, v: 3 }))
  assert.deepEqual(Object.keys(it.computation.order), ['operators', 'inputs', 'solve_for', 'bracket'])
  assert.deepEqual(Object.keys(it.output), ['value', 'unit', 'output', 'chain'])
  const none = checkComputation(compute(['NM26', 'NM23'], { m: 2, v: 3 }, { uncertainties: [] }))
  assert.deepEqual([none.inputsDigest, none.resultDigest], [it.inputsDigest, it.resultDigest])
})

test('the gate refuses a propagation whose check fails, and the check sees a wrong derivative of any source', () => {
  const it = compute(['GR37'], { M: '1.98892e30 kg ± 1 %' })
  const propagated = it.propagate?.()
  assert.ok(propagated)
  for (const measured of [0.11, Number.NaN, -1]) {
    const wrong = { ...it, propagate: () => ({ ...propagated, check: { against: 'x', measured } }) }
    assert.equal(faultOf(() => checkComputation(wrong)).code, 'PRECISION_NOT_MET', String(measured))
  }
  const operators = [registry.operator('NM26'), registry.operator('NM23')]
  const inputs = { m: '2 ± 0.1 kg', p: '6 ± 0.1 kg*m/s' }
  const order = compute(['NM26', 'NM23'], inputs)
  const plans = planChain(operators, bindInputs(operators, Object.entries(inputs)), undefined)
  const sources = sourcesOf(order.order.uncertainties ?? [], plans)
  const links = linkModels(plans, order.chain, sources)
  const slopes = slopesOf(links, sources.length)
  assert.deepEqual([sources.length, slopes.length], [2, 2])
  assert.ok(measureSlopes({ links, sources, slopes }) <= 1e-10)
  for (const source of [0, 1]) {
    const bent = slopes.map((by, i) => (i === 1 ? by.map((it, j) => (j === source ? it * 1.002 : it)) : by))
    near(measureSlopes({ links, sources, slopes: bent }), 0.2, 1e-6)
  }
})

test('the root nearest to a guess: both ways, from afar, at zero, at the end of a range, no pole', () => {
  const all = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY }
  near(
    rootNear((x) => x * x - 2, { guess: 1, width: 1e-12, ...all }),
    Math.SQRT2,
    1e-15,
  )
  near(
    rootNear((x) => x * x - 2, { guess: -1, width: 1e-12, ...all }),
    -Math.SQRT2,
    1e-15,
  )
  near(
    rootNear((x) => x - 1e20, { guess: 1, width: 1e-12, ...all }),
    1e20,
    1e-15,
  )
  near(
    rootNear((x) => x - 3, { guess: 0, width: 1e-30, ...all }),
    3,
    1e-15,
  )
  near(
    rootNear((x) => 0.1 + 0.2 - x / 3, { guess: 0.9, width: 1e-7, ...all }),
    0.9,
    1e-15,
  )
  assert.equal(
    rootNear((x) => x, { guess: 5, width: 1, min: 0, max: 10 }),
    0,
  )
  assert.ok(Number.isNaN(rootNear((x) => x + 1, { guess: 5, width: 1, min: 0, max: 10 })))
  assert.ok(Number.isNaN(rootNear((x) => 1 / (x - 1), { guess: 0.5, width: 0.1, ...all })))
})

test('a relation solved for its unknown is drawn as its closed form is', () => {
  const both = relations({
    D: ['x = ln(y)', ['x', 'y']],
    I: ['y = exp(x)', ['x', 'y']],
    R: ['y = x*exp(x)', ['x', 'y']],
  })
  const drawn = (id: string, y: unknown) => computeOperators(both, { operators: [id], inputs: { y } }).propagate?.()
  const [direct, isolated, root] = [drawn('D', '5 ± 1.5'), drawn('I', '5 ± 1.5'), drawn('R', '0 ± 0.1')]
  assert.ok(direct && isolated && root)
  assert.equal(isolated.method, 'monte-carlo')
  // Seeds differ with the order, so the two agree as samples do; the draws of each are checked at 50 digits.
  near(isolated.standard_uncertainty, direct.standard_uncertainty, 0.02)
  near(isolated.mean, direct.mean, 1e-3)
  // Lambert's W around 0: W(y) = y − y² + 3y³/2 …, mean −u² and more.
  assert.equal(root.linear, 0.1)
  assert.ok(root.mean < -0.009 && root.mean > -0.02, String(root.mean))
})

test('a narrow input of a solved-for variable goes linear: rounding beside a good guess is no lost root', () => {
  const found = spread(['ST8'], { t: '2 ± 0.1', mu_0: 50, s: '10(1)', n: 25 }, { solve_for: 'x_m' })
  assert.deepEqual([found.method, found.doubts], ['linear', []])
})

test('a solver that would lose an uncertainty refuses it', () => {
  const certain = { operators: ['NM19'], inputs: { m: 5, a: 1 } }
  assert.equal(computeCertain(registry, certain).value, 5)
  assert.equal(
    faultOf(() => computeCertain(registry, { ...certain, inputs: { m: '5(1) kg', a: 1 } })).code,
    'INVALID_INPUT',
  )
})

test.run()
