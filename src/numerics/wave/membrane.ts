import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/kernel.ts'

/** A rectangle of unknowns and the scheme on it; a line is one row. */
export interface Plan {
  readonly rows: number
  readonly columns: number
  /** (c·dt/dx)² and (c·dt/dy)²; the second is 0 on a line. */
  readonly along: number
  readonly across: number
  readonly boundary: 'fixed' | 'free' | 'periodic'
  readonly order: number
  readonly dt: number
}

/** Weights of the stencil S, as the kernel takes them. */
export interface Weights {
  readonly centre: number
  readonly along: number
  readonly across: number
  readonly diagonal: number
  readonly along2: number
  readonly across2: number
}

/**
 * S = a·δx² + b·δy² for order 2. The error of leapfrog and of the differences, taken from the equation itself, adds
 * ((a² − a)·δx⁴ + (b² − b)·δy⁴ + 2ab·δx²δy²)/12 for order 4 (Cohen, Higher-Order Numerical Methods for Transient Wave
 * Equations, ch. 7); both are stable for a + b ≤ 1.
 */
export const weightsOf = ({ along: a, across: b, order }: Pick<Plan, 'along' | 'across' | 'order'>): Weights => {
  const fourth = order === 4 ? 1 / 12 : 0
  const p = fourth * (a * a - a)
  const q = fourth * (b * b - b)
  const d = fourth * 2 * a * b
  return {
    centre: -2 * a - 2 * b + 6 * p + 6 * q + 4 * d,
    along: a - 4 * p - 2 * d,
    across: b - 4 * q - 2 * d,
    diagonal: d,
    along2: p,
    across2: q,
  }
}

/** A displacement on its way. */
export interface Membrane {
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** The last two levels, the newer first. */
  readonly bytes: () => Uint8Array
  /** What a run ends with: displacement and velocity now, and the two levels before. */
  readonly end: () => {
    readonly now: Float64Array
    readonly velocity: Float64Array
    readonly before: Float64Array
    readonly earlier: Float64Array
  }
}

const DOUBLE = 8
const GHOSTS = 2
const LINE = 64
/** Levels that one sweep over the rows takes at most: their rows stay in the second cache. */
const SWEPT = 4
const KINDS = { fixed: 0, free: 1, periodic: 2 } as const

/** Sets a displacement and its velocity up in a kernel of its own: unknowns at time 0, row-major. */
export const createMembrane = (plan: Plan, start: Float64Array, speed: Float64Array): Membrane => {
  const { rows, columns, boundary, dt } = plan
  assert(start.length === rows * columns && speed.length === rows * columns, 'the fields fit the plan')
  const kernel = loadKernel('wave')
  // An odd number of cache lines, because rows a power of two apart share too few cache sets.
  const lines = Math.ceil(((columns + 2 * GHOSTS + 1) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const fieldBytes = (rows + 2 * GHOSTS) * rowBytes
  const places = [0, 1, 2, 3].map((i) => KERNEL_DATA_START + i * fieldBytes)
  kernel.reserve(KERNEL_DATA_START + 4 * fieldBytes)
  const { configure, advance: sweep, apply } = kernel.call
  assert(configure !== undefined && sweep !== undefined && apply !== undefined, 'the wave kernel is whole')
  const w = weightsOf(plan)
  const weights = [w.centre, w.along, w.across, w.diagonal, w.along2, w.across2]
  configure(rows, columns, rowBytes, KINDS[boundary], ...weights)
  const views = places.map((at) => kernel.f64(at, fieldBytes / DOUBLE))
  const corner = (GHOSTS * rowBytes) / DOUBLE + GHOSTS
  const readInto = (field: number, values: Float64Array): Float64Array => {
    for (let r = 0; r < rows; r++) {
      const at = corner + (r * rowBytes) / DOUBLE
      values.set(views[field].subarray(at, at + columns), r * columns)
    }
    return values
  }
  const read = (field: number): Float64Array => readInto(field, new Float64Array(rows * columns))
  const write = (field: number, values: Float64Array): void => {
    for (let r = 0; r < rows; r++) {
      views[field].set(values.subarray(r * columns, (r + 1) * columns), corner + (r * rowBytes) / DOUBLE)
    }
  }
  const stencilled = (values: Float64Array): Float64Array => {
    write(2, values)
    apply(places[2], places[3])
    return read(3)
  }
  // The level before the first: backwards, so that the first step is like any other. With S for dt²·∂²/∂t² + …,
  // u(−dt) = u + S u/2 − dt·(v + S v/6 − S² v/180).
  const moved = speed.some((v) => v !== 0)
  const once = stencilled(start)
  const rise = moved ? stencilled(speed) : speed
  const twice = moved ? stencilled(rise) : speed
  write(0, start)
  const first = new Float64Array(rows * columns)
  for (let i = 0; i < first.length; i++) {
    first[i] = start[i] + once[i] / 2 - dt * (speed[i] + rise[i] / 6 - twice[i] / 180)
  }
  write(1, first)
  let newest = 0
  const advance = (from: number, to: number, each: (number: number) => void): void => {
    for (let taken = from; taken < to; ) {
      const levels = Math.min(to - taken, SWEPT)
      sweep(places[newest], places[1 - newest], levels)
      if (levels % 2 === 1) newest = 1 - newest
      for (let level = 0; level < levels; level++) each(++taken)
    }
  }
  const end = (): ReturnType<Membrane['end']> => {
    const [now, before] = [read(newest), read(1 - newest)]
    const ahead = stencilled(now)
    const behind = stencilled(before)
    const earlier = new Float64Array(now.length)
    const central = new Float64Array(now.length)
    for (let i = 0; i < now.length; i++) {
      earlier[i] = 2 * before[i] - now[i] + behind[i]
      // (u(dt) − u(−dt))/2dt is v + S v/6 + …; undone below to the same order as above.
      central[i] = (2 * now[i] - 2 * before[i] + ahead[i]) / (2 * dt)
    }
    const bend = stencilled(central)
    const bends = stencilled(bend)
    const velocity = new Float64Array(now.length)
    for (let i = 0; i < now.length; i++) velocity[i] = central[i] - bend[i] / 6 + bends[i] / 30
    return { now, velocity, before, earlier }
  }
  const both = new Float64Array(2 * rows * columns)
  const bytes = (): Uint8Array => {
    readInto(newest, both.subarray(0, rows * columns))
    readInto(1 - newest, both.subarray(rows * columns))
    return littleEndianBytes(both)
  }
  return { advance, bytes, end }
}
