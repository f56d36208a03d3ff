// Goal: a formula gets the conflicts that it needs where none are asked for, and is quoted by what is expected of it.
// Method: drawn formulas at their hardest, which an earlier limit refused; budgets and work over all sizes.
import assert from 'node:assert/strict'
import { sat } from '#numerics/solvers/sat/index.ts'
import { budgetOf } from '#numerics/solvers/sat/problem.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/sat-budget')

const { inputOf, sealed } = outcomesOf(sat)

test('drawn formulas of 250 variables at their hardest are decided by default', () => {
  // 123,000 to 290,000 conflicts: beyond 100,000, which was the limit for all.
  for (const [seed, satisfiable] of [
    [1, false],
    [12, false],
    [16, true],
  ] as const) {
    const raw = { n: 250, m: 1_065, seed }
    const found = sealed(raw)
    assert.equal(found.satisfiable, satisfiable)
    assert(found.lemmas > 100_000 && found.lemmas < budgetOf(inputOf(raw)))
  }
}, 60_000)

test('what a formula is expected to take keeps to what a caller without a key may spend, up to 250 variables', () => {
  for (let n = 1; n <= 250; n++) {
    const input = inputOf({ n, m: Math.round(4.26 * n) })
    assert(sat.work(input) <= sat.limits.workAnonymousMax && budgetOf(input) >= 100_000, `${n}`)
  }
  assert.equal(budgetOf(inputOf({ n: 5_000, m: 5_000 })), 100_000)
  assert.equal(budgetOf(inputOf({ n: 5_000, m: 21_300 })), 750_000)
  assert.equal(budgetOf(inputOf({ conflictsMax: 50 })), 50)
})

test.run()
