// Goal: the check of a cavity finds extremes and energies by itself, and sees a reading that is off. Method: fields of
// a cavity and random smooth ones read both ways; readings moved by what a slip of the curve would move them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { beyond, recomputeReading } from '#numerics/solvers/flow/check/recompute-readings.ts'
import { flow } from '#numerics/solvers/flow/index.ts'
import { readingOf } from '#numerics/solvers/flow/run/nested.ts'
import { extrapolated } from '#numerics/solvers/flow/run/report.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { apart, outcomesOf } from '../outcomes.ts'

const test = suite('numerics/flow-readings')

const { inputOf, outcome } = outcomesOf(flow)
const names = ['uMin', 'vMin', 'vMax', 'psiMin'] as const

test('smooth fields are read alike by curves of two kinds, and extrapolated alike', () => {
  const share = fc.double({ min: -1, max: 1, noNaN: true })
  fc.assert(
    fc.property(fc.constantFrom(16, 32, 64), share, share, (n, a, b) => {
      const at = (i: number, j: number): readonly [number, number] => [(i + 1) / n, (j + 0.5) / n]
      const u = new Float64Array(n * n)
      const v = new Float64Array(n * n)
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          const [x, y] = at(i, j)
          u[i * n + j] = Math.sin(Math.PI * x) * (y * (3 * y - 2) + 0.2 * a * Math.sin(3 * y))
          v[i * n + j] = Math.sin(2 * Math.PI * x + 0.3 * b) * y * (1 - y)
        }
      }
      const [run, own] = [readingOf({ n, u, v }), recomputeReading(n, u, v)]
      for (const name of names) assert(apart(own[name], run[name]) <= 1e-10, `${name}: ${own[name]} ${run[name]}`)
      const finer = { ...run, uMin: run.uMin * (1 + 0.01 * a) }
      assert(apart(beyond(run.uMin, finer.uMin), extrapolated(run, finer, 'uMin')) <= 1e-14)
    }),
    { seed, numRuns: 30 },
  )
})

test('a cavity is read alike, and a reading that is off by a hundred thousandth is refused', () => {
  const raw = { case: 'cavity', re: 30, nx: 64 }
  const { output, evidence } = outcome(raw)
  const input = inputOf(raw)
  const errorPct = (over: object): number => flow.check(input, { output: { ...output, ...over }, evidence }).errorPct
  assert(errorPct({}) <= 0.1)
  for (const name of names) assert.equal(errorPct({ [name]: (output[name] ?? 0) * (1 + 1e-5) }), 100, name)
  // Botella's flow has 0.0344403 at Re 100, where the finest grid's sum is 0.34 % off: three
  // grids agree on no limit.
  assert.equal(output.kineticEnergy, undefined)
  assert.equal(errorPct({ kineticEnergy: 0.0333 }), 100)
  // A pressure with a constant left in it does as much to the flow as one without.
  assert.equal(errorPct({ pressure: Array.from(output.pressure, (it) => it + 1e-6) }), 100)
  const [low, middle, high] = output.grids ?? []
  assert(low !== undefined && middle !== undefined && high !== undefined)
  for (const name of names) {
    const moved = { ...high, [name]: high[name] * (1 + 1e-5) }
    assert.equal(errorPct({ grids: [low, middle, moved] }), 100, name)
  }
}, 30_000)

test.run()
