// Goal: multigrid solves any symmetric stencil at a rate that does not depend on its size, jumps included.
// Method: systems with a known solution on odd and even grids, coefficients drawn over six decades, a singular one.
import assert from 'node:assert/strict'
import { multigrid } from '#numerics/poisson/multigrid.ts'
import { applyStencil, emptyStencil, type Stencil, sizeOf } from '#numerics/poisson/stencil.ts'
import { type Random, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('numerics/multigrid')

/** −∇·(c∇u) with u = 0 beyond the edge, c drawn per point from 10^−spread … 10^spread. */
const drawnStencil = (rows: number, columns: number, spread: number, random: Random): Stencil => {
  const a = emptyStencil(rows, columns)
  const c = Array.from({ length: sizeOf(rows, columns) }, () => 10 ** (spread * (2 * random.next() - 1)))
  for (let row = 1; row <= rows; row++) {
    for (let column = 1; column <= columns; column++) {
      const i = row * a.stride + column
      for (const [arm, step, inside] of [
        [a.east, 1, column < columns],
        [a.north, a.stride, row < rows],
      ] as const) {
        const pull = Math.min(c[i] as number, c[i + step] as number)
        a.centre[i] += pull
        if (!inside) continue
        arm[i] = -pull
        a.centre[i + step] += pull
      }
      if (column === 1) a.centre[i] += c[i] as number
      if (row === 1) a.centre[i] += c[i] as number
    }
  }
  return a
}

const factorOf = (a: Stencil, random: Random): number => {
  const wanted = new Float64Array(a.centre.length)
  for (let row = 1; row <= a.rows; row++) {
    for (let column = 1; column <= a.columns; column++) wanted[row * a.stride + column] = random.next() - 0.5
  }
  const right = new Float64Array(wanted.length)
  applyStencil(a, wanted, right)
  const x = new Float64Array(wanted.length)
  const residuals = multigrid(a).solve(x, right, { tolerance: 1e-12 })
  const off = x.reduce((most, it, i) => Math.max(most, Math.abs(it - (wanted[i] as number))), 0)
  assert(off < 1e-6, `off by ${off}`)
  return residuals.length
}

test('an even medium takes as many iterations on any grid, whatever its sides', () => {
  const random = seeded()
  for (const [rows, columns] of [
    [7, 7],
    [32, 33],
    [64, 31],
    [5, 200],
    [128, 128],
    [1, 40],
  ] as const) {
    const iterations = factorOf(drawnStencil(rows, columns, 0, random), random)
    assert(iterations <= 16, `${rows} × ${columns}: ${iterations}`)
  }
})

test('coefficients that jump by six decades from point to point are solved too', () => {
  const random = seeded()
  for (const [rows, columns] of [
    [40, 41],
    [65, 100],
  ] as const) {
    const iterations = factorOf(drawnStencil(rows, columns, 3, random), random)
    assert(iterations <= 80, `${rows} × ${columns}: ${iterations}`)
  }
})

test('a right side of nothing gives nothing, and an operator that holds nowhere is refused', () => {
  const a = drawnStencil(9, 9, 0, seeded())
  const x = new Float64Array(a.centre.length).fill(1)
  multigrid(a).solve(x, new Float64Array(x.length), { tolerance: 1e-12 })
  assert(x.every((it) => it === 0))
  const loose = emptyStencil(3, 3)
  assert.throws(() => multigrid(loose), { code: 'ILL_POSED' })
})

test.run()
