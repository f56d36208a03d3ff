import { assert } from '#core/assert.ts'
import { minimumDegree } from './minimum-degree.ts'

/** A symmetric sparse matrix: every element of both halves, column by column; a place may occur several times. */
export interface SparseSymmetric {
  readonly n: number
  readonly start: Int32Array
  readonly row: Int32Array
  readonly value: Float64Array
}

/** A factored matrix. */
export interface SparseFactor {
  /** Solves in place. */
  solve(b: Float64Array): void
  /** The smallest pivot as a share of the largest element of its column of the matrix. */
  readonly leastPivot: number
  /** Elements below the diagonal. */
  readonly fill: number
}

/** Elements of a matrix one by one; both halves and the diagonal, a place as often as it likes. */
export interface Triples {
  readonly row: Int32Array
  readonly column: Int32Array
  readonly value: Float64Array
}

/** A symmetric n × n matrix from its elements. */
export const sparseOf = (n: number, { row: rows, column: columns, value: values }: Triples): SparseSymmetric => {
  const start = new Int32Array(n + 1)
  for (let k = 0; k < columns.length; k++) start[columns[k] + 1]++
  for (let j = 0; j < n; j++) start[j + 1] += start[j]
  const next = start.slice()
  const row = new Int32Array(rows.length)
  const value = new Float64Array(rows.length)
  for (let k = 0; k < rows.length; k++) {
    const at = next[columns[k]]++
    row[at] = rows[k]
    value[at] = values[k]
  }
  return { n, start, row, value }
}

interface Permuted extends SparseSymmetric {
  /** Old numbers in the order of elimination, and its inverse. */
  readonly order: Int32Array
  readonly place: Int32Array
}

const permuted = (matrix: SparseSymmetric): Permuted => {
  const { n, start, row, value } = matrix
  const order = minimumDegree(matrix)
  const place = new Int32Array(n)
  for (let k = 0; k < n; k++) place[order[k]] = k
  const from = new Int32Array(n + 1)
  const rows = new Int32Array(row.length)
  const values = new Float64Array(row.length)
  let at = 0
  for (let k = 0; k < n; k++) {
    const j = order[k]
    for (let p = start[j]; p < start[j + 1]; p++) {
      rows[at] = place[row[p]]
      values[at++] = value[p]
    }
    from[k + 1] = at
  }
  return { n, start: from, row: rows, value: values, order, place }
}

/** Parents in the elimination tree and the first place of each column of the factor. */
const symbolic = ({ n, start, row }: SparseSymmetric) => {
  const parent = new Int32Array(n).fill(-1)
  const flag = new Int32Array(n)
  const counts = new Int32Array(n)
  for (let k = 0; k < n; k++) {
    flag[k] = k
    for (let p = start[k]; p < start[k + 1]; p++) {
      for (let i = row[p]; i < k && flag[i] !== k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k
        counts[i]++
        flag[i] = k
      }
    }
  }
  const begin = new Int32Array(n + 1)
  for (let k = 0; k < n; k++) begin[k + 1] = begin[k] + counts[k]
  return { parent, begin }
}

/**
 * L·D·Lᵀ of a symmetric matrix in an order of minimum degree, row by row (Davis, ACM TOMS 31 (2005) 587). Pivots are
 * taken as they come: a matrix that is not definite may still pass, and `leastPivot` says how near it was to none.
 *
 * @returns undefined at a pivot that is zero.
 */
export const factorSparse = (matrix: SparseSymmetric): SparseFactor | undefined => {
  const { n, start, row, value, order, place } = permuted(matrix)
  const { parent, begin } = symbolic({ n, start, row, value })
  const fill = begin[n]
  const index = new Int32Array(fill)
  const lower = new Float64Array(fill)
  const d = new Float64Array(n)
  const [y, filled] = [new Float64Array(n), new Int32Array(n)]
  const [flag, pattern, stack] = [new Int32Array(n).fill(-1), new Int32Array(n), new Int32Array(n)]
  let leastPivot = Number.POSITIVE_INFINITY
  for (let k = 0; k < n; k++) {
    let top = n
    flag[k] = k
    let size = 0
    for (let p = start[k]; p < start[k + 1]; p++) {
      if (row[p] > k) {
        size = Math.max(size, Math.abs(value[p]))
        continue
      }
      y[row[p]] += value[p]
      let length = 0
      for (let i = row[p]; flag[i] !== k; i = parent[i]) {
        stack[length++] = i
        flag[i] = k
      }
      while (length > 0) pattern[--top] = stack[--length]
    }
    d[k] = y[k]
    size = Math.max(size, Math.abs(y[k]))
    y[k] = 0
    for (; top < n; top++) {
      const i = pattern[top]
      const yi = y[i]
      y[i] = 0
      const end = begin[i] + filled[i]
      for (let p = begin[i]; p < end; p++) y[index[p]] -= lower[p] * yi
      const factor = yi / d[i]
      d[k] -= factor * yi
      index[end] = k
      lower[end] = factor
      filled[i]++
    }
    if (!(Math.abs(d[k]) > 0)) return undefined
    leastPivot = Math.min(leastPivot, Math.abs(d[k]) / size)
  }
  const x = new Float64Array(n)
  const solve = (b: Float64Array): void => {
    assert(b.length === n, 'a right-hand side has one number per unknown')
    for (let k = 0; k < n; k++) x[k] = b[order[k]]
    for (let k = 0; k < n; k++) {
      const xk = x[k]
      if (xk !== 0) for (let p = begin[k]; p < begin[k + 1]; p++) x[index[p]] -= lower[p] * xk
    }
    for (let k = n - 1; k >= 0; k--) {
      let xk = x[k] / d[k]
      for (let p = begin[k]; p < begin[k + 1]; p++) xk -= lower[p] * x[index[p]]
      x[k] = xk
    }
    for (let k = 0; k < n; k++) b[k] = x[place[k]]
  }
  return { solve, leastPivot, fill }
}
