// Goal: gauge samples the Wilson action at every coupling it offers, with errors as large as it says; its kernel is the
// plain arithmetic bit for bit; its check sees a wrong coupling, estimator or link.
// Method: the exact sum over characters, strong- and weak-coupling limits, a twin without lanes, seeds against their
// errors; runs at another coupling judged as if they were of this one; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { besselRatio, ratioTable } from '#numerics/methods/bessel.ts'
import { exactPlaquette } from '#numerics/solvers/gauge/check/check.ts'
import { recomputeReading } from '#numerics/solvers/gauge/check/recompute-readings.ts'
import { gauge } from '#numerics/solvers/gauge/index.ts'
import { chainOf } from '#numerics/solvers/gauge/run/chain.ts'
import { anglesOf } from '#numerics/solvers/gauge/run/field.ts'
import { tableOf } from '#numerics/solvers/gauge/run/layout.ts'
import { reportOf } from '#numerics/solvers/gauge/run/report.ts'
import { estimateOf } from '#numerics/solvers/gauge/run/statistics.ts'
import type { GaugeOutput } from '#numerics/solvers/gauge/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { near, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { type TwinPlan, twinCosPi, twinExp, twinSweep } from './gauge-twin.ts'

const test = suite('numerics/gauge')

keepsTheRules(test, gauge)

const { inputOf, refusal, sealsOrRefuses } = outcomesOf(gauge)
/** A run of any size, whether its error can be measured or not. */
const solved = (raw: object): GaugeOutput => {
  const input = inputOf(raw)
  const chain = chainOf(input)
  chain.advance(0, input.sweeps + input.thermal, () => undefined)
  return reportOf(input, chain)
}
const errorPct = (asked: object, output: GaugeOutput): number =>
  gauge.check(inputOf(asked), { output, evidence: null }).errorPct

test('the kernel is its twin bit for bit, at weak and strong coupling, with any key', () => {
  for (const [beta, L, key] of [
    [4, 8, [1, 0]],
    [0.05, 12, [4_294_967_295, 7]],
    [50, 8, [3, 0]],
    [1, 16, [77, 1]],
  ] as const) {
    const raw = { L, beta, sweeps: 400, thermal: 0, start: 'hot', seed: key[0] + 4_294_967_296 * key[1], first: 5 }
    const chain = chainOf(inputOf(raw))
    const links = chain.links.slice()
    const plan: TwinPlan = { beta, key, table: tableOf(L), ...ratioTable(2 * beta) }
    for (let sweep = 0; sweep < 6; sweep++) {
      chain.advance(sweep, sweep + 1, () => undefined)
      assert.equal(chain.history[sweep], twinSweep(links, plan, 5 + sweep) / (4 * L * L))
      assert.deepEqual(chain.links, links)
    }
  }
}, 30_000)

test('the functions inside the kernel are good to rounding', () => {
  const random = seeded()
  for (let k = 0; k < 2_000; k++) {
    const u = 2 * random.next() - 1
    near(twinCosPi(u), Math.cos(Math.PI * u), 4e-16)
    const w = 1 - 50 * random.next()
    near(twinExp(w), Math.exp(w), 1e-14 * Math.exp(w))
  }
  assert(twinExp(-1e9) < 1e-25)
  const { cubics, perKappa } = ratioTable(100)
  for (let k = 0; k < 2_000; k++) {
    const x = 100 * random.next() ** 3
    const i = Math.floor(x * perKappa)
    const [a = 0, b = 0, c = 0, d = 0] = cubics.subarray(4 * i, 4 * i + 4)
    const t = x * perKappa - i
    near(a + t * (b + t * (c + t * d)), besselRatio(x), 2e-11)
  }
  // Abramowitz, Stegun, table 9.8: e^(−x)·I1 and e^(−x)·I0 at 1, 4 and 10.
  near(besselRatio(1), 0.2079104154 / 0.4657596077, 1e-9)
  near(besselRatio(4), 0.1787508395 / 0.2070019212, 1e-9)
  near(besselRatio(10), 0.1212626814 / 0.1278333372, 1e-9)
})

test('the exact plaquette: large lattices, the limits of beta, and an integral on the smallest torus', () => {
  for (const beta of [0.3, 1, 4]) near(exactPlaquette(4_096, beta), besselRatio(beta), 1e-12)
  // Strong coupling: beta/2·(1 − beta²/8); weak: 1 − 1/(2·beta), of V plaquettes V − 1 are free on a torus.
  near(exactPlaquette(256, 0.05), 0.025 * (1 - 0.0025 / 8), 1e-8)
  near(exactPlaquette(64, 50), 1 - (63 / 64) * (1 / 100), 2e-4)
  // Two plaquettes whose angles add up to nothing: the sum over characters is a mean of cos under exp(2·beta·cos).
  const average = (beta: number): number => {
    let [up, down] = [0, 0]
    for (let k = 0; k < 1_000; k++) {
      const c = Math.cos((2 * Math.PI * k) / 1_000)
      up += c * Math.exp(2 * beta * (c - 1))
      down += Math.exp(2 * beta * (c - 1))
    }
    return up / down
  }
  near(exactPlaquette(2, 1.5), average(1.5), 1e-9)
})

test('couplings from strong to weak agree with the exact sum within their errors', () => {
  for (const raw of [
    { beta: 0.1, L: 16, sweeps: 2_000 },
    { beta: 0.5, L: 16, sweeps: 2_000 },
    { beta: 1, L: 16, sweeps: 2_000 },
    { beta: 2, L: 12, sweeps: 3_000 },
    { beta: 8, L: 16, sweeps: 2_000 },
  ]) {
    const { plaquette, sigma } = solved(raw)
    assert(Math.abs(plaquette - exactPlaquette(raw.L * raw.L, raw.beta)) < 5 * sigma, JSON.stringify(raw))
  }
}, 30_000)

test('errors are as large as they are said: seeds scatter by sigma, and sweeps shrink it by their root', () => {
  const exact = exactPlaquette(256, 4)
  const pulls = Array.from({ length: 16 }, (_, k) => {
    const { plaquette, sigma } = solved({ L: 16, sweeps: 500, thermal: 50, seed: k })
    return (plaquette - exact) / sigma
  })
  const spread = Math.sqrt(pulls.reduce((sum, it) => sum + it * it, 0) / 16)
  assert(spread > 0.45 && spread < 1.8, `${spread}`)
  const [few, many] = [solved({ L: 16, sweeps: 500 }), solved({ L: 16, sweeps: 8_000 })]
  near(few.sigma / many.sigma, 4, 1.2)
}, 30_000)

test('conditional means are worth what they cost: the plain plaquette of the same fields scatters more', () => {
  const chain = chainOf(inputOf({ L: 16, beta: 1, sweeps: 600, thermal: 0 }))
  const plain: number[] = []
  for (let sweep = 0; sweep < 600; sweep++) {
    chain.advance(sweep, sweep + 1, () => undefined)
    const angles = anglesOf(chain.links, 16)
    plain.push(angles.reduce((sum, it) => sum + Math.cos(it), 0) / 256)
  }
  const [raw, improved] = [estimateOf(plain.slice(50)), estimateOf(chain.history.slice(50))]
  near(raw.mean, improved.mean, 5 * raw.sigma)
  assert(raw.sigma > 1.8 * improved.sigma, `${raw.sigma} ${improved.sigma}`)
}, 30_000)

test('the autocorrelation of a process with a known one', () => {
  const random = seeded(11)
  const series: number[] = []
  let x = 0
  for (let k = 0; k < 60_000; k++) {
    x = 0.5 * x + Math.sqrt(12 * 0.75) * (random.next() - 0.5)
    series.push(x)
  }
  const { tau, sigma, correlation } = estimateOf(series)
  // rho(l) = 2^(−l): tau = 1/2 + 1, and the variance is 1.
  near(tau, 1.5, 0.1)
  near(correlation[0], 0.5, 0.02)
  near(sigma, Math.sqrt(3 / 60_000), 3e-4)
})

test('gauge invariance: links turned at their sites leave every plaquette and the charge as they were', () => {
  const { links, topologicalCharge, finalPlaquette } = solved({ L: 8, sweeps: 400, beta: 2, start: 'hot' })
  const random = seeded()
  const turn = Array.from({ length: 64 }, () => 2 * Math.PI * random.next())
  const turned = Array.from({ length: 128 }, (_, link) => {
    const [direction, y, x] = [link >> 6, (link >> 3) & 7, link & 7]
    const other = direction === 0 ? y * 8 + ((x + 1) % 8) : ((y + 1) % 8) * 8 + x
    const angle =
      Math.atan2(links[2 * link + 1] ?? 0, links[2 * link] ?? 0) + (turn[y * 8 + x] ?? 0) - (turn[other] ?? 0)
    return [Math.cos(angle), Math.sin(angle)]
  }).flat()
  const [before, after] = [anglesOf(links, 8), anglesOf(turned, 8)]
  before.forEach((it, k) => {
    near(Math.cos(after[k] ?? 0), Math.cos(it), 1e-12)
  })
  near(before.reduce((sum, it) => sum + it, 0) / (2 * Math.PI), topologicalCharge, 1e-9)
  near(before.reduce((sum, it) => sum + Math.cos(it), 0) / 64, finalPlaquette, 1e-12)
})

test('the check reads plaquette and charge off the links by another way, of fields with charge too', () => {
  const charges = new Set<number>()
  for (let seed = 1; seed <= 8; seed++) {
    const { links } = solved({ L: 8, sweeps: 400, beta: 0.5, start: 'hot', seed })
    const own = recomputeReading(links, 8)
    const angles = anglesOf(links, 8)
    near(own.plaquette, angles.reduce((sum, it) => sum + Math.cos(it), 0) / 64, 1e-12)
    near(own.charge, angles.reduce((sum, it) => sum + it, 0) / (2 * Math.PI), 1e-9)
    charges.add(own.charge)
  }
  assert(charges.size > 2, 'of several charges')
  // A flux of one turn spread evenly: U_y = e^(2πi·x·/L²), and U_x takes the step back at the seam.
  const even = Array.from({ length: 128 }, (_, link) => {
    const [direction, y, x] = [link >> 6, (link >> 3) & 7, link & 7]
    const angle = direction === 1 ? (2 * Math.PI * x) / 64 : x === 7 ? (-2 * Math.PI * y) / 8 : 0
    return [Math.cos(angle), Math.sin(angle)]
  }).flat()
  const { plaquette, charge } = recomputeReading(even, 8)
  near(plaquette, Math.cos((2 * Math.PI) / 64), 1e-12)
  assert.equal(charge, 1)
})

test('a run cut in two goes on with the same bits, though a mean with its error is no state to step from', () => {
  assert.equal(gauge.continued, undefined)
  const whole = solved({ L: 8, beta: 2, sweeps: 900, thermal: 100 })
  const { links } = solved({ L: 8, beta: 2, sweeps: 400, thermal: 100 })
  const rest = solved({ L: 8, beta: 2, sweeps: 500, thermal: 0, first: 500, links: Array.from(links) })
  assert.deepEqual(rest.history, whole.history.slice(400))
  assert.deepEqual(rest.links, whole.links)
}, 30_000)

test('the check sees a coupling 0.5 % off, a chain not yet warm, a chain of one field, and every reading', () => {
  const exact = solved({})
  assert(errorPct({}, exact) <= 0.1)
  const other = { ...solved({ beta: 4.02 }), beta: 4 }
  assert(!(errorPct({}, other) <= 0.1))
  // From ordered links, without a sweep before: the first ones pull the mean up.
  const cold = solved({ L: 64, beta: 1, sweeps: 400, thermal: 0 })
  assert(!(errorPct({ L: 64, beta: 1, sweeps: 400 }, cold) <= 0.1))
  // A history that was scaled to the right mean has the wrong links, or a mean six errors off.
  const shifted = {
    ...exact,
    history: exact.history.map((it) => it + 7 * exact.sigma),
    plaquette: exact.plaquette + 7 * exact.sigma,
  }
  assert(!(errorPct({}, shifted) <= 0.1))
  const ordered = {
    ...exact,
    links: exact.links.map((_, k) => (k % 2 === 0 ? 1 : 0)),
    finalPlaquette: 1,
    topologicalCharge: 0,
  }
  assert(!(errorPct({}, ordered) <= 0.1))
  assert(!(errorPct({}, { ...exact, sigma: exact.sigma / 2, tau: exact.tau / 4 }) <= 0.1))
}, 30_000)

test('what cannot come below the bound is refused with the sweeps that pass, and wrong forms are refused', () => {
  const { sweeps, measured } = refusal('ILL_POSED', { L: 8, beta: 2 })
  assert((measured as number) > 0.1)
  gauge.refuse(inputOf({ L: 8, beta: 2, sweeps }))
  for (const beta of [0.05, 0.5, 1, 2, 4]) {
    gauge.refuse(inputOf({ L: 8, beta, sweeps: refusal('ILL_POSED', { L: 8, beta, sweeps: 400 })['sweeps'] }))
  }
  assert.equal(refusal('INVALID_INPUT', { L: 30 })['L'], 32)
  refusal('INVALID_INPUT', { L: 4 })
  refusal('INVALID_INPUT', { L: 8, links: [1, 0] })
  refusal('INVALID_INPUT', { L: 8, links: new Array(256).fill(1) })
})

const drawn = fc.oneof(
  fc.record(
    {
      L: fc.integer({ min: 8, max: 18 }),
      beta: fc.double({ min: 0.05, max: 50, noNaN: true }),
      sweeps: fc.integer({ min: 400, max: 2_000 }),
      thermal: fc.integer({ min: 0, max: 100 }),
      seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      start: fc.constantFrom('cold', 'hot'),
      first: fc.integer({ min: 0, max: 4_000_000_000 }),
    },
    { requiredKeys: ['L', 'sweeps'] },
  ),
  // Mostly sealed: a weak coupling from a cold start.
  fc.record({
    L: fc.constant(16),
    beta: fc.double({ min: 8, max: 10, noNaN: true }),
    sweeps: fc.integer({ min: 900, max: 1_200 }),
    seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  }),
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 20 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
