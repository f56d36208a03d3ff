/*
 * Goal: a transition contract says what it means, every solver whose answer is a state can be stepped from where it
 * ended and gives the same digests from any state that was kept, and a trajectory that was altered is found.
 * Method: all steppable solvers on their default case, with states that went through JSON; contracts by fast-check;
 * every member of a trajectory altered.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { positiveZero, toJson } from '#core/arrays.ts'
import type { Json } from '#core/canonical.ts'
import { canonical } from '#core/canonical.ts'
import { inputsDigest } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { type KeptStep, stateDigest, trajectoryWalk } from '#core/reactor.ts'
import { contractDigest, contractOf, metBy, quantitiesOf } from '#numerics/reactor/contract.ts'
import { errorAfter } from '#numerics/reactor/errors.ts'
import { type ContractOrder, continuable, contractDefaults, SOLVER_DEFAULT } from '#numerics/reactor/schema.ts'
import { continuation } from '#numerics/reactor/stretch.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/reactor')

const order = (more: Partial<ContractOrder> = {}): ContractOrder => ({
  ...contractDefaults,
  stops: [],
  observers: [],
  ...more,
})

const codeOf = (work: () => unknown): string => {
  try {
    work()
  } catch (cause) {
    if (cause instanceof Fault) return cause.code
    throw cause
  }
  return 'ok'
}

const steppedOf = (name: string): Solver => {
  const it = solverByName(name)
  assert(it !== undefined)
  return it
}

interface Stepped {
  readonly step: KeptStep
  readonly input: Record<string, unknown>
}

/** The step after another one; `before` is step 0 when it has no state before it. */
const stepOf = (solver: Solver, contract: string, { step: before, input }: Stepped): Stepped => {
  const done = produce(solver, input)
  assert(done.reality !== null)
  const next = continuation(solver, input, done.outcome.output)
  const place = {
    ...{ contract, step: before.step + 1, previous: before.state },
    ...{ inputs_digest: next.inputsDigest, result_digest: done.resultDigest },
  }
  const errorPct = done.reality.errorPct
  return {
    step: { ...place, state: stateDigest(place), errorPct, errorSum: before.errorSum + errorPct },
    input: next.input as Record<string, unknown>,
  }
}

const beginningOf = (solver: Solver, contract: string, input: object): Stepped => {
  const inputs_digest = inputsDigest(solver.input, input)
  const place = { contract, step: 0, previous: null, inputs_digest, result_digest: null }
  return {
    step: { ...place, state: stateDigest(place), errorPct: 0, errorSum: 0 },
    input: input as Record<string, unknown>,
  }
}

const throughJson = ({ step, input }: Stepped): Stepped => ({ step, input: JSON.parse(JSON.stringify(input)) })

test('the default is predator and prey, ten steps, and seals far inside the bound', () => {
  assert.equal(SOLVER_DEFAULT, 'lotka')
  const contract = contractOf(solvers, order())
  assert.equal(contract.terms.steps, 10)
  let at = beginningOf(contract.solver, contractDigest(contract, null), contract.input as object)
  const steps = [at.step]
  for (let i = 0; i < contract.terms.steps; i++) {
    at = stepOf(contract.solver, contractDigest(contract, null), at)
    steps.push(at.step)
  }
  assert(at.step.errorSum > 0 && at.step.errorSum < 1e-6, `${at.step.errorSum} %`)
  const walk = trajectoryWalk(contractDigest(contract, null))
  for (const it of steps) walk.step(it)
  assert.deepEqual(walk.verdict(), { valid: true, count: 11, broken: null })
}, 20_000)

test('solvers whose answer is no state are refused, with those that can be stepped', () => {
  for (const { name, continued } of solvers) {
    const code = codeOf(() => contractOf(solvers, order({ solver: name })))
    assert.equal(code, continued === undefined ? 'NOT_STEPPABLE' : 'ok', name)
    assert.equal(continuable.includes(name), continued !== undefined)
  }
  for (const name of ['quant', 'gauge', 'sat', 'opt', 'grid', 'zeta', 'schrodinger'])
    assert(!continuable.includes(name), name)
  assert.throws(() => contractOf(solvers, order({ solver: 'sat' })), /those of .*heat.*lotka.* are\./)
  assert.equal(
    codeOf(() => contractOf(solvers, order({ solver: 'multibody', inputs: { bodies: [{}, {}] } }))),
    'NOT_STEPPABLE',
  )
})

/** Units of work of a solver that is run twice more. */
const QUICK_WORK = 100

for (const name of continuable) {
  test(`${name}: from a state that was stored as JSON the next one has the same digest`, () => {
    const solver = steppedOf(name)
    const { input } = contractOf(solvers, order({ solver: name }))
    const first = stepOf(solver, 'c', beginningOf(solver, 'c', input as object))
    const stored = throughJson(first)
    assert.equal(inputsDigest(solver.input, stored.input), first.step.inputs_digest)
    // What runs on inputs of one digest is the same bits (rules.ts); those that are quick are run all the same.
    if (solver.work(input) < QUICK_WORK) {
      assert.deepEqual(stepOf(solver, 'c', stored).step, stepOf(solver, 'c', first).step)
    }
    assert.notEqual(first.step.inputs_digest, inputsDigest(solver.input, input as object), 'the state moved')
    const numbers = quantitiesOf(solver)
    assert(numbers.length > 0, 'there is something to watch')
  }, 60_000)
}

test('a state that is altered in its last bit has another digest', () => {
  const solver = steppedOf('heat')
  const input = resolveInput(solver, { dim: 1, nx: 64, steps: 2 }) as Record<string, unknown>
  const first = stepOf(solver, 'c', beginningOf(solver, 'c', input))
  const { values } = first.input['initial'] as { values: number[] }
  const bits = new Float64Array([values[20] ?? 0])
  new BigInt64Array(bits.buffer)[0] = (new BigInt64Array(bits.buffer)[0] ?? 0n) + 1n
  const altered = throughJson(first)
  ;(altered.input['initial'] as { values: number[] }).values[20] = bits[0] ?? 0
  assert.notEqual(inputsDigest(solver.input, altered.input), first.step.inputs_digest)
  ;(altered.input['initial'] as { values: number[] }).values[20] = (values[20] ?? 0) + 1e-9
  assert.notEqual(stepOf(solver, 'c', altered).step.state, stepOf(solver, 'c', first).step.state)
})

test('every member of a step is bound: whichever is altered, the walk stops there or at the next one', () => {
  const solver = steppedOf('lotka')
  const { input } = contractOf(solvers, order())
  const all = [beginningOf(solver, 'c', input as object)]
  for (let i = 0; i < 4; i++) all.push(stepOf(solver, 'c', all.at(-1) as Stepped))
  const steps = all.map((it) => it.step)
  const verdictOf = (rows: readonly KeptStep[], contract = 'c') => {
    const walk = trajectoryWalk(contract)
    for (const it of rows) if (!walk.step(it)) break
    return walk.verdict()
  }
  assert.equal(verdictOf(steps).valid, true)
  assert.equal(verdictOf(steps, 'd').broken?.step, 0)
  const other = '0'.repeat(64)
  for (const at of [0, 2, 4]) {
    for (const change of [
      { state: other },
      { previous: other },
      { inputs_digest: other },
      { result_digest: at === 0 ? other : null },
      { step: at + 7 },
      { errorSum: 0.05 },
    ] as const) {
      const rows = steps.map((it, i) => (i === at ? { ...it, ...change } : it))
      const { valid, broken } = verdictOf(rows)
      assert.equal(valid, false, JSON.stringify(change))
      assert(broken !== null)
    }
  }
  assert.equal(verdictOf(steps.toSpliced(2, 1)).valid, false)
  assert.equal(verdictOf([...steps.slice(0, 3), steps[2] as KeptStep, ...steps.slice(3)]).valid, false)
}, 20_000)

test('errors add up; the sum is the gate of a loop that seals, and only told by one that does not', () => {
  const sealed = (sum: number, errorPct: number) => () => errorAfter(sum, { step: 3, errorPct, seal: true })
  assert.equal(sealed(0.05, 0.05)(), 0.1)
  for (const [sum, more] of [
    [0.05, 0.0501],
    [0.1, 1e-12],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
    [0, -1],
  ] as const) {
    assert.equal(codeOf(sealed(sum, more)), 'PRECISION_NOT_MET')
  }
  assert.equal(errorAfter(0.09, { step: 9, errorPct: 0.09, seal: false }), 0.18)
})

test('conditions compare what is there, and nothing that is not', () => {
  const quantities = { value: 2, errorSum: 0.01, gone: null }
  assert.equal(metBy([{ of: 'value', op: '>', than: 2 }], quantities), undefined)
  for (const op of ['>=', '<='] as const) assert.equal(metBy([{ of: 'value', op, than: 2 }], quantities)?.op, op)
  assert.equal(metBy([{ of: 'gone', op: '<', than: 1 }], quantities), undefined)
  assert.equal(metBy([{ of: 'absent', op: '<', than: 1 }], quantities), undefined)
  assert.equal(
    metBy(
      [
        { of: 'value', op: '<', than: 0 },
        { of: 'errorSum', op: '>', than: 0 },
      ],
      quantities,
    )?.of,
    'errorSum',
  )
})

test('the digest of a contract binds each of its terms and the machine', () => {
  const base = order()
  const digests = [
    [base, null],
    [base, 'a'.repeat(64)],
    [{ ...base, steps: 11 }, null],
    [{ ...base, seal: false }, null],
    [{ ...base, stretch: 50 }, null],
    [{ ...base, observers: ['value'] }, null],
    [{ ...base, stops: [{ of: 'value', op: '<', than: 1 }] }, null],
    [{ ...base, solver: 'heat' }, null],
  ].map(([it, machine]) => contractDigest(contractOf(solvers, it as ContractOrder), machine as string | null))
  assert.equal(new Set(digests).size, digests.length)
  const said = contractDigest(contractOf(solvers, order({ inputs: { t_max: 50 } })), null)
  assert.equal(said, digests[4], 'a stretch is the t_max of the inputs, by another name')
})

test('whatever a contract says, it is taken or refused by a code', () => {
  const name = fc.oneof(
    fc.constantFrom(...continuable, 'quant', 'sat', 'nothing', '__proto__'),
    fc.string({ maxLength: 8 }),
  )
  const member = fc.oneof(
    fc.constantFrom('dt', 't_max', 'steps', 'nx', 'bodies', 'initial', '__proto__', 'x0'),
    fc.string(),
  )
  const value = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.string(),
    fc.constant(null),
    fc.array(fc.double(), { maxLength: 3 }),
  )
  const part = fc.dictionary(member, value, { maxKeys: 3 })
  const quantity = fc.oneof(fc.constantFrom('value', 'errorSum', 'constructor', 'time'), fc.string({ maxLength: 4 }))
  const stop = fc.record({ of: quantity, op: fc.constantFrom('<', '>='), than: fc.double({ noNaN: true }) })
  const contracts = fc.record({
    solver: name,
    inputs: part,
    initialState: part,
    steps: fc.integer({ min: 1, max: 4_096 }),
    seal: fc.boolean(),
    stops: fc.array(stop, { maxLength: 2 }),
    observers: fc.array(quantity, { maxLength: 2 }),
    stretch: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), { nil: undefined }),
  })
  fc.assert(
    fc.property(contracts, ({ stretch, ...it }) => {
      const code = codeOf(() => {
        const made = contractOf(solvers, { ...it, ...(stretch !== undefined && { stretch }) } as ContractOrder)
        canonical(toJson(positiveZero(made.input)) as Json)
      })
      assert(['ok', 'INVALID_INPUT', 'NOT_STEPPABLE', 'NOT_CANONICAL'].includes(code), code)
    }),
    { seed, numRuns: 400 },
  )
}, 20_000)

test.run()
