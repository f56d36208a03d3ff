import type { GridTransfer } from '#numerics/methods/poisson/coarsen.ts'
import type { Stencil } from '#numerics/methods/poisson/stencil.ts'

/** The multigrid kernel's loops as plain TypeScript: the same sums in the same order. */

/** One Gauss–Seidel sweep over the points in their order, or backwards. */
export const twinRelax = (
  a: Stencil,
  { inverse, x, b }: { readonly inverse: Float64Array; readonly x: Float64Array; readonly b: Float64Array },
  forward: boolean,
): void => {
  const { rows, columns, stride: s, east, north, northEast: ne, northWest: nw } = a
  const turn = forward ? 1 : -1
  for (let count = 0; count < rows; count++) {
    const from = (forward ? count + 1 : rows - count) * s + 1
    let i = forward ? from : from + columns - 1
    for (let k = 0; k < columns; k++, i += turn) {
      const above = north[i] * x[i + s] + ne[i] * x[i + s + 1] + nw[i] * x[i + s - 1]
      const below = north[i - s] * x[i - s] + ne[i - s - 1] * x[i - s - 1] + nw[i - s + 1] * x[i - s + 1]
      const rest = b[i] - (above + below) - (forward ? east[i] * x[i + 1] : east[i - 1] * x[i - 1])
      x[i] = (rest - (forward ? east[i - 1] * x[i - 1] : east[i] * x[i + 1])) * inverse[i]
    }
  }
}

/** What is left of the right side, summed to a coarser grid of bordered rows `stride` long. */
export const twinRestrict = (
  it: Stencil,
  { a, b, c, d }: GridTransfer,
  { residual, to, stride }: { readonly residual: Float64Array; readonly to: Float64Array; readonly stride: number },
): void => {
  const { stride: s } = it
  for (let row = 0; row < (it.rows + 1) >> 1; row++) {
    for (let column = 0; column < (it.columns + 1) >> 1; column++) {
      const i = (2 * row + 1) * s + 2 * column + 1
      const level = residual[i] + a[i + 1] * residual[i + 1] + b[i - 1] * residual[i - 1]
      const n = i + s
      const above = a[n] * residual[n] + a[n + 1] * residual[n + 1] + b[n - 1] * residual[n - 1]
      const m = i - s
      const below = b[m] * residual[m] + c[m + 1] * residual[m + 1] + d[m - 1] * residual[m - 1]
      to[(row + 1) * stride + column + 1] = level + (above + below)
    }
  }
}

/** Adds the correction z of a coarser grid of bordered rows `stride` long. */
export const twinProlong = (
  it: Stencil,
  { a, b, c, d }: GridTransfer,
  { x, z, stride: t }: { readonly x: Float64Array; readonly z: Float64Array; readonly stride: number },
): void => {
  for (let row = 0; row < it.rows; row++) {
    for (let column = 0; column < it.columns; column++) {
      const i = (row + 1) * it.stride + column + 1
      const k = ((row >> 1) + 1) * t + (column >> 1) + 1
      if ((row & 1) === 0) x[i] += (column & 1) === 0 ? z[k] : a[i] * z[k] + b[i] * z[k + 1]
      else if ((column & 1) === 0) x[i] += a[i] * z[k] + b[i] * z[k + t]
      else x[i] += a[i] * z[k] + b[i] * z[k + 1] + (c[i] * z[k + t] + d[i] * z[k + t + 1])
    }
  }
}
