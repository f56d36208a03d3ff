// Goal: every segment of every run, taken up from the bytes of the state that it begins with, gives the bits of the
// whole run; so does its end, from the last state and the records. What is no state or not its records is refused.
// Method: inputs drawn over small problems of every mode, whose states are watched in a whole run; states that are cut
// short, drawn out, spoilt or of another step; records that are changed; states of before as their fixtures have them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { concat } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { cutOf, stateDigestAt } from '#core/states.ts'
import { sha256 } from '#crypto'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { beginRun, finishRun, runSegment, segmentsOfRun } from '#numerics/runtime/segment.ts'
import { aided, type Solver } from '#numerics/runtime/solver.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { admitted, type Form, laid } from './any-input.ts'
import { smallProblems } from './small-problems.ts'
import { digestOf, type Watched, watched } from './states.ts'

const test = suite('numerics: segments of runs')

const INPUTS = 12
/** Work units of a run, and numbers that its states may have together. */
const WORK_MAX = 30
const STATE_BYTES_MAX = 100_000_000
/** Spoilt states of each run. */
const MUTANTS = 100
/** Segments that are run of a longer run; a shorter one has all of its run. */
const SEGMENTS_TRIED = 24

const pair = { bodies: [{ position: [0, 0, 0] }, { position: [1, 0, 0], velocity: [0, 1, 0] }], G: 1 }

/** Runs of more than 4,096 steps, and of what the small problems do not come to. */
const further: Readonly<Record<string, readonly object[]>> = {
  action: [
    { periods: 101, stepsPerPeriod: 50, outputs: 7 },
    { system: 'pendulum', periods: 3, stepsPerPeriod: 41, outputs: 5 },
  ],
  climate: [{ mode: 'general', nx: 16, ny: 12 }],
  epi: [{ model: 'SEIR', outputs: 30 }],
  evolve: [{ n: 32, steps: 200, dt: 0.005, temperature: 3, density: 0.3, cutoff: 1.2, skin: 0.1, samples: 7 }],
  flow: [
    { nx: 16, ny: 32, steps: 20 },
    { case: 'channel', nx: 8, ny: 8, steps: 61 },
    { case: 'cavity', nx: 32, re: 20, steps: 13 },
  ],
  fracture: [
    { nx: 24, ny: 12, time: 4e-6 },
    { nx: 24, ny: 12, time: 4e-6, damping: 1e4, gripSpeed: 1 },
  ],
  gauge: [{ L: 8, sweeps: 4_500, thermal: 50, beta: 30 }],
  heat: [
    { nx: 16, ny: 17, steps: 9, initial: { kind: 'box' } },
    { nx: 17, ny: 16, steps: 9, boundary: { kind: 'periodic' } },
    { nx: 16, ny: 17, steps: 9, boundary: { kind: 'insulated' }, initial: { kind: 'box' } },
    { nx: 16, ny: 16, steps: 9, scheme: 'ftcs', dt: 0.001 },
  ],
  kalman: [{ steps: 5_000 }],
  multibody: [{ ...pair, dt: 1e-3, t_max: 5 }],
  react: [{ model: 'fitzhugh-nagumo', n: 17, steps: 90, dt: 0.1 }],
  tumor: [{ nx: 60, steps: 50, initial: { kind: 'gaussian', sigma: 0.01 } }],
  wave: [
    { nx: 16, ny: 17, t_max: 0.2, boundary: 'periodic' },
    { nx: 17, ny: 16, t_max: 0.2, boundary: 'free', order: 2 },
    { mode: 'maxwell', nx: 256, boundary: 'fixed' },
  ],
}

const rows = loadRegistry()
const stepping = solvers.filter(({ run }) => run.kind === 'steps').map((bare) => aided(bare, { registry: () => rows }))
const problemsOf = ({ name }: Solver): readonly object[] => smallProblems[name] ?? [{}]

/** The whole run of an input, unless that is refused, fails, or is large. */
const ranWhole = (
  it: Solver,
  raw: object,
  workMax = WORK_MAX,
): { readonly input: object; readonly whole: Watched } | undefined => {
  try {
    const input = resolveInput(it, raw)
    if (it.work(input) > workMax || it.run.kind !== 'steps') return undefined
    it.refuse(input)
    const { bytes } = beginRun(it, input)
    if (cutOf(it.run.steps(input)).count * bytes.length > STATE_BYTES_MAX) return undefined
    return { input, whole: watched(it, input) }
  } catch (error) {
    if (error instanceof Fault) return undefined
    throw error
  }
}

/** Numbers of the segments that are tried: all of them, or some with the first and the last. */
const tried = (segments: number): readonly number[] =>
  segments <= SEGMENTS_TRIED
    ? Array.from({ length: segments }, (_, i) => i)
    : [
        ...new Set(
          Array.from({ length: SEGMENTS_TRIED }, (_, i) => Math.round((i * (segments - 1)) / (SEGMENTS_TRIED - 1))),
        ),
      ]

const assertSegments = (it: Solver, input: object, { states, marks, records, digests, result }: Watched): void => {
  const segments = segmentsOfRun(it, input as never)
  assert.equal(states.length, segments + 1)
  const begun = beginRun(it, input as never)
  assert.deepEqual(begun.bytes, states[0])
  assert.deepEqual(begun.records, records.subarray(0, marks[0]))
  for (const [i, state] of states.entries()) assert.deepEqual(sha256(state), stateDigestAt(digests, i))
  for (const index of tried(segments)) {
    const end = runSegment(it, input as never, { index, bytes: states[index] as Uint8Array })
    assert.deepEqual(sha256(end.bytes), stateDigestAt(digests, index + 1), `${it.name}: state ${index + 1}`)
    assert.deepEqual(end.records, records.subarray(marks[index], marks[index + 1]), `${it.name}: records of ${index}`)
  }
  const bytes = states[segments] as Uint8Array
  const outcome = finishRun(it, input as never, { bytes, records }) as Parameters<typeof digestOf>[2]
  assert.equal(digestOf(it, input, outcome), result, `${it.name}: the end`)
}

test('sixteen solvers step', () => {
  assert.equal(stepping.length, 16)
})

for (const it of stepping) {
  test(`${it.name}: any segment, and the end, from its bytes gives the bits of the whole run`, () => {
    const check = (raw: object, workMax = WORK_MAX): boolean => {
      const found = ranWhole(it, raw, workMax)
      if (found !== undefined) assertSegments(it, found.input, found.whole)
      return found !== undefined
    }
    const problems = problemsOf(it)
    assert(problems.filter((raw) => check(raw)).length > 0, 'one of the small problems runs')
    for (const raw of further[it.name] ?? [])
      assert(check(raw, Number.POSITIVE_INFINITY), `${JSON.stringify(raw)} runs`)
    const any = fc.tuple(fc.constantFrom(...problems), admitted(it.input as Form))
    fc.assert(
      fc.property(any, ([under, over]) => {
        check(laid(under, over) as object)
      }),
      { seed, numRuns: INPUTS },
    )
  }, 240_000)
}

const refused = (act: () => unknown, says: string): void =>
  assert.throws(act, (error) => error instanceof Fault && error.code === 'INVALID_INPUT', says)

/** A run with a state in its midst. */
interface Asked {
  readonly input: never
  readonly whole: Watched
  readonly index: number
  readonly bytes: Uint8Array
}

/** Runs of the problems of a solver, of every mode that it has. */
const runsOf = (it: Solver): readonly Asked[] =>
  [...problemsOf(it), ...(further[it.name] ?? [])].flatMap((raw) => {
    const found = ranWhole(it, raw)
    if (found === undefined) return []
    const { input, whole } = found
    const index = Math.floor((2 * whole.states.length) / 3) - 1
    return [{ input: input as never, whole, index, bytes: whole.states[index] as Uint8Array }]
  })

const refusesStates = (it: Solver, { input, index, bytes }: Asked): void => {
  const from = (other: Uint8Array): unknown =>
    runSegment(it, input, { index, bytes: other, progress: () => assert.fail('a step was taken') })
  for (const length of [0, 1, 7, 8, bytes.length - 32, bytes.length - 8, bytes.length - 1]) {
    if (length >= 0 && length < bytes.length) refused(() => from(bytes.subarray(0, length)), `${length} bytes`)
  }
  for (const more of [1, 8, 32, 1_000]) refused(() => from(concat(bytes, new Uint8Array(more))), `${more} bytes more`)
  for (const other of [-1, 0.5, Number.NaN, segmentsOfRun(it, input), 2 ** 53]) {
    refused(() => runSegment(it, input, { index: other, bytes }), `segment ${other}`)
  }
  if (bytes.length < 8) return
  for (const bits of [0x7ff8, 0xfff0, 0x7ff0]) {
    const spoilt = bytes.slice()
    new DataView(spoilt.buffer).setUint16(6, bits, true)
    refused(() => from(spoilt), `${bits.toString(16)} in the first number`)
  }
}

const refusesRecords = (it: Solver, { input, whole }: Asked): void => {
  const bytes = whole.states.at(-1) as Uint8Array
  const { records } = whole
  const ended = (other: Uint8Array): unknown => finishRun(it, input, { bytes, records: other })
  refused(() => ended(concat(records, new Uint8Array(1))), 'a byte more')
  refused(() => ended(concat(records, new Uint8Array(8))), 'a number more')
  if (records.length === 0) return
  refused(() => ended(new Uint8Array(0)), 'none')
  refused(() => ended(records.subarray(0, records.length - 8)), 'a number fewer')
  for (const at of [0, Math.floor(records.length / 16) * 8, records.length - 8]) {
    const spoilt = records.slice()
    spoilt[at] = (spoilt[at] as number) ^ 1
    refused(() => ended(spoilt), `another bit at ${at}`)
  }
  const other = bytes.slice()
  other[other.length - 1] = (other[other.length - 1] as number) ^ 1
  refused(() => finishRun(it, input, { bytes: other, records }), 'another digest')
}

const change = fc.record({
  at: fc.nat(),
  wide: fc.boolean(),
  value: fc.oneof(
    fc.double({ noNaN: true }),
    fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, 1e17, -3, 2 ** 31, 2 ** 53),
  ),
  byte: fc.nat({ max: 255 }),
})

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const spoiltBy = (bytes: Uint8Array, changes: readonly Change[]): Uint8Array => {
  const spoilt = bytes.slice()
  if (spoilt.length === 0) return spoilt
  const view = new DataView(spoilt.buffer)
  for (const { at, wide, value, byte } of changes) {
    const place = at % spoilt.length
    const whole = place - (place % 8)
    if (wide && whole + 8 <= spoilt.length) view.setFloat64(whole, value, true)
    else spoilt[place] = byte
  }
  return spoilt
}

for (const it of stepping) {
  test(`${it.name}: bytes that are no state of the run are refused before a step is taken`, () => {
    for (const asked of runsOf(it)) refusesStates(it, asked)
  }, 60_000)

  test(`${it.name}: records that are not those of the run are refused`, () => {
    for (const asked of runsOf(it)) refusesRecords(it, asked)
  }, 60_000)

  test(`${it.name}: whatever bytes a state is made of, a segment ends or is refused`, () => {
    for (const { input, index, bytes } of runsOf(it)) {
      fc.assert(
        fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
          try {
            runSegment(it, input, { index, bytes: spoiltBy(bytes, changes) })
          } catch (error) {
            if (!(error instanceof Fault)) throw error
          }
        }),
        { seed, numRuns: MUTANTS },
      )
    }
  }, 120_000)
}

test('a solver that does not step has no segments', () => {
  const whole = solvers.find(({ run }) => run.kind === 'whole') as Solver
  const input = resolveInput(whole, {})
  for (const act of [
    () => segmentsOfRun(whole, input),
    () => beginRun(whole, input),
    () => runSegment(whole, input, { index: 0, bytes: new Uint8Array(0) }),
    () => finishRun(whole, input, { bytes: new Uint8Array(0), records: new Uint8Array(0) }),
  ]) {
    refused(act, whole.name)
  }
})

test.run()
