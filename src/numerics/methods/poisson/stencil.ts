/**
 * A symmetric operator on a grid of rows × columns points, each coupled to its eight neighbours. Arrays have a border
 * of one point on all sides, where every coupling and every value is zero, so that no loop asks where it is. A coupling
 * is kept once, at the point that comes first: with the next in the row, and with three in the row above.
 */
export interface Stencil {
  readonly rows: number
  readonly columns: number
  /** Points of a row with its border: the index of (row, column) is (row + 1)·stride + column + 1. */
  readonly stride: number
  readonly centre: Float64Array
  readonly east: Float64Array
  readonly north: Float64Array
  readonly northEast: Float64Array
  readonly northWest: Float64Array
}

/** Points of a bordered array of this size. */
export const sizeOf = (rows: number, columns: number): number => (rows + 2) * (columns + 2)

/** Gives so many zeros to keep values in. */
export type Allocate = (size: number) => Float64Array

/** Zeros of their own. */
export const allocate: Allocate = (size) => new Float64Array(size)

/** An operator without couplings. */
export const emptyStencil = (rows: number, columns: number, zeros: Allocate = allocate): Stencil => {
  const values = (): Float64Array => zeros(sizeOf(rows, columns))
  return {
    rows,
    columns,
    stride: columns + 2,
    centre: values(),
    east: values(),
    north: values(),
    northEast: values(),
    northWest: values(),
  }
}

/** out = A·x. Borders stay zero. */
export const applyStencil = (a: Stencil, x: Float64Array, out: Float64Array): void => {
  const { rows, columns, stride: s, centre, east, north, northEast, northWest } = a
  for (let row = 1; row <= rows; row++) {
    const from = row * s + 1
    for (let i = from; i < from + columns; i++) {
      const level = centre[i] * x[i] + east[i] * x[i + 1] + east[i - 1] * x[i - 1]
      const above = north[i] * x[i + s] + northEast[i] * x[i + s + 1] + northWest[i] * x[i + s - 1]
      const below = north[i - s] * x[i - s] + northEast[i - s - 1] * x[i - s - 1] + northWest[i - s + 1] * x[i - s + 1]
      out[i] = level + (above + below)
    }
  }
}

/**
 * Takes from every right side what fixed values contribute, and cuts them off: what is left to solve for is zero at a
 * fixed point, which is coupled to nothing. The values are added to the solution afterwards.
 *
 * @param fixed 1 where a point is fixed, bordered.
 * @param values what it is fixed to, bordered; zero at free points.
 * @param right right sides; those of fixed points become zero.
 */
export const fixPoints = (a: Stencil, fixed: Uint8Array, values: Float64Array, right: Float64Array): void => {
  const pulled = new Float64Array(values.length)
  applyStencil(a, values, pulled)
  const { stride: s } = a
  const arms: readonly (readonly [Float64Array, number])[] = [
    [a.east, 1],
    [a.north, s],
    [a.northEast, s + 1],
    [a.northWest, s - 1],
  ]
  for (let row = 1; row <= a.rows; row++) {
    for (let column = 1; column <= a.columns; column++) {
      const i = row * s + column
      if (fixed[i] === 1) {
        a.centre[i] = 1
        right[i] = 0
      } else right[i] = right[i] - pulled[i]
      for (const [arm, step] of arms) if (fixed[i] === 1 || fixed[i + step] === 1) arm[i] = 0
    }
  }
}
