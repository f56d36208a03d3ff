import { type Allocate, emptyStencil, type Stencil } from './stencil.ts'

/**
 * How the points of a grid follow from those of the next coarser one, which has every second point of every second row.
 * A point between two coarse ones has weights `a` (west, or south) and `b` (east, or north); one amid four has `a` to
 * `d` for south-west, south-east, north-west and north-east.
 */
export interface GridTransfer {
  readonly a: Float64Array
  readonly b: Float64Array
  readonly c: Float64Array
  readonly d: Float64Array
}

/** Points of the coarser grid along an axis of `points`. */
export const coarsePoints = (points: number): number => (points + 1) >> 1

/**
 * Weights that follow the operator itself: along a line the couplings summed across it, amid four points the whole
 * equation. They keep the flux continuous where the coefficients jump (Alcouffe, Brandt, Dendy, Painter, SIAM J. Sci.
 * Stat. Comput. 2 (1981) 430; Dendy, J. Comput. Phys. 48 (1982) 366).
 */
export const transferOf = (it: Stencil, zeros: Allocate): GridTransfer => {
  const { rows, columns, stride: s, centre, east, north, northEast: ne, northWest: nw } = it
  const values = (): Float64Array => zeros(centre.length)
  const { a, b, c, d } = { a: values(), b: values(), c: values(), d: values() }
  for (let row = 0; row < rows; row++) {
    const from = (row + 1) * s + 1
    for (let i = from + ((row & 1) ^ 1); i < from + columns; i += 2) {
      if ((row & 1) === 0) {
        const down = -1 / (centre[i] + north[i] + north[i - s])
        a[i] = down * (east[i - 1] + nw[i] + ne[i - s - 1])
        b[i] = down * (east[i] + ne[i] + nw[i - s + 1])
      } else {
        const down = -1 / (centre[i] + east[i] + east[i - 1])
        a[i] = down * (north[i - s] + ne[i - s - 1] + nw[i - s + 1])
        b[i] = down * (north[i] + ne[i] + nw[i])
      }
    }
  }
  for (let row = 1; row < rows; row += 2) {
    const from = (row + 1) * s + 1
    for (let i = from + 1; i < from + columns; i += 2) {
      const down = -1 / centre[i]
      const [w, e, so, no] = [east[i - 1], east[i], north[i - s], north[i]]
      a[i] = down * (ne[i - s - 1] + w * a[i - 1] + so * a[i - s])
      b[i] = down * (nw[i - s + 1] + e * a[i + 1] + so * b[i - s])
      c[i] = down * (nw[i] + w * b[i - 1] + no * a[i + s])
      d[i] = down * (ne[i] + e * b[i + 1] + no * b[i + s])
    }
  }
  return { a, b, c, d }
}

/** Sums a fine point's couplings times the weights of where they lead, into three by three coarse points around it. */
const gather = (it: Stencil, { a, b, c, d }: GridTransfer, sums: Float64Array, row: number, column: number): void => {
  const { stride: s, centre, east, north, northEast: ne, northWest: nw } = it
  sums.fill(0)
  const i = (row + 1) * s + column + 1
  const middle = (row >> 1) * 3 + (column >> 1)
  for (let up = -1; up <= 1; up++) {
    for (let along = -1; along <= 1; along++) {
      const j = i + up * s + along
      let coupling = 0
      if (up === 0) coupling = along === 0 ? centre[i] : along > 0 ? east[i] : east[j]
      else if (up > 0) coupling = along === 0 ? north[i] : along > 0 ? ne[i] : nw[i]
      else coupling = along === 0 ? north[j] : along > 0 ? nw[j] : ne[j]
      if (coupling === 0) continue
      const r = row + up
      const k = column + along
      // Place 4 is the coarse point at half the row and half the column, rounded down.
      const at = (r >> 1) * 3 + (k >> 1) - middle + 4
      if ((r & 1) === 0) {
        if ((k & 1) === 0) sums[at] += coupling
        else {
          sums[at] += coupling * a[j]
          sums[at + 1] += coupling * b[j]
        }
      } else if ((k & 1) === 0) {
        sums[at] += coupling * a[j]
        sums[at + 3] += coupling * b[j]
      } else {
        sums[at] += coupling * a[j]
        sums[at + 1] += coupling * b[j]
        sums[at + 3] += coupling * c[j]
        sums[at + 4] += coupling * d[j]
      }
    }
  }
}

/** Adds the couplings of one coarse point, by the weight with which a fine one follows it. */
const scatter = (to: Stencil, sums: Float64Array, i: number, place: number, weight: number): void => {
  to.centre[i] += weight * sums[place]
  to.east[i] += weight * (place % 3 < 2 ? sums[place + 1] : 0)
  to.north[i] += weight * (place < 6 ? sums[place + 3] : 0)
  to.northEast[i] += weight * (place < 6 && place % 3 < 2 ? sums[place + 4] : 0)
  to.northWest[i] += weight * (place < 6 && place % 3 > 0 ? sums[place + 2] : 0)
}

/** The operator between coarse points: interpolated, applied and summed back (Galerkin). */
export const coarsen = (it: Stencil, by: GridTransfer, zeros: Allocate): Stencil => {
  const to = emptyStencil(coarsePoints(it.rows), coarsePoints(it.columns), zeros)
  const sums = new Float64Array(9)
  const { a, b, c, d } = by
  for (let row = 0; row < it.rows; row++) {
    for (let column = 0; column < it.columns; column++) {
      gather(it, by, sums, row, column)
      const i = (row + 1) * it.stride + column + 1
      const k = ((row >> 1) + 1) * to.stride + (column >> 1) + 1
      if ((row & 1) === 0 && (column & 1) === 0) {
        scatter(to, sums, k, 4, 1)
        continue
      }
      const both = (row & 1) === 1 && (column & 1) === 1
      scatter(to, sums, k, 4, a[i])
      if (both || (column & 1) === 1) scatter(to, sums, k + 1, 5, b[i])
      if (!both && (row & 1) === 1) scatter(to, sums, k + to.stride, 7, b[i])
      if (!both) continue
      scatter(to, sums, k + to.stride, 7, c[i])
      scatter(to, sums, k + to.stride + 1, 8, d[i])
    }
  }
  clearBorder(to)
  return to
}

/** A coupling that would leave the grid is that of a point that does not exist: its weight was zero, and so is it. */
const clearBorder = (it: Stencil): void => {
  const { rows, columns, stride: s } = it
  const all = [it.centre, it.east, it.north, it.northEast, it.northWest]
  for (const values of all) {
    values.fill(0, 0, s)
    values.fill(0, (rows + 1) * s)
    for (let row = 0; row <= rows; row++) values[row * s] = values[row * s + columns + 1] = 0
  }
}
