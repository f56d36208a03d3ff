// Goal: a bar with a cohesive section follows its closed form, and its check reads every number of the answer.
// Method: laws and lengths on both sides of snap-back, numbers of the answer altered one by one, other materials.

import assert from 'node:assert/strict'
import { fracture } from '#numerics/solvers/fracture/index.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/fracture-bar')

const { inputOf, ran: runOf, found, refusal } = outcomesOf(fracture)

test('the bar follows its closed form, snaps back when long, and takes Gc·A', () => {
  for (const bar of [
    {},
    { law: 'exponential', opening: 12 },
    { length: 1e-3 },
    { opening: 1, elements: 2, increments: 8 },
    { law: 'exponential', opening: 3, increments: 200 },
  ]) {
    const { errorPct } = found({ mode: 'bar', bar })
    assert(errorPct < 0.05, `${JSON.stringify(bar)}: ${errorPct}`)
  }
  const { output } = runOf({ mode: 'bar' })
  assert(Math.abs(output.dissipated - 3.8e-4) < 1e-12)
  assert(Math.abs(output.criticalStrain - 30e6 / 72e9) < 1e-15)
  // Longer than 2·E·Gc/strength²: the elongation falls while the section opens.
  const { elongation = [], opening = [] } = output
  assert(elongation.some((it, k) => k > 0 && it < (elongation[k - 1] ?? 0)))
  assert(opening.every((it, k) => k === 0 || it >= (opening[k - 1] ?? 0)))
  const short = runOf({ mode: 'bar', bar: { length: 5e-4 } }).output
  assert((short.elongation ?? []).every((it, k) => k === 0 || it >= (short.elongation?.[k - 1] ?? 0)))
  refusal('PRECISION_NOT_MET', { mode: 'bar', bar: { law: 'exponential', opening: 12, increments: 40 } })
})

for (const bar of [{}, { law: 'exponential', opening: 10 }]) {
  test(`every number of a bar's answer is read: ${JSON.stringify(bar)}`, () => {
    const raw = { mode: 'bar', bar }
    const input = inputOf(raw)
    const { output } = runOf(raw)
    for (const [name, value] of Object.entries(output as Readonly<Record<string, unknown>>)) {
      const spoilt: unknown[] = []
      if (typeof value === 'number') spoilt.push(value === 0 ? 0.01 : value * 1.01)
      if (typeof value === 'boolean') spoilt.push(!value)
      if (value instanceof Float64Array) {
        const most = value.reduce((it, other) => Math.max(it, Math.abs(other)), 0) || 1
        const at = seeded().integer(0, value.length - 1)
        spoilt.push(
          value.map((it, k) => (k === at ? it + 0.01 * most : it)),
          value.slice(1),
        )
      }
      for (const it of spoilt) {
        const { errorPct } = fracture.check(input, { output: { ...output, [name]: it }, evidence: null })
        assert(!(errorPct <= 0.1), name)
      }
    }
    for (const spoilt of [{ E: 72.72e9 }, { Gc: 3.838 }]) {
      assert(fracture.check(input, runOf({ ...raw, ...spoilt })).errorPct > 0.1)
    }
    const stronger = runOf({ mode: 'bar', bar: { ...bar, strength: 30.3e6 } })
    assert(fracture.check(input, stronger).errorPct > 0.1)
  })
}

test.run()
