// Goal: flow solves the incompressible Navier–Stokes equations at the order it claims, keeps what they keep, and its
// check sees every coefficient; what cannot be solved is refused before work. Method: carried vortices and a channel's
// transient in closed form, published extremes of cavities, halved grids, symmetries; runs of a sabotaged flow judged
// as if they were right; the kernel against plain loops bit by bit; inputs drawn from the schema.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { exp, TAU } from '#numerics/math.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { flow } from '#numerics/solvers/flow/index.ts'
import { createMac, type MacPlan } from '#numerics/solvers/flow/run/mac.ts'
import type { March } from '#numerics/solvers/flow/run/march.ts'
import type { FlowInput, FlowOutput } from '#numerics/solvers/flow/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinProject, twinStep, twinTables } from './flow-twin.ts'

const test = suite('numerics/flow')

keepsTheRules(test, flow)

const { inputOf, solve, found: reality, refusal, sealsOrRefuses } = outcomesOf(flow)
const figure = (raw: object, name: string): number => reality(raw).figures[name] as number

test('the kernel gives the bits of plain loops: rings and walls, any powers of two', () => {
  const random = seeded()
  const noise = (count: number): Float64Array => Float64Array.from({ length: count }, () => random.next() - 0.5)
  for (const [nx, ny] of [
    [4, 4],
    [8, 12],
    [16, 8],
    [32, 20],
  ] as const) {
    for (const [ringX, ringY] of [
      [true, true],
      [true, false],
      [false, false],
    ] as const) {
      const plan = { nx, ny, dx: 0.11, dy: 0.07, ringX, ringY, viscosity: 0.01, force: 0.3 }
      const [u, v] = [noise(nx * ny), noise(nx * ny)]
      if (!ringY) for (let i = 0; i < nx; i++) v[i * ny + ny - 1] = 0
      const mac = createMac(plan)
      mac.write(u, v)
      mac.project()
      const tables = twinTables(plan)
      twinProject(plan, tables, u, v)
      assert.deepEqual(mac.read('u'), u)
      assert.deepEqual(mac.read('v'), v)
      if (!ringX) continue
      mac.write(u, v)
      for (let step = 0; step < 3; step++) {
        mac.step(0.01)
        twinStep(plan, tables, { u, v, dt: 0.01 })
      }
      assert.deepEqual(mac.read('u'), u, `${nx} × ${ny}, ${ringY}`)
      assert.deepEqual(mac.read('v'), v)
    }
  }
})

test('vortices: second order in velocity and pressure, and the amplitude decays as exp(−2νk²t)', () => {
  const at = (n: number) => reality({ nx: n, ny: n, steps: n / 2, dt: 1 / (n / 2), re: 50 }).figures
  const [coarse, middle, fine] = [at(32), at(64), at(128)]
  for (const name of ['velocity_pct', 'pressure_pct']) {
    for (const [a, b] of [
      [coarse, middle],
      [middle, fine],
    ] as const) {
      const ratio = (a[name] as number) / (b[name] as number)
      assert(ratio > 3.8 && ratio < 4.2, `${name}: ${ratio}`)
    }
  }
  const { vortexSpeed = 0, time } = solve({ re: 20 })
  assert(Math.abs(vortexSpeed * Math.SQRT2 - exp(-0.1 * time)) < 1e-4)
})

test('a run in time is of fourth order in dt', () => {
  const at = (steps: number): FlowOutput => solve({ nx: 16, ny: 16, steps, dt: 1.6 / steps, re: 30 })
  const exact = at(320)
  const off = (steps: number): number => {
    const { u } = at(steps)
    return Math.max(...Array.from(u, (value, k) => Math.abs(value - (exact.u[k] as number))))
  }
  const ratio = off(10) / off(20)
  assert(ratio > 13 && ratio < 19, `ratio ${ratio}`)
})

test('without viscosity to speak of energy is kept, and momentum to rounding', () => {
  const { kineticEnergy = 0, u, v } = solve({ re: 1e6, nx: 32, ny: 64, steps: 80, dt: 0.01 })
  const start = 0.5 * (1 + 0.25) + 0.25
  assert(Math.abs(kineticEnergy / start - 1) < 2e-3)
  const mean = (values: readonly number[]): number => Array.from(values).reduce((a, b) => a + b, 0) / values.length
  assert(Math.abs(mean(u) - 1) < 1e-12 && Math.abs(mean(v) - 0.5) < 1e-12)
})

test('by Galilei: a stream shifts the pattern and changes nothing else', () => {
  const n = 64
  const run = (stream: object): FlowOutput => solve({ nx: n, ny: n, steps: 64, dt: TAU / n / 64, stream, re: 40 })
  const [still, moved] = [run({ u: 0, v: 0 }), run({ u: 1, v: 0 })]
  // One cell in the whole time; central differences carry it a little less far.
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const [a, b] = [still.u[j * n + i] as number, (moved.u[j * n + ((i + 1) % n)] as number) - 1]
      assert(Math.abs(a - b) < 3e-4, `${i}, ${j}: ${a} ${b}`)
    }
  }
})

test('lengths and speeds scale: the same Reynolds number gives the same flow', () => {
  const one = solve({ nx: 32, ny: 32, steps: 20, dt: 0.02 })
  const other = solve({ nx: 32, ny: 32, steps: 20, dt: 0.02 * 0.25, speed: 2, length: 0.5, stream: { u: 2, v: 1 } })
  for (let k = 0; k < one.u.length; k++) {
    assert(Math.abs(2 * (one.u[k] as number) - (other.u[k] as number)) < 1e-12)
    assert(Math.abs(4 * (one.pressure[k] as number) - (other.pressure[k] as number)) < 1e-11)
  }
})

test("a channel's mean speed and energy are held to integrals over its height, not to sums over its cells", () => {
  // u/U = 4s(1 − s) − Σ 32/(πm)³·exp(−(πm)²νt/H²)·sin(mπs) over odd m, at νt/H² = 0.1, by Simpson's rule.
  const profile = (s: number): number => {
    let u = 4 * s * (1 - s)
    for (let m = 1; m < 40; m += 2) {
      u -= (32 / (Math.PI * m) ** 3) * Math.exp(-((Math.PI * m) ** 2) * 0.1) * Math.sin(m * Math.PI * s)
    }
    return u
  }
  const parts = Array.from({ length: 2001 }, (_, k) => [
    k === 0 || k === 2000 ? 1 : k % 2 === 1 ? 4 : 2,
    profile(k / 2000),
  ])
  const integral = (of: (u: number) => number): number =>
    parts.reduce((sum, [weight = 0, u = 0]) => sum + (weight * of(u)) / 6000, 0)
  const { errorPct, figures } = reality({ case: 'channel' })
  const { bulkSpeed = 0, kineticEnergy = 0 } = solve({ case: 'channel' })
  const [speed, energy] = [bulkSpeed / integral((u) => u) - 1, kineticEnergy / integral((u) => (u * u) / 2) - 1]
  assert(Math.abs(100 * Math.abs(speed) - (figures['value_pct'] ?? 0)) < 1e-6, `${speed}`)
  assert(Math.abs(100 * Math.abs(energy) - (figures['energy_pct'] ?? 0)) < 1e-6, `${energy}`)
  assert(errorPct > 0.042 && errorPct <= 0.1)
})

test('a channel: second order, the developed parabola in the end, and 2/3 of its speed in the mean', () => {
  const at = (ny: number): number =>
    figure({ case: 'channel', nx: 4, ny, re: 10, steps: ny * ny, dt: 0.4 / (ny * ny) }, 'velocity_pct')
  const ratio = at(16) / at(32)
  assert(ratio > 3.7 && ratio < 4.3, `ratio ${ratio}`)
  const { bulkSpeed = 0, u } = solve({ case: 'channel', nx: 4, ny: 32, re: 1, steps: 3000, dt: 2.3e-4 })
  assert(Math.abs(bulkSpeed - 2 / 3) < 2e-3)
  for (let j = 0; j < 32; j++) {
    const s = (j + 0.5) / 32
    assert(Math.abs((u[4 * j] as number) - 4 * s * (1 - s)) < 3e-3)
  }
})

test('a run in two stretches is the run in one, and both seal', () => {
  for (const raw of [
    { dt: 0.01, steps: 10 },
    { case: 'channel', nx: 4, dt: 0.005, steps: 400 },
  ]) {
    const whole = solve({ ...raw, steps: 2 * raw.steps })
    const half = run(flow, inputOf(raw)).outcome.output
    const next = inputOf(
      JSON.parse(
        JSON.stringify(flow.continued?.(inputOf(raw), half), (_, it) =>
          it instanceof Float64Array ? Array.from(it) : it,
        ),
      ),
    )
    const { outcome } = produce(flow, next)
    for (let k = 0; k < whole.u.length; k++) {
      assert(Math.abs((whole.u[k] as number) - (outcome.output.u[k] as number)) <= 1e-13)
    }
  }
})

type CavityRow = Readonly<Record<'re' | 'uMin' | 'vMin' | 'vMax', number>> & { readonly source: string }
const { rows: published } = JSON.parse(
  readFileSync(new URL('../../../fixtures/flow/cavity.json', import.meta.url), 'utf8'),
) as { readonly rows: readonly CavityRow[] }

test('a cavity has the published extremes; the figures of Ghia et al. are 1.5 % off them, as later ones found', () => {
  const { outcome, reality: found } = produce(flow, inputOf({ case: 'cavity' }))
  const { uMin = 0, vMin = 0, vMax = 0, psiMin = 0 } = outcome.output
  for (const row of published.filter(({ re }) => re === 100)) {
    const bound = row.source.startsWith('Ghia') ? 0.05 : 1e-3
    for (const [mine, theirs] of [
      [uMin, row.uMin],
      [vMin, row.vMin],
      [vMax, row.vMax],
    ] as const) {
      assert(Math.abs(mine / theirs - 1) < bound, `${row.source}: ${mine} ${theirs}`)
    }
    if (row.source.startsWith('Ghia')) assert(Math.abs(uMin / row.uMin - 1) > 0.01)
  }
  assert(Math.abs(psiMin / -0.1035212 - 1) < 1e-3)
  assert((found?.figures['viscosity_pct'] as number) < 0.01)
  assert((found?.figures['truncation_pct'] as number) < 0.1, 'the difference of extrapolations is in keeping')
}, 30_000)

test('a cavity of another Reynolds number seals by its own three grids', () => {
  const { reality: found } = produce(flow, inputOf({ case: 'cavity', re: 30, nx: 64 }))
  assert(found !== null && found.errorPct < 0.1 && !Object.hasOwn(found.figures, 'reference_pct'))
  refusal('PRECISION_NOT_MET', { case: 'cavity', re: 100, nx: 32 })
  refusal('PRECISION_NOT_MET', { case: 'cavity', re: 30, nx: 64, steps: 20 })
}, 30_000)

/** Runs another flow in place of the right one and judges what comes out as if it were right. */
const mistaken = (raw: object, spoil: (march: March, input: FlowInput) => March): number => {
  const input = inputOf(raw)
  const way = flow.run as { init: (input: FlowInput) => March }
  const spoilt = { ...flow, run: { ...flow.run, init: (it: FlowInput) => spoil(way.init(it), it) } } as typeof flow
  return flow.check(input, run(spoilt, input).outcome).errorPct
}

/** A flow of other coefficients from the same start. */
const withPlan =
  (over: Partial<MacPlan>) =>
  (march: March): March => {
    const mac = createMac({ ...march.mac.plan, ...over })
    mac.write(march.mac.read('u'), march.mac.read('v'))
    return { ...march, mac }
  }

/** Steps of a wrong advection: the state is what a rate of plain differences makes of it. */
const carriedWrongly =
  (factor: number) =>
  (march: March): March => {
    const { plan } = march.mac
    const { nx, ny, dx, dy, viscosity } = plan
    const at = (values: Float64Array, i: number, j: number): number => values[((i + nx) % nx) * ny + ((j + ny) % ny)]
    const rate = (u: Float64Array, v: Float64Array): readonly [Float64Array, Float64Array] => {
      const [a, b] = [new Float64Array(nx * ny), new Float64Array(nx * ny)]
      for (let i = 0; i < nx; i++) {
        for (let j = 0; j < ny; j++) {
          const across = (at(v, i, j) + at(v, i + 1, j) + at(v, i, j - 1) + at(v, i + 1, j - 1)) / 4
          const along = (at(u, i, j) + at(u, i, j + 1) + at(u, i - 1, j) + at(u, i - 1, j + 1)) / 4
          const one = (f: Float64Array, x: number, y: number): number => {
            const carried =
              (x * (at(f, i + 1, j) - at(f, i - 1, j))) / (2 * dx) +
              (y * (at(f, i, j + 1) - at(f, i, j - 1))) / (2 * dy)
            const lx = (at(f, i + 1, j) + at(f, i - 1, j) - 2 * at(f, i, j)) / (dx * dx)
            const ly = (at(f, i, j + 1) + at(f, i, j - 1) - 2 * at(f, i, j)) / (dy * dy)
            return viscosity * (lx + ly) - factor * carried
          }
          a[i * ny + j] = one(u, at(u, i, j), across)
          b[i * ny + j] = one(v, along, at(v, i, j))
        }
      }
      return [a, b]
    }
    const { mac } = march
    const step = (dt: number): void => {
      const [u, v] = [mac.read('u'), mac.read('v')]
      const [a, b] = rate(u, v)
      // The middle of the step is made free of divergence too: without its pressure it would be of first order.
      mac.write(
        u.map((it, k) => it + (dt / 2) * a[k]),
        v.map((it, k) => it + (dt / 2) * b[k]),
      )
      mac.project()
      const [c, d] = rate(mac.read('u'), mac.read('v'))
      mac.write(
        u.map((it, k) => it + dt * c[k]),
        v.map((it, k) => it + dt * d[k]),
      )
      mac.project()
      mac.write(mac.read('u'), mac.read('v'))
    }
    return { ...march, mac: { ...mac, step } }
  }

test('the check sees viscosity, advection, driving force, spacing, a dropped projection and a lost step', () => {
  assert(reality({}).errorPct <= 0.1)
  const few = { steps: 100, dt: 0.01 }
  assert(mistaken({ re: 20 }, withPlan({ viscosity: 0.0525 })) > 0.1)
  const right = mistaken(few, carriedWrongly(1))
  assert(right < 0.1, `the same steps with the right advection seal: ${right}`)
  assert(mistaken(few, carriedWrongly(1.01)) > 0.5, '1 % more advection is 1 % of the stream’s way')
  assert(mistaken(few, carriedWrongly(0)) > 10)
  assert(mistaken({}, withPlan({ dx: (TAU / 128) * 1.01 })) > 0.1)
  const still = { stream: { u: 0, v: 0 } }
  assert(mistaken(still, (march) => ({ ...march, mac: { ...march.mac, step: () => undefined } })) > 0.1)
  let steps = 0
  const lost = (march: March): March => ({
    ...march,
    mac: { ...march.mac, step: (dt) => (++steps % 20 === 0 ? undefined : march.mac.step(dt)) },
  })
  assert(mistaken({}, lost) > 0.1)
  const leaky = (march: March): March => {
    const { mac } = march
    const read: typeof mac.read = (name) =>
      name === 'u' ? mac.read('u').map((it, k) => it + (k === 300 ? 1e-7 : 0)) : mac.read(name)
    return { ...march, mac: { ...mac, read } }
  }
  assert.equal(mistaken({}, leaky), 100)
  const channel = { case: 'channel', nx: 4, ny: 64, re: 10, dt: 4e-4, steps: 2500 }
  assert(reality(channel).errorPct <= 0.1)
  assert(mistaken(channel, withPlan({ viscosity: 0.101 })) > 0.1)
  assert(mistaken(channel, withPlan({ force: 0.808 })) > 0.1)
  assert(mistaken(channel, withPlan({ dy: (1 / 64) * 1.01 })) > 0.1)
})

test('the check of a cavity sees a wrong Reynolds number, readings that were mended, and single altered values', () => {
  const raw = { case: 'cavity', re: 30, nx: 64 }
  const input = inputOf(raw)
  const { outcome } = run(flow, input)
  const errorOf = (output: object, over: object = {}): number =>
    flow.check({ ...input, ...over }, { ...outcome, output: { ...outcome.output, ...output } as FlowOutput }).errorPct
  assert(errorOf({}) <= 0.1)
  const other = run(flow, inputOf({ ...raw, re: 30.3 })).outcome
  const asked = { ...other.output, viscosity: outcome.output.viscosity, dt: outcome.output.dt }
  const { errorPct, figures } = flow.check(input, { output: asked, evidence: other.evidence })
  assert(errorPct > 0.1, JSON.stringify(figures))
  // The balance of the vorticity alone tells the viscosity: nothing of the solver's own arithmetic is in it.
  assert(Math.abs((figures['viscosity_pct'] as number) - 0.5) < 0.1)
  for (const name of ['uMin', 'vMin', 'vMax', 'psiMin'] as const) {
    assert(errorOf({ [name]: 1.01 * (outcome.output[name] ?? 0) }) > 0.1, name)
  }
  for (const name of ['u', 'v', 'pressure'] as const) {
    for (const at of [0, 1000, 2048, 4000]) {
      const moved = Float64Array.from(outcome.output[name])
      moved[at] += 0.01 * moved.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
      assert(errorOf({ [name]: moved }) > 0.1, `${name} ${at}`)
      moved[at] = Number.NaN
      assert(!(errorOf({ [name]: moved }) <= 0.1))
    }
  }
  const grids = outcome.output.grids?.map((it, k) => (k === 0 ? { ...it, uMin: 1.05 * it.uMin } : it))
  assert(errorOf({ grids }) > 0.1)
  assert(errorOf({ residuals: [] }) > 0.1)
}, 20_000)

test('an unstable step is refused with the dt that passes', () => {
  const details = refusal('UNSTABLE_STEP', { dt: 0.1, steps: 10 })
  flow.refuse(inputOf({ dt: details['dt'], steps: 10 }))
  const cell = refusal('UNSTABLE_STEP', { case: 'cavity', re: 1000, nx: 128 })
  assert.deepEqual([cell['limit'], cell['nx']], [4, 256])
  flow.refuse(inputOf({ case: 'cavity', re: 1000, nx: cell['nx'] }))
})

test('a flow at the largest step allowed stays bounded', () => {
  const { dt } = refusal('UNSTABLE_STEP', { re: 5, dt: 10, nx: 32, ny: 32 }) as { readonly dt: number }
  const { kineticEnergy = Number.NaN } = solve({ re: 5, nx: 32, ny: 32, dt, steps: 200 })
  assert(kineticEnergy <= 0.5 * (1 + 0.25) + 0.25)
})

test('what does not fit together is refused', () => {
  assert.equal(refusal('OUT_OF_RANGE', { nx: 100 })['nx'], 64)
  assert.equal(refusal('OUT_OF_RANGE', { ny: 50 })['ny'], 52)
  assert.equal(refusal('WORK_LIMIT_EXCEEDED', { nx: 1024, ny: 1024 })['limit'], 262_144)
  assert.equal(refusal('INVALID_INPUT', { case: 'cavity', ny: 64 })['path'], '/ny')
  assert.equal(refusal('OUT_OF_RANGE', { case: 'cavity', re: 2000 })['limit'], 1000)
  assert.equal(refusal('OUT_OF_RANGE', { case: 'cavity', re: 1 })['limit'], 10)
  assert.equal(refusal('OUT_OF_RANGE', { case: 'cavity', nx: 16 })['limit'], 32)
  refusal('ILL_POSED', { re: 0.01, nx: 8, ny: 8, steps: 200_000 })
  refusal('ILL_POSED', { speed: 1e-6, stream: { u: 1e6, v: 0 } })
  const noise = Array.from({ length: 64 }, (_, k) => ((k * 7919) % 13) / 13)
  refusal('ILL_POSED', { nx: 8, ny: 8, start: { u: noise, v: noise } })
  refusal('INVALID_INPUT', { nx: 8, ny: 8, start: { u: noise.slice(1), v: noise } })
  const zero = noise.map(() => 0)
  refusal('INVALID_INPUT', { case: 'cavity', start: { u: zero, v: zero } })
  const uneven = noise.map((_, k) => (k % 8) / 8)
  refusal('ILL_POSED', { case: 'channel', nx: 8, ny: 8, start: { u: uneven, v: zero } })
})

const drawn = fc.record(
  {
    case: fc.constantFrom('taylor-green', 'taylor-green', 'channel', 'cavity'),
    re: fc.oneof(fc.double({ min: 10, max: 1000, noNaN: true }), fc.double({ min: 1e-3, max: 1e6, noNaN: true })),
    speed: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    length: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    stream: fc.record({
      u: fc.double({ min: -10, max: 10, noNaN: true }),
      v: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    }),
    nx: fc.constantFrom(4, 8, 16, 32, 33, 64, 64, 64),
    ny: fc.constantFrom(4, 8, 12, 32, 30, 64, 64, 64),
    dt: fc.double({ min: 1e-12, max: 1e9, noNaN: true }),
    steps: fc.integer({ min: 1, max: 12 }),
  },
  { requiredKeys: ['nx', 'ny', 'steps'] },
)

test('any input of the schema seals or is refused with a code', () => {
  const fine = fc.record({ nx: fc.constant(128), ny: fc.constant(128), steps: fc.integer({ min: 1, max: 4 }) })
  const { seals } = sealsOrRefuses(fc.oneof({ weight: 19, arbitrary: drawn }, { weight: 1, arbitrary: fine }), {
    numRuns: 200,
  })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
