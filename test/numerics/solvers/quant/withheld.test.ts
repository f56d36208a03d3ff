// Goal: a right price is sealed whatever its sensitivities are, one that the sample does not give is null and no other,
// and an option takes the paths that it needs where none are asked for.
// Method: Black–Scholes and the geometric average at thirty digits (mpmath 1.3); withheld and told numbers altered.
import assert from 'node:assert/strict'
import { run } from '#numerics/runtime/run.ts'
import { quant } from '#numerics/solvers/quant/index.ts'
import { pathsOf } from '#numerics/solvers/quant/problem.ts'
import type { QuantOutput } from '#numerics/solvers/quant/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { close, near, outcomesOf } from '../outcomes.ts'

const test = suite('numerics/quant-withheld')

const { inputOf, sealed, refusal } = outcomesOf(quant)

const NAMES = ['delta', 'gamma', 'vega', 'theta', 'rho'] as const

/** Price and sensitivities of S = K = 100, r = 5 %, T = 1, by volatility and right. */
const exact: readonly (readonly [number, 'call' | 'put', readonly number[]])[] = [
  [1.2, 'call', [46.5207754357, 0.739455181655, 0.00270596054056, 32.4715264867, -20.8541530285, 27.4247427298]],
  [2, 'call', [69.0574697957, 0.847318406167, 0.00117961354338, 23.5922708677, -24.3759894087, 15.674370821]],
  [2, 'put', [64.1804122457, -0.152681593833, 0.00117961354338, 23.5922708677, -19.6198422862, -79.448571629]],
  [3, 'call', [86.9696457887, 0.935324567875, 0.000421007505458, 12.6302251637, -19.2734782955, 6.56281099881]],
  [5, 'call', [98.7887792368, 0.99396344192, 3.4189340915e-5, 1.70946704575, -4.30404586213, 0.607564955125]],
]

const density = 1 / Math.sqrt(2 * Math.PI)
const owed = 100 * Math.exp(-0.05)

/** What each sensitivity is at the money, which its distance is told in shares of. */
const scalesOf = (sigma: number): readonly number[] => [
  1,
  density / (100 * sigma),
  100 * density,
  (100 * density * sigma) / 2 + 0.05 * owed,
  owed,
]

test('a price at sigma·√T above one seals, with the sensitivities that the sample gives and no others', () => {
  const withheld = exact.map(([sigma, right, [price = 0, ...greeks]]) => {
    for (const paths of [undefined, 65_536]) {
      const found = sealed({ sigma, right, ...(paths !== undefined && { paths }) })
      close(found.price, price, 1e-3)
      NAMES.forEach((name, k) => {
        const told = found[name]
        if (told !== null) near(told, greeks[k] ?? 0, 3.01e-3 * (scalesOf(sigma)[k] ?? 0))
      })
    }
    const { price: _, ...found } = sealed({ sigma, right })
    return NAMES.filter((name) => found[name] === null).length
  })
  assert.deepEqual(withheld.slice(0, 3), [0, 0, 0])
  assert((withheld[3] ?? 0) > 0 && (withheld[4] ?? 0) > 0)
})

test('the check sees a sensitivity that is withheld without need, or told without right', () => {
  const judged = (raw: object, over: Partial<QuantOutput>): number => {
    const input = inputOf(raw)
    const { output, evidence } = run(quant, input).outcome
    return quant.check(input, { output: { ...output, ...over }, evidence }).errorPct
  }
  for (const product of ['european', 'asian', 'barrier']) {
    assert(judged({ product }, {}) <= 0.1)
    for (const name of NAMES) assert(judged({ product }, { [name]: null }) >= 100, `${product} ${name}`)
  }
  for (const [name, told] of [
    ['vega', 1],
    ['gamma', 1e-4],
  ] as const) {
    assert.equal(sealed({ sigma: 5 })[name], null)
    assert(judged({ sigma: 5 }, { [name]: told }) >= 100, name)
  }
})

test('an option takes the paths that it needs: what was refused at 65,536 seals by default', () => {
  const put = { product: 'asian', right: 'put', asian: { dates: 26 } }
  for (const [raw, price] of [
    [put, 3.55066249817],
    [{ ...put, K: 90 }, 0.776913658087],
    [{ ...put, K: 90, sigma: 0.3 }, 2.33361039985],
  ] as const) {
    const found = sealed(raw)
    close(found.price, price, 1e-3)
    assert(found.fourSigmaPct < 0.08, `${found.fourSigmaPct}`)
  }
  refusal('PRECISION_NOT_MET', { ...put, K: 90, paths: 65_536 })
  for (const seed of [2, 3, 4, 5, 6, 7]) sealed({ ...put, seed, K: 95 })
}, 30_000)

test('paths that are left out stay within what a caller without a key may spend; those asked for stand', () => {
  assert.equal(pathsOf(inputOf({ paths: 5_000 })), 5_000)
  for (const dates of [1, 12, 52, 128, 256]) {
    for (const K of [50, 100, 200]) {
      const input = inputOf({ product: 'asian', K, asian: { dates } })
      assert(pathsOf(input) >= 65_536 && quant.work(input) <= quant.limits.workAnonymousMax)
    }
  }
})

test('where the paths by default do not do, those that would are named', () => {
  const wide = { product: 'asian', right: 'call', asian: { dates: 4 }, sigma: 2, K: 40 }
  const { suggestion } = refusal('PRECISION_NOT_MET', wide)
  const { paths } = suggestion as { readonly paths: number }
  assert(paths > pathsOf(inputOf(wide)))
  sealed({ ...wide, paths })
}, 30_000)

test.run()
