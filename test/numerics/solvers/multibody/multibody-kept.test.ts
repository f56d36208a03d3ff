// Goal: the check of multibody knows which states a run is to keep and which of them it is to show: every law is read
// at those alone. Method: the schedules of runs of many lengths, thinned, cut and moved.

import assert from 'node:assert/strict'
import { isDense, isEven } from '#numerics/solvers/multibody/check/check.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import { scheduleOf } from '#numerics/solvers/multibody/problem.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/multibody-kept')

const { inputOf } = outcomesOf(multibody)

test('states that were to be kept, and samples that were to be shown, are missed', () => {
  for (const raw of [{}, { outputs: 7 }, { outputs: 1 }, { t_max: 7e8, dt: 5e4, outputs: 333 }]) {
    const input = inputOf(raw)
    const { steps, dt, every } = scheduleOf(input)
    const times = (by: number): Float64Array =>
      Float64Array.from({ length: Math.ceil(steps / by) + 1 }, (_, k) => Math.min(k * by, steps) * dt)
    assert(isDense(input, times(every)))
    for (const by of [every + 1, 2 * every]) assert(!isDense(input, times(by)))
    assert(!isDense(input, times(every).slice(1)) && !isDense(input, times(every).slice(0, -1)))
  }
  for (const [kept, outputs] of [
    [2_001, 400],
    [50, 7],
    [9, 8],
    [2, 1],
    [1_000, 1],
  ] as const) {
    const by = Math.ceil((kept - 1) / outputs)
    const even = Array.from({ length: Math.ceil((kept - 1) / by) + 1 }, (_, i) => Math.min(i * by, kept - 1))
    assert(isEven(even, kept, outputs), `${kept} ${outputs}`)
    if (even.length < 4) continue
    assert(!isEven([0, ...even.slice(2)], kept, outputs) && !isEven(even.slice(0, -1), kept, outputs))
    assert(!isEven([0, kept - 1], kept, outputs), 'only the ends')
  }
})

test.run()
