// Goal: every named choice of every solver can be taken alone: it seals, or its refusal names the input that is
// missing. Method: all values of all enumerated inputs, by the schemas, each given without anything else; a refusal is
// held against the paths of the schema. Where it suggests an input, that input seals.
import assert from 'node:assert/strict'
import { solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'
import { FIELDS, refusalOf, testModes } from './modes-kit.ts'

const test = suite('numerics/modes')

testModes(test, (name) => !FIELDS.has(name))

test('an orbit without a speed is told the one of a circle', () => {
  const solve = solvers.find(({ name }) => name === 'solve')
  assert(solve !== undefined)
  const refusal = refusalOf(solve, { referenceMode: 'gravity' })
  assert.equal(refusal?.code, 'ILL_POSED')
  assert(refusal.message.includes('/v0 is missing'))
  const { suggestion } = refusal.details
  assert.equal(refusalOf(solve, { referenceMode: 'gravity', ...(suggestion as object) }), undefined)
  assert.equal(refusalOf(solve, { referenceMode: 'gravity', v0: 100 })?.details['suggestion'], undefined)
})

test.run()
