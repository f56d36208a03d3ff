import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import Value from 'typebox/value'
import { evidenceDigest, resultDigest } from '#core/envelope.ts'
import { Fault, faults } from '#core/fault.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { equationsOf, fieldEquations } from '#numerics/runtime/equations.ts'
import { type Produced, passGate, produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { kernelDigest } from '#numerics/runtime/kernel.ts'
import { aided, ERROR_PCT_MAX, operatorsOf, type Solver, unitOf } from '#numerics/runtime/solver.ts'
import { solverByName } from '#numerics/solvers/index.ts'
import { atEnd } from '../../kit/end.ts'
import { seeded } from '../../kit/random.ts'
import type { suite } from '../../kit/suite.ts'
import { published, rowOf, worked } from './published.ts'

type Numbers = Float64Array | Int32Array | Uint8Array

const isNumbers = (value: unknown): value is Numbers =>
  value instanceof Float64Array || value instanceof Int32Array || value instanceof Uint8Array

/** Single alterations of the members of an output: numbers, switches, places of arrays. */
const alterations = (output: Readonly<Record<string, unknown>>) =>
  Object.entries(output).flatMap(([name, value]) => {
    if (typeof value === 'number')
      return [{ name, altered: { ...output, [name]: value + (0.01 * Math.abs(value) || 0.01) } }]
    if (typeof value === 'boolean') return [{ name, altered: { ...output, [name]: !value } }]
    if (!isNumbers(value) || value.length === 0) return []
    const random = seeded()
    const largest = (value as Float64Array).reduce((most, it) => Math.max(most, Math.abs(it)), 0) || 1
    const places = [0, value.length - 1, random.integer(0, value.length - 1), random.integer(0, value.length - 1)]
    const arrays = places.flatMap((place) => {
      const moved = value.slice()
      moved[place] = (moved[place] as number) + (value instanceof Float64Array ? 0.01 * largest : 1)
      if (!(value instanceof Float64Array))
        return [{ name: `${name}[${place}]`, altered: { ...output, [name]: moved } }]
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

let thread: Worker | undefined

/** The default case of a solver in a thread, one for all that ask. */
const inWorker = async (name: string): Promise<unknown> => {
  if (thread === undefined) {
    const worker = new Worker(new URL('run-in-worker.ts', import.meta.url))
    thread = worker
    atEnd(() => worker.terminate())
  }
  thread.postMessage(name)
  const [found] = await once(thread, 'message')
  return found
}

const assertCurve = (curve: Curve, title: string): void => {
  assert(curve.x.length > 0 && curve.x.length === curve.y.length, `${title}: ${curve.name} has a value for each place`)
  assert(Array.from(curve.y).some(Number.isFinite), `${title}: ${curve.name} shows something`)
  if (curve.style === 'segments') assert.equal(curve.x.length % 2, 0)
}

const assertPlot = (plot: Plot): void => {
  assert(plot.title.length > 0)
  if (plot.kind === 'bars') {
    assert(plot.labels.length > 0 && plot.labels.length === plot.values.length, plot.title)
    return
  }
  if (plot.kind === 'map') {
    assert(plot.rows > 1 && plot.columns > 1 && plot.values.length === plot.rows * plot.columns, plot.title)
    assert(plot.x.high > plot.x.low && plot.y.high > plot.y.low, plot.title)
  }
  if (plot.kind === 'curves') assert(plot.curves.length > 0, plot.title)
  for (const curve of plot.kind === 'map' ? (plot.over ?? []) : plot.curves) assertCurve(curve, plot.title)
}

/** The output as whoever asks by HTTP has it: arrays of numbers, −0 gone. */
const asJson = (output: object): Readonly<Record<string, unknown>> =>
  JSON.parse(JSON.stringify(output, (_, value) => (isNumbers(value) ? Array.from(value) : value)))

type Test = ReturnType<typeof suite>

/** A solver, and its default case. */
interface Subject {
  readonly it: Solver
  /** Run once for all rules that look at it; that it is the same whenever it runs is one of them. */
  readonly byDefault: () => Produced<Members, unknown> & { readonly input: Members; readonly shares: readonly number[] }
}
type Members = Record<string, unknown>

const subjectOf = (it: Solver): Subject => {
  let made: ReturnType<Subject['byDefault']> | undefined
  const make = (): ReturnType<Subject['byDefault']> => {
    const input = resolveInput(it, {}) as Members
    const shares: number[] = []
    const produced = produce(it, input, { progress: ({ step, steps }) => shares.push(step / steps) })
    return { ...(produced as Produced<Members, unknown>), input, shares }
  }
  return { it, byDefault: () => (made ??= make()) }
}

const sealing = (test: Test, { it, byDefault }: Subject, bare: Solver): void => {
  test(`${it.name}: the registry of solvers finds it, and its published digests are those of today`, () => {
    assert.equal(solverByName(it.name), bare)
    const rows = published(it.name)
    assert(rows.length >= 3, 'three inputs or more have published digests')
    assert(rows.some(({ inputs }) => Object.keys(inputs).length === 0))
    for (const row of rows) {
      const plain = Object.keys(row.inputs).length === 0
      const found = plain ? rowOf(it, row.inputs, byDefault()) : worked(it.name, row.inputs)
      assert.deepEqual(found, row, JSON.stringify(row.inputs))
    }
  }, 60_000)

  test(`${it.name}: {} seals, twice and in a thread with the same bits`, async () => {
    const first = byDefault()
    assert(first.reality !== null && first.reality.errorPct <= ERROR_PCT_MAX)
    assert.equal(first.steps === null, it.run.kind === 'whole')
    const { resultDigest, steps, value } = produce(it, resolveInput(it, undefined))
    assert.deepEqual(
      { resultDigest, steps, value },
      { resultDigest: first.resultDigest, steps: first.steps, value: first.value },
    )
    assert.deepEqual(await inWorker(it.name), { resultDigest, steps, value })
  }, 60_000)

  test(`${it.name}: the full input is in the schema, and its work within the limits of everybody`, () => {
    const input = resolveInput(it, {})
    assert(Value.Check(it.input, input))
    assert(it.work(input) > 0 && it.work(input) <= it.limits.workAnonymousMax)
    assert(it.limits.workAnonymousMax <= it.limits.workMax)
    assert.deepEqual([operatorsOf(it, input), unitOf(it, input)], [it.operators, it.unit])
    assert(it.operators.length >= 1 && it.operators.length <= 3 && !it.operators.includes('KO42'))
    const registry = loadRegistry()
    for (const id of it.operators) {
      assert(registry.has(id), `${it.name} names ${id}`)
      assert.equal(registry.operator(id).row.refused, undefined, `${it.name} names ${id}`)
    }
    assert.deepEqual([...it.kernels].sort(), it.kernels)
    assert(it.kernels.includes('math'))
    for (const kernel of it.kernels) assert.match(kernelDigest(kernel), /^[0-9a-f]{64}$/)
  })

  test(`${it.name}: an answer as JSON fits the output schema`, () => {
    const { outcome } = byDefault()
    assert.deepEqual([...Value.Errors(it.output, asJson(outcome.output))], [])
    assert.equal(typeof it.value(outcome.output), 'number')
  }, 30_000)
}

const reading = (test: Test, { it, byDefault }: Subject, unaltered: Readonly<Record<string, string>>): void => {
  test(`${it.name}: each number of the answer altered is refused`, () => {
    const { input, outcome } = byDefault()
    passGate(it.check(input, outcome))
    const all = alterations(outcome.output)
    assert(all.length > 3)
    for (const { name, altered } of all) {
      if (Object.hasOwn(unaltered, name)) continue
      const refused = (): void => passGate(it.check(input, { ...outcome, output: altered }))
      assert.throws(refused, (error) => error instanceof Fault && faults[error.code].status === 422, name)
    }
  }, 120_000)
}

const showing = (test: Test, { it, byDefault }: Subject): void => {
  test(`${it.name}: the equations of a field are finite, and the tick keeps the mode energy`, () => {
    const { input, outcome } = byDefault()
    const field = fieldEquations(it.field?.(input, outcome), it.operators.length)
    if (it.field === undefined) assert.equal(field.master, null)
    else assert((field.propagator?.energy_change ?? 1) < 1e-12)
    JSON.stringify(equationsOf({ S: it.value(outcome.output), phase: 0.1, field }), (_, value) => {
      assert(typeof value !== 'number' || Number.isFinite(value))
      return value
    })
  }, 30_000)

  test(`${it.name}: progress rises to the end`, () => {
    const { shares } = byDefault()
    assert(shares.every((share, i) => i === 0 || share >= (shares[i - 1] ?? 0)))
    assert.equal(shares.at(-1), 1)
  }, 30_000)

  test(`${it.name}: plots are whole, and the same from the answer as JSON`, () => {
    assert(it.plots !== undefined, `${it.name} has something to show`)
    const { input, outcome } = byDefault()
    const { output } = outcome
    const plots = it.plots(input, output)
    assert(plots.length > 0)
    for (const plot of plots) assertPlot(plot)
    const text = (all: readonly Plot[]): string => JSON.stringify(all.map((plot) => asJson(plot)))
    assert.equal(text(it.plots(input, asJson(output) as typeof output)), text(plots))
  }, 30_000)
}

const goingOn = (test: Test, { it, byDefault }: Subject): void => {
  const { continued } = it
  if (continued === undefined) return
  test(`${it.name}: a run goes on where another ended, and seals`, () => {
    const { input, outcome } = byDefault()
    const next = continued(input, outcome.output)
    assert(Value.Check(it.input, asJson(next as object)), 'the next stretch is an input of the same solver')
    const { reality } = produce(it, resolveInput(it, asJson(next as object)))
    assert(reality !== null && reality.errorPct <= ERROR_PCT_MAX)
  }, 60_000)
}

const unchanged = (test: Test, { it, byDefault }: Subject): void =>
  test(`${it.name}: whoever looks at a result leaves it as it was`, () => {
    const { input, outcome, resultDigest: before } = byDefault()
    const evidence = evidenceDigest(outcome.evidence)
    assert.equal(resultDigest(it.output, outcome.output, { inputs: input, evidence }), before)
  })

/**
 * Adds the tests that every solver passes: the rules that hold for all of them.
 *
 * @param unaltered members of the output that no check can see, each with the reason: a run's own bookkeeping alone.
 */
export const keepsTheRules = (test: Test, bare: Solver, unaltered: Readonly<Record<string, string>> = {}): void => {
  const subject = subjectOf(aided(bare, { registry: loadRegistry }))
  sealing(test, subject, bare)
  reading(test, subject, unaltered)
  showing(test, subject)
  goingOn(test, subject)
  unchanged(test, subject)
}
