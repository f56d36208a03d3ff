// Goal: multigrid solves any symmetric stencil at a rate that does not depend on its size, jumps included.
// Method: systems with a known solution on odd and even grids, coefficients drawn over six decades, a singular one; the
// kernel against plain loops bit by bit.
import assert from 'node:assert/strict'
import { coarsen, transferOf } from '#numerics/methods/poisson/coarsen.ts'
import { solveByMultigrid } from '#numerics/methods/poisson/multigrid.ts'
import { allocate, applyStencil, emptyStencil, type Stencil, sizeOf } from '#numerics/methods/poisson/stencil.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { type Random, seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { twinProlong, twinRelax, twinRestrict } from './multigrid-twin.ts'

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
  const residuals = solveByMultigrid({ a, right, x }, { tolerance: 1e-12 })
  const off = x.reduce((most, it, i) => Math.max(most, Math.abs(it - (wanted[i] as number))), 0)
  assert(off < 1e-6, `off by ${off}`)
  return residuals.length
}

/** Over 400 seeds the worst medium of these sizes took 91. */
const JUMPING_ITERATIONS_MAX = 100

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
    assert(iterations <= JUMPING_ITERATIONS_MAX, `${rows} × ${columns}: ${iterations}`)
  }
})

test('the kernel gives the bits of plain loops, on odd and even sides', () => {
  const random = seeded()
  for (const [rows, columns] of [
    [6, 7],
    [9, 12],
    [8, 3],
  ] as const) {
    const a = coarsen(
      drawnStencil(2 * rows, 2 * columns, 1, random),
      transferOf(drawnStencil(2 * rows, 2 * columns, 1, random), allocate),
      allocate,
    )
    const transfer = transferOf(a, allocate)
    const size = a.centre.length
    const noise = (): Float64Array => {
      const values = new Float64Array(size)
      for (let row = 1; row <= rows; row++) {
        for (let column = 1; column <= columns; column++) values[row * a.stride + column] = random.next() - 0.5
      }
      return values
    }
    const [x, b] = [noise(), noise()]
    const inverse = a.centre.map((it) => (it === 0 ? 0 : 1 / it))
    const [coarseRows, coarseColumns] = [(rows + 1) >> 1, (columns + 1) >> 1]
    const coarseSize = sizeOf(coarseRows, coarseColumns)
    const kernel = loadKernel('multigrid')
    kernel.reserve(KERNEL_DATA_START + 16 * size * 8)
    let used = 0
    const placed = (values: Float64Array): Float64Array => {
      const view = kernel.f64(KERNEL_DATA_START + 8 * used, values.length)
      view.set(values)
      used += values.length
      return view
    }
    const arrays = [a.east, a.north, a.northEast, a.northWest].map((it) => placed(it).byteOffset)
    const weights = [transfer.a, transfer.b, transfer.c, transfer.d].map((it) => placed(it).byteOffset)
    const [kx, kb, kInverse, kCentre] = [placed(x), placed(b), placed(inverse), placed(a.centre)] as const
    const [kOut, kCoarse] = [placed(new Float64Array(size)), placed(new Float64Array(coarseSize))] as const
    const shape = [rows, columns, 8 * a.stride]
    for (const way of ['forward', 'backward'] as const) {
      kernel.call[way]?.(...shape, kInverse.byteOffset, ...arrays, kx.byteOffset, kb.byteOffset)
      twinRelax(a, { inverse, x, b }, way === 'forward')
      assert.deepEqual(Float64Array.from(kx), x, way)
    }
    const out = new Float64Array(size)
    kernel.call['apply']?.(...shape, kCentre.byteOffset, ...arrays, kx.byteOffset, kOut.byteOffset)
    applyStencil(a, x, out)
    assert.deepEqual(Float64Array.from(kOut), out)
    kernel.call['leave']?.(kOut.byteLength, kb.byteOffset, kOut.byteOffset)
    const residual = b.map((it, i) => it - (out[i] as number))
    assert.deepEqual(Float64Array.from(kOut), residual)
    const strides = [8 * a.stride, 8 * (coarseColumns + 2)]
    kernel.call['restrict']?.(coarseRows, coarseColumns, ...strides, ...weights, kOut.byteOffset, kCoarse.byteOffset)
    const to = new Float64Array(coarseSize)
    twinRestrict(a, transfer, { residual, to, stride: coarseColumns + 2 })
    assert.deepEqual(Float64Array.from(kCoarse), to)
    kernel.call['prolong']?.(rows, columns, ...strides, ...weights, kCoarse.byteOffset, kx.byteOffset)
    twinProlong(a, transfer, { x, z: to, stride: coarseColumns + 2 })
    assert.deepEqual(Float64Array.from(kx), x)
  }
})

test('a right side of nothing gives nothing, and an operator that holds nowhere is refused', () => {
  const a = drawnStencil(9, 9, 0, seeded())
  const x = new Float64Array(a.centre.length).fill(1)
  solveByMultigrid({ a, right: new Float64Array(x.length), x }, { tolerance: 1e-12 })
  assert(x.every((it) => it === 0))
  const loose = emptyStencil(3, 3)
  const right = new Float64Array(loose.centre.length).fill(1)
  const solve = (): unknown => solveByMultigrid({ a: loose, right, x: right.map(() => 0) }, { tolerance: 1e-12 })
  assert.throws(solve, { code: 'ILL_POSED' })
})

test.run()
