// Goal: every input resolves to one reading or is refused by name, nothing is repaired, chains feed as the definitions
// say. Method: tables of orders with the fault and the members they must give; equal meanings must give equal bits.
import assert from 'node:assert/strict'
import type { FaultCode } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { completeSteps } from '#numerics/operators/steps.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf, registry } from './table.ts'

const test = suite('resolution of inputs')

type Inputs = Order['inputs']
type Case = readonly [what: string, operators: readonly string[], inputs: Inputs, value: number, unit: string]

test('symbols, names, aliases, units and constants bind', () => {
  const cases: readonly Case[] = [
    ['names', ['NM19'], { mass: 5, acceleration: 2 }, 10, 'N'],
    ['names in any case', ['nm19'], { MASS: 5, Acceleration: 2 }, 10, 'N'],
    ['units', ['NM19'], { m: '5000 g', a: '200 cm/s^2' }, 10, 'N'],
    ['a number as text', ['NM19'], { m: '5', a: ' 2e0 ' }, 10, 'N'],
    ['value and unit', ['NM19'], { m: { value: 5000, unit: 'g' }, a: { value: 2 } }, 10, 'N'],
    ['a qualified name', ['NM19'], { 'NM19.m': 5, 'nm19.acceleration': 2 }, 10, 'N'],
    ['a Greek letter', ['QM10'], { ν: 1e15 }, 6.62607015e-19, 'J'],
    ['a constant as value', ['NM19'], { m: '@m_e', a: 1e30 }, 0.91093837139, 'N'],
    ['a multiple of a constant', ['NM26'], { m: 1, v: '0.5 @c' }, 149_896_229, 'kg*m/s'],
    ['degrees', ['NM29'], { r: 2, F: 5, theta: '90 deg' }, 10, 'N*m'],
    ['KO42 anywhere', ['NM19', 'ko42'], { m: 5, a: 2 }, 10, 'N'],
    ['the output given: the one without a value is computed', ['NM19'], { F: '10 N', m: 5 }, 2, 'm/s^2'],
  ]
  for (const [what, operators, inputs, value, unit] of cases) {
    const found = compute(operators, inputs)
    assert.ok(Math.abs(found.value - value) <= 1e-9 * Math.abs(value), `${what}: ${found.value}`)
    assert.equal(found.unit, unit, what)
    assert.equal(found.operators[0], 'KO42', what)
  }
})

test('an order with every spelling gone gives the same bits and is its own order', () => {
  const orders: readonly Order[] = [
    { operators: ['GR37'], inputs: { mass: '1.98892e30 kg' } },
    { operators: ['nm26', 'QM9'], inputs: { mass: '@m_e', velocity: '0.01 @c' } },
    { operators: ['NM19', 'NM29'], inputs: { m: 3, a: 2, r: '20 cm', theta: '30 deg' } },
    { operators: ['NM23'], inputs: { mass: 2, K: 9 }, solve_for: 'speed' },
    { operators: ['NM23', 'NM24'], inputs: { v: 3, m: 2, g: 9.8, U: 9 }, solve_for: 'NM24.height' },
    { operators: ['GR41'], inputs: { z: 0.5, lambda_o: '600 nm' }, bracket: [1e-9, 1e-3] },
  ]
  for (const order of orders) {
    const first = compute(order.operators, order.inputs, order)
    const again = compute(first.order.operators, first.order.inputs, first.order)
    assert.ok(Object.is(again.value, first.value))
    assert.deepEqual(again.order, first.order)
    assert.deepEqual(again.chain, first.chain)
  }
})

type Refusal = readonly [
  what: string,
  operators: readonly string[],
  inputs: unknown,
  code: FaultCode,
  more?: Partial<Order>,
]

test('what cannot be resolved is refused by its own code', () => {
  const nested = JSON.parse('{"__proto__": 1}') as unknown
  const cases: readonly Refusal[] = [
    ['no operator', [], {}, 'OPERATOR_LIMIT_EXCEEDED'],
    ['the kernel alone', ['KO42'], {}, 'OPERATOR_LIMIT_EXCEEDED'],
    ['four operators', ['NM19', 'NM20', 'NM21', 'NM22'], {}, 'OPERATOR_LIMIT_EXCEEDED'],
    ['a thousand operators', Array(1000).fill('NM19'), {}, 'OPERATOR_LIMIT_EXCEEDED'],
    ['one operator twice', ['NM19', 'nm19'], {}, 'INVALID_INPUT'],
    ['an unknown operator', ['NM9999'], {}, 'UNKNOWN_OPERATOR'],
    ['an inherited name', ['constructor'], {}, 'UNKNOWN_OPERATOR'],
    ['an operator that is no text', [7 as unknown as string], {}, 'INVALID_INPUT'],
    ['operators that are no list', 'NM19' as unknown as string[], {}, 'INVALID_INPUT'],
    ['inputs that are no object', ['NM19'], [1, 2], 'INVALID_INPUT'],
    ['inputs that are absent', ['NM19'], null, 'INVALID_INPUT'],
    [
      'too many inputs',
      ['NM19'],
      Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`x${i}`, 1])),
      'INVALID_INPUT',
    ],
    ['a refused relation', ['QM2'], {}, 'RELATION_REFUSED'],
    ['a refused relation inside a chain', ['NM19', 'GR33'], { m: 1, a: 1 }, 'RELATION_REFUSED'],
    ['an unknown name', ['NM19'], { m: 1, b: 2 }, 'INVALID_INPUT'],
    ['another letter case', ['NM19'], { M: 1, a: 2 }, 'INVALID_INPUT'],
    ['__proto__', ['NM19'], nested, 'INVALID_INPUT'],
    ['a constant as input', ['GR37'], { M: 1, c: 3e8 }, 'INVALID_INPUT'],
    ['one variable named twice', ['NM19'], { m: 1, mass: 1, a: 2 }, 'AMBIGUOUS_INPUT'],
    ['a bare letter as value', ['GR37'], { M: 'e' }, 'AMBIGUOUS_INPUT'],
    ['a letter that is a constant, bound nowhere', ['NM30'], { x: 1 }, 'AMBIGUOUS_INPUT'],
    ['a missing input', ['NM21'], { m1: 1, m2: 2 }, 'MISSING_INPUTS'],
    ['several missing, a letter among them', ['NM30'], {}, 'MISSING_INPUTS'],
    ['everything given', ['NM19'], { F: 1, m: 1, a: 1 }, 'INVALID_INPUT'],
    ['a word as value', ['NM19'], { m: 'heavy', a: 2 }, 'INVALID_INPUT'],
    ['a number with a comma', ['NM19'], { m: '1,000', a: 2 }, 'INVALID_INPUT'],
    ['a truth value', ['NM19'], { m: true, a: 2 }, 'INVALID_INPUT'],
    ['null', ['NM19'], { m: null, a: 2 }, 'INVALID_INPUT'],
    ['a list', ['NM19'], { m: [1], a: 2 }, 'INVALID_INPUT'],
    ['not a number', ['NM19'], { m: Number.NaN, a: 2 }, 'INVALID_INPUT'],
    ['infinity', ['NM19'], { m: Number.POSITIVE_INFINITY, a: 2 }, 'INVALID_INPUT'],
    ['a stray member', ['NM19'], { m: { value: 1, unit: 'kg', colour: 'red' }, a: 2 }, 'INVALID_INPUT'],
    ['an unknown unit', ['NM19'], { m: '5 stone', a: 2 }, 'INVALID_INPUT'],
    ['a very long text', ['NM19'], { m: '1'.repeat(200), a: 2 }, 'INVALID_INPUT'],
    ['an unknown constant', ['NM19'], { m: '@m_x', a: 2 }, 'CONSTANT_NOT_FOUND'],
    ['the wrong unit', ['NM19'], { m: '5 m', a: 2 }, 'DIMENSION_MISMATCH'],
    ['the wrong constant', ['NM19'], { m: '@c', a: 2 }, 'DIMENSION_MISMATCH'],
    ['radians for cycles', ['QM10'], { nu: '1 rad/s' }, 'DIMENSION_MISMATCH'],
    ['degrees Celsius for a difference', ['TH15'], { P: 1, L: 1, A: 1, dT: '5 °C' }, 'AMBIGUOUS_INPUT'],
    ['a negative mass', ['NM19'], { m: -5, a: 2 }, 'OUT_OF_RANGE'],
    ['a speed above that of light', ['GR35'], { dt0: 1, M: 1, r: 1, v: 3e8 }, 'OUT_OF_RANGE'],
    ['a fractional quantum number', ['QM5'], { n: 1.5, m: '@m_e', L: '1 nm' }, 'OUT_OF_RANGE'],
    ['a value beyond doubles', ['NM19'], { m: '1e390 kg', a: 2 }, 'OUT_OF_RANGE'],
    ['a value below doubles', ['NM19'], { m: '1e-390 kg', a: 2 }, 'OUT_OF_RANGE'],
    ['no real value', ['QM8'], { L: '1 nm', m: '@m_e', V: '1 eV', E: '2 eV' }, 'OUT_OF_RANGE'],
    ['an overflowing result', ['NM19'], { m: 1e300, a: 1e300 }, 'OUT_OF_RANGE'],
    [
      'an unknown solved for that is not listed',
      ['NM28'],
      { L: 1, r: 1, p: 1 },
      'INVALID_INPUT',
      { solve_for: 'theta' },
    ],
    ['an unknown unknown', ['NM19'], { m: 1, a: 1 }, 'INVALID_INPUT', { solve_for: 'q' }],
    ['an unknown with a value', ['NM19'], { m: 1, a: 1 }, 'INVALID_INPUT', { solve_for: 'm' }],
    ['an unknown in two operators', ['NM19', 'NM23'], { a: 1, v: 1 }, 'AMBIGUOUS_INPUT', { solve_for: 'm' }],
    ['an unknown that is no text', ['NM19'], { m: 1 }, 'INVALID_INPUT', { solve_for: 7 as unknown as string }],
    ['a bracket the wrong way round', ['NM19'], { m: 1, a: 1 }, 'INVALID_INPUT', { bracket: [2, 1] }],
    ['an endless bracket', ['NM19'], { m: 1, a: 1 }, 'INVALID_INPUT', { bracket: [0, Number.POSITIVE_INFINITY] }],
  ]
  for (const [what, operators, inputs, code, more] of cases) {
    const fault = faultOf(() => compute(operators, inputs as Inputs, more))
    assert.equal(fault.code, code, `${what}: ${fault.message}`)
    JSON.stringify(fault.details)
  }
})

test('refusals say what would help', () => {
  const missing = faultOf(() => compute(['NM21'], { m1: 1 })).details['missing']
  assert.deepEqual(missing, [
    { operator: 'NM21', symbol: 'm2', name: 'second mass', unit: 'kg', reason: 'not given.' },
    { operator: 'NM21', symbol: 'r', name: 'distance', unit: 'm', reason: 'not given.' },
  ])
  const [letter] = faultOf(() => compute(['NM30'], { x: 1 })).details['missing'] as { readings: string[] }[]
  assert.deepEqual(letter?.readings, ['k: spring constant, in N/m', '@k_B: Boltzmann constant'])
  const [unknown] = faultOf(() => compute(['NM19'], { m: 1, acceleratoin: 2 })).details['unknown'] as {
    suggestions: string[]
  }[]
  assert.equal(unknown?.suggestions[0], 'acceleration')
  assert.ok((faultOf(() => compute(['NM191'], {})).details['available_similar'] as string[]).includes('NM19'))
  const range = faultOf(() => compute(['NM19'], { m: -5, a: 2 })).details
  assert.deepEqual([range['input'], range['value'], range['positive']], ['m', -5, true])
})

test('an output feeds the next input of the same symbol, else the only one of its quantity', () => {
  const bySymbol = compute(['NM26', 'QM9'], { m: '@m_e', v: 1e6 })
  assert.equal(bySymbol.chain[1]?.fed, 'p')
  assert.equal(bySymbol.unit, 'm')
  const direct = compute(['QM9'], { p: bySymbol.chain[0]?.value })
  assert.ok(Object.is(bySymbol.value, direct.value))
  const byQuantity = compute(['GR37', 'NM21'], { M: 2e30, m1: 1, m2: 1 })
  assert.equal(byQuantity.chain[1]?.fed, 'r')
  assert.equal(byQuantity.bindings.find((it) => it.from === 'chain')?.as, 'GR37.r_s')
  const three = compute(['NM19', 'NM22', 'NM23'], { m: 2, a: 3, d: 4, theta: 0 }, { solve_for: 'v' })
  assert.deepEqual(
    three.chain.map((it) => it.fed),
    [null, 'F', 'K'],
  )
  assert.equal(three.output.symbol, 'v')
  assert.ok(Math.abs(three.value - Math.sqrt(24)) < 1e-12)
  const one = compute(['NM26', 'NM23'], { m: 2, v: 3 })
  assert.deepEqual([one.value, one.chain[1]?.fed], [9, null])
})

test('an output that fits several inputs, or a letter of two quantities, is asked about', () => {
  const fits = faultOf(() => compute(['NM19', 'NM20', 'NM25'], { m: 1, a: 1, F21: 2 }))
  assert.equal(fits.code, 'MISSING_INPUTS')
  const several = faultOf(() => compute(['NM23', 'NM25'], { m: 1, v: 1, K2: 3 }))
  assert.equal(several.code, 'AMBIGUOUS_INPUT')
  assert.deepEqual(
    (several.details['readings'] as { symbol: string }[]).map((it) => it.symbol),
    ['K1', 'U1', 'U2'],
  )
  const letter = faultOf(() => compute(['QM7', 'NM30'], { s: 1, k: 1, L: 2 }))
  assert.equal(letter.code, 'INVALID_INPUT')
  const both = faultOf(() => compute(['QM5', 'NM28'], { n: 1, m: 1, L: 1, r: 1, p: 1 }))
  assert.equal(both.code, 'AMBIGUOUS_INPUT')
  assert.equal((both.details['readings'] as unknown[]).length, 2)
})

test('the seven steps are recorded in order and survive as JSON', () => {
  const { steps } = compute(['NM26', 'QM9'], { mass: '@m_e', v: '1000 km/s' })
  const all = completeSteps(steps, { pulse: { tick: 1, phase: 0.5, R_t: '1.000000' }, returned: { envelope: null } })
  assert.deepEqual(
    all.map((it) => it.name),
    ['SELECT', 'BIND', 'VALIDATE', 'COMPUTE', 'VERIFY', 'PULSE', 'RETURN'],
  )
  assert.deepEqual(JSON.parse(JSON.stringify(all)), all)
  assert.equal(all[0]?.detail['registry_version'], registry.version)
  assert.equal(all[4]?.detail['ok'], true)
})

test.run()
