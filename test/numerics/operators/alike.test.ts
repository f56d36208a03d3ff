// Goal: the table has as many rows as it says, and none is another one renamed. Method: rows are counted; pairs of one
// relation are sought by carrying the values of each row into the other under every renaming of equal dimensions, and
// what is found must be the list a reader has looked through. A row renamed, rearranged and rewritten is found.
import assert from 'node:assert/strict'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { operatorRegistry } from '#numerics/operators/registry.ts'
import { suite } from '../../kit/suite.ts'
import { alikeRows } from './alike.ts'
import { reviewedPairs } from './alike-reviewed.ts'
import { isEvaluable } from './row-rules.ts'
import { registry, rows } from './table.ts'

const test = suite('operator rows, alike')

const ROWS = 2476
const REFUSED_MAX = 60
/** What all pairs may take on a busy machine. */
const PAIRS_MS_MAX = 240_000

test('the table holds 2,476 rows, at most 60 of them refused', () => {
  assert.equal(registry.operators.length, ROWS)
  assert.ok(registry.operators.filter(({ row }) => row.refused !== undefined).length <= REFUSED_MAX)
})

test(
  'no two rows are one relation, but for the pairs that were looked through',
  () => {
    const found = alikeRows(registry, registry.operators.filter(isEvaluable)).map((it) => [...it].sort().join(' '))
    const reviewed = reviewedPairs.map(({ pair }) => pair.join(' '))
    assert.deepEqual([...found].sort(), [...reviewed].sort())
  },
  PAIRS_MS_MAX,
)

test('a row in other letters, solved for another variable and written otherwise, is found', () => {
  const force = rows.find((row) => (row as OperatorRow).id === 'NM19') as OperatorRow
  const copy = (id: string, equation: string): OperatorRow => ({
    ...force,
    id,
    equation,
    variables: {
      q: { name: 'pull', unit: 'N' },
      w: { name: 'load', unit: 'kg', positive: true },
      b: { name: 'gain', unit: 'm/s^2' },
    },
    solves_for: ['b', 'q'],
    example: { inputs: { q: 7, w: 2 }, output: 'b', value: 3.5, unit: 'm/s^2' },
  })
  const withCopies = operatorRegistry([...rows, copy('COPY', 'b/2 = q/(w + w)'), copy('OTHER', 'b = q/(2*w) + 0*q/w')])
  const isCopy = ({ row }: { readonly row: OperatorRow }): boolean => row.id === 'COPY' || row.id === 'OTHER'
  const found = alikeRows(withCopies, withCopies.operators.filter(isEvaluable), isCopy)
  // A weight is a mass times an acceleration as well.
  assert.deepEqual(found, [
    ['COPY', 'NM19'],
    ['COPY', 'WEIGHT_OF_MASS'],
  ])
})

test.run()
