// Goal: evolve moves Lennard-Jones atoms as the equations of motion do, at the order it claims, keeps what they keep,
// and its check sees every coefficient; what cannot be judged is refused.
// Method: LAMMPS from the same start, lattice sums, a head-on collision as an equation of one variable, reversed and
// halved steps; kernel beside its plain twin; spoilt runs judged as if they were right; inputs drawn from the schema.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { meetingOf } from '#numerics/solvers/evolve/check/near.ts'
import { lawOf } from '#numerics/solvers/evolve/check/recompute-motion.ts'
import { evolve } from '#numerics/solvers/evolve/index.ts'
import { eachPair } from '#numerics/solvers/evolve/pairs.ts'
import { boxOf, startOf } from '#numerics/solvers/evolve/problem.ts'
import { cellsOf, createFluid } from '#numerics/solvers/evolve/run/fluid.ts'
import { shiftOf } from '#numerics/solvers/evolve/run/potential.ts'
import { BINS, type EvolveEvidence } from '#numerics/solvers/evolve/schema.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { close, near, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'
import { driven, type Spoilt } from './evolve-driven.ts'
import { type TwinAtoms, twinEnergy, twinList, twinRun } from './evolve-twin.ts'
import { twinSums } from './pairs-twin.ts'

const test = suite('numerics/evolve')

keepsTheRules(test, evolve)

const { inputOf, solve, refusal, sealsOrRefuses } = outcomesOf(evolve)

/** A small dense system that takes a tenth of a second even by plain loops. */
const SMALL = { n: 108, steps: 150, samples: 15 }

for (const raw of [
  { n: 108, dt: 0.004, skin: 0.1 },
  { n: 343, density: 0.7, skin: 0.05, temperature: 4 },
  { n: 1372, density: 0.8, cutoff: 1.8, skin: 0.1, temperature: 3, dt: 0.005 },
  { n: 700, density: 0.05, temperature: 2 },
]) {
  test(`kernel = twin for ${raw.n} atoms: lists, forces, energy and steps`, () => {
    const input = inputOf({ ...raw, steps: 12, samples: 1 })
    const { n, cutoff, skin, dt } = input
    const box = boxOf(input)
    const { force, energy } = shiftOf(cutoff)
    const start = startOf(input)
    const atoms: TwinAtoms = {
      places: start.slice(0, 3 * n),
      velocities: start.slice(3 * n),
      forces: new Float64Array(3 * n),
      box,
      cutoff,
      skin,
      cells: cellsOf(box, cutoff + skin, n),
      forceAtCutoff: force,
      energyAtCutoff: energy,
    }
    const startEnergy = twinEnergy(atoms, twinList(atoms))
    const lists = twinRun(atoms, input.steps, dt)
    const fluid = createFluid(input)
    fluid.advance(0, input.steps, () => undefined)
    const last = fluid.samples.at(-1)?.state ?? new Float64Array(0)
    const same = (a: ArrayLike<number>, b: ArrayLike<number>): void => {
      assert.equal(a.length, b.length)
      for (let k = 0; k < b.length; k++) if (!Object.is(a[k], b[k])) assert.fail(`${k}: ${a[k]}, the twin ${b[k]}`)
    }
    same(last, Float64Array.of(...atoms.places, ...atoms.velocities))
    same(fluid.forces(), atoms.forces)
    assert.equal(fluid.samples[0]?.potential, startEnergy)
    assert(lists > 1 || raw.n === 700, 'the list was made anew on the way')
  })
}

test('LAMMPS from the same start: energies, temperatures and pressures agree', () => {
  const file = new URL('../../../fixtures/evolve/lammps.json', import.meta.url)
  const runs = JSON.parse(readFileSync(file, 'utf8')) as readonly { inputs: object; samples: readonly number[][] }[]
  assert.equal(runs.length, 2)
  for (const { inputs, samples } of runs) {
    const output = solve(inputs)
    const { dt } = inputOf(inputs)
    for (const [step = 0, temperature = 0, potential = 0, total = 0, pressure = 0] of samples) {
      const k = output.times.findIndex((time) => Math.abs(time - step * dt) < 1e-9)
      // Rounding grows e-fold in about 0.5 tau, so that the ends agree to fewer digits than the starts.
      const off = step === 0 ? 1e-12 : 1e-7
      assert(Math.abs((output.temperatures[k] ?? 0) - temperature) <= off, `step ${step}`)
      assert(Math.abs((output.potentials[k] ?? 0) - potential) <= 10 * off, `step ${step}`)
      assert(Math.abs((output.totals[k] ?? 0) - total) <= 10 * off, `step ${step}`)
      assert(Math.abs((output.pressures[k] ?? 0) - pressure) <= 100 * off, `step ${step}`)
    }
  }
})

test('the perfect lattice has the energy of its shells', () => {
  // Neighbours of a face-centred lattice: 12 at a/√2, 6 at a, 24 at a·√(3/2), 12 at a·√2, 24 at a·√(5/2), …
  const density = 0.8442
  const a = (4 / density) ** (1 / 3)
  const shells = [12, 6, 24, 12, 24, 8, 48, 6, 36]
  const u = (r: number): number => 4 / r ** 12 - 4 / r ** 6
  const slope = 24 / 2.5 ** 7 - 48 / 2.5 ** 13
  const energy = shells.reduce((sum, count, k) => {
    const r = a * Math.sqrt((k + 1) / 2)
    return r < 2.5 ? sum + (count / 2) * (u(r) - u(2.5) - (r - 2.5) * slope) : sum
  }, 0)
  const { potentials, temperatures } = solve({ steps: 1 })
  assert(Math.abs((potentials[0] ?? 0) - energy) <= 1e-12)
  assert(Math.abs((temperatures[0] ?? 0) - 1.44) <= 1e-12)
})

test('two atoms collide head-on as one equation for their distance says', () => {
  const positions = [1, 4, 4, 3.2, 4, 4]
  const initial = { positions, velocities: [1, 0, 0, -1, 0, 0] }
  const raw = { n: 2, density: 2 / 8 ** 3, dt: 5e-4, steps: 3_000, initial }
  const { positions: end } = solve(raw)
  const slope = (r: number): number => 24 / r ** 7 - 48 / r ** 13
  const pull = (r: number): number => (r < 2.5 ? -2 * (slope(r) - slope(2.5)) : 0)
  let [r, v] = [2.2, -2]
  const h = 1e-5
  for (let k = 0; k < 150_000; k++) {
    const middle = r + (h / 2) * v
    const faster = v + (h / 2) * pull(r)
    r += h * faster
    v += h * pull(middle)
  }
  assert(Math.abs(Math.abs((end[3] ?? 0) - (end[0] ?? 0)) - r) <= 1e-4, `${end} ${r}`)
  assert(Math.abs((end[0] ?? 0) + (end[3] ?? 0) - 4.2) <= 1e-12, 'the centre of mass stays')
})

test('halving the step divides the drift by four', () => {
  const driftAt = (dt: number): number =>
    solve({ n: 256, dt, steps: Math.round(0.64 / dt), samples: 40 }).energyDriftPct
  const [coarse, middle, fine] = [driftAt(0.008), driftAt(0.004), driftAt(0.002)]
  for (const ratio of [coarse / middle, middle / fine]) assert(ratio > 3 && ratio < 5.5, `ratio ${ratio}`)
})

test('with all velocities turned round the atoms come back', () => {
  const there = solve(SMALL)
  const velocities = there.velocities.map((v) => -v)
  const back = solve({ ...SMALL, initial: { positions: [...there.positions], velocities: [...velocities] } })
  const start = startOf(inputOf(SMALL))
  for (let k = 0; k < 3 * 108; k++) assert(Math.abs((back.positions[k] ?? 0) - start[k]) <= 1e-9)
})

test('a state moved by whole boxes and one under a common velocity behave the same', () => {
  const start = startOf(inputOf(SMALL))
  const box = boxOf(inputOf(SMALL))
  const state = (by: number, velocity: number): object => ({
    ...SMALL,
    initial: {
      positions: Array.from(start.subarray(0, 324), (x, k) => x + (k % 3 === 0 ? by * box : 0)),
      velocities: Array.from(start.subarray(324), (v, k) => v + (k % 3 === 1 ? velocity : 0)),
    },
  })
  const [still, elsewhere, along] = [solve(SMALL), solve(state(3, 0)), solve(state(0, 2))]
  for (const [k, temperature] of still.temperatures.entries()) {
    assert(Math.abs((elsewhere.temperatures[k] ?? 0) - temperature) <= 1e-8)
    assert(Math.abs((along.temperatures[k] ?? 0) - temperature) <= 1e-8)
  }
  assert(Math.abs(along.energyDriftPct - still.energyDriftPct) <= 1e-6)
})

test('the skin changes no more than the rounding', () => {
  const [a, b] = [solve({ ...SMALL, skin: 0.1 }), solve({ ...SMALL, skin: 0.02 + 0.3 })]
  assert(Math.abs(a.energyPerAtom - b.energyPerAtom) <= 1e-10)
})

test('a dilute hot gas is nearly ideal, and a liquid has its first shell where neighbours are', () => {
  const gas = solve({ n: 500, density: 1e-3, temperature: 5, steps: 100 })
  assert(Math.abs(gas.meanPressure / (1e-3 * gas.meanTemperature) - 1) < 0.02)
  const { rdf, radii } = solve({ steps: 1_000 })
  const peak = rdf.reduce((best, g, k) => (g > (rdf[best] ?? 0) ? k : best), 0)
  assert((radii[peak] ?? 0) > 1 && (radii[peak] ?? 0) < 1.2 && (rdf[peak] ?? 0) > 2)
  assert.equal(rdf[20], 0, 'nothing at half a diameter')
})

test('the radial distribution, pressure and kinetic energy by their definitions, of a gas that drifts as well', () => {
  // The check has its own of each; an answer of the run is held against the definition here.
  const raw = { n: 32, density: 0.05, temperature: 3, steps: 1, samples: 1 }
  const start = solve({ ...raw, steps: 200 })
  const velocities = Array.from(start.velocities, (v, k) => v + ([3, -2, 1][k % 3] as number))
  const it = solve({ ...raw, initial: { positions: Array.from(start.positions), velocities } })
  const mean = [0, 1, 2].map((axis) => it.velocities.reduce((sum, v, k) => (k % 3 === axis ? sum + v / 32 : sum), 0))
  const kinetic = it.velocities.reduce((sum, v, k) => sum + (v - (mean[k % 3] as number)) ** 2 / 2, 0)
  close(it.temperature, (2 * kinetic) / (3 * 31), 1e-9)
  // Pairs counted again in the last sample: g(r) is what they are over those of an even gas in the shell.
  const { box, radii, rdf } = it
  const width = 2.5 / 100
  const counts = new Float64Array(100)
  for (let i = 0; i < 32; i++) {
    for (let j = 0; j < i; j++) {
      const square = [0, 1, 2].reduce((sum, axis) => {
        const d = (it.positions[3 * i + axis] as number) - (it.positions[3 * j + axis] as number)
        return sum + (d - box * Math.round(d / box)) ** 2
      }, 0)
      const bin = Math.floor(Math.sqrt(square) / width)
      if (bin < 100) counts[bin] += 1
    }
  }
  assert(counts.some((count) => count > 0))
  const even = (k: number): number =>
    (((32 * 31) / 2) * ((4 / 3) * Math.PI * width ** 3 * ((k + 1) ** 3 - k ** 3))) / box ** 3
  for (let k = 0; k < 100; k++) near(rdf[k], (counts[k] as number) / even(k), 1e-9 * (1 + (rdf[k] as number)))
  near(radii[7], 7.5 * width, 1e-12)
})

const errorOf = (raw: object, spoilt: Spoilt = {}): number => {
  const input = inputOf(raw)
  const reality = evolve.check(input, driven(input, spoilt))
  assert.equal(reality.figures['echo_wrong'], undefined, 'the states themselves are judged')
  return reality.errorPct
}

test('the check sees a wrong force, a plain cut-off, a pair left out, a wrong kick, a wrong clock and a nudge', () => {
  assert(errorOf(SMALL) <= 0.02)
  assert(errorOf(SMALL, { force: 1.004 }) > 0.1)
  assert(errorOf(SMALL, { repulsion: 1.002 }) > 0.1)
  assert(errorOf(SMALL, { unshifted: true }) > 0.1)
  assert(errorOf(SMALL, { acts: (i, j) => i !== 1 || j !== 0 }) > 0.1)
  // A list that lost a pair near the end alone: energy hardly knows, the forces do.
  assert(errorOf(SMALL, { acts: (i, j, step) => step < 149 || i !== 1 || j !== 0 }) > 0.1)
  assert(errorOf(SMALL, { kick: 1.005 }) > 0.1)
  assert(errorOf(SMALL, { time: 1.01 }) > 0.1, 'energy is kept at any speed of the clock; the repeated end tells')
  assert(errorOf(SMALL, { time: 0.99 }) > 0.1)
  assert(errorOf(SMALL, { nudge: { step: 40, by: 0.5 } }) > 0.1)
})

test('evidence that was altered, thinned or made up is refused', () => {
  const input = inputOf(SMALL)
  const { outcome } = run(evolve, input)
  const { evidence } = outcome
  const random = seeded()
  const seen = (altered: Partial<EvolveEvidence>): void => {
    assert.throws(() => passGate(evolve.check(input, { ...outcome, evidence: { ...evidence, ...altered } })), Fault)
  }
  passGate(evolve.check(input, outcome))
  for (let k = 0; k < 6; k++) {
    const frames = evidence.frames.slice()
    frames[random.integer(0, frames.length - 1)] += 0.5
    seen({ frames })
  }
  seen({ frames: evidence.frames.slice(648) })
  seen({ frames: evidence.frames.map(() => Number.NaN) })
  seen({ forces: evidence.forces.map((f, k) => (k < 3 ? 0 : f)) })
  seen({ origins: evidence.origins.map((x) => x + 0.2) })
  seen({ before: evidence.frames.slice(0, 648) })
  seen({ stepsAfter: evidence.stepsAfter + 1 })
})

test('what cannot be judged is refused with what would pass', () => {
  const step = refusal('UNSTABLE_STEP', { dt: 0.02 })
  evolve.refuse(inputOf({ dt: step['dt'] }))
  const narrow = refusal('ILL_POSED', { n: 60 })
  evolve.refuse(inputOf({ n: narrow['n'] }))
  evolve.refuse(inputOf({ n: 60, cutoff: narrow['cutoff'] }))
  // What is named is in the schema, and passes every other refusal too.
  const within = ['n', 'cutoff', 'skin']
  assert.deepEqual(passing(evolve, { n: 2, density: 2 }, within), { n: 250 })
  assert.deepEqual(Object.keys(passing(evolve, { cutoff: 20 }, within)), ['cutoff'])
  passing(evolve, { n: 32_000, cutoff: 15, skin: 2 }, within)
  passing(evolve, { n: 32_000, cutoff: 12, density: 1 }, within)
  const dense = refusal('ILL_POSED', { density: 2, n: 33, cutoff: 1.12 })
  evolve.refuse(inputOf({ density: Number(dense['density']) * (1 - 1e-12), n: 33, cutoff: 1.12 }))
  refusal('WORK_LIMIT_EXCEEDED', { n: 32_000, cutoff: 12, density: 1 })
  assert.equal(refusal('INVALID_INPUT', { initial: { positions: [], velocities: [] } })['path'], '/initial/positions')
  const place = { n: 2, density: 0.01 }
  const velocities = [0, 0, 0, 1, 0, 0]
  refusal('ILL_POSED', { ...place, initial: { positions: [0, 0, 0, 0.5, 0, 0], velocities } })
  refusal('ILL_POSED', { ...place, initial: { positions: [0, 0, 0, 2, 0, 0], velocities: [1, 2, 3, 1, 2, 3] } })
  refusal('OUT_OF_RANGE', { ...place, initial: { positions: [0, 0, 0, 1e300, 0, 0], velocities } })
  refusal('OUT_OF_RANGE', {
    ...place,
    initial: { positions: [0, 0, 0, 2, 0, 0], velocities: velocities.map(() => 1e9) },
  })
})

test('a drift beyond the bound is 422 ENERGY_NOT_CONSERVED', () => {
  const details = refusal('ENERGY_NOT_CONSERVED', { n: 256, dt: 0.01, temperature: 8, steps: 200 })
  assert(Number(details['measured']) > 0.1 && details['bound'] === 0.1 && details['dt'] === 0.01)
  assert.equal(
    details['measured'],
    details['energy_drift_pct'],
    'what is measured is the drift, not what follows of it',
  )
})

test('pairs of cells are those of all pairs', () => {
  const random = seeded()
  const [n, box] = [2_400, 13]
  const places = Float64Array.from({ length: 3 * n }, () => 40 * random.next() - 20)
  let found = 0
  eachPair({ places, box, reach: 2.5 }, () => void found++)
  let wanted = 0
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      let square = 0
      for (let axis = 0; axis < 3; axis++) {
        const d = places[3 * i + axis] - places[3 * j + axis]
        const nearest = d - box * Math.round(d / box)
        square += nearest * nearest
      }
      if (square < 6.25) wanted++
    }
  }
  assert.equal(found, wanted)
})

const none = () => ({ sure: new Float64Array(BINS), doubtful: new Float64Array(BINS) })

test("the check's pairs = its twin: all pairs and by cells, and again for places a little on", () => {
  const random = seeded()
  for (const [n, box, cutoff] of [
    [108, 5.04, 2.5],
    [2_401, 14.2, 2.5],
    [2_402, 20, 1.8],
  ] as const) {
    const start = startOf(inputOf({ n, density: n / (box * box * box) })).subarray(0, 3 * n)
    const places = start.map((x) => x + 0.1 * random.next() + (x > box / 2 ? box : 0))
    const law = lawOf(box, cutoff)
    const reach = Math.min(cutoff + 0.2, box / 2)
    const meeting = meetingOf(law, n)
    const [counted, due] = [none(), none()]
    assert.deepEqual(meeting(places, counted), twinSums(places, law, { reach, counted: due }), `${n}`)
    assert.deepEqual(counted, due, `${n}`)
    assert(
      due.sure.some((it) => it > 0),
      'there are pairs',
    )
    // The list stands while nobody has gone half the margin: the same pairs in the same order.
    const moved = places.map((x) => x + 0.01)
    const [{ potential }, again] = [meeting(moved), twinSums(moved, law, { reach, counted: none() })]
    assert(Math.abs(potential - again.potential) <= 1e-9 * Math.abs(again.potential), `${n}`)
  }
})

test("a crowd that the check's list has no room for is met in parts", () => {
  const random = seeded()
  const [n, box] = [2_001, 60]
  const places = Float64Array.from({ length: 3 * n }, () => 20 + 4 * random.next())
  const law = lawOf(box, 2.5)
  const [counted, due] = [none(), none()]
  const { forces, potential } = meetingOf(law, n)(places, counted)
  const exact = twinSums(places, law, { reach: 2.7, counted: due })
  assert.deepEqual(counted, due)
  assert(Math.abs(potential - exact.potential) <= 1e-9 * Math.abs(exact.potential))
  const most = forces.reduce((all, f) => Math.max(all, Math.abs(f)), 0)
  for (const [k, f] of forces.entries()) assert(Math.abs(f - (exact.forces[k] ?? 0)) <= 1e-9 * most, `${k}`)
})

const drawn = fc.record(
  {
    n: fc.integer({ min: 2, max: 260 }),
    density: fc.double({ min: 1e-6, max: 2, noNaN: true }),
    temperature: fc.oneof(
      fc.double({ min: 1e-6, max: 1e3, noNaN: true }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
    ),
    dt: fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.double({ min: 1e-4, max: 0.01, noNaN: true })),
    steps: fc.integer({ min: 1, max: 40 }),
    cutoff: fc.oneof(fc.double({ min: 1.12, max: 20, noNaN: true }), fc.double({ min: 1.12, max: 2.5, noNaN: true })),
    skin: fc.double({ min: 0.05, max: 2, noNaN: true }),
    samples: fc.integer({ min: 1, max: 1_000 }),
    seed: fc.integer({ min: 0, max: 2 ** 40 }),
    initial: fc.record({
      positions: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 6, maxLength: 6 }),
      velocities: fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 6, maxLength: 6 }),
    }),
  },
  { requiredKeys: ['n', 'steps'] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(
    drawn.map((raw) => (raw.initial === undefined ? raw : { ...raw, n: 2 })),
    { numRuns: 250 },
  )
  assert(seals > 10, `${seals} seal`)
}, 30_000)

test.run()
