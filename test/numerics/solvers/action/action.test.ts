// Goal: action's compositions have their orders and keep what Hamilton's equations keep, its closed forms are right,
// and its check sees every coefficient; what escapes, falls, hangs or cannot be predicted is refused or flagged.
// Method: sums that make a composition's order, elliptic functions against quadrature and identities, Kepler's laws,
// time turned round, a course to 30 digits made elsewhere; runs of altered systems and schemes; inputs drawn from the
// schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { amplitudeOf, completeIntegral, incompleteIntegral } from '#numerics/methods/elliptic.ts'
import { integral } from '#numerics/methods/quadrature.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { checkAction } from '#numerics/solvers/action/check/check.ts'
import { exactRows } from '#numerics/solvers/action/exact.ts'
import { action } from '#numerics/solvers/action/index.ts'
import { energyErrorsOf, largestOf, problemOf, scheduleOf } from '#numerics/solvers/action/problem.ts'
import { loopsOf } from '#numerics/solvers/action/run/loops.ts'
import { composedOf, NO_RK4 } from '#numerics/solvers/action/run/motion.ts'
import type { ActionInput, ActionOutput } from '#numerics/solvers/action/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { referenceOf } from '../reference.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/action')

keepsTheRules(test, action)

const { inputOf: input, sealed, reality, refusal, ends } = outcomesOf(action)

test('weights of a composition add up to 1, read the same from either end, and meet their order', () => {
  for (const order of [4, 6, 8] as const) {
    const weights = Array.from(compositionOf(order))
    assert.deepEqual(weights.toReversed(), weights)
    assert.equal(weights.length, { 4: 3, 6: 9, 8: 17 }[order])
    // A symmetric composition of order p needs Σ wⁿ = 0 for odd n from 3 to p − 1 (and more).
    for (let n = 1; n < order; n += 2) {
      const sum = weights.reduce((all, weight) => all + weight ** n, 0)
      assert(Math.abs(sum - (n === 1 ? 1 : 0)) < 3e-15, `order ${order}, power ${n}: ${sum}`)
    }
    const { kicks, drifts } = composedOf(compositionOf(order), 2)
    assert(
      Math.abs(kicks.reduce((a, b) => a + b, 0) - 2) < 1e-14 && Math.abs(drifts.reduce((a, b) => a + b, 0) - 2) < 1e-14,
    )
  }
})

test('elliptic integrals are their quadratures, and the amplitude is their inverse', () => {
  for (const k of [1e-8, 0.1, 0.5, 0.9, 0.999, 0.9999999]) {
    const modulus = { k, complement: Math.sqrt((1 - k) * (1 + k)) }
    const integrand = (t: number): number => 1 / Math.sqrt(1 - k * k * Math.sin(t) ** 2)
    const complete = completeIntegral(modulus)
    assert(apart(complete, integral(integrand, 0, Math.PI / 2)) < 1e-8, `K(${k})`)
    for (const phi of [-7, -1.2, 1e-9, 0.7, Math.PI / 2, 3, 20]) {
      const u = incompleteIntegral(phi, modulus)
      assert(Math.abs(u - integral(integrand, 0, phi)) < 1e-8 * Math.abs(u) + 1e-15, `F(${phi}, ${k})`)
      assert(Math.abs(amplitudeOf(u, modulus) - phi) < 1e-7 * Math.max(1, Math.abs(phi)), `am at ${phi}, ${k}`)
    }
  }
  // Abramowitz, Stegun, table 17.1: K at k² = 0.5.
  assert(apart(completeIntegral({ k: Math.SQRT1_2, complement: Math.SQRT1_2 }), 1.854074677301372) < 1e-15)
})

test('the closed form of an orbit keeps Kepler’s laws and closes', () => {
  for (const raw of [
    {},
    { kepler: { e: 0.95 } },
    { initial: [0.3, -1.1, 0.7, 0.4] },
    { kepler: { mu: 4e14, a: 7e6, e: 1e-9 } },
  ]) {
    const asks = input(raw) as ActionInput
    const { period, start, energy, energyScale, place, rate } = problemOf(asks)
    const times = Array.from({ length: 33 }, (_, k) => (k * period) / 32)
    const rows = exactRows(asks, times)!
    const areal = (k: number): number => rows[4 * k]! * rows[4 * k + 3]! - rows[4 * k + 1]! * rows[4 * k + 2]!
    for (let k = 0; k <= 32; k++) {
      assert(Math.abs(energy(rows.subarray(4 * k, 4 * k + 4)) - energy(start)) < 1e-12 * energyScale * 40)
      assert(apart(areal(k), areal(0)) < 1e-12)
    }
    for (let c = 0; c < 4; c++) assert(Math.abs(rows[128 + c]! - start[c]!) < 1e-11 * (c < 2 ? place : 40 * rate))
  }
})

test('the observed order is the order, for every system', () => {
  for (const system of ['kepler', 'pendulum', 'henon-heiles']) {
    for (const order of [4, 6, 8]) {
      const { observedOrder } = run(action, input({ system, order, periods: 1 })).outcome.output
      assert(Math.abs(observedOrder! - order) < 0.3, `${system} ${order}: ${observedOrder}`)
    }
  }
})

test('figures of the notes: Kepler e = 0.6 over 20 orbits by order 8 and by Yoshida’s 4', () => {
  const eight = sealed({})
  const [x, y] = eight.end
  assert(Math.hypot(x! - 0.4, y!) < 8e-7 && eight.energyDriftPct < 2e-7)
  const four = run(action, input({ order: 4, stepsPerPeriod: 200 })).outcome.output
  const off = Math.hypot(four.end[0]! - 0.4, four.end[1]!)
  assert(off > 0.03 && off < 0.045, `${off}`)
  refusal('PRECISION_NOT_MET', { order: 4, stepsPerPeriod: 200 })
})

test('the symplectic energy error stays, RK4’s grows with time', () => {
  const at = (periods: number): ActionOutput =>
    run(action, input({ order: 4, stepsPerPeriod: 300, periods })).outcome.output
  const [some, many] = [at(10), at(100)]
  assert(many.energyDriftPct < 1.1 * some.energyDriftPct)
  assert(many.rk4EnergyDriftPct > 7 * some.rk4EnergyDriftPct && many.rk4EnergyDriftPct > many.energyDriftPct)
  assert.equal(some.rk4Steps >= (some.steps * some.stages) / 4, true)
})

test('time turned round goes back to the start', () => {
  for (const system of ['kepler', 'pendulum', 'henon-heiles']) {
    const { end } = sealed({ system })
    const half = end.length / 2
    const back = sealed({ system, initial: Array.from(end, (value, i) => (i < half ? value : -value)) })
    const start = sealed({ system, periods: 1 })
    const first = half === 1 ? [start.x[0]!] : [start.x[0]!, start.y[0]!]
    first.forEach((value, i) => {
      assert(Math.abs(back.end[i]! - value) < 1e-10, `${system} ${i}: ${back.end[i]}`)
    })
  }
})

test('a pendulum: small swings are harmonic, wide ones take their known time, turns wind up', () => {
  const g = 9.80665
  const small = sealed({ system: 'pendulum', pendulum: { angle: 1e-5 } })
  assert(apart(small.period, (2 * Math.PI) / Math.sqrt(g)) < 1e-10)
  // A quarter-circle swing takes K(sin 45°)/(π/2) = 1.18034 times as long.
  const wide = sealed({ system: 'pendulum', pendulum: { angle: Math.PI / 2 } })
  assert(apart(wide.period / ((2 * Math.PI) / Math.sqrt(g)), 1.1803405990160962) < 1e-12)
  const turning = sealed({ system: 'pendulum', pendulum: { angle: 0, rate: -9 }, periods: 7 })
  assert.equal(turning.motion, 'rotation')
  assert(Math.abs(turning.place + 14 * Math.PI) < 1e-9)
})

test('the star’s course to 30 digits', () => {
  for (const { t, state } of referenceOf('henon')) {
    const rows = exactRows(input({ system: 'henon-heiles' }) as ActionInput, [0, t])!
    state.forEach((value, i) => {
      assert(Math.abs(rows[4 + i]! - value) < 1e-12)
    })
  }
})

test('a chaotic star beyond its horizon has no value and no seal; its stretches hold', () => {
  const raw = { system: 'henon-heiles', henonHeiles: { px: 0.5, py: 0.1 }, periods: 100 }
  const far = { ...raw, periods: 400 }
  assert.equal(ends(raw), 'sealed')
  const { reality: none, value, outcome } = produce(action, input(far))
  assert(none === null && value === null && outcome.output.shadowOrbit && outcome.output.horizon! < 2_513)
  assert.equal(action.sealable?.(input(far)), false)
  assert(checkAction(input(far) as ActionInput, outcome.output).errorPct < 1e-4)
})

const systems = { kepler: {}, pendulum: { system: 'pendulum' }, star: { system: 'henon-heiles' } } as const

/** The states of another run, with all that is read off them as it follows. */
const claimed = (asks: ActionInput, other: ActionOutput): ActionOutput => {
  const right = run(action, asks).outcome.output
  const problem = problemOf(asks)
  const { x, y, u, v, end, place } = other
  const errors = energyErrorsOf(
    problem,
    [x, y, u, v].map((it) => Float64Array.from(it)),
  )
  const last = [x, y, u, v].map((it) => it.at(-1)!)
  return {
    ...right,
    ...{ x, y, u, v, end, place },
    energyErrorPct: errors as unknown as number[],
    energyDriftPct: largestOf(errors),
    energyEnd: problem.energy(last),
  }
}

test('the check sees each coefficient, a lost step and time told wrongly', () => {
  const wrong: readonly (readonly [object, object])[] = [
    [systems.kepler, { kepler: { mu: 1.002, a: 1.002 } }],
    [systems.pendulum, { pendulum: { g: 9.82 } }],
    [systems.pendulum, { pendulum: { length: 1.002 } }],
  ]
  for (const [mode, done] of wrong) {
    const asks = input(mode) as ActionInput
    const start = Array.from(problemOf(asks).start).filter((_, i) => asks.system !== 'pendulum' || i % 2 === 0)
    const { output } = run(action, input({ ...mode, ...done, initial: start })).outcome
    assert(!(checkAction(asks, claimed(asks, output)).errorPct <= 0.1), JSON.stringify(done))
  }
  for (const mode of Object.values(systems)) {
    const asks = input({ ...mode, periods: 5 }) as ActionInput
    assert(checkAction(asks, claimed(asks, run(action, asks).outcome.output)).errorPct <= 0.1)
    // A composition whose weights add up to a little less, or of which one stage is left out.
    for (const alter of [(w: number) => 0.999 * w, (w: number, i: number) => (i === 4 ? 0 : w)]) {
      const weights = compositionOf(8).map(alter)
      const problem = problemOf(asks)
      const { dt, every, samples } = scheduleOf(asks, problem)
      const pair = Float64Array.of(...problem.start, ...problem.start)
      const columns = [0, 1, 2, 3].map(() => new Float64Array(samples))
      for (let k = 0; k < samples; k++) {
        columns.forEach((column, c) => {
          column[k] = pair[c]!
        })
        loopsOf(asks)(pair, { steps: every, by: composedOf(weights, dt) }, NO_RK4)
      }
      const [x, y, u, v] = columns as unknown as [number[], number[], number[], number[]]
      const last = [x, y, u, v].map((it) => it[samples - 1]!)
      const pendulum = asks.system === 'pendulum'
      const other = { ...run(action, asks).outcome.output, x, y, u, v }
      const end = pendulum ? [last[0]!, last[2]!] : last
      const place = pendulum ? last[0]! : Math.hypot(last[0]!, last[1]!)
      assert(!(checkAction(asks, claimed(asks, { ...other, end, place })).errorPct <= 0.1))
    }
  }
})

test('the check sees a star in another potential, and side figures that were made up', () => {
  const asks = input(systems.star) as ActionInput
  const { output } = run(action, asks).outcome
  // The same course in time 0.2 % slower: the energy knows nothing of it.
  const slow = exactRows(
    asks,
    Array.from(output.times, (t) => 0.998 * t),
  )!
  const columns = [0, 1, 2, 3].map((c) => Float64Array.from(output.times, (_, k) => slow[4 * k + c]!))
  const [x, y, u, v] = columns as unknown as [number[], number[], number[], number[]]
  const end = [x, y, u, v].map((it) => it.at(-1)!)
  const altered = claimed(asks, { ...output, x, y, u, v, end, place: Math.hypot(end[0]!, end[1]!) })
  assert(altered.energyDriftPct < 1e-10)
  assert(!(checkAction(asks, altered).errorPct <= 0.1))
  const parts: readonly Partial<ActionOutput>[] = [
    { rk4EnergyDriftPct: 2 * output.rk4EnergyDriftPct },
    { rk4EnergyErrorPct: output.energyErrorPct },
    { observedOrder: 7.9 },
    { observedOrder: null },
    { orderErrors: Array.from(output.orderErrors, (error) => 1.02 * error) },
    { shadowOrbit: true },
    { motion: 'orbit' },
    { times: [] },
  ]
  for (const part of parts) assert(!(checkAction(asks, { ...output, ...part }).errorPct <= 0.1), Object.keys(part)[0])
})

test('too few steps are refused: before work where unstable, else by the check', () => {
  const { stepsPerPeriod } = refusal('UNSTABLE_STEP', { kepler: { e: 0.95 } })
  action.refuse(input({ kepler: { e: 0.95 }, stepsPerPeriod }))
  const details = refusal('PRECISION_NOT_MET', { stepsPerPeriod: 40 })
  assert((details['course_pct'] as number) > 0.1)
  assert(reality({ stepsPerPeriod: 60 }).errorPct < 0.1)
})

test('what has no such motion is refused', () => {
  for (const raw of [{ order: 5 }, { kepler: { e: 1 } }, { periods: 0 }, { initial: [1] }])
    refusal('INVALID_INPUT', raw)
  refusal('INVALID_INPUT', { system: 'pendulum', initial: [1, 0, 0, 0] })
  refusal('ILL_POSED', { initial: [1, 0, 0, 1.5] })
  refusal('ILL_POSED', { initial: [1, 0, 0.5, 0] })
  refusal('ILL_POSED', { initial: [0, 0, 0, 1] })
  refusal('ILL_POSED', { system: 'pendulum', pendulum: { angle: Math.PI } })
  refusal('ILL_POSED', { system: 'pendulum', pendulum: { angle: 0 } })
  const { rate } = refusal('ILL_POSED', { system: 'pendulum', pendulum: { angle: 0, rate: 2 * Math.sqrt(9.80665) } })
  assert.equal(ends({ system: 'pendulum', pendulum: { angle: 0, rate }, stepsPerPeriod: 300 }), 'sealed')
  refusal('ILL_POSED', { system: 'henon-heiles', henonHeiles: { px: 0.7 } })
  refusal('ILL_POSED', { system: 'henon-heiles', henonHeiles: { x: 0, y: 1.6, px: 0, py: 0 } })
  refusal('ILL_POSED', { system: 'henon-heiles', henonHeiles: { x: 0, y: 0, px: 0, py: 0 } })
  const named = ['initial', 'angle', 'rate', 'periods', 'stepsPerPeriod']
  for (const raw of [
    { initial: [1, 0, 0, 1.5] },
    { initial: [1e-3, 2, 0.5, 1e3] },
    { initial: [1, 0, 0.5, 0] },
    { kepler: { mu: 1e30 }, initial: [1e-15, 0, 0, 1e25] },
    { system: 'pendulum', initial: [0, 0] },
    { system: 'pendulum', initial: [Math.PI, 0] },
    { system: 'henon-heiles', henonHeiles: { px: 0.7 } },
    { system: 'henon-heiles', initial: [1e25, -1e25, 1e25, 0] },
    { system: 'henon-heiles', henonHeiles: { x: 0, y: 1.6, px: 0, py: 0 } },
    { system: 'henon-heiles', henonHeiles: { x: 0, y: 0, px: 0, py: 0 } },
    { stepsPerPeriod: 8 },
    { periods: 100_000, stepsPerPeriod: 10_000 },
  ]) {
    passing(action, raw, named)
  }
  const { periods } = refusal('WORK_LIMIT_EXCEEDED', { periods: 100_000, stepsPerPeriod: 10_000 })
  assert.equal(periods, 2_000)
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)
const between = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })

test('any input of the schema seals, is a shadow orbit or is refused with a code', () => {
  const anything = fc.record(
    {
      system: fc.constantFrom('kepler', 'pendulum', 'henon-heiles'),
      order: fc.constantFrom(4, 6, 8),
      stepsPerPeriod: fc.integer({ min: 8, max: 400 }),
      periods: fc.integer({ min: 1, max: 8 }),
      outputs: fc.integer({ min: 1, max: 60 }),
      kepler: fc.record({ mu: decades(-30, 30), a: decades(-15, 25), e: between(0, 0.999) }),
      pendulum: fc.record({
        g: decades(-6, 6),
        length: decades(-9, 9),
        angle: between(-3.1, 3.1),
        rate: between(-20, 20),
      }),
      henonHeiles: fc.record({
        x: between(-0.5, 0.5),
        y: between(-0.5, 0.5),
        px: between(-0.4, 0.4),
        py: between(-0.4, 0.4),
      }),
      initial: fc.option(fc.array(fc.oneof(between(-1, 1), between(-1e25, 1e25)), { minLength: 2, maxLength: 4 }), {
        nil: undefined,
        freq: 4,
      }),
    },
    { requiredKeys: ['system'] },
  )
  const ended = new Map<string, number>()
  fc.assert(
    fc.property(anything, (raw) => {
      const { initial, ...rest } = raw
      const end = ends(initial === undefined ? rest : raw)
      ended.set(end, (ended.get(end) ?? 0) + 1)
    }),
    { seed, numRuns: 250 },
  )
  assert((ended.get('sealed') ?? 0) > 30, JSON.stringify([...ended]))
}, 60_000)

test.run()
