// Goal: lotka follows predator and prey as the equations say, by both methods and on cycles of every size, and its
// check sees every rate; what has no course to judge is refused.
// Method: courses to 30 digits made elsewhere, the period in closed limits, symmetries, halved steps; runs of altered
// equations with all that merely repeats put right; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expm1 } from '#numerics/math.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { checkLotka } from '#numerics/solvers/lotka/check/check.ts'
import { cycleOf, excess, excessInverse, periodOf } from '#numerics/solvers/lotka/cycle.ts'
import { lotka } from '#numerics/solvers/lotka/index.ts'
import type { LotkaInput, LotkaOutput } from '#numerics/solvers/lotka/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'
import { referenceOf } from '../reference.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/lotka')

keepsTheRules(test, lotka)

const { inputOf: input, sealed, reality, refusal, ends } = outcomesOf(lotka)

test('the courses to 30 digits', () => {
  for (const { t, state } of referenceOf('lotka')) {
    for (const method of ['dopri8', 'symplectic']) {
      const { preyEnd, predatorsEnd } = sealed({ t_max: t, method })
      assert(apart(preyEnd, state[0]!) < 2e-12 && apart(predatorsEnd, state[1]!) < 2e-12, `${method} at ${t}`)
    }
  }
  for (const { t, state } of referenceOf('lotka_far')) {
    const { preyEnd, predatorsEnd } = sealed({ x0: 80, y0: 80, t_max: t })
    assert(
      apart(preyEnd, state[0]!) < 1e-8 && apart(predatorsEnd, state[1]!) < 1e-8,
      `far at ${t}: ${preyEnd} ${predatorsEnd}`,
    )
  }
})

test('the distance from the fixed point is the inverse of its excess, near and far', () => {
  for (const s of [-600, -40, -1, -1e-3, -1e-9, 1e-9, 1e-3, 0.4999, 0.5, 1, 40, 600]) {
    const back = excessInverse(Math.sign(s) * Math.sqrt(excess(s)))
    assert(apart(back, s) < 1e-13, `${s}: ${back}`)
  }
  assert(apart(excess(0.5), expm1(0.5) - 0.5) < 1e-14 && apart(excess(0.4999999), 0.14872118) < 1e-6)
})

test('small cycles take 2π/√(αγ), and the next term of the period is that of the amplitude squared', () => {
  const small = input({ x0: 4.0001, y0: 2.75 })
  const limit = (2 * Math.PI) / Math.sqrt(1.1 * 0.4)
  assert(apart(periodOf(small, cycleOf(small).height), limit) < 1e-8)
  assert(apart(sealed({ x0: 4.0001, y0: 2.75 }).period!, limit) < 1e-8)
  // T = 2π/√(αγ)·(1 + h/12·(1/α + 1/γ) + O(h²)), h the height: the slope in h by two heights.
  const slope = (height: number): number => (periodOf(small, height) / limit - 1) / height
  const exact = (1 / 1.1 + 1 / 0.4) / 12
  assert(Math.abs(2 * slope(1e-3) - slope(2e-3) - exact) < 1e-5 * exact, `${slope(1e-3)} ${exact}`)
})

test('means over a cycle are the fixed point, and a course comes back after its period', () => {
  const { period } = sealed({})
  const cycle = sealed({ t_max: period!, outputs: 2_048 })
  const mean = (values: readonly number[]): number =>
    Array.from(values)
      .slice(1)
      .reduce((a, b) => a + b, 0) / 2_048
  assert(apart(mean(cycle.prey), 4) < 1e-10 && apart(mean(cycle.predators), 2.75) < 1e-10)
  assert(apart(cycle.preyEnd, 10) < 1e-11 && apart(cycle.predatorsEnd, 5) < 1e-11)
  assert.equal(sealed({ t_max: 15 }).period, null)
})

test('counting in dozens, or in months, is the same course', () => {
  const { preyEnd, predatorsEnd } = sealed({})
  const dozens = sealed({ x0: 10 / 12, y0: 5 / 12, delta: 1.2, beta: 4.8 })
  assert(apart(12 * dozens.preyEnd, preyEnd) < 1e-10 && apart(12 * dozens.predatorsEnd, predatorsEnd) < 1e-10)
  const months = sealed({ alpha: 1.1 / 12, beta: 0.4 / 12, delta: 0.1 / 12, gamma: 0.4 / 12, t_max: 1200 })
  assert(apart(months.preyEnd, preyEnd) < 1e-10)
})

test('the symplectic method is of order 8, and its first integral does not drift away', () => {
  const exact = referenceOf('lotka')[0]!.state[0]!
  const errorAt = (dt: number): number => {
    const { output } = run(lotka, input({ method: 'symplectic', dt, outputs: 1, t_max: 10 })).outcome
    return apart(output.preyEnd, exact)
  }
  const [coarse, fine] = [errorAt(1 / 3), errorAt(1 / 6)]
  const order = Math.log2(coarse / fine)
  assert(order > 7 && order < 10.5, `order ${order}: ${coarse}, ${fine}`)
  const long = sealed({ method: 'symplectic', dt: 0.2, t_max: 10_000, outputs: 4_096 })
  assert(long.invariantDriftPct < 1e-6, `${long.invariantDriftPct}`)
}, 20_000)

test('the fixed point stays to the bit, and a small cycle about it is judged on its own scale', () => {
  const rest = sealed({ x0: 4, y0: 2.75 })
  assert(Array.from(rest.prey).every((x) => x === 4) && Array.from(rest.predators).every((y) => y === 2.75))
  assert.equal(rest.period, null)
  const tiny = { x0: 4, y0: 2.75 * (1 + 1e-6) }
  assert(reality(tiny).errorPct < 1e-4)
  // One in a hundred of the deviation is 1e-8 of the population: seen all the same.
  const { output } = run(lotka, input(tiny)).outcome
  const off = 4 + 0.99 * (output.preyEnd - 4)
  const prey = Float64Array.from(output.prey)
  prey[prey.length - 1] = off
  const altered = { ...output, preyEnd: off, prey: prey as unknown as number[] }
  assert(!(checkLotka(input(tiny), altered).errorPct <= 0.1))
})

/** A run of other equations, with everything that only repeats or follows from the input as it should be. */
const judged = (asked: object, done: object): number => {
  const right = run(lotka, input(asked)).outcome.output
  const wrong = run(lotka, input({ ...asked, ...done })).outcome.output
  const { preyEquilibrium, predatorsEquilibrium, invariant, invariantExcess } = right
  const claimed: LotkaOutput = { ...wrong, preyEquilibrium, predatorsEquilibrium, invariant, invariantExcess }
  const found = checkLotka(input(asked) as LotkaInput, claimed)
  const { errorPct } = found
  return found.figures['echo_wrong'] === 1 ? Number.NaN : errorPct
}

test('the check sees each rate, the start, lost time and a step too large', () => {
  const spans: readonly object[] = [{}, { t_max: 2 }, { method: 'symplectic' }, { x0: 60 }]
  for (const span of spans) {
    assert(judged(span, {}) <= 0.1)
    for (const name of ['alpha', 'beta', 'gamma', 'delta'] as const) {
      const value = { alpha: 1.1, beta: 0.4, gamma: 0.4, delta: 0.1 }[name]
      assert(!(judged(span, { [name]: 1.003 * value }) <= 0.1), `${name} ${JSON.stringify(span)}`)
    }
    const right = input(span) as LotkaInput
    const { output } = run(lotka, input({ ...right, t_max: 0.998 * right.t_max })).outcome
    const { times } = run(lotka, right).outcome.output
    assert(!(checkLotka(right, { ...output, times, t_max: right.t_max }).errorPct <= 0.1))
  }
  refusal('PRECISION_NOT_MET', { method: 'symplectic', dt: 1.1, outputs: 1, x0: 7, y0: 3, t_max: 8000 })
  const { output } = run(lotka, input({})).outcome
  assert(!(checkLotka(input({}), { ...output, period: output.period! * 1.002 }).errorPct <= 0.1))
  assert(!(checkLotka(input({}), { ...output, period: null, cycles: 0 }).errorPct <= 0.1))
})

test('what cannot be followed is refused with what passes', () => {
  for (const raw of [{ x0: 0 }, { y0: -1 }, { alpha: 0 }, { gamma: -0.4 }, { outputs: 0 }])
    refusal('INVALID_INPUT', raw)
  const near = refusal('ILL_POSED', { x0: 4 * (1 + 1e-14), y0: 2.75 })
  assert.equal(ends({ x0: near['x0'], y0: near['y0'] }), 'sealed')
  refusal('OUT_OF_RANGE', { x0: 1e200 })
  const long = refusal('WORK_LIMIT_EXCEEDED', { t_max: 1e8 })
  lotka.refuse(input({ t_max: long['t_max'] }))
  const fine = refusal('WORK_LIMIT_EXCEEDED', { method: 'symplectic', dt: 1e-9 })
  lotka.refuse(input({ method: 'symplectic', dt: fine['dt'] }))
  const { dt } = refusal('UNSTABLE_STEP', { method: 'symplectic', dt: 5, outputs: 2 })
  lotka.refuse(input({ method: 'symplectic', dt, outputs: 2 }))
})

test('a run in two stretches ends as the one', () => {
  const first = sealed({ t_max: 50, outputs: 200 })
  const second = sealed({ t_max: 50, outputs: 200, x0: first.preyEnd, y0: first.predatorsEnd })
  assert(apart(second.preyEnd, sealed({}).preyEnd) < 1e-12)
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)

test('any input of the schema seals or is refused with a code', () => {
  const anything = fc.record(
    {
      alpha: decades(-6, 6),
      beta: decades(-6, 6),
      delta: decades(-6, 6),
      gamma: decades(-6, 6),
      x0: fc.oneof(decades(-279, 279), decades(-2, 3)),
      y0: fc.oneof(decades(-279, 279), decades(-2, 3)),
      t_max: decades(-6, 3),
      dt: decades(-4, 2),
      method: fc.constantFrom('dopri8', 'symplectic'),
      outputs: fc.integer({ min: 1, max: 40 }),
    },
    { requiredKeys: [] },
  )
  const calm = fc.record({ x0: decades(-1, 2), y0: decades(-1, 2), alpha: decades(-1, 0.5), t_max: decades(0, 2) })
  let seals = 0
  // A hostile run may take the steps of its bound: it is only posed, and run when that is short.
  const short = (raw: object): boolean => {
    try {
      lotka.refuse(input(raw))
      return lotka.work(input(raw)) < 200
    } catch {
      return true
    }
  }
  fc.assert(
    fc.property(fc.oneof(anything, calm), (raw) => {
      if (short(raw) && ends(raw) === 'sealed') seals++
    }),
    { seed, numRuns: 250 },
  )
  assert(seals > 40, `${seals} sealed`)
}, 30_000)

test('a judge that is given nonsense says so', () => {
  const { output } = run(lotka, input({})).outcome
  const broken: readonly Partial<LotkaOutput>[] = [
    { times: [] },
    { prey: [] },
    { cycles: 3 },
    { invariantDriftPct: 1e-3 },
  ]
  for (const part of broken) assert.throws(() => passGate(checkLotka(input({}), { ...output, ...part })))
})

test.run()
