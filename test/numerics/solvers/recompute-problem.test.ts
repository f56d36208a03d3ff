// Goal: run and check of a solver often take their problem (start, system, layout, schedule) from one function; the
// check works it out anew, and so sees that function go wrong, which no run of another input judged as this one can
// show. Method: what the function gives for the documented default and for other modes is asked for; what a faulty
// one would give (a coefficient 1 % off, a factor of 2, a dropped tap, axes exchanged) is not.

import assert from 'node:assert/strict'
import { initialTemperature } from '#numerics/methods/diffusion/grid.ts'
import { isStartOf } from '#numerics/methods/diffusion/recompute-start.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { isProblemOf as isBoreOf } from '#numerics/solvers/acoustic/check/check.ts'
import { acoustic } from '#numerics/solvers/acoustic/index.ts'
import { partsOf } from '#numerics/solvers/acoustic/problem.ts'
import {
  areMeasuresOf as measuresMotion,
  isStartOf as startsMotion,
} from '#numerics/solvers/action/check/recompute-problem.ts'
import { action } from '#numerics/solvers/action/index.ts'
import { problemOf as actionProblem, startOf as actionStart } from '#numerics/solvers/action/problem.ts'
import { isProblemOf as isParticleOf } from '#numerics/solvers/blackhole/check/recompute-problem.ts'
import { blackhole } from '#numerics/solvers/blackhole/index.ts'
import { type Particle, particleOf } from '#numerics/solvers/blackhole/problem.ts'
import { isProblemOf as isColumnOf } from '#numerics/solvers/buckling/check/recompute-problem.ts'
import { buckling } from '#numerics/solvers/buckling/index.ts'
import { heldAt, segmentsOf } from '#numerics/solvers/buckling/problem.ts'
import { isStartOf as startsWater } from '#numerics/solvers/climate/check/recompute-problem.ts'
import { climate } from '#numerics/solvers/climate/index.ts'
import { bottomOf, startOf as waterStart } from '#numerics/solvers/climate/problem.ts'
import { isProblemOf as isLayoutOf } from '#numerics/solvers/device/check/recompute-problem.ts'
import { device } from '#numerics/solvers/device/index.ts'
import { type Layout, layoutOf } from '#numerics/solvers/device/problem.ts'
import type { DeviceInput } from '#numerics/solvers/device/schema.ts'
import { isProblemOf as isEpidemicOf } from '#numerics/solvers/epi/check/check.ts'
import { epi } from '#numerics/solvers/epi/index.ts'
import { startOf } from '#numerics/solvers/epi/problem.ts'
import { isProblemOf as isNetworkOf } from '#numerics/solvers/grid/check/check.ts'
import { grid } from '#numerics/solvers/grid/index.ts'
import { type Network, networkOf } from '#numerics/solvers/grid/problem.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import type { HeatInput } from '#numerics/solvers/heat/schema.ts'
import { isProblemOf as isSystemOf } from '#numerics/solvers/kalman/check/check.ts'
import { kalman } from '#numerics/solvers/kalman/index.ts'
import { type System, systemOf } from '#numerics/solvers/kalman/problem.ts'
import { isStartOf as startsReaction } from '#numerics/solvers/react/check/recompute-problem.ts'
import { react } from '#numerics/solvers/react/index.ts'
import { type Fields, startOf as reactionStart } from '#numerics/solvers/react/problem.ts'
import { isStartOf as startsGrowth } from '#numerics/solvers/tumor/check/check.ts'
import { tumor } from '#numerics/solvers/tumor/index.ts'
import { startOf as tumorStart } from '#numerics/solvers/tumor/problem.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/asked')

/** Arrays with one number altered. */
const altered = (values: Float64Array, at: number, by = 1.01): Float64Array =>
  values.map((it, i) => (i === at ? it * by : it))

test('grid: taps, shifts, reactances, powers, slack', () => {
  const own = {
    case: 'own',
    scale: 1.1,
    buses: [{ slack: true }, { load: 90 }, { load: 30, generation: 10 }],
    lines: [
      { from: 1, to: 2, x: 0.1 },
      { from: 2, to: 3, x: 0.2, tap: 0.95, shift: 4 },
      { from: 1, to: 3, x: 0.15 },
    ],
  }
  for (const raw of [{}, { case: 'ieee30', scale: 0.8 }, { case: 'ieee57' }, { case: 'ieee118' }, own]) {
    const input = resolveInput(grid, raw)
    const network = networkOf(input)
    assert(isNetworkOf(input, network))
    const lines = (change: (line: Network['lines'][number]) => object): Network => ({
      ...network,
      lines: network.lines.map((line) => ({ ...line, ...change(line) })),
    })
    const untapped = network.lines.map(({ drop }) => drop)
    assert(
      !isNetworkOf(
        input,
        lines(({ drop }) => ({ drop: 1.01 * drop })),
      ),
    )
    assert(
      !isNetworkOf(
        input,
        lines(({ from, to }) => ({ from: to, to: from })),
      ),
    )
    assert(!isNetworkOf(input, { ...network, load: network.load.map((it) => 1.01 * it) }))
    assert(!isNetworkOf(input, { ...network, generation: network.generation.map((it) => it + 1) }))
    assert(!isNetworkOf(input, { ...network, slack: network.slack.slice().reverse() }))
    assert(untapped.every((it) => it > 0))
  }
  const input = resolveInput(grid, own)
  const network = networkOf(input)
  const turned = network.lines.map((line) => ({ ...line, shift: -line.shift }))
  const untapped = network.lines.map((line, k) => ({ ...line, drop: k === 1 ? line.drop / 0.95 : line.drop }))
  assert(!isNetworkOf(input, { ...network, lines: turned }))
  assert(!isNetworkOf(input, { ...network, lines: untapped }))
})

test('epi: who is open, exposed and vaccinated at the start', () => {
  for (const raw of [
    {},
    { model: 'SEIR', E0: 1_000 },
    { vaccination: { rate: 0, initialFraction: 0.3 }, I0: 10_000, R0: 200_000 },
  ]) {
    const input = resolveInput(epi, raw)
    const start = startOf(input)
    assert(isEpidemicOf(input, start))
    for (const name of ['S', 'E', 'I', 'R', 'V'] as const) {
      assert(!isEpidemicOf(input, { ...start, [name]: start[name] * 1.01 + 1 }))
    }
  }
})

test('kalman: the matrices of constant velocity, and own ones', () => {
  const own = {
    ...{ model: 'matrices', states: 2, observations: 2 },
    ...{ A: [0.9, 0.2, -0.1, 0.8], C: [1, 0.3, 0, 1], Q: [0.5, 0.1, 0.1, 0.4], R: [1, 0.2, 0.2, 2] },
  }
  for (const raw of [{}, { dt: 0.5, sigmaA: 3, sigmaZ: 0.2 }, own]) {
    const input = resolveInput(kalman, raw)
    const system = systemOf(input)
    assert(isSystemOf(input, system))
    for (const name of ['A', 'C', 'Q', 'R'] as const) {
      system[name].forEach((value, i) => {
        const wrong: System = { ...system, [name]: altered(system[name], i) }
        if (value !== 0) assert(!isSystemOf(input, wrong), `${name}[${i}]`)
      })
    }
  }
})

test('heat and wave: the start node by node', () => {
  const cases = [
    {},
    { nx: 33, ny: 40, boundary: { kind: 'periodic' }, initial: { kind: 'gaussian', x: 0.9, y: 0.2 } },
    { nx: 30, ny: 40, boundary: { kind: 'insulated', temperature: 300 }, initial: { kind: 'box', height: 0.5 } },
    { nx: 30, ny: 40, initial: { kind: 'mode', m: 3, n: 2 } },
    { nx: 30, ny: 40, boundary: { kind: 'periodic' }, initial: { kind: 'mode', m: 3, n: 2 } },
    { dim: 1, boundary: { temperature: 10, right: 20 } },
  ]
  const wrong: readonly ((initial: HeatInput['initial']) => HeatInput['initial'])[] = [
    (it) => ({ ...it, sigma: 1.01 * it.sigma, width: 1.2 * it.width, m: it.m + 1 }),
    (it) => ({ ...it, amplitude: 1.01 * it.amplitude }),
    (it) => ({ ...it, x: it.x + 0.05, amplitude: it.kind === 'mode' ? 2 * it.amplitude : it.amplitude }),
  ]
  for (const raw of cases) {
    const input = resolveInput(heat, raw)
    assert(isStartOf(input, initialTemperature(input)), JSON.stringify(raw))
    for (const change of wrong) {
      const other = initialTemperature({ ...input, initial: change(input.initial) })
      assert(!isStartOf(input, other), JSON.stringify(raw))
    }
  }
  const input = resolveInput(heat, {})
  const { x, y } = input.initial
  assert(!isStartOf(input, initialTemperature({ ...input, initial: { ...input.initial, x: y, y: x } })))
})

test('device: what lies in each cell', () => {
  const small = { nx: 32, ny: 24 }
  const cases = [
    small,
    { ...small, charge: { kind: 'sine', m: 2 } },
    { ...small, charge: { kind: 'boxes', boxes: [{ x0: 0.5, y0: 0.5, x1: 0.75, y1: 1.5, density: 1e-10 }] } },
    { ...small, dielectrics: [{ x0: 0.5, y0: 0.25, x1: 1.5, y1: 0.5, permittivity: 10 }] },
    { ...small, sides: { left: 1, right: null, top: -1 } },
  ]
  for (const raw of cases) {
    const input: DeviceInput = resolveInput(device, raw)
    const layout = layoutOf(input)
    assert(isLayoutOf(input, layout), JSON.stringify(raw))
    const { sides } = layout
    const wrong: readonly Layout[] = [
      { ...layout, permittivity: layout.permittivity.map((it) => 1.01 * it) },
      { ...layout, density: layout.density.map((it) => 1.01 * it + 1e-15) },
      { ...layout, metal: layout.metal.map((it, cell) => (cell === 100 ? (it < 0 ? 0 : -1) : it)) },
      { ...layout, sides: { ...sides, left: sides.left < 0 ? 0 : -1 } },
      { ...layout, dx: 1.01 * layout.dx },
    ]
    wrong.forEach((it, k) => {
      assert(!isLayoutOf(input, it), `${JSON.stringify(raw)} ${k}`)
    })
  }
})

test('buckling: stiffness and length of segments, what the ends hold', () => {
  const stepped = [
    { length: 1, I: 2e-6 },
    { length: 1.5, I: 1e-6, E: 7e10 },
  ]
  for (const raw of [{}, { lower: 'fixed', upper: 'free' }, { segments: stepped }]) {
    const input = resolveInput(buckling, raw)
    const [segments, held] = [segmentsOf(input), [...heldAt(input.lower), ...heldAt(input.upper)]]
    assert(isColumnOf(input, { segments, held }))
    const scaled = (a: number, b: number) =>
      segments.map(({ length, stiffness }) => ({ length: a * length, stiffness: b * stiffness }))
    assert(!isColumnOf(input, { segments: scaled(1, 1.01), held }))
    assert(!isColumnOf(input, { segments: scaled(1.01, 1), held }))
    held.forEach((it, k) => {
      assert(!isColumnOf(input, { segments, held: held.map((other, i) => (i === k ? !it : other)) }))
    })
  }
})

test('acoustic: radii, lengths and corrected ends', () => {
  const table = { kind: 'table', points: [0.01, 0.02, 0.08].map((radius, k) => ({ x: k / 2, radius })) }
  for (const raw of [
    {},
    { endCorrection: 'flanged' },
    { section: { kind: 'exponential' }, left: 'closed', endCorrection: 'unflanged' },
    { section: table, right: 'closed', endCorrection: 'unflanged' },
  ]) {
    const input = resolveInput(acoustic, raw)
    const parts = partsOf(input)
    assert(isBoreOf(input, parts), JSON.stringify(raw))
    for (const name of ['length', 'from', 'to'] as const) {
      const wrong = parts.map((part, k) => (k === parts.length - 1 ? { ...part, [name]: 1.01 * part[name] } : part))
      assert(!isBoreOf(input, wrong), name)
    }
    assert(!isBoreOf(input, parts.slice(1)))
    assert(
      !isBoreOf(
        input,
        parts.map((it) => ({ ...it, exponential: !it.exponential })),
      ),
    )
  }
})

test('action: nearest place, angle, momenta', () => {
  for (const raw of [{}, { kepler: { mu: 3, a: 2, e: 0.3 } }, { system: 'pendulum' }, { system: 'henon-heiles' }]) {
    const input = resolveInput(action, raw)
    const start = actionStart(input)
    assert(startsMotion(input, start))
    start.forEach((value, i) => {
      if (value !== 0) assert(!startsMotion(input, altered(start, i)))
    })
    assert(!startsMotion(input, start.slice().reverse()))
  }
})

test('blackhole: radius, momentum, energy', () => {
  for (const raw of [{}, { mode: 'orbit' }, { mode: 'orbit', r0: 100, orbit: { l: 3.9, energy: 1 } }]) {
    const input = resolveInput(blackhole, raw)
    const particle = particleOf(input)
    assert(isParticleOf(input, particle), JSON.stringify(raw))
    const wrong: readonly Partial<Particle>[] = [
      { r: 1.01 * particle.r },
      { phiRate: 1.01 * particle.phiRate + 1e-6 },
      { momentum: 1.01 * particle.momentum + 1e-6 },
      { binding: particle.binding + 1e-3 },
      { rRate: -1.01 * particle.rRate + 1e-3 },
    ]
    for (const part of wrong) assert(!isParticleOf(input, { ...particle, ...part }), JSON.stringify(part))
  }
})

test('action: period, sizes and energy of a motion', () => {
  const modes = [
    {},
    { kepler: { mu: 3, a: 2, e: 0.99 } },
    { initial: [1, 0.2, -0.3, 0.8] },
    { system: 'pendulum' },
    { system: 'pendulum', pendulum: { angle: 3.14 } },
    { system: 'pendulum', pendulum: { rate: 9, length: 0.7 } },
    { system: 'henon-heiles' },
  ]
  for (const raw of modes) {
    const input = resolveInput(action, raw)
    const problem = actionProblem(input)
    assert(measuresMotion(input, problem), JSON.stringify(raw))
    for (const name of ['period', 'place', 'rate'] as const) {
      assert(!measuresMotion(input, { ...problem, [name]: 1.001 * problem[name] }), `${JSON.stringify(raw)} ${name}`)
    }
    const { energy } = problem
    assert(!measuresMotion(input, { ...problem, energy: (state) => 1.001 * energy(state) }))
    assert(
      !measuresMotion(input, {
        ...problem,
        energy: (state) => energy(state) + 0.001 * (state[2] as number) ** 2 + 1e-3,
      }),
    )
  }
})

test('react and tumor: the start node by node', () => {
  for (const raw of [
    { n: 32 },
    { n: 32, initial: { kind: 'noise' } },
    { n: 32, model: 'fitzhugh-nagumo' },
    { n: 32, model: 'fitzhugh-nagumo', initial: { kind: 'noise' } },
  ]) {
    const input = resolveInput(react, raw)
    const start = reactionStart(input)
    assert(startsReaction(input, start), JSON.stringify(raw))
    const gray = input.model === 'gray-scott'
    const wrong: readonly Fields[] = [
      { u: start.v, v: start.u },
      { u: start.u.map((it) => (it > 0.8 === gray ? it : 0.9 * it)), v: start.v },
      { u: start.u, v: start.v.map((it, k) => (k === 0 ? it + 1 : it)) },
      reactionStart({ ...input, initial: { ...input.initial, size: 0.3 } }),
    ]
    wrong.forEach((it, k) => {
      assert(!startsReaction(input, it), `${JSON.stringify(raw)} ${k}`)
    })
  }
  for (const raw of [
    {},
    { initial: { kind: 'gaussian', x: 0.5 } },
    { dim: 2, nx: 40, ny: 32, lx: 0.1, ly: 0.1, initial: { kind: 'gaussian', x: 0.5, y: 0.3, sigma: 0.05 } },
  ]) {
    const input = resolveInput(tumor, raw)
    assert(startsGrowth(input, tumorStart(input)), JSON.stringify(raw))
    const { initial } = input
    const wrong = [
      {
        ...input,
        rho: initial.kind === 'wave' ? 1.01 * input.rho : input.rho,
        initial: { ...initial, amplitude: 0.51 },
      },
      { ...input, initial: { ...initial, x: initial.x + 0.01 } },
    ]
    for (const it of wrong) assert(!startsGrowth(input, tumorStart(it)), JSON.stringify(raw))
  }
})

test('climate: jet, hills and bottom', () => {
  const small = { nx: 32, ny: 24 }
  for (const raw of [
    small,
    { ...small, m: 2, n: 0, coriolis: -1e-4 },
    { ...small, mode: 'rest' },
    { ...small, mode: 'general', initial: { sigma: 0.15 }, bottom: { height: 150, sigma: 0.2, x: 0.3 } },
    { ...small, mode: 'dam-break' },
  ]) {
    const input = resolveInput(climate, raw)
    const [start, bottom] = [waterStart(input), bottomOf(input)]
    assert(startsWater(input, start, bottom), JSON.stringify(raw))
    if (input.mode === 'dam-break') continue
    const other = { ...input, speed: 1.01 * input.speed, initial: { ...input.initial, amplitude: 10.1 } }
    if (input.mode !== 'rest') assert(!startsWater(input, waterStart(other), bottom), JSON.stringify(raw))
    assert(!startsWater(input, { ...start, h: start.h.map((it) => 1.001 * it) }, bottom))
    assert(!startsWater(input, { ...start, p: start.q, q: start.p.map((it) => it + 1) }, bottom))
    assert(
      !startsWater(
        input,
        start,
        bottom.map((it) => 1.01 * it + 1e-3),
      ),
    )
  }
})

test.run()
