// Goal: a sealed pressure is the exact one within the bound. Method: Taylor and Green's vortices in closed form.
import assert from 'node:assert/strict'
import { exp } from '#numerics/math.ts'
import { flow } from '#numerics/solvers/flow/index.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/flow-pressure')
const { found: reality, sealed, ends } = outcomesOf(flow)

test('a pressure that its grid leaves 0.24 % off is refused, and one that seals is the exact one', () => {
  // ¼·(cos 2x + cos 2y)·exp(−4νt) at the middle of the cells, by Taylor and Green.
  const short = { stream: { u: 0, v: 0 }, dt: 0.001, steps: 5 }
  assert.equal(ends({ ...short, nx: 64, ny: 64 }), 'PRECISION_NOT_MET')
  const { pressure, viscosity, time, dx } = sealed({ ...short, nx: 128, ny: 128 })
  const due = 0.5 * Math.cos(dx) * exp(-4 * viscosity * time)
  const off = Math.abs((pressure[0] as number) / due - 1)
  assert(off > 1e-4 && off < 1e-3, `${off}`)
  const { figures, errorPct } = reality({ ...short, nx: 128, ny: 128 })
  assert(Math.abs((figures['pressure_pct'] ?? 0) - 100 * off) < 1e-3 && errorPct >= 99.9 * off)
})

test.run()
