// Goal: the functions that judge are right at any argument and never run for ever. Method: at 50 digits each is held
// against other formulas for it, across 600 powers of ten, and the doubles against it.
import assert from 'node:assert/strict'
import { Precise } from '#numerics/operators/decimal.ts'
import { FUNCTIONS, type FunctionName } from '#numerics/operators/functions.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('functions at 50 digits')

const names = Object.keys(FUNCTIONS) as FunctionName[]
const sizes = [0, 1e-300, 1e-17, 1e-4, 0.01, 0.3, 0.999, 1, 1.001, 2.5, 30, 700, 1e3, 1e5, 1e17, 1e300]
const points = sizes.flatMap((it) => [it, -it])

/** All digits of a double, not its shortest text. */
const exactly = (x: number) => new Precise(Number.isInteger(x) ? BigInt(x).toString() : x.toPrecision(100))

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

/** exp(x) − 1 = 2·sinh(x/2)·exp(x/2), which loses nothing. */
const expm1 = (x: InstanceType<typeof Precise>) => FUNCTIONS.sinh.precise(x.div(2)).times(x.div(2).exp()).times(2)

test.run()
