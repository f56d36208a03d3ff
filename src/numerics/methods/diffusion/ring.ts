import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { ringFactorsOf, stencilCentre } from './lines.ts'
import type { DiffusionProblem, Engine } from './problem.ts'

const DOUBLE = 8
const LINE = 64
const BLOCK = 8

/** A field on a ring of rings in a kernel of its own. */
export interface Ring {
  /** Takes the field over, moves it on by this many steps and gives it back, in place. */
  readonly advance: Engine['advance']
}

/** Sets the kernel up. @param field row-major, rows × columns, at least 3 of each: moved on in place. */
export const createRing = ({ rows, columns, rAlong, rAcross }: DiffusionProblem, field: Float64Array): Ring => {
  assert(rows >= 3 && columns >= 3 && field.length === rows * columns, 'a ring has three unknowns')
  const kernel = loadKernel('ring')
  // A row has room for the pair beyond its last column; an odd number of cache lines keeps rows apart in the cache.
  const lines = Math.ceil(((columns + 2) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = Math.ceil(rows / BLOCK) * BLOCK * rowBytes
  const fieldAt = KERNEL_DATA_START
  const workAt = fieldAt + fieldBytes
  const packedAt = workAt + fieldBytes
  const tablesAt = packedAt + columns * LINE
  kernel.reserve(tablesAt + 2 * (rows + columns) * DOUBLE)
  const { configure, step } = kernel.call
  assert(configure !== undefined && step !== undefined, 'the ring kernel is whole')
  const across = ringFactorsOf(rows, rAcross)
  const along = ringFactorsOf(columns, rAlong)
  const tables = kernel.f64(tablesAt, 2 * (rows + columns))
  tables.set(across.pivots, 0)
  tables.set(across.influence, rows)
  tables.set(along.pivots, 2 * rows)
  tables.set(along.influence, 2 * rows + columns)
  const layout = [rows, columns, rowBytes, fieldAt, workAt, packedAt, tablesAt]
  configure(...layout, stencilCentre(rAcross), stencilCentre(rAlong), across.rest, along.rest)
  const inside = kernel.f64(fieldAt, fieldBytes / DOUBLE)
  const rowAt = (row: number): number => (row * rowBytes) / DOUBLE
  return {
    advance: (from, to, each) => {
      for (let row = 0; row < rows; row++) inside.set(field.subarray(row * columns, (row + 1) * columns), rowAt(row))
      for (let taken = from + 1; taken <= to; taken++) {
        step()
        each(taken)
      }
      for (let row = 0; row < rows; row++) field.set(inside.subarray(rowAt(row), rowAt(row) + columns), row * columns)
    },
  }
}
