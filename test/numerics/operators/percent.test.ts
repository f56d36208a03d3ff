// Goal: a measured error is, to the last bit, what the division at 50 digits gives. Method: that very division, at
// quotients of every size and length, among them some that lie on the border between two doubles.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Precise } from '#numerics/operators/decimal.ts'
import { deviationPct } from '#numerics/operators/measure.ts'
import { percentOf } from '#numerics/operators/percent.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('percent')

const divided = (part: string | number, whole: string | number): number =>
  new Precise(part).div(new Precise(whole)).abs().times(100).toNumber()

const decimals = fc
  .record({
    sign: fc.constantFrom('', '-'),
    digits: fc.stringMatching(/^[1-9][0-9]{0,49}$/),
    exponent: fc.oneof(fc.integer({ min: -60, max: 60 }), fc.integer({ min: -1_000, max: 900 })),
  })
  .map(({ sign, digits, exponent }) => `${sign}${digits}e${exponent}`)

test('a percentage is the double next to the quotient at 50 digits', () => {
  fc.assert(
    fc.property(decimals, decimals, (part, whole) => {
      assert.ok(Object.is(percentOf(new Precise(part), new Precise(whole)), divided(part, whole)))
    }),
    { seed, numRuns: 20_000 },
  )
  assert.equal(percentOf(new Precise(-0), new Precise(3)), 0)
})

test('on the border between two doubles as well, and a hair beside it', () => {
  // Between 2^54 and 2^60 neighbours are at least four apart, so the border is a whole number.
  const wholes = fc.double({ min: 2 ** 54, max: 2 ** 60, noNaN: true })
  const hairs = fc.constantFrom('', `.${'0'.repeat(29)}1`, `.${'0'.repeat(12)}1`)
  fc.assert(
    fc.property(wholes, hairs, fc.constantFrom(100, 3, '7e-9', `1.${'3'.repeat(48)}`), (value, hair, whole) => {
      const bits = new BigInt64Array(Float64Array.of(value).buffer)
      bits[0] = (bits[0] ?? 0n) + 1n
      const next = new Float64Array(bits.buffer)[0] ?? 0
      const border = (BigInt(value) + BigInt(next)) / 2n
      const below = hair === '' ? `${border}` : `${border - 1n}.${'9'.repeat(hair.length - 1)}`
      for (const text of [`${border}${hair}`, below]) {
        const part = new Precise(text).times(whole).div(100)
        assert.ok(Object.is(percentOf(part, new Precise(whole)), divided(part.toString(), whole)))
      }
    }),
    { seed, numRuns: 3_000 },
  )
})

test('the deviation of a double keeps its sign out, and its scale', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), decimals, (value, tail) => {
      const precise = new Precise(value).times(new Precise(1).plus(new Precise(tail).times('1e-66')))
      if (precise.isZero()) return
      const expected = precise.minus(value).div(precise).abs().times(100).toNumber()
      assert.ok(Object.is(deviationPct(value, precise), expected))
    }),
    { seed, numRuns: 5_000 },
  )
})

test.run()
