// Goal: every solver keeps the rules that hold for all of them.
// Method: one loop over the registry; numbers of the default outcome altered one by one; inputs drawn from the schema.
import assert from 'node:assert/strict'
import { Worker } from 'node:worker_threads'
import Value from 'typebox/value'
import { Fault, faults } from '#core/fault.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { equationsOf, fieldEquations } from '#numerics/equations.ts'
import { judge, produce } from '#numerics/gate.ts'
import { resolveInput } from '#numerics/input.ts'
import { kernelDigest } from '#numerics/kernel.ts'
import { run } from '#numerics/run.ts'
import { ERROR_PCT_MAX } from '#numerics/solver.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { published, worked } from './published.ts'

const test = suite('numerics/solvers')

const inWorker = (name: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('run-in-worker.ts', import.meta.url), { workerData: name })
    worker.once('message', resolve)
    worker.once('error', reject)
  })

test('names are unique, and the registry finds each by its name', () => {
  assert.equal(new Set(solvers.map(({ name }) => name)).size, solvers.length)
  for (const it of solvers) assert.equal(solverByName(it.name), it)
  assert.equal(solverByName('nothing'), undefined)
})

test('the operators that a solver names stand in the registry and can be evaluated', () => {
  const registry = loadRegistry()
  for (const { name, operators } of solvers) {
    for (const id of operators) {
      assert(registry.has(id), `${name} names ${id}`)
      assert.equal(registry.operator(id).row.refused, undefined, `${name} names ${id}`)
    }
  }
})

test('the published digests are those of today, and every solver has some', () => {
  const rows = published()
  for (const row of rows)
    assert.deepEqual(worked(row.solver, row.inputs), row, `${row.solver} ${JSON.stringify(row.inputs)}`)
  for (const { name, revision } of solvers) {
    assert(rows.some(({ solver, inputs }) => solver === `${name}@${revision}` && Object.keys(inputs).length === 0))
  }
}, 30_000)

/** The members of an output that are numbers or arrays of numbers, with a way to alter each. */
const alterations = (output: Readonly<Record<string, unknown>>) =>
  Object.entries(output).flatMap(([name, value]) => {
    if (typeof value === 'number')
      return [{ name, altered: { ...output, [name]: value + (0.01 * Math.abs(value) || 0.01) } }]
    if (typeof value === 'boolean') return [{ name, altered: { ...output, [name]: !value } }]
    if (!(value instanceof Float64Array)) return []
    const random = seeded()
    const largest = value.reduce((most, it) => Math.max(most, Math.abs(it)), 0) || 1
    const places = [0, value.length - 1, random.integer(0, value.length - 1), random.integer(0, value.length - 1)]
    const arrays = places.flatMap((place) => {
      const moved = value.slice()
      moved[place] += 0.01 * largest
      const broken = value.slice()
      broken[place] = Number.NaN
      return [
        { name: `${name}[${place}] moved`, altered: { ...output, [name]: moved } },
        { name: `${name}[${place}] NaN`, altered: { ...output, [name]: broken } },
      ]
    })
    const short = { name: `${name} cut short`, altered: { ...output, [name]: value.slice(1) } }
    return [...arrays, short]
  })

for (const it of solvers) {
  test(`${it.name}: {} seals, twice and in a thread with the same bits`, async () => {
    const input = resolveInput(it, {})
    const first = produce(it, input)
    assert(first.reality !== null && first.reality.errorPct <= ERROR_PCT_MAX)
    assert.equal(first.steps === null, it.run.kind === 'whole')
    const { resultDigest, steps, value } = produce(it, resolveInput(it, undefined))
    assert.deepEqual(
      { resultDigest, steps, value },
      { resultDigest: first.resultDigest, steps: first.steps, value: first.value },
    )
    assert.deepEqual(await inWorker(it.name), { resultDigest, steps, value })
  }, 30_000)

  test(`${it.name}: the full input is in the schema, and its work within the limits of everybody`, () => {
    const input = resolveInput(it, {})
    assert(Value.Check(it.input, input))
    assert(it.work(input) > 0 && it.work(input) <= it.limits.workAnonymousMax)
    assert(it.limits.workAnonymousMax <= it.limits.workMax)
    assert(it.operators.length >= 1 && it.operators.length <= 3 && !it.operators.includes('KO42'))
    assert.deepEqual([...it.kernels].sort(), it.kernels)
    assert(it.kernels.includes('math'))
    for (const kernel of it.kernels) assert.match(kernelDigest(kernel), /^[0-9a-f]{64}$/)
  })

  test(`${it.name}: an answer as JSON fits the output schema`, () => {
    const { outcome } = run(it, resolveInput(it, {}))
    const json = JSON.parse(
      JSON.stringify(outcome.output, (_, value) =>
        ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
      ),
    )
    assert.deepEqual([...Value.Errors(it.output, json)], [])
    assert.equal(typeof it.value(outcome.output), 'number')
  })

  test(`${it.name}: each number of the answer altered is refused`, () => {
    const input = resolveInput(it, {})
    const { outcome } = run(it, input)
    judge(it.check(input, outcome))
    const all = alterations(outcome.output as Readonly<Record<string, unknown>>)
    assert(all.length > 10)
    for (const { name, altered } of all) {
      const refused = (): void => judge(it.check(input, { ...outcome, output: altered }))
      assert.throws(refused, (error) => error instanceof Fault && faults[error.code].status === 422, name)
    }
  }, 60_000)

  test(`${it.name}: the equations of a field are finite, and the tick keeps the mode energy`, () => {
    const input = resolveInput(it, {})
    const { outcome } = run(it, input)
    const field = fieldEquations(it.field?.(input, outcome), it.operators.length)
    if (it.field === undefined) assert.equal(field.master, null)
    else assert((field.propagator?.energy_change ?? 1) < 1e-12)
    JSON.stringify(equationsOf({ S: it.value(outcome.output), phase: 0.1, field }), (_, value) => {
      assert(typeof value !== 'number' || Number.isFinite(value))
      return value
    })
  })

  test(`${it.name}: progress rises to the end`, () => {
    const seen: number[] = []
    run(it, resolveInput(it, {}), ({ step, steps }) => seen.push(step / steps))
    assert(seen.every((share, i) => i === 0 || share >= (seen[i - 1] ?? 0)))
    assert.equal(seen.at(-1), 1)
  })
}

test.run()
