// Goal: epi follows SIR and SEIR with and without vaccination as the equations say, finds the peak and the final size,
// and its check sees every rate; what has nothing to judge is refused.
// Method: courses to 30 digits made elsewhere, closed forms at the limits, scalings, other tolerances; runs of altered
// equations with all that merely repeats put right; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { integral } from '#numerics/methods/quadrature.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { checkEpi } from '#numerics/solvers/epi/check/check.ts'
import { epi } from '#numerics/solvers/epi/index.ts'
import type { EpiInput, EpiOutput } from '#numerics/solvers/epi/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'
import { referenceOf } from '../reference.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/epi')

keepsTheRules(test, epi)

const { inputOf: input, sealed, reality, refusal, ends } = outcomesOf(epi)

const modes: Readonly<Record<string, object>> = {
  sir: {},
  seir: { model: 'SEIR' },
  seir_vaccinated: { model: 'SEIR', vaccination: { rate: 0.002 }, initial: { S: 8e5 - 10, E: 0, I: 10, R: 0, V: 2e5 } },
}

test('the courses to 30 digits, by both integrators', () => {
  for (const [name, mode] of Object.entries(modes)) {
    for (const { t, state } of referenceOf(name)) {
      for (const method of ['dopri5', 'dopri8']) {
        const it = sealed({ ...mode, t_max: t, method })
        const found = [it.susceptibleEnd, it.exposedEnd, it.infectiousEnd, it.recoveredEnd, it.vaccinatedEnd]
        for (const [c, value] of found.entries()) {
          assert(Math.abs(value - state[c]!) <= 1e-10 * Math.max(1, state[c]!), `${name} ${method} ${t} ${c}`)
        }
      }
    }
  }
})

test('the final size is that of the relation, and runs end there', () => {
  const { susceptibleLimit } = sealed({})
  // Kermack and McKendrick: 1 − z = exp(−R_0·z) at R_0 = 3 has z = 0.940479811 of the population.
  assert(apart(1 - susceptibleLimit! / 1e6, 0.94048) < 2e-5)
  assert(apart(sealed({ t_max: 3_000 }).susceptibleEnd, susceptibleLimit!) < 1e-10)
  const latent = sealed({ model: 'SEIR', t_max: 3_000 })
  assert(apart(latent.susceptibleEnd, susceptibleLimit!) < 1e-10, 'a latent class delays and changes no size')
  assert.equal(sealed({ vaccination: { rate: 0.01 } }).susceptibleLimit, null)
})

test('the peak of SIR is where S = γN/β, at the height of the invariant', () => {
  const { peakInfectious, peakTime, times, infectious } = sealed({})
  const [S0, I0, rest] = [1e6 - 10, 10, 1e6 / 3]
  const height = S0 + I0 - rest + rest * Math.log(rest / S0)
  assert(apart(peakInfectious, height) < 1e-10)
  const around = Array.from(times).findIndex((t) => t > peakTime)
  assert(infectious[around]! <= peakInfectious && infectious[around - 1]! <= peakInfectious)
  const dying = sealed({ beta: 0.05 })
  assert(dying.peakTime === 0 && dying.peakInfectious === 10 && dying.herdImmunityThreshold === 0)
  assert.equal(sealed({ t_max: 20 }).peakTime, 20)
})

test('limits: growth at the start, a logistic without recovery, decay without transmission', () => {
  const early = sealed({ N: 1e12, I0: 1e3, t_max: 20 })
  assert(apart(early.infectiousEnd, 1e3 * Math.exp(0.2 * 20)) < 1e-6)
  const { infectiousEnd } = sealed({ gamma: 0, t_max: 40 })
  assert(apart(infectiousEnd, 1e6 / (1 + ((1e6 - 10) / 10) * Math.exp(-0.3 * 40))) < 1e-10)
  const still = sealed({ beta: 0, vaccination: { rate: 0.02 } })
  assert(apart(still.susceptibleEnd, (1e6 - 10) * Math.exp(-3.2)) < 1e-11)
  assert(apart(still.infectiousEnd, 10 * Math.exp(-16)) < 1e-9)
  const quick = sealed({ model: 'SEIR', sigma: 500, t_max: 50 })
  assert(apart(quick.infectiousEnd, sealed({ t_max: 50 }).infectiousEnd) < 5e-3, 'no latency is SIR')
})

test('ten times the people is ten times the epidemic; weeks are seven days', () => {
  const one = sealed({})
  const ten = sealed({ N: 1e7, I0: 100 })
  assert(apart(ten.susceptibleEnd, 10 * one.susceptibleEnd) < 1e-11 && apart(ten.peakTime, one.peakTime) < 1e-10)
  const weeks = sealed({ beta: 2.1, gamma: 0.7, t_max: 160 / 7 })
  assert(apart(weeks.susceptibleEnd, one.susceptibleEnd) < 1e-10)
})

test('enough vaccinated beforehand and nobody spreads it; the rate spares more the higher it is', () => {
  const herd = sealed({ vaccination: { initialFraction: 0.67 } })
  assert(herd.peakTime === 0 && herd.attackRate < 1e-3)
  const attack = [0, 0.002, 0.01, 0.05].map((rate) => sealed({ vaccination: { rate } }).attackRate)
  assert(attack.every((it, k) => k === 0 || it < attack[k - 1]!))
})

test('quadrature with halving: smooth, peaked and singular-ended functions', () => {
  assert(apart(integral(Math.exp, 0, 1), Math.E - 1) < 1e-15)
  assert(
    apart(
      integral((x) => 1 / (1e-6 + x * x), -1, 1),
      2e3 * Math.atan(1e3),
    ) < 1e-13,
  )
  assert(apart(integral(Math.sqrt, 0, 1), 2 / 3) < 1e-12)
  assert(
    apart(
      integral((x) => x ** 14, 1, 0),
      -1 / 15,
    ) < 1e-14,
  )
})

/** A run of other equations, with everything that only repeats or follows from the input as it should be. */
const judged = (mode: object, done: object): number => {
  const right = run(epi, input(mode)).outcome.output
  const wrong = run(epi, input({ ...mode, ...done })).outcome.output
  const { reproductionNumber, herdImmunityThreshold, susceptibleLimit } = right
  const claimed: EpiOutput = { ...wrong, reproductionNumber, herdImmunityThreshold, susceptibleLimit }
  const drift = right.invariantDriftPct === null ? null : undefined
  return checkEpi(input(mode) as EpiInput, drift === null ? { ...claimed, invariantDriftPct: null } : claimed).errorPct
}

test('the check sees each rate, the vaccination and lost time', () => {
  const spans: readonly object[] = [
    {},
    { t_max: 30 },
    { model: 'SEIR' },
    { model: 'SEIR', vaccination: { rate: 0.004 } },
  ]
  for (const mode of spans) {
    assert(judged(mode, {}) <= 0.1)
    const rates = { beta: 0.3006, gamma: 0.1003, ...('model' in mode ? { sigma: 0.2006 } : {}) }
    for (const [name, value] of Object.entries(rates)) {
      assert(!(judged(mode, { [name]: value }) <= 0.1), `${name} ${JSON.stringify(mode)}`)
    }
    const right = input(mode) as EpiInput
    const early = run(epi, input({ ...right, t_max: 0.998 * right.t_max })).outcome.output
    const { times } = run(epi, right).outcome.output
    assert(!(checkEpi(right, { ...early, times, t_max: right.t_max }).errorPct <= 0.1))
  }
  const jab = { vaccination: { rate: 0.004 } }
  assert(!(judged(jab, { vaccination: { rate: 0.00402 } }) <= 0.1))
  assert(!(judged(jab, { vaccination: { rate: 0 } }) <= 0.1))
  // Every rate one in a hundred too fast: the invariant does not see it.
  assert(!(judged({}, { beta: 0.303, gamma: 0.101 }) <= 0.1))
})

test('the check sees a peak that is too low, too early or passed over, and a wrong final size', () => {
  const { output } = run(epi, input({})).outcome
  const altered = (part: Partial<EpiOutput>): number => checkEpi(input({}), { ...output, ...part }).errorPct
  assert(altered({}) <= 0.1)
  const parts: readonly Partial<EpiOutput>[] = [
    { peakInfectious: 0.998 * output.peakInfectious },
    { peakTime: output.peakTime - 1 },
    { peakTime: output.times[200]!, peakInfectious: output.infectious[200]! },
    { susceptibleLimit: 1.002 * output.susceptibleLimit! },
    { susceptibleLimit: null },
    // The relation's other root, where hardly anybody was infected, and the end of the growth between the two.
    { susceptibleLimit: 1e6 - 10 },
    { susceptibleLimit: 999_994.99 },
    { susceptibleLimit: 1e6 / 3 },
    { peakTime: output.peakTime + 0.2 },
    { invariantDriftPct: null },
    { invariantDriftPct: (output.invariantDriftPct ?? 0) + 1e-9 },
    { recovered: output.infectious },
    { times: [] },
  ]
  for (const part of parts)
    assert.throws(() => passGate(checkEpi(input({}), { ...output, ...part })), Object.keys(part)[0])
  // A limit or a drift where there is none is refused as well.
  for (const raw of [{ gamma: 0, t_max: 40 }, { vaccination: { rate: 0.01 } }]) {
    const other = run(epi, input(raw)).outcome.output
    const limited = { ...other, susceptibleLimit: output.susceptibleLimit }
    assert(checkEpi(input(raw), limited).errorPct >= 100)
  }
  const jab = { beta: 0, vaccination: { rate: 0.02 } }
  const still = run(epi, input(jab)).outcome.output
  assert.equal(checkEpi(input(jab), { ...still, invariantDriftPct: 0 }).errorPct, 100)
})

test('a run in two stretches ends as the one, in every mode', () => {
  for (const mode of Object.values(modes)) {
    const first = sealed({ ...mode, t_max: 60 })
    const next = epi.continued?.(input({ ...mode, t_max: 60 }), first)
    const second = sealed({ ...next, t_max: 100 })
    assert(apart(second.susceptibleEnd, sealed(mode).susceptibleEnd) < 1e-9)
  }
})

test('what cannot be followed is refused with what passes', () => {
  for (const raw of [{ beta: -0.1 }, { gamma: -1 }, { N: 0 }, { vaccination: { initialFraction: 1.1 } }]) {
    refusal('INVALID_INPUT', raw)
  }
  const idle = [
    { I0: 0 },
    { beta: 0 },
    { beta: 0, I0: 0, gamma: 0 },
    { beta: 1e-9, I0: 1e-9, t_max: 1 },
    { N: 1e12, I0: 0 },
  ]
  for (const raw of [...idle, { I0: 2e6 }, { I0: 1e6 }, { vaccination: { initialFraction: 1 } }]) {
    const { measured: _, limit: __, ...passing } = refusal('ILL_POSED', raw)
    assert(Object.keys(passing).length > 0)
    assert.equal(ends({ ...raw, ...passing }), 'sealed', JSON.stringify({ raw, passing }))
  }
  // Nothing is offered where no number could help.
  const gone = refusal('ILL_POSED', { initial: { S: 1e6, E: 0, I: 0, R: 0, V: 0 } })
  assert.deepEqual(Object.keys(gone), ['measured', 'limit'])
  refusal('ILL_POSED', { initial: { S: 1, E: 0, I: 1, R: 0, V: 0 } })
  refusal('INVALID_INPUT', { initial: { S: 5e5, E: 5e5 - 10, I: 10, R: 0, V: 0 } })
  const fall = refusal('OUT_OF_RANGE', { beta: 100, gamma: 0.01 })
  epi.refuse(input({ beta: 100, gamma: 0.01, t_max: fall['t_max'] }))
  const long = refusal('WORK_LIMIT_EXCEEDED', { t_max: 1e7 })
  epi.refuse(input({ t_max: long['t_max'] }))
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)

test('any input of the schema seals or is refused with a code', () => {
  const rate = fc.oneof(fc.constant(0), decades(-6, 3))
  const anything = fc.record(
    {
      model: fc.constantFrom('SIR', 'SEIR'),
      beta: rate,
      gamma: rate,
      sigma: rate,
      N: decades(-6, 12),
      I0: fc.oneof(fc.constant(0), decades(-12, 6)),
      E0: fc.oneof(fc.constant(0), decades(-12, 6)),
      R0: fc.oneof(fc.constant(0), decades(-12, 6)),
      t_max: decades(-6, 2.5),
      vaccination: fc.record({ rate: fc.constantFrom(0, 1e-3, 3), initialFraction: fc.constantFrom(0, 0.3, 1) }),
      method: fc.constantFrom('dopri5', 'dopri8'),
      outputs: fc.integer({ min: 1, max: 30 }),
    },
    { requiredKeys: [] },
  )
  let seals = 0
  fc.assert(
    fc.property(anything, (raw) => {
      if (epi.work(input(raw)) < 300 && ends(raw) === 'sealed') seals++
    }),
    { seed, numRuns: 300 },
  )
  assert(seals > 30, `${seals} sealed`)
}, 30_000)

test('a step too large for its tolerance shows: the lower order costs more for the same', () => {
  const errors = ['dopri5', 'dopri8'].map((method) => reality({ method, outputs: 4 }).errorPct)
  assert(errors.every((it) => it < 1e-6))
})

test.run()
