// Goal: the check of fracture finds a crack's bonds, damage, path and end by itself. Method: cracks drawn at random in
// plates of many sizes beside the run's bonds, and the same plates with cracks a node off; a run read off both ways.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  isCrackOf,
  recomputeDamage,
  recomputeLength,
  recomputePath,
} from '#numerics/solvers/fracture/check/recompute-crack.ts'
import { referencePlate } from '#numerics/solvers/fracture/check/recompute-plate.ts'
import { fracture } from '#numerics/solvers/fracture/index.ts'
import { bondsAtStart, latticeOf } from '#numerics/solvers/fracture/problem.ts'
import { seed } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { outcomesOf } from '../outcomes.ts'

const test = suite('numerics/own-crack')

/** A plate a quarter as large, whose crack runs through within a few hundred steps. */
const SMALL = { width: 0.04, nx: 40, ny: 24, strain: 1.2e-4, time: 15e-6 }

const { inputOf, ran: runOf } = outcomesOf(fracture)

test('the check cuts the bonds of a crack by itself, and sees one a node longer, shorter, higher or lower', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: 60 }),
      fc.integer({ min: 12, max: 40 }),
      fc.constantFrom(1.5, 2.1, 3.015, 4.02),
      fc.double({ min: 0.2, max: 0.8, noNaN: true }),
      (nx, ny, horizon, crack) => {
        const input = inputOf({ nx, ny, horizon, crack })
        const [lattice, plate] = [latticeOf(input), referencePlate(input)]
        const right = (bonds: ArrayLike<number>): boolean => isCrackOf(plate, bonds, crack)
        assert(right(bondsAtStart(lattice, crack)))
        for (const share of [crack + 1 / nx, crack - 1 / nx]) assert(!right(bondsAtStart(lattice, share)))
        for (const more of [2, -2]) assert(!right(bondsAtStart({ ...lattice, ny: ny + more }, crack).slice(0, nx * ny)))
        const whole = bondsAtStart(lattice, crack)
        // A bond that leads out of the plate, and one that is torn without the crack.
        const [out, torn] = [whole.slice(), whole.slice()]
        out[nx - 1] |= 1
        torn[0] &= ~1
        assert(!right(out) && !right(torn))
      },
    ),
    { seed, numRuns: 40 },
  )
  // A bond that passes right at the end of a crack of whole spacings is whole; the run's rule is no longer either way.
  const tied = inputOf({ nx: 40, ny: 24, crack: 0.5 })
  const [lattice, plate] = [latticeOf(tied), referencePlate(tied)]
  const whole = bondsAtStart(lattice, 0.5)
  const beyond = bondsAtStart(lattice, 0.5 + 1e-12)
  assert(isCrackOf(plate, whole, 0.5))
  assert(whole.some((bits, node) => bits !== beyond[node]) && !isCrackOf(plate, beyond, 0.5))
  // Bonds that pass just through the crack's end, where a share of the width is no whole number of spacings by a bit.
  for (const crack of [0.07, 0.29, 0.57, 0.58, 1.1 - 1]) {
    const input = inputOf({ crack })
    assert(isCrackOf(referencePlate(input), bondsAtStart(latticeOf(input), crack), crack), `${crack}`)
  }
})

test('the check reads damage, path and end of a crack off by itself', () => {
  const input = inputOf(SMALL)
  const { output } = runOf(SMALL)
  const plate = referencePlate(input)
  const damage = recomputeDamage(plate, output.bonds ?? [])
  assert.deepEqual(Array.from(output.damage ?? []), Array.from(damage))
  const path = recomputePath(plate, damage)
  const { dx } = plate
  assert.deepEqual(
    output.crackPath,
    path.map((row, column) => [(column + 0.5) * dx, (row + 0.5) * dx]),
  )
  assert(Math.abs(recomputeLength(path) * dx - output.crackLengthAlongPath) < 1e-12)
  // A straight crack over half the width runs between two rows; damage fades over the last nodes before its end.
  const straight = recomputePath(plate, recomputeDamage(plate, bondsAtStart(latticeOf(input), input.crack)))
  assert(straight.length >= 18 && straight.length <= 20)
  assert(straight.every((row) => row === 11.5))
  assert.equal(recomputeLength(straight), straight.length - 0.5)
})

test.run()
