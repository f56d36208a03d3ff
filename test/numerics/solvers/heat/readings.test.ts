// Goal: what heat reads off its field is right to what is stated. Method: means of modes in closed form; runs whose
// hottest node is further off than the field as a whole; a mean that was moved.
import assert from 'node:assert/strict'
import { exp, PI } from '#numerics/math.ts'
import { run } from '#numerics/runtime/run.ts'
import { heat } from '#numerics/solvers/heat/index.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/heat-readings')

const { inputOf, sealed, errorPct, refusal } = outcomesOf(heat)

test('the mean of a mode is its integral over the domain, to what is stated', () => {
  const cases = [
    { nx: 24, ny: 24, dt: 0.5, steps: 40, initial: { kind: 'mode', amplitude: 10, m: 1, n: 1 } },
    { nx: 24, ny: 20, dt: 0.1, steps: 4, boundary: { temperature: 5 }, initial: { kind: 'mode', m: 5, n: 3 } },
    { dim: 1, nx: 20, initial: { kind: 'mode' } },
    { dim: 1, nx: 64, steps: 100, initial: { kind: 'mode', m: 3 } },
  ]
  for (const raw of cases) {
    const { dim, alpha, dt, steps, boundary, initial } = inputOf(raw)
    const { amplitude, m, n } = initial
    const [squares, factor] = dim === 1 ? [m * m, 1] : [m * m + n * n, 2 / (PI * n)]
    const mean = amplitude * factor * (2 / (PI * m)) * exp(-alpha * PI * PI * squares * dt * steps)
    const off = (100 * Math.abs(sealed(raw).meanTemperature - boundary.temperature - mean)) / mean
    assert(off <= 1.001 * errorPct(raw), `${JSON.stringify(raw)}: ${off} %`)
  }
})

test('a highest temperature further off than the bound is refused, and so is a mean', () => {
  for (const raw of [
    { nx: 70, ny: 70, dt: 1, steps: 40, initial: { x: 0.5, y: 0.5, sigma: 0.09 } },
    { nx: 64, ny: 64 },
  ]) {
    const { read_nodes_pct: most, l2_pct: field } = refusal('PRECISION_NOT_MET', raw) as Record<string, number>
    assert(Number(field) < 0.1 && Number(most) > 0.1)
  }
  const raw = { nx: 24, ny: 24, dt: 0.5, steps: 40, initial: { kind: 'mode' } }
  const { output } = run(heat, inputOf(raw)).outcome
  const moved = { ...output, meanTemperature: 0.9972 * output.meanTemperature }
  assert(heat.check(inputOf(raw), { output: moved, evidence: null }).errorPct > 0.2)
})

test.run()
