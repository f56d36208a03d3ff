// Goal: a dam that breaks over a dry bed, or one that is nearly so, seals; what its front cannot tell is withheld, and
// a grid that is too coarse is refused with one that seals.
// Method: Ritter's solution in closed form, its integrals, and Stoker's as its limit; answers altered.
import assert from 'node:assert/strict'
import { run } from '#numerics/runtime/run.ts'
import { damBreakOf } from '#numerics/solvers/climate/dam.ts'
import { climate } from '#numerics/solvers/climate/index.ts'
import { scheduleOf, startOf } from '#numerics/solvers/climate/problem.ts'
import { createDryFlow } from '#numerics/solvers/climate/run/dry.ts'
import { suite } from '../../../kit/suite.ts'
import { close, near, outcomesOf } from '../outcomes.ts'

const test = suite('numerics/climate-dry-dam')

const { inputOf, refusal, sealed } = outcomesOf(climate)

const dry = { mode: 'dam-break', ahead: 0, ny: 4 }
const c = Math.sqrt(9.80665 * 1000)

test('a dam over a dry bed of 6,000 cells is Ritter’s, and its value that of his in closed form', () => {
  const { depth, fluxX, time, anomaly, energy, maxSpeed, minDepth, maxDepth, meanDepth, nx, dx } = sealed({
    ...dry,
    nx: 6_000,
  })
  assert.deepEqual([maxSpeed, minDepth, maxDepth], [null, 0, 1000])
  close(time, 4e6 / 10 / c, 1e-12)
  for (const share of [-0.9, -0.5, 0, 0.5, 1, 1.5]) {
    const column = Math.floor((3e6 + share * c * time) / dx)
    const s = ((column + 0.5) * dx - 3e6) / time
    const h = (2 * c - s) ** 2 / 9 / 9.80665
    near(depth[column], h, 1)
    near(fluxX[column], (h * 2 * (c + s)) / 3, 2e-3 * 1000 * c)
  }
  // Over a fan of 3·c·t the means of h² and h·u² are 1000²/5 and 2/15·1000·c².
  const fan = 3 * c * time
  const mean = 500
  close(meanDepth, mean, 1e-12)
  const square = (1e6 * (2e6 - 2 * c * time + (2 * fan) / 5)) / 4e6
  close(anomaly, Math.sqrt(square - mean * mean), 1e-3)
  const motion = (1000 * c * c * 2 * fan * (2 / 15)) / 4e6
  close(energy, (motion + 9.80665 * (square - mean * mean)) / 2, 1e-3)
  assert.equal(depth.length, 4 * nx)
}, 60_000)

test('a film of water ahead goes over into the dry bed, and Stoker’s solution into Ritter’s', () => {
  const at = (ahead: number, speed: number): number => damBreakOf(inputOf({ ...dry, ahead })).at(speed).h
  for (const speed of [-c, -0.3 * c, 0, c, 1.5 * c]) near(at(1e-12, speed), at(0, speed), 1e-6)
  assert.equal(at(0, 2 * c), 0)
  const { maxSpeed, minDepth } = sealed({ ...dry, ahead: 1e-3, nx: 4_096 })
  assert.deepEqual([maxSpeed, minDepth], [null, 1])
  assert.equal(sealed({ mode: 'dam-break', nx: 4_096, ny: 4 }).maxSpeed, null)
}, 60_000)

test('no cell runs below dry, whatever the step, and volume stays', () => {
  for (const courant of [0.1, 0.6, 0.9]) {
    for (const ahead of [0, 1e-9, 1e-4]) {
      const input = inputOf({ ...dry, nx: 200, ahead, courant })
      const start = startOf(input)
      const schedule = scheduleOf(input, start)
      const flow = createDryFlow(input, { start, schedule })
      let least = 1
      for (let step = 0; step < schedule.steps; step++) {
        flow.advance(step, step + 1, () => undefined)
        least = flow.water().h.reduce((low, h) => Math.min(low, h), least)
      }
      assert(least >= 0, `${least} at ${courant}, ${ahead}`)
      const volume = (h: Float64Array): number => h.reduce((sum, it) => sum + it, 0)
      close(volume(flow.water().h), volume(start.h), 1e-12)
    }
  }
})

test('too coarse a grid is refused with one that seals, and so is too short a time', () => {
  for (const raw of [{}, { nx: 96 }, { nx: 2_048 }, { nx: 1_024, t_max: 3_500 }]) {
    const { suggestion } = refusal('PRECISION_NOT_MET', { ...dry, ...raw })
    const { nx } = suggestion as { readonly nx: number }
    assert(nx >= 6_000 && nx <= 8_192)
  }
  const early = refusal('PRECISION_NOT_MET', { ...dry, nx: 512, t_max: 500 })
  close((early['suggestion'] as { readonly t_max: number }).t_max, 4e6 / 10 / c, 1e-12)
  sealed({
    ...dry,
    ...(refusal('PRECISION_NOT_MET', { ...dry, nx: 300, t_max: 3_500 })['suggestion'] as object),
    t_max: 3_500,
  })
  assert.equal(typeof refusal('ILL_POSED', { ...dry, t_max: 5_100 })['t_max'], 'number')
}, 60_000)

test('the check sees other water, another bed, a speed that is told, and numbers altered', () => {
  const input = inputOf({ ...dry, nx: 4_096, ahead: 2e-3, courant: 0.9 })
  const { output, evidence } = run(climate, input).outcome
  const judged = (over: object): number => climate.check(input, { output: { ...output, ...over }, evidence }).errorPct
  assert(judged({}) <= 0.1)
  for (const over of [{ maxSpeed: 150 }, { anomaly: 1.002 * output.anomaly }, { energy: 1.002 * output.energy }]) {
    assert(!(judged(over) <= 0.1), Object.keys(over)[0])
  }
  const moved = output.depth.map((h, i) => (i % 4_096 === 3_200 ? h + 20 : h))
  assert(!(judged({ depth: moved }) <= 0.1))
  const other = { ...input, gravity: 9.85 }
  assert(!(climate.check(other, { output, evidence }).errorPct <= 0.1))
}, 60_000)

test.run()
