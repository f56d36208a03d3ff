import { sqrt } from './math.ts'

/** How far a field is from another. */
export interface Distance {
  /** Root of the sum of squares of the differences, and of the second field. */
  readonly error: number
  readonly norm: number
  /** The largest difference, and the largest value of the second field. */
  readonly errorMost: number
  readonly largest: number
}

/** Compares two fields node by node; a NaN in either is in every figure that it touches. */
export const distanceOf = (field: ArrayLike<number>, exact: ArrayLike<number>): Distance => {
  let error = 0
  let norm = 0
  let errorMost = 0
  let largest = 0
  for (let i = 0; i < exact.length; i++) {
    const off = field[i] - exact[i]
    error += off * off
    norm += exact[i] * exact[i]
    // A comparison with NaN is false: Math.max keeps it.
    errorMost = Math.max(errorMost, Math.abs(off))
    largest = Math.max(largest, Math.abs(exact[i]))
  }
  return { error: sqrt(error), norm: sqrt(norm), errorMost, largest }
}

/** How the error goes on beyond the last node of a direction: its mirror, or the other end of a ring. */
export type Beyond = 'mirror' | 'ring'

/**
 * The largest departure of a node's error from the mean of its neighbours'. A scheme's own error is smooth; one node
 * that was altered stands out, though it hardly moves a mean over the whole field.
 *
 * @returns NaN as soon as one node is.
 */
export const localErrorOf = (
  field: ArrayLike<number>,
  exact: ArrayLike<number>,
  { columns, beyond }: { readonly columns: number; readonly beyond: Beyond },
): number => {
  const rows = exact.length / columns
  const errors = new Float64Array(exact.length)
  for (let i = 0; i < errors.length; i++) errors[i] = field[i] - exact[i]
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
      const departure = Math.abs(errors[here + column] - around / (rows > 1 ? 4 : 2))
      // A comparison with NaN is false, so one broken node is told at once: it cannot hide behind a later one.
      if (Number.isNaN(departure)) return departure
      if (departure > most) most = departure
    }
  }
  return most
}
