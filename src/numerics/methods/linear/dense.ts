import { sqrt } from '#numerics/math.ts'

/** Small dense matrices as row-major arrays. Nothing here allocates but what says that it returns a fresh one. */

/** Rows of the left matrix, its columns (rows of the right one), columns of the right one. */
export interface ProductSize {
  readonly rows: number
  readonly inner: number
  readonly columns: number
}

/** into = a·b. Zeros of a are passed over: transitions and measurements are mostly zeros. */
export const product = (a: Float64Array, b: Float64Array, into: Float64Array, size: ProductSize): void => {
  const { rows, inner, columns } = size
  for (let i = 0; i < rows; i++) {
    const row = i * columns
    for (let j = 0; j < columns; j++) into[row + j] = 0
    for (let k = 0; k < inner; k++) {
      const factor = a[i * inner + k]
      if (factor === 0) continue
      const other = k * columns
      for (let j = 0; j < columns; j++) into[row + j] += factor * b[other + j]
    }
  }
}

/** into = a·b of square matrices whose product is known to be symmetric: the lower half is computed and mirrored. */
export const productSymmetric = (a: Float64Array, b: Float64Array, into: Float64Array, n: number): void => {
  for (let i = 0; i < n; i++) {
    const row = i * n
    for (let j = 0; j <= i; j++) into[row + j] = 0
    for (let k = 0; k < n; k++) {
      const factor = a[row + k]
      if (factor === 0) continue
      const other = k * n
      for (let j = 0; j <= i; j++) into[row + j] += factor * b[other + j]
    }
    for (let j = 0; j < i; j++) into[j * n + i] = into[row + j]
  }
}

/** into = a·bᵀ, b given as columns × inner. */
export const productTransposed = (a: Float64Array, b: Float64Array, into: Float64Array, size: ProductSize): void => {
  const { rows, inner, columns } = size
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0
      for (let k = 0; k < inner; k++) sum += a[i * inner + k] * b[j * inner + k]
      into[i * columns + j] = sum
    }
  }
}

/** A fresh transpose of a rows × columns matrix. */
export const transposed = (a: Float64Array, rows: number, columns: number): Float64Array => {
  const out = new Float64Array(a.length)
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) out[j * rows + i] = a[i * columns + j]
  return out
}

/** into = aᵀ of a square matrix. */
export const transposeInto = (a: Float64Array, into: Float64Array, n: number): void => {
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) into[j * n + i] = a[i * n + j]
}

/** Makes a square matrix the mean of itself and its transpose. */
export const symmetrise = (a: Float64Array, n: number): void => {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const mean = (a[i * n + j] + a[j * n + i]) / 2
      a[i * n + j] = mean
      a[j * n + i] = mean
    }
  }
}

/**
 * The lower factor L of a symmetric matrix L·Lᵀ, its upper part zero.
 *
 * @param slack share of a diagonal element below which what is left of it counts as zero: 0 wants a definite matrix,
 * more lets a semidefinite one pass, with a column of zeros.
 * @returns whether the matrix is so.
 */
export const cholesky = (a: Float64Array, into: Float64Array, n: number, slack = 0): boolean => {
  for (let j = 0; j < n; j++) {
    let left = a[j * n + j]
    for (let k = 0; k < j; k++) left -= into[j * n + k] * into[j * n + k]
    const nothing = slack * Math.abs(a[j * n + j])
    const empty = slack > 0 && Math.abs(left) <= nothing
    if (!(empty || left > 0)) return false
    const pivot = empty ? 0 : sqrt(left)
    into[j * n + j] = pivot
    for (let i = j + 1; i < n; i++) {
      let value = a[i * n + j]
      for (let k = 0; k < j; k++) value -= into[i * n + k] * into[j * n + k]
      if (empty && Math.abs(value) > sqrt(slack) * sqrt(Math.abs(a[i * n + i] * a[j * n + j]))) return false
      into[i * n + j] = empty ? 0 : value / pivot
      into[j * n + i] = 0
    }
  }
  return true
}

/** Solves L·Lᵀ·x = b for each of the rows of b (rows × n), in place: b becomes b·(L·Lᵀ)⁻¹. */
export const solveRows = (factor: Float64Array, b: Float64Array, rows: number, n: number): void => {
  for (let r = 0; r < rows; r++) {
    const at = r * n
    for (let i = 0; i < n; i++) {
      let value = b[at + i]
      for (let k = 0; k < i; k++) value -= factor[i * n + k] * b[at + k]
      b[at + i] = value / factor[i * n + i]
    }
    for (let i = n - 1; i >= 0; i--) {
      let value = b[at + i]
      for (let k = i + 1; k < n; k++) value -= factor[k * n + i] * b[at + k]
      b[at + i] = value / factor[i * n + i]
    }
  }
}

/**
 * Solves a·x = b for `columns` right-hand sides by Gaussian elimination with row exchanges; a and b are destroyed, b
 * becomes x.
 *
 * @returns false for a singular matrix.
 */
export const solveGeneral = (a: Float64Array, b: Float64Array, n: number, columns: number): boolean => {
  for (let k = 0; k < n; k++) {
    let best = k
    for (let i = k + 1; i < n; i++) if (Math.abs(a[i * n + k]) > Math.abs(a[best * n + k])) best = i
    const pivot = a[best * n + k]
    if (!(Math.abs(pivot) > 0)) return false
    if (best !== k) {
      swapRows(a, n, k, best)
      swapRows(b, columns, k, best)
    }
    for (let i = k + 1; i < n; i++) {
      const factor = a[i * n + k] / pivot
      if (factor === 0) continue
      for (let j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j]
      for (let j = 0; j < columns; j++) b[i * columns + j] -= factor * b[k * columns + j]
    }
  }
  for (let j = 0; j < columns; j++) {
    for (let i = n - 1; i >= 0; i--) {
      let value = b[i * columns + j]
      for (let k = i + 1; k < n; k++) value -= a[i * n + k] * b[k * columns + j]
      b[i * columns + j] = value / a[i * n + i]
    }
  }
  return true
}

const swapRows = (a: Float64Array, columns: number, i: number, j: number): void => {
  for (let k = 0; k < columns; k++) {
    const kept = a[i * columns + k]
    a[i * columns + k] = a[j * columns + k]
    a[j * columns + k] = kept
  }
}

/** The sum of a square matrix's diagonal. */
export const traceOf = (a: ArrayLike<number>, n: number): number => {
  let sum = 0
  for (let i = 0; i < n; i++) sum += a[i * n + i] as number
  return sum
}
