// Goal: wave moves membranes and light as their equations say, at the order it claims, and its check sees every
// coefficient; what cannot be solved is refused before work.
// Method: modes in closed form, halved grids, symmetries, the Fresnel amplitude of an interface; runs of sabotaged
// schemes judged as if they were right; kernel and twin side by side; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { littleEndianBytes } from '#core/arrays.ts'
import { cos, PI, SQRT2, sin } from '#numerics/math.ts'
import { fieldEquations } from '#numerics/runtime/equations.ts'
import { run } from '#numerics/runtime/run.ts'
import { turnModes } from '#numerics/solvers/wave/check/reference.ts'
import { wave } from '#numerics/solvers/wave/index.ts'
import { LIGHT, permittivities } from '#numerics/solvers/wave/problem.ts'
import { createMembrane, type Plan, weightsOf } from '#numerics/solvers/wave/run/membrane.ts'
import { createYee } from '#numerics/solvers/wave/run/yee.ts'
import type { WaveInput, WaveOutput } from '#numerics/solvers/wave/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinLight, twinStencil, twinStep, twinSwing } from './wave-twin.ts'

const test = suite('numerics/wave')

keepsTheRules(test, wave)

const { inputOf, solve, errorPct, refusal, sealsOrRefuses } = outcomesOf(wave)

const sizes = [
  [4, 9],
  [5, 16],
  [8, 8],
  [9, 8],
  [8, 9],
  [15, 17],
  [33, 40],
  [1, 16],
  [1, 33],
] as const

/** Unknowns within the field of all nodes, read in another way than the kernel's: edges zero, repeated nodes filled. */
const framing = ({ rows, columns, boundary }: Plan) => {
  const edge = boundary === 'fixed' ? 1 : 0
  const more = boundary === 'free' ? 0 : boundary === 'periodic' ? 1 : 2
  const firstRow = rows === 1 ? 0 : edge
  const frame = { rows: rows === 1 ? 1 : rows + more, columns: columns + more, firstRow, firstColumn: edge }
  const all = (unknowns: Float64Array): Float64Array =>
    Float64Array.from({ length: frame.rows * frame.columns }, (_, at) => {
      const [r, c] = [Math.floor(at / frame.columns) - firstRow, (at % frame.columns) - edge]
      if (boundary === 'periodic') return unknowns[(r % rows) * columns + (c % columns)]
      return r < 0 || r >= rows || c < 0 || c >= columns ? 0 : unknowns[r * columns + c]
    })
  return { frame, all }
}

/** Of two levels, the newer first: their velocity and the level before them. */
const twinEnd = (now: Float64Array, before: Float64Array, plan: Plan) => {
  const w = weightsOf(plan)
  const [ahead, behind] = [twinStencil(now, plan, w), twinStencil(before, plan, w)]
  const earlier = now.map((u, i) => 2 * before[i] - u + behind[i])
  const central = now.map((u, i) => (2 * u - 2 * before[i] + ahead[i]) / (2 * plan.dt))
  const bend = twinStencil(central, plan, w)
  const bends = twinStencil(bend, plan, w)
  return { earlier, velocity: central.map((v, i) => v - bend[i] / 6 + bends[i] / 30) }
}

for (const boundary of ['fixed', 'free', 'periodic'] as const) {
  for (const order of [2, 4]) {
    test(`kernel = twin: ${boundary}, order ${order}`, () => {
      const random = seeded()
      for (const [[rows, columns], rest] of sizes.flatMap((size) => [false, true].map((it) => [size, it] as const))) {
        const across = rows === 1 ? 0 : 0.3
        const plan: Plan = { rows, columns, along: 0.45, across, boundary, order, dt: 0.25 }
        const w = weightsOf(plan)
        const start = Float64Array.from({ length: rows * columns }, () => random.next() - 0.5)
        const speed = start.map(() => (rest ? 0 : random.next() - 0.5))
        const { frame, all } = framing(plan)
        const velocity = rest ? undefined : all(speed)
        const membrane = createMembrane(plan, frame, { displacement: all(start), velocity })
        let now: Float64Array = start.slice()
        const [once, rise] = [twinStencil(start, plan, w), twinStencil(speed, plan, w)]
        const twice = twinStencil(rise, plan, w)
        let before: Float64Array = start.map(
          (u, i) => u + once[i] / 2 - 0.25 * (speed[i] + rise[i] / 6 - twice[i] / 180),
        )
        // One step at a time, then several in one sweep: what is read in between must not matter.
        for (const step of [0, 1, 2]) membrane.advance(step, step + 1, () => undefined)
        membrane.end()
        const reported: number[] = []
        membrane.advance(3, 14, (step) => reported.push(step))
        assert.deepEqual(reported, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])
        for (let step = 0; step < 14; step++) {
          const next = twinStep(now, before, plan, w)
          before = now
          now = next
        }
        const both = Float64Array.of(...now, ...before)
        assert.deepEqual(membrane.bytes(), littleEndianBytes(both), `${rows} × ${columns}`)
        const last = twinEnd(now, before, plan)
        const wanted = { now, velocity: last.velocity, before, earlier: last.earlier }
        for (const [name, field] of Object.entries(membrane.end())) {
          const its = all(wanted[name as keyof typeof wanted])
          assert.deepEqual(littleEndianBytes(field), littleEndianBytes(its), `${name}, ${rows} × ${columns}`)
        }
      }
    })
  }
}

test('kernel = twin: light', () => {
  const random = seeded()
  for (const nx of [16, 17, 31, 64]) {
    for (const boundary of ['fixed', 'periodic'] as const) {
      const input = inputOf({ mode: 'maxwell', nx, boundary, slab: { from: 0.21, to: 0.84 } })
      const e = Float64Array.from({ length: nx + 1 }, () => random.next())
      if (boundary === 'fixed') e[0] = e[nx] = 0
      else e[nx] = e[0] as number
      const yee = createYee(input, { electric: e, flux: new Float64Array(nx) })
      const numbers = new Float64Array(new Uint8Array(yee.bytes()).buffer)
      const [field, flux] = [numbers.slice(0, nx + 1), numbers.slice(nx + 1)]
      const { dt } = solve({ mode: 'maxwell', nx, boundary, initial: { sigma: 0.3 }, courant: 0.9 })
      const s = (LIGHT * dt) / (1 / nx)
      const gains = permittivities(input).map((share) => s / share)
      if (boundary === 'fixed') gains[0] = gains[nx] = 0
      yee.advance(0, 3, () => undefined)
      for (let step = 0; step < 3; step++) twinLight(field, flux, gains, s)
      assert.deepEqual(yee.bytes(), littleEndianBytes(Float64Array.of(...field, ...flux)), `${boundary}, ${nx}`)
    }
  }
})

test('kernel = twin: the modes of the check, at rest, at angles of any size and where there is no wave', () => {
  const random = seeded()
  for (const [rows, columns] of sizes) {
    const across = Float64Array.from({ length: columns }, (_, k) => 1e4 * k * random.next())
    const down = Float64Array.from({ length: rows }, (_, k) => 1e4 * k * random.next())
    for (const time of [1e-9, 0.3, 1e7]) {
      const how = { c: 2 * random.next(), time, factor: 1 / 7 }
      const u = Float64Array.from({ length: rows * columns }, () => random.next() - 0.5)
      const v = u.map((_, at) => (at % 3 === 0 ? 0 : random.next()))
      const twin = { u: u.slice(), v: v.slice() }
      turnModes({ u, v, across, down, ...how })
      twinSwing(twin, { across, down }, how)
      assert.deepEqual(littleEndianBytes(u), littleEndianBytes(twin.u), `u, ${rows} × ${columns}, ${time}`)
      assert.deepEqual(littleEndianBytes(v), littleEndianBytes(twin.v), `v, ${rows} × ${columns}, ${time}`)
    }
  }
})

test('a mode swings as cos(c·k·t), at second and at fourth order', () => {
  for (const [order, least, most] of [
    [2, 3.8, 4.3],
    [4, 14, 18],
  ] as const) {
    const errorAt = (n: number): number => {
      const { displacement = [], velocity = [] } = solve({
        nx: n,
        ny: n,
        order,
        initial: { kind: 'mode', m: 2, n: 1 },
        t_max: 1.3,
      })
      const omega = PI * Math.sqrt(5)
      let worst = 0
      for (let at = 0; at < displacement.length; at++) {
        const [row, column] = [Math.floor(at / (n + 1)), at % (n + 1)]
        const shape = sin((2 * PI * column) / n) * sin((PI * row) / n)
        worst = Math.max(worst, Math.abs(displacement[at] - shape * cos(omega * 1.3)))
        worst = Math.max(worst, Math.abs(velocity[at] + shape * omega * sin(omega * 1.3)) / omega)
      }
      return worst
    }
    const ratio = errorAt(24) / errorAt(48)
    assert(ratio > least && ratio < most, `order ${order}: ratio ${ratio}`)
  }
})

test('the published frequency of a square drum: its first mode is back after sqrt(2)·L/c', () => {
  // Kinsler, Frey, Coppens & Sanders, Fundamentals of Acoustics, 4th ed., eq. 4.3.7: f11 = c/(sqrt(2)·L).
  const { centre, rms } = solve({
    nx: 64,
    ny: 64,
    c: 3,
    lx: 2,
    ly: 2,
    initial: { kind: 'mode' },
    t_max: (SQRT2 * 2) / 3,
  })
  assert(Math.abs(centre - 1) <= 1e-6 && Math.abs(rms - 0.5) <= 1e-6, `${centre} ${rms}`)
})

test('on a line Courant number 1 is exact, and half of it is not', () => {
  const raw = { dim: 1, order: 2, nx: 100, boundary: 'periodic', initial: { x: 0.3, sigma: 0.05 }, t_max: 0.6 }
  const l2 = (courant: number): number => {
    const input = inputOf({ ...raw, courant })
    return wave.check(input, run(wave, input).outcome).figures['l2_pct'] ?? Number.NaN
  }
  assert(l2(1) <= 1e-9)
  assert(l2(0.5) > 0.1)
})

test('the energy of a long run stays, and so does a symmetric start', () => {
  const input = inputOf({ nx: 48, ny: 48, t_max: 30, order: 4, boundary: 'free', initial: { sigma: 0.15 } })
  const { figures } = wave.check(input, run(wave, input).outcome)
  assert(Math.abs(figures['energy_pct'] ?? 9) < 0.5)
  const n = 49
  const { displacement = [] } = solve({ nx: n - 1, ny: n - 1 })
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const here = displacement[row * n + column]
      assert(Math.abs(here - displacement[column * n + row]) <= 1e-13)
      assert(Math.abs(here - displacement[row * n + n - 1 - column]) <= 1e-13)
    }
  }
})

test('light at an interface is turned back by (1 − n)/(1 + n)', () => {
  // A pulse runs both ways; the one to the right meets a slab of index 2 and returns with −1/3 of its height.
  const nx = 1024
  const slab = { from: 0.6, to: 1, permittivity: 4 }
  const initial = { x: 0.4, sigma: 0.02 }
  const { electric = [] } = solve({ mode: 'maxwell', nx, slab, initial, t_max: 0.35 / LIGHT })
  // Half the pulse went right by 0.2, and came back by 0.15: its centre is at 0.45.
  const at = Math.round(0.45 * nx)
  const peak = Array.from(electric.slice(at - 20, at + 20)).reduce((least, it) => Math.min(least, it), 0)
  assert(Math.abs(peak + 0.5 / 3) < 2e-3, `${peak}`)
})

test('light keeps its energy, and its error falls fourfold on half the spacing', () => {
  const raw = { mode: 'maxwell', slab: { from: 0.5, to: 0.75 }, initial: { x: 0.3, sigma: 0.07 }, t_max: 1.3 / LIGHT }
  const ratio = errorPct({ ...raw, nx: 256 }) / errorPct({ ...raw, nx: 512 })
  assert(ratio > 3.6 && ratio < 4.4, `ratio ${ratio}`)
  const input = inputOf({ ...raw, nx: 512 })
  const { figures } = wave.check(input, run(wave, input).outcome)
  assert(Math.abs(figures['energy_pct'] ?? 9) < 0.05)
})

test('E and B enter the master equation, other fields do not', () => {
  const of = (raw: object) => {
    const input = inputOf(raw)
    return fieldEquations(wave.field?.(input, run(wave, input).outcome), 1).master
  }
  assert.equal(of({ nx: 32, ny: 32 })?.source, 0)
  const light = of({ mode: 'maxwell', t_max: 0.3 / LIGHT, boundary: 'periodic' })
  // Two pulses of half the height, apart: E = ±cB there, and F² = 2(B² − E²/c²) vanishes but for their overlap.
  assert(light !== null && light.source >= 0 && light.source < 1e-3)
  const still = of({ mode: 'maxwell', t_max: 1e-13, nx: 64, dt: 1e-13 })
  // At the start B = 0, so that F² = −2E²: β·2·rms(φ²) of a Gaussian of σ = 0.1 on 63 nodes of 65.
  const nodes = Array.from({ length: 63 }, (_, i) => ((i + 1) / 64 - 0.5) / 0.1)
  const fourth = nodes.reduce((sum, x) => sum + Math.exp(-2 * x * x), 0) / nodes.length
  assert(Math.abs((still?.source ?? 0) - 0.02 * Math.sqrt(fourth)) <= 1e-6)
})

/** Runs one problem and has its result judged as another's. */
const mistaken = (raw: object, meant: object): number => {
  const input = inputOf(meant)
  const { outcome } = run(wave, inputOf({ ...meant, ...raw }))
  const { dt, courant, boundary, steps, time, dx, lx } = { ...run(wave, input).outcome.output, lx: 0 }
  assert(lx === 0)
  const output = { ...outcome.output, dt, courant, boundary, steps, time, dx }
  return wave.check(input, { ...outcome, output }).errorPct
}

test('the check sees a wrong speed, side, width, layer and time', () => {
  const small = { nx: 64, ny: 64 }
  assert(errorPct(small) <= 0.1)
  for (const boundary of ['fixed', 'free', 'periodic'])
    assert(mistaken({ c: 1.01 }, { ...small, boundary }) > 0.1, boundary)
  assert(mistaken({ boundary: 'free' }, small) > 0.1)
  assert(mistaken({ lx: 1.01 }, small) > 0.1)
  assert(mistaken({ ly: 1.01 }, small) > 0.1)
  assert(mistaken({ t_max: 0.99 }, { ...small, t_max: 1 }) > 0.1)
  const light = { mode: 'maxwell', nx: 512, slab: {}, t_max: 1.5 / LIGHT }
  assert(errorPct(light) <= 0.1)
  assert(mistaken({ slab: { permittivity: 4.1 } }, light) > 0.1)
  assert(mistaken({ slab: { from: 0.61 } }, light) > 0.1)
  assert(mistaken({ lx: 1.01 }, light) > 0.1)
  assert(mistaken({ boundary: 'periodic' }, { ...light, initial: { x: 0.3 } }) > 0.1)
})

test('the check sees a dropped weight of the fourth order, a lost step and a velocity of another time', () => {
  const raw = { nx: 80, ny: 80, initial: { sigma: 0.09 } }
  assert(errorPct(raw) <= 0.1)
  assert(mistaken({ order: 2 }, raw) > 0.1)
  const input = inputOf(raw)
  const { outcome } = run(wave, input)
  const late = solve({ ...raw, t_max: 0.98 })
  const judged = (part: Partial<WaveOutput>) =>
    wave.check(input, { ...outcome, output: { ...outcome.output, ...part } }).errorPct
  assert(judged({ velocity: late.velocity ?? [] }) > 0.1)
  assert(judged({ displacement: late.displacement ?? [] }) > 0.1)
  const moved = Float64Array.from(outcome.output.velocity ?? [])
  moved[3000] += 0.01 * 5
  assert(judged({ velocity: moved as unknown as readonly number[] }) > 0.1)
})

test('an under-resolved wave is refused by its error', () => {
  refusal('PRECISION_NOT_MET', { nx: 24, ny: 24 })
  refusal('PRECISION_NOT_MET', { mode: 'maxwell', nx: 64, slab: {} })
})

test('a run goes on from its fields in every mode', () => {
  for (const raw of [
    { nx: 64, ny: 48, boundary: 'free' },
    { nx: 64, ny: 48, boundary: 'periodic', initial: { x: 0.2 } },
    { dim: 1, nx: 128 },
    { mode: 'maxwell', nx: 512, slab: {} },
  ]) {
    const half = inputOf({ ...raw, t_max: raw.mode === 'maxwell' ? 0.5 / LIGHT : 0.5 })
    const first = run(wave, half).outcome.output
    const next = wave.continued?.(half, first) as WaveInput
    const { outcome } = run(wave, next)
    assert(wave.check(next, outcome).errorPct <= 0.1)
    const whole = solve({ ...raw, t_max: 2 * first.time })
    assert(Math.abs(outcome.output.rms / whole.rms - 1) <= 1e-3, JSON.stringify(raw))
  }
})

test('what cannot be solved is refused with the number that would pass', () => {
  const unstable = refusal('UNSTABLE_STEP', { courant: 1.2 })
  assert((unstable['measured'] as number) > 1.19 && unstable['limit'] === 1)
  wave.refuse(inputOf({ dt: unstable['dt'] }))
  wave.refuse(inputOf({ dt: (unstable['dt'] as number) * 0.999, courant: 7 }))
  refusal('ILL_POSED', { initial: { amplitude: 0 } })
  // Squares of such numbers are no longer numbers of the machine: nothing could be measured on them.
  for (const raw of [{ amplitude: 5e-324 }, { amplitude: 0, kind: 'values', values: new Array(289).fill(1e-200) }]) {
    for (const mode of ['membrane', 'maxwell']) {
      const values = raw.values?.slice(0, mode === 'maxwell' ? 17 : 289)
      const initial = values === undefined ? raw : { ...raw, values }
      const { limit } = refusal('ILL_POSED', { mode, nx: 16, ny: 16, initial })
      assert.equal(limit, 1e-100)
    }
  }
  for (const huge of [1e200, -1e308]) {
    const { limit } = refusal('OUT_OF_RANGE', {
      nx: 16,
      ny: 16,
      initial: { kind: 'values', values: new Array(289).fill(huge) },
    })
    assert.equal(limit, 1e100)
  }
  refusal('ILL_POSED', { initial: { kind: 'mode', m: 0 } })
  refusal('WORK_LIMIT_EXCEEDED', { nx: 600, ny: 600 })
  const long = refusal('WORK_LIMIT_EXCEEDED', { t_max: 1e9 })
  wave.refuse(inputOf({ t_max: long['t_max'] }))
  // No grid carries a layer so thin, and none is named.
  const thin = refusal('OUT_OF_RANGE', { mode: 'maxwell', slab: { from: 0.5, to: 0.5001 } })
  assert(!('nx' in thin))
  const share = thin['share'] as number
  wave.refuse(inputOf({ mode: 'maxwell', nx: 8192, slab: { from: 0.5, to: 0.5 + share }, t_max: share / LIGHT }))
  refusal('INVALID_INPUT', { order: 3 })
  refusal('INVALID_INPUT', { slab: {} })
  refusal('INVALID_INPUT', { mode: 'maxwell', boundary: 'free' })
  refusal('INVALID_INPUT', { mode: 'maxwell', slab: { from: 0.8, to: 0.6 } })
  refusal('INVALID_INPUT', { initial: { kind: 'values', values: [1, 2] } })
  refusal('INVALID_INPUT', { initial: { kind: 'values' } })
  refusal('INVALID_INPUT', { initial: { velocities: [1] } })
  assert((refusal('OUT_OF_RANGE', { mode: 'maxwell', slab: { from: 0.6, to: 0.601 } })['nx'] as number) > 256)
  const far = refusal('WORK_LIMIT_EXCEEDED', { mode: 'maxwell', slab: {}, t_max: 1e-6 })
  wave.refuse(inputOf({ mode: 'maxwell', slab: {}, t_max: far['t_max'] }))
})

const part = fc.double({ min: 0, max: 1, noNaN: true })
const drawn = fc.record(
  {
    mode: fc.constantFrom('membrane', 'maxwell'),
    dim: fc.integer({ min: 1, max: 2 }),
    c: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    nx: fc.integer({ min: 16, max: 40 }),
    ny: fc.integer({ min: 16, max: 40 }),
    lx: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
    t_max: fc.double({ min: 1e-18, max: 1e12, noNaN: true }),
    courant: fc.double({ min: 1e-3, max: 1.1, noNaN: true }),
    order: fc.integer({ min: 2, max: 4 }),
    boundary: fc.constantFrom('fixed', 'free', 'periodic'),
    slab: fc.record({ from: part, to: part, permittivity: fc.double({ min: 1, max: 100, noNaN: true }) }),
    initial: fc.record(
      {
        kind: fc.constantFrom('gaussian', 'mode', 'values'),
        amplitude: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        x: part,
        sigma: fc.double({ min: 1e-3, max: 10, noNaN: true }),
        m: fc.integer({ min: 0, max: 20 }),
        n: fc.integer({ min: 0, max: 20 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 400, workMax: 30 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
