// Goal: a computation done away from its node is what the gate gives, is refused for what the gate refuses, and is left
// undone, with why, where it is too large or only its node could do it. Method: a solver and operators against the gate
// itself; the same orders with their work counted from both sides of a bound.
import assert from 'node:assert/strict'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import type { ComputeOrder } from '#numerics/contracts/fire/effects.ts'
import { recompute } from '#numerics/contracts/recompute.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { checkComputation } from '#numerics/operators/sealed.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('contracts/recompute')
const registry = loadRegistry
const order = (of: Partial<ComputeOrder>): ComputeOrder => ({
  ...{ inputs: {}, bind: { v: '/value', u: '/unit', none: '/nowhere' }, path: '/transitions/0/actions/0' },
  ...{ transition: 't', ...of },
})

const heat = solvers.find(({ name }) => name === 'heat') as Solver

test('operators give the digests and the value of the gate', () => {
  const of = { operators: ['nm19'], inputs: { m: 3, a: 2 } }
  const { inputsDigest, resultDigest, computation } = checkComputation(computeOperators(registry(), of))
  const found = recompute(order(of), { registry, keyless: false })
  const bound = { v: computation.value, u: computation.unit, none: undefined }
  assert.deepEqual(found, { kind: 'compute', inputs_digest: inputsDigest, result_digest: resultDigest, bound })
})

test('a solver does too; what is too much for everybody is left undone where that is asked, else refused', () => {
  const input = resolveInput(heat, {})
  const work = heat.work(input)
  const { inputsDigest, resultDigest, value } = produce(heat, input)
  const small = recompute(order({ solver: 'heat' }), { registry, keyless: true, isSmall: true })
  assert.ok('bound' in small && work <= heat.limits.workAnonymousMax)
  assert.deepEqual([small.inputs_digest, small.result_digest, small.bound['v']], [inputsDigest, resultDigest, value])
  const inputs = { steps: 20_000 }
  const units = heat.work(resolveInput(heat, inputs))
  assert.ok(units > heat.limits.workAnonymousMax && units <= heat.limits.workMax)
  const asked = order({ solver: 'heat', inputs })
  const left = recompute(asked, { registry, keyless: false, isSmall: true })
  assert.match('unavailable' in left ? left.unavailable : '', /^heat takes [\d.]+ work units, and 5000 are done here$/)
  const refused = recompute(asked, { registry, keyless: true, isSmall: true })
  assert.equal('refused' in refused && refused.refused.code, 'WORK_LIMIT_EXCEEDED')
})

test('what the gate refuses is refused by its code, and what looks at a clock waits for one', () => {
  for (const [of, code] of [
    [{ solver: 'no-such' }, 'NOT_FOUND'],
    [{ solver: 'heat', inputs: { no_such: 1 } }, 'INVALID_INPUT'],
    [{ operators: ['nm19'], inputs: {} }, 'MISSING_INPUTS'],
  ] as const) {
    const found = recompute(order(of), { registry, keyless: false })
    assert.deepEqual('refused' in found && [found.refused.reason, found.refused.code], ['gate', code])
  }
  const clocked = solvers.filter(({ completed }) => completed !== undefined)
  assert.ok(clocked.length > 0)
  for (const { name } of clocked) {
    const found = recompute(order({ solver: name }), { registry, keyless: false })
    if (!('unavailable' in found)) assert.equal('refused' in found && found.refused.code, 'INVALID_INPUT', name)
    else assert.match(found.unavailable, /looks at its node's clock/)
  }
})

test.run()
