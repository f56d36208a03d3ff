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

interface Tridiagonal {
  readonly diagonal: Float64Array
  /** Between i and i + 1. */
  readonly beside: Float64Array
  /** Reflectors I − 2·v·vᵀ/(v·v) in the order they were applied; `v` acts on rows from `from`. */
  readonly reflectors: readonly { readonly from: number; readonly v: Float64Array; readonly beta: number }[]
}

/** Householder's reduction. @param matrix rows of the symmetric matrix, overwritten. */
const tridiagonalise = (matrix: readonly Float64Array[]): Tridiagonal => {
  const n = matrix.length
  const reflectors: { from: number; v: Float64Array; beta: number }[] = []
  const beside = new Float64Array(n)
  for (let k = 0; k < n - 2; k++) {
    const from = k + 1
    const m = n - from
    const row = matrix[k] as Float64Array
    const v = row.slice(from)
    let square = 0
    for (let i = 0; i < m; i++) square += v[i] * v[i]
    const norm = sqrt(square)
    const alpha = v[0] > 0 ? -norm : norm
    beside[k] = alpha
    const length = square - v[0] * alpha
    if (length === 0) continue
    v[0] -= alpha
    const beta = 1 / length
    const p = new Float64Array(m)
    for (let i = 0; i < m; i++) {
      const line = matrix[from + i] as Float64Array
      let sum = 0
      for (let j = 0; j < m; j++) sum += line[from + j] * v[j]
      p[i] = beta * sum
    }
    let dot = 0
    for (let i = 0; i < m; i++) dot += p[i] * v[i]
    const half = (beta * dot) / 2
    for (let i = 0; i < m; i++) p[i] -= half * v[i]
    for (let i = 0; i < m; i++) {
      const line = matrix[from + i] as Float64Array
      const [vi, pi] = [v[i], p[i]]
      for (let j = 0; j < m; j++) line[from + j] -= vi * p[j] + pi * v[j]
    }
    reflectors.push({ from, v, beta })
  }
  if (n > 1) beside[n - 2] = (matrix[n - 2] as Float64Array)[n - 1]
  return { diagonal: Float64Array.from(matrix, (row, i) => row[i]), beside, reflectors }
}

/** Turns rows i and i + 1 of the vectors by a plane rotation. */
const rotate = (low: Float64Array, high: Float64Array, c: number, s: number): void => {
  for (let k = 0; k < low.length; k++) {
    const [a, b] = [low[k], high[k]]
    high[k] = s * a + c * b
    low[k] = c * a - s * b
  }
}

/**
 * Implicit QL with Wilkinson's shift on a tridiagonal matrix, in place; rows of `vectors` follow.
 *
 * @returns false when an eigenvalue does not settle.
 */
const implicitQl = (d: Float64Array, e: Float64Array, vectors: readonly Float64Array[]): boolean => {
  const n = d.length
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l
      while (m < n - 1 && Math.abs(e[m]) > EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1]))) m++
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
        r = hypot(f, g)
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
        if (vectors.length > 0) rotate(vectors[i] as Float64Array, vectors[i + 1] as Float64Array, c, s)
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
export const tridiagonalValues = (diagonal: Float64Array, beside: Float64Array): Float64Array | undefined =>
  implicitQl(diagonal, beside, []) ? diagonal.sort() : undefined

/**
 * The `count` lowest eigenvalues and eigenvectors of a symmetric matrix: Householder's reduction, implicit QL, and the
 * reflections undone for the vectors that are wanted.
 *
 * @param matrix its rows; overwritten.
 * @returns undefined when an eigenvalue does not settle.
 */
export const lowestEigen = (matrix: readonly Float64Array[], count: number): Eigen | undefined => {
  const n = matrix.length
  const { diagonal, beside, reflectors } = tridiagonalise(matrix)
  const rows = Array.from({ length: n }, (_, i) => {
    const row = new Float64Array(n)
    row[i] = 1
    return row
  })
  if (!implicitQl(diagonal, beside, rows)) return undefined
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[a] - diagonal[b] || a - b)
  const wanted = order.slice(0, count)
  const vectors = wanted.map((at) => rows[at] as Float64Array)
  for (const y of vectors) {
    for (const { from, v, beta } of reflectors.toReversed()) {
      let dot = 0
      for (let i = 0; i < v.length; i++) dot += v[i] * y[from + i]
      const factor = beta * dot
      for (let i = 0; i < v.length; i++) y[from + i] -= factor * v[i]
    }
  }
  return { values: Float64Array.from(wanted, (at) => diagonal[at]), vectors }
}
