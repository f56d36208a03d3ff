import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import type { Stencil } from './stencil.ts'

/** Solves a small stencil system directly. @param x right sides in, solution out; bordered. */
export type DirectSolve = (x: Float64Array) => void

/**
 * Cholesky factors of a stencil by its band, numbered along the shorter side: right for grids of which one side is a
 * few points long.
 *
 * @throws Fault ILL_POSED when the operator is not positive definite: some part of the grid is held nowhere.
 */
export const directSolver = (it: Stencil): DirectSolve => {
  const { rows, columns, stride: s } = it
  const inner = Math.min(rows, columns)
  const count = rows * columns
  const width = inner + 2
  const place = new Int32Array(count)
  const number = new Map<number, number>()
  for (let k = 0; k < count; k++) {
    const short = k % inner
    const long = (k - short) / inner
    place[k] = inner === columns ? (long + 1) * s + short + 1 : (short + 1) * s + long + 1
    number.set(place[k], k)
  }
  // Row k of the factor: columns k − width + 1 … k at k·width … k·width + width − 1.
  const factor = new Float64Array(count * width)
  const put = (from: number, to: number, value: number): void => {
    const other = number.get(to)
    if (other === undefined || value === 0) return
    const [low, high] = from < other ? [from, other] : [other, from]
    factor[high * width + (low - high + width - 1)] = value
  }
  for (let k = 0; k < count; k++) {
    const i = place[k]
    put(k, i, it.centre[i])
    put(k, i + 1, it.east[i])
    put(k, i + s, it.north[i])
    put(k, i + s + 1, it.northEast[i])
    put(k, i + s - 1, it.northWest[i])
  }
  for (let k = 0; k < count; k++) factorRow(factor, k, width)
  const y = new Float64Array(count)
  return (x) => {
    for (let k = 0; k < count; k++) {
      let sum = x[place[k]]
      for (let j = Math.max(0, k - width + 1); j < k; j++) sum -= factor[k * width + (j - k + width - 1)] * y[j]
      y[k] = sum / factor[k * width + width - 1]
    }
    for (let k = count - 1; k >= 0; k--) {
      const value = y[k] / factor[k * width + width - 1]
      x[place[k]] = value
      for (let j = Math.max(0, k - width + 1); j < k; j++) y[j] -= factor[k * width + (j - k + width - 1)] * value
    }
  }
}

/** One row of the Cholesky factor in place; the rows before it are done. */
const factorRow = (factor: Float64Array, k: number, width: number): void => {
  const least = Math.max(0, k - width + 1)
  const own = k * width + width - 1 - k
  for (let j = least; j <= k; j++) {
    const other = j * width + width - 1 - j
    let sum = factor[own + j]
    for (let m = Math.max(least, j - width + 1); m < j; m++) sum -= factor[own + m] * factor[other + m]
    if (j < k) factor[own + j] = sum / factor[other + j]
    else if (sum > 0) factor[own + j] = sqrt(sum)
    else throw new Fault('ILL_POSED', 'Some part of the grid is held nowhere: its potential is not determined.')
  }
}
