// Goal: multibody moves bodies as gravity does, at the order it claims, keeps what gravity keeps, and its check sees
// every coefficient; what cannot be judged is refused.
// Method: Kepler orbits in closed form, halved steps, symmetric systems; states of sabotaged runs handed to the check
// with all that is read off them made consistent again; inputs drawn from the schema.

import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault, faults } from '#core/fault.ts'
import { cos, PI, sin, sqrt } from '#numerics/math.ts'
import { stageWeights } from '#numerics/methods/stage-weights.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { energyDriftPct } from '#numerics/solvers/multibody/check/check.ts'
import { driftPct, type Measures } from '#numerics/solvers/multibody/check/measures.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import type { MultibodyEvidence } from '#numerics/solvers/multibody/schema.ts'
import { seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'
import { driven, gravity, type Pull } from './multibody-driven.ts'

const test = suite('numerics/multibody')

keepsTheRules(test, multibody)

const { inputOf, solve, refusal, ends } = outcomesOf(multibody)

/** A light body on a Kepler orbit of semi-major axis 1 and period 2π about mass 1, from its farthest place. */
const orbit = (eccentricity: number, over: object = {}): object => ({
  G: 1,
  bodies: [
    { mass: 1, position: [0, 0, 0] },
    { mass: 1e-9, position: [1 + eccentricity, 0, 0], velocity: [0, sqrt((1 - eccentricity) / (1 + eccentricity)), 0] },
  ],
  dt: 0.02,
  t_max: 2 * PI,
  ...over,
})

test('weights of a stage add up to 1 and read the same from either end', () => {
  for (const order of [2, 4, 6] as const) {
    const weights = stageWeights(order)
    assert.deepEqual([...weights].reverse(), weights)
    assert(Math.abs(weights.reduce((sum, w) => sum + w, 0) - 1) <= 4e-16)
  }
  // Order 4 needs Σ w³ = 0, and order 6 Σ w³ = Σ w⁵ = 0 beside.
  for (const order of [4, 6] as const) {
    const power = (p: number): number => stageWeights(order).reduce((sum, w) => sum + w ** p, 0)
    assert(Math.abs(power(3)) <= 1e-14)
    if (order === 6) assert(Math.abs(power(5)) <= 1e-13)
  }
})

for (const [order, dt] of [
  [2, 0.02],
  [4, 0.08],
  [6, 0.2],
] as const) {
  test(`order ${order} on a Kepler orbit: halving the step divides the error by 2^${order}`, () => {
    const errorAt = (step: number): number => {
      const { positions } = solve(orbit(0.2, { order, dt: step, t_max: PI }))
      // Half a period later the body is at its nearest place on the other side, at rest along the axis.
      const [x, y] = [positions?.[3] ?? 0, positions?.[4] ?? 0]
      return sqrt((x + 0.8) * (x + 0.8) + y * y)
    }
    const ratio = errorAt(dt) / errorAt(dt / 2)
    assert(ratio > 0.8 * 2 ** order && ratio < 1.25 * 2 ** order, `ratio ${ratio}`)
  })
}

test('a circular orbit is a circle, in any direction of space', () => {
  const { trajectory, times } = solve(orbit(0, { dt: 0.01, t_max: 4, order: 6 }))
  assert(trajectory !== null && times !== null)
  for (let k = 0; k < times.length; k++) {
    const [x, y] = [trajectory[6 * k + 3], trajectory[6 * k + 4]]
    assert(Math.abs(x - cos(times[k])) <= 1e-8 && Math.abs(y - sin(times[k])) <= 1e-8)
  }
  const turned = solve({
    ...orbit(0, { dt: 0.01, t_max: 4, order: 6 }),
    bodies: [
      { mass: 1, position: [0, 0, 0] },
      { mass: 1e-9, position: [0, 0, 1], velocity: [1, 0, 0] },
    ],
  })
  assert(Math.abs((turned.positions?.[5] ?? 0) - cos(4)) <= 1e-8)
})

test('the figure-eight comes back after a period, and the drift is that of the notes', () => {
  const { size, energyDriftPct, steps } = solve({})
  assert.equal(steps, 1898)
  assert(size !== null && energyDriftPct !== null)
  assert(energyDriftPct > 1e-7 && energyDriftPct < 2e-6, `${energyDriftPct}`)
  const { trajectory } = solve({ t_max: 6.32591398 * 5.021998732659271e6, order: 6, outputs: 1 })
  const start = inputOf({}).bodies.flatMap(({ position }) => position ?? [])
  const end = trajectory?.slice(9) ?? []
  for (let k = 0; k < 9; k++) assert(Math.abs((end[k] ?? 0) - (start[k] ?? 0)) <= 1e-6 * 1.5e11)
})

test('answers carry what the interface adds', () => {
  const output = solve({})
  assert.equal(output.conservative, true)
  assert.equal(output.conservationChecked, true)
  assert.equal(output.energyDriftBoundPct, 0.1)
  assert.equal(output.times?.length, 101)
  assert.equal(output.trajectory?.length, 101 * 9)
  assert(solve({ outputs: 7 }).times?.length === 8)
})

test('drift beyond the bound is 422 ENERGY_NOT_CONSERVED with measured, bound, dt and t_max', () => {
  const details = refusal('ENERGY_NOT_CONSERVED', orbit(0.9, { dt: 0.05, order: 2, t_max: 20 }))
  assert(Number(details['measured']) > 0.1)
  assert.equal(details['bound'], 0.1)
  assert.equal(details['t_max'], 20)
  assert(Number(details['dt']) <= 0.05)
  assert.equal(faults.ENERGY_NOT_CONSERVED.status, 422)
  produce(multibody, inputOf(orbit(0.9, { dt: 0.001, order: 6, t_max: 20 })))
})

test('what has no answer is refused with the limit and what would pass', () => {
  const step = refusal('UNSTABLE_STEP', orbit(0, { dt: 1 }))
  assert.equal(step['limit'], step['dt'])
  multibody.refuse(inputOf(orbit(0, { dt: step['dt'] })))
  refusal('ILL_POSED', { bodies: [{ position: [1, 2, 3] }, { position: [1, 2, 3] }] })
  refusal('ILL_POSED', {
    bodies: [
      { mass: 0, position: [1, 2, 3] },
      { mass: 0, position: [1, 2, 4] },
    ],
  })
  // Escape speed exactly: kinetic and potential energy cancel.
  refusal('ILL_POSED', {
    ...orbit(0),
    bodies: [
      { mass: 1, position: [0, 0, 0] },
      { mass: 1e-9, position: [1, 0, 0], velocity: [0, sqrt(2), 0] },
    ],
  })
  const long = refusal('WORK_LIMIT_EXCEEDED', orbit(0, { dt: 1e-9 }))
  assert(Number(long['dt']) > 1e-9)
  assert.equal(refusal('INVALID_INPUT', { bodies: [{ position: [0, 0, 0] }, {}] })['path'], '/bodies/1/position')
  assert.equal(refusal('INVALID_INPUT', { bodies: [{}, { velocity: [0, 0, 0] }] })['path'], '/bodies/1/velocity')
  assert.equal(refusal('INVALID_INPUT', { bodies: [{}, {}], referenceMode: 'gravity' })['path'], '/bodies/0/position')
  assert.throws(() => inputOf({ bodies: [{ position: [0, 0, 0] }] }), { code: 'INVALID_INPUT' })
  assert.throws(() => inputOf({ bodies: [{ position: [0, 0] }, { position: [0, 0] }] }), { code: 'INVALID_INPUT' })
  assert.throws(() => inputOf({ order: 3 }), { code: 'INVALID_INPUT' })
})

test('without positions the master equation runs, is dissipative and has no seal', () => {
  const input = inputOf({
    bodies: [
      { mass: 1, phi0: 0.5 },
      { mass: 2, phi0: -0.3, dphi0: 0.1 },
    ],
  })
  const { outcome, reality, value } = produce(multibody, input)
  assert.equal(reality, null)
  assert.equal(value, null)
  assert.match(outcome.unsealed ?? '', /dissipative/)
  const { output } = outcome
  assert.equal(output.mode, 'master')
  assert.equal(output.conservative, false)
  assert.equal(output.conservationChecked, false)
  assert.equal(output.positions, null)
  assert.equal(output.phi?.length, 2)
  // A single pull-free pair far apart tends to where the scalar terms balance, whatever the start.
  const rest = (phi0: number): readonly number[] =>
    solve({ bodies: [{ phi0 }, { phi0: phi0 - 1e-9 }], field: { coupling: 0, drag: 3, t_max: 30 } }).phi ?? []
  assert(Math.abs((rest(0)[0] ?? 0) - (rest(-0.2)[0] ?? 1)) <= 1e-6)
})

test('the same system elsewhere and moving along gives the same shape', () => {
  const still = solve(orbit(0.3, { t_max: 3, dt: 0.01 }))
  const moved = solve({
    ...orbit(0.3, { t_max: 3, dt: 0.01 }),
    bodies: [
      { mass: 1, position: [5, 6, 7], velocity: [1, 2, 3] },
      { mass: 1e-9, position: [6.3, 6, 7], velocity: [1, 2 + sqrt(0.7 / 1.3), 3] },
    ],
  })
  assert(Math.abs((still.size ?? 0) - (moved.size ?? 1)) <= 1e-12 * (still.size ?? 0) * 1e3)
  assert(Math.abs((still.energyDriftPct ?? 0) - (moved.energyDriftPct ?? 1)) <= 1e-9)
})

test('a run that goes on where another ended is the longer run, bit for bit, and so are the fields', () => {
  const raw = orbit(0.3, { dt: 2 ** -6, t_max: 4, order: 4 })
  const [half, whole] = [inputOf({ ...raw, t_max: 2 }), solve(raw)]
  const next = multibody.continued?.(half, run(multibody, half).outcome.output)
  const { positions, velocities } = run(multibody, inputOf(next ?? {})).outcome.output
  assert.deepEqual([...(positions ?? [])], [...(whole.positions ?? [1])])
  assert.deepEqual([...(velocities ?? [])], [...(whole.velocities ?? [1])])
  const bodies = [
    { mass: 1, phi0: 0.5 },
    { mass: 2, phi0: -0.3, dphi0: 0.1 },
  ]
  const field = { dt: 2 ** -7, t_max: 1 }
  const first = inputOf({ bodies, field })
  const rest = multibody.continued?.(first, run(multibody, first).outcome.output)
  const again = run(multibody, inputOf(rest ?? {})).outcome.output
  assert.deepEqual([...(again.phi ?? [])], [...(solve({ bodies, field: { ...field, t_max: 2 } }).phi ?? [1])])
  assert(multibody.plots?.(first, again).every(({ kind }) => kind === 'curves'))
})

test('energies of the samples stand beside them, and the plots show orbits of equal axes first', () => {
  const input = inputOf({})
  const output = solve({})
  assert.equal(output.energies?.length, output.times?.length)
  assert.equal(output.energies?.[0], output.initialEnergy)
  assert.equal(output.energies?.at(-1), output.finalEnergy)
  const [orbits] = multibody.plots?.(input, output) ?? []
  assert(orbits?.kind === 'curves' && orbits.equal && orbits.curves.length === 4)
  assert.deepEqual([orbits.x.name, orbits.y.name], ['x', 'y'])
})

const judged = (raw: object, pull: Pull, drive?: { readonly kick?: number; readonly lost?: number }) => {
  const { input, outcome } = driven(raw, pull, drive)
  const reality = multibody.check(input, outcome)
  assert.equal(reality.figures['echo_wrong'], undefined, 'the states themselves are judged')
  return reality.errorPct
}

test('the check sees a wrong G, a lopsided force, a dropped pair, a wrong power, a wrong kick and a lost step', () => {
  const eight = { t_max: 31_772_520 }
  assert(judged(eight, gravity()) <= 0.1)
  assert(
    judged(
      {},
      gravity(() => 1.01),
    ) > 0.1,
  )
  assert(
    judged(
      eight,
      gravity(() => 1.003),
    ) > 0.1,
  )
  assert(
    judged(
      eight,
      gravity((i, j) => (i === 0 && j === 1 ? 1.01 : 1)),
    ) > 0.1,
  )
  assert(
    judged(
      eight,
      gravity((i, j) => (i + j === 1 ? 0 : 1)),
    ) > 0.1,
  )
  assert(
    judged(
      eight,
      gravity((_i, _j, axis) => (axis === 1 ? 1.005 : 1)),
    ) > 0.1,
  )
  assert(
    judged(
      eight,
      gravity(() => 1, 4),
    ) > 0.1,
  )
  assert(judged(eight, gravity(), { kick: 1.003 }) > 0.1)
  assert(judged(eight, gravity(), { lost: 300 }) > 0.1)
  // On a near-circular orbit the energy hardly tells; the virial identity and the segments do.
  const circle = orbit(0, { t_max: 6 })
  assert(judged(circle, gravity()) <= 0.1)
  assert(
    judged(
      circle,
      gravity(() => 1.01),
    ) > 0.1,
  )
  assert(
    judged(
      circle,
      gravity(() => 0.99),
    ) > 0.1,
  )
})

test('evidence that was altered, thinned or made up is refused', () => {
  const input = inputOf({})
  const { outcome } = run(multibody, input)
  const { evidence } = outcome
  assert(evidence !== null)
  const random = seeded()
  const seen = (altered: MultibodyEvidence | null): void => {
    assert.throws(() => passGate(multibody.check(input, { ...outcome, evidence: altered })), Fault)
  }
  seen(null)
  for (let k = 0; k < 8; k++) {
    const states = evidence.states.slice()
    states[random.integer(0, states.length - 1)] += 1e9
    seen({ ...evidence, states })
  }
  seen({ states: evidence.states.slice(18), times: evidence.times.slice(1) })
  seen({ ...evidence, times: evidence.times.map((time) => 1.001 * time) })
  seen({ ...evidence, states: evidence.states.map(() => Number.NaN) })
})

test('one state that is not a number is seen wherever it stands, not forgotten at the next', () => {
  const energies = [-2, -2.002, -1.999, -2]
  const found = energyDriftPct(energies.map((energy) => ({ energy })))
  assert(Math.abs(found - 0.1) <= 1e-12)
  for (const [at] of energies.entries()) {
    const broken = energies.map((energy, k) => (k === at ? Number.NaN : energy))
    assert(Number.isNaN(energyDriftPct(broken.map((energy) => ({ energy })))), `${at}`)
    const momenta = broken.map((x) => ({ momentum: [x, 0, 0], momentumScale: 1 }) as unknown as Measures)
    const drift = driftPct(
      momenta,
      (it) => it.momentum,
      (it) => it.momentumScale,
    )
    assert(Number.isNaN(drift), `${at}`)
  }
})

const vectorOf = (most: number) =>
  fc.array(fc.double({ min: -most, max: most, noNaN: true }), { minLength: 3, maxLength: 3 })
const drawn = fc.record(
  {
    bodies: fc.array(
      fc.record(
        {
          mass: fc.double({ min: 0, max: 1e45, noNaN: true }),
          position: vectorOf(1e25),
          velocity: vectorOf(1e25),
          phi0: fc.double({ min: -1e3, max: 1e3, noNaN: true }),
        },
        { requiredKeys: ['mass'] },
      ),
      { minLength: 2, maxLength: 5 },
    ),
    G: fc.double({ min: 0, max: 1e6, noNaN: true }),
    softening: fc.double({ min: 0, max: 1e25, noNaN: true }),
    dt: fc.double({ min: 1e-12, max: 1e25, noNaN: true }),
    t_max: fc.double({ min: 1e-12, max: 1e25, noNaN: true }),
    order: fc.constantFrom(2, 4, 6),
    outputs: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const short = drawn.map((raw) => ({ ...raw, t_max: Math.min(raw.t_max ?? 1e7, 50 * (raw.dt ?? 50_220)) }))
  fc.assert(
    fc.property(short, (raw) => void ends(raw)),
    { seed, numRuns: 300 },
  )
  // Systems of sensible scales, of which some seal.
  const calm = fc.record({
    bodies: fc.array(
      fc.record({
        mass: fc.double({ min: 0.1, max: 1, noNaN: true }),
        position: vectorOf(10),
        velocity: vectorOf(0.1),
      }),
      { minLength: 2, maxLength: 4 },
    ),
    G: fc.constant(1),
    softening: fc.constantFrom(0, 0.5),
    dt: fc.constantFrom(0.01, 0.1),
    t_max: fc.constantFrom(1, 5),
    order: fc.constantFrom(2, 4, 6),
  })
  let sealed = 0
  fc.assert(
    fc.property(calm, (raw) => {
      if (ends(raw) === 'sealed') sealed++
    }),
    { seed, numRuns: 60 },
  )
  assert(sealed > 10, `${sealed} sealed`)
}, 60_000)

test.run()
