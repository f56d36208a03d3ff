/**
 * The condense kernel as plain loops: Cholesky's elimination pivot by pivot, without panels, pairs of rows or lanes.
 * The matrix is row-major with its size as stride; only the upper triangle is read or written.
 */

/** Eliminates the unknowns 0 … k − 1 in place. */
export const twinEliminate = (matrix: Float64Array, n: number, k: number): void => {
  for (let p = 0; p < k; p++) {
    const inverse = 1 / Math.sqrt(matrix[p * n + p])
    for (let j = p; j < n; j++) matrix[p * n + j] *= inverse
    for (let i = p + 1; i < n; i++) {
      for (let j = i; j < n; j++) matrix[i * n + j] -= matrix[p * n + i] * matrix[p * n + j]
    }
  }
}

/** Loads of all unknowns to what `twinBackward` begins from, in place. */
export const twinForward = (matrix: Float64Array, vector: Float64Array, k: number): void => {
  const n = vector.length
  for (let p = 0; p < k; p++) {
    vector[p] /= matrix[p * n + p]
    for (let j = p + 1; j < n; j++) vector[j] -= vector[p] * matrix[p * n + j]
  }
}

/** The eliminated unknowns from the others, in place; sums run over even and odd columns apart. */
export const twinBackward = (matrix: Float64Array, vector: Float64Array, k: number): void => {
  const n = vector.length
  for (let p = k - 1; p >= 0; p--) {
    let x = vector[p]
    let j = p + 1
    if (j % 2 === 1 && j <= n) {
      x -= (matrix[p * n + j] ?? 0) * (vector[j] ?? 0)
      j++
    }
    let [even, odd] = [0, 0]
    for (; j < n; j++) {
      const product = matrix[p * n + j] * vector[j]
      if (j % 2 === 0) even += product
      else odd += product
    }
    vector[p] = (x - (even + odd)) / matrix[p * n + p]
  }
}
