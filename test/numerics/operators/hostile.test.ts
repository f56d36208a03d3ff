// Goal: whatever an order holds, it is computed or refused by a code, and what is computed computes again. Method:
// orders drawn from names that fit and names that do not, values that fit and values that hurt; only a Fault may be
// thrown, its details must be JSON, and a bound order must give the same bits and be its own bound order.
import assert from 'node:assert/strict'
import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { registry } from './table.ts'

const test = suite('hostile orders')

const numbers = [0, -0, 1, -1, 3, 0.1, 1e-300, 1e300, 5e-324, 1.7e308, 1e17, 6.6e-34, 9e-31, Number.NaN, -Infinity]
const texts = [
  '',
  ' ',
  '5 km',
  '1e400',
  '1e-400 m',
  '@c',
  '@m_e',
  '0.5 @c',
  'c',
  '5 kg',
  '30 deg',
  '25 °C',
  '5 ± 1',
  '5.0(1) km',
  '5 km ± 20 m',
  '5 ± ± km',
  '1e300 ± 1e400',
  '@m_e ± 2 %',
  '3 Hz',
  '١',
  '5\u0000',
]
const shapes = [
  null,
  true,
  [],
  {},
  { value: 1 },
  { value: 1, unit: 'km' },
  { unit: 'm' },
  { value: '1' },
  { value: 1, u: 2 },
  { value: 1, uncertainty: 0.1 },
  { value: 1, uncertainty: '2 %', unit: 'km' },
  { value: 1, uncertainty: {} },
]
const values: readonly unknown[] = [
  ...numbers,
  ...texts,
  ...shapes,
  '1.',
  '.5',
  '+3',
  '--3',
  '0x10',
  '1_000',
  '((((',
  '5 m^9',
]
const strangers = ['x', '__proto__', 'constructor', 'toString', 'c', 'k', 'GR37.', '.M', 'λ', '']

/** Computes or refuses; returns whether it computed. */
const settled = (order: Order): boolean => {
  try {
    const found = computeOperators(registry, order)
    canonical(found.steps as unknown as Json)
    const again = computeOperators(registry, found.order)
    assert.ok(Object.is(again.value, found.value), `${JSON.stringify(order)} computes to two values`)
    assert.equal(canonical(again.order as unknown as Json), canonical(found.order as unknown as Json))
    return true
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    JSON.stringify(thrown.details)
    return false
  }
}

test('arbitrary names and values are computed or refused', () => {
  const random = seeded()
  for (let draw = 0; draw < 3_000; draw += 1) {
    const operators = Array.from({ length: random.integer(1, 3) }, () => random.pick(registry.ids))
    const names = operators.flatMap((id) =>
      Object.entries(registry.operator(id).row.variables).flatMap(([symbol, it]) => [
        symbol,
        it.name,
        `${id}.${symbol}`,
      ]),
    )
    const name = (): string => random.pick([...names, ...strangers])
    const inputs = Object.fromEntries(Array.from({ length: random.integer(0, 8) }, () => [name(), random.pick(values)]))
    settled({ operators, inputs, solve_for: random.next() < 0.3 ? name() : null })
  }
})

test('complete inputs of any size are computed or refused', () => {
  const random = seeded()
  const rows = registry.operators.map(({ row }) => row).filter((row) => row.refused === undefined && row.id !== 'KO42')
  let computed = 0
  for (let draw = 0; draw < 1_500; draw += 1) {
    const row = random.pick(rows)
    const symbols = Object.keys(row.variables)
    const unknown = random.pick(symbols)
    const inputs = Object.fromEntries(
      symbols
        .filter((symbol) => symbol !== unknown)
        .map((symbol) => {
          const sized = (random.next() - 0.3) * Number(`1e${random.integer(-40, 40)}`)
          return [symbol, random.next() < 0.3 ? random.pick(numbers.filter(Number.isFinite)) : sized]
        }),
    )
    if (settled({ operators: [row.id], inputs })) computed += 1
  }
  assert.ok(computed > 100, `only ${computed} orders were computed`)
}, 60_000)

test.run()
