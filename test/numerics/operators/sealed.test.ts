// Goal: the digests of a claim are of the very order and result that are sent. Method: both are read back from their
// JSON and digested by the core, of computations with and without a root, a bracket and uncertainties.
import assert from 'node:assert/strict'
import { inputsDigest, resultDigest } from '#core/envelope.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { suite } from '../../kit/suite.ts'
import { compute, registry } from './table.ts'

const test = suite('sealed computations')

test('what is hashed is what is sent, whatever order its members are hashed in', () => {
  const sent = (computation: Computation): void => {
    const { output, ...digests } = checkComputation(computation)
    const order = JSON.parse(JSON.stringify(computation.order)) as object
    assert.equal(digests.inputsDigest, inputsDigest({}, order))
    const told = JSON.parse(JSON.stringify(output)) as object
    assert.equal(digests.resultDigest, resultDigest({}, told, { inputs: order, evidence: null }))
  }
  for (const { row } of registry.operators.slice(0, 100)) {
    if (row.example !== undefined) sent(compute([row.id], row.example.inputs))
  }
  const mass = { mass: 1e30 }
  sent(compute(['GR37'], mass, { solve_for: 'r_s', bracket: [0, 1e9] }))
  const uncertain = compute(['GR37'], { mass: '1.0e30 ± 1e26 kg' })
  assert.ok(uncertain.propagate !== undefined)
  sent(uncertain)
})

test.run()
