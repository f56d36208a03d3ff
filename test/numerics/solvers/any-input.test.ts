// Goal: whatever the schema of a solver admits either seals within the bound or is refused with a coded 4xx; nothing
// else is ever thrown, nothing that is no number is said, and what is asked before the work is cheap. Method: inputs
// drawn from each schema and laid over small problems of every mode, those skipped whose work is above a small bound.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import Value from 'typebox/value'
import { Fault, faults } from '#core/fault.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { produce } from '#numerics/runtime/gate.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { aided, ERROR_PCT_MAX, operatorsOf, type Solver, unitOf } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { admitted, type Form, laid } from './any-input.ts'
import { smallProblems } from './small-problems.ts'

const test = suite('numerics: any input of any solver')

/** Inputs for each solver, and work units of the largest that is run. */
const INPUTS = 30
const WORK_MAX = 30

const assertRefusal = (error: unknown): void => {
  if (!(error instanceof Fault)) throw error
  const { status } = faults[error.code]
  assert(status >= 400 && status < 500, `${error.code} is no refusal of a caller`)
  assert.doesNotMatch(error.message, /\b(NaN|Infinity|undefined|null)\b/)
}

const assertFinite = (value: unknown): void => {
  if (typeof value === 'number') assert(Number.isFinite(value))
  else if (ArrayBuffer.isView(value)) assert(Array.from(value as Float64Array).every(Number.isFinite))
  else if (value !== null && typeof value === 'object') for (const part of Object.values(value)) assertFinite(part)
}

/** What a node does with an input: the same questions in the same order. */
const answered = (it: Solver, raw: object): 'sealed' | 'unsealed' | 'refused' | 'skipped' => {
  try {
    const input = resolveInput(it, raw)
    const work = it.work(input)
    assert(work >= 0 && Number.isFinite(work), `${work} is no work`)
    if (work <= it.limits.workMax) it.refuse(input)
    if (work > WORK_MAX) return 'skipped'
    const { outcome, reality, value } = produce(it, input)
    assertFinite(outcome.output)
    it.plots?.(input, outcome.output)
    it.field?.(input, outcome)
    if (reality === null) return 'unsealed'
    assert(reality.errorPct >= 0 && reality.errorPct <= ERROR_PCT_MAX)
    assert(value === null || Number.isFinite(value))
    assert(operatorsOf(it, input).length <= 3 && unitOf(it, input).length > 0)
    return 'sealed'
  } catch (error) {
    assertRefusal(error)
    return 'refused'
  }
}

const rows = loadRegistry()

for (const bare of solvers) {
  const it = aided(bare, { registry: () => rows })
  test(`${it.name} seals or refuses`, () => {
    const small = smallProblems[it.name] ?? [{}]
    const ends = small.map((raw) => answered(it, raw))
    // What is drawn is laid over problems that run, and of which one seals: else refusals alone would be tested.
    assert(ends.includes('sealed') && !ends.includes('skipped'), ends.join(', '))
    const any = fc.tuple(fc.constantFrom(...small), admitted(it.input as Form))
    fc.assert(
      fc.property(any, ([under, over]) => {
        answered(it, laid(under, over) as object)
      }),
      { seed, numRuns: INPUTS },
    )
  }, 60_000)
}

/** Inputs at the edge of doubles that a loop had no end for, or whose work was no number. */
const edges: readonly (readonly [string, object])[] = [
  [
    'kalman',
    {
      model: 'matrices',
      states: 3,
      A: [0, 1, 1, 1e308, 0, 1, 1.7e308, 1, 0],
      C: [1, 0, 0],
      Q: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      R: [1],
      steps: 40,
    },
  ],
  ['kalman', { model: 'matrices', A: [1, 1, 0, 1], C: [1e300, 1.7e308], Q: [1, 0, 0, 1], R: [1], steps: 40 }],
  ['multibody', { bodies: [{ position: [0, 0, 0] }, { position: [1, 0, 0] }], G: 5e-324, t_max: 2, dt: 0.01 }],
  ['climate', { nx: 8_192, ny: 4_096 }],
  ['climate', { nx: 16, ny: 16, depth: 0.001 }],
  ['solve', { referenceMode: 'gravity' }],
  ['action', { initial: [0, 0, 1, 1] }],
]

for (const [name, raw] of edges) {
  test(`${name} refuses ${JSON.stringify(raw).slice(0, 80)}`, () => {
    const it = solvers.find((solver) => solver.name === name)
    assert(it !== undefined)
    assert.equal(answered(it, raw), 'refused')
  })
}

test('what is drawn for a schema is in it', () => {
  for (const { input } of solvers) {
    const fits = (raw: unknown): boolean => Value.Check(input, Value.Default(input, structuredClone(raw)))
    fc.assert(fc.property(admitted(input as Form), fits), { seed, numRuns: INPUTS })
  }
})

test.run()
