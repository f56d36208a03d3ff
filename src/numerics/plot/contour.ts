/** A field at the nodes of a grid: row-major `rows × columns`, with the place of the first node and the spacings. */
export interface Nodes {
  readonly values: ArrayLike<number>
  readonly rows: number
  readonly columns: number
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
}

/**
 * Ends of the segments in which a field, bilinear along the sides of its cells, goes through a level: pairs of points.
 */
export const contourOf = (
  { values, rows, columns, x, y, dx, dy }: Nodes,
  level: number,
): { readonly x: readonly number[]; readonly y: readonly number[] } => {
  const [xs, ys]: [number[], number[]] = [[], []]
  const at = (row: number, column: number): number => (values[row * columns + column] as number) - level
  const places = new Float64Array(8)
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const corners = [at(row, column), at(row, column + 1), at(row + 1, column + 1), at(row + 1, column)] as const
      const below = corners.filter((it) => it < 0).length
      if (below === 0 || below === 4) continue
      let count = 0
      for (let side = 0; side < 4; side++) {
        const a = corners[side] as number
        const b = corners[(side + 1) % 4] as number
        if (a < 0 === b < 0) continue
        const share = a / (a - b)
        places[count] = side === 0 ? share : side === 1 ? 1 : side === 2 ? 1 - share : 0
        places[count + 1] = side === 0 ? 0 : side === 1 ? share : side === 2 ? 1 : 1 - share
        count += 2
      }
      for (let k = 0; k < count; k += 2) {
        xs.push(x + (column + places[k]) * dx)
        ys.push(y + (row + places[k + 1]) * dy)
      }
    }
  }
  return { x: xs, y: ys }
}
