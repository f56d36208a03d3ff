// Goal: the energy of a wave is that of the wave and not of slopes from node to node. Method: modes and hills whose
// energy has a closed form, on grids coarse for them, with every edge; an energy that was moved is seen.
import assert from 'node:assert/strict'
import { PI } from '#numerics/math.ts'
import { wave } from '#numerics/solvers/wave/index.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/wave-energy')

const { inputOf, outcome, errorPct, sealed } = outcomesOf(wave)

const coarse = {
  ...{ c: 3, t_max: 5, boundary: 'periodic', lx: 2, nx: 96, ly: 1, ny: 64 },
  initial: { kind: 'mode', m: 3, n: 2, amplitude: 5 },
}

test('the energy of modes and hills is that of their formula, to what is stated', () => {
  const waves = (m: number, n: number): number => 4 * PI * PI * (m * m + n * n)
  const hill = { kind: 'gaussian', sigma: 0.07, amplitude: 1 }
  const cases = [
    { raw: coarse, due: (9 * 4 * PI * PI * (9 / 4 + 4) * 25) / 8 },
    { raw: { nx: 48, ny: 40, t_max: 0.2, initial: { kind: 'mode', m: 6, n: 4 } }, due: waves(3, 2) / 8 },
    { raw: { dim: 1, nx: 40, t_max: 0.3, boundary: 'free', initial: { kind: 'mode', m: 4 } }, due: waves(2, 0) / 4 },
    // The mean of |∇u|² of a round hill on a square is π over its area.
    {
      raw: {
        c: 1500,
        t_max: 0.0023,
        boundary: 'periodic',
        lx: 2,
        nx: 100,
        ly: 2,
        ny: 100,
        initial: { ...hill, x: 0.2, y: 0.7 },
      },
      due: (1500 * 1500 * PI) / 8,
    },
  ]
  for (const { raw, due } of cases) {
    const off = 100 * Math.abs(sealed(raw).energy / due - 1)
    assert(off <= errorPct(raw), `${JSON.stringify(raw)}: ${off} % of ${due}`)
  }
})

test('an energy or a highest place that was moved is seen', () => {
  const input = inputOf(coarse)
  const { output, evidence } = outcome(coarse)
  const moved = (over: object): number => wave.check(input, { output: { ...output, ...over }, evidence }).errorPct
  assert(moved({ energy: 0.9968 * output.energy }) > 0.3)
  assert(moved({ energy: 0 }) >= 100)
  assert(moved({ maximum: 1.002 * output.maximum }) > 0.19)
})

test.run()
