// Goal: acoustic finds every mode of a bore in order, with its pressure, and its check sees every coefficient; bores
// that are none are refused before work.
// Method: closed forms of cylinders, cones and exponential horns, halved elements, limits and mirrors, the count of
// modes of the shot wave; bores judged as if they were others; inputs drawn from the schema.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { passGate } from '#numerics/runtime/gate.ts'
import { run } from '#numerics/runtime/run.ts'
import { exactWaveNumber, modesBelow } from '#numerics/solvers/acoustic/check/shooting.ts'
import { acoustic } from '#numerics/solvers/acoustic/index.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { close, outcomesOf } from '../outcomes.ts'
import { keepsTheRules } from '../rules.ts'

const test = suite('numerics/acoustic')

keepsTheRules(test, acoustic)

const HORN = {
  section: {
    kind: 'table',
    points: [
      { x: 0, radius: 0.01 },
      { x: 0.3, radius: 0.01 },
      { x: 0.7, radius: 0.02 },
      { x: 1, radius: 0.08 },
    ],
  },
}

const { inputOf, solve, found, refusal, sealsOrRefuses } = outcomesOf(acoustic)

test('pipes: n·c/2L with equal ends, (2n − 1)·c/4L with unequal ones; two closed ends have no mode of zero', () => {
  for (const ends of ['open', 'closed']) {
    solve({ left: ends, right: ends }).frequencies.forEach((it, k) => {
      close(it, 171.6 * (k + 1), 5e-5)
    })
  }
  for (const left of ['open', 'closed']) {
    const right = left === 'open' ? 'closed' : 'open'
    solve({ left, right }).frequencies.forEach((it, k) => {
      close(it, 85.8 * (2 * k + 1), 5e-5)
    })
  }
})

test('frequencies come from above and gain four bits with every halving', () => {
  const errors = [16, 32, 64].map((elements) => (solve({ elements, modes: 4 }).frequencies[3] ?? 0) / 686.4 - 1)
  errors.forEach((error, k) => {
    assert(error > 0)
    if (k > 0) close((errors[k - 1] ?? 0) / error, 16, 0.05)
  })
})

test('a cone open at both ends sounds like the pipe; closed at its narrow end it obeys k·cot kL = −r′/r', () => {
  const cone = { section: { kind: 'cone', radius: 0.01, radiusEnd: 0.05 } }
  solve(cone).frequencies.forEach((it, k) => {
    close(it, 171.6 * (k + 1), 1e-4)
  })
  // ψ = r·p is sin k(L − x); closed where p' = 0: k·cot kL = −r'/r at the narrow end (Fletcher, Rossing, §8.7).
  for (const f of solve({ ...cone, left: 'closed', elements: 256 }).frequencies) {
    const k = (2 * Math.PI * f) / 343.2
    close(k * Math.cos(k), -4 * Math.sin(k), 1e-3)
  }
})

test('an exponential horn between open ends: k² = m² + (nπ/L)²', () => {
  const m = Math.log(50)
  const horn = { section: { kind: 'exponential', radius: 0.01, radiusEnd: 0.5 } }
  solve(horn).frequencies.forEach((it, n) => {
    close(it, (343.2 * Math.sqrt(m * m + ((n + 1) * Math.PI) ** 2)) / (2 * Math.PI), 1e-4)
  })
  // Closed at both ends the same numbers hold: the dual horn.
  solve({ ...horn, left: 'closed', right: 'closed' }).frequencies.forEach((it, n) => {
    close(it, (343.2 * Math.sqrt(m * m + ((n + 1) * Math.PI) ** 2)) / (2 * Math.PI), 1e-4)
  })
})

test('end corrections lengthen open ends and no others', () => {
  const { length, fundamental, x } = solve({ endCorrection: 'unflanged' })
  close(length, 1 + 2 * 0.6133 * 0.02, 1e-14)
  close(fundamental, 343.2 / 2 / length, 1e-5)
  close(x[0] ?? 0, -0.6133 * 0.02, 1e-14)
  close(solve({ endCorrection: 'flanged', left: 'closed' }).length, 1 + 0.8216 * 0.02, 1e-14)
  assert.equal(solve({ endCorrection: 'flanged', left: 'closed', right: 'closed' }).length, 1)
})

test('mirrored bores have mirrored modes, scaled ones the scaled frequencies', () => {
  const { points } = HORN.section
  const back = { kind: 'table', points: points.toReversed().map(({ x, radius }) => ({ x: 1 - x, radius })) }
  const [a, b] = [solve({ ...HORN, left: 'closed' }), solve({ section: back, right: 'closed' })]
  a.frequencies.forEach((it, k) => {
    close(it, b.frequencies[k] ?? 0, 1e-9)
  })
  for (let i = 0; i < a.x.length; i++) {
    assert(Math.abs((a.pressure[i] ?? 0) - (b.pressure[a.x.length - 1 - i] ?? 0)) < 1e-7)
  }
  const wide = { kind: 'table', points: points.map(({ x, radius }) => ({ x, radius: 3 * radius })) }
  solve({ section: wide }).frequencies.forEach((it, k) => {
    close(it, solve(HORN).frequencies[k] ?? 0, 1e-9)
  })
  close(solve({ ...HORN, c: 686.4 }).fundamental, 2 * solve(HORN).fundamental, 1e-12)
})

test('the shot wave counts the modes of a pipe and of a horn below its cut-off', () => {
  const pipe = inputOf({})
  for (let n = 1; n < 12; n++) {
    assert.equal(modesBelow(pipe, Math.PI * n * (1 - 1e-9)), n - 1)
    assert.equal(modesBelow(pipe, Math.PI * n * (1 + 1e-9)), n)
  }
  const closed = inputOf({ left: 'closed', right: 'closed' })
  assert.equal(modesBelow(closed, 1e-3), 0)
  assert.equal(modesBelow(closed, Math.PI * 1.001), 1)
  const horn = inputOf({ left: 'closed', section: { kind: 'exponential', radius: 0.01, radiusEnd: 5 } })
  assert.equal(modesBelow(horn, 0.5), 0)
  assert(Math.abs(exactWaveNumber(pipe, 0, 3.2) - Math.PI) < 1e-14)
  assert(Number.isNaN(exactWaveNumber(pipe, 1, 3.2)))
})

test('two cavities with a thin neck between them sound in pairs, and each mode is found', () => {
  const points = [0, 0.45, 0.4501, 0.55, 0.5501, 1].map((x, k) => ({ x, radius: k === 2 || k === 3 ? 0.01 : 0.5 }))
  const raw = { left: 'closed', right: 'closed', elements: 400, modes: 7, section: { kind: 'table', points } }
  const { frequencies } = solve(raw)
  for (const k of [1, 3, 5]) {
    const [a, b] = [frequencies[k] ?? 0, frequencies[k + 1] ?? 0]
    assert(b > a && b < a * 1.001)
  }
  assert((frequencies[0] ?? 0) < 10)
  const { errorPct } = found(raw)
  assert(errorPct <= 0.1, `${errorPct}`)
})

/** Solves one bore and judges the answer as if it were another. */
const judgedAs = (raw: object, spoilt: object): number => {
  const { length, radius, x } = solve(raw)
  const output = { ...solve({ ...raw, ...spoilt }), length, radius, x }
  return acoustic.check(inputOf(raw), { output, evidence: null }).errorPct
}

test('the check sees every coefficient, other ends and another bore', () => {
  const bad = (it: number): boolean => !(it <= 0.1)
  assert(bad(judgedAs({}, { c: 343.8 })))
  assert(bad(judgedAs({}, { L: 1.002 })))
  assert(bad(judgedAs({ left: 'closed' }, { left: 'open', right: 'closed' })))
  assert(bad(judgedAs({ left: 'closed', right: 'closed' }, { left: 'open', right: 'open' })))
  const horn = { section: { kind: 'exponential', radius: 0.01, radiusEnd: 0.1 } }
  assert(bad(judgedAs(horn, { section: { kind: 'exponential', radius: 0.01, radiusEnd: 0.102 } })))
  assert(bad(judgedAs(horn, { section: { kind: 'cone', radius: 0.01, radiusEnd: 0.1 } })))
  assert(bad(judgedAs({ endCorrection: 'flanged' }, { endCorrection: 'unflanged' })))
  HORN.section.points.forEach((_, k) => {
    const points = HORN.section.points.map((it, i) => (i === k ? { ...it, radius: 1.02 * it.radius } : it))
    assert(bad(judgedAs(HORN, { section: { kind: 'table', points } })), `point ${k}`)
  })
  const input = inputOf({ modes: 3 })
  const { frequencies, pressure, ...rest } = solve({ modes: 4 })
  // The first mode left out: each of the others is right, and the count is not.
  const shifted = {
    ...rest,
    fundamental: frequencies[1] ?? 0,
    frequencies: frequencies.slice(1),
    pressure: pressure.slice(rest.x.length),
  }
  assert(bad(acoustic.check(input, { output: shifted, evidence: null }).errorPct))
})

for (const raw of [
  { ...HORN, modes: 4 },
  { left: 'closed', right: 'closed', section: { kind: 'exponential' }, modes: 3 },
]) {
  test(`every number of the answer is read: ${JSON.stringify(raw).slice(0, 50)}`, () => {
    const input = inputOf(raw)
    const { outcome } = run(acoustic, input)
    passGate(acoustic.check(input, outcome))
    const refused = (spoilt: object): boolean =>
      !(acoustic.check(input, { output: { ...outcome.output, ...spoilt }, evidence: null }).errorPct <= 0.1)
    const random = seeded()
    for (const [name, value] of Object.entries(outcome.output as Readonly<Record<string, unknown>>)) {
      if (typeof value === 'number') assert(refused({ [name]: value * 1.01 }), name)
      if (!(value instanceof Float64Array)) continue
      const most = value.reduce((it, other) => Math.max(it, Math.abs(other)), 0)
      for (let k = 0; k < 20; k++) {
        const place = random.integer(0, value.length - 1)
        assert(refused({ [name]: value.map((it, i) => (i === place ? it + 0.01 * most : it)) }), `${name} ${place}`)
      }
    }
  })
}

test('bores that are none and more modes than the elements carry are refused before work', () => {
  const many = refusal('OUT_OF_RANGE', { modes: 17 })
  assert.equal(many['limit'], 16)
  acoustic.refuse(inputOf({ modes: many['limit'] }))
  acoustic.refuse(inputOf({ modes: 17, elements: many['elements'] }))
  // Thirds of 64 elements round to 21 each, one short of four a mode.
  const thirds = [0, 1 / 3, 2 / 3, 1].map((x) => ({ x, radius: 0.1 }))
  const third = { modes: 16, elements: 40, section: { kind: 'table', points: thirds } }
  acoustic.refuse(inputOf({ ...third, elements: refusal('OUT_OF_RANGE', third)['elements'] }))
  acoustic.refuse(inputOf({ ...third, modes: refusal('OUT_OF_RANGE', third)['limit'] }))
  assert.equal(refusal('INVALID_INPUT', { section: { kind: 'table' } })['path'], '/section/points')
  const table = (points: readonly object[]): object => ({ section: { kind: 'table', points } })
  const at = (x: number) => ({ x, radius: 0.1 })
  assert.equal(refusal('INVALID_INPUT', table([at(0.1), at(1)]))['path'], '/section/points/0/x')
  assert.equal(refusal('INVALID_INPUT', table([at(0), at(0.5), at(0.5), at(1)]))['path'], '/section/points/2/x')
  assert.equal(refusal('INVALID_INPUT', table([at(0), at(0.9)]))['limit'], 1)
  refusal('INVALID_INPUT', { section: { kind: 'cone', points: [at(0), at(1)] } })
  refusal('OUT_OF_RANGE', table([at(0), { x: 1, radius: 200 }]))
  refusal('OUT_OF_RANGE', table([at(0), at(1e-6), at(1)]))
  assert.throws(() => inputOf({ section: { radius: 0 } }), { code: 'INVALID_INPUT' })
  assert((found({ elements: 8, modes: 2 }).figures['frequency_pct'] ?? 1) < 0.03)
  // A horn whose bore changes faster than the elements can follow.
  refusal('PRECISION_NOT_MET', {
    elements: 4,
    modes: 1,
    section: { kind: 'exponential', radius: 1e-3, radiusEnd: 0.9 },
  })
})

const length = fc.oneof(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.double({ min: 1e-4, max: 1e5, noNaN: true }))
const bore = fc.oneof(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.double({ min: 1e-6, max: 1e4, noNaN: true }))
const drawn = fc.record(
  {
    L: length,
    c: fc.double({ min: 1, max: 1e5, noNaN: true }),
    left: fc.constantFrom('open', 'closed'),
    right: fc.constantFrom('open', 'closed'),
    modes: fc.integer({ min: 1, max: 20 }),
    elements: fc.integer({ min: 4, max: 90 }),
    endCorrection: fc.constantFrom('none', 'unflanged', 'flanged'),
    section: fc.record(
      { kind: fc.constantFrom('uniform', 'cone', 'exponential'), radius: bore, radiusEnd: bore },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('any input of the schema seals or is refused with a code', () => {
  const { seals } = sealsOrRefuses(fc.oneof(fc.constant({}), drawn), { numRuns: 300 })
  assert(seals > 0, 'some of them seal')
}, 30_000)

test.run()
