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
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf, refusedRightly } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { twinPlate } from './fracture-twin.ts'

const test = suite('numerics/fracture')

keepsTheRules(test, fracture)

/** A plate a quarter as large, whose crack runs through within a few hundred steps. */
const SMALL = { width: 0.04, nx: 40, ny: 24, strain: 1.2e-4, time: 15e-6, courant: 0.025 }

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

test('every measured error falls with the square of the step', () => {
  const at = (courant: number): Readonly<Record<string, number>> => found({ ...SMALL, courant }).figures
  const [coarse, fine] = [at(0.05), at(0.025)]
  for (const name of ['balance_pct', 'strain_pct', 'kinetic_pct', 'displacement_pct', 'velocity_pct']) {
    const ratio = (coarse[name] as number) / (fine[name] as number)
    assert(ratio > 2.8 && ratio < 5.5, `${name}: ${ratio}`)
  }
}, 30_000)

test('what bonds took does not depend on the step: too long a one is not sealed, below it is one number', () => {
  // At 0.2, 0.05 and 0.025 of the stable step revision 1 sealed 4.05, 3.97 and 3.99e-4 J of what lasts longer.
  const shorter = { time: 1e-5 }
  const values = [0.05, 0.025].map((courant) => {
    const { errorPct } = found({ ...shorter, courant })
    assert(errorPct <= 0.1, `${courant}: ${errorPct}`)
    return runOf({ ...shorter, courant }).output.dissipated
  })
  for (const value of values) assert(Math.abs(value / 8.396575e-5 - 1) < 1e-6, `${value}`)
  refusal('PRECISION_NOT_MET', { ...shorter, courant: 0.2 })
}, 30_000)

test('grips that pull a plate apart: one number at every step that seals', () => {
  const pulled = { nx: 40, ny: 24, width: 0.04, strain: 0, gripSpeed: 1, time: 12e-6 }
  const sealed = [0.2, 0.1, 0.05, 0.025].flatMap((courant) => {
    const input = inputOf({ ...pulled, courant })
    const outcome = runOf({ ...pulled, courant })
    return fracture.check(input, outcome).errorPct <= 0.1 ? [outcome.output.dissipated] : []
  })
  assert(sealed.length >= 2 && (sealed[0] as number) > 0)
  for (const value of sealed) assert(Math.abs(value / (sealed.at(-1) as number) - 1) < 1e-3, `${sealed}`)
}, 30_000)

test('a step too long for when bonds break is refused with one that passes', () => {
  const { courant } = refusal('PRECISION_NOT_MET', { ...SMALL, courant: 0.1 })['suggestion'] as { courant: number }
  assert(courant < 0.1 && found({ ...SMALL, courant }).errorPct <= 0.1)
}, 30_000)

test('damping and moving grips keep the balance too', () => {
  const shaken = { strain: 0, gripSpeed: 4, courant: 0.0125 }
  for (const raw of [{ damping: 1e5 }, { gripSpeed: 2 }, shaken, { damping: 2e4, gripSpeed: 1 }]) {
    const { errorPct, figures } = found({ ...SMALL, ...raw })
    assert(errorPct <= 0.1, `${JSON.stringify(raw)}: ${JSON.stringify(figures)}`)
  }
  const { output } = runOf({ ...SMALL, damping: 1e5, gripSpeed: 2 })
  assert((output.dampedEnergy.at(-1) ?? 0) > 0 && (output.externalWork.at(-1) ?? 0) > 0)
})

test('a crack runs through the strip and takes more than Gc of the straight one; below its load it stays', () => {
  const { output } = runOf({ time: 6e-5, courant: 0.2 })
  assert(output.propagated && output.spannedDomain && output.crackTipX > 0.09)
  assert(output.dissipated > 3.8 * 0.05 * 1e-3)
  assert(output.crackLengthAlongPath >= output.crackTipX)
  const calm = runOf({ strain: 2e-5, time: 2e-5, courant: 0.2 }).output
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
    const { state, brokenBonds } = plate.end()
    const twin = twinPlate(latticeOf(input), { ...input, dt })
    for (let step = 0; step < steps; step++) twin.step()
    assert(brokenBonds > 0)
    assert.equal(brokenBonds, twin.breaks.length / 2)
    for (const name of ['ux', 'uy', 'vx', 'vy', 'bonds'] as const) {
      for (let node = 0; node < twin[name].length; node++) {
        if (state[name][node] !== twin[name][node]) assert.fail(`${name} ${node}`)
      }
    }
  })
}

test('a bond that pulls to the end of the step in which it breaks costs an order of the step', () => {
  const input = inputOf({ ...SMALL, time: 6e-6, courant: 0.05 })
  const lattice = latticeOf(input)
  const { steps, dt } = scheduleOf(input)
  const plate = referencePlate(input)
  const imbalance = (late: boolean): number => {
    const twin = twinPlate(lattice, { ...input, dt, late })
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
    for (let at = 0; at < twin.breaks.length; at += 2) {
      const { p, q } = lattice.offsets[twin.breaks[at + 1] ?? 0] as { p: number; q: number }
      const length = lattice.dx * Math.sqrt(p * p + q * q)
      broken += 0.5 * lattice.c * lattice.s0 ** 2 * length * lattice.volume ** 2
    }
    return (100 * Math.abs(energy() + broken - start)) / start
  }
  const [right, wrong] = [imbalance(false), imbalance(true)]
  assert(right < 0.01 && wrong > 0.1, `${right} ${wrong}`)
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
  const raw = { ...SMALL, damping: 2e4, gripSpeed: 1 }
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
  // The whole plate a little higher: strain and motion are the same.
  const uy = Array.from(output.uy ?? [], (it) => it + 1e-7)
  const reach = uy.map((y, node) => Math.hypot(output.ux?.[node] ?? 0, y))
  const lifted = { ...output, uy, maxDeflection: Math.max(...reach) }
  const { errorPct, figures } = fracture.check(input, { output: lifted, evidence })
  assert(errorPct > 0.1 && (figures['grips_pct'] ?? 0) > 0.1, JSON.stringify(figures))
  const plate = referencePlate(input)
  const schedule = scheduleOf(input)
  assert(isScheduled(input, plate, schedule))
  const { steps, dt, every } = schedule
  for (const other of [{ steps: steps / 2, dt: 2 * dt }, { dt: 1.01 * dt }, { every: every + 1 }]) {
    assert(!isScheduled(input, plate, { ...schedule, ...other }), JSON.stringify(other))
  }
})

test('bonds that heal, or break without being counted, are refused', () => {
  const input = inputOf(SMALL)
  const { output, evidence } = runOf(SMALL)
  assert(output.brokenBonds > 50)
  const bonds = Array.from(output.bonds ?? [])
  const errorOf = (changed: object): number =>
    fracture.check(input, { output: { ...output, ...changed }, evidence }).errorPct
  assert(errorOf({}) <= 0.1)
  const start = bondsAtStart(latticeOf(input), input.crack)
  const healed = bonds.findIndex((bits, node) => bits !== start[node])
  assert(errorOf({ bonds: bonds.map((bits, node) => (node === healed ? (start[node] as number) : bits)) }) > 0.1)
  assert(errorOf({ bonds: bonds.map((bits, node) => (node === 0 ? bits & (bits - 1) : bits)) }) > 0.1)
  assert(errorOf({ brokenBonds: output.brokenBonds + 1 }) > 0.1)
})

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
