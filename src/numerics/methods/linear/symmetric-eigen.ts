import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import { spectrumOf, type Tridiagonal } from './spectrum.ts'

/** Lowest eigenvalues of a symmetric matrix, rising, with orthonormal eigenvectors as rows. */
export interface Eigen {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
}

/** Element of a symmetric matrix, row >= column. */
export type Element = (row: number, column: number) => number

/** Reflections of one call of the kernel: some milliseconds of the largest matrix. */
const STEPS_PER_CALL = 64
const DOUBLE = 8

/** A symmetric matrix made tridiagonal, and what takes its vectors back. */
export interface Reduced extends Tridiagonal {
  /** Turns a vector of the tridiagonal matrix into one of the matrix itself. */
  readonly restore: (vector: Float64Array) => Float64Array
}

/** A symmetric matrix differences(i − j) + sums(i + j), i >= j, `added` to its diagonal: n, 2n − 1 and n numbers. */
export interface ByDistance {
  readonly differences: Float64Array
  readonly sums: Float64Array
  readonly added: Float64Array
}

/** Rows of the kernel's memory: matrix and reflectors, vectors of its own, and what the caller gives. */
const OWN_ROWS = 6
const TABLE_ROWS = 4

/** Reduces what `fill` puts into a kernel's memory; its tables begin at `tables`, rows are `stride` doubles. */
const reduced = (n: number, fill: (kernel: Kernel, tables: number, stride: number) => void): Reduced => {
  const stride = n + (n & 1)
  const kernel = loadKernel('tridiagonal')
  const at = (rows: number): number => KERNEL_DATA_START + rows * stride * DOUBLE
  const tables = at(2 * n + OWN_ROWS)
  kernel.reserve(at(2 * n + OWN_ROWS + TABLE_ROWS))
  const { configure, reduce, finish, restore } = kernel.call
  assert(configure !== undefined && reduce !== undefined, 'the tridiagonal kernel is whole')
  assert(finish !== undefined && restore !== undefined, 'the tridiagonal kernel is whole')
  configure(n, KERNEL_DATA_START)
  fill(kernel, tables, stride)
  for (let from = 0; from < n - 2; from += STEPS_PER_CALL) reduce(from, Math.min(n - 2, from + STEPS_PER_CALL))
  finish()
  return {
    diagonal: kernel.f64(at(2 * n), n).slice(),
    beside: kernel.f64(at(2 * n + 1), n).slice(),
    restore: (vector) => {
      const place = kernel.f64(tables, stride)
      place.fill(0)
      place.set(vector)
      restore(tables)
      return place.slice(0, n)
    },
  }
}

/**
 * Householder's reduction.
 *
 * @param element the lower triangle of the matrix; it is asked for once.
 */
export const tridiagonalise = (n: number, element: Element): Reduced =>
  reduced(n, (kernel, _, stride) => {
    const matrix = kernel.f64(KERNEL_DATA_START, n * stride)
    for (let row = 0; row < n; row++) {
      for (let column = 0; column <= row; column++) matrix[row * stride + column] = element(row, column)
    }
  })

/**
 * Householder's reduction of a matrix that distances make.
 *
 * @param folded whether the last row is the middle of a larger matrix folded onto its half, where it came in twice: its
 * elements are divided by √2 before `added`, that on the diagonal by 2.
 */
export const tridiagonaliseByDistance = ({ differences, sums, added }: ByDistance, folded = false): Reduced => {
  const n = added.length
  return reduced(n, (kernel, tables, stride) => {
    const [differencesAt, sumsAt] = [tables, tables + stride * DOUBLE]
    const addedAt = sumsAt + 2 * stride * DOUBLE
    kernel.f64(differencesAt, n).set(differences.subarray(0, n))
    kernel.f64(sumsAt, 2 * n - 1).set(sums.subarray(0, 2 * n - 1))
    kernel.f64(addedAt, n).set(added)
    const { fill } = kernel.call
    assert(fill !== undefined, 'the tridiagonal kernel is whole')
    fill(differencesAt, sumsAt, addedAt, folded ? 1 : 0)
  })
}

/** The `count` lowest of a matrix that was reduced; undefined when it holds a number that is not finite. */
const lowestOf = (matrix: Reduced, count: number): Eigen | undefined => {
  const spectrum = spectrumOf(matrix, count)
  return spectrum && { values: spectrum.values, vectors: spectrum.vectors(count).map(matrix.restore) }
}

/**
 * The `count` lowest eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction, bisection for the
 * values, inverse iteration for the vectors, and the reflections undone.
 *
 * @returns undefined when the matrix holds a number that is not finite.
 */
export const lowestEigen = (n: number, count: number, element: Element): Eigen | undefined =>
  lowestOf(tridiagonalise(n, element), count)

/** The same of a matrix that distances make. */
export const lowestEigenByDistance = (matrix: ByDistance, count: number): Eigen | undefined =>
  lowestOf(tridiagonaliseByDistance(matrix), count)
