// Goal: what a run is off at its end is measured, however errors grow on the way, or the run is refused with what
// holds. Method: a Kepler orbit in closed form, three bodies whose value is known from another integrator (SciPy's
// DOP853), clusters drawn from a seed.
import assert from 'node:assert/strict'
import { PI, sqrt } from '#numerics/math.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { reintegrate } from '#numerics/solvers/multibody/check/recompute-motion.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/multibody-path')

const { inputOf, refusal } = outcomesOf(multibody)

test('re-integration follows a Kepler orbit to 1e-11, and gives up within its budget', () => {
  const start = Float64Array.of(0, 0, 0, 1.5, 0, 0, 0, 0, 0, 0, sqrt(0.5 / 1.5), 0)
  const attraction = { masses: Float64Array.of(1, 0), G: 1, softening: 0 }
  const by = { attraction, scales: { place: 1, velocity: 1 }, tolerance: 1e-12, derivativesMax: 20_000 }
  const found = reintegrate(start, 2 * PI, by)
  for (let k = 0; k < 12; k++) assert(Math.abs((found?.state[k] ?? Number.NaN) - start[k]) <= 1e-11)
  assert.equal(reintegrate(start, 2 * PI, { ...by, derivativesMax: 50 }), undefined)
})

test('a run of many bodies is followed from its start to its end', () => {
  const random = seeded(7)
  const vector = (): readonly number[] => [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]
  const bodies = Array.from({ length: 128 }, () => ({ mass: 1 / 128, position: vector(), velocity: vector() }))
  const raw = { G: 1, bodies, softening: 0.1, dt: 2e-3, t_max: 0.2, order: 2, outputs: 10 }
  const { reality } = produce(multibody, inputOf(raw))
  assert((reality?.figures['path_pct'] ?? 1) < 0.1)
}, 20_000)

/** Burrau's problem of three bodies at rest, softened. */
const burrau = (more: object) => ({
  G: 1,
  softening: 0.1,
  bodies: [
    { mass: 3, position: [1, 3, 0], velocity: [0, 0, 0] },
    { mass: 4, position: [-2, -1, 0], velocity: [0, 0, 0] },
    { mass: 5, position: [1, -1, 0], velocity: [0, 0, 0] },
  ],
  ...more,
})

test('errors that grow from orbit to orbit are measured: three bodies at the value of DOP853, or not at all', () => {
  // SciPy's DOP853 at rtol 1e-13; the energy alone is kept to 1e-6 % in each of these.
  const size = 57.66432
  const coarse = refusal('PRECISION_NOT_MET', burrau({ order: 6, dt: 0.002, t_max: 300 }))
  assert((coarse['energy_pct'] as number) < 1e-3 && (coarse['path_pct'] as number) > 0.1, JSON.stringify(coarse))
  const passing = burrau({ order: 6, dt: 0.002, t_max: 300, ...(coarse['suggestion'] as object) })
  const { outcome, reality } = produce(multibody, inputOf(passing))
  const off = (100 * Math.abs((outcome.output.size ?? 0) - size)) / size
  assert(off <= (reality?.errorPct ?? 0), `${outcome.output.size} is ${off} % off, ${reality?.errorPct} % stated`)
}, 60_000)

test('where neighbouring orbits part, the time up to which they do not is told, and seals', () => {
  const random = seeded(7)
  const vector = (): readonly number[] => [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5]
  const bodies = Array.from({ length: 24 }, () => ({ mass: 1 / 24, position: vector(), velocity: vector() }))
  const cluster = { G: 1, bodies, softening: 0.02, dt: 1e-3, t_max: 12, order: 6, outputs: 10 }
  const { suggestion } = refusal('PRECISION_NOT_MET', cluster) as { suggestion: { t_max: number } }
  assert(suggestion.t_max > 1 && suggestion.t_max < 12, JSON.stringify(suggestion))
  assert((produce(multibody, inputOf({ ...cluster, ...suggestion })).reality?.errorPct ?? 1) <= 0.1)
}, 60_000)

test.run()
