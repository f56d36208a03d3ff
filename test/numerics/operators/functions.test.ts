// Goal: the functions that judge are right at any argument and never run for ever. Method: at 50 digits each is held
// against other formulas for it, across 600 powers of ten, and the doubles against it.
import assert from 'node:assert/strict'
import type { FunctionName } from '#numerics/operators/arity.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { FUNCTIONS } from '#numerics/operators/functions.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { KERNEL_ID, operatorRegistry } from '#numerics/operators/registry.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { faultOf, rows } from './table.ts'

const test = suite('functions at 50 digits')

const names = Object.keys(FUNCTIONS) as FunctionName[]
const sizes = [0, 1e-300, 1e-17, 1e-4, 0.01, 0.3, 0.999, 1, 1.001, 2.5, 30, 700, 1e3, 1e5, 1e17, 1e300]
const points = sizes.flatMap((it) => [it, -it])

/** All digits of a double, not its shortest text. */
const exactly = (x: number) => new Precise(Number.isInteger(x) ? BigInt(x).toString() : x.toPrecision(100))

const kernelRow = rows.find((row) => (row as OperatorRow).id === KERNEL_ID)

const one = (name: FunctionName, x: number) => FUNCTIONS[name].precise(exactly(x), new Precise(2.5))

test('doubles agree with 50 digits to 2 ulp wherever both are finite', () => {
  for (const name of names) {
    for (const x of points) {
      const double = FUNCTIONS[name].double(x, 2.5)
      const precise = one(name, x)
      if (!Number.isFinite(double) || double === 0 || !precise.isFinite()) continue
      const deviation = precise.minus(double).div(double).abs().toNumber()
      assert.ok(deviation <= 4.5e-16, `${name}(${x}): ${deviation}`)
    }
  }
})

test('where doubles have no value, neither have 50 digits, unless by overflow', () => {
  for (const name of names) {
    for (const x of points) {
      const nan = Number.isNaN(FUNCTIONS[name].double(x, 2.5))
      assert.equal(one(name, x).isNaN(), nan, `${name}(${x})`)
    }
  }
})

test('identities hold to 45 digits', () => {
  const near = (a: InstanceType<typeof Precise>, b: InstanceType<typeof Precise>, what: string): void =>
    assert.ok(a.minus(b).abs().lte(b.abs().times('1e-45')), `${what}: ${a} and ${b}`)
  for (const x of [1e-30, 1e-4, 9.99e-4, 1.01e-3, 0.2, 0.9, 1.1, 3, 40, 200].flatMap((it) => [it, -it])) {
    const at = exactly(x)
    const sinh = one('sinh', x)
    const cosh = one('cosh', x)
    near(cosh.times(cosh), sinh.times(sinh).plus(1), `cosh² of ${x}`)
    near(one('tanh', x), sinh.div(cosh), `tanh of ${x}`)
    near(FUNCTIONS.asinh.precise(sinh), at, `asinh of sinh of ${x}`)
    near(FUNCTIONS.expm1.precise(at), expm1(at), `expm1 of ${x}`)
    if (x > -0.9) near(FUNCTIONS.expm1.precise(FUNCTIONS.log1p.precise(at)), at, `log1p of ${x}`)
  }
})

test('special functions take their tabulated values', () => {
  // Abramowitz & Stegun, Handbook of Mathematical Functions, tables 7.1 and 6.1, and Γ(½) = √π, with more digits.
  const known: readonly (readonly [FunctionName, number, string])[] = [
    ['erf', 0.5, '0.5204998778130465376827466538919645287364515757580'],
    ['erf', 1, '0.8427007929497148693412206350826092592960669979663'],
    ['erf', -2, '-0.9953222650189527341620692563672529286108917970401'],
    ['erfc', 2, '0.004677734981047265837930743632747071389108202959938'],
    ['erfc', 5, '1.537459794428034850188343485383378890118050314723e-12'],
    ['tgamma', 0.5, '1.772453850905516027298167483341145182797549456122'],
    ['tgamma', 5, '24'],
    ['tgamma', 1.5, '0.8862269254527580136490837416705725913987747280612'],
    ['lgamma', 1, '0'],
    ['lgamma', 2, '0'],
    ['lgamma', 101, '363.7393755555634901440799933696556380278239210629'],
  ]
  for (const [name, x, value] of known) {
    const wanted = new Precise(value)
    const slack = wanted.isZero() ? '1e-45' : wanted.abs().times('1e-44')
    assert.ok(one(name, x).minus(wanted).abs().lte(slack), `${name}(${x}) at 50 digits: ${one(name, x)}`)
    assert.ok(wanted.minus(FUNCTIONS[name].double(x)).abs().lte(wanted.abs().times(4.5e-16)), `${name}(${x})`)
  }
})

test('special functions keep their relations and their digits over their whole range', () => {
  const random = seeded()
  const near = (a: InstanceType<typeof Precise>, b: InstanceType<typeof Precise>, within: string, what: string): void =>
    assert.ok(a.minus(b).abs().lte(b.abs().times(within)), `${what}: ${a} and ${b}`)
  for (let draw = 0; draw < 200; draw += 1) {
    const x = 10 ** (5 * random.next() - 3)
    const at = exactly(x)
    const gamma = FUNCTIONS.tgamma.precise
    near(gamma(at.plus(1)), gamma(at).times(at), '1e-45', `Γ(x + 1) at ${x}`)
    const doubled = gamma(at)
      .times(gamma(at.plus(0.5)))
      .times(new Precise(2).pow(at.times(2).minus(1)))
    near(doubled, gamma(at.times(2)).times(Precise.acos(-1).sqrt()), '1e-44', `duplication at ${x}`)
    for (const name of ['erf', 'erfc', 'tgamma', 'lgamma'] as const) {
      const double = FUNCTIONS[name].double(x)
      if (Number.isFinite(double) && double > 1e-300) near(exactly(double), one(name, x), '1e-15', `${name}(${x})`)
    }
  }
  for (const x of [2, 2.5, 3, 4]) near(one('erfc', x), one('erf', x).negated().plus(1), '1e-41', `1 − erf(${x})`)
})

test('a relation with a special function balances and is solved by bracketing', () => {
  const row = {
    id: 'X1',
    name: 'probability',
    domain: 'test',
    equation: 'p = erfc(L/(2*sqrt(D*t)))',
    variables: {
      p: { name: 'ratio', unit: '1', min: 0, max: 1 },
      L: { name: 'depth', unit: 'm', min: 0 },
      D: { name: 'diffusivity', unit: 'm^2/s', positive: true },
      t: { name: 'time', unit: 's', positive: true },
    },
    solves_for: ['p', 'L', 'D', 't'],
    source: 'Carslaw & Jaeger, Conduction of Heat in Solids, 2nd ed., section 2.5',
    example: { inputs: { L: 0.02, D: 1e-5, t: 40 }, output: 'p', value: 0.479500122186953, unit: '1' },
  }
  const registry = operatorRegistry([kernelRow, row])
  const found = computeOperators(registry, { operators: ['X1'], inputs: { L: 0.02, D: 1e-5, t: 40 } })
  assert.ok(Math.abs(found.value - row.example.value) < 1e-14)
  const back = computeOperators(registry, { operators: ['X1'], inputs: { p: found.value, D: 1e-5, t: 40 } })
  assert.ok(Math.abs(back.value - 0.02) < 1e-12 && back.precisionActual < 1e-9, `${back.value}`)
  const unbalanced = { ...row, equation: 'p = erfc(L/(2*D*t))' }
  assert.equal(faultOf(() => operatorRegistry([unbalanced]).operators[0]?.relation()).code, 'DIMENSION_MISMATCH')
})

/** exp(x) − 1 = 2·sinh(x/2)·exp(x/2), which loses nothing. */
const expm1 = (x: InstanceType<typeof Precise>) => FUNCTIONS.sinh.precise(x.div(2)).times(x.div(2).exp()).times(2)

test.run()
