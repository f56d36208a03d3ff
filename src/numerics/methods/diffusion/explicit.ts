import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { DiffusionProblem, Engine } from './problem.ts'

const DOUBLE = 8
const LINE = 64
const BEFORE = 2
const KINDS = { fixed: 0, insulated: 1, periodic: 2 } as const

/** What an explicit scheme is told of a problem. */
export type ExplicitPlan = Omit<DiffusionProblem, 'scheme' | 'damped'>

/**
 * A field in the memory of a kernel of its own, moved on by explicit steps.
 *
 * @param start row-major, rows × columns; lines have at least 3 unknowns.
 */
export const createExplicit = (plan: ExplicitPlan, start: Float64Array): Engine => {
  const { rows, columns, rAlong, rAcross, boundary } = plan
  assert(start.length === rows * columns && columns >= 3, 'the field fits the plan')
  const kernel = loadKernel('diffuse')
  const lines = Math.ceil(((columns + BEFORE + 2) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = (rows + 2) * rowBytes
  const places = [KERNEL_DATA_START, KERNEL_DATA_START + fieldBytes] as const
  kernel.reserve(KERNEL_DATA_START + 2 * fieldBytes)
  const { configure, step } = kernel.call
  assert(configure !== undefined && step !== undefined, 'the diffuse kernel is whole')
  configure(rows, columns, rowBytes, KINDS[boundary], rAlong, rAcross)
  const views = places.map((at) => kernel.f64(at, fieldBytes / DOUBLE))
  const rowAt = (row: number): number => ((row + 1) * rowBytes) / DOUBLE + BEFORE
  for (let row = 0; row < rows; row++) views[0].set(start.subarray(row * columns, (row + 1) * columns), rowAt(row))
  const field = start.slice() // without padding: a copy that is kept up to date
  let newest = 0
  const advance = (from: number, to: number, each: (number: number) => void): void => {
    for (let taken = from + 1; taken <= to; taken++) {
      step(places[newest], places[1 - newest])
      newest = 1 - newest
      each(taken)
    }
    for (let row = 0; row < rows; row++) {
      field.set(views[newest].subarray(rowAt(row), rowAt(row) + columns), row * columns)
    }
  }
  return { field, advance }
}
