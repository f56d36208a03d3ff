// Goal: what fields are compared by gives the bits of plain loops, and a broken node cannot hide.
// Method: random fields beside their twins, on lines, rectangles and rings, in blocks that fill and that do not; single
// nodes altered, or made NaN, one after the other.
import assert from 'node:assert/strict'
import { distanceOf, localErrorOf, meanSlopeOf, squaresOf } from '#numerics/methods/fields.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { twinCompare, twinLocal, twinSlope, twinSquares } from './fields-twin.ts'

const test = suite('numerics/fields')

const sizes = [
  [1, 2],
  [1, 17],
  [2, 2],
  [2, 9],
  [9, 2],
  [3, 3],
  [8, 31],
  [31, 8],
  [64, 65],
  [3, 2_048],
  [1, 8_193],
] as const

const random = seeded()

/** A field of its own at every call, of sizes a million apart. */
const draw = (length: number): Float64Array =>
  Float64Array.from({ length }, () => (random.next() - 0.5) * 10 ** Math.floor(6 * random.next() - 3))

test('kernel = twin: distances, single nodes, readings and slopes', () => {
  for (const [rows, columns] of sizes) {
    const sheet = { rows, columns, dx: 0.3, dy: 0.07 }
    const [field, exact] = [draw(rows * columns), draw(rows * columns)]
    const size = `${rows} × ${columns}`
    assert.deepEqual(distanceOf(field, exact), twinCompare(field, exact), size)
    for (const beyond of ['mirror', 'ring'] as const) {
      const plan = { columns, beyond }
      assert.equal(localErrorOf(field, exact, plan), twinLocal(field, exact, plan), `${size}, ${beyond}`)
    }
    assert.deepEqual(squaresOf(field, sheet), twinSquares(field, sheet), size)
    assert.equal(meanSlopeOf(field, sheet), twinSlope(field, sheet), size)
    // An answer that was read from JSON is a plain array.
    assert.deepEqual(distanceOf([...field], [...exact]), distanceOf(field, exact), size)
    assert.deepEqual(squaresOf([...field], sheet), squaresOf(field, sheet), size)
  }
})

test('zeros keep their sign, and what was measured before leaves nothing behind', () => {
  const zeros = Float64Array.of(-0, 0, -0, 0)
  squaresOf(draw(4), { rows: 2, columns: 2 })
  assert.deepEqual(squaresOf(zeros, { rows: 2, columns: 2 }), { meanSquare: 0, minimum: -0, maximum: 0 })
  distanceOf(draw(4), draw(4))
  assert.deepEqual(distanceOf(zeros, zeros), { error: 0, norm: 0, errorMost: 0, largest: 0 })
  assert.equal(localErrorOf(zeros, zeros, { columns: 2, beyond: 'ring' }), 0)
})

test('a NaN at any node is in every figure that it touches', () => {
  for (const [rows, columns] of [
    [1, 7],
    [5, 4],
  ] as const) {
    const [good, plan] = [draw(rows * columns), { columns, beyond: 'mirror' as const }]
    for (let at = 0; at < good.length; at++) {
      const bad = good.slice()
      bad[at] = Number.NaN
      const [found, due] = [distanceOf(bad, good), distanceOf(good, bad)]
      assert.deepEqual([found.error, found.errorMost, due.norm, due.largest], Array(4).fill(Number.NaN), `${at}`)
      assert(Number.isFinite(found.norm) && Number.isFinite(found.largest), `${at}`)
      assert(Number.isNaN(localErrorOf(bad, good, plan)) && Number.isNaN(localErrorOf(good, bad, plan)), `${at}`)
      const { meanSquare, minimum, maximum } = squaresOf(bad, { rows, columns })
      assert.deepEqual([meanSquare, minimum, maximum], Array(3).fill(Number.NaN), `${at}`)
      assert(Number.isNaN(meanSlopeOf(bad, { rows, columns, dx: 1, dy: 1 })), `${at}`)
    }
  }
})

test('a node that alone is off departs by as much as it is off', () => {
  const exact = draw(20)
  for (let at = 0; at < exact.length; at++) {
    const field = exact.slice()
    field[at] += 1e-3 + Math.abs(exact[at])
    const off = Math.abs(field[at] - exact[at])
    assert.equal(localErrorOf(field, exact, { columns: 5, beyond: 'ring' }), off, `${at}`)
  }
})

test('fields of different lengths are a broken invariant', () => {
  assert.throws(() => distanceOf(draw(3), draw(4)), /the same nodes/)
})

test.run()
