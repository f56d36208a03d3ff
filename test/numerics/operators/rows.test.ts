// Goal: the table is a table of rows that can be told apart. Method: it is loaded from the shipped files, parsed and
// balanced; the ids of the core families are those the definitions fix; a malformed row is refused by name. What each
// row computes is held by rows-worked.test.ts and rows-drawn.test.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { KERNEL_ID, operatorRegistry, rowsOfText } from '#numerics/operators/registry.ts'
import { suite } from '../../kit/suite.ts'
import { isEvaluable } from './row-rules.ts'
import { compute, faultOf, files, registry, rows } from './table.ts'

const test = suite('operator rows')

const evaluable = registry.operators.filter(isEvaluable)

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
    ...[[1], [2, 1], ['0', 1], [0, Number.POSITIVE_INFINITY], 1].map((principal) => {
      const variables = { ...good.variables, a: { name: 'acceleration', unit: 'm/s^2', principal } }
      return ['principal part', { ...good, variables }] as const
    }),
    ['proto', JSON.parse(`{"__proto__":{},"id":"NM19"}`)],
  ]
  for (const [what, row] of broken) {
    const { code } = faultOf(() => load(row))
    assert.ok(['INVALID_INPUT', 'DIMENSION_MISMATCH', 'CONSTANT_NOT_FOUND'].includes(code), `${what}: ${code}`)
  }
})

test.run()
