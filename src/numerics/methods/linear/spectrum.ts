import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'

/** A tridiagonal matrix: `beside[i]` stands between i and i + 1. */
export interface Tridiagonal {
  readonly diagonal: Float64Array
  readonly beside: Float64Array
}

/** The lower end of a tridiagonal matrix's spectrum. */
export interface LowerSpectrum {
  /** Its lowest eigenvalues, rising. */
  readonly values: Float64Array
  /** Orthonormal eigenvectors of the first so many of them; of equal values any. */
  readonly vectors: (count: number) => readonly Float64Array[]
}

const EPSILON = 2.220446049250313e-16
/** Share of the matrix's size below which a bracket around zero is narrow enough: 2^−100. */
const FLOOR = 7.888609052210118e-31
const DOUBLE = 8
/** Doubles of the eight brackets, and rows before the vectors: the layout of the kernel. */
const BRACKETS = 32
const ROWS = 9

/** Where all eigenvalues lie. */
interface Bounds {
  readonly low: number
  readonly high: number
  /** The larger of both without its sign; 1 for a matrix of zeros. */
  readonly size: number
  /** Width that is narrow enough for any bracket. */
  readonly floor: number
}

/** Gershgorin's bounds, widened by what rounding may do to a count. */
export const boundsOf = ({ diagonal, beside }: Tridiagonal): Bounds => {
  const n = diagonal.length
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < n; i++) {
    const reach = (i > 0 ? Math.abs(beside[i - 1]) : 0) + (i + 1 < n ? Math.abs(beside[i]) : 0)
    low = Math.min(low, diagonal[i] - reach)
    high = Math.max(high, diagonal[i] + reach)
  }
  const most = Math.max(Math.abs(low), Math.abs(high))
  const size = most === 0 ? 1 : most
  const slack = 4 * n * EPSILON * size
  return { low: low - slack, high: high + slack, size, floor: FLOOR * size }
}

/**
 * The `count` lowest eigenvalues by bisection on Sturm counts, each to the last bits of itself or of the counts, and
 * on demand their vectors by inverse iteration, each kept apart from those below it.
 *
 * @param count 1 … the size of the matrix.
 * @returns undefined for a matrix that holds a number which is not finite, or whose square is not.
 */
export const spectrumOf = (matrix: Tridiagonal, count: number): LowerSpectrum | undefined => {
  const n = matrix.diagonal.length
  const { low, high, size, floor } = boundsOf(matrix)
  if (!Number.isFinite(size * size)) return undefined
  const kernel = loadKernel('spectrum')
  const stride = (n + 3) & ~3
  const row = (number: number): number => KERNEL_DATA_START + (BRACKETS + number * stride) * DOUBLE
  kernel.reserve(row(ROWS + count))
  const { configure, lowest, invert } = kernel.call
  assert(configure !== undefined && lowest !== undefined && invert !== undefined, 'the spectrum kernel is whole')
  configure(n, KERNEL_DATA_START)
  kernel.f64(row(0), n).set(matrix.diagonal)
  kernel.f64(row(1), n).set(matrix.beside)
  lowest(count, low, high, floor)
  return {
    values: kernel.f64(row(3), count).slice(),
    vectors: (wanted) => {
      assert(wanted <= count, 'vectors belong to values')
      invert(wanted, size)
      return Array.from({ length: wanted }, (_, level) => kernel.f64(row(ROWS + level), n).slice())
    },
  }
}
