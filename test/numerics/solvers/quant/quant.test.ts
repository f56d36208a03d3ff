// Goal: quant prices what it offers within its stated error, and its check sees every parameter that enters a price;
// what cannot be priced is refused before work.
// Method: published prices, parities, limits and the rate at which the error falls; runs of another option judged as if
// they were of this one; sums in the evidence altered; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { run } from '#numerics/runtime/run.ts'
import { closedPrice } from '#numerics/solvers/quant/closed.ts'
import { quant } from '#numerics/solvers/quant/index.ts'
import { normalsOf } from '#numerics/solvers/quant/run/normals.ts'
import type { QuantEvidence, QuantOutput } from '#numerics/solvers/quant/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { near, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'
import { twinNormals } from './quant-twin.ts'

const test = suite('numerics/quant')

keepsTheRules(test, quant)

const { inputOf, sealed, refusal, sealsOrRefuses } = outcomesOf(quant)
const exact = (raw: object): number => closedPrice(inputOf(raw))

test('the kernel’s normals are those of the plain functions bit for bit, beyond the table as well', () => {
  for (const [dimensions, seed, scramble] of [
    [1, 1, 0],
    [40, 2 ** 53 - 1, 15],
  ] as const) {
    const normals = normalsOf(dimensions, seed)
    normals.scramble(scramble)
    const twin = twinNormals(1_280, { dimensions, seed, scramble })
    for (const [from, points] of [
      [0, 1_024],
      [1_024, 256],
    ] as const) {
      normals.next(points)
      for (let d = 0; d < dimensions; d++) {
        const made = normals.values.slice(d * normals.stride, d * normals.stride + points)
        assert.deepEqual(
          made,
          Float64Array.from({ length: points }, (_, i) => twin[from + i]?.[d] ?? Number.NaN),
        )
      }
    }
  }
})

test('European options without a path are those with one, to rounding', () => {
  // One averaging date is the European option on the general way; only its control variate is computed apart.
  for (const raw of [{}, { right: 'put', K: 110, q: 0.03 }, { K: 90, paths: 8_192 }]) {
    const [plain, walked] = [
      run(quant, inputOf(raw)).outcome,
      run(quant, inputOf({ ...raw, product: 'asian', asian: { dates: 1 } })).outcome,
    ]
    near(plain.output.price, walked.output.price, 1e-12 * walked.output.price)
    for (const [k, it] of plain.evidence.payoffs.entries())
      near(it, walked.evidence.payoffs[k] ?? Number.NaN, 1e-11 * it)
    for (const [k, it] of plain.evidence.slopes.entries())
      near(it, walked.evidence.slopes[k] ?? Number.NaN, 1e-9 * Math.abs(it))
  }
})

test('published prices', () => {
  // Hull, Options, Futures, and Other Derivatives, 11th ed., example 15.6: 4.76 and 0.81.
  const hull = { S: 42, K: 40, r: 0.1, sigma: 0.2, T: 0.5 }
  near(sealed(hull).price, 4.76, 0.005)
  near(sealed({ ...hull, right: 'put' }).price, 0.81, 0.005)
  // Haug, The Complete Guide to Option Pricing Formulas, 2nd ed., section 1.1.2: 2.4648; 1.1.4: 0.0291.
  near(sealed({ S: 100, K: 95, r: 0.1, q: 0.05, sigma: 0.2, T: 0.5, right: 'put' }).price, 2.4648, 5e-4)
  near(sealed({ S: 1.56, K: 1.6, r: 0.06, q: 0.08, sigma: 0.12, T: 0.5 }).price, 0.0291, 5e-5)
  // Hull, ch. 15: N(0.1342) of a call at S = 49, K = 50, r = 5 %, sigma = 20 %, T = 0.3846: delta 0.522, gamma 0.066,
  // vega 12.1, theta −4.31, rho 8.91 (section 19.4 to 19.9).
  const greeks = sealed({ S: 49, K: 50, r: 0.05, sigma: 0.2, T: 0.3846 })
  near(greeks.delta, 0.522, 5e-4)
  near(greeks.gamma, 0.066, 5e-4)
  near(greeks.vega, 12.1, 0.05)
  near(greeks.theta, -4.31, 0.01)
  near(greeks.rho, 8.91, 0.01)
})

test('put and call keep their parity', () => {
  const raw = { q: 0.02 }
  const [call, put] = [sealed(raw), sealed({ ...raw, right: 'put' })]
  near(call.price - put.price, 100 * Math.exp(-0.02) - 100 * Math.exp(-0.05), 0.004)
  near(Number(call.delta) - Number(put.delta), Math.exp(-0.02), 1e-3)
  near(call.gamma, Number(put.gamma), 3e-5)
})

test('knocked in and knocked out are together the option without a barrier', () => {
  for (const right of ['call', 'put'] as const) {
    for (const side of ['down', 'up'] as const) {
      const H = side === 'down' ? 90 : 120
      for (const K of [85, 100, 125]) {
        const at = (kind: string): number => exact({ product: 'barrier', right, K, barrier: { kind, H } })
        const plain = exact({ right, K })
        near(at(`${side}-in`) + at(`${side}-out`), plain, 1e-11)
        assert(at(`${side}-in`) >= -1e-11 && at(`${side}-out`) >= -1e-11)
      }
    }
  }
  const at = (kind: string): QuantOutput => sealed({ product: 'barrier', barrier: { kind } })
  near(at('down-in').price + at('down-out').price, exact({}), 0.005)
  near(Number(at('down-in').delta) + Number(at('down-out').delta), Number(sealed({}).delta), 2e-3)
})

test('all eight barrier options agree with their closed forms, whatever their steps', () => {
  for (const right of ['call', 'put'] as const) {
    for (const [kind, H] of [
      ['down-out', 80],
      ['down-in', 90],
      ['up-out', 130],
      ['up-in', 110],
    ] as const) {
      const { price } = sealed({ product: 'barrier', right, q: 0.01, paths: 262_144, barrier: { kind, H } })
      near(price, exact({ product: 'barrier', right, q: 0.01, barrier: { kind, H } }), 1e-3 * price)
    }
  }
  const { price } = sealed({ product: 'barrier', paths: 524_288, barrier: { steps: 8 } })
  near(price, exact({ product: 'barrier' }), 1e-3 * price)
}, 30_000)

test('limits: one date and a barrier out of reach are the European option, many dates the continuous average', () => {
  near(exact({ product: 'asian', asian: { dates: 1 } }), exact({}), 1e-12)
  near(sealed({ product: 'asian', asian: { dates: 1 } }).price, sealed({}).price, 1e-9)
  near(exact({ product: 'barrier', barrier: { H: 1 } }), exact({}), 1e-12)
  near(sealed({ product: 'barrier', barrier: { H: 1 } }).price, sealed({}).price, 1e-9)
  // Kemna, Vorst, J. Banking Finance 14 (1990) 113: the continuous average has sigma/√3 and drift (r − q − sigma²/6)/2.
  const continuous = exact({ sigma: 0.2 / Math.sqrt(3), q: 0.05 - 0.5 * (0.05 - 0.04 / 6) })
  const many = (dates: number): number => exact({ product: 'asian', asian: { dates } })
  near(2 * many(256) - many(128), continuous, 1e-4)
  near(sealed({ sigma: 1e-3, K: 80 }).price, 100 - 80 * Math.exp(-0.05), 1e-6)
})

test('the Brownian bridge keeps the first numbers decisive: 12 and 48 dates cost the same error', () => {
  const errorAt = (dates: number): number => sealed({ product: 'asian', paths: 32_768, asian: { dates } }).fourSigmaPct
  assert(errorAt(48) < 3 * errorAt(12) + 0.02)
})

test('the standard error falls nearly as the paths, and covers what is missing', () => {
  let covered = 0
  const errors = [4_096, 16_384, 65_536, 262_144].map((paths) => {
    const { output } = run(quant, inputOf({ paths })).outcome
    if (Math.abs(output.price - exact({})) <= 4 * output.standardError) covered++
    return output.standardError
  })
  assert((errors[3] ?? 1) < (errors[0] ?? 0) / 20, errors.join(', '))
  assert(covered >= 3)
})

test('another seed is another estimate, the same seed the same bits; paths are rounded up', () => {
  assert.notEqual(sealed({ seed: 2 }).price, sealed({}).price)
  assert.equal(sealed({ seed: 2 }).price, sealed({ seed: 2 }).price)
  assert.equal(sealed({ paths: 40_000 }).pathsRun, 65_536)
  assert.equal(sealed({ paths: 40_000 }).price, sealed({ paths: 65_536 }).price)
  assert.equal(sealed({ paths: 65_536 }).convergence.length, 13)
})

test('far out of the money the sampling goes where the strike is', () => {
  for (const raw of [{ K: 180 }, { K: 250 }, { K: 50, right: 'put' }, { product: 'asian', K: 115, paths: 262_144 }]) {
    const it = sealed(raw)
    assert(it.shift !== 0)
    near(it.price, exact(raw), 1e-3 * it.price)
  }
  assert.equal(sealed({ K: 90 }).shift, 0)
})

/** Parameters by which a run differs from what was asked. */
const sabotage: readonly (readonly [string, object, object])[] = [
  ['the rate', {}, { r: 0.0502 }],
  ['the yield', {}, { q: 0.0003 }],
  ['the volatility', {}, { sigma: 0.2004 }],
  ['the time', {}, { T: 1.003 }],
  ['the underlying', {}, { S: 100.05 }],
  ['the strike', {}, { K: 100.05 }],
  ['the right', {}, { right: 'put' }],
  ['one date', { product: 'asian' }, { product: 'asian', asian: { dates: 13 } }],
  ['an average that is none', { product: 'asian' }, { product: 'european' }],
  ['the barrier', { product: 'barrier' }, { product: 'barrier', barrier: { H: 90.2 } }],
  ['the side of the barrier', { product: 'barrier' }, { product: 'barrier', barrier: { kind: 'down-in' } }],
  ['a barrier left out', { product: 'barrier' }, { product: 'european' }],
  ['the volatility under a barrier', { product: 'barrier' }, { product: 'barrier', sigma: 0.202 }],
]

test('the check sees each parameter that is wrong', () => {
  for (const [what, asked, done] of sabotage) {
    const input = inputOf(asked)
    const { output, evidence } = run(quant, inputOf(done)).outcome
    const { product, right } = input
    const dimensions = product === 'asian' ? 12 : 1
    const claimed = { ...output, product, right, dimensions }
    // The shift is judged by itself: here it is given rightly, so that the price alone is what the check goes by.
    const { shift } = run(quant, input).outcome.output
    assert(!(quant.check(input, { output: { ...claimed, shift }, evidence }).errorPct <= 0.1), what)
    assert(quant.check(input, run(quant, input).outcome).errorPct <= 0.1, what)
  }
})

test('the check sees sums that were altered, a tilted normal and a likelihood ratio left out', () => {
  const input = inputOf({ K: 110 })
  const { output, evidence } = run(quant, input).outcome
  const altered = (over: Partial<QuantEvidence>): number =>
    quant.check(input, { output, evidence: { ...evidence, ...over } }).errorPct
  assert(altered({}) <= 0.1)
  assert(!(altered({ payoffs: evidence.payoffs.map((it) => 1.001 * it) }) <= 0.1))
  assert(!(altered({ controls: evidence.controls.map((it) => 1.001 * it) }) <= 0.1))
  assert(!(altered({ products: evidence.products.map((it, k) => (k === 0 ? 1.01 * it : it)) }) <= 0.1))
  assert(!(altered({ payoffs: evidence.payoffs.slice(1) }) <= 0.1))
  // A lone scramble that strays: the mean may hold, the four standard errors do not.
  const spread = output.estimates.map((it, k) => it + (k === 0 ? 0.05 : k === 1 ? -0.05 : 0))
  assert(!(quant.check(input, { output: { ...output, estimates: spread }, evidence }).errorPct <= 0.1))
  const wrong = { ...output, gamma: 1.01 * Number(output.gamma) }
  assert(!(quant.check(input, { output: wrong, evidence }).errorPct <= 0.1))
})

test('what has no price to measure, or a barrier that is touched, is refused with what passes', () => {
  const touched = refusal('ILL_POSED', { product: 'barrier', barrier: { H: 110 } })
  quant.refuse(inputOf({ product: 'barrier', barrier: { H: touched['H'] } }))
  refusal('ILL_POSED', { product: 'barrier', barrier: { kind: 'up-out', H: 100 } })
  const cheap = [
    { K: 1000, sigma: 0.1 },
    { sigma: 1e-3, T: 1e-3, K: 101 },
    { S: 1e-6, K: 1e9 },
    { product: 'barrier', K: 120, barrier: { kind: 'up-out', H: 115 } },
    { product: 'barrier', right: 'put', K: 80, barrier: { kind: 'down-out', H: 85 } },
  ]
  for (const raw of cheap) passing(quant, raw, ['K'])
  sealed({ sigma: 0.1, ...passing(quant, { K: 1000, sigma: 0.1 }, ['K']) })
})

test('too few paths are refused: with the number that passes, or by four standard errors', () => {
  const { paths } = refusal('ILL_POSED', { paths: 1_024 })
  assert.equal(typeof paths, 'number')
  sealed({ paths })
  const details = refusal('PRECISION_NOT_MET', { product: 'barrier', paths: 65_536, barrier: { steps: 32 } })
  assert((details['four_sigma_pct'] as number) > 0.1)
  assert((details['paths_safe'] as number) > 65_536)
})

const between = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })

const drawn = fc.record(
  {
    product: fc.constantFrom('european', 'asian', 'barrier'),
    right: fc.constantFrom('call', 'put'),
    S: between(-6, 9).map((x) => 10 ** x),
    K: fc.oneof(
      between(-6, 9).map((x) => 10 ** x),
      between(80, 120),
    ),
    r: between(-1, 1),
    q: between(-1, 1),
    sigma: between(1e-3, 5),
    T: between(1e-3, 50),
    paths: fc.integer({ min: 1_024, max: 8_192 }),
    seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
    asian: fc.record({ dates: fc.integer({ min: 1, max: 40 }) }),
    barrier: fc.record({
      kind: fc.constantFrom('down-out', 'down-in', 'up-out', 'up-in'),
      H: between(50, 150),
      steps: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(fc.oneof(fc.constant({}), drawn), { numRuns: 150 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
