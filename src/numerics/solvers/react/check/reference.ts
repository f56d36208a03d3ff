import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { Fields } from '#numerics/solvers/react/problem.ts'
import type { ReactInput } from '#numerics/solvers/react/schema.ts'

const DOUBLE = 8
const LINE = 64
const GHOSTS = 2
/** Rows of slopes and stages that the kernel keeps, of both fields. */
const RING_ROWS = 2 * (5 * 8 + 5 * 4)

/** The equations' numbers as books write them. */
const numbersOf = ({ model, F, k, rate, a, b, epsilon, current }: ReactInput): readonly number[] =>
  model === 'gray-scott' ? [F, F + k, 0, 0, 0] : [rate, current, rate * epsilon, a, b]

/**
 * The way of both fields again, from any start: Dormand and Prince's fifth order with a stencil of its own, in a kernel
 * of its own.
 *
 * @returns a function that gives both fields some steps after a start.
 */
export const referenceReaction = (input: ReactInput): ((start: Fields, steps: number) => Fields) => {
  const { n, dx, dt, Du, Dv, model } = input
  const kernel = loadKernel('retrace')
  // Odd lines, so that the rows of a ring do not all fall on one set of a cache.
  const lines = Math.ceil(((n + 2 * GHOSTS) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  kernel.reserve(KERNEL_DATA_START + (4 * n + RING_ROWS) * rowBytes)
  const { configure, surround, step, fields } = kernel.call
  assert(configure !== undefined && surround !== undefined, 'the kernel retrace is whole')
  assert(step !== undefined && fields !== undefined, 'the kernel retrace is whole')
  const weights = [Du / (dx * dx), Dv / (dx * dx), ...numbersOf(input), dt]
  const rowOf = (row: number, which: number): Float64Array =>
    kernel.f64(fields() + (2 * row + which) * rowBytes + GHOSTS * DOUBLE, n)
  return ({ u, v }, steps) => {
    configure(n, rowBytes, KERNEL_DATA_START, model === 'gray-scott' ? 0 : 1, ...weights)
    for (let row = 0; row < n; row++) {
      rowOf(row, 0).set(u.subarray(row * n, (row + 1) * n))
      rowOf(row, 1).set(v.subarray(row * n, (row + 1) * n))
    }
    surround()
    for (let taken = 0; taken < steps; taken++) step()
    const found: Fields = { u: new Float64Array(n * n), v: new Float64Array(n * n) }
    for (let row = 0; row < n; row++) {
      found.u.set(rowOf(row, 0), row * n)
      found.v.set(rowOf(row, 1), row * n)
    }
    return found
  }
}
