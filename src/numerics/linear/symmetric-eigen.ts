import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/kernel.ts'
import { hypot, sqrt } from '#numerics/math.ts'

/** Lowest eigenvalues of a symmetric matrix, rising, with orthonormal eigenvectors as rows. */
export interface Eigen {
  readonly values: Float64Array
  readonly vectors: readonly Float64Array[]
}

/** Sweeps after which one eigenvalue has not settled; a handful is usual. */
const SWEEPS_MAX = 60
/** Relative size below which an off-diagonal element is zero. */
const EPSILON = 2.220446049250313e-16
/** Solves of inverse iteration: the second is exact for all but the worst of starts. */
const SOLVES = 3
/** Reflections of one call of the kernel: some milliseconds of the largest matrix. */
const STEPS_PER_CALL = 64
const DOUBLE = 8

/** A tridiagonal matrix: `beside[i]` stands between i and i + 1. */
export interface Tridiagonal {
  readonly diagonal: Float64Array
  readonly beside: Float64Array
}

/** A symmetric matrix made tridiagonal, and what takes its vectors back. */
export interface Reduced extends Tridiagonal {
  /** Turns a vector of the tridiagonal matrix into one of the matrix itself. */
  readonly restore: (vector: Float64Array) => Float64Array
}

/**
 * Householder's reduction.
 *
 * @param element the lower triangle of the matrix, row >= column; it is asked for once.
 */
export const tridiagonalise = (n: number, element: (row: number, column: number) => number): Reduced => {
  const stride = n + (n & 1)
  const kernel = loadKernel('tridiagonal')
  const at = (rows: number): number => KERNEL_DATA_START + rows * stride * DOUBLE
  kernel.reserve(at(2 * n + 7))
  const matrix = kernel.f64(KERNEL_DATA_START, n * stride)
  for (let row = 0; row < n; row++) {
    for (let column = 0; column <= row; column++) matrix[row * stride + column] = element(row, column)
  }
  const { configure, reduce, finish, restore } = kernel.call
  assert(configure !== undefined && reduce !== undefined, 'the tridiagonal kernel is whole')
  assert(finish !== undefined && restore !== undefined, 'the tridiagonal kernel is whole')
  configure(n, KERNEL_DATA_START)
  for (let from = 0; from < n - 2; from += STEPS_PER_CALL) reduce(from, Math.min(n - 2, from + STEPS_PER_CALL))
  finish()
  return {
    diagonal: kernel.f64(at(2 * n), n).slice(),
    beside: kernel.f64(at(2 * n + 1), n).slice(),
    restore: (vector) => {
      const place = kernel.f64(at(2 * n + 6), stride)
      place.fill(0)
      place.set(vector)
      restore(at(2 * n + 6))
      return place.slice(0, n)
    },
  }
}

/**
 * Implicit QL with Wilkinson's shift on a tridiagonal matrix, in place.
 *
 * @returns false when an eigenvalue does not settle.
 */
const implicitQl = (d: Float64Array, e: Float64Array): boolean => {
  const n = d.length
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l
      // Asked this way round, what is not a number never settles.
      while (m < n - 1 && !(Math.abs(e[m]) <= EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1])))) m++
      if (m === l) break
      if (sweep === SWEEPS_MAX) return false
      let g = (d[l + 1] - d[l]) / (2 * e[l])
      let r = hypot(g, 1)
      g = d[m] - d[l] + e[l] / (g + (g < 0 ? -r : r))
      let [s, c, p] = [1, 1, 0]
      let i = m - 1
      for (; i >= l; i--) {
        const f = s * e[i]
        const b = c * e[i]
        r = sqrt(f * f + g * g)
        e[i + 1] = r
        if (r === 0) {
          d[i + 1] -= p
          e[m] = 0
          break
        }
        s = f / r
        c = g / r
        g = d[i + 1] - p
        r = (d[i] - g) * s + 2 * c * b
        p = s * r
        d[i + 1] = g + p
        g = c * r - b
      }
      if (r === 0 && i >= l) continue
      d[l] -= p
      e[l] = g
      e[m] = 0
    }
  }
  return true
}

/** Eigenvalues of a tridiagonal matrix, rising; undefined when one does not settle. */
export const tridiagonalValues = ({ diagonal, beside }: Tridiagonal): Float64Array | undefined => {
  const values = diagonal.slice()
  return implicitQl(values, beside.slice()) ? values.sort() : undefined
}

/** T − λ as a product of an upper and a permuted lower triangle: elimination with partial pivoting. */
interface Factor {
  readonly pivots: Float64Array
  readonly upper: Float64Array
  readonly second: Float64Array
  readonly multipliers: Float64Array
  /** 1 where a row changed places with the one below. */
  readonly swapped: Uint8Array
}

const factorOf = ({ diagonal, beside }: Tridiagonal, value: number, least: number): Factor => {
  const n = diagonal.length
  const factor: Factor = {
    pivots: new Float64Array(n),
    upper: new Float64Array(n),
    second: new Float64Array(n),
    multipliers: new Float64Array(n),
    swapped: new Uint8Array(n),
  }
  const { pivots, upper, second, multipliers, swapped } = factor
  let [here, next] = [diagonal[0] - value, beside[0]]
  for (let i = 0; i < n - 1; i++) {
    const [low, own, after] = [beside[i], diagonal[i + 1] - value, i + 2 < n ? beside[i + 1] : 0]
    if (Math.abs(here) >= Math.abs(low)) {
      pivots[i] = here === 0 ? least : here
      upper[i] = next
      multipliers[i] = low / pivots[i]
      ;[here, next] = [own - multipliers[i] * next, after]
    } else {
      swapped[i] = 1
      pivots[i] = low
      upper[i] = own
      second[i] = after
      multipliers[i] = here / low
      ;[here, next] = [next - multipliers[i] * own, -multipliers[i] * after]
    }
  }
  pivots[n - 1] = here === 0 ? least : here
  return factor
}

const solveIn = (x: Float64Array, { pivots, upper, second, multipliers, swapped }: Factor): void => {
  const n = x.length
  for (let i = 0; i < n - 1; i++) {
    if (swapped[i] === 1) [x[i], x[i + 1]] = [x[i + 1], x[i]]
    x[i + 1] -= multipliers[i] * x[i]
  }
  for (let i = n - 1; i >= 0; i--) {
    let rest = x[i]
    if (i + 1 < n) rest -= upper[i] * x[i + 1]
    if (i + 2 < n) rest -= second[i] * x[i + 2]
    x[i] = rest / pivots[i]
  }
}

const dotOf = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Takes out of `x` what lies along unit vectors, and makes its length 1. */
const orthonormalise = (x: Float64Array, others: readonly Float64Array[]): void => {
  const largest = x.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
  for (let i = 0; i < x.length; i++) x[i] /= largest
  for (const other of others) {
    const along = dotOf(x, other)
    for (let i = 0; i < x.length; i++) x[i] -= along * other[i]
  }
  const length = sqrt(dotOf(x, x))
  for (let i = 0; i < x.length; i++) x[i] /= length
}

/** A start with a share of every vector: numbers in [0.5, 1.5) that no symmetry has. */
const startOf = (n: number, level: number): Float64Array => {
  let word = 12_345 + 7_919 * level
  return Float64Array.from({ length: n }, () => {
    word = (Math.imul(word, 1_103_515_245) + 12_345) >>> 0
    return 0.5 + word / 4_294_967_296
  })
}

/**
 * Orthonormal eigenvectors of a tridiagonal matrix by inverse iteration, each kept apart from those before it.
 *
 * @param values its eigenvalues, rising; of equal ones any orthonormal vectors.
 */
export const tridiagonalVectors = (matrix: Tridiagonal, values: Float64Array): readonly Float64Array[] => {
  const { diagonal, beside } = matrix
  const size = diagonal.reduce((most, it, i) => Math.max(most, Math.abs(it) + 2 * Math.abs(beside[i])), 0) || 1
  const vectors: Float64Array[] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [level, value] of values.entries()) {
    // Of a cluster each has a shift of its own.
    const shift = Math.max(value, last + 4 * EPSILON * size)
    last = shift
    const factor = factorOf(matrix, shift, EPSILON * size)
    const x = startOf(diagonal.length, level)
    for (let solve = 0; solve < SOLVES; solve++) {
      solveIn(x, factor)
      orthonormalise(x, vectors)
    }
    vectors.push(x)
  }
  return vectors
}

/**
 * The `count` lowest eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction, implicit QL for the
 * values, inverse iteration for the vectors that are wanted, and the reflections undone.
 *
 * @param element the lower triangle, row >= column.
 * @returns undefined when an eigenvalue does not settle.
 */
export const lowestEigen = (
  n: number,
  count: number,
  element: (row: number, column: number) => number,
): Eigen | undefined => {
  const reduced = tridiagonalise(n, element)
  const values = tridiagonalValues(reduced)?.slice(0, count)
  if (values === undefined) return undefined
  return { values, vectors: tridiagonalVectors(reduced, values).map(reduced.restore) }
}
