// Goal: a bad row does not pass. Method: a sound row passes every rule; with one fault each, the rule that is meant for
// it refuses it by name.
import assert from 'node:assert/strict'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { type Operator, operatorRegistry } from '#numerics/operators/registry.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { type RowRules, rowRules } from './row-rules.ts'
import { rows } from './table.ts'

const test = suite('row rules')

const DRAWS = 40
const sound = rows.find((row) => (row as OperatorRow).id === 'NM19') as OperatorRow
const kernel = rows.find((row) => (row as OperatorRow).id === 'KO42') as OperatorRow

/** The sound row with some members changed, and the rules over a table of it. */
const changed = (members: Partial<OperatorRow>): readonly [RowRules, Operator] => {
  const registry = operatorRegistry([kernel, { ...sound, ...members }])
  return [rowRules(registry), registry.operator('NM19')]
}

const example = { inputs: { m: 2, a: 3 }, output: 'F', value: 6, unit: 'N' }

test('a sound row passes them all', () => {
  const [rules, row] = changed({})
  assert.equal(rules.example(row), 0)
  rules.everyVariableCounts(row)
  assert.ok(rules.thereAndBack(row) < 1e-12)
  assert.ok(rules.drawn(row, seeded(), DRAWS) < 1e-12)
})

test('a worked example that the row does not compute, by value or by unit', () => {
  const [rules, row] = changed({ example: { ...example, value: 6.00001 } })
  assert.throws(() => rules.example(row), /NM19: the example says 6.00001/)
  const [others, other] = changed({ example: { ...example, unit: 'kN' } })
  assert.throws(() => others.example(other), /NM19: the example is in kN/)
})

test('a variable that the example does not show, since it is zero there', () => {
  const variables = { ...sound.variables, k: { name: 'another force', unit: 'N' } }
  const inputs = { ...example.inputs, k: 0 }
  const [rules, row] = changed({ equation: 'F = m*a + k', variables, example: { ...example, inputs } })
  rules.example(row)
  assert.throws(() => rules.everyVariableCounts(row), /NM19: the example does not depend on k/)
})

test('a variable that is not found again; of several roots a bracket finds it', () => {
  const variables = { ...sound.variables, a: { name: 'root', unit: 'm^(1/2)/s' } }
  const solves_for = ['F', 'a']
  const [rules, row] = changed({ equation: 'F = m*a^2', variables, solves_for, example: { ...example, value: 18 } })
  rules.example(row)
  assert.ok(rules.thereAndBack(row) < 1e-12)
  const flat = { ...example, value: 10 }
  const [others, other] = changed({ equation: 'F = m*max(a, 5*[m/s^2])', solves_for, example: flat })
  others.example(other)
  assert.throws(() => others.thereAndBack(other), /NM19: .*a /)
})

test('digits lost within the range, and a range that no draw reaches', () => {
  const variables = { y: { name: 'answer', unit: '1' }, x: { name: 'input', unit: '1', min: 1e-13, max: 1e-12 } }
  const lost = { inputs: { x: 5e-13 }, output: 'y', value: 5e-13, unit: '1', tolerance: 0.01, note: 'lost' }
  const [rules, row] = changed({ equation: 'y = (1 + x) - 1', variables, solves_for: ['y'], example: lost })
  assert.throws(() => rules.drawn(row, seeded(), DRAWS), /NM19: .* off what 50 digits give/)
  const far = { ...sound.variables, F: { ...sound.variables['F'], name: 'force', unit: 'N', min: 5.9999, max: 6.0001 } }
  const [others, other] = changed({ variables: far, example })
  assert.throws(() => others.drawn(other, seeded(), DRAWS), /NM19: only \d+ of 400 draws are in range/)
})

test('what is too small for a double with all its digits is not held against the row', () => {
  const variables = { y: { name: 'answer', unit: '1' }, x: { name: 'input', unit: '1', min: 600, max: 744 } }
  const small = { inputs: { x: 690 }, output: 'y', value: 2.171738281389827e-300, unit: '1' }
  const [rules, row] = changed({ equation: 'y = exp(-x)', variables, solves_for: ['y'], example: small })
  assert.doesNotThrow(() => rules.drawn(row, seeded(), 10 * DRAWS))
})

test.run()
