// Goal: kalman comes to the steady state of the Riccati equation for every system that has one, its check sees each
// matrix that is wrong, and a system without such a state is refused before work.
// Method: the tracking index in closed form, scalar and decoupled systems by hand, systems drawn by seed against the
// Riccati equation; runs of another system judged as if they were of this one; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import { eigenvaluesOf } from '#numerics/methods/linear/eigenvalues.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { countedAnew, toldAnew } from '#numerics/solvers/kalman/check/recompute-filter.ts'
import { kalman } from '#numerics/solvers/kalman/index.ts'
import { systemOf, worldOf } from '#numerics/solvers/kalman/problem.ts'
import type { KalmanOutput } from '#numerics/solvers/kalman/schema.ts'
import { whitenessOf } from '#numerics/solvers/kalman/whiteness.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { close, near, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/kalman')

keepsTheRules(test, kalman)

const { inputOf, solve: solved, sealed, refusal, sealsOrRefuses } = outcomesOf(kalman)
const errorPct = (asked: object, output: KalmanOutput): number =>
  kalman.check(inputOf(asked), { output, evidence: null }).errorPct

test('the tracking index gives gain and covariance in closed form', () => {
  // Kalata, IEEE Trans. Aerosp. Electron. Syst. 20 (1984) 174: alpha and beta of the steady filter.
  for (const [dt, sigmaA, sigmaZ] of [
    [1, 0.1, 1],
    [0.5, 3, 0.2],
    [2, 1e-2, 10],
    [0.01, 50, 1e-3],
  ] as const) {
    const lambda = (sigmaA * dt * dt) / sigmaZ
    const r = (4 + lambda - Math.sqrt(8 * lambda + lambda * lambda)) / 4
    const alpha = 1 - r * r
    const beta = 2 * (2 - alpha) - 4 * Math.sqrt(1 - alpha)
    const { gain, predicted, traceP, filtered } = sealed({ dt, sigmaA, sigmaZ, steps: 2_000 })
    close(gain[0], alpha)
    close(gain[1], beta / dt)
    // K = P·Cᵀ/S, hence the first column of P from the gain; the filtered variance is alpha·sigmaZ².
    close(predicted[0], (sigmaZ * sigmaZ * alpha) / (1 - alpha))
    close(filtered[0], sigmaZ * sigmaZ * alpha)
    close(traceP, (predicted[0] as number) + (predicted[3] as number), 1e-12)
  }
  const { gain } = sealed({})
  close(gain[0], 0.36)
  close(gain[1], 0.08)
})

const scalar = (A: number, Q: number, R: number, more: object = {}) => ({
  model: 'matrices',
  states: 1,
  A: [A],
  C: [1],
  Q: [Q],
  R: [R],
  ...more,
})

test('one state: the root of the quadratic, also where the state itself grows', () => {
  for (const [A, Q, R] of [
    [0.5, 1, 1],
    [1, 0.01, 4],
    [-0.9, 2, 0.1],
    [1.05, 1, 1],
    [1.05, 0.5, 1e-3],
  ] as const) {
    // P = A²·P·R/(P + R) + Q.
    const b = R - Q - A * A * R
    const P = (-b + Math.sqrt(b * b + 4 * Q * R)) / 2
    const it = sealed(scalar(A, Q, R, { steps: Math.abs(A) > 1 ? 200 : 600 }))
    close(it.traceP, P)
    close(it.gain[0], P / (P + R))
    close(it.closedLoopRadius, Math.abs(A * (R / (P + R))))
  }
})

test('systems side by side do not touch each other; units of a state may be anything', () => {
  const [a, b] = [sealed(scalar(0.9, 1, 2)), sealed(scalar(0.5, 3, 1))]
  const both = sealed({
    model: 'matrices',
    states: 2,
    observations: 2,
    A: [0.9, 0, 0, 0.5],
    C: [1, 0, 0, 1],
    Q: [1, 0, 0, 3],
    R: [2, 0, 0, 1],
  })
  close(both.traceP, a.traceP + b.traceP)
  close(both.gain[0], a.gain[0] as number)
  close(both.gain[3], b.gain[0] as number)
  assert.equal(both.gain[1], 0)
  // The default with the speed in units of 1e-6: the gain of that row is a million times as large.
  const scaled = sealed({
    model: 'matrices',
    A: [1, 1e-6, 0, 1],
    C: [1, 0],
    Q: [0.0025, 5e3, 5e3, 1e10],
    R: [1],
    P0: [10, 0, 0, 1e13],
  })
  close(scaled.gain[0], 0.36)
  close(scaled.gain[1], 0.08e6)
})

/** A random system that forgets: its transition is scaled below a spectral radius of 1. */
const drawnSystem = (n: number, m: number, from: number) => {
  const random = seeded(from)
  const fill = (count: number): number[] => Array.from({ length: count }, () => 2 * random.next() - 1)
  const square = (half: readonly number[], size: number, more: number): number[] =>
    Array.from({ length: size * size }, (_, k) => {
      const [i, j] = [Math.floor(k / size), k % size]
      let sum = i === j ? more : 0
      for (let l = 0; l < size; l++) sum += (half[i * size + l] ?? 0) * (half[j * size + l] ?? 0)
      return sum
    })
  const raw = fill(n * n)
  const spectrum = eigenvaluesOf(Float64Array.from(raw), n)
  assert(spectrum !== undefined)
  const radius = Math.max(...Array.from(spectrum.re, (re, k) => Math.hypot(re, spectrum.im[k] ?? 0)))
  return {
    model: 'matrices',
    states: n,
    observations: m,
    A: raw.map((it) => (0.97 * it) / radius),
    C: fill(m * n),
    Q: square(fill(n * n), n, 0),
    R: square(fill(m * m), m, 0.1),
    steps: 600,
    seed: from,
  }
}

test('systems of 3 to 12 states hold against the Riccati equation far below the bound', () => {
  for (const [n, m] of [
    [3, 1],
    [4, 4],
    [6, 2],
    [12, 5],
  ] as const) {
    for (let from = 1; from <= 3; from++) {
      const { reality } = produce(kalman, inputOf(drawnSystem(n, m, from)))
      assert((reality?.errorPct ?? 1) < 1e-6, `${n} ${m} ${from}: ${reality?.errorPct}`)
    }
  }
}, 20_000)

test('the covariance falls at the square of the closed loop, from above and from below alike', () => {
  const { traces, traceP, closedLoopRadius } = sealed({})
  // Repeated roots would add a factor of the step; here both are real and the larger one rules.
  const left = traces.map((it) => Math.abs(it - traceP))
  const rate = ((left[45] ?? 0) / (left[30] ?? 1)) ** (1 / 15)
  close(rate, closedLoopRadius ** 2, 0.1)
  close(sealed({ spread: 0 }).traceP, traceP)
  close(sealed({ spread: 1e6 }).traceP, traceP)
})

test('innovations are white within chance, and those of a filter of another system are not', () => {
  const sigmas = Array.from({ length: 12 }, (_, k) => sealed({ seed: 100 + k, steps: 1_000 }))
  const nis = sigmas.map(({ nisSigmas }) => nisSigmas)
  assert(Math.max(...nis.map(Math.abs)) < 5)
  const spread = Math.sqrt(
    sigmas.flatMap(({ lagSigmas }) => Array.from(lagSigmas)).reduce((s, it) => s + it * it, 0) / 240,
  )
  assert(spread > 0.8 && spread < 1.2, `${spread}`)
})

test('a run cut in two goes on with the same numbers', () => {
  const whole = sealed({ steps: 600 })
  const first = sealed({ steps: 400 })
  const rest = sealed(
    JSON.parse(
      JSON.stringify(kalman.continued?.(inputOf({ steps: 400 }), first), (_, it) =>
        it instanceof Float64Array ? Array.from(it) : it,
      ),
    ),
  )
  assert.equal(rest.steps, 400)
  for (const [k, it] of whole.innovations.slice(400).entries()) close(rest.innovations[k], it, 1e-9)
})

const own = {
  model: 'matrices',
  states: 2,
  observations: 2,
  A: [0.9, 0.2, -0.1, 0.8],
  C: [1, 0.3, 0, 1],
  Q: [0.5, 0.1, 0.1, 0.4],
  R: [1, 0.2, 0.2, 2],
}

test('the check sees each matrix, one element of it 1 % off, and each that was left out', () => {
  for (const name of ['A', 'C', 'Q', 'R'] as const) {
    for (let k = 0; k < 4; k++) {
      if (own[name][k] === 0) continue
      const symmetric = (name === 'Q' || name === 'R') && (k === 1 || k === 2)
      const wrong = own[name].map((it, i) => (i === k || (symmetric && (i === 1 || i === 2)) ? 1.01 * it : it))
      assert(!(errorPct(own, solved({ ...own, [name]: wrong })) <= 0.1), `${name}[${k}]`)
    }
  }
  assert(!(errorPct({}, solved({ sigmaA: 0.1005 })) <= 0.1))
  assert(!(errorPct({}, solved({ sigmaZ: 1.005 })) <= 0.1))
  assert(!(errorPct({}, solved({ dt: 1.005 })) <= 0.1))
  assert(!(errorPct({}, solved({ seed: 2 })) <= 0.1))
  assert(!(errorPct({}, solved({ spread: 11 })) <= 0.1))
  assert(!(errorPct({}, solved({ first: 1 })) <= 0.1))
  assert(errorPct(own, solved(own)) <= 1e-9)
})

test('the Riccati equation itself judges the covariance: a wrong one with the right records is refused', () => {
  // A filter that stopped too early has covariance and gain that its own records bear out.
  const details = refusal('DID_NOT_CONVERGE', { sigmaA: 1e-4, steps: 64 })
  assert((details['covariance_pct'] as number) > 0.1)
  assert(sealed({ sigmaA: 1e-4, steps: details['steps_safe'] }).traceP > 0)
  const output = solved({})
  for (const name of ['predicted', 'filtered', 'gain'] as const) {
    const length = output[name].length
    for (let k = 0; k < length; k++) {
      const moved = output[name].map((it, i) => (i === k ? 1.005 * it : it))
      assert(!(errorPct({}, { ...output, [name]: moved }) <= 0.1), `${name}[${k}]`)
    }
  }
})

test('the world of the check is drawn by its own factors: one of other noise is not that of the run', () => {
  for (const raw of [{}, own, { ...own, Q: [0.5, 0.5, 0.5, 0.5], first: 12_345, seed: 9 }]) {
    const input = inputOf(raw)
    const system = systemOf(input)
    const [world, told] = [worldOf(input, system), toldAnew(input, system)]
    const z = new Float64Array(system.m)
    for (let k = 0; k < 50; k++) {
      world.measure(k, z)
      for (const [j, it] of told.next(k).entries()) near(z[j], it, 1e-12 * (1 + Math.max(...told.peaks)))
    }
    for (const [i, it] of told.truth.entries()) near(world.truth[i], it, 1e-12 * told.peaks[i]!)
    const moved = solved(raw).truth.map((it, i) => (i === 0 ? it * (1 + 1e-6) : it))
    assert(errorPct(raw, { ...solved(raw), truth: moved }) > 0.1)
  }
  const white = Float64Array.from({ length: 200 }, (_, i) => Math.cos(i))
  const [counted, told] = [countedAnew(white, 2, 20), whitenessOf(white, 2)]
  near(counted.nisSigmas, told.nisSigmas, 1e-12)
  for (const [k, it] of counted.lagSigmas.entries()) near(told.lagSigmas[k], it, 1e-12)
})

test('a covariance and a gain that do not belong together leave something of the equation', () => {
  const output = solved(own)
  const { figures } = kalman.check(inputOf(own), {
    output: { ...output, gain: output.gain.map((it) => 1.05 * it) },
    evidence: null,
  })
  assert((figures['residual_pct'] ?? 0) > 0.1)
  assert((kalman.check(inputOf(own), { output, evidence: null }).figures['residual_pct'] ?? 1) < 1e-9)
})

test('modes that are not seen or not moved, and covariances that are none, are refused', () => {
  const two = { model: 'matrices', R: [1] }
  // The second state lasts and is not measured.
  refusal('ILL_POSED', { ...two, A: [0.5, 0, 0, 1.1], C: [1, 0], Q: [1, 0, 0, 1] })
  // The same behind a change of coordinates: A has eigenvalues 0.5 and 1.1 in the directions (1, 1) and (1, −1).
  refusal('ILL_POSED', { ...two, A: [0.8, -0.3, -0.3, 0.8], C: [1, 1], Q: [1, 0, 0, 1] })
  assert(sealed({ ...two, A: [0.8, -0.3, -0.3, 0.8], C: [1, 0.5], Q: [1, 0, 0, 1], steps: 100 }).traceP > 0)
  // A rotation that no noise moves.
  refusal('ILL_POSED', { ...two, A: [0.6, 0.8, -0.8, 0.6], C: [1, 0], Q: [0, 0, 0, 0] })
  // What dies out by itself may be neither.
  assert(sealed({ ...two, A: [0.5, 0, 0, 0.9], C: [1, 0], Q: [1, 0, 0, 0] }).traceP > 0)
  refusal('ILL_POSED', { ...two, A: [1, 1, 0, 1], C: [1, 0], Q: [1, 2, 2, 1] })
  refusal('ILL_POSED', { ...two, A: [1, 1, 0, 1], C: [1, 0], Q: [1, 0, 0, 1], R: [0] })
  refusal('ILL_POSED', { ...two, A: [1, 1, 0, 1], C: [1, 0], Q: [1, 0, 0, 1], P0: [0, 1, 1, 0] })
  refusal('INVALID_INPUT', { ...two, A: [1, 1, 0, 1], C: [1, 0], Q: [1, 0.5, 0, 1] })
  refusal('INVALID_INPUT', { ...two, A: [1, 1, 0], C: [1, 0], Q: [1, 0, 0, 1] })
  refusal('INVALID_INPUT', { model: 'matrices' })
  refusal('INVALID_INPUT', { states: 3 })
  refusal('INVALID_INPUT', { A: [1, 1, 0, 1] })
  refusal('INVALID_INPUT', { x0: [1] })
})

test('what grows out of its doubles or has too many records is refused with what passes', () => {
  const { steps } = refusal('OUT_OF_RANGE', scalar(1.2, 1, 1))
  assert(sealed(scalar(1.2, 1, 1, { steps })).traceP > 0)
  // A mode that outgrows the shortest run has no number of steps: it is told how large it may be.
  const fast = refusal('OUT_OF_RANGE', scalar(1.6, 1, 1))
  assert.equal(fast['steps'], 32)
  assert(sealed(scalar(0.999 * (fast['radius_max'] as number), 1, 1, { steps: fast['steps'] })).traceP > 0)
  const most = refusal('WORK_LIMIT_EXCEEDED', { ...drawnSystem(32, 32, 1), steps: 100_000 })['steps'] as number
  kalman.refuse(inputOf({ ...drawnSystem(32, 32, 1), steps: most }))
})

const number = fc.oneof(
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const numbers = (count: number) => fc.array(number, { minLength: count, maxLength: count })

const drawn = fc.oneof(
  fc.record(
    {
      dt: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      sigmaA: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      sigmaZ: fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
      spread: fc.double({ min: 0, max: 1e9, noNaN: true }),
      seed: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      first: fc.integer({ min: 0, max: 1_000_000_000 }),
      steps: fc.integer({ min: 32, max: 300 }),
    },
    { requiredKeys: [] },
  ),
  fc.integer({ min: 1, max: 3 }).chain((states) =>
    fc.integer({ min: 1, max: 2 }).chain((observations) =>
      fc.record(
        {
          model: fc.constant('matrices'),
          states: fc.constant(states),
          observations: fc.constant(observations),
          A: numbers(states * states),
          C: numbers(observations * states),
          Q: fc.oneof(numbers(states * states), fc.constant(new Array(states * states).fill(0))),
          R: numbers(observations * observations),
          P0: numbers(states * states),
          x0: numbers(states),
          truth: numbers(states),
        },
        { requiredKeys: ['model', 'states', 'observations'] },
      ),
    ),
  ),
)

test('a system at the edge of the doubles ends in a code: its sums grow to infinity while it is balanced', () => {
  const A = [-6e-22, -9e-34, -1.7976931348623141e308, 8e-152, 1.999999999999997, -1.8e303, 6e-297, 6e-323, 3e-175]
  for (const turned of [A, A.toReversed()]) {
    const raw = { model: 'matrices', states: 3, observations: 1, A: turned, C: [1, 1, 1], Q: new Array(9).fill(0) }
    assert.throws(() => sealed(raw), Fault)
  }
})

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 300 })
  assert(seals > 0, 'some of them seal')
}, 20_000)

test.run()
