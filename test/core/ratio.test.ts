// Goal: fractions are exact, and where they cannot be, as near as they say. Method: products, powers and roots held
// against whole numbers; doubles against the engine's own reading of decimals.
import assert from 'node:assert/strict'
import {
  addRatio,
  divRatio,
  mulRatio,
  numberOfRatio,
  powRatio,
  type Ratio,
  ratio,
  ratioOfDecimal,
  ratioOfNumber,
  rootRatio,
  subRatio,
} from '#core/ratio.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/ratio')
const random = seeded()

const drawn = (most = 1_000): Ratio => ratio(BigInt(random.integer(1, most)), BigInt(random.integer(1, most)))

test('sums, products and powers are exact, and in lowest terms', () => {
  assert.deepEqual(ratio(6n, -4n), { num: -3n, den: 2n })
  assert.deepEqual(ratio(0n, -7n), { num: 0n, den: 1n })
  for (let k = 0; k < 200; k++) {
    const [a, b] = [drawn(), drawn()]
    assert.deepEqual(subRatio(addRatio(a, b), b), a)
    assert.deepEqual(divRatio(mulRatio(a, b), b), a)
    assert.deepEqual(powRatio(a, 3), mulRatio(a, mulRatio(a, a)))
    assert.deepEqual(mulRatio(powRatio(a, -2), powRatio(a, 2)), ratio(1n))
  }
})

test('a root is exact where it is rational, else its power is the fraction to forty digits', () => {
  for (let degree = 1; degree <= 12; degree++) {
    for (let k = 0; k < 20; k++) {
      const a = drawn()
      assert.deepEqual(rootRatio(powRatio(a, degree), degree), a)
      const root = rootRatio(a, degree)
      // Cut off below the fortieth digit: the next one up is too large.
      const step = ratio(1n, 10n ** 40n)
      const [low, high] = [powRatio(root, degree), powRatio(addRatio(root, step), degree)]
      assert(subRatio(a, low).num >= 0n && subRatio(high, a).num > 0n, `${a.num}/${a.den}, degree ${degree}`)
    }
  }
})

test('a double is the fraction of its shortest text, and comes back', () => {
  for (let k = 0; k < 500; k++) {
    const value = (random.next() - 0.5) * 10 ** random.integer(-300, 300)
    assert.equal(numberOfRatio(ratioOfNumber(value)), value)
  }
  assert.deepEqual(ratioOfNumber(0.1), { num: 1n, den: 10n })
  assert.deepEqual(
    [numberOfRatio(ratio(1n, 3n)), numberOfRatio(ratio(-2n, 3n)), numberOfRatio(ratio(0n))],
    [1 / 3, -2 / 3, 0],
  )
})

test('a decimal text is read exactly, within its digits and powers', () => {
  assert.deepEqual(ratioOfDecimal('-1.50e+2'), { num: -150n, den: 1n })
  assert.deepEqual(ratioOfDecimal('.25'), { num: 1n, den: 4n })
  assert.deepEqual(ratioOfDecimal('+12.5e-1'), { num: 5n, den: 4n })
  assert.deepEqual(ratioOfDecimal('1'.repeat(60)), { num: BigInt('1'.repeat(60)), den: 1n })
  assert.deepEqual(ratioOfDecimal('1e400'), { num: 10n ** 400n, den: 1n })
  assert.deepEqual(ratioOfDecimal('1e-400'), { num: 1n, den: 10n ** 400n })
  for (const text of ['1'.repeat(61), '1e401', '1e-401', '', '.', '1.', 'e1', '0x1', '1e', ' 1', '1_0']) {
    assert.equal(ratioOfDecimal(text), undefined, text)
  }
})

test.run()
