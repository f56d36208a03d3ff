// Goal: every kernel does what its readable twin says, bit for bit, at sizes that fill blocks and lanes and that do
// not. Method: random fields and bodies from the seed; kernel and twin side by side, compared with Object.is.

import assert from 'node:assert/strict'
import { compositionOf } from '#numerics/methods/compositions.ts'
import { createAdi } from '#numerics/methods/diffusion/adi.ts'
import { engineOf } from '#numerics/methods/diffusion/engines.ts'
import { createExplicit } from '#numerics/methods/diffusion/explicit.ts'
import { stageWeights } from '#numerics/methods/stage-weights.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { kernelDigest } from '#numerics/runtime/kernel.ts'
import { keplerMotion } from '#numerics/solvers/action/run/kepler.ts'
import { composedOf } from '#numerics/solvers/action/run/motion.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import { createMotion } from '#numerics/solvers/multibody/run/motion.ts'
import type { MultibodyInput } from '#numerics/solvers/multibody/schema.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { twinStep as heatTwin, twinExplicit, twinGrow, twinRing, twinTally } from '../methods/heat-twin.ts'
import { twinCompose, twinRk4 } from './action/symplectic-twin.ts'
import { twinStep as multibodyTwin } from './multibody/multibody-twin.ts'

const test = suite('numerics/kernels')

const sameBits = (a: ArrayLike<number>, b: ArrayLike<number>, what: string): void => {
  assert.equal(a.length, b.length, what)
  for (let i = 0; i < b.length; i++) {
    if (!Object.is(a[i], b[i])) assert.fail(`${what}: element ${i} is ${a[i]}, the twin says ${b[i]}`)
  }
}

const sizes = [
  [8, 8],
  [9, 8],
  [8, 9],
  [15, 17],
  [16, 16],
  [17, 15],
  [23, 31],
  [24, 10],
  [25, 64],
  [33, 127],
  [65, 40],
] as const

for (const insulated of [false, true]) {
  test(`heat: kernel = twin with ${insulated ? 'insulated' : 'fixed'} edges`, () => {
    const random = seeded()
    for (const [rows, columns] of sizes) {
      const plan = { rows, columns, rAcross: 0.05 + 5 * random.next(), rAlong: 0.05 + 5 * random.next(), insulated }
      const start = Float64Array.from({ length: rows * columns }, () => random.next() - 0.5)
      const adi = createAdi(plan, start)
      const twin = start.slice()
      // One step at a time, then several in one pass: what is kept in between must not matter.
      for (const [from, to] of [
        [0, 1],
        [1, 2],
        [2, 7],
      ] as const) {
        adi.advance(from, to, () => undefined)
        for (let step = from; step < to; step++) heatTwin(twin, plan, step)
        sameBits(adi.field, twin, `${rows} × ${columns}, step ${to}`)
      }
    }
  })
}

test('heat: growth between steps and its sums = twin, and the compact scheme is that of other weights', () => {
  const random = seeded()
  for (const [rows, columns] of sizes) {
    const plan = { rows, columns, rAcross: 0.7, rAlong: 1.9, insulated: true }
    const start = Float64Array.from({ length: rows * columns }, () => random.next())
    const adi = createAdi(plan, start)
    const twin = start.slice()
    adi.advance(0, 1, () => undefined)
    heatTwin(twin, plan, 0)
    const grown = twin.slice()
    twinGrow(grown, 0.9, 1.25, 0.25)
    assert.deepEqual(adi.tally(0.9, 1.25, 0.25), twinTally(grown, plan), `${rows} × ${columns}`)
    // One after the other, in both directions, and a step without growth after them.
    for (const step of [1, 2, 5]) {
      if (step > 1) twinGrow(grown, 0.9, 1.25, 0.25)
      adi.growAndStep(step, 0.9, 1.25, 0.25)
      heatTwin(grown, plan, step)
      sameBits(adi.field, grown, `${rows} × ${columns}, step ${step} after growth`)
    }
    adi.advance(6, 7, () => undefined)
    heatTwin(grown, plan, 6)
    sameBits(adi.field, grown, `${rows} × ${columns}, a step without growth`)
  }
})

test('heat: ring kernel = twin, one step at a time and several in one pass', () => {
  const random = seeded()
  for (const [rows, columns] of [...sizes, [3, 3], [3, 8], [4, 5], [9, 4]] as const) {
    const plan = { rows, columns, rAcross: 0.05 + 5 * random.next(), rAlong: 0.05 + 5 * random.next() }
    const twin = Float64Array.from({ length: rows * columns }, () => random.next() - 0.5)
    const problem = { ...plan, boundary: 'periodic', scheme: 'adi', damped: false } as const
    const engine = engineOf(problem, twin)
    for (const [from, to] of [
      [0, 1],
      [1, 5],
    ] as const) {
      engine.advance(from, to, () => undefined)
      for (let step = from; step < to; step++) twinRing(twin, plan)
      sameBits(engine.field, twin, `${rows} × ${columns}, step ${to}`)
    }
  }
})

for (const boundary of ['fixed', 'insulated', 'periodic'] as const) {
  test(`heat: explicit kernel = twin with ${boundary} edges`, () => {
    const random = seeded()
    for (const [rows, columns] of [...sizes, [1, 15], [1, 16]] as const) {
      const plan = { rows, columns, rAlong: 0.2, rAcross: rows === 1 ? 0 : 0.25, boundary }
      let twin: Float64Array = Float64Array.from({ length: rows * columns }, () => random.next() - 0.5)
      const explicit = createExplicit(plan, twin)
      for (const [from, to] of [
        [0, 1],
        [1, 4],
      ] as const) {
        explicit.advance(from, to, () => undefined)
        for (let step = from; step < to; step++) twin = twinExplicit(twin, plan)
        sameBits(explicit.field, twin, `${rows} × ${columns}, step ${to}`)
      }
    }
  })
}

test('heat: a run taken up again from its field gives the same bits', () => {
  const random = seeded()
  const plan = { rows: 21, columns: 34, rAcross: 1.7, rAlong: 0.9, insulated: false }
  const start = Float64Array.from({ length: plan.rows * plan.columns }, () => random.next())
  const whole = createAdi(plan, start)
  whole.advance(0, 9, () => undefined)
  const first = createAdi(plan, start)
  first.advance(0, 5, () => undefined)
  const second = createAdi(plan, first.field.slice())
  second.advance(5, 9, () => undefined)
  sameBits(second.field, whole.field, 'the rest of the run')
})

for (const order of [4, 6, 8] as const) {
  test(`symplectic: compositions of order ${order} and RK4 beside them = twin, whatever their numbers of steps`, () => {
    const random = seeded()
    for (const [steps, rk4Steps] of [
      [0, 3],
      [5, 0],
      [1, 1],
      [7, 2],
      [4, 40],
      [12, 51],
    ] as const) {
      const mu = 0.5 + random.next()
      const pair = Float64Array.from({ length: 8 }, (_, k) => (k % 4 === 0 ? 0.5 : 0) + 0.8 * random.next())
      const [state, other] = [pair.slice(0, 4), pair.slice(4)]
      const by = composedOf(compositionOf(order), 0.02)
      keplerMotion(mu)(pair, { steps, by }, { steps: rk4Steps, h: 0.01 })
      twinCompose(state, mu, steps, by)
      twinRk4(other, mu, rk4Steps, 0.01)
      sameBits(pair, Float64Array.of(...state, ...other), `${steps} and ${rk4Steps} steps`)
    }
  })
}

const systemOf = (n: number, order: 2 | 4 | 6, softening: number): MultibodyInput => {
  const random = seeded()
  const vector = () => [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]
  const bodies = Array.from({ length: n }, () => ({ mass: random.next(), position: vector(), velocity: vector() }))
  return resolveInput(multibody, { bodies, order, softening, G: 1, dt: 1e-3, t_max: 5e-3 })
}

for (const n of [2, 3, 4, 5, 8, 17, 64]) {
  test(`multibody: kernel = twin for ${n} bodies`, () => {
    for (const order of [2, 4, 6] as const) {
      const input = systemOf(n, order, n % 2 === 0 ? 0 : 0.05)
      const motion = createMotion(input)
      const { dt, steps } = motion.schedule
      const bodies = {
        places: Float64Array.from(input.bodies.flatMap(({ position }) => position ?? [])),
        velocities: Float64Array.from(input.bodies.flatMap(({ velocity }) => velocity ?? [])),
        masses: input.bodies.map(({ mass }) => mass),
        stages: stageWeights(order).map((w) => [(input.G * (w * dt)) / 2, w * dt] as const),
        softening: input.softening,
      }
      motion.advance(0, steps, () => undefined)
      for (let step = 0; step < steps; step++) multibodyTwin(bodies)
      const last = motion.records.at(-1) ?? new Float64Array(0)
      sameBits(last, Float64Array.of(...bodies.places, ...bodies.velocities), `order ${order}`)
    }
  })
}

test('kernel digests are SHA-256 of different modules', () => {
  const digests = ['heat', 'math', 'multibody'].map(kernelDigest)
  for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/)
  assert.equal(new Set(digests).size, digests.length)
})

test.run()
