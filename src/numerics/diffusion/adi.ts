import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/kernel.ts'
import { factorsOf, stencilCentre } from './lines.ts'

/** A rectangle of unknowns and the numbers of the scheme on it. */
export interface AdiPlan {
  /** Unknowns in each direction; at least 8 of each. */
  readonly rows: number
  readonly columns: number
  /** α·dt/dy² across the rows and α·dt/dx² along them. */
  readonly rAcross: number
  readonly rAlong: number
  /**
   * Whether the edges are insulated (the unknowns reach to the edge) or fixed at zero (they end one node before it).
   */
  readonly insulated: boolean
}

/** A field in the memory of the heat kernel, moved on by Peaceman–Rachford steps. */
export interface Adi {
  /** The field after the last step that was kept, row-major, without padding: a view, not a copy. */
  readonly field: Float64Array
  /** Takes the steps `from` (inclusive) to `to` (exclusive); their numbers' parity is the direction of the pass. */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
}

const DOUBLE = 8
const LINE = 64
const UNKNOWNS_MIN = 8

/** Bytes of a padded row: an odd number of cache lines, because rows a power of two apart share too few cache sets. */
const rowBytesOf = (columns: number): number => {
  const lines = Math.ceil(((columns + (columns % 2)) * DOUBLE) / LINE)
  return (lines % 2 === 0 ? lines + 1 : lines) * LINE
}

const aligned = (bytes: number): number => Math.ceil(bytes / LINE) * LINE

/** Sets a field up in a kernel of its own. @param start row-major, rows × columns. */
export const createAdi = (plan: AdiPlan, start: Float64Array): Adi => {
  const { rows, columns, rAcross, rAlong, insulated } = plan
  assert(rows >= UNKNOWNS_MIN && columns >= UNKNOWNS_MIN, 'the kernel works on eight rows at a time')
  assert(start.length === rows * columns, 'the field fits the plan')
  const kernel = loadKernel('heat')
  const rowBytes = rowBytesOf(columns)
  const fieldAt = KERNEL_DATA_START
  const eliminatedAt = fieldAt + aligned(rows * columns * DOUBLE)
  const carriedAt = eliminatedAt + rows * rowBytes
  const packedAt = carriedAt + 2 * rowBytes
  const tablesAt = packedAt + (columns + 1) * LINE
  kernel.reserve(tablesAt + 2 * (rows + columns) * DOUBLE)
  const across = factorsOf(rows, rAcross, insulated)
  const along = factorsOf(columns, rAlong, insulated)
  const tables = kernel.f64(tablesAt, 2 * (rows + columns))
  tables.set(across.pivots, 0)
  // A pass meets the rows in the opposite order of their elimination.
  tables.set(across.backs.slice().reverse(), rows)
  tables.set(along.pivots, 2 * rows)
  tables.set(along.backs, 2 * rows + columns)
  const field = kernel.f64(fieldAt, rows * columns)
  field.set(start)
  const { configure, open, step } = kernel.call
  assert(configure !== undefined && open !== undefined && step !== undefined, 'the heat kernel is whole')
  const layout = [rows, columns, rowBytes, fieldAt, eliminatedAt, carriedAt, packedAt, tablesAt]
  configure(...layout, stencilCentre(rAcross), stencilCentre(rAlong), insulated ? 1 : 0)
  let opened: number | undefined
  return {
    field,
    advance: (from, to, each) => {
      if (opened !== from) open(from)
      for (let number = from; number < to; number++) {
        step(number, number === to - 1 ? 1 : 0)
        each(number + 1)
      }
      opened = to
    },
  }
}
