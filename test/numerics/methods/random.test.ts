// Goal: random numbers of a seed are those of the published generator, the same wherever they are asked for, and points
// are the published Sobol points, scrambled so that they stay a net.
// Method: known answers of Philox, digits of the quantile, one point in each cell of the elementary intervals.
import assert from 'node:assert/strict'
import { inverseNormal, normalCdf } from '#numerics/methods/normal.ts'
import { philox, streamOf } from '#numerics/methods/random.ts'
import { directionsOf, pointsOf, SOBOL_DIMENSIONS } from '#numerics/methods/sobol.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/random')

const hex = (words: Iterable<number>): string => [...words].map((it) => it.toString(16).padStart(8, '0')).join(' ')

test('Philox4x32-10 gives the known answers of its authors', () => {
  // kat_vectors of Random123 1.14 (Salmon, Moraes, Dror, Shaw, SC '11).
  assert.equal(hex(philox([0, 0, 0, 0], [0, 0])), '6627e8d5 e169c58d bc57ac4c 9b00dbd8')
  const ones = 0xffffffff
  assert.equal(hex(philox([ones, ones, ones, ones], [ones, ones])), '408f276d 41c83b0e a20bc7c6 6d5451fd')
  const pi = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]
  assert.equal(hex(philox(pi, [0xa4093822, 0x299f31d0])), 'd16cfe09 94fdcceb 5001e420 24126ea1')
})

test('a word depends on seed, stream and place alone', () => {
  const one = streamOf(7, 3)
  const forwards = Array.from({ length: 40 }, (_, place) => one.word(place))
  const backwards = Array.from({ length: 40 }, (_, k) => streamOf(7, 3).word(39 - k)).reverse()
  assert.deepEqual(forwards, backwards)
  const seeds = [0, 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER]
  assert.equal(new Set(seeds.map((it) => streamOf(it, 0).word(0))).size, seeds.length)
  assert.notEqual(streamOf(7, 3).word(0), streamOf(7, 4).word(0))
  for (let place = 0; place < 1_000; place++) {
    const u = one.uniform(place)
    assert(u > 0 && u < 1)
  }
})

test('the first Sobol points are those of the table', () => {
  // Joe, Kuo: points 1 to 7 of dimensions 2 and 3 as their own program prints them, here in Gray-code order.
  const firstOf = (dimension: number): readonly number[] => {
    const v = directionsOf(dimension)
    const points: number[] = []
    let state = 0
    for (let index = 0; index < 7; index++) {
      state = (state ^ (v[31 - Math.clz32(~index & (index + 1))] as number)) >>> 0
      points.push(state / 2 ** 32)
    }
    return points
  }
  assert.deepEqual(firstOf(1), [0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125])
  assert.deepEqual(firstOf(2), [0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625])
  assert.deepEqual(firstOf(3), [0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375])
})

test('each dimension has one point in each of its cells, scrambled or not, and point 0 leaves the corner', () => {
  const count = 1_024
  const dimensions = SOBOL_DIMENSIONS + 3
  for (const scramble of [0, 1, 15]) {
    const points = pointsOf(dimensions, 42, scramble)
    const into = new Float64Array(dimensions)
    const cells = Array.from({ length: SOBOL_DIMENSIONS }, () => new Set<number>())
    for (let i = 0; i < count; i++) {
      points.next(into)
      assert(into.every((u) => u > 0 && u < 1))
      cells.forEach((seen, d) => {
        seen.add(Math.floor((into[d] ?? 0) * count))
      })
      if (i === 0) assert(into[0] !== 2 ** -33)
    }
    assert(cells.every(({ size }) => size === count))
  }
})

test('the first two dimensions are a (0, 10, 2)-net: one point in each elementary interval', () => {
  const points = pointsOf(2, 1, 0)
  const into = new Float64Array(2)
  const all = Array.from({ length: 1_024 }, () => {
    points.next(into)
    return [into[0] as number, into[1] as number] as const
  })
  for (let k = 0; k <= 10; k++) {
    const seen = new Set(all.map(([x, y]) => `${Math.floor(x * 2 ** k)} ${Math.floor(y * 2 ** (10 - k))}`))
    assert.equal(seen.size, 1_024, `2^${k} by 2^${10 - k}`)
  }
})

test('quantile and distribution of the normal undo each other, and agree with published digits', () => {
  // Abramowitz, Stegun, table 26.1 (15 decimals) and 26.2; Wichura's own test values for the quantile.
  const table = [
    [0.5, 0.691462461274013],
    [1, 0.841344746068543],
    [2, 0.977249868051821],
    [3, 0.99865010196837],
  ] as const
  for (const [x, p] of table) assert(Math.abs(normalCdf(x) - p) <= 1e-15, `Φ(${x}) = ${normalCdf(x)}`)
  assert(Math.abs(inverseNormal(0.25) + 0.6744897501960817) <= 1e-15)
  assert(Math.abs(inverseNormal(0.001) + 3.090232306167814) <= 4e-15)
  assert(Math.abs(inverseNormal(1e-20) + 9.262340089798409) <= 2e-14)
  for (let k = 1; k < 300; k++) {
    const x = -8 + k * 0.05
    assert(
      Math.abs(inverseNormal(normalCdf(x)) - x) <= (1e-13 * Math.max(1, Math.abs(x))) / Math.min(1, normalCdf(-x) * 10),
    )
  }
  assert(Math.abs(normalCdf(-20) / 2.7536241186062337e-89 - 1) <= 1e-13)
})

test.run()
