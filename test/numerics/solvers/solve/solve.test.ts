// Goal: solve follows each of its laws, its check sees every coefficient of them, and an operator is solved for any of
// its variables; what cannot be solved or checked is refused before work.
// Method: published orbits and falls, closed forms and limits, the observed order of the integrators; engines run with
// a wrong coefficient or too few sub-steps and judged as if they were right; inputs drawn from the schema.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { Claim } from '#core/claim.ts'
import { Fault } from '#core/fault.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { constantsDigest } from '#numerics/operators/constants.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { codeOf, replay } from '#numerics/runtime/replay.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { checkMotion } from '#numerics/solvers/solve/check/check.ts'
import { straightAt } from '#numerics/solvers/solve/check/falling.ts'
import { keplerAt } from '#numerics/solvers/solve/check/kepler.ts'
import { solve } from '#numerics/solvers/solve/index.ts'
import { type Motion, motionOf } from '#numerics/solvers/solve/problem.ts'
import { engineOf } from '#numerics/solvers/solve/run/engine.ts'
import { reportOf } from '#numerics/solvers/solve/run/report.ts'
import type { SolveOutput } from '#numerics/solvers/solve/schema.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { near, outcomesOf, refusedRightly } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/solve')

keepsTheRules(test, solve as unknown as Solver)

const registry = loadRegistry()
const it = aided(solve, { registry: () => registry })
const { inputOf, sealed, refusal } = outcomesOf(it)

const LEO = { referenceMode: 'gravity', height: 4e5, v0: 9_000, t_max: 5_000, dt: 10 }
const BALL = { referenceMode: 'model', medium: 'air', dragArea: 0.01, velocity: [30, 5, 40], t_max: 8 }
const cases = [
  {},
  { location: 'moon', velocity: [3, 2, 1] },
  { referenceMode: 'shm', v0: 2, omega: 3 },
  LEO,
  { ...LEO, v0: 12_000 },
  { ...BALL, velocity: null },
  { ...BALL, velocity: null, v0: 60 },
  BALL,
  { ...BALL, density: 500, volume: 0.01, t_max: 2, dt: 0.002 },
]

test('published motions', () => {
  // Vallado, Fundamentals of Astrodynamics, 4th ed., example 2-4: forty minutes of an orbit.
  const start = [1_131_340, -2_282_343, 6_672_423, -5_643.05, 4_303.33, 2_428.79]
  const orbit = { position: start.slice(0, 3), velocity: start.slice(3), t_max: 2_400, dt: 10 }
  const { solution, velocities } = sealed({ referenceMode: 'gravity', ...orbit })
  const [x, y, z] = Array.from(solution ?? []).slice(-3)
  const [u, v, w] = Array.from(velocities ?? []).slice(-3)
  for (const [found, wanted] of [
    [x, -4_219_752.7],
    [y, 4_363_029.2],
    [z, -3_958_766.6],
  ] as const) {
    near(found ?? 0, wanted, 1)
  }
  for (const [found, wanted] of [
    [u, 3_689.866],
    [v, -1_916.735],
    [w, -6_112.511],
  ] as const)
    near(found ?? 0, wanted, 0.001)
  // 4.9 m, 19.6 m, 44.1 m, 78.5 m: the odd-number law of Galileo's falls.
  for (const s of [1, 2, 3, 4]) near(sealed({ t_max: s }).finalPosition, 100 - 4.903325 * s * s, 1e-9)
  // The Moon's fall of 1.62 m/s² (NASA fact sheet), and a low orbit's 92.6 minutes.
  near(sealed({ location: 'moon' }).fall, 1.62, 0.01)
  near((sealed({ ...LEO, v0: 7_668.6 }).period ?? 0) / 60, 92.4, 0.2)
})

test('every law seals far below the bound', () => {
  for (const raw of cases) {
    const { reality } = produce(it, inputOf(raw))
    assert(reality !== null && reality.errorPct < 1e-5, `${JSON.stringify(raw)}: ${reality?.errorPct}`)
  }
})

/** Ends of paths by another integrator and another program: test/fixtures/solve/make.py. */
const paths = JSON.parse(
  readFileSync(new URL('../../../fixtures/solve/paths.json', import.meta.url), 'utf8'),
) as readonly {
  readonly inputs: object
  readonly end: readonly number[]
}[]

test('paths by SciPy at 1e-13: the ends agree', () => {
  assert.equal(paths.length, 7)
  for (const { inputs, end } of paths) {
    const { solution, velocities } = sealed(inputs)
    const found = [...Array.from(solution ?? []).slice(-3), ...Array.from(velocities ?? []).slice(-3)]
    const sizes = [0, 3].map((from) => Math.hypot(...end.slice(from, from + 3)))
    found.forEach((value, i) => {
      near(value, end[i] ?? 0, 1e-8 * (sizes[i < 3 ? 0 : 1] ?? 0))
    })
  }
})

test('limits: no drag is a fall, long drag the terminal speed, a small fall around a body the uniform one', () => {
  const { medium: _, ...plain } = { ...BALL, dragArea: 0 }
  near(sealed(plain).finalPosition, 100 + 40 * 8 - 0.5 * 9.80665 * 64, 1e-8)
  near(sealed({ ...BALL, dragArea: 1e-9 }).finalPosition, 100 + 40 * 8 - 0.5 * 9.80665 * 64, 1e-3)
  const long = sealed({ ...BALL, velocity: null, t_max: 100 })
  near(-(Array.from(long.velocities ?? []).at(-1) ?? 0), long.terminalSpeed ?? 0, 1e-9)
  const body = sealed({ referenceMode: 'gravity', height: 1, velocity: [11_300, 0, 0], t_max: 1, dt: 0.01 })
  near(body.finalPosition, 6_371_009.4 + 11_300 - 0.5 * 9.82, 0.02)
  // Twice the mass, the same fall; twice the mass on a spring, a period longer by sqrt 2.
  assert.equal(sealed({ mass: 2 }).finalPosition, sealed({}).finalPosition)
  const spring = (mass: number) => sealed({ referenceMode: 'shm', stiffness: 5, mass }).period ?? 0
  near(spring(2) / spring(1), Math.SQRT2, 1e-12)
})

test('closed forms agree with each other where their laws do', () => {
  const law = { ...motionOf(inputOf({ ...BALL, velocity: null, v0: 3 })), drag: 1e-9 }
  for (const t of [0.1, 0.3, 2]) near(straightAt(law, t)[2], 100 + 3 * t - 0.5 * law.fall * t * t, 1e-6)
  const still = straightAt({ ...law, fall: 1e-9, drag: 0.1 }, 4)
  const none = straightAt({ ...law, fall: 0, drag: 0.1 }, 4)
  near(still[2], none[2], 1e-7)
  // A whole period of an ellipse, and the two sides of the parabola.
  const start = [7e6, 0, 0, 0, 9e3, 0]
  const mu = 3.986004e14
  const a = 1 / (2 / 7e6 - 81e6 / mu)
  const back = keplerAt(start, mu, 2 * Math.PI * Math.sqrt((a * a * a) / mu))
  near(back[0], 7e6, 1e-2)
  const parabolic = Math.sqrt((2 * mu) / 7e6)
  const [slow, fast] = [
    keplerAt([7e6, 0, 0, 0, parabolic * (1 - 1e-12), 0], mu, 1e5),
    keplerAt([7e6, 0, 0, 0, parabolic * (1 + 1e-12), 0], mu, 1e5),
  ]
  near(slow[0], fast[0], 1)
})

/** A run of an altered motion, judged as the answer to the input that it was made from. */
const judged = (raw: object, alter: (motion: Motion) => Partial<Motion>): number => {
  const input = inputOf(raw)
  const motion = motionOf(input)
  const engine = engineOf({ ...motion, ...alter(motion) })
  engine.advance(0, motion.steps, () => undefined)
  const output = reportOf(input, { ...engine, motion })
  return checkMotion(input, output).errorPct
}

test('sabotage: every coefficient a thousandth wrong is refused', () => {
  const wrong = 1.002
  const each: readonly (readonly [object, (motion: Motion) => Partial<Motion>])[] = [
    [{}, ({ fall }) => ({ fall: wrong * fall })],
    [{ referenceMode: 'shm' }, ({ omega2 }) => ({ omega2: wrong * omega2 })],
    [LEO, ({ mu }) => ({ mu: wrong * mu })],
    [BALL, ({ fall }) => ({ fall: wrong * fall })],
    [{ ...BALL, dragArea: 0.1 }, ({ drag }) => ({ drag: 1.01 * drag })],
    [{ ...BALL, velocity: null, dragArea: 0.1 }, ({ drag }) => ({ drag: 1.01 * drag })],
    [{ ...BALL, velocity: null, v0: 60, dragArea: 0.1 }, ({ drag }) => ({ drag: 1.01 * drag })],
    [BALL, () => ({ drag: 0 })],
    [LEO, ({ start }) => ({ start: start.map((it, i) => (i === 4 ? wrong * it : it)) })],
    [{}, ({ dt }) => ({ dt: wrong * dt })],
  ]
  for (const [raw, alter] of each) {
    assert(judged(raw, () => ({})) < 1e-5)
    const errorPct = judged(raw, alter)
    assert(!(errorPct <= 0.1), `${JSON.stringify(raw)}: ${errorPct}`)
  }
})

test('period and order are worked out again, so that no slip of the run is in the check as well', () => {
  const { outcome } = produce(it, inputOf(LEO))
  const { output } = outcome
  for (const over of [{ period: 1.0001 * (output.period ?? 0) }, { period: null }, { order: 4 }]) {
    const { errorPct } = it.check(inputOf(LEO), { ...outcome, output: { ...output, ...over } })
    assert.equal(errorPct, 100, JSON.stringify(over))
  }
  // Close to the parabola the period hangs on the last digits of the speed.
  for (const below of [1e-5, 1e-7, 3e-9, 1e-9]) {
    const v0 = Math.sqrt((2 * 3.986004418e14) / 6_771_008.4) * (1 - below / 2)
    assert(it.check(inputOf({ ...LEO, v0 }), { output: sealed({ ...LEO, v0 }), evidence: null }).errorPct < 1e-5)
  }
})

test('an engine without the sub-steps that the law asks for is refused', () => {
  const coarse = () => ({ substeps: 1 })
  assert(judged({ referenceMode: 'shm', omega: 90, t_max: 20 }, coarse) > 0.1)
  assert(judged({ ...LEO, v0: 10_500, t_max: 4e5, dt: 400 }, coarse) > 0.1)
  assert(judged({ ...BALL, dragArea: 5, dt: 0.008, velocity: [30, 5, 40] }, coarse) > 0.1)
})

/** Error of a run as a share of its signal, with so many integrator steps. */
const errorOf = (raw: object, substeps: number): number => judged(raw, () => ({ substeps }))

test('observed orders: six for springs and orbits, four with drag', () => {
  const order = (raw: object, few: number): number => Math.log2(errorOf(raw, few) / errorOf(raw, 2 * few))
  near(order({ referenceMode: 'shm', omega: 30, t_max: 6, dt: 0.06 }, 4), 6, 0.3)
  near(order({ ...LEO, v0: 9_500, dt: 600, t_max: 18_000 }, 6), 6, 0.6)
  near(order({ ...BALL, dragArea: 1, dt: 0.02, t_max: 4 }, 4), 4, 0.4)
})

test('energy: kept by an orbit over a hundred turns, lost to drag', () => {
  const energies = ({ solution, velocities, mu }: SolveOutput): readonly number[] => {
    const [r, v] = [Array.from(solution ?? []), Array.from(velocities ?? [])]
    return Array.from({ length: r.length / 3 }, (_, k) => {
      const at = (of: readonly number[]): number => Math.hypot(...of.slice(3 * k, 3 * k + 3))
      return 0.5 * at(v) ** 2 - (mu ?? 0) / at(r)
    })
  }
  const [first = 0, ...rest] = energies(sealed({ ...LEO, t_max: 1_000_000, dt: 50 }))
  for (const it of rest) near(it / first, 1, 1e-8)
  const drag = sealed({ ...BALL, t_max: 3 })
  const free = sealed({ ...BALL, dragArea: 0, medium: 'vacuum', referenceMode: 'free-fall', t_max: 3 })
  assert((drag.energy ?? 0) < (free.energy ?? 0))
})

test('a run goes on in two halves as in one', () => {
  for (const raw of [LEO, BALL, { referenceMode: 'shm', dt: 0.01, t_max: 8 }]) {
    const whole = inputOf(raw)
    const half = inputOf({ ...raw, t_max: whole.t_max / 2 })
    const { continued } = it
    assert(continued !== undefined)
    const next = continued(half, sealed({ ...raw, t_max: whole.t_max / 2 }))
    const [one, two] = [sealed(raw), produce(it, next).outcome.output]
    near((two.finalPosition ?? 0) / (one.finalPosition ?? 1), 1, 1e-6)
  }
  const root = inputOf({ referenceMode: 'algebraic', relation: { operator: 'NM19', inputs: { m: 5, a: 2 } } })
  assert.throws(() => it.continued?.(root, produce(it, root).outcome.output), /no state/)
})

const relation = (operator: string, inputs: object, more: object = {}) => ({
  referenceMode: 'algebraic',
  relation: { operator, inputs, ...more },
})

test('an operator is solved for any of its variables, with the unit of the unknown', () => {
  const { outcome, value } = produce(it, inputOf(relation('nm21', { F: 8670.94, m1: 5.972e24, m2: 1_000 })))
  near(value ?? 0, 6.78e6, 10)
  assert.equal(it.unitOf?.(inputOf(relation('nm21', { F: 1, m1: 1, m2: 1 }))), 'm')
  assert.equal(outcome.output.algebraic?.symbol, 'r')
  assert.deepEqual(it.operatorsOf?.(inputOf(relation(' nm21 ', {}))), ['NM21'])
  near(produce(it, inputOf(relation('GR37', { M: 1.98892e30 }))).value ?? 0, 2954.0077, 1e-3)
  near(produce(it, inputOf(relation('NM19', { F: '10 kN', m: 5 }))).value ?? 0, 2_000, 1e-9)
})

test('the plot of a root needs no rows: the page and a drawing thread have none', () => {
  const input = inputOf(relation('NM21', { F: 8670.94, m1: 5.972e24, m2: 1_000 }))
  const { output } = produce(it, input).outcome
  const [plot] = solve.plots?.(input, output) ?? []
  assert(plot?.kind === 'curves')
  const [curve] = plot.curves
  const signs = Array.from(curve?.y ?? [], Math.sign)
  assert(curve !== undefined && signs[0] === -(signs.at(-1) ?? 0), 'it crosses zero')
})

test('several roots are listed unless a bracket holds one; no root is said so', () => {
  const square = {
    id: 'SQUARE',
    name: 'Square',
    domain: 'test',
    equation: 'y = x^2',
    variables: { y: { name: 'square', unit: '1' }, x: { name: 'side', unit: '1' } },
    solves_for: ['y', 'x'],
    source: 'arithmetic',
    example: { inputs: { x: 3 }, output: 'y', value: 9, unit: '1' },
  }
  const rows = operatorRegistry([...registry.operators.map(({ row }) => row), square])
  const other = aided(solve, { registry: () => rows })
  const asked = (bracket?: object) => resolveInput(other, relation('SQUARE', { y: 9 }, { solve_for: 'x', ...bracket }))
  assert.throws(
    () => produce(other, asked()),
    (error) => error instanceof Fault && error.code === 'AMBIGUOUS_INPUT' && String(error.details['roots']) === '-3,3',
  )
  assert.equal(produce(other, asked({ bracket: [-5, 0] })).value, -3)
  const one = relation('NM22', { W: 5, F: 10, d: 1 }, { solve_for: 'theta', bracket: [0, 2] })
  near(produce(it, inputOf(one)).value ?? 0, Math.PI / 3, 1e-12)
  refusal('ILL_POSED', relation('NM22', { W: 50, F: 10, d: 1 }, { solve_for: 'theta' }))
  refusal('MISSING_INPUTS', relation('NM21', { F: 1 }))
  refusal('UNKNOWN_OPERATOR', relation('NM1900', {}))
  refusal('RELATION_REFUSED', relation('NM18', {}))
})

test('the check of a root sees it a fifth of a percent off, and every word about it', () => {
  const input = inputOf(relation('NM21', { F: 8670.94, m1: 5.972e24, m2: 1_000 }))
  const { outcome } = produce(it, input)
  const { algebraic } = outcome.output
  assert(algebraic !== null)
  const altered = [
    { root: algebraic.root * 1.002 },
    { root: algebraic.root + 1e5 },
    { root: Number.NaN },
    { symbol: 'm1' },
    { unit: 's' },
    { equation: 'r = 1' },
    { operator: 'NM19' },
    { inputs: { ...algebraic.inputs, m2: 1_001 } },
    { inputs: {} },
  ]
  for (const over of altered) {
    const output = { ...outcome.output, algebraic: { ...algebraic, ...over } }
    assert.throws(() => passGate(it.check(input, { ...outcome, output })), Fault, JSON.stringify(over))
  }
})

test('a claim of other rows is judged as such; one of a motion needs none', () => {
  const code = { ...codeOf(solve), registry: 'sha256:0', constants: constantsDigest }
  const claim = { kind: 'solve', phase: 0.25, code } as unknown as Claim
  const given = { kind: 'solve', claim, registry: () => registry }
  const root = replay([solve as unknown as Solver], { ...given, inputs: relation('NM19', { m: 5, a: 2 }) })
  assert(!('unavailable' in root) && /registry/.test(root.otherCode ?? ''))
  const motion = replay([solve as unknown as Solver], { ...given, inputs: {} })
  assert(!('unavailable' in motion) && motion.otherCode === undefined)
})

test('what cannot be solved is refused with a number that passes', () => {
  const { dt } = refusal('UNSTABLE_STEP', { referenceMode: 'shm', omega: 250 })
  sealed({ referenceMode: 'shm', omega: 250, dt })
  // A rate that no dt of the schema can follow has no number that passes, and names none.
  const racing = { referenceMode: 'model', medium: 'air', dragArea: 1e9, mass: 1e-30 }
  assert(!('dt' in refusal('UNSTABLE_STEP', racing)))
  const { passes } = refusal('ILL_POSED', { ...LEO, v0: 100 })
  sealed({ ...LEO, v0: passes })
  const { t_max } = refusal('ILL_POSED', { v0: 1, t_max: 1e-9 })
  sealed({ v0: 1, t_max })
  const long = { ...BALL, dragArea: 1, t_max: 1_000 }
  sealed({ ...long, t_max: refusal('OUT_OF_RANGE', long)['t_max'] })
  refusal('ILL_POSED', { referenceMode: 'shm', displacement: 0 })
  refusal('OUT_OF_RANGE', { ...LEO, height: -1 })
  refusal('WORK_LIMIT_EXCEEDED', { t_max: 1e9 })
  refusal('INVALID_INPUT', { medium: 'air' })
  refusal('INVALID_INPUT', { dragArea: 0.1 })
  refusal('INVALID_INPUT', { referenceMode: 'model', dragArea: 0.1 })
  refusal('INVALID_INPUT', { position: [0, 0, 1], height: 3 })
  refusal('INVALID_INPUT', { velocity: [0, 0, 1], v0: 3 })
  refusal('INVALID_INPUT', { referenceMode: 'shm', omega: 1, stiffness: 1 })
  refusal('INVALID_INPUT', { referenceMode: 'algebraic' })
  refusal('INVALID_INPUT', { relation: { operator: 'NM19', inputs: {} } })
})

const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const size = (low: number, high: number) => between(low, high).map((it) => 10 ** it)
const vectors = (most: number) => fc.option(fc.tuple(between(-most, most), between(-most, most), between(-most, most)))
const drawn = fc.record(
  {
    referenceMode: fc.constantFrom('free-fall', 'shm', 'gravity', 'model'),
    location: fc.constantFrom('earth', 'mars', 'moon', 'jupiter', 'sun'),
    medium: fc.constantFrom('vacuum', 'air', 'water'),
    mass: size(-6, 6),
    height: between(0, 1e6),
    v0: between(-100, 100),
    displacement: between(-10, 10),
    position: vectors(1e8),
    velocity: vectors(2e4),
    omega: fc.option(size(-2, 2)),
    stiffness: fc.option(size(-2, 4)),
    dragArea: size(-6, 1),
    density: fc.option(size(-2, 3)),
    volume: size(-6, 0),
    t_max: size(-3, 5),
    dt: size(-4, 2),
  },
  { requiredKeys: ['referenceMode'] },
)

/** Members that the mode of a drawn input reads, so that many of them run. */
const fitting = (raw: Record<string, unknown>): Record<string, unknown> => {
  const mode = raw['referenceMode']
  const drop = mode === 'shm' ? ['location', 'height', 'medium'] : ['displacement', 'omega', 'stiffness']
  const still = mode === 'model' ? [] : ['medium', 'dragArea', 'density', 'volume']
  const twice = raw['position'] ? ['height', 'displacement'] : []
  const again = raw['velocity'] ? ['v0'] : []
  const left = new Set([...drop, ...still, ...twice, ...again])
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !left.has(name)))
}

test('any input of the schema seals or is refused with a code', () => {
  let seals = 0
  let largest = 0
  fc.assert(
    fc.property(drawn, fc.boolean(), (raw, fits) => {
      try {
        const input = inputOf(fits ? fitting(raw) : raw)
        if (it.work(input) > 300) return
        const { reality } = produce(it, input)
        assert(reality !== null)
        seals++
        largest = Math.max(largest, reality.errorPct)
      } catch (error) {
        refusedRightly(error)
      }
    }),
    { seed, numRuns: 300 },
  )
  assert(seals > 20, `${seals} of them seal`)
  assert(largest < 1e-2, `the largest error is ${largest} %`)
  console.log(`solve: ${seals} sealed, largest error ${largest} %`)
}, 30_000)

test.run()
