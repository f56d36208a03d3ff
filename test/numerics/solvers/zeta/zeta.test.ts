// Goal: zeta finds every zero of its range, each to its place and its number, and its check sees one that is missing,
// doubled or moved, wherever it is; ranges that cannot be counted are refused.
// Method: Odlyzko's published ordinates, zeros by mpmath with 20 digits (test/fixtures/zeta), known failures of Gram's
// law, Lehmer's close pair, the falling remainder of the Riemann-Siegel formula; inputs drawn from the schema.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { run } from '#numerics/runtime/run.ts'
import { countTo } from '#numerics/solvers/zeta/check/check.ts'
import { eulerMaclaurinTo } from '#numerics/solvers/zeta/check/euler-maclaurin.ts'
import { zeta } from '#numerics/solvers/zeta/index.ts'
import { gramPoint, hardyZ, theta } from '#numerics/solvers/zeta/run/siegel.ts'
import type { ZetaOutput } from '#numerics/solvers/zeta/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { near, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/zeta')

keepsTheRules(test, zeta)

const { inputOf, sealed, refusal, sealsOrRefuses } = outcomesOf(zeta)
const errorPct = (asked: object, output: ZetaOutput): number =>
  zeta.check(inputOf(asked), { output, evidence: null }).errorPct

const fixture = JSON.parse(
  readFileSync(new URL('../../../fixtures/zeta/zeros.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>

test('Odlyzko: published ordinates', () => {
  // www-users.cse.umn.edu/~odlyzko/zeta_tables: zeros1, good to 3e-9; the first, the 1,000th, 10,000th and 100,000th.
  near(sealed({ n: 1 }).last, 14.134725142, 1e-9)
  near(sealed({ n: 1_000 }).last, 1419.422480946, 2e-9)
  near(sealed({ mode: 'range', T1: 9_870, T2: 9_878 }).last, 9877.782654004, 3e-9)
  const far = sealed({ mode: 'range', T1: 74_915, T2: 74_921 })
  near(far.last, 74920.827498994, 3e-9)
  assert.equal(far.countUpper, 100_000)
})

test('the first 100 zeros and some far ones agree with 20 digits', () => {
  const { zeros } = sealed({})
  for (const [number, digits] of Object.entries(fixture)) {
    const n = Number(number)
    const wanted = Number(digits)
    if (n <= 100) near(zeros[n - 1], wanted, 1e-12)
    else {
      const some = sealed({ mode: 'range', T1: wanted - 0.01, T2: wanted + 0.005 })
      near(some.zeros[some.count - 1], wanted, 2e-9)
      assert.equal(some.countUpper, n)
    }
  }
})

test('the remainder of the Riemann–Siegel formula falls with each of its terms as its theory says', () => {
  const zeta = eulerMaclaurinTo(30_000)
  for (const [t, by] of [
    [250.3, 2e-8],
    [2_000.7, 3e-10],
    [20_000.4, 3e-11],
  ] as const) {
    const { value } = zeta.at(0.5, zeta.turn(t))
    const exact = value.re * Math.cos(theta(t)) - value.im * Math.sin(theta(t))
    // Orders k leave a multiple of t^(−(2k + 1)/4) (Gabcke 1979).
    const left = [0, 1, 2, 3, 4, 5].map((orders) => Math.abs(hardyZ(t, orders) - exact))
    for (const [orders, error] of left.entries())
      assert(error <= 1.2 * t ** (-(2 * orders + 1) / 4) + by, `${t} ${orders}`)
    assert((left[5] ?? 1) <= by && (left[1] ?? 0) > 10 * (left[3] ?? 1), left.join(', '))
  }
})

test('the smooth angle, Gram points and Gram’s law, which fails first at zero 127', () => {
  // Edwards, Riemann's Zeta Function, 6.5: g(-1) = 9.667, g(0) = 17.846, g(1) = 23.170.
  near(gramPoint(-1, 9), 9.6669, 1e-4)
  near(gramPoint(0, 17), 17.8456, 1e-4)
  near(gramPoint(1, 23), 23.1703, 1e-4)
  assert.equal(sealed({ n: 126 }).gramFailures, 0)
  assert.equal(sealed({ n: 127 }).gramFailures, 1)
  assert.equal(sealed({ mode: 'range', T1: 281, T2: 283 }).gramFailures, 1)
})

test('Lehmer’s pair is two zeros', () => {
  // Lehmer, Acta Math. 95 (1956) 291: t = 7005.0629 and 7005.1006.
  const pair = sealed({ mode: 'range', T1: 7_005, T2: 7_005.2 })
  assert.equal(pair.count, 2)
  near(pair.zeros[0], 7005.0629, 1e-4)
  near(pair.zeros[1], 7005.1006, 1e-4)
  assert(pair.smallestGap < 0.05)
})

test('zeros repel each other as eigenvalues of random matrices do, and their mean distance is 1', () => {
  const { zeros, meanGap, smallestGap } = sealed({ n: 2_000 })
  near(meanGap, 1, 2e-3)
  assert(smallestGap > 0.02)
  const gaps = zeros
    .slice(1)
    .map((zero, k) => ((zero - (zeros[k] ?? 0)) * Math.log((zeros[k] ?? 1) / 2 / Math.PI)) / 2 / Math.PI)
  const spread = gaps.reduce((sum, it) => sum + (it - meanGap) ** 2, 0) / gaps.length
  // Wigner's surmise has 3π/8 − 1 = 0.178; zeros of this height lie a little more evenly.
  assert(spread > 0.12 && spread < 0.18, `${spread}`)
})

test('a range gives the numbers that the whole list has', () => {
  const all = sealed({ n: 300 })
  const random = seeded()
  for (let round = 0; round < 10; round++) {
    const first = random.integer(1, 250)
    const last = first + random.integer(0, 40)
    const T1 = ((all.zeros[first - 1] ?? 0) + (all.zeros[first - 2] ?? 0)) / 2
    const T2 = ((all.zeros[last - 1] ?? 0) + (all.zeros[last] ?? 0)) / 2
    const some = sealed({ mode: 'range', T1, T2 })
    assert.deepEqual([some.first, some.count], [first, last - first + 1])
    // The brackets differ, so the last bit may.
    some.zeros.forEach((zero, i) => {
      assert(Math.abs(zero - (all.zeros[first - 1 + i] ?? 0)) <= 1e-13 * zero, `${zero}`)
    })
  }
})

test('Backlund’s count is whole from the first zero to the millionth height', () => {
  const zeta = eulerMaclaurinTo(1e6)
  for (const [T, count] of [
    [14, 0],
    [14.2, 1],
    [100, 29],
    [1_000, 649],
    [10_000, 10_142],
    [100_000, 138_069],
    [1_000_000, 1_747_146],
  ] as const) {
    assert.equal(countTo(T, zeta), count)
  }
}, 20_000)

test('the check sees a zero that is moved, missing, doubled or made up, and wrong numbers', () => {
  for (const raw of [{}, { n: 1 }, { mode: 'range', T1: 5_000, T2: 5_050 }] as const) {
    const { output } = run(zeta, inputOf(raw)).outcome
    assert(errorPct(raw, output) < 1e-6)
    const wrong = (over: Partial<ZetaOutput>): void => {
      const other = { ...output, ...over }
      const { zeros } = other
      const gaps = zeros
        .slice(1)
        .map((it, k) => ((it - (zeros[k] ?? 0)) * Math.log((zeros[k] ?? 1) / 2 / Math.PI)) / 2 / Math.PI)
      const rest = {
        last: zeros[zeros.length - 1] ?? 0,
        smallestGap: gaps.length === 0 ? 0 : Math.min(...gaps),
        meanGap: gaps.length === 0 ? 0 : gaps.reduce((sum, it) => sum + it, 0) / gaps.length,
      }
      assert(!(errorPct(raw, { ...rest, ...other, ...rest }) <= 0.1), JSON.stringify(over).slice(0, 80))
    }
    const zeros = Array.from(output.zeros)
    for (const k of [0, zeros.length >> 1, zeros.length - 1]) {
      const spacing = (2 * Math.PI) / Math.log((zeros[k] ?? 0) / 2 / Math.PI)
      wrong({ zeros: zeros.map((it, i) => (i === k ? it + 0.002 * spacing : it)) })
      const less = { zeros: zeros.filter((_, i) => i !== k), count: zeros.length - 1 }
      wrong(less)
      wrong({ ...less, countUpper: output.countUpper - 1 })
      const more = [...zeros.slice(0, k + 1), (zeros[k] ?? 0) + 1e-9, ...zeros.slice(k + 1)]
      wrong({ zeros: more, count: more.length, countUpper: output.countUpper + 1 })
    }
    wrong({ first: output.first + 1, countLower: output.countLower + 1, countUpper: output.countUpper + 1 })
  }
})

test('ranges without zeros, with ends on a zero, out of order or too costly are refused with what passes', () => {
  refusal('INVALID_INPUT', { mode: 'range', T1: 100, T2: 100 })
  for (const [T1, T2] of [
    [0, 14],
    [14.1, 14.134],
    [0, 1e-3],
  ]) {
    const { T2: above } = refusal('ILL_POSED', { mode: 'range', T1, T2 })
    assert.equal(sealed({ mode: 'range', T1, T2: above }).count, 1)
  }
  const { zeros } = refusal('ILL_POSED', { mode: 'range', T1: 15, T2: 20 })
  near((zeros as number[])[0], 14.134725, 1e-6)
  near((zeros as number[])[1], 21.02204, 1e-5)
  refusal('ILL_POSED', { mode: 'range', T1: 0, T2: Number(fixture['5']) })
  refusal('ILL_POSED', { mode: 'range', T1: Number(fixture['5']), T2: 50 })
  const { T2 } = refusal('WORK_LIMIT_EXCEEDED', { mode: 'range', T1: 500_000, T2: 600_000 })
  zeta.refuse(inputOf({ mode: 'range', T1: 500_000, T2 }))
  zeta.refuse(inputOf({ n: 20_000 }))
})

const drawn = fc.oneof(
  fc.record({ n: fc.integer({ min: 1, max: 400 }) }, { requiredKeys: [] }),
  fc
    .tuple(fc.double({ min: 0, max: 20_000, noNaN: true }), fc.double({ min: 0, max: 12, noNaN: true }))
    .map(([T1, more]) => ({ mode: 'range', T1, T2: T1 + more })),
  fc
    .tuple(fc.double({ min: 0, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }))
    .map(([T1, T2]) => ({ mode: 'range', T1, T2 })),
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals, largest } = sealsOrRefuses(fc.oneof(fc.constant({ n: 10 }), drawn), { numRuns: 60, statuses: [400] })
  assert(seals > 0, 'some of them seal')
  assert(largest < 1e-4)
}, 30_000)

test.run()
