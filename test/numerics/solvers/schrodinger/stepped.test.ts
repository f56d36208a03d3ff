// Goal: potentials that jump have right levels and states, as many points as it takes and no more, and their check sees
// what is wrong with them; the finite well is that of the textbooks.
// Method: the transcendental equations of wells and steps, solved here by bisection; answers altered; runs of another
// problem judged as if they were of this one.
import assert from 'node:assert/strict'
import { constantOf } from '#numerics/operators/constants.ts'
import { run } from '#numerics/runtime/run.ts'
import { schrodinger } from '#numerics/solvers/schrodinger/index.ts'
import { breaksOf, problemOf } from '#numerics/solvers/schrodinger/problem.ts'
import type { SchrodingerOutput } from '#numerics/solvers/schrodinger/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { close, near, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'

const test = suite('numerics/schrodinger-stepped')

const HBAR = constantOf('hbar').value
const EV = constantOf('eV').value
const ELECTRON = constantOf('m_e').value

const { inputOf, solve, sealed, refusal } = outcomesOf(schrodinger)
const errorPct = (asked: object, output: SchrodingerOutput): number =>
  schrodinger.check(inputOf(asked), { output, evidence: null }).errorPct

const finite = (eV: number, levels: number, more: object = {}): object => ({
  potential: 'finite-well',
  levels,
  finiteWell: { depth: eV * EV },
  ...more,
})

/** 0 below 0, 1 above, and no value there. */
const stepAt = (x: string): string => `((1+(${x})/abs(${x}))/2)`
const own = (V: string, levels: number, box: object = {}): object => ({
  potential: 'expression',
  levels,
  expression: { V, ...box },
})

const bisected = (f: (x: number) => number, from: number, to: number): number => {
  let [low, high] = [from, to]
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if (f(middle) < 0 === f(low) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

const waveNumber = (joules: number): number => Math.sqrt(2 * ELECTRON * joules) / HBAR

/** Level n over the bottom of a well of a nanometre between steps of these heights, in eV. */
const wellLevel = (left: number, right: number, n: number): number => {
  const [kLeft, kRight] = [waveNumber(left * EV), waveNumber(right * EV)]
  const most = Math.min(kLeft, kRight)
  const phase = (k: number): number => k * 1e-9 + Math.asin(k / kLeft) + Math.asin(k / kRight) - (n + 1) * Math.PI
  const k = bisected(phase, 0, most)
  return (HBAR * HBAR * k * k) / (2 * ELECTRON) / EV
}

test('an electron in a finite well of a nanometre has the levels of the transcendental equation', () => {
  for (const [eV, bound] of [
    [1, 2],
    [2, 3],
    [5, 4],
    [10, 6],
    [25, 9],
  ] as const) {
    const { energies, representation, dx } = sealed(finite(eV, bound))
    assert.deepEqual([representation, dx], ['elements', 0])
    energies.forEach((energy, n) => {
      const level = wellLevel(eV, eV, n)
      near(energy / EV + eV, level, 1e-6 * level)
    })
    assert(
      schrodinger.check(inputOf(finite(eV, bound)), run(schrodinger, inputOf(finite(eV, bound))).outcome).errorPct <
        0.003,
    )
  }
  // Deep enough, the walls are those of the well that has no others.
  const deep = sealed({ potential: 'finite-well', levels: 1, finiteWell: { depth: 1e-12 } })
  const alone = sealed({ potential: 'well', levels: 1 })
  close(deep.groundState + 1e-12, alone.groundState, 1e-2)
})

test('its states are cosines and sines inside and fall off outside as they must', () => {
  const { energies, states, x, points } = sealed(finite(5, 4))
  energies.forEach((energy, n) => {
    const [k, kappa] = [waveNumber(energy + 5 * EV), waveNumber(-energy)]
    const shape = (place: number): number => {
      const inside = n % 2 === 0 ? Math.cos(k * place) : Math.sin(k * place)
      const edge = n % 2 === 0 ? Math.cos(k * 5e-10) : Math.sign(place) * Math.sin(k * 5e-10)
      return Math.abs(place) <= 5e-10 ? inside : edge * Math.exp(-kappa * (Math.abs(place) - 5e-10))
    }
    // ∫ ψ² inside, and 1/κ of the square at the edge outside.
    const turned = (n % 2 === 0 ? 1 : -1) * Math.sin(k * 1e-9)
    const norm = Math.sqrt((1e-9 + turned / k) / 2 + shape(5e-10) ** 2 / kappa)
    const row = states.slice(n * points, (n + 1) * points)
    const first = Math.sign(shape(x[0] ?? 0)) / norm
    row.forEach((value, i) => {
      near(value, first * shape(x[i] ?? 0), 1e-5 / norm)
    })
  })
})

test('own potentials with steps seal: a well of two heights, a step between walls, a barrier in a bowl', () => {
  const asymmetric = `5*[eV]*${stepAt('x-0.5*[nm]')}+8*[eV]*${stepAt('-0.5*[nm]-x')}`
  sealed(own(asymmetric, 4)).energies.forEach((energy, n) => {
    const level = wellLevel(8, 5, n)
    near(energy / EV, level, 1e-6 * level)
  })
  // k·cot(k·a) + q·cot(q·a) = 0 on both sides of a step of 1 eV in the middle of 2a = 2 nm; q may be imaginary.
  const matched = (eV: number): number => {
    const [k, above] = [waveNumber(eV * EV) * 1e-9, eV - 1]
    const q = waveNumber(Math.abs(above) * EV) * 1e-9
    const right = above < 0 ? q * Math.cosh(q) * Math.sin(k) : q * Math.cos(q) * Math.sin(k)
    return k * Math.cos(k) * (above < 0 ? Math.sinh(q) : Math.sin(q)) + right
  }
  const roots: number[] = []
  for (let eV = 0.01; roots.length < 6; eV += 0.01) {
    // At 1 eV both parts vanish with q: that is no level.
    if (matched(eV) < 0 !== matched(eV + 0.01) < 0 && Math.abs(eV - 1) > 0.02)
      roots.push(bisected(matched, eV, eV + 0.01))
  }
  const stepped = own(`[eV]*${stepAt('x')}`, 6, { from: -1e-9, to: 1e-9, edges: 'wall' })
  sealed(stepped).energies.forEach((energy, n) => {
    close(energy / EV, roots[n] ?? 0, 1e-6)
  })
  const barrier = own(`0.05*[eV]*(x/[nm])^4+0.5*[eV]*${stepAt('0.3*[nm]-abs(x)')}`, 6)
  const { energies } = sealed(barrier)
  assert((energies[0] ?? 0) > (sealed(own('0.05*[eV]*(x/[nm])^4', 6)).energies[0] ?? 0))
})

test('jumps are found to the last bits, slopes however steep and poles are none', () => {
  const breaks = (V: string): readonly number[] => {
    const input = inputOf(own(V, 4))
    return breaksOf(input, problemOf(input)).map((xi) => xi * 8)
  }
  const found = breaks(`5*[eV]*${stepAt('abs(x)-0.5*[nm]')}+[eV]*${stepAt('x-1.2345*[nm]')}`)
  assert.equal(found.length, 3)
  for (const [k, wanted] of [-0.5, 0.5, 1.2345].entries()) near(found[k], wanted, 1e-14)
  for (const V of [
    '[eV]*abs(x)/[nm]',
    '[eV]*tanh(x/(0.001*[nm]))',
    '[eV]*(x/[nm])^8',
    '[eV]*sin(40*x/[nm])',
    '[eV]',
    '1/x',
  ]) {
    assert.deepEqual(breaks(V), [], V)
  }
  refusal('ILL_POSED', own('-1e-28*[m]*[J]/abs(x)', 1))
})

test('the error falls with the points, and too few are refused', () => {
  const errorAt = (points: number): number => {
    const { energies } = solve(finite(5, 4, { points }))
    return energies.reduce((most, it, n) => Math.max(most, Math.abs((it / EV + 5) / wellLevel(5, 5, n) - 1)), 0)
  }
  const errors = [32, 40, 52, 64].map(errorAt)
  errors.forEach((error, k) => {
    assert(k === 0 || error < 0.3 * (errors[k - 1] ?? 0) || error < 1e-10, errors.join(', '))
  })
  refusal('PRECISION_NOT_MET', finite(25, 8, { points: 32 }))
  const few = refusal('ILL_POSED', finite(5, 4, { points: 16 }))
  assert.equal(typeof few['points'], 'number')
  const { levels } = refusal('ILL_POSED', finite(5, 8))
  assert.equal(levels, 4)
  sealed(finite(5, 4))
  const named = passing(schrodinger, { potential: 'finite-well', levels: 12 }, ['depth'], 'finiteWell')
  sealed({ potential: 'finite-well', levels: 12, points: 192, finiteWell: named })
})

/** What solves another problem, judged as an answer to the one asked. */
const sabotage: readonly (readonly [string, object, object])[] = [
  ['the width', finite(5, 4), finite(5, 4, { finiteWell: { depth: 5 * EV, width: 1.002e-9 } })],
  ['the depth', finite(5, 4), finite(5.01, 4)],
  ['the mass', finite(5, 4), finite(5, 4, { mass: 1.005 * ELECTRON })],
  ['the step', own(`[eV]*${stepAt('x')}+[eV]*(x/[nm])^2`, 4), own(`1.02*[eV]*${stepAt('x')}+[eV]*(x/[nm])^2`, 4)],
  ['its place', own(`[eV]*${stepAt('x')}+[eV]*(x/[nm])^2`, 4), own(`[eV]*${stepAt('x-0.01*[nm]')}+[eV]*(x/[nm])^2`, 4)],
  ['a step left out', own(`[eV]*${stepAt('x')}+[eV]*(x/[nm])^2`, 4), own('[eV]*(x/[nm])^2', 4)],
]

test('the check sees each parameter that is wrong, a level skipped, and states exchanged, scaled or mixed', () => {
  for (const [what, asked, done] of sabotage) {
    const found = errorPct(asked, solve(done))
    assert(!(found <= 0.1), `${what}: ${found} %`)
    assert(errorPct(asked, solve(asked)) <= 0.1, what)
  }
  for (const raw of [finite(25, 8), own(`[eV]*${stepAt('x')}+[eV]*(x/[nm])^2`, 8)]) {
    const right = solve(raw)
    const { points } = right
    const states = Float64Array.from(right.states)
    const more = Float64Array.from(solve({ ...raw, levels: 9 }).energies).filter((_, n) => n !== 4)
    const judged = (over: object): number => errorPct(raw, { ...right, ...over } as unknown as SchrodingerOutput)
    assert(judged({}) <= 0.1)
    assert(!(judged({ energies: more, highestLevel: more[7] }) <= 0.1), 'skipped')
    const altered = (name: string, change: (at: number, value: number) => number): void => {
      assert(!(judged({ states: states.map((value, at) => change(at, value)) }) <= 0.1), name)
    }
    altered('exchanged', (at, value) => (at < points ? (states[at + points] ?? 0) : value))
    altered('scaled', (at, value) => (at < points ? 1.002 * value : value))
    altered('mixed', (at, value) => (at < points ? value + 0.01 * (states[at + points] ?? 0) : value))
    const slow = Float64Array.from(right.energies, (it) => it + 0.003 * (it - right.minimum))
    assert(!(judged({ energies: slow, groundState: slow[0], highestLevel: slow[7] }) <= 0.1), 'shifted')
    for (const name of ['x', 'potentialEnergy'] as const) {
      const moved = Float64Array.from(right[name], (it, i) => (i === 40 ? it + 0.001 * Math.abs(it || EV) : it))
      assert(!(judged({ [name]: moved }) <= 0.1), name)
    }
    assert(!(judged({ dx: 1e-11 }) <= 0.1), 'dx')
  }
})

test.run()
