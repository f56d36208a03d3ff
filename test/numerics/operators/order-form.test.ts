// Goal: an order whose form is known gives what it gives to a node that never saw one like it, to the last bit of an
// answer and the last word of a refusal. Method: orders drawn around the rows' examples, whole and broken in every way
// that a caller can break them, put to rows that just computed their like and to the same rows read anew.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { formPlace } from '#numerics/operators/order-form.ts'
import { type OperatorRegistry, operatorRegistry } from '#numerics/operators/registry.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { registry } from './table.ts'

const test = suite('order forms')

const kernel = registry.operator('KO42').row
const worked = registry.operators.map(({ row }) => row).filter(({ example }) => example !== undefined)

/** Everything that comes of an order, zeros with their signs. */
const outcomeOf = (rows: OperatorRegistry, order: Order): string => {
  const exact = (_: string, it: unknown): unknown =>
    typeof it === 'number' && !(Number.isFinite(it) && !Object.is(it, -0))
      ? `number ${Object.is(it, -0) ? '-0' : it}`
      : it
  try {
    const { propagate, ...computation } = computeOperators(rows, order)
    const { inputsDigest, resultDigest } = checkComputation(computation)
    return JSON.stringify({ ...computation, inputsDigest, resultDigest, uncertain: propagate !== undefined }, exact)
  } catch (refusal) {
    if (!(refusal instanceof Fault)) throw refusal
    return JSON.stringify({ refused: [refusal.code, refusal.message, refusal.details] }, exact)
  }
}

type Inputs = Readonly<Record<string, unknown>>

const mapped = (inputs: Inputs, change: (value: number, name: string) => readonly [string, unknown]): Inputs =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => change(value as number, name)))

/** Ways to say the inputs of a row, and to say them wrong. */
const ways: readonly ((inputs: Inputs, row: OperatorRow, factor: number) => Inputs)[] = [
  (inputs, _, factor) => mapped(inputs, (value, name) => [name, value * factor]),
  (inputs, row, factor) => mapped(inputs, (value, name) => [`${row.id}.${name}`, value * factor]),
  (inputs, row, factor) => mapped(inputs, (value, name) => [row.variables[name]?.name ?? name, value * factor]),
  (inputs, row) => mapped(inputs, (value, name) => [name, `${value} ${row.variables[name]?.unit}`]),
  (inputs, row) => mapped(inputs, (value, name) => [name, { value, unit: row.variables[name]?.unit }]),
  (inputs) => mapped(inputs, (value, name) => [name, `${value} ± ${Math.abs(value) / 1e6}`]),
  (inputs) => mapped(inputs, (value, name) => [name, -value]),
  (inputs) => mapped(inputs, (_, name) => [name, 0]),
  (inputs) => mapped(inputs, (_, name) => [name, '5 apples']),
  (inputs) => mapped(inputs, (_, name) => [name, null]),
  (inputs) => Object.fromEntries(Object.entries(inputs).slice(1)),
  (inputs) => ({ ...inputs, nobody: 1 }),
  (inputs, row, factor) => ({ ...inputs, [row.example?.output ?? '']: factor }),
]

/** Now and then, or null. */
const seldom = <T>(it: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: it })

const orders = fc
  .record({
    first: fc.constantFrom(...worked),
    second: seldom(fc.constantFrom(...worked)),
    way: fc.oneof(fc.constantFrom(...ways.slice(0, 6)), fc.constantFrom(...ways)),
    factor: fc.double({ min: 0.5, max: 2, noNaN: true }),
    solving: seldom(fc.nat(3)),
    bracket: seldom(fc.constantFrom<[number, number]>([0, 1e6], [1, 0])),
  })
  .map(({ first, second, way, factor, solving, bracket }) => {
    const rows = second === null || second === first ? [first] : [first, second]
    const unknown = solving === null ? undefined : rows[0]?.solves_for[solving]
    const inputs = rows.map((row) => {
      const { inputs: given = {}, output = '', value = 1 } = row.example ?? {}
      const all: Inputs = unknown === undefined ? given : { ...given, [output]: value }
      return { row, given: Object.fromEntries(Object.entries(all).filter(([name]) => name !== unknown)) }
    })
    const asked = (read: typeof way): Order => ({
      operators: rows.map(({ id }, i) => (i === 0 ? id.toLowerCase() : id)),
      inputs: Object.assign({}, ...inputs.map(({ row, given }) => read(given, row, factor))) as Inputs,
      ...(unknown !== undefined && { solve_for: unknown }),
      ...(bracket !== null && { bracket }),
    })
    return { rows, before: ways.map(asked), order: asked(way) }
  })

test('an order of known form has the outcome of one whose form is new', () => {
  const seen = { computed: 0, refused: 0, known: 0 }
  fc.assert(
    fc.property(orders, ({ rows, before, order }) => {
      const cold = operatorRegistry([kernel, ...rows])
      const warm = operatorRegistry([kernel, ...rows])
      for (const other of before) outcomeOf(warm, other)
      if (formPlace(warm, order).form !== undefined) seen.known++
      const expected = outcomeOf(cold, order)
      assert.equal(outcomeOf(warm, order), expected)
      assert.equal(outcomeOf(warm, order), expected)
      seen[expected.startsWith('{"refused"') ? 'refused' : 'computed']++
    }),
    { seed, numRuns: 300 },
  )
  for (const [kind, count] of Object.entries(seen)) assert.ok(count > 50, `${count} were ${kind}`)
}, 30_000)

test('two operators that name one variable keep its values apart, whichever call came first', () => {
  const row = (id: string, equation: string, [symbol, unit]: readonly [string, string]) => ({
    id,
    name: id,
    domain: 'mechanics',
    equation,
    variables: { [symbol]: { name: `result of ${id}`, unit }, m: { name: 'mass', unit: 'kg' } },
    solves_for: [symbol],
    source: 'test',
    example: { inputs: { m: 1 }, output: symbol, value: 2, unit },
  })
  const rows = [kernel, row('ONE', 'p = 2*m', ['p', 'kg']), row('TWO', 'q = 2*m', ['q', 'kg'])]
  const equal = { 'ONE.m': 3, 'TWO.m': 3 }
  const apart = { 'ONE.m': 3, 'TWO.m': 4 }
  for (const calls of [
    [equal, apart],
    [apart, equal],
  ]) {
    const warm = operatorRegistry(rows)
    for (const inputs of calls) {
      const { order } = computeOperators(warm, { operators: ['ONE', 'TWO'], inputs })
      assert.deepEqual(order.inputs, inputs === equal ? { m: 3 } : apart)
    }
  }
})

test('forms are kept within bounds, by names alone, and none for an order that is refused by them', () => {
  const rows = operatorRegistry([kernel, registry.operator('GR37').row])
  const ask = (inputs: Inputs, more: Partial<Order> = {}): Order => ({ operators: ['GR37'], inputs, ...more })
  const isKept = (order: Order): boolean => {
    outcomeOf(rows, order)
    return formPlace(rows, order).form !== undefined
  }
  const first = ask({ mass: 1.2345678e29 })
  assert.ok(isKept(first))
  assert.ok(
    !JSON.stringify(formPlace(rows, first), (_, it: unknown) => (typeof it === 'bigint' ? `${it}` : it)).includes(
      '12345678',
    ),
  )
  const refused = [
    ask({ nobody: 1 }),
    ask({ mass: 1, [' '.repeat(100)]: 1 }),
    ask([1] as never),
    ask({ mass: 1 }, { solve_for: '' }),
    ask({ mass: 1 }, { solve_for: 'nobody' }),
    { ...ask({ mass: 1 }), operators: 'GR37' as never },
    { ...ask({ mass: 1 }), operators: ['GR37', 'GR37'] },
  ]
  for (const order of refused) assert.ok(!isKept(order), JSON.stringify(order))
  // The name in as many spellings as there is room for, and one more.
  const spelled = (i: number): string => [...'mass'].map((it, at) => ((i >> at) & 1 ? it.toUpperCase() : it)).join('')
  const names = Array.from({ length: 16 }, (_, i) => spelled(i)).flatMap((it) =>
    Array.from({ length: 16 }, (_, spaces) => `${it}${' '.repeat(spaces)}`),
  )
  for (const name of names) assert.ok(isKept(ask({ [name]: 1e30 })), name)
  assert.ok(isKept(ask({ _mass: 1e30 })))
  const kept = [...names, '_mass'].filter((it) => formPlace(rows, ask({ [it]: 1 })).form !== undefined)
  assert.equal(kept.length, 256)
})

test.run()
