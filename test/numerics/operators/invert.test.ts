// Goal: solving for an unknown finds the root that is meant, measures its error, and refuses the rest. Method: closed
// cases of every inverse, roots that stand twice, several, none, multiple ones and poles; and sabotage: a root moved by
// more than the bound is not measured as one, a value moved by 0.2 % measures 0.2 %.
import assert from 'node:assert/strict'
import { parseUnit } from '#core/units.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { parseEquation } from '#numerics/operators/grammar.ts'
import { invert } from '#numerics/operators/invert.ts'
import { deviationPct, measureRoot, residualOf } from '#numerics/operators/measure.ts'
import type { Quantity } from '#numerics/operators/relation.ts'
import { computeOutput } from '#numerics/operators/sealed.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf } from './table.ts'

const test = suite('solving for an unknown')

type Limits = Partial<Pick<Quantity, 'min' | 'max' | 'positive' | 'principal' | 'integer'>>

const solve = (
  text: string,
  given: Record<string, number>,
  limits: Limits = {},
  bracket?: readonly [number, number],
) => {
  const values = new Map(Object.entries(given))
  const precise = new Map([...values].map(([symbol, value]) => [symbol, new Precise(value)]))
  const unknown: Quantity = { symbol: 'x', name: 'unknown', unit: '1', of: parseUnit('1'), ...limits }
  return invert({ operator: 'T1', equation: parseEquation(text), unknown, values, precise, bracket })
}

const close = (found: number, wanted: number, what: string): void =>
  assert.ok(Math.abs(found - wanted) <= 1e-12 * Math.max(1e-300, Math.abs(wanted)), `${what}: ${found}`)

test('every inverse undoes its function', () => {
  const cases: readonly (readonly [string, number, Limits?])[] = [
    ['abs(x)', -2.5, { max: 0 }],
    ['acos(x)', 0.3],
    ['acosh(x)', 1.7],
    ['asin(x)', -0.4],
    ['asinh(x)', -3],
    ['atan(x)', 5],
    ['atanh(x)', 0.25],
    ['cbrt(x)', -8],
    ['cos(x)', 2, { min: 0, max: 3 }],
    ['cosh(x)', -1.2, { max: 0 }],
    ['exp(x)', -3.5],
    ['expm1(x)', 1e-5],
    ['ln(x)', 7],
    ['log(x)', 0.02],
    ['log10(x)', 250],
    ['log1p(x)', 1e-6],
    ['log2(x)', 96],
    ['sin(x)', 2.6, { min: 1.6, max: 4 }],
    ['sinh(x)', -2],
    ['sqrt(x)', 19],
    ['tan(x)', 4, { min: 3.2, max: 6 }],
    ['tanh(x)', 0.6],
    ['x^3', -1.5],
    ['x^4', 1.5, { positive: true }],
    ['x^-2', 1.5, { positive: true }],
    ['x^1.4', 2.5],
    ['2.5^x', -1.25],
    ['3 - x', 7],
    ['3/x', 7],
    ['x/3', 7],
    ['-(4*x - 1)', 2],
    ['exp(-2*sqrt(x))/3', 4],
  ]
  for (const [expression, x, limits] of cases) {
    const y = residualOf(parseEquation(`0 = 0 - (${expression})`), 'x', new Map())(new Precise(x))
    const root = solve(`y = ${expression}`, { y: y.toNumber() }, limits)
    close(root.value, x, expression)
    assert.equal(root.method, 'isolated')
    assert.ok(root.measure.errorPct <= 1e-9, `${expression}: ${root.measure.errorPct} %`)
  }
})

test('an unknown that stands more than once is bracketed', () => {
  const kepler = solve('M = x - e*sin(x)', { M: 1, e: 0.9 }, { min: 0, max: 6.3 })
  close(kepler.value, 1.8620866868745323, 'Kepler')
  assert.equal(kepler.method, 'root')
  close(solve('x^2 + x = 6', {}, { positive: true }).value, 2, 'quadratic')
  close(solve('x^2 + x = 6', {}, {}, [-5, -1]).value, -3, 'quadratic in a bracket')
  close(solve('x*exp(x) = 1', {}).value, 0.5671432904097838, 'omega')
  close(solve('x + x = 3e-25', {}, { positive: true }).value, 1.5e-25, 'small')
})

test('several roots are listed, none and multiple ones are refused', () => {
  const several = faultOf(() => solve('x^2 = 9', {}))
  assert.equal(several.code, 'AMBIGUOUS_INPUT')
  assert.deepEqual(several.details['roots'], [-3, 3])
  const cubic = faultOf(() => solve('(x - 1)*(x - 2)*(x - 4) = 0', {}, { min: 0, max: 10 }))
  assert.deepEqual((cubic.details['roots'] as number[]).map(Math.round), [1, 2, 4])
  const refused: readonly (readonly [string, Limits?])[] = [
    ['x^2 = -1'],
    ['x^2 + x = -1'],
    ['exp(x) = -1'],
    ['cos(x) = 2'],
    ['x^2 = 9', { min: 4 }],
    ['1/x = 0'],
    ['1/(x*(x - 1)) = 0', { min: 0.5, max: 2 }],
    ['(x - 2)*(x - 2) = 0', { min: 0, max: 10 }],
    ['sin(x) = 1', { min: 0, max: 3 }],
    ['2*x = 3', { integer: true }],
  ]
  for (const [text, limits] of refused) assert.equal(faultOf(() => solve(text, {}, limits)).code, 'ILL_POSED', text)
})

test('an integer unknown is an integer', () => {
  const root = solve('x^2*y = E', { y: 0.1, E: 0.9 }, { integer: true, min: 1, max: 100 })
  assert.equal(root.value, 3)
})

test('a moved root shows no smaller error than its move, and none at all beyond the bound', () => {
  const f = residualOf(parseEquation('x^3 = 2'), 'x', new Map())
  const exact = new Precise(2).cbrt()
  assert.ok((measureRoot(f, exact.toNumber())?.errorPct ?? 1) <= 1e-12)
  for (const shift of [1e-12, 1e-9, 1e-6, 1e-4]) {
    const measured = measureRoot(f, exact.toNumber() * (1 + shift))?.errorPct ?? Number.NaN
    assert.ok(measured >= 99 * shift && measured <= 1_001 * shift, `${shift}: ${measured} %`)
  }
  assert.equal(measureRoot(f, exact.toNumber() * 1.002), undefined)
  assert.equal(measureRoot(f, Number.NaN), undefined)
})

test('a root is refined to 43 digits, where the relation is all but a step as well', () => {
  const cases = [
    { text: 'x^3 = 2', wanted: new Precise(2).cbrt() },
    { text: '1/(exp((x - 1)*1000000) + 1) = 0.25', wanted: new Precise(3).ln().div(1e6).plus(1) },
    { text: '1/(exp((x - 1)*1e30) + 1) = 0.25', wanted: new Precise(3).ln().div('1e30').plus(1) },
  ]
  for (const { text, wanted } of cases) {
    const f = residualOf(parseEquation(text), 'x', new Map())
    const root = measureRoot(f, wanted.toNumber())?.root()
    assert.ok(root?.minus(wanted).div(wanted).abs().lte('1e-43'), `${text}: ${root}`)
  }
})

test('a wrong value measures what it is wrong by, and what has no scale is not judged', () => {
  close(deviationPct(1.002, new Precise(1)), 0.2, 'two per mille')
  assert.equal(deviationPct(0, new Precise(0)), 0)
  for (const [value, precise] of [
    [1e-300, 0],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [1, Number.NaN],
  ] as const) {
    assert.ok(Number.isNaN(deviationPct(value, new Precise(precise))))
  }
})

test('cancellation that eats the digits is measured, not hidden', () => {
  const near = compute(['GR41'], { lambda_o: '656.2800000001 nm', lambda_e: '656.28 nm' })
  assert.ok(near.precisionActual > 1e-8 && near.precisionActual < 0.1)
  const nearer = compute(['QM1'], { k: 1e10, m: '@m_e', V: -6.104264314151861e-19 })
  assert.ok(nearer.precisionActual > 1e-12)
})

test('an error made in the first link is measured in the last', () => {
  const inputs = { k: 1e10, m: '@m_e', V: -6.1042643141e-19 }
  const alone = compute(['QM1'], inputs)
  assert.ok(alone.precisionActual > 1e-10, `the cancellation costs ${alone.precisionActual} %`)
  const chain = compute(['QM1', 'QM10'], inputs, { solve_for: 'nu' })
  assert.equal(chain.chain[1]?.fed, 'E')
  const carried = chain.chain[1]?.errorPct ?? Number.NaN
  assert.ok(carried >= 0.99 * alone.precisionActual, `${carried} % of ${alone.precisionActual} %`)
  assert.equal(chain.precisionActual, Math.max(...chain.chain.map((it) => it.errorPct)))
})

test('a fed value outside the range of its variable is refused', () => {
  assert.equal(faultOf(() => compute(['NM26', 'QM9'], { m: '@m_e', v: 0 })).code, 'OUT_OF_RANGE')
})

test('what else solves the relation is told: outside the range, the bracket, never what is no root', () => {
  assert.deepEqual(solve('y = x^2', { y: 9 }, { min: 0 }).others, [-3])
  assert.deepEqual(solve('y = x^3', { y: 8 }).others, [])
  const [less, more] = [solve('y = x*(5 - x)', { y: 4 }, {}, [0, 2]), solve('y = x*(5 - x)', { y: 4 }, {}, [3, 9])]
  assert.equal(less.others.length, 1)
  close(less.others[0] ?? Number.NaN, more.value, 'the other one')
  close(more.others[0] ?? Number.NaN, less.value, 'and back')
  // The square is undone with both signs, and -2 is no root of what stands in it.
  assert.deepEqual(solve('y = sqrt(x)', { y: 2 }).others, [])
  const periods = solve('y = sin(x)', { y: 0.5 }, { min: 0, max: 1.57 }).others
  assert.ok(periods.length > 8 && periods.every((it, i) => i === 0 || it > (periods[i - 1] ?? it)))
  for (const it of periods) assert.ok(it < 0 || it > 1.57)
})

test('of several roots that in the principal part is meant, unless a bracket says another', () => {
  const limits: Limits = { min: -10, max: 10, principal: [0, 10] }
  const found = solve('y = x^2', { y: 9 }, limits)
  assert.deepEqual([found.value, found.others], [3, [-3]])
  assert.equal(solve('y = x^2', { y: 9 }, limits, [-10, -1]).value, -3)
  assert.equal(solve('y = 2*x', { y: -4 }, limits).value, -2, 'a single root is taken wherever it is')
  const two = faultOf(() => solve('y = x^2', { y: 9 }, { principal: [-4, 4] }))
  const none = faultOf(() => solve('y = x^2', { y: 9 }, { principal: [4, 5] }))
  for (const { code, details } of [two, none]) assert.deepEqual([code, details['roots']], ['AMBIGUOUS_INPUT', [-3, 3]])
})

test('angles and Mach numbers on both sides of a turning point are taken, and asked for on the usual one', () => {
  const cases: readonly (readonly [string, Record<string, number | string>, string, number, number])[] = [
    ['OP4', { I_0: 1, theta: '120 deg' }, 'theta', (120 * Math.PI) / 180, (60 * Math.PI) / 180],
    ['ORBIT_EQUATION', { a: 7e6, e: 0.2, nu: '200 deg' }, 'nu', (200 * Math.PI) / 180, (160 * Math.PI) / 180],
    ['SLOTTED_ALOHA', { G: 2 }, 'G', 2, 0.40637573995995996],
    // Both have an area of 1.3398 times the throat.
    ['AREA_MACH', { M: 0.5, gamma: 1.4 }, 'M', 0.5, 1.702369936628571],
  ]
  for (const [id, inputs, unknown, given, principal] of cases) {
    const forward = compute([id], inputs)
    const { [unknown]: _, ...others } = inputs
    const back = { ...others, [forward.output.symbol]: forward.value }
    const found = compute([id], back, { solve_for: unknown })
    assert.ok(Math.abs(found.value - principal) < 1e-5, `${id}: ${found.value}`)
    assert.ok(
      found.chain[0]?.others.some((it) => Math.abs(it - given) < 1e-6),
      `${id}: ${found.chain[0]?.others}`,
    )
    const bracket = [given - 1e-3, given + 1e-3] as const
    close(compute([id], back, { solve_for: unknown, bracket }).value, given, id)
  }
})

test('the other branches are in no byte that is sealed', () => {
  const found = compute(['OP4'], { I: 1, I_0: 4 }, { solve_for: 'theta' })
  assert.ok((found.chain[0]?.others.length ?? 0) > 0)
  assert.ok(!JSON.stringify(computeOutput(found)).includes('others'))
})

test.run()
