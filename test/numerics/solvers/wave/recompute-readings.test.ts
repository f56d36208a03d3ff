// Goal: the check of wave works the times of a run and the numbers read off its fields out by itself. Method: runs of
// every mode beside what the check finds; schedules with one thing wrong.
import assert from 'node:assert/strict'
import { isScheduled, recomputeReadings } from '#numerics/solvers/wave/check/recompute-readings.ts'
import { wave } from '#numerics/solvers/wave/index.ts'
import { LIGHT, scheduleOf } from '#numerics/solvers/wave/problem.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/wave-asked')

const { inputOf, outcome, solve } = outcomesOf(wave)

test('the check works times and readings out by itself, in every mode', () => {
  const modes = [
    { nx: 40, ny: 24, lx: 1.3, t_max: 0.3 },
    { nx: 32, ny: 32, boundary: 'free', order: 2, dt: 0.01, t_max: 0.25 },
    { dim: 1, nx: 128, boundary: 'periodic', t_max: 0.4, initial: { x: 0.3 } },
    { mode: 'maxwell', nx: 128, lx: 2 },
    { mode: 'maxwell', nx: 256, slab: { from: 0.3, to: 0.613 }, t_max: 1 / LIGHT, boundary: 'periodic' },
  ]
  for (const raw of modes) {
    const input = inputOf(raw)
    const output = solve(raw)
    const schedule = scheduleOf(input)
    assert(isScheduled(input, schedule), JSON.stringify(raw))
    const { steps, dt, time, speed, courant } = schedule
    const others = [
      { time: 1.01 * time, dt: 1.01 * dt },
      { steps: 2 * steps, dt: dt / 2, courant: courant / 2 },
      { steps: steps - 1, dt: time / (steps - 1), courant: (courant * steps) / (steps - 1) },
      { speed: 1.01 * speed },
      { courant: 1.01 * courant },
    ]
    for (const other of others) assert(!isScheduled(input, { ...schedule, ...other }), JSON.stringify({ raw, other }))
    const own = recomputeReadings(input, output.electric ?? output.displacement ?? [])
    for (const name of ['rms', 'centre', 'minimum', 'maximum'] as const) {
      assert(Math.abs(own[name] - output[name]) <= 1e-13 * output.maximum, name)
    }
  }
})

test('what is read off a node is that node', () => {
  const raw = { dim: 1, nx: 256, t_max: 0.3 }
  const input = inputOf(raw)
  const { output, evidence } = outcome(raw)
  for (const name of ['centre', 'minimum', 'maximum'] as const) {
    const moved = { ...output, [name]: output[name] * (1 + 1e-9) + 1e-12 }
    assert(wave.check(input, { output: moved, evidence }).errorPct >= 100, name)
  }
})

test.run()
