// Goal: lorenz gives the solution as far as doubles can, says where that ends, and measures a spectrum with honest
// error bars; its check sees every coefficient of the course and of the tangent vectors.
// Method: a course to 30 digits made elsewhere, fixed points and their eigenvalues in closed form, symmetry, published
// exponents; runs of altered equations and evidence handed to the check; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import type { Outcome } from '#numerics/runtime/solver.ts'
import { checkLorenz } from '#numerics/solvers/lorenz/check/check.ts'
import { dimensionBy, summaryOf } from '#numerics/solvers/lorenz/check/summary.ts'
import { lorenz } from '#numerics/solvers/lorenz/index.ts'
import { horizonOf } from '#numerics/solvers/lorenz/problem.ts'
import { createSpectrum, dimensionOf, spectrumOf } from '#numerics/solvers/lorenz/run/spectrum.ts'
import type { LorenzEvidence, LorenzInput, LorenzOutput } from '#numerics/solvers/lorenz/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'
import { referenceOf } from '../reference.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/lorenz')

keepsTheRules(test, lorenz)

const { inputOf: input, sealed, outcome, refusal, ends } = outcomesOf(lorenz)
/** Few batches, for tests that are about the course. */
const short = { batches: 20 }

test('the course to 30 digits, with what doubles lose on the way, up to the horizon', () => {
  const lost: Readonly<Record<number, number>> = { 10: 1e-12, 20: 1e-9, 25: 1e-9, 30: 3e-6, 35: 1e-4 }
  for (const { t, state } of referenceOf('lorenz').filter((it) => it.t < 50)) {
    const { end } = sealed({ ...short, t_max: t })
    const away = Math.hypot(...state.map((value, c) => value - end[c]!)) / Math.hypot(...state)
    assert(away < lost[t]!, `t = ${t}: ${away}`)
  }
})

test('beyond the horizon the answer is a shadow orbit without value or seal', () => {
  const raw = { ...short, t_max: 50 }
  const { reality, value, outcome: found } = produce(lorenz, input(raw))
  assert(reality === null && value === null)
  assert.match(found.unsealed ?? '', /shadow orbit/)
  const { output } = found
  assert(output.shadowOrbit && output.horizon !== null && output.horizon > 30 && output.horizon < 45)
  assert.equal(lorenz.sealable?.(input(raw)), false)
  assert.equal(lorenz.sealable?.(input({})), true)
  // It is no solution: the true state is elsewhere. But each stretch of it is one, and the check says so.
  const { state } = referenceOf('lorenz').find(({ t }) => t === 50)!
  assert(Math.hypot(...state.map((it, c) => it - output.end[c]!)) > 1)
  assert(checkLorenz(input(raw), found).errorPct < 1e-6)
  const bent = {
    ...output,
    x: Float64Array.from(output.x).map((x, k) => (k === 700 ? x + 0.1 : x)) as unknown as number[],
  }
  assert(!(checkLorenz(input(raw), { ...found, output: bent }).errorPct <= 0.1))
  assert.equal(horizonOf(input({ rho: 10, t_max: 500 })), undefined, 'what settles can be predicted for ever')
})

test('where a course settles so fast that error bars are rounding alone, it is sealed all the same', () => {
  for (const rho of [13, 14, 16]) sealed({ ...short, rho })
})

test('the attractors of small ρ: the origin, then two fixed points with the eigenvalues of their Jacobian', () => {
  const dying = sealed({ ...short, rho: 0.5 })
  assert(dying.distance < 1e-4 && dying.dimension === 0)
  // Eigenvalues at the origin: −β and (−(σ + 1) ± √((σ + 1)² + 4σ(ρ − 1)))/2.
  const root = Math.sqrt(121 - 20)
  const wanted = [(-11 + root) / 2, -8 / 3, (-11 - root) / 2]
  wanted.forEach((value, i) => {
    assert(Math.abs(dying.exponents[i]! - value) < 1e-5)
  })
  const settled = sealed({ ...short, rho: 10, t_max: 60 })
  const side = Math.sqrt((8 / 3) * 9)
  assert(Math.abs(Math.abs(settled.end[0]!) - side) < 1e-9 && Math.abs(settled.end[2]! - 9) < 1e-9)
  // λ³ + (σ + β + 1)λ² + β(σ + ρ)λ + 2βσ(ρ − 1) = 0: a real root and a pair, whose real part is half of what is left.
  const [a, b, c] = [10 + 8 / 3 + 1, (8 / 3) * 20, (16 / 3) * 10 * 9]
  let real = -a
  for (let k = 0; k < 60; k++) real -= (real ** 3 + a * real ** 2 + b * real + c) / (3 * real ** 2 + 2 * a * real + b)
  const { exponents } = sealed({ rho: 10 })
  const pair = (-a - real) / 2
  assert(Math.abs(exponents[2]! - real) < 1e-4 && Math.abs((exponents[0]! + exponents[1]!) / 2 - pair) < 1e-4)
})

test('the spectrum of the attractor is the published one within its error bars, and its sum the trace', () => {
  // Sprott, Chaos and Time-Series Analysis (2003), appendix A: 0.9056, 0, −14.5723, dimension 2.062.
  const { exponents, exponentErrors, exponentSum, dimension } = sealed({ batches: 1_000 })
  const published = [0.9056, 0, -14.5723]
  published.forEach((value, i) => {
    assert(
      Math.abs(exponents[i]! - value) < 4 * exponentErrors[i]! + 1e-4,
      `${i}: ${exponents[i]} ± ${exponentErrors[i]}`,
    )
  })
  assert(exponentErrors[0]! < 8e-3 && exponentErrors[0]! > 5e-4)
  assert(Math.abs(exponentSum + 41 / 3) < 1e-4)
  assert(dimension !== null && Math.abs(dimension - 2.062) < 2e-3)
  const spread = sealed({ batches: 100 }).exponentErrors[0]! / exponentErrors[0]!
  assert(spread > 1.4 && spread < 10, `ten times the batches, about √10 of the error: ${spread}`)
})

test('a cycle, whose largest exponent is zero but for noise, has no dimension told; a focus has 0', () => {
  // Sparrow, The Lorenz Equations (1982): stable cycles for 145 < rho < 166 and about 99.96. Revision 1 said 0.
  const cycle = { rho: 160, x0: [3, 30, 120], t_max: 8, outputs: 200, batches: 40 }
  for (const raw of [cycle, { ...cycle, rho: 99.96, x0: [5, 5, 80] }]) {
    const { output, evidence } = outcome(raw)
    assert(Math.abs(output.exponents[0]!) <= 4 * output.exponentErrors[0]!)
    assert.equal(output.dimension, null)
    for (const dimension of [0, 1]) {
      assert.equal(checkLorenz(input(raw), { output: { ...output, dimension }, evidence }).errorPct, 100)
    }
  }
  const focus = { rho: 20, x0: [-3, 0.5, 12], t_max: 15, batches: 40 }
  const { output, evidence } = outcome(focus)
  assert.equal(output.dimension, 0)
  assert.equal(checkLorenz(input(focus), { output: { ...output, dimension: null }, evidence }).errorPct, 100)
})

test('dimension and means of known spectra', () => {
  assert.equal(dimensionOf([-1, -2, -3]), 0)
  assert.equal(dimensionOf([1, -0.5, -2]), 2.25)
  assert.equal(dimensionOf([1, 1, 1]), 3)
  const growths = Float64Array.from({ length: 120 }, (_, at) => (at % 3) - 1 + (at % 2 === 0 ? 0.5 : -0.5))
  const { exponents, errors, convergence } = spectrumOf(growths, 2)
  assert(Math.abs(exponents[0] + 0.5) < 1e-15 && Math.abs(convergence[1]! + 0.5) < 1e-15)
  assert(apart(errors[2], 0.25 / Math.sqrt(39)) < 1e-12)
})

test('the check sums up the growths by itself, and finds what the run does', () => {
  const random = fc.double({ min: -3, max: 3, noNaN: true })
  fc.assert(
    fc.property(
      fc.array(random, { minLength: 60, maxLength: 600 }),
      fc.double({ min: 0.1, max: 9, noNaN: true }),
      (drawn, span) => {
        const growths = Float64Array.from(drawn.slice(0, drawn.length - (drawn.length % 3)))
        const [run, own] = [spectrumOf(growths, span), summaryOf(growths, span)]
        for (const name of ['exponents', 'errors', 'convergence'] as const) {
          for (const [k, value] of run[name].entries()) {
            assert(Math.abs(value - own[name][k]!) <= 1e-12 * (1 + Math.abs(value)), name)
          }
        }
        const sorted = Array.from(run.exponents).sort((a, b) => b - a)
        assert(Math.abs(dimensionOf(sorted) - dimensionBy(sorted)) <= 1e-12)
      },
    ),
    { seed, numRuns: 100 },
  )
})

test('(x, y, z) and (−x, −y, z) are one course', () => {
  const one = sealed({ ...short, x0: [2, -1, 20], t_max: 15 })
  const other = sealed({ ...short, x0: [-2, 1, 20], t_max: 15 })
  assert.deepEqual(
    Array.from(other.x),
    Array.from(one.x, (x) => -x + 0),
  )
  assert.deepEqual(Array.from(other.z), Array.from(one.z))
})

test('a run goes on bit by bit where another ended, once its start is the state', () => {
  const first = sealed({ ...short, t_max: 5, outputs: 500 })
  const second = sealed({ ...short, t_max: 5, outputs: 500, x0: Array.from(first.end) })
  const whole = sealed({ ...short, t_max: 10, outputs: 1_000 })
  assert(Math.hypot(...second.end.map((value, c) => value - whole.end[c]!)) < 1e-10)
})

/** The answer of other parameters, judged as if it were of these. */
const judged = (mode: object, done: object): number => {
  const right = run(lorenz, input(mode)).outcome
  const wrong = run(lorenz, input({ ...mode, ...done })).outcome.output
  const { x, y, z, end, distance } = wrong
  return checkLorenz(input(mode) as LorenzInput, { ...right, output: { ...right.output, x, y, z, end, distance } })
    .errorPct
}

test('the check sees each coefficient of the course, and lost time', () => {
  for (const mode of [{ ...short }, { ...short, t_max: 2 }, { ...short, rho: 10 }]) {
    assert(judged(mode, {}) <= 0.1)
    const { sigma, rho, beta } = input(mode) as LorenzInput
    assert(!(judged(mode, { sigma: 1.01 * sigma }) <= 0.1))
    assert(!(judged(mode, { rho: 1.003 * rho }) <= 0.1))
    assert(!(judged(mode, { beta: 1.003 * beta }) <= 0.1))
  }
  assert(!(judged({ ...short, t_max: 2 }, { t_max: 1.996 }) <= 0.1))
  assert(!(judged({ ...short }, { x0: [1, 1, 1 + 1e-9] }) <= 0.1), 'one billionth of the start is worlds apart at 25')
})

/** The spectrum of tangent vectors that obey other numbers than the course, as a run would hand it over. */
const tangled = (mode: object, wrong: { sigma?: number; rho?: number; beta?: number }): number => {
  const asks = input(mode) as LorenzInput
  const found = run(lorenz, asks).outcome as Outcome<LorenzOutput, LorenzEvidence>
  const { starts } = found.evidence
  const growths = new Float64Array(3 * asks.batches)
  const span = found.output.exponentTime / asks.batches
  for (let k = 0; k < asks.batches; k++) {
    const it = createSpectrum({ sigma: asks.sigma, rho: asks.rho, beta: asks.beta, ...wrong })
    it.settle([1, 1, 1])
    it.s.set(starts.subarray(12 * k, 12 * k + 12))
    it.batch(growths.subarray(3 * k, 3 * k + 3))
  }
  const { exponents, errors, convergence } = spectrumOf(growths, span)
  const output = {
    ...found.output,
    exponents: exponents as unknown as number[],
    exponentErrors: errors as unknown as number[],
    convergence: convergence as unknown as number[],
    exponentSum: exponents[0] + exponents[1] + exponents[2],
    dimension: dimensionOf(exponents),
  }
  return checkLorenz(asks, { output, evidence: { starts, growths } }).errorPct
}

test('the check sees wrong numbers in the spectrum, of which the trace knows nothing', () => {
  assert(tangled(short, {}) <= 0.1)
  // The sum of the exponents does not depend on ρ at all.
  assert(!(tangled(short, { rho: 29 }) <= 0.1))
  assert(!(tangled(short, { sigma: 10.5, beta: 8 / 3 - 0.5 }) <= 0.1))
  const found = run(lorenz, input(short)).outcome
  const moved = (change: (evidence: LorenzEvidence) => LorenzEvidence): number =>
    checkLorenz(input(short), { ...found, evidence: change(found.evidence) }).errorPct
  assert(moved((it) => it) <= 0.1)
  assert(!(moved((it) => ({ ...it, growths: it.growths.map((growth) => 1.01 * growth) })) <= 0.1))
  assert(!(moved((it) => ({ ...it, starts: it.starts.map((at, k) => (k === 12 ? at + 1 : at)) })) <= 0.1))
  assert(!(moved((it) => ({ ...it, growths: it.growths.slice(3) })) <= 0.1))
})

test('what cannot be followed is refused with what passes', () => {
  for (const raw of [{ sigma: 0 }, { beta: -1 }, { x0: [1, 1] }, { x0: [1e5, 0, 0] }, { t_max: 0 }, { batches: 3 }]) {
    refusal('INVALID_INPUT', raw)
  }
  const { x0 } = refusal('ILL_POSED', { ...short, x0: [0, 0, 0] })
  lorenz.refuse(input({ x0 }))
  const side = Math.sqrt(72)
  refusal('ILL_POSED', { ...short, x0: [side, side, 27] })
  const { t_max } = refusal('ILL_POSED', { ...short, rho: 0.5, t_max: 900 })
  assert.equal(ends({ ...short, rho: 0.5, t_max }), 'sealed')
  const long = refusal('WORK_LIMIT_EXCEEDED', { ...short, x0: [1e4, 0, 0], t_max: 1_000 })
  lorenz.refuse(input({ x0: [1e4, 0, 0], t_max: long['t_max'] }))
  assert.equal(outcome({ ...short, x0: [0, 0, 5], t_max: 2 }).output.end[0], 0, 'the axis is kept')
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)

test('any input of the schema seals, is a shadow orbit or is refused with a code', () => {
  const place = fc.oneof(
    fc.constant(0),
    fc.double({ min: -1e4, max: 1e4, noNaN: true }),
    fc.double({ min: -20, max: 20, noNaN: true }),
  )
  const anything = fc.record(
    {
      sigma: decades(-3, 3),
      rho: fc.oneof(fc.double({ min: -1e3, max: 1e3, noNaN: true }), fc.double({ min: 0, max: 60, noNaN: true })),
      beta: decades(-3, 3),
      x0: fc.array(place, { minLength: 3, maxLength: 3 }),
      t_max: decades(-4, 1.2),
      outputs: fc.integer({ min: 1, max: 50 }),
    },
    { requiredKeys: [] },
  )
  const ended = new Map<string, number>()
  fc.assert(
    fc.property(anything, (raw) => {
      if (lorenz.work(input({ ...raw, ...short })) > 100) return
      const end = ends({ ...raw, ...short })
      ended.set(end, (ended.get(end) ?? 0) + 1)
    }),
    { seed, numRuns: 80 },
  )
  assert((ended.get('sealed') ?? 0) > 20, JSON.stringify([...ended]))
}, 60_000)

test.run()
