import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'
import { type DirectSolve, directSolver } from './band.ts'
import { coarsen, coarsePoints, type GridTransfer, transferOf } from './coarsen.ts'
import { type Allocate, emptyStencil, type Stencil, sizeOf } from './stencil.ts'

/** Points of the shorter side at which coarsening ends and elimination takes over. */
const COARSEST_POINTS = 5
/** Conjugate-gradient steps before a solve is given up. */
export const ITERATIONS_MAX = 200
/** Arrays of a level: five couplings, their inverse, four weights, three vectors; the finest has two vectors more. */
const LEVEL_ARRAYS = 13
const FINEST_ARRAYS = 2
/** Doubles of a cache line, on which every array begins. */
const LINE = 8
const DOUBLE = 8

/** One grid; all its arrays lie in the memory of the kernel. */
interface Level {
  readonly a: Stencil
  readonly inverse: Float64Array
  readonly transfer: GridTransfer
  readonly x: Float64Array
  readonly b: Float64Array
  readonly residual: Float64Array
}

/** The loops over a level, in the kernel. */
interface Loops {
  /** One Gauss–Seidel sweep in the order of the points, or backwards: the two are each other's transpose. */
  readonly relax: (level: Level, forward: boolean) => void
  /** What is left of the right side, summed to the coarser grid. */
  readonly restrict: (level: Level, to: Level) => void
  /** Adds the coarser grid's correction. */
  readonly prolong: (from: Level, level: Level) => void
  /** out = A·x; both in the kernel's memory. */
  readonly apply: (a: Stencil, x: Float64Array, out: Float64Array) => void
}

const loopsOf = ({ call }: Kernel): Loops => {
  const { forward, backward, apply, leave, restrict, prolong } = call
  assert(forward !== undefined && backward !== undefined && apply !== undefined, 'the multigrid kernel is whole')
  assert(leave !== undefined && restrict !== undefined && prolong !== undefined, 'the multigrid kernel is whole')
  const at = (values: Float64Array): number => values.byteOffset
  const arms = ({ east, north, northEast, northWest }: Stencil): readonly [number, number, number, number] => [
    at(east),
    at(north),
    at(northEast),
    at(northWest),
  ]
  const weights = ({ a, b, c, d }: GridTransfer): readonly [number, number, number, number] => [
    at(a),
    at(b),
    at(c),
    at(d),
  ]
  const run: Loops['apply'] = (a, x, out) => {
    apply(a.rows, a.columns, a.stride * DOUBLE, at(a.centre), ...arms(a), at(x), at(out))
  }
  return {
    apply: run,
    relax: ({ a, inverse, x, b }, ahead) => {
      const sweep = ahead ? forward : backward
      sweep(a.rows, a.columns, a.stride * DOUBLE, at(inverse), ...arms(a), at(x), at(b))
    },
    restrict: ({ a, x, b, residual, transfer }, to) => {
      run(a, x, residual)
      leave(residual.byteLength, at(b), at(residual))
      const strides = [a.stride * DOUBLE, to.a.stride * DOUBLE] as const
      restrict(to.a.rows, to.a.columns, ...strides, ...weights(transfer), at(residual), at(to.b))
    },
    prolong: (from, { a, x, transfer }) => {
      prolong(a.rows, a.columns, a.stride * DOUBLE, from.a.stride * DOUBLE, ...weights(transfer), at(from.x), at(x))
    },
  }
}

/** A system A·x = right. All arrays are bordered. */
export interface System {
  readonly a: Stencil
  readonly right: Float64Array
  /** Where to begin; the solution is left here. */
  readonly x: Float64Array
}

const padded = (size: number): number => Math.ceil(size / LINE) * LINE

/** Doubles that all levels of an operator take. */
const doublesOf = (rows: number, columns: number): number => {
  let doubles = FINEST_ARRAYS * padded(sizeOf(rows, columns))
  for (let [r, c] = [rows, columns]; ; [r, c] = [coarsePoints(r), coarsePoints(c)]) {
    doubles += LEVEL_ARRAYS * padded(sizeOf(r, c))
    if (Math.min(r, c) <= COARSEST_POINTS) return doubles
  }
}

/** Memory that a thread keeps for the next solve, at most: enough for the levels of 512² points. */
const KEPT_BYTES_MAX = 67_108_864

let kept: { readonly kernel: Kernel; bytes: number } | undefined

/** A kernel for one solve: that of the solve before, unless it would have to keep too much. */
const kernelFor = (bytes: number): Kernel => {
  if (bytes > KEPT_BYTES_MAX) return loadKernel('multigrid')
  kept ??= { kernel: loadKernel('multigrid'), bytes: 0 }
  const used = Math.min(bytes, kept.bytes)
  kept.bytes = Math.max(bytes, kept.bytes)
  kept.kernel.reserve(KERNEL_DATA_START + bytes)
  kept.kernel.f64(KERNEL_DATA_START, used / DOUBLE).fill(0)
  return kept.kernel
}

/** Hands out a kernel's zeros from the beginning. */
const allocatorOf = (kernel: Kernel, doubles: number): Allocate => {
  kernel.reserve(KERNEL_DATA_START + doubles * DOUBLE)
  let used = 0
  return (size) => {
    const values = kernel.f64(KERNEL_DATA_START + used * DOUBLE, size)
    used += padded(size)
    assert(used <= doubles, 'the levels fit the memory that was reserved for them')
    return values
  }
}

const invert = ({ rows, columns, stride, centre }: Stencil, inverse: Float64Array): Float64Array => {
  for (let row = 1; row <= rows; row++) {
    for (let i = row * stride + 1; i <= row * stride + columns; i++) inverse[i] = 1 / centre[i]
  }
  return inverse
}

const copied = (it: Stencil, zeros: Allocate): Stencil => {
  const to = emptyStencil(it.rows, it.columns, zeros)
  for (const name of ['centre', 'east', 'north', 'northEast', 'northWest'] as const) to[name].set(it[name])
  return to
}

const levelsOf = (
  finest: Stencil,
  zeros: Allocate,
): { readonly levels: readonly Level[]; readonly direct: DirectSolve } => {
  const levels: Level[] = []
  for (let a = copied(finest, zeros); ; ) {
    const values = (): Float64Array => zeros(a.centre.length)
    const transfer = transferOf(a, zeros)
    levels.push({ a, inverse: invert(a, values()), transfer, x: values(), b: values(), residual: values() })
    if (Math.min(a.rows, a.columns) <= COARSEST_POINTS) return { levels, direct: directSolver(a) }
    a = coarsen(a, transfer, zeros)
  }
}

const dot = (x: Float64Array, y: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i] * y[i]
  return sum
}

/** A V-cycle from zero: forward sweeps on the way down, backward ones on the way up, so that it is symmetric. */
const cycle = (levels: readonly Level[], direct: DirectSolve, { relax, restrict, prolong }: Loops): void => {
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
 * Solves a symmetric positive definite stencil system of any coefficients and any numbers of points by conjugate
 * gradients with one multigrid V-cycle as preconditioner: weights between grids follow the operator, coarse operators
 * are Galerkin's.
 *
 * @param tolerance of the residual's norm, relative to that of the right side.
 * @param each told the relative residual after every iteration.
 * @returns relative residuals, that of the start first.
 * @throws Fault DID_NOT_CONVERGE after {@link ITERATIONS_MAX} iterations; ILL_POSED when some part of the grid is held
 * nowhere.
 */
export const solveByMultigrid = (
  { a: operator, right, x }: System,
  { tolerance, each }: { readonly tolerance: number; readonly each?: (residual: number) => void },
): readonly number[] => {
  const size = operator.centre.length
  assert(x.length === size && right.length === size, 'the vectors fit the operator')
  const doubles = doublesOf(operator.rows, operator.columns)
  const kernel = kernelFor(doubles * DOUBLE)
  const zeros = allocatorOf(kernel, doubles)
  const loops = loopsOf(kernel)
  const { levels, direct } = levelsOf(operator, zeros)
  const finest = levels[0] as Level
  const { a } = finest
  const way = zeros(size)
  const turned = zeros(size)
  const precondition = (residual: Float64Array): Float64Array => {
    finest.b.set(residual)
    cycle(levels, direct, loops)
    return finest.x
  }
  const scale = sqrt(dot(right, right))
  if (scale === 0) {
    x.fill(0)
    return [0]
  }
  const residual = new Float64Array(size)
  way.set(x)
  loops.apply(a, way, turned)
  for (let i = 0; i < size; i++) residual[i] = right[i] - turned[i]
  const history = [sqrt(dot(residual, residual)) / scale]
  way.set(precondition(residual))
  let weight = dot(residual, way)
  while ((history.at(-1) ?? 0) > tolerance) {
    if (history.length > ITERATIONS_MAX) {
      const figures = { measured: null, iterations: ITERATIONS_MAX, residual: history.at(-1) ?? 0 }
      throw new Fault('DID_NOT_CONVERGE', `Multigrid did not converge in ${ITERATIONS_MAX} iterations.`, figures)
    }
    loops.apply(a, way, turned)
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
