// Goal: every row of the table is what it says. Method: each is loaded from the shipped files, parsed, balanced,
// computed from its worked example, which each variable must move, solved for every variable it lists and back, and
// drawn at random within its ranges against the 50-digit measurement; the ids of the core families are those the
// definitions fix.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Fault } from '#core/fault.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { KERNEL_ID, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { ERROR_PCT_MAX } from '#numerics/solver.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { compute, faultOf, files, registry, rows } from './table.ts'

const test = suite('operator rows')

const evaluable = registry.operators.filter(({ row }) => row.refused === undefined && row.id !== KERNEL_ID)
const DRAWS = 60

const exampleOf = (row: OperatorRow) => {
  assert.ok(row.example !== undefined, `${row.id} has an example`)
  return row.example
}

const near = (found: number, wanted: number, relative: number, what: string): void =>
  assert.ok(Math.abs(found - wanted) <= relative * Math.abs(wanted), `${what}: ${found} instead of ${wanted}`)

const range = (family: string, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${family}${from + i}`)

test('the core families stand under their fixed ids', () => {
  const wanted = [
    ...range('QM', 1, 17),
    ...range('NM', 18, 30),
    ...range('GR', 31, 41),
    ...range('EM', 1, 15),
    ...range('TH', 1, 15),
    ...range('FL', 1, 10),
    KERNEL_ID,
  ]
  for (const id of wanted) assert.ok(registry.has(id), `${id} is missing`)
})

test('one family a file, and ids that stand once', () => {
  for (const file of files) {
    const domains = new Set(rowsOfText(readFileSync(file, 'utf8')).map((row) => (row as OperatorRow).domain))
    assert.equal(domains.size, 1, `${file} holds ${[...domains].join(', ')}`)
  }
  assert.equal(faultOf(() => operatorRegistry([...rows, rows[0]])).code, 'INVALID_INPUT')
})

test('every evaluable row parses, balances and has names that are told apart', () => {
  for (const { row, relation } of evaluable) {
    const { quantities } = relation()
    const names = [...quantities.values()].map((it) => it.name.toLowerCase())
    assert.equal(new Set(names).size, names.length, `${row.id} names two variables alike`)
  }
})

test('every refused row says what it is, and computing it says so too', () => {
  const refused = registry.operators.filter(({ row }) => row.refused !== undefined)
  assert.ok(refused.length >= 10)
  for (const { row } of refused) {
    const fault = faultOf(() => compute([row.id], {}))
    assert.equal(fault.code, 'RELATION_REFUSED')
    assert.equal(fault.details['kind'], row.refused?.kind)
    for (const id of row.refused?.see ?? []) assert.ok(registry.has(id), `${row.id} points to ${id}`)
  }
})

test('every worked example holds to 1e-6', () => {
  for (const { row } of evaluable) {
    const example = exampleOf(row)
    const found = compute([row.id], example.inputs, { solve_for: example.output })
    assert.equal(found.unit, example.unit)
    assert.equal(found.output.symbol, example.output)
    near(found.value, example.value, example.tolerance ?? 1e-6, row.id)
    assert.ok(found.precisionActual <= ERROR_PCT_MAX, `${row.id} measures ${found.precisionActual} %`)
  }
})

test('every worked example tells when a variable is used wrongly: one in a hundred more of any shows', () => {
  for (const { row, relation } of evaluable) {
    const { inputs, output, tolerance = 1e-6 } = exampleOf(row)
    const base = compute([row.id], inputs, { solve_for: output })
    for (const [symbol, value] of Object.entries(base.order.inputs)) {
      const { integer, max = Number.POSITIVE_INFINITY } = relation().quantities.get(symbol) ?? {}
      const more = integer ? value + 1 : value * 1.01
      const less = integer ? value - 1 : value * 0.99
      const moved = { ...base.order.inputs, [symbol]: more <= max ? more : less }
      const { value: found } = compute([row.id], moved, { solve_for: output })
      const change = Math.abs(found - base.value) / Math.abs(base.value)
      assert.ok(change > 10 * tolerance, `${row.id}: its example does not depend on ${symbol} (${change})`)
    }
  }
})

test('every row is solved for each variable it lists, and back', () => {
  for (const { row } of evaluable) {
    const example = exampleOf(row)
    const first = compute([row.id], example.inputs, { solve_for: example.output })
    const all: Record<string, number> = { ...first.order.inputs, [example.output]: first.value }
    for (const symbol of row.solves_for) {
      const { [symbol]: wanted, ...inputs } = all
      const found = compute([row.id], inputs, { solve_for: symbol })
      assert.ok(wanted !== undefined)
      const slack = Math.max(1e-6, found.precisionActual)
      near(found.value, wanted, wanted === 0 ? 0 : slack, `${row.id} for ${symbol}`)
      assert.ok(found.precisionActual <= ERROR_PCT_MAX, `${row.id} for ${symbol}: ${found.precisionActual} %`)
    }
  }
}, 60_000)

test('random inputs within the ranges agree with 50 digits to 1e-9', () => {
  const random = seeded()
  for (const { row, relation } of evaluable) {
    const { quantities, output } = relation()
    const base = compute([row.id], exampleOf(row).inputs, { solve_for: exampleOf(row).output })
    const around: Record<string, number> = { ...base.order.inputs, [base.output.symbol]: base.value }
    let computed = 0
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const inputs: Record<string, number> = {}
      for (const [symbol, { min, max, integer, positive }] of quantities) {
        if (symbol === output) continue
        const bounded = min !== undefined && max !== undefined
        const scale = 10 ** (4 * random.next() - 2)
        const free = (around[symbol] || 1) * scale * (min === undefined && !positive && random.next() < 0.2 ? -1 : 1)
        const value = bounded ? min + (max - min) * random.next() : free
        inputs[symbol] = integer ? Math.round(value) : value
      }
      try {
        const { precisionActual, value } = compute([row.id], inputs, { solve_for: output })
        assert.ok(precisionActual <= 1e-7, `${row.id} ${JSON.stringify(inputs)} → ${value}: ${precisionActual} %`)
        computed += 1
      } catch (thrown) {
        if (!(thrown instanceof Fault) || !['OUT_OF_RANGE', 'ILL_POSED'].includes(thrown.code)) throw thrown
      }
    }
    assert.ok(computed >= DRAWS / 10, `${row.id}: only ${computed} of ${DRAWS} draws are in range`)
  }
}, 60_000)

test('the golden values of the interface', () => {
  const radius = compute(['KO42', 'GR37'], { mass: 1.98892e30 })
  assert.equal(radius.value.toFixed(4), '2954.0077')
  assert.equal(radius.unit, 'm')
  const force = compute(['KO42', 'NM21'], { m1: 5.972e24, m2: 1000, r: 6.78e6 })
  assert.equal(force.value.toFixed(2), '8670.94')
  assert.equal(force.unit, 'N')
  assert.deepEqual(
    [radius.operators, force.operators],
    [
      ['KO42', 'GR37'],
      ['KO42', 'NM21'],
    ],
  )
})

test('a changed, added or dropped row changes the version, and the order of the files does not', () => {
  assert.equal(operatorRegistry([...rows].reverse()).version, registry.version)
  assert.notEqual(operatorRegistry(rows.slice(1)).version, registry.version)
  const changed = rows.map((row, i) => (i === 0 ? { ...(row as OperatorRow), source: 'another' } : row))
  assert.notEqual(operatorRegistry(changed).version, registry.version)
})

test('a malformed row is refused by name', () => {
  const good = rows.find((row) => (row as OperatorRow).id === 'NM19') as OperatorRow
  const load = (row: unknown) => operatorRegistry([row]).operators[0]?.relation()
  const broken: readonly (readonly [string, unknown])[] = [
    ['not an object', 'NM19'],
    ['unknown member', { ...good, colour: 'red' }],
    ['lower-case id', { ...good, id: 'nm19' }],
    ['no example', { ...good, example: undefined }],
    ['solves for a stranger', { ...good, solves_for: ['q'] }],
    ['refused and solvable', { ...good, refused: { kind: 'inequality', reason: 'x' } }],
    ['stray symbol', { ...good, equation: 'F = m*a*q' }],
    ['unused variable', { ...good, equation: 'F = m*m' }],
    ['unbalanced', { ...good, equation: 'F = m*a^2' }],
    ['unknown constant', { ...good, equation: 'F = m*a*@nothing' }],
    ['two signs of equality', { ...good, equation: 'F = m*a = 2' }],
    ['scaled unit', { ...good, variables: { ...good.variables, m: { name: 'mass', unit: 'g' } } }],
    ['proto', JSON.parse(`{"__proto__":{},"id":"NM19"}`)],
  ]
  for (const [what, row] of broken) {
    const { code } = faultOf(() => load(row))
    assert.ok(['INVALID_INPUT', 'DIMENSION_MISMATCH', 'CONSTANT_NOT_FOUND'].includes(code), `${what}: ${code}`)
  }
})

test.run()
