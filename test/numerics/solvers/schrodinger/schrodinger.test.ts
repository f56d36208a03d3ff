// Goal: schrodinger finds the bound levels and states of every potential it offers, converges as fast as a spectral
// method must, and its check sees every coefficient; what has no such levels is refused before work.
// Method: closed forms and published levels, parity, virial theorem and scaling laws; runs of another problem judged as
// if they were of this one; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { constantOf } from '#numerics/operators/constants.ts'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { schrodinger } from '#numerics/solvers/schrodinger/index.ts'
import type { SchrodingerOutput } from '#numerics/solvers/schrodinger/schema.ts'
import { suite } from '../../../kit/suite.ts'
import { close, outcomesOf } from '../outcomes.ts'
import { passing } from '../passing.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/schrodinger')

keepsTheRules(test, schrodinger)

const HBAR = constantOf('hbar').value
const EV = constantOf('eV').value
const ELECTRON = constantOf('m_e').value

const { inputOf, solve, sealed, refusal, sealsOrRefuses } = outcomesOf(schrodinger)
const errorPct = (asked: object, output: SchrodingerOutput): number =>
  schrodinger.check(inputOf(asked), { output, evidence: null }).errorPct

/** ħ²/(2·m·nm²): the energy in which an electron on the scale of a nanometre counts. */
const NANO = (HBAR * HBAR) / (2 * ELECTRON * 1e-18)

test('oscillator, walls, Morse and hydrogen have the levels of the textbooks', () => {
  sealed({}).energies.forEach((energy, n) => {
    close(energy, HBAR * 1e15 * (n + 0.5), 1e-12)
  })
  sealed({ potential: 'well' }).energies.forEach((energy, n) => {
    close(energy, Math.PI ** 2 * (n + 1) ** 2 * NANO, 1e-11)
  })
  const { energies } = sealed({ potential: 'morse' })
  const lambda = Math.sqrt(8e-19 / NANO)
  energies.forEach((energy, n) => {
    close(energy, -NANO * (lambda - n - 0.5) ** 2, 1e-11)
  })
  // The Rydberg energy hcR∞ of CODATA 2022 is 13.605693122990 eV.
  for (const [Z, l] of [
    [1, 0],
    [2, 1],
    [26, 4],
  ] as const) {
    const levels = sealed({ potential: 'hydrogen', hydrogen: { Z, l } }).energies
    levels.forEach((energy, k) => {
      close(energy / EV, (-13.60569312299 * Z * Z) / (k + 1 + l) ** 2, 1e-9)
    })
  }
})

test('the pure quartic oscillator has its published levels', () => {
  // H = p² + x⁴: Banerjee, Bhatnagar, Choudhry, Kanwal, Proc. R. Soc. A 360 (1978) 575, table 1.
  const published = [1.060362090484183, 3.799673029801394, 7.455697937986738, 11.64474551137816, 16.26182601885022]
  const { energies } = sealed({
    potential: 'expression',
    levels: 5,
    expression: { V: '@hbar^2/(2*@m_e*[nm]^2)*(x/[nm])^4' },
  })
  published.forEach((level, n) => {
    close(energies[n] ?? 0, level * NANO, 2e-8)
  })
})

test('a neutron bouncing on a mirror has the levels of the zeros of Ai', () => {
  // DLMF table 9.9.1; Nesvizhevsky et al., Nature 415 (2002) 297 name 1.4, 2.5, 3.3 and 4.1 peV.
  const zeros = [2.338107410459767, 4.08794944413097, 5.520559828095551, 6.786708090071759]
  const [mass, g] = [constantOf('m_n').value, constantOf('g_n').value]
  const { energies } = sealed({
    potential: 'expression',
    levels: 4,
    mass,
    expression: { V: '@m_n*@g_n*x', from: 0, to: 1.2e-4, edges: 'wall' },
  })
  const unit = Math.cbrt((HBAR * HBAR * mass * g * g) / 2)
  zeros.forEach((zero, n) => {
    close(energies[n] ?? 0, zero * unit, 1e-5)
  })
})

test('the sech² well binds what Pöschl and Teller say, and no more', () => {
  const V = '-6*@hbar^2/(2*@m_e*[nm]^2)/cosh(x/[nm])^2'
  const raw = { potential: 'expression', points: 192, expression: { V, from: -1.5e-8, to: 1.5e-8 } }
  const { energies } = sealed({ ...raw, levels: 2 })
  close(energies[0] ?? 0, -4 * NANO, 1e-6)
  close(energies[1] ?? 0, -NANO, 1e-6)
  assert.deepEqual(refusal('ILL_POSED', { ...raw, levels: 3 }), { path: '/levels', measured: 3, limit: 2, levels: 2 })
})

test('the error falls faster than any power of the points', () => {
  const errorAt = (points: number): number => {
    const { energies } = solve({ points })
    return energies.reduce((most, energy, n) => Math.max(most, Math.abs(energy / (HBAR * 1e15) - n - 0.5)), 0)
  }
  const errors = [errorAt(23), errorAt(26), errorAt(29), errorAt(32), errorAt(40)]
  for (let k = 1; k < errors.length; k++) {
    assert((errors[k] ?? 1) < 0.1 * (errors[k - 1] ?? 0) || (errors[k] ?? 1) < 1e-11, errors.join(', '))
  }
  assert((errors[3] ?? 1) < 1e-5 * (errors[0] ?? 0), errors.join(', '))
})

test('states alternate in parity, and a high barrier pairs the levels of a double well', () => {
  const gapAt = (barrier: number): number => {
    const { energies, states, points } = sealed({ potential: 'double-well', levels: 2, doubleWell: { barrier } })
    for (const [level, parity] of [
      [0, 1],
      [1, -1],
    ] as const) {
      const row = states.slice(level * points, (level + 1) * points)
      const largest = Math.max(...row.map(Math.abs))
      row.forEach((value, i) => {
        assert(Math.abs(value - parity * (row[points - 1 - i] ?? Number.NaN)) <= 1e-6 * largest)
      })
    }
    return ((energies[1] ?? 0) - (energies[0] ?? 0)) / (energies[0] ?? 1)
  }
  const gaps = [0.5e-19, 1e-19, 2e-19, 4e-19].map(gapAt)
  gaps.forEach((gap, k) => {
    assert(gap > 0 && (k === 0 || gap < 0.5 * (gaps[k - 1] ?? 0)), gaps.join(', '))
  })
  // So deep that the two levels of a pair are one number: their states may mix, and the check still holds them.
  const { energies } = sealed({ potential: 'double-well', levels: 4, doubleWell: { barrier: 8e-18 } })
  assert(Math.abs((energies[1] ?? 0) - (energies[0] ?? 0)) <= 1e-10 * (energies[0] ?? 0))
})

test('an own potential that is even about the middle of its box has even and odd states to the last bit', () => {
  const V = '0.05*[eV]*((x-[nm])/[nm])^4'
  for (const points of [128, 129]) {
    const { states, energies } = sealed({ potential: 'expression', points, expression: { V, from: -3e-9, to: 5e-9 } })
    const centred = sealed({ potential: 'expression', points })
    centred.energies.forEach((energy, level) => {
      close(energies[level] ?? 0, energy, 1e-12)
      const row = centred.states.slice(level * points, (level + 1) * points)
      const sign = level % 2 === 0 ? 1 : -1
      row.forEach((value, i) => {
        assert(value === sign * (row[points - 1 - i] ?? Number.NaN), `level ${level}, point ${i}`)
        // Moved by a nanometre it is even no more in doubles, and the whole matrix has the same states.
        assert(Math.abs(value - (states[level * points + i] ?? 0)) < 1e-9 * Math.max(...row.map(Math.abs)))
      })
    })
  }
})

test('the virial theorem holds: 2⟨T⟩ = k⟨V⟩ for V of degree k', () => {
  const meanV = ({ states, potentialEnergy, points, dx }: SchrodingerOutput, level: number): number =>
    potentialEnergy.reduce((sum, V, i) => sum + dx * V * (states[level * points + i] ?? 0) ** 2, 0)
  const harmonic = sealed({})
  harmonic.energies.forEach((energy, n) => {
    close(meanV(harmonic, n), energy / 2, 1e-9)
  })
  const quartic = sealed({ potential: 'expression' })
  quartic.energies.forEach((energy, n) => {
    close(meanV(quartic, n), energy / 3, 1e-7)
  })
})

test('levels scale with the mass as they must, and a moved well has the same', () => {
  const light = sealed({ potential: 'well' }).energies
  sealed({ potential: 'well', mass: 2 * ELECTRON }).energies.forEach((energy, n) => {
    close(energy, (light[n] ?? 0) / 2, 1e-12)
  })
  const here = sealed({ potential: 'morse' }).energies
  const there = sealed({ potential: 'morse', morse: { centre: -2e-9 } }).energies
  there.forEach((energy, n) => {
    close(energy, here[n] ?? 0, 1e-12)
  })
  const muon = sealed({ potential: 'hydrogen', mass: constantOf('m_mu').value })
  close(muon.groundState, sealed({ potential: 'hydrogen' }).groundState * (constantOf('m_mu').value / ELECTRON), 1e-9)
})

test('a level near dissociation gets the long box it needs', () => {
  const last = sealed({ potential: 'morse', levels: 11, points: 320 })
  assert((last.x.at(-1) ?? 0) > 2 * (sealed({ potential: 'morse' }).x.at(-1) ?? 0))
})

/** What solves another problem, judged as an answer to the one asked. */
const sabotage: readonly (readonly [string, object, object])[] = [
  ['ω', {}, { harmonic: { omega: 1.005e15 } }],
  ['the kinetic term', {}, { mass: ELECTRON / 1.01, harmonic: { omega: 1e15 * Math.sqrt(1.01) } }],
  ['the width', { potential: 'well' }, { potential: 'well', well: { width: 1.002e-9 } }],
  ['the mass between walls', { potential: 'well' }, { potential: 'well', mass: 1.005 * ELECTRON }],
  ['the depth', { potential: 'morse' }, { potential: 'morse', morse: { depth: 8.03e-19 } }],
  ['the range', { potential: 'morse' }, { potential: 'morse', morse: { a: 1.003e9 } }],
  ['the place', { potential: 'morse' }, { potential: 'morse', morse: { centre: 3.01e-10 } }],
  ['the charge', { potential: 'hydrogen', hydrogen: { Z: 99 } }, { potential: 'hydrogen', hydrogen: { Z: 100 } }],
  ['the centrifugal term', { potential: 'hydrogen', hydrogen: { l: 1 } }, { potential: 'hydrogen' }],
  ['the reduced mass', { potential: 'hydrogen' }, { potential: 'hydrogen', mass: 1.002 * ELECTRON }],
  ['the barrier', { potential: 'double-well' }, { potential: 'double-well', doubleWell: { barrier: 1.61e-19 } }],
  ['the distance', { potential: 'double-well' }, { potential: 'double-well', doubleWell: { distance: 1.003e-9 } }],
  ['the exponent', { potential: 'expression' }, { potential: 'expression', expression: { V: '0.05*[eV]*(x/[nm])^2' } }],
  ['the mass', { potential: 'expression' }, { potential: 'expression', mass: 1.005 * ELECTRON }],
]

test('the check sees each coefficient that is wrong', () => {
  for (const [what, asked, done] of sabotage) {
    const output = run(schrodinger, { ...inputOf(done) }).outcome.output
    const found = errorPct(asked, output)
    assert(!(found <= 0.1), `${what}: ${found} %`)
    assert(errorPct(asked, solve(asked)) <= 0.1, what)
  }
})

test('the check sees a skipped level, states exchanged, scaled or mixed, and a wrong kinetic energy alone', () => {
  for (const potential of ['harmonic', 'well', 'morse', 'hydrogen', 'double-well', 'expression'] as const) {
    const more = solve({ potential, levels: 9 })
    const right = solve({ potential })
    const { points } = right
    const states = Float64Array.from(right.states)
    const energies = Float64Array.from(more.energies).filter((_, n) => n !== 4)
    const skipped = { ...right, energies, highestLevel: energies[7] ?? 0 }
    assert(!(errorPct({ potential }, skipped as unknown as SchrodingerOutput) <= 0.1), `${potential} skipped`)
    const altered = (name: string, change: (at: number, value: number) => number): void => {
      const output = { ...right, states: states.map((value, at) => change(at, value)) }
      assert(!(errorPct({ potential }, output as unknown as SchrodingerOutput) <= 0.1), `${potential} ${name}`)
    }
    altered('exchanged', (at, value) => (at < points ? (states[at + points] ?? 0) : value))
    altered('scaled', (at, value) => (at < points ? 1.002 * value : value))
    altered('mixed', (at, value) => (at < points ? value + 0.01 * (states[at + points] ?? 0) : value))
    const slow = { ...right, energies: Float64Array.from(right.energies, (it) => it + 0.003 * (it - right.minimum)) }
    const shifted = { ...slow, groundState: slow.energies[0], highestLevel: slow.energies[7] }
    assert(!(errorPct({ potential }, shifted as unknown as SchrodingerOutput) <= 0.1), `${potential} shifted`)
  }
})

test('too few points and too narrow a box are refused: by the gate, or before work when no wave fits them', () => {
  refusal('PRECISION_NOT_MET', { points: 24 })
  // A box that holds the levels and cuts their tails.
  refusal('PRECISION_NOT_MET', { potential: 'expression', expression: { from: -2.4e-9, to: 2.4e-9 } })
  assert.equal(refusal('PRECISION_NOT_MET', { levels: 64, points: 128 })['bound'], 0.1)
  const details = refusal('ILL_POSED', {
    potential: 'double-well',
    levels: 20,
    points: 42,
    doubleWell: { barrier: 9e-18 },
  })
  schrodinger.refuse(
    inputOf({ potential: 'double-well', levels: 20, points: details['points'], doubleWell: { barrier: 9e-18 } }),
  )
  assert.equal(refusal('ILL_POSED', { levels: 9, points: 16 })['points'], 18)
  assert.equal(refusal('ILL_POSED', { potential: 'hydrogen', points: 20 })['points'], 32)
  assert.equal(refusal('ILL_POSED', { potential: 'hydrogen', points: 384 })['points'], 320)
})

test('levels that are not bound are refused with what would be', () => {
  const { levels, depth } = { levels: 12, ...refusal('ILL_POSED', { potential: 'morse', levels: 12 }) } as {
    levels: number
    depth: number
  }
  assert.equal(levels, 12)
  assert.equal(refusal('ILL_POSED', { potential: 'morse', levels: 12 })['limit'], 11)
  // The level is bound well enough for a box; how many points that takes is said in its turn.
  refusal('PRECISION_NOT_MET', { potential: 'morse', levels: 12, morse: { depth } })
  sealed({ potential: 'morse', levels: 12, points: 256, morse: { depth } })
  for (const V of ['-x^2', 'x', '-1', '[eV]*tanh(x/[nm])']) {
    refusal('ILL_POSED', { potential: 'expression', expression: { V } })
  }
  refusal('ILL_POSED', { potential: 'expression', expression: { V: 'sqrt(x)' } })
  refusal('ILL_POSED', { potential: 'expression', levels: 20, expression: { from: -1e-9, to: 1e-9 } })
})

test('an own potential that is no function of x is refused by its place', () => {
  assert.equal(refusal('INVALID_INPUT', { potential: 'expression', expression: { V: 'y^2' } })['path'], '/expression/V')
  assert.equal(refusal('INVALID_INPUT', { potential: 'expression', expression: { V: 'x*' } })['position'], 2)
  assert.equal(
    refusal('INVALID_INPUT', { potential: 'expression', expression: { from: 1e-9, to: 1e-9 } })['path'],
    '/expression/to',
  )
  refusal('CONSTANT_NOT_FOUND', { potential: 'expression', expression: { V: '@nothing*x^2' } })
})

test('the check costs no more than the run, or a tenth of a second', () => {
  const { outcome } = run(schrodinger, inputOf({ levels: 64, points: 256 }))
  passGate(schrodinger.check(inputOf({ levels: 64, points: 256 }), outcome))
  // Of states that no grid carries, whose waves are as short as could be, no nodes are counted: they fail anyway.
  const heavy = { potential: 'expression', mass: 1e-20, levels: 64, points: 384 }
  const { errorPct, figures } = schrodinger.check(inputOf(heavy), run(schrodinger, inputOf(heavy)).outcome)
  assert(errorPct > 0.1 && !('bracket_pct' in figures), `${errorPct}`)
  assert.equal(schrodinger.work(inputOf({ points: 384 })) < schrodinger.limits.workAnonymousMax, true)
})

const decades = (low: number, high: number) => fc.double({ min: low, max: high, noNaN: true }).map((x) => 10 ** x)

const drawn = fc.record(
  {
    potential: fc.constantFrom('harmonic', 'well', 'morse', 'hydrogen', 'double-well', 'expression'),
    levels: fc.integer({ min: 1, max: 12 }),
    points: fc.integer({ min: 16, max: 72 }),
    mass: fc.oneof(fc.constant(ELECTRON), decades(-32, -20)),
    harmonic: fc.record({ omega: decades(3, 20) }),
    well: fc.record({ width: decades(-15, 0) }),
    morse: fc.record({
      depth: decades(-30, -9),
      a: decades(0, 15),
      centre: fc.double({ min: -1, max: 1, noNaN: true }),
    }),
    hydrogen: fc.record({ Z: fc.integer({ min: 1, max: 100 }), l: fc.integer({ min: 0, max: 20 }) }),
    doubleWell: fc.record({ barrier: decades(-30, -9), distance: decades(-15, 0) }),
    expression: fc.record({
      V: fc.constantFrom('0.05*[eV]*(x/[nm])^4', '[eV]*sin(x/[nm])', '-[eV]*exp(-(x/[nm])^2)', '1/x', 'x^x', '0'),
      from: fc.constantFrom(-5e-9, -1e-9, 1e-10, -1),
      to: fc.constantFrom(5e-9, 1e-9, 1e-10, 1),
      edges: fc.constantFrom('open', 'wall'),
    }),
  },
  { requiredKeys: ['potential'] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(drawn, { numRuns: 100, statuses: [400, 404, 422] })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test('a Morse well with too few levels is refused with a depth that has them, or with a wider well', () => {
  const morse = { depth: 1e-20, a: 1e10, centre: 0 }
  const named = ['depth', 'a', 'levels']
  const raw = { potential: 'morse', levels: 3 }
  assert.deepEqual(Object.keys(passing(schrodinger, { ...raw, morse }, named, 'morse')), ['depth'])
  assert.deepEqual(Object.keys(passing(schrodinger, { ...raw, morse: { ...morse, a: 1e15 } }, named, 'morse')), ['a'])
})

test.run()
