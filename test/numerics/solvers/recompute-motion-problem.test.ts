// Goal: as of asked.test.ts, for what moves: laws, starts, sides and schedules of solve and of flow.
// Method: the problem that run and check share, with one number of it wrong.
import assert from 'node:assert/strict'
import { resolveInput } from '#numerics/runtime/input.ts'
import { isProblemOf as isFlowOf } from '#numerics/solvers/flow/check/measure.ts'
import { flow } from '#numerics/solvers/flow/index.ts'
import { type FlowProblem, problemOf } from '#numerics/solvers/flow/problem.ts'
import { isProblemOf as isMotionOf } from '#numerics/solvers/solve/check/check.ts'
import { solve } from '#numerics/solvers/solve/index.ts'
import { motionOf } from '#numerics/solvers/solve/problem.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/asked-motion')

/** Arrays with one number altered. */
const altered = (values: Float64Array, at: number): Float64Array => values.map((it, i) => (i === at ? it * 1.01 : it))

test('solve: starts, laws and times', () => {
  const modes = [
    {},
    { referenceMode: 'shm' },
    { referenceMode: 'shm', stiffness: 5, mass: 2 },
    { referenceMode: 'gravity', height: 400_000, v0: 9_000 },
    { referenceMode: 'model', medium: 'air', dragArea: 0.01, velocity: [30, 5, 40] },
    // Nothing falls: without a terminal speed the answer has no number that shows the drag.
    { referenceMode: 'model', density: 1, volume: 1, dragArea: 1, velocity: [3, 5, 4] },
  ]
  for (const raw of modes) {
    const input = resolveInput(solve, raw)
    const motion = motionOf(input)
    assert(isMotionOf(input, motion))
    motion.start.forEach((value, i) => {
      if (value !== 0) assert(!isMotionOf(input, { ...motion, start: altered(motion.start, i) }))
    })
    assert(!isMotionOf(input, { ...motion, start: motion.start.slice().reverse() }))
    for (const name of ['fall', 'drag', 'omega2', 'mu'] as const) {
      const wrong = { ...motion, [name]: motion[name] === 0 ? 1e-6 : 1.001 * motion[name] }
      assert(!isMotionOf(input, wrong), `${input.referenceMode} ${name}`)
    }
    assert(!isMotionOf(input, { ...motion, every: motion.every + 1 }))
    assert(!isMotionOf(input, { ...motion, dt: motion.dt * 0.999 }))
    assert(!isMotionOf(input, { ...motion, steps: motion.steps / 2, dt: motion.dt * 2 }))
  }
})

test('flow: viscosity, sides and times', () => {
  for (const raw of [
    {},
    { case: 'channel' },
    { case: 'cavity', re: 30, nx: 64 },
    { re: 20, dt: 0.008, steps: 12 },
    { steps: 7 },
  ]) {
    const input = resolveInput(flow, raw)
    const problem = problemOf(input)
    assert(isFlowOf(input, problem), JSON.stringify(raw))
    const wrong: readonly Partial<FlowProblem>[] = [
      { viscosity: 2 * problem.viscosity },
      { viscosity: 1.01 * problem.viscosity },
      { dx: 1.01 * problem.dx },
      { dy: 0.99 * problem.dy },
      { steps: 2 * problem.steps },
      { steps: 2 * problem.steps, dt: problem.dt / 2 },
      { dt: 1.01 * problem.dt },
    ]
    for (const part of wrong) {
      // A cavity's steps lead to a steady flow: unless they are asked for, any number of them that gets there will do.
      if (input.case === 'cavity' && (part.steps !== undefined || part.dt !== undefined)) continue
      assert(!isFlowOf(input, { ...problem, ...part }), JSON.stringify(part))
    }
  }
})

test.run()
