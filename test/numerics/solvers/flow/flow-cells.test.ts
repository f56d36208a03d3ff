// Goal: a cavity's grid follows from its Reynolds number unless one is given, and every refusal names the input that
// passes. Method: the grid on both sides of each bound; refusals answered with the numbers that they name.
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { flow } from '#numerics/solvers/flow/index.ts'
import { problemOf } from '#numerics/solvers/flow/problem.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/flow-cells')

const { inputOf } = outcomesOf(flow)

/** What a refusal before work says, if there is one. */
const refusedWith = (raw: object): Fault['details'] | undefined => {
  try {
    flow.refuse(inputOf(raw))
    return undefined
  } catch (error) {
    assert(error instanceof Fault)
    return error.details
  }
}

test('a cavity takes as many cells as its Reynolds number asks for, and a refusal says what passes', () => {
  for (const [re, cells] of [
    [10, 128],
    [269.9, 128],
    [270, 256],
    [1000, 256],
  ] as const) {
    const input = inputOf({ case: 'cavity', re })
    flow.refuse(input)
    const { nx, ny } = problemOf(input)
    assert.deepEqual([nx, ny], [cells, cells])
  }
  for (const raw of [
    { re: 5000 },
    { re: 1000.5, nx: 8 },
    { re: 9.9, nx: 1024, ny: 1024 },
    { re: 1000, nx: 16 },
    { re: 300, nx: 32 },
  ]) {
    // Each refusal names the input that passes it; the next one may be of another kind.
    let meant: object = { case: 'cavity', ...raw }
    let refusals = 0
    for (let details = refusedWith(meant); details !== undefined; details = refusedWith(meant)) {
      assert(++refusals <= 2, JSON.stringify(meant))
      const passing = Object.entries(details).filter(([name]) => ['re', 'nx', 'ny'].includes(name))
      meant = { ...meant, ...Object.fromEntries(passing) }
    }
    assert(refusals > 0)
  }
})

test.run()
