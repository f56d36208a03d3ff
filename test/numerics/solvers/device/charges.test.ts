// Goal: a charge that is sealed is right, and one that nothing bounds is not told. Method: the square coaxial line in
// closed form; three conductors; an answer with a charge added.
import assert from 'node:assert/strict'
import { constantOf } from '#numerics/operators/constants.ts'
import { device } from '#numerics/solvers/device/index.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/device-charges')
const { inputOf, sealed, outcome } = outcomesOf(device)
const EPSILON_0 = constantOf('epsilon_0').value

const close = (found: number | undefined, due: number, share: number): void =>
  assert(Math.abs((found ?? Number.NaN) / due - 1) <= share, `${found} ${due}`)

test('charges of two conductors are those of the middle of the bounds; of three, none is told', () => {
  // The square coaxial line, Bowman (1953): C = 10.2340925693681 ε₀.
  const { charges = [], capacitance = Number.NaN } = sealed({ nx: 128, ny: 128 })
  close(charges[1], 10.2340925693681 * EPSILON_0, 2e-4)
  close(charges[0], -capacitance, 1e-12)
  // Between sides at 0 V and 1 V: revision 2 sealed 1.34967e-12 C/m for this electrode, 0.21 % off at a stated 0.039 %.
  const electrode = { x0: 0.25, y0: 0.5, x1: 0.5, y1: 1, potential: 0.38 }
  const sides = { left: 0, right: 1, bottom: null, top: null }
  const raw = { nx: 64, ny: 64, lx: 1, ly: 1, sides, electrodes: [electrode] }
  assert.equal(sealed(raw).charges, undefined)
  const input = inputOf(raw)
  const { output, evidence } = outcome(raw)
  assert.equal(device.check(input, { output: { ...output, charges: [-1, 1.3, 1] }, evidence }).errorPct, 100)
})

test.run()
