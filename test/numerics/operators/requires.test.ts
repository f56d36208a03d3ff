// Goal: a row's conditions hold for inputs and results alike, take the branch that is meant, and say what failed; rows
// whose variables bound each other take what a practitioner has. Method: relations made for the test; worked cases
// whose values follow from a closed form or were worked out by another program; each condition seen to refuse.
import assert from 'node:assert/strict'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { type OperatorRow, REQUIRES_MAX } from '#numerics/operators/operator.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { rowText } from '#numerics/operators/row-text.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf, registry } from './table.ts'

const test = suite('operator conditions')

const kernel = registry.operator('KO42').row
const base: OperatorRow = {
  id: 'AREA',
  name: 'a made row',
  domain: 'trial',
  equation: 'A = b*(L - b)',
  variables: {
    A: { name: 'area', unit: 'm^2' },
    b: { name: 'breadth', unit: 'm', min: 0 },
    L: { name: 'half the way round', unit: 'm' },
  },
  solves_for: ['A', 'b'],
  requires: [{ holds: 'b <= L/2', why: 'the breadth is the shorter side' }, { holds: 'A > 0' }],
  source: 'made for this test',
  example: { inputs: { b: 1, L: 5 }, output: 'A', value: 4, unit: 'm^2' },
}
const half: OperatorRow = {
  ...base,
  id: 'HALF',
  equation: 'L = 2*r',
  variables: { L: { name: 'whole', unit: 'm' }, r: { name: 'half', unit: 'm' } },
  solves_for: ['L', 'r'],
  requires: [{ holds: 'r != [m]' }],
  example: { inputs: { r: 2 }, output: 'L', value: 4, unit: 'm' },
}
const made = operatorRegistry([kernel, base, half])
const area = (inputs: Order['inputs'], more: Partial<Order> = {}) =>
  computeOperators(made, { operators: ['AREA'], inputs, ...more })

test('what the inputs fail is refused by its words, before anything is solved and after', () => {
  const early = faultOf(() => area({ b: 3, L: 4 }))
  assert.equal(early.code, 'OUT_OF_RANGE')
  assert.deepEqual(early.details, {
    operator: 'AREA',
    condition: 'b <= L/2',
    why: 'the breadth is the shorter side',
    values: { b: 3, L: 4 },
  })
  assert.match(early.message, /b <= L\/2.*shorter side.*b = 3, L = 4/)
  const late = faultOf(() => area({ b: 0, L: 4 }))
  assert.deepEqual([late.code, late.details['condition'], late.details['values']], ['OUT_OF_RANGE', 'A > 0', { A: 0 }])
})

test('of several roots the one that fulfils them is taken; where none does the condition is named', () => {
  assert.ok(Math.abs(area({ A: 4, L: 5 }).value - 1) < 1e-14)
  assert.deepEqual(area({ A: 4, L: 5 }).chain[0]?.others, [4], 'the branch that was not taken is told')
  const outside = faultOf(() => area({ A: 4, L: 5 }, { bracket: [3, 5] }))
  assert.deepEqual([outside.code, outside.details['condition']], ['OUT_OF_RANGE', 'b <= L/2'])
  assert.equal(faultOf(() => area({ A: 7, L: 5 })).code, 'ILL_POSED', 'no root at all')
})

test('they hold in a chain for what is handed on', () => {
  const chain = (inputs: Order['inputs']) => computeOperators(made, { operators: ['HALF', 'AREA'], inputs })
  assert.equal(chain({ r: 2, b: 1 }).value, 3)
  const failed = faultOf(() => chain({ r: 2, b: 2.5 }))
  assert.deepEqual(failed.details['values'], { b: 2.5, L: 4 })
  assert.equal(faultOf(() => chain({ r: 1, b: 0.5 })).details['condition'], 'r != [m]')
})

test('a draw that fails one is refused and counted, and makes the tangent doubted', () => {
  const spread = area({ b: '2 ± 0.25 m', L: 4 }).propagate?.()
  assert.deepEqual([spread?.doubts.includes('range'), spread?.method], [true, 'monte-carlo'])
  const refused = spread?.draws?.refused ?? 0
  assert.ok(Math.abs(refused - 5_000) < 20, `${refused} of 10,000 beyond the median`)
  const root = area({ A: '3.96 ± 0.02 m^2', L: 4 }).propagate?.()
  assert.ok((root?.interval.high ?? 3) <= 2, 'the other root is never drawn')
  assert.equal(area({ b: '1 ± 0.01 m', L: 4 }).propagate?.().method, 'linear')
})

test('a side without a finite value fulfils nothing', () => {
  const row = { ...base, requires: [{ holds: '1/(L - 5*[m]) != 1/b' }] }
  const open = operatorRegistry([kernel, row])
  const at = (L: number) => computeOperators(open, { operators: ['AREA'], inputs: { b: 1, L } })
  assert.equal(at(4).value, 3)
  assert.equal(faultOf(() => at(5)).code, 'OUT_OF_RANGE')
})

test('a malformed condition is refused with the row, and a sound one is in its text', () => {
  const load = (requires: unknown) => operatorRegistry([{ ...base, requires }]).operators[0]?.relation()
  const broken: readonly unknown[] = [
    [],
    'b < L',
    [{}],
    ['b < L'],
    [{ holds: 'b < L', because: 'x' }],
    [{ holds: 'b < L', why: '' }],
    [{ holds: 'b = L' }],
    [{ holds: 'b < L < A' }],
    [{ holds: 'b < q' }],
    [{ holds: '1 < 2' }],
    [{ holds: 'b < A' }],
    [{ holds: 'b < 1' }],
    [{ holds: `b < L${' + L'.repeat(60)}` }],
    Array.from({ length: REQUIRES_MAX + 1 }, () => ({ holds: 'b < L' })),
  ]
  for (const requires of broken) {
    const { code } = faultOf(() => load(requires))
    assert.ok(['INVALID_INPUT', 'DIMENSION_MISMATCH'].includes(code), `${JSON.stringify(requires)}: ${code}`)
  }
  for (const sign of ['<', '<=', '>', '>=', '!=']) assert.equal(load([{ holds: `b${sign}L` }])?.requires[0]?.sign, sign)
  assert.match(rowText(base), /"requires":\[\{"holds":"b <= L\/2","why":"the breadth is the shorter side"\},/)
})

test("every row's worked example fulfils its conditions, and each condition is about its variables", () => {
  const rows = registry.operators.filter(({ row }) => row.requires !== undefined)
  assert.ok(rows.length > 5)
  for (const { row, relation } of rows) {
    assert.equal(relation().requires.length, row.requires?.length, row.id)
    compute([row.id], row.example?.inputs ?? {}, { solve_for: row.example?.output ?? null })
  }
})

const near = (found: number, wanted: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs(found - wanted) <= tolerance * Math.abs(wanted), `${found} instead of ${wanted}`)

/** What a row computes from inputs as people have them, and what it must not take, by the condition that says so. */
const cases: readonly {
  readonly id: string
  readonly taken: readonly (readonly [inputs: Order['inputs'], value: number, solveFor?: string])[]
  readonly refused: readonly (readonly [inputs: Order['inputs'], condition: string, solveFor?: string])[]
}[] = [
  {
    id: 'SIR_INVARIANT',
    taken: [
      [{ S: 990, E: 0, I: 10, gamma: '0.1 1/d', beta: '0.3 1/d', N: 1000 }, 1003.3501119511672],
      [{ S: 0.99, E: 0, I: 0.01, gamma: '0.1 1/d', beta: '0.3 1/d', N: 1 }, 1.0033501119511672],
    ],
    refused: [[{ S: 990, E: 20, I: 10, gamma: 0.1, beta: 0.3, N: 1000 }, 'S + E + I <= N']],
  },
  {
    id: 'GARCH_LONG_RUN_VARIANCE',
    taken: [
      [{ omega: 2e-6, alpha: 0.09, beta: 0.9 }, 2e-4],
      [{ omega: 2e-6, alpha: 0.09, V_L: 2e-4 }, 0.9, 'beta'],
    ],
    refused: [[{ omega: 2e-6, alpha: 0.1, beta: 0.9 }, 'alpha + beta < 1']],
  },
  {
    id: 'FERRANTI_EFFECT',
    taken: [
      [{ V_S: '400 kV', f: 50, l: '100 km', L: '0.4 mH/km', C: '0.21 uF/km' }, 417173.68304876843],
      [{ V_S: '400 kV', f: 50, V_R: 417173.68304876843, L: '0.4 mH/km', C: '0.21 uF/km' }, 1e5, 'l'],
    ],
    refused: [[{ V_S: '400 kV', f: 50, l: '2000 km', L: '1 mH/km', C: '11.5 nF/km' }, '4*f*l*sqrt(L*C) < 1']],
  },
  {
    id: 'OGATA_BANKS',
    taken: [
      [{ C_0: 1, x: 60, v: '2e-6 m/s', t: '1 yr', D: '1e-5 m^2/s' }, 0.627113983410888],
      [{ C_0: 1, x: 100, v: '1e-5 m/s', t: '1 yr', D: '1e-4 m^2/s' }, 0.998528329694213],
    ],
    refused: [[{ C_0: 1, x: 100, v: '1e-5 m/s', t: '1 yr', D: '1e-6 m^2/s' }, 'v*x/D < 700']],
  },
  {
    id: 'COULOMB_ACTIVE_COEFFICIENT',
    // Rankine's (1 - sin phi)/(1 + sin phi) at an upright smooth wall.
    taken: [
      [{ beta: '90 deg', phi: '20 deg', delta: 0, alpha: 0 }, 0.4902905965657023],
      [{ beta: '90 deg', phi: '0 deg', delta: 0, alpha: 0 }, 1],
    ],
    refused: [
      [{ beta: '90 deg', phi: '20 deg', delta: 0, alpha: '25 deg' }, 'alpha <= phi'],
      [{ beta: '90 deg', phi: '20 deg', delta: '25 deg', alpha: 0 }, 'delta <= phi'],
    ],
  },
  {
    id: 'BLACK_SCHOLES',
    taken: [
      [{ S: 1.08, K: 1.1, r: '45 %/yr', q: '2 %/yr', sigma: '0.03 yr^(-1/2)', T: '1 yr' }, 0.3572236003873449],
      [{ C: 4.759422392871532, S: 42, K: 40, r: '0.1 1/yr', q: 0, T: '0.5 yr' }, 0.2 / Math.sqrt(31557600), 'sigma'],
    ],
    refused: [
      [{ C: 43, S: 42, K: 40, r: 0, q: 0, T: '0.5 yr' }, 'C <= S*exp(-q*T)*(1 + 1e-12)', 'sigma'],
      [{ C: 1, S: 42, K: 40, r: 0, q: 0, T: '0.5 yr' }, 'C >= S*exp(-q*T) - K*exp(-r*T) - 1e-12*S', 'sigma'],
    ],
  },
  {
    id: 'BIODIVERSITY_INDEX_5',
    taken: [[{ n1: 7, n2: 7, n3: 7, n4: 7, n5: 7 }, 1.6094379124341003]],
    refused: [],
  },
  {
    id: 'OBLIQUE_SHOCK_ANGLE',
    taken: [
      [{ M: 3, theta: '20 deg', gamma: 1.4, delta: 1 }, 0.659099753407722],
      [{ M: 3, theta: '20 deg', gamma: 1.4, delta: 0 }, 1.433729879],
    ],
    refused: [],
  },
]

for (const { id, taken, refused } of cases) {
  test(`${id} takes what people have, and refuses what cannot be by its condition`, () => {
    for (const [inputs, value, solve_for] of taken) near(compute([id], inputs, { solve_for }).value, value, 1e-8)
    for (const [inputs, condition, solve_for] of refused) {
      const { code, details } = faultOf(() => compute([id], inputs, { solve_for }))
      assert.deepEqual([code, details['condition']], ['OUT_OF_RANGE', condition])
    }
  })
}

test('a wedge too blunt for its Mach number is refused as one that detaches the shock', () => {
  const { code, details } = faultOf(() =>
    compute(['OBLIQUE_SHOCK_ANGLE'], { M: 2, theta: '30 deg', gamma: 1.4, delta: 1 }),
  )
  assert.deepEqual([code, details['why']], ['OUT_OF_RANGE', 'a larger deflection detaches the shock'])
})

test.run()
