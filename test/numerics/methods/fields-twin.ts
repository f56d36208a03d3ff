/** The kernel of fields as plain loops: the same numbers in the same order, node after node. */

import type { Beyond } from '#numerics/methods/fields.ts'

/** Sums of squares and largest values without sign, of the differences and of the second field. */
export const twinCompare = (field: ArrayLike<number>, exact: ArrayLike<number>) => {
  let [error, norm, errorMost, largest] = [0, 0, 0, 0]
  for (let i = 0; i < exact.length; i++) {
    const off = field[i] - exact[i]
    error += off * off
    norm += exact[i] * exact[i]
    // A comparison with NaN is false: Math.max keeps it.
    errorMost = Math.max(errorMost, Math.abs(off))
    largest = Math.max(largest, Math.abs(exact[i]))
  }
  return { error: Math.sqrt(error), norm: Math.sqrt(norm), errorMost, largest }
}

/** The largest departure of a node's error from the mean of its neighbours'. */
export const twinLocal = (
  field: ArrayLike<number>,
  exact: ArrayLike<number>,
  { columns, beyond }: { readonly columns: number; readonly beyond: Beyond },
): number => {
  const rows = exact.length / columns
  const errors = Float64Array.from({ length: exact.length }, (_, i) => field[i] - exact[i])
  const inside = (i: number, n: number): number => {
    if (i >= 0 && i < n) return i
    if (beyond === 'ring') return (i + n) % n
    return i < 0 ? 1 : n - 2
  }
  let most = 0
  for (let row = 0; row < rows; row++) {
    const here = row * columns
    const [up, down] = [inside(row - 1, rows) * columns, inside(row + 1, rows) * columns]
    for (let column = 0; column < columns; column++) {
      let around = errors[here + inside(column - 1, columns)] + errors[here + inside(column + 1, columns)]
      if (rows > 1) around += errors[up + column] + errors[down + column]
      most = Math.max(most, Math.abs(errors[here + column] - around / (rows > 1 ? 4 : 2)))
    }
  }
  return most
}

interface Sheet {
  readonly rows: number
  readonly columns: number
}

const weightOf = (row: number, rows: number): number => (rows > 1 && (row === 0 || row === rows - 1) ? 0.5 : 1)

/** Mean square, least and greatest value. */
export const twinSquares = (field: ArrayLike<number>, { rows, columns }: Sheet) => {
  let [sum, minimum, maximum] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = 0; row < rows; row++) {
    const weight = weightOf(row, rows)
    for (let column = 0; column < columns; column++) {
      const value = field[row * columns + column]
      sum += (column === 0 || column === columns - 1 ? weight / 2 : weight) * (value * value)
      minimum = Math.min(minimum, value)
      maximum = Math.max(maximum, value)
    }
  }
  return { meanSquare: sum / ((columns - 1) * Math.max(1, rows - 1)), minimum, maximum }
}

/** Mean of the squared slopes along both directions. */
export const twinSlope = (
  values: ArrayLike<number>,
  { rows, columns, dx, dy }: Sheet & { readonly dx: number; readonly dy: number },
): number => {
  let [along, across] = [0, 0]
  for (let row = 0; row < rows; row++) {
    const weight = weightOf(row, rows)
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column
      const side = column === 0 || column === columns - 1 ? 0.5 : 1
      const slope = column + 1 < columns ? (values[at + 1] - values[at]) / dx : 0
      const rise = row + 1 < rows ? (values[at + columns] - values[at]) / dy : 0
      along += weight * slope * slope
      across += side * rise * rise
    }
  }
  return (along + across) / ((columns - 1) * Math.max(1, rows - 1))
}
