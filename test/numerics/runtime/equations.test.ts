// Goal: the envelope's equations are those of the definitions, on the solver's own grid.
// Method: fields whose Laplacian, amplitudes and velocities are known in closed form; the modulation's mean, extremes
// and its gauge identity.

import assert from 'node:assert/strict'
import { PULSE_HZ_EXACT, TICK_SECONDS } from '#core/tick.ts'
import { cos, exp, PI, sin, sqrt, TAU } from '#numerics/math.ts'
import { equationsOf, fieldEquations } from '#numerics/runtime/equations.ts'
import { ALPHA, gaugeSeconds, modulated, modulationText } from '#numerics/runtime/modulation.ts'
import type { Field } from '#numerics/runtime/solver.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/equations')

const close = (found: number | undefined, wanted: number, share = 1e-12): void =>
  assert(Math.abs((found ?? Number.NaN) - wanted) <= share * Math.abs(wanted), `${found} is not ${wanted}`)

test('the modulation has mean S over a tick and the amplitude of its mode', () => {
  const phases = Array.from({ length: 64 }, (_, i) => i / 64)
  close(phases.reduce((sum, phase) => sum + modulated(5, phase), 0) / 64, 5)
  assert.equal(modulated(2, 0.25), 2 * (1 + ALPHA))
  assert.equal(modulated(2, 0.75), 2 * (1 - ALPHA))
  assert.equal(modulationText(0), '1.000000')
  assert.equal(modulationText(0.125), '1.000707')
  close(modulated(1, 0.25, 0.1), 1.1)
})

test('gauge time rises strictly and gains exactly a tick in a tick', () => {
  close(PULSE_HZ_EXACT * TICK_SECONDS, 1)
  for (const start of [0, 0.3]) {
    const times = Array.from({ length: 65 }, (_, i) => gaugeSeconds(i / 64, start))
    for (let i = 1; i < times.length; i++) assert((times[i] ?? 0) > (times[i - 1] ?? 0))
    close((times[64] ?? 0) - (times[0] ?? 0), TICK_SECONDS)
  }
  // ds/dt = 1 + α·sin(2πft + φ0): the reparametrised clock runs fast where the modulation is up.
  const slope = (gaugeSeconds(0.25 + 1e-6) - gaugeSeconds(0.25 - 1e-6)) / (2e-6 * TICK_SECONDS)
  close(slope, 1 + ALPHA, 1e-8)
})

test('a scalar result has a modulation and nothing else', () => {
  const field = fieldEquations(undefined, 2)
  assert.deepEqual(equationsOf({ S: 3, phase: 0, field }), {
    modulation: { S: 3, R: 3, alpha: 0.001, f: PULSE_HZ_EXACT, phase: 0 },
    master: null,
    functional: null,
    propagator: null,
  })
  assert.equal((equationsOf({ S: null, phase: 0, field }) as { modulation: { R: unknown } }).modulation.R, null)
})

/** A standing wave on [0, 1]², or on [0, 1] when `rows` is 1. */
const wave = (n: number, boundary: Field['boundary'], over: Partial<Field> = {}): Field => {
  const nodes = boundary === 'periodic' ? n : n + 1
  const shape = (k: number): number => {
    if (boundary === 'fixed') return sin((PI * k) / n)
    return boundary === 'insulated' ? cos((PI * k) / n) : cos((TAU * k) / n)
  }
  const values = Float64Array.from(
    { length: nodes * nodes },
    (_, at) => shape(Math.floor(at / nodes)) * shape(at % nodes),
  )
  return {
    values,
    shape: [nodes, nodes],
    spacing: [1 / n, 1 / n],
    boundary,
    name: 'u',
    unit: 'K',
    dissipative: false,
    ...over,
  }
}

for (const boundary of ['fixed', 'insulated', 'periodic'] as const) {
  test(`${boundary}: terms and amplitudes of one mode are those of the closed form`, () => {
    const n = 16
    const field = wave(n, boundary)
    const turns = boundary === 'periodic' ? TAU : PI
    const half = sin(turns / (2 * n))
    const k2 = 2 * 4 * half * half * n * n
    const { master, propagator, functional } = fieldEquations(field, 2)
    const nodes = boundary === 'periodic' ? n : n + 1
    const here = Array.from(field.values).filter((_, at) => {
      const [row, column] = [Math.floor(at / nodes), at % nodes]
      return boundary !== 'fixed' || (row > 0 && row < n && column > 0 && column < n)
    })
    const rms = (term: (phi: number) => number): number =>
      sqrt(here.reduce((sum, phi) => sum + term(phi) * term(phi), 0) / here.length)
    const coupling = (phi: number): number =>
      (sin(TAU * phi) / (1 + phi * phi) + sin(2 * TAU * phi) / (2 + phi * phi)) / 2
    close(
      master?.dalembertian,
      rms((phi) => -k2 * phi),
      1e-9,
    )
    close(
      master?.mass,
      rms((phi) => phi),
    )
    close(
      master?.cubic,
      rms((phi) => 0.5 * phi * phi * phi),
    )
    close(
      master?.exponential,
      rms((phi) => exp(-phi)),
    )
    close(master?.coupling, rms(coupling))
    close(
      master?.residual,
      rms((phi) => -k2 * phi - phi - 0.5 * phi ** 3 - exp(-phi) + coupling(phi)),
      1e-9,
    )
    assert.equal(master?.source, 0)
    assert.equal(functional, null)
    assert((propagator?.energy_change ?? 1) < 1e-12)
    assert.equal(propagator?.amplitudes.length, 8)
    // All of the field is in one mode of frequency ω, so its amplitude turns by cos ωτ.
    // On a ring a cosine is two modes, cos + sin of either way round.
    const norm = boundary === 'periodic' ? n / 4 : n / 2
    const turned = cos(sqrt(k2 + 1) * TICK_SECONDS)
    const largest = Math.max(...(propagator?.amplitudes ?? []).map(Math.abs))
    close(largest, Math.abs(norm * turned), 1e-9)
  })
}

test('with earlier levels the field has a velocity, a time part and a functional', () => {
  const dt = 1e-3
  const now = wave(16, 'fixed')
  // u(t) = cos(ωt)·shape at t = 0, dt, 2dt before now: the second difference is −ω² (to O(dt²)).
  const omega = 5
  const level = (t: number): Float64Array => now.values.map((value) => value * cos(omega * t))
  const field = { ...now, values: level(0.2), previous: { dt, levels: [level(0.2 - dt), level(0.2 - 2 * dt)] } }
  const { master, functional } = fieldEquations(field, 1)
  const still = fieldEquations({ ...now, values: level(0.2) }, 1)
  assert.notEqual(master?.dalembertian, still.master?.dalembertian)
  // P = sqrt(mean φ̇²) with φ = u/max|u|; Z = (1 + C) = 2 on a side of 1 m.
  const mean = sqrt(now.values.reduce((sum, value) => sum + value * value, 0) / now.values.length)
  close(functional?.Z, 2)
  close(functional?.P, (omega * mean * sin(omega * 0.2)) / cos(omega * 0.2), 5e-3)
  close(functional?.E, (functional?.P ?? 0) * (functional?.Z ?? 0))
  const damped = fieldEquations({ ...field, dissipative: true }, 1)
  close(damped.functional?.Z, (2 * cos(omega * 0.2)) / cos(omega * (0.2 - dt)), 1e-9)
})

test('a line and a field of zeros are taken too', () => {
  const line = fieldEquations(
    {
      ...wave(16, 'fixed'),
      values: Float64Array.from({ length: 17 }, (_, k) => sin((PI * k) / 16)),
      shape: [17],
      spacing: [1 / 16],
    },
    1,
  )
  assert((line.propagator?.energy_change ?? 1) < 1e-12)
  const flat = fieldEquations({ ...wave(8, 'insulated'), values: new Float64Array(81) }, 1)
  assert.equal(flat.master?.dalembertian, 0)
  assert.deepEqual(flat.propagator?.amplitudes, [0, 0, 0, 0, 0, 0, 0, 0])
})

test.run()
