// Goal: blackhole follows falls and orbits as Schwarzschild's geometry says, inside and outside, weak fields and
// strong, and its check sees every term of the geodesic equation; what escapes, whirls or circles is refused.
// Method: closed forms (cycloid, MTW's coordinate time), published figures (Mercury, S2, capture, ISCO), limits; runs
// of altered geodesics with all that merely repeats put right; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { dopri8 } from '#numerics/methods/ode/dopri8.ts'
import { createIntegrator } from '#numerics/methods/ode/integrator.ts'
import { integral } from '#numerics/methods/quadrature.ts'
import { run } from '#numerics/runtime/run.ts'
import { checkBlackhole } from '#numerics/solvers/blackhole/check/check.ts'
import { cycloid, outsideTime, overAngles, periodsBy, radialTimes } from '#numerics/solvers/blackhole/check/exact.ts'
import { driftsOf } from '#numerics/solvers/blackhole/drifts.ts'
import { unitsOf } from '#numerics/solvers/blackhole/hole.ts'
import { blackhole } from '#numerics/solvers/blackhole/index.ts'
import {
  fateOf,
  particleOf,
  radialSquare,
  T_EDGE,
  tortoise,
  turnsOf,
  vRateOf,
} from '#numerics/solvers/blackhole/problem.ts'
import type { BlackholeEvidence, BlackholeInput, BlackholeOutput } from '#numerics/solvers/blackhole/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/blackhole')

keepsTheRules(test, blackhole)

const { inputOf: input, sealed, reality, refusal, ends } = outcomesOf(blackhole)
const orbit = { mode: 'orbit' } as const

test('the default fall: proper time by the formula, coordinate time by that of the book', () => {
  const { properTime, coordinateTime, fate } = sealed({})
  const c = 299_792_458
  const rs = (2 * 6.6743e-11 * 1.98892e31) / c ** 2
  const tau = ((10 * rs) / c) * Math.sqrt(10) * (Math.acos(Math.sqrt(0.1)) + Math.sqrt(0.1 * 0.9))
  assert.equal(fate, 'captured')
  assert(apart(properTime!, tau) < 1e-10)
  assert(apart(coordinateTime! / unitsOf(1.98892e31).time, cycloid(20, T_EDGE).t) < 1e-9)
  // Through the horizon to the middle, from rest far away: π/2·√(R³/2) in all.
  const whole = sealed({ r0: 10, end: 1e-3 })
  assert(apart(whole.properTime! / unitsOf(1.98892e31).time, (Math.PI / 2) * Math.sqrt(20 ** 3 / 2)) < 1e-5)
})

test('closed forms of the check are their own quadratures', () => {
  const it = particleOf(input({}) as BlackholeInput)
  for (const r of [15, 6, 3, 2.001]) {
    // From just below the top, where 1/√g is still finite.
    const tau = integral((x) => 1 / Math.sqrt(radialSquare(it, 1 / x)), r, 19)
    assert(apart(radialTimes(it, 19, r).tau, tau) < 1e-10, `${r}`)
    assert(apart(radialTimes(it, 19, r).t, outsideTime(it, 19, r)) < 1e-9, `${r}`)
  }
  const round = particleOf(input({ ...orbit }) as BlackholeInput)
  const { far, near } = turnsOf(round) as { far: number; near: number }
  for (const u of [far, near]) assert(Math.abs(radialSquare(round, u)) < 1e-14)
  const exact = periodsBy(round, { far, near })
  const rows = overAngles(round, [0, 2 * Math.PI + exact.precession])!
  assert(apart(rows[4]!, far) < 1e-11 && apart(rows[6]!, exact.tau) < 1e-11)
  assert(apart(rows[7]! - tortoise(1 / rows[4]!), exact.t) < 1e-9)
})

test('Mercury gains 43 seconds of arc in a century, S2 a fifth of a degree in a turn', () => {
  // Perihelion 46.0012e9 m, aphelion 69.8169e9 m, 415.2 turns in a century (NASA fact sheet): 42.98″.
  const turnAt = (M: number, nearest: number, farthest: number): BlackholeOutput => {
    const { length } = unitsOf(M)
    const [a, b] = [length / farthest, length / nearest]
    // u_1 and u_2 give L by the sum of the products of the roots: 1/L² = u_1u_2 + (u_1 + u_2)(1/2 − u_1 − u_2).
    const l = 1 / Math.sqrt(a * b + (a + b) * (0.5 - a - b))
    return sealed({ ...orbit, M, r0: farthest / (2 * length), orbit: { l, turns: 2 } })
  }
  const mercury = turnAt(1.98841e30, 46.0012e9, 69.8169e9)
  const seconds = (415.2 * mercury.precession! * 180 * 3_600) / Math.PI
  assert(Math.abs(seconds - 42.98) < 0.02, `${seconds}`)
  assert(Math.abs(mercury.radialPeriod! / 86_400 - 87.969) < 0.01)
  assert(apart(mercury.nearest!, 46.0012e9) < 1e-9)
  // GRAVITY collaboration, Astron. Astrophys. 636 (2020) L5: 12.1′ for a = 125.06 mas at 8.247 kpc, e = 0.8847, M =
  // 4.26e6 suns.
  const a = 125.06e-3 * 8247 * 149_597_870_700
  const s2 = turnAt(4.26e6 * 1.98841e30, a * (1 - 0.884_7), a * (1 + 0.884_7))
  const minutes = (s2.precession! * 180 * 60) / Math.PI
  assert(Math.abs(minutes - 12.1) < 0.15, `${minutes}`)
})

test('capture: a particle from rest at infinity is caught below L = 4 GM/c and turns above', () => {
  const fate = (l: number): string => sealed({ ...orbit, r0: 100, orbit: { l, energy: 1 } }).fate
  assert.equal(fate(3.99), 'captured')
  assert.equal(fate(4.01), 'scattered')
  refusal('ILL_POSED', { ...orbit, r0: 100, orbit: { l: 4, energy: 1 } })
  const { iscoEnergy, iscoAngularMomentum, iscoRadius, photonSphereRadius, schwarzschildRadius } = sealed({})
  assert(apart(iscoEnergy, Math.sqrt(8 / 9)) < 1e-15 && apart(iscoAngularMomentum, 2 * Math.sqrt(3)) < 1e-15)
  assert(
    apart(iscoRadius / schwarzschildRadius, 3) < 1e-15 && apart(photonSphereRadius / schwarzschildRadius, 1.5) < 1e-15,
  )
  // Just outside the innermost stable circle a push is a small wave, just inside a fall.
  const stable = sealed({ ...orbit, r0: 3.3, orbit: { l: 3.48, turns: 1 } })
  assert.equal(stable.fate, 'bound')
  assert.equal(sealed({ ...orbit, r0: 2.9, orbit: { l: 3.45 } }).fate, 'captured')
})

test('far away the orbit is Kepler’s and the scattering angle Rutherford’s', () => {
  const wide = sealed({ ...orbit, r0: 1e7, orbit: { l: 4_000, turns: 1 } })
  const { length, time } = unitsOf(1.98892e31)
  const a = (wide.nearest! + wide.farthest!) / 2 / length
  assert(apart(wide.radialPeriod! / time, 2 * Math.PI * a * Math.sqrt(a)) < 1e-5)
  assert(apart(wide.precession!, (6 * Math.PI * 1) / (4_000 * 4_000)) < 1e-5, 'to first order 6π/L²')
  const p = 4_000 ** 2
  assert(apart(wide.nearest! / length, p / (1 + (1 - wide.nearest! / length / a))) < 1e-5)
})

test('an angular momentum of the other sign is the mirror image', () => {
  const state = { r: 20, phi: 0, v: 0, rRate: -0.01, phiRate: 0.0105 }
  const one = sealed({ ...orbit, state })
  const other = sealed({ ...orbit, state: { ...state, phiRate: -0.0105 } })
  assert(apart(other.properTime!, one.properTime!) < 1e-13)
  assert(apart(-other.angles!.at(-1)!, one.angles!.at(-1)!) < 1e-13)
})

test('Hawking: ten suns are at 6.2 nK for 7e77 s, and no mass of the schema rounds to zero or infinity', () => {
  const it = sealed({ mode: 'hawking' })
  assert(apart(it.hawkingTemperature, 6.16868e-9) < 1e-5 && apart(it.evaporationTime, 6.6e77) < 0.01)
  assert.equal(blackhole.unitOf?.(input({ mode: 'hawking' })), 'K')
  assert.deepEqual(blackhole.operatorsOf?.(input({ mode: 'hawking' })), ['APX10', 'HAWKING_LIFETIME'])
  for (const M of [2.2e-8, 1e11, 1e45]) {
    const { hawkingTemperature, evaporationTime, hawkingPower } = sealed({ mode: 'hawking', M })
    for (const value of [hawkingTemperature, evaporationTime, hawkingPower]) assert(value > 0 && Number.isFinite(value))
    // P·t = Mc²/3: what is radiated at this rate would take thrice as long.
    assert(apart((hawkingPower * evaporationTime * 3) / (M * 299_792_458 ** 2), 1) < 1e-12)
  }
})

/** Terms of the geodesic equation, all 1 in the truth. */
interface Terms {
  readonly pull: number
  readonly whirl: number
  readonly drag: number
  readonly turn: number
  readonly clock: number
}
const truth: Terms = { pull: 1, whirl: 1, drag: 1, turn: 1, clock: 1 }

/** A run of altered geodesics as the solver would hand it over, sampled at the proper times of the right one. */
const judged = (raw: object, terms: Partial<Terms>): number => {
  const asks = input(raw) as BlackholeInput
  const right = run(blackhole, asks).outcome
  const it = particleOf(asks)
  const { pull, whirl, drag, turn, clock } = { ...truth, ...terms }
  const path = createIntegrator(
    dopri8,
    (_, y, rate) => {
      const [r, , , dr, dphi, dv] = y as unknown as [number, number, number, number, number, number]
      const bend = whirl * r * dphi * dphi - pull * (dv / r) ** 2
      rate.set([
        dr,
        dphi,
        clock * dv,
        (1 - 2 / r) * bend + (drag * 2 * dr * dv) / r / r,
        (-2 * turn * dr * dphi) / r,
        bend,
      ])
    },
    6,
    { relative: 1e-13, absolute: 1e-14, stepsMax: 1e5 },
  )
  const rows = (right.evidence as BlackholeEvidence).rows.slice()
  const count = rows.length / 7
  path.begin(0, [it.r, it.phi, it.v, it.rRate, it.phiRate, vRateOf(it)], rows[7 * (count - 1)]!)
  const out = new Float64Array(6)
  let k = 1
  while (k < count) {
    path.step()
    for (; k < count && rows[7 * k]! <= path.t(); k++) {
      path.at(rows[7 * k]!, out)
      rows.set(out, 7 * k + 1)
    }
  }
  const { length, time } = unitsOf(asks.M)
  const column = (c: number, scale = 1): number[] =>
    Array.from({ length: count }, (_, row) => scale * rows[7 * row + c]!)
  const radii = column(1)
  const inside = radii.findIndex((r) => r < T_EDGE)
  const shown = inside < 0 ? count : inside
  const t0 = it.v - tortoise(it.r)
  const times = radii.slice(0, shown).map((r, row) => time * (rows[7 * row + 3]! - tortoise(r) - t0))
  const output: BlackholeOutput = {
    ...right.output,
    properTimes: column(0, time),
    radii: column(1, length),
    angles: column(2),
    rates: column(4),
    coordinateTimes: times,
    end: [1, 2, 3, 4, 5].map((c) => rows[7 * (count - 1) + c]!),
  }
  // The drifts are told as the samples show them.
  const found = checkBlackhole(asks, { output: { ...output, ...driftsOf(it, rows) }, evidence: { rows } })
  assert(found.figures['echo_wrong'] !== 1, 'the samples themselves are judged')
  return found.errorPct
}

test('the check sees every term of the geodesic equation', () => {
  const fall = { end: 2 }
  const round = { ...orbit, orbit: { turns: 1 } }
  for (const raw of [fall, round]) {
    assert(judged(raw, {}) <= 0.1)
    for (const term of ['pull', 'drag', 'clock'] as const) {
      assert(!(judged(raw, { [term]: 1.003 }) <= 0.1), `${term} ${JSON.stringify(raw)}`)
    }
  }
  for (const term of ['whirl', 'turn'] as const) assert(!(judged(round, { [term]: 1.003 }) <= 0.1), term)
  // The drag of the time component is what general relativity adds: Newton's path is refused.
  assert(!(judged(fall, { drag: 0 }) <= 0.1))
})

test('the check sees another black hole, another start, periods and precession that are off', () => {
  const asks = input({ ...orbit }) as BlackholeInput
  const right = run(blackhole, asks).outcome
  const altered = (part: Partial<BlackholeOutput>): number =>
    checkBlackhole(asks, { ...right, output: { ...right.output, ...part } }).errorPct
  assert(altered({}) <= 0.1)
  const { output } = right
  const parts: readonly Partial<BlackholeOutput>[] = [
    { precession: 1.002 * output.precession! },
    { radialPeriod: 1.002 * output.radialPeriod! },
    { coordinatePeriod: 0.998 * output.coordinatePeriod! },
    { nearest: 1.002 * output.nearest! },
    { farthest: null },
    { sweep: 1 },
    { coordinateTime: null },
    { fate: 'captured' },
    { energyDriftPct: 1e-9 },
    { properTimes: null },
    { end: null },
  ]
  for (const part of parts) assert(!(altered(part) <= 0.1), Object.keys(part)[0])
  for (const done of [{ M: 1.002 * 1.98892e31 }, { r0: 10.02 }, { orbit: { l: 4.204 } }]) {
    const wrong = run(blackhole, input({ ...orbit, ...done })).outcome
    assert(!(checkBlackhole(asks, wrong).errorPct <= 0.1), JSON.stringify(done))
  }
  const { evidence } = right
  assert(!(checkBlackhole(asks, { ...right, evidence: null }).errorPct <= 0.1))
  const rows = evidence!.rows.map((value, k) => (k === 7 * 40 + 4 ? value + 1e-3 : value))
  assert(!(checkBlackhole(asks, { ...right, evidence: { rows } }).errorPct <= 0.1))
})

test('falls and orbits go on where they ended, through the horizon too', () => {
  const first = sealed({})
  const next = blackhole.continued?.(input({}), first) as BlackholeInput
  const second = sealed(next)
  const whole = sealed({ end: 0.1 })
  assert(apart(first.properTime! + second.properTime!, whole.properTime!) < 1e-11)
  assert.equal(second.coordinateTime, null, 'no clock outside sees it')
  const turned = sealed({ ...orbit, orbit: { turns: 2 } })
  const on = sealed(blackhole.continued?.(input({ ...orbit, orbit: { turns: 2 } }), turned) as object)
  assert(apart(on.precession!, turned.precession!) < 1e-10)
})

test('what cannot be is refused with what passes', () => {
  for (const raw of [{ M: 0 }, { r0: 1 }, { end: 0 }, { mode: 'spin' }, { orbit: { turns: 0 } }])
    refusal('INVALID_INPUT', raw)
  refusal('OUT_OF_RANGE', { mode: 'hawking', M: 1e-9 })
  const { end } = refusal('ILL_POSED', { end: 11 })
  assert.equal(ends({ end }), 'sealed')
  const low = refusal('ILL_POSED', { ...orbit, orbit: { l: 10, energy: 1 } })
  assert.equal(ends({ ...orbit, orbit: { l: 10, energy: 1.01 * (low['energy'] as number) } }), 'sealed')
  refusal('ILL_POSED', { ...orbit, orbit: { l: 30 } })
  // The circle of radius 20: L² = r²/(r − 3).
  refusal('ILL_POSED', { ...orbit, orbit: { l: Math.sqrt(400 / 17) } })
  refusal('ILL_POSED', { ...orbit, state: { r: 1.5, rRate: 0.1 } })
  refusal('INVALID_INPUT', { state: { r: 20, phiRate: 0.01 } })
})

test('the number in a refusal passes, for a given state too', () => {
  const state = (more: object): object => ({ ...orbit, state: { r: 20, phi: 0, v: 0, rRate: 0, phiRate: 0, ...more } })
  const stated = (raw: object): Readonly<Record<string, unknown>> =>
    (raw as { state?: Readonly<Record<string, unknown>> }).state ?? {}
  const cases: readonly (readonly ['ILL_POSED' | 'OUT_OF_RANGE', object, string])[] = [
    ['ILL_POSED', { ...orbit, orbit: { l: 10, energy: 1 } }, 'energy'],
    ['ILL_POSED', { ...orbit, orbit: { l: 0, energy: 0.5 } }, 'energy'],
    ['ILL_POSED', { ...orbit, orbit: { l: 30 } }, 'l'],
    ['ILL_POSED', { ...orbit, r0: 100, orbit: { l: 4, energy: 1 } }, 'l'],
    ['ILL_POSED', state({ rRate: 2, phiRate: 0.02 }), 'rRate'],
    ['ILL_POSED', state({ phiRate: -0.5 }), 'phiRate'],
    ['ILL_POSED', state({ phiRate: Math.sqrt(400 / 17) / 400 }), 'phiRate'],
    ['OUT_OF_RANGE', state({ phiRate: 1e-12 }), 'phiRate'],
    ['OUT_OF_RANGE', { ...orbit, orbit: { l: 1e-9 } }, 'l'],
    ['ILL_POSED', { ...state({ r: 1.5, rRate: 0.1 }), end: 0.1 }, 'rRate'],
    ['ILL_POSED', { mode: 'radial', state: { r: 1e-2, rRate: -1 }, end: 1e-3 }, 'rRate'],
    ['ILL_POSED', { mode: 'radial', state: { r: 1e-3, rRate: -50 }, end: 1e-3 }, 'r'],
    ['ILL_POSED', { end: 11 }, 'end'],
    ['OUT_OF_RANGE', { r0: 1e9 }, 'end'],
  ]
  for (const [code, raw, name] of cases) {
    const value = refusal(code, raw)[name]
    assert(typeof value === 'number', `${name} ${JSON.stringify(raw)}`)
    const next = ['l', 'energy'].includes(name)
      ? { ...raw, orbit: { ...(raw as { orbit?: object }).orbit, [name]: value } }
      : name === 'end'
        ? { ...raw, end: value }
        : { ...raw, state: { ...stated(raw), [name]: value } }
    assert.equal(ends(next), 'sealed', `${name} = ${value} for ${JSON.stringify(raw)}`)
  }
})

test('the tortoise coordinate is the integral of dr/(1 − 2/r)', () => {
  for (const [from, to] of [
    [T_EDGE, 2.1],
    [3, 20],
    [6, 1e4],
  ] as const) {
    const way = integral((r) => 1 / (1 - 2 / r), from, to)
    assert(apart(tortoise(to) - tortoise(from), way) < 1e-9, `${from} to ${to}`)
  }
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)
const between = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true })

test('any input of the schema seals or is refused with a code', () => {
  const anything = fc.record(
    {
      mode: fc.constantFrom('radial', 'orbit', 'orbit', 'hawking'),
      M: decades(-9, 45),
      r0: fc.oneof(decades(0.001, 9), between(1.5, 20)),
      end: fc.oneof(decades(-3, 2), fc.constant(1)),
      orbit: fc.record(
        {
          l: fc.oneof(decades(-4, 6), between(3, 6), fc.constant(0)),
          energy: fc.oneof(between(0, 10), between(0.9, 1.1)),
          turns: fc.integer({ min: 1, max: 4 }),
        },
        { requiredKeys: ['turns'] },
      ),
      state: fc.record({
        r: decades(-1, 6),
        phi: between(-10, 10),
        v: between(-1e6, 1e6),
        rRate: between(-2, 2),
        phiRate: fc.oneof(fc.constant(0), between(-0.1, 0.1)),
      }),
    },
    { requiredKeys: ['mode', 'orbit'] },
  )
  const ended = new Map<string, number>()
  fc.assert(
    fc.property(anything, fc.integer({ min: 0, max: 3 }), ({ state, ...raw }, given) => {
      const end = ends(given === 0 && state !== undefined ? { ...raw, state } : raw)
      ended.set(end, (ended.get(end) ?? 0) + 1)
    }),
    { seed, numRuns: 400 },
  )
  assert((ended.get('sealed') ?? 0) > 100, JSON.stringify([...ended]))
  assert((ended.get('PRECISION_NOT_MET') ?? 0) < 40, JSON.stringify([...ended]))
}, 60_000)

test('every fate is found by where the roots are', () => {
  const fate = (raw: object): string => fateOf(particleOf(input({ ...orbit, ...raw }) as BlackholeInput))
  assert.equal(fate({}), 'bound')
  assert.equal(fate({ orbit: { l: 3 } }), 'captured')
  assert.equal(fate({ orbit: { l: 30 } }), 'escapes')
  assert.equal(fate({ orbit: { l: 30, energy: 3 } }), 'scattered')
  assert.equal(fate({ r0: 2.2, orbit: { l: 4.5 } }), 'escapes')
  assert(reality({ ...orbit, r0: 1.2, orbit: { l: 6 } }).errorPct < 1e-6, 'inside the barrier all falls')
})

test.run()
