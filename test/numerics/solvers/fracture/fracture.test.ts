// Goal: fracture keeps its balance of energy, its constants are those of the material, its check sees every
// coefficient and a wrong scheme; what cannot be solved is refused before work.
// Method: sums over the lattice against plane stress and Gc, steps halved, a run cut in two, kernel beside its twin,
// runs of another plate judged as if they were of this one, closed form of the bar, inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { isScheduled } from '#numerics/solvers/fracture/check/check.ts'
import { recomputeKinetic, recomputeStrain, referencePlate } from '#numerics/solvers/fracture/check/recompute-plate.ts'
import { fracture } from '#numerics/solvers/fracture/index.ts'
import { bondsAtStart, latticeOf, scheduleOf, stableStep } from '#numerics/solvers/fracture/problem.ts'
import { createPlate } from '#numerics/solvers/fracture/run/plate.ts'
import type { PlateEvidence } from '#numerics/solvers/fracture/schema.ts'
import { seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf, refusedRightly } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinPlate } from './fracture-twin.ts'

const test = suite('numerics/fracture')

keepsTheRules(test, fracture)

/** A plate a quarter as large, whose crack runs through within a few hundred steps. */
const SMALL = { width: 0.04, nx: 40, ny: 24, strain: 1.2e-4, time: 15e-6 }

const { inputOf, ran: runOf, found, refusal } = outcomesOf(fracture)

test('the lattice sum: c is 0.975 of the continuum’s, energies are those of plane stress with ν = 1/3', () => {
  const input = inputOf({})
  const lattice = latticeOf(input)
  const delta = 3.015e-3
  const continuum = (9 * 72e9) / (Math.PI * 1e-3 * delta ** 3)
  assert(Math.abs(lattice.c / continuum - 0.975) < 1e-3)
  assert(Math.abs(lattice.s0 / Math.sqrt((4 * Math.PI * 3.8) / (9 * 72e9 * delta)) - 1) < 0.05)
  // A patch far from the edges under uniform strains: the node's share of its bonds.
  const energy = (ex: number, ey: number): number =>
    lattice.offsets.reduce((sum, { p, q }) => {
      const length = lattice.dx * Math.sqrt(p * p + q * q)
      const [x, y] = [p * lattice.dx * (1 + ex), q * lattice.dx * (1 + ey)]
      const stretch = (Math.sqrt(x * x + y * y) - length) / length
      return sum + 0.5 * lattice.c * stretch * stretch * length * lattice.volume
    }, 0)
  const plane = (ex: number, ey: number): number => ((72e9 / (1 - 1 / 9)) * (ex * ex + ey * ey + (2 / 3) * ex * ey)) / 2
  assert(Math.abs(energy(1e-6, 1e-6) / plane(1e-6, 1e-6) - 1) < 1e-5)
  assert(Math.abs(energy(1e-6, 0) / plane(1e-6, 0) - 1) < 0.03)
  assert(Math.abs(energy(0, 1e-6) / energy(1e-6, 0) - 1) < 1e-9)
})

test('the bonds of a straight crack take Gc per area at the critical stretch', () => {
  for (const horizon of [1.5, 2.1, 3.015, 4.02]) {
    const input = inputOf({ horizon, nx: 40, ny: 40 })
    const lattice = latticeOf(input)
    const cut = bondsAtStart(lattice, 1)
    const whole = bondsAtStart(lattice, 0)
    let energy = 0
    const middle = Array.from({ length: 40 }, (_, row) => row * 40 + 20)
    for (const node of middle) {
      lattice.offsets.forEach(({ p, q }, k) => {
        if ((((cut[node] as number) ^ (whole[node] as number)) >> k) & 1) {
          const length = lattice.dx * Math.sqrt(p * p + q * q)
          energy += 0.5 * lattice.c * lattice.s0 ** 2 * length * lattice.volume ** 2
        }
      })
    }
    const area = lattice.dx * input.thickness
    assert(Math.abs(energy / (3.8 * area) - 1) < 1e-12, `${horizon}`)
  }
})

test('the balance closes with the square of the step: 0.36, 0.10 and 0.063 percent', () => {
  const at = (courant: number): number => found({ courant }).figures['balance_pct'] ?? 1
  const [coarse, middle] = [at(0.5), at(0.25)]
  assert(coarse > 0.3 && coarse < 0.4, `${coarse}`)
  assert(coarse / middle > 3 && coarse / middle < 5, `${coarse} ${middle}`)
  refusal('ENERGY_NOT_CONSERVED', { courant: 0.5 })
}, 30_000)

test('damping and moving grips keep the balance too', () => {
  const shaken = { strain: 0, gripSpeed: 4, courant: 0.08 }
  for (const raw of [{ damping: 1e5 }, { gripSpeed: 2 }, shaken, { damping: 2e4, gripSpeed: 1 }]) {
    const { errorPct, figures } = found({ ...SMALL, courant: 0.15, ...raw })
    assert(errorPct <= 0.1, `${JSON.stringify(raw)}: ${JSON.stringify(figures)}`)
  }
  const { output } = runOf({ ...SMALL, damping: 1e5, gripSpeed: 2 })
  assert((output.dampedEnergy.at(-1) ?? 0) > 0 && (output.externalWork.at(-1) ?? 0) > 0)
})

test('a crack runs through the strip and takes more than Gc of the straight one; below its load it stays', () => {
  const { output } = runOf({})
  assert(output.propagated && output.spannedDomain && output.crackTipX > 0.09)
  assert(output.dissipated > 3.8 * 0.05 * 1e-3)
  assert(output.crackLengthAlongPath >= output.crackTipX)
  const calm = runOf({ strain: 2e-5, time: 2e-5 }).output
  assert(!calm.propagated && calm.brokenBonds === 0 && calm.dissipated === 0)
  assert(Math.abs(calm.crackTipX - 0.05) <= 2e-3)
})

test('the plate stays a mirror of itself, up to rounding, until the first asymmetric break', () => {
  const { output } = runOf({ ...SMALL, time: 2e-6 })
  const { ux = [], uy = [] } = output
  const [nx, ny] = [40, 24]
  for (let node = 0; node < nx * ny; node++) {
    const mirror = (ny - 1 - Math.floor(node / nx)) * nx + (node % nx)
    assert(Math.abs((ux[node] ?? 0) - (ux[mirror] ?? 0)) < 1e-16)
    assert(Math.abs((uy[node] ?? 0) + (uy[mirror] ?? 0)) < 1e-16)
  }
})

test('a run cut in two ends where the whole one does', () => {
  const courant = 0.2
  const { stable } = scheduleOf(inputOf(SMALL))
  const whole = runOf({ ...SMALL, courant, time: 200 * courant * stable }).output
  const half = { ...SMALL, courant, time: 100 * courant * stable }
  const first = runOf(half).output
  const next = fracture.continued?.(inputOf(half), first)
  const second = runOf(
    JSON.parse(JSON.stringify(next, (_, it) => (ArrayBuffer.isView(it) ? [...(it as Float64Array)] : it))),
  ).output
  const scale = whole.maxDeflection
  for (let node = 0; node < 960; node++) {
    assert(Math.abs((whole.uy?.[node] ?? 0) - (second.uy?.[node] ?? 0)) < 1e-9 * scale)
    assert.equal(whole.bonds?.[node], second.bonds?.[node])
  }
  assert(Math.abs(whole.dissipated - first.dissipated - second.dissipated) <= 1e-9 * whole.dissipated)
  assert.throws(() => fracture.continued?.(inputOf({ mode: 'bar' }), runOf({ mode: 'bar' }).output), {
    code: 'ILL_POSED',
  })
})

for (const conditions of [
  {},
  { damping: 1e5 },
  { gripSpeed: 3 },
  { nx: 41, ny: 25, horizon: 4.02 },
  { horizon: 2.2 },
]) {
  test(`kernel = twin, bonds breaking: ${JSON.stringify(conditions)}`, () => {
    const input = inputOf({ ...SMALL, crack: 0.4, ...conditions, time: 3e-6 })
    const { steps, dt } = scheduleOf(input)
    const plate = createPlate(input)
    plate.advance(0, steps, () => undefined)
    const { state, evidence } = plate.end()
    const twin = twinPlate(latticeOf(input), { ...input, dt })
    for (let step = 0; step < steps; step++) twin.step()
    assert(evidence.breaks.length > 0)
    assert.deepEqual(Array.from(evidence.breaks), twin.breaks)
    for (const name of ['ux', 'uy', 'vx', 'vy', 'bonds'] as const) {
      for (let node = 0; node < twin[name].length; node++) {
        if (state[name][node] !== twin[name][node]) assert.fail(`${name} ${node}`)
      }
    }
  })
}

test('a bond that breaks before the closing half kick costs percents of the energy', () => {
  const input = inputOf({ ...SMALL, time: 6e-6 })
  const lattice = latticeOf(input)
  const { steps, dt } = scheduleOf(input)
  const plate = referencePlate(input)
  const imbalance = (early: boolean): number => {
    const twin = twinPlate(lattice, { ...input, dt, early })
    const energy = (): number => {
      const state = {
        fields: Float64Array.from([twin.ux, twin.uy, twin.vx, twin.vy].flatMap((it) => [...it])),
        bonds: twin.bonds,
      }
      return recomputeStrain(plate, state) + recomputeKinetic(plate, state, input.rho)
    }
    const start = energy()
    for (let step = 0; step < steps; step++) twin.step()
    let broken = 0
    for (let at = 0; at < twin.breaks.length; at += 5) {
      const { p, q } = lattice.offsets[twin.breaks[at + 1] ?? 0] as { p: number; q: number }
      const length = lattice.dx * Math.sqrt(p * p + q * q)
      broken += 0.5 * lattice.c * (twin.breaks[at + 3] ?? 0) ** 2 * length * lattice.volume ** 2
    }
    return (100 * Math.abs(energy() + broken - start)) / start
  }
  assert(imbalance(false) < 0.1)
  assert(imbalance(true) > 0.5, `${imbalance(true)}`)
}, 20_000)

/** Solves one problem and judges the answer as if it were that of another. */
const judgedAs = (raw: object, spoilt: object): number => {
  const input = inputOf(raw)
  const { output, evidence } = runOf({ ...raw, ...spoilt })
  const { dt, criticalStrain, ...rest } = runOf(raw).output
  // What repeats the inputs is put right, so that physics alone can tell.
  const sold = { ...output, dt, criticalStrain, steps: rest.steps, initialEnergy: rest.initialEnergy }
  return fracture.check(input, { output: sold, evidence }).errorPct
}

test('the check sees every coefficient', () => {
  const raw = { ...SMALL, damping: 2e4, gripSpeed: 1, courant: 0.15 }
  assert(found(raw).errorPct <= 0.1)
  for (const spoilt of [
    { E: 72.72e9 },
    { rho: 2464.4 },
    { Gc: 3.838 },
    { thickness: 1.01e-3 },
    { damping: 2.02e4 },
    { gripSpeed: 1.01 },
    { strain: 1.212e-4 },
    { crack: 0.55 },
    { horizon: 2.9 },
  ]) {
    const errorPct = judgedAs(raw, spoilt)
    assert(errorPct > 0.1 || Number.isNaN(errorPct), `${JSON.stringify(spoilt)}: ${errorPct}`)
  }
})

test('the check sees grips that stand elsewhere, which no energy tells, and steps of another schedule', () => {
  const raw = { ...SMALL, time: 4e-6, gripSpeed: 1 }
  const input = inputOf(raw)
  const { output, evidence } = runOf(raw)
  assert(fracture.check(input, { output, evidence }).errorPct <= 0.1)
  // The whole plate a little higher: strain, motion and the last steps are the same.
  const lift = (values: readonly number[]): readonly number[] => Array.from(values, (it) => it + 1e-7)
  const late = evidence?.late.slice() ?? new Float64Array()
  const n = input.nx * input.ny
  for (let node = n; node < 2 * n; node++) late[node] += 1e-7
  const uy = lift(output.uy ?? [])
  const reach = uy.map((y, node) => Math.hypot(output.ux?.[node] ?? 0, y))
  const lifted = { ...output, uy, maxDeflection: Math.max(...reach) }
  const { errorPct, figures } = fracture.check(input, { output: lifted, evidence: evidence && { ...evidence, late } })
  assert(errorPct > 0.1 && (figures['grips_pct'] ?? 0) > 0.1, JSON.stringify(figures))
  const plate = referencePlate(input)
  const schedule = scheduleOf(input)
  assert(isScheduled(input, plate, schedule))
  const { steps, dt, every } = schedule
  for (const other of [{ steps: steps / 2, dt: 2 * dt }, { dt: 1.01 * dt }, { every: every + 1 }, { late: 0 }]) {
    assert(!isScheduled(input, plate, { ...schedule, ...other }), JSON.stringify(other))
  }
})

test('evidence that does not fit is refused', () => {
  const input = inputOf(SMALL)
  const { output, evidence } = runOf(SMALL)
  assert(evidence !== null && evidence.breaks.length > 50)
  const refused = (spoil: (it: PlateEvidence) => Partial<PlateEvidence>): boolean =>
    fracture.check(input, { output, evidence: { ...evidence, ...spoil(evidence) } }).errorPct > 0.1
  assert(!refused(() => ({})))
  assert(refused(({ breaks }) => ({ breaks: breaks.slice(5) })))
  assert(refused(({ breaks }) => ({ breaks: breaks.map((it, k) => (k % 5 === 3 ? it * 1.01 : it)) })))
  assert(refused(({ breaks }) => ({ breaks: breaks.map((it, k) => (k === 4 ? it * 1.1 : it)) })))
  assert(refused(({ breaks }) => ({ breaks: breaks.map((it, k) => (k === 2 ? 1e9 : it)) })))
  assert(refused(({ late }) => ({ late: late.map((it) => it * 1.01) })))
  assert(refused(({ lateBonds }) => ({ lateBonds: lateBonds.map((it, node) => (node === 500 ? it ^ 1 : it)) })))
  assert(fracture.check(input, { output, evidence: null }).errorPct > 0.1)
})

test('the bar follows its closed form, snaps back when long, and takes Gc·A', () => {
  for (const bar of [
    {},
    { law: 'exponential', opening: 12 },
    { length: 1e-3 },
    { opening: 1, elements: 2, increments: 8 },
    { law: 'exponential', opening: 3, increments: 200 },
  ]) {
    const { errorPct } = found({ mode: 'bar', bar })
    assert(errorPct < 0.05, `${JSON.stringify(bar)}: ${errorPct}`)
  }
  const { output } = runOf({ mode: 'bar' })
  assert(Math.abs(output.dissipated - 3.8e-4) < 1e-12)
  assert(Math.abs(output.criticalStrain - 30e6 / 72e9) < 1e-15)
  // Longer than 2·E·Gc/strength²: the elongation falls while the section opens.
  const { elongation = [], opening = [] } = output
  assert(elongation.some((it, k) => k > 0 && it < (elongation[k - 1] ?? 0)))
  assert(opening.every((it, k) => k === 0 || it >= (opening[k - 1] ?? 0)))
  const short = runOf({ mode: 'bar', bar: { length: 5e-4 } }).output
  assert((short.elongation ?? []).every((it, k) => k === 0 || it >= (short.elongation?.[k - 1] ?? 0)))
  refusal('PRECISION_NOT_MET', { mode: 'bar', bar: { law: 'exponential', opening: 12, increments: 40 } })
})

for (const bar of [{}, { law: 'exponential', opening: 10 }]) {
  test(`every number of a bar's answer is read: ${JSON.stringify(bar)}`, () => {
    const raw = { mode: 'bar', bar }
    const input = inputOf(raw)
    const { output } = runOf(raw)
    for (const [name, value] of Object.entries(output as Readonly<Record<string, unknown>>)) {
      const spoilt: unknown[] = []
      if (typeof value === 'number') spoilt.push(value === 0 ? 0.01 : value * 1.01)
      if (typeof value === 'boolean') spoilt.push(!value)
      if (value instanceof Float64Array) {
        const most = value.reduce((it, other) => Math.max(it, Math.abs(other)), 0) || 1
        const at = seeded().integer(0, value.length - 1)
        spoilt.push(
          value.map((it, k) => (k === at ? it + 0.01 * most : it)),
          value.slice(1),
        )
      }
      for (const it of spoilt) {
        const { errorPct } = fracture.check(input, { output: { ...output, [name]: it }, evidence: null })
        assert(!(errorPct <= 0.1), name)
      }
    }
    for (const spoilt of [{ E: 72.72e9 }, { Gc: 3.838 }]) {
      assert(fracture.check(input, runOf({ ...raw, ...spoilt })).errorPct > 0.1)
    }
    const stronger = runOf({ mode: 'bar', bar: { ...bar, strength: 30.3e6 } })
    assert(fracture.check(input, stronger).errorPct > 0.1)
  })
}

test('what cannot be solved is refused before work, with a value that passes', () => {
  assert.equal(refusal('OUT_OF_RANGE', { nu: 0.3 })['limit'], 1 / 3)
  const step = refusal('UNSTABLE_STEP', { courant: 1.5 })
  fracture.refuse(inputOf({ courant: step['courant'] }))
  assert(step['dt'] === scheduleOf(inputOf({})).dt)
  const stretched = refusal('ILL_POSED', { strain: 2e-4 })
  fracture.refuse(inputOf({ strain: stretched['strain'] }))
  refusal('ILL_POSED', { strain: 0 })
  fracture.refuse(inputOf({ strain: 0, gripSpeed: 1 }))
  const many = refusal('WORK_LIMIT_EXCEEDED', { nx: 1000, ny: 1000 })
  assert.equal(many['ny'], 40)
  const long = refusal('WORK_LIMIT_EXCEEDED', { time: 1 })
  fracture.refuse(inputOf({ time: long['time'] }))
  assert.equal(refusal('INVALID_INPUT', { mode: 'bar', bar: { elements: 7 } })['elements'], 8)
  const none = { ux: [], uy: [], vx: [], vy: [], bonds: [] }
  assert.equal(refusal('INVALID_INPUT', { start: none })['limit'], 5000)
  const flat = new Array(960).fill(0)
  const start = { ux: flat, uy: flat, vx: flat, vy: flat, bonds: flat.map(() => 16383) }
  assert.match(String(refusal('INVALID_INPUT', { ...SMALL, start })['path']), /^\/start\/bonds\//)
  const far = {
    ...start,
    bonds: Array.from(bondsAtStart(latticeOf(inputOf(SMALL)), 0)),
    uy: flat.map((_, k) => k * 1e-6),
  }
  refusal('ILL_POSED', { ...SMALL, start: far })
  refusal('ILL_POSED', { ...SMALL, start: { ...far, uy: flat } })
  assert(stableStep(latticeOf(inputOf({})), 2440) > 2e-7)
})

const drawn = fc.record(
  {
    mode: fc.constantFrom('plate', 'plate', 'bar'),
    E: fc.double({ min: 1, max: 1e15, noNaN: true }),
    nu: fc.constantFrom(1 / 3, 1 / 3, 1 / 3, 0.25),
    Gc: fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
    rho: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    width: fc.double({ min: 1e-6, max: 1e4, noNaN: true }),
    thickness: fc.double({ min: 1e-9, max: 1e4, noNaN: true }),
    nx: fc.integer({ min: 8, max: 24 }),
    ny: fc.integer({ min: 12, max: 24 }),
    horizon: fc.double({ min: 1.5, max: 4.05, noNaN: true }),
    crack: fc.double({ min: 0, max: 1, noNaN: true }),
    strain: fc.double({ min: 0, max: 2e-4, noNaN: true }),
    gripSpeed: fc.double({ min: -10, max: 10, noNaN: true }),
    damping: fc.double({ min: 0, max: 1e9, noNaN: true }),
    courant: fc.double({ min: 1e-3, max: 1.2, noNaN: true }),
    bar: fc.record(
      {
        length: fc.double({ min: 1e-6, max: 1e4, noNaN: true }),
        area: fc.double({ min: 1e-12, max: 1e6, noNaN: true }),
        strength: fc.double({ min: 1, max: 1e12, noNaN: true }),
        law: fc.constantFrom('linear', 'exponential'),
        opening: fc.double({ min: 1e-3, max: 30, noNaN: true }),
        elements: fc.integer({ min: 2, max: 40 }),
        increments: fc.integer({ min: 4, max: 800 }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  let sealed = 0
  fc.assert(
    fc.property(drawn, fc.integer({ min: 1, max: 150 }), (raw, steps) => {
      try {
        const input = inputOf(raw)
        // The time is drawn in steps: any other one has too many of them or a single one.
        const time = Math.max(1e-12, Math.min(1e6, steps * input.courant * scheduleOf(input).stable))
        // The shortest time of the schema is long for the stiffest and lightest plates.
        if (scheduleOf(inputOf({ ...raw, time })).steps > 400) return
        const { reality } = produce(fracture, inputOf({ ...raw, time }))
        assert(reality !== null)
        passGate(reality)
        sealed++
      } catch (error) {
        refusedRightly(error)
      }
    }),
    { seed, numRuns: 80 },
  )
  assert(sealed > 0, 'some of them seal')
}, 60_000)

test.run()
