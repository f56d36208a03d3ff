import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { type DirectSolve, directSolver } from './band.ts'
import { coarsen, type Transfer, transferOf } from './coarsen.ts'
import { applyStencil, type Stencil } from './stencil.ts'

/** Points of the shorter side at which coarsening ends and elimination takes over. */
const COARSEST_POINTS = 5
/** Conjugate-gradient steps before a solve is given up. */
export const ITERATIONS_MAX = 200

interface Level {
  readonly a: Stencil
  readonly inverse: Float64Array
  readonly transfer: Transfer
  readonly x: Float64Array
  readonly b: Float64Array
  readonly residual: Float64Array
}

/** A solver for one operator. */
export interface Multigrid {
  /**
   * Solves A·x = right by conjugate gradients with one V-cycle as preconditioner, from the x that is given, in place.
   *
   * @param tolerance of the residual's norm, relative to that of the right side.
   * @param each told the relative residual after every iteration.
   * @returns relative residuals, that of the start first.
   * @throws Fault DID_NOT_CONVERGE after {@link ITERATIONS_MAX} iterations.
   */
  readonly solve: (
    x: Float64Array,
    right: Float64Array,
    way: { readonly tolerance: number; readonly each?: (residual: number) => void },
  ) => readonly number[]
}

const inverseOf = ({ rows, columns, stride, centre }: Stencil): Float64Array => {
  const inverse = new Float64Array(centre.length)
  for (let row = 1; row <= rows; row++) {
    for (let i = row * stride + 1; i <= row * stride + columns; i++) inverse[i] = 1 / centre[i]
  }
  return inverse
}

/** One Gauss–Seidel sweep over the points in their order, or backwards: the two are each other's transpose. */
const relax = ({ a, inverse, x, b }: Level, forward: boolean): void => {
  const { rows, columns, stride: s, east, north, northEast: ne, northWest: nw } = a
  const turn = forward ? 1 : -1
  for (let count = 0; count < rows; count++) {
    const from = (forward ? count + 1 : rows - count) * s + 1
    let i = forward ? from : from + columns - 1
    for (let k = 0; k < columns; k++, i += turn) {
      const above = north[i] * x[i + s] + ne[i] * x[i + s + 1] + nw[i] * x[i + s - 1]
      const below = north[i - s] * x[i - s] + ne[i - s - 1] * x[i - s - 1] + nw[i - s + 1] * x[i - s + 1]
      // The neighbour just done enters last: everything else is ready while it is being worked out.
      const rest = b[i] - (above + below) - (forward ? east[i] * x[i + 1] : east[i - 1] * x[i - 1])
      x[i] = (rest - (forward ? east[i - 1] * x[i - 1] : east[i] * x[i + 1])) * inverse[i]
    }
  }
}

/** What is left of the right side, summed to the coarser grid. */
const restrict = (level: Level, to: Level): void => {
  const { a: it, x, b, residual, transfer } = level
  const { a, b: wb, c, d } = transfer
  const { rows, columns, stride: s } = it
  applyStencil(it, x, residual)
  for (let row = 1; row <= rows; row++) {
    for (let i = row * s + 1; i <= row * s + columns; i++) residual[i] = b[i] - residual[i]
  }
  const coarse = to.a
  for (let row = 0; row < coarse.rows; row++) {
    for (let column = 0; column < coarse.columns; column++) {
      const i = (2 * row + 1) * s + 2 * column + 1
      const level0 = residual[i] + a[i + 1] * residual[i + 1] + wb[i - 1] * residual[i - 1]
      const n = i + s
      const above = a[n] * residual[n] + a[n + 1] * residual[n + 1] + wb[n - 1] * residual[n - 1]
      const m = i - s
      const below = wb[m] * residual[m] + c[m + 1] * residual[m + 1] + d[m - 1] * residual[m - 1]
      to.b[(row + 1) * coarse.stride + column + 1] = level0 + (above + below)
    }
  }
}

/** Adds the coarser grid's correction. */
const prolong = (from: Level, level: Level): void => {
  const { a: it, x, transfer } = level
  const { a, b, c, d } = transfer
  const { x: z } = from
  const t = from.a.stride
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

const levelsOf = (finest: Stencil): { readonly levels: readonly Level[]; readonly direct: DirectSolve } => {
  const levels: Level[] = []
  for (let a = finest; ; ) {
    const values = (): Float64Array => new Float64Array(a.centre.length)
    const transfer = transferOf(a)
    levels.push({ a, inverse: inverseOf(a), transfer, x: values(), b: values(), residual: values() })
    if (Math.min(a.rows, a.columns) <= COARSEST_POINTS) return { levels, direct: directSolver(a) }
    a = coarsen(a, transfer)
  }
}

const dot = (x: Float64Array, y: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i]
  return sum
}

/** A V-cycle from zero: forward sweeps on the way down, backward ones on the way up, so that it is symmetric. */
const cycle = (levels: readonly Level[], direct: DirectSolve): void => {
  const last = levels.length - 1
  for (let k = 0; k < last; k++) {
    const level = levels[k] as Level
    level.x.fill(0)
    relax(level, true)
    restrict(level, levels[k + 1] as Level)
  }
  const coarsest = levels[last] as Level
  coarsest.x.set(coarsest.b)
  direct(coarsest.x)
  for (let k = last - 1; k >= 0; k--) {
    prolong(levels[k + 1] as Level, levels[k] as Level)
    relax(levels[k] as Level, false)
  }
}

/**
 * Multigrid for a symmetric positive definite stencil of any coefficients and any numbers of points: weights between
 * grids follow the operator, coarse operators are Galerkin's, and conjugate gradients take care of what is left.
 *
 * @throws Fault ILL_POSED when some part of the grid is held nowhere.
 */
export const multigrid = (a: Stencil): Multigrid => {
  const { levels, direct } = levelsOf(a)
  const finest = levels[0] as Level
  const size = a.centre.length
  const precondition = (residual: Float64Array): Float64Array => {
    finest.b.set(residual)
    cycle(levels, direct)
    return finest.x
  }
  const solve: Multigrid['solve'] = (x, right, { tolerance, each }) => {
    assert(x.length === size && right.length === size, 'the vectors fit the operator')
    const residual = new Float64Array(size)
    const turned = new Float64Array(size)
    applyStencil(a, x, residual)
    for (let i = 0; i < size; i++) residual[i] = right[i] - residual[i]
    const scale = sqrt(dot(right, right))
    if (scale === 0) {
      x.fill(0)
      return [0]
    }
    const history = [sqrt(dot(residual, residual)) / scale]
    const way = precondition(residual).slice()
    let weight = dot(residual, way)
    while ((history.at(-1) ?? 0) > tolerance) {
      if (history.length > ITERATIONS_MAX) {
        const figures = { measured: null, iterations: ITERATIONS_MAX, residual: history.at(-1) ?? 0 }
        throw new Fault('DID_NOT_CONVERGE', `Multigrid did not converge in ${ITERATIONS_MAX} iterations.`, figures)
      }
      applyStencil(a, way, turned)
      const step = weight / dot(way, turned)
      for (let i = 0; i < size; i++) {
        x[i] += step * way[i]
        residual[i] -= step * turned[i]
      }
      history.push(sqrt(dot(residual, residual)) / scale)
      each?.(history.at(-1) ?? 0)
      const next = precondition(residual)
      const ahead = dot(residual, next)
      const part = ahead / weight
      weight = ahead
      for (let i = 0; i < size; i++) way[i] = next[i] + part * way[i]
    }
    return history
  }
  return { solve }
}
