import { littleEndianBytes } from '#core/arrays.ts'
import { assert } from '#core/assert.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { StateReader } from '#numerics/runtime/origin.ts'

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

/** Where unknowns lie in a field of all nodes: that field's sizes, and the place of the first unknown. */
export interface Frame {
  readonly rows: number
  readonly columns: number
  readonly firstRow: number
  readonly firstColumn: number
}

/** A displacement and its velocity at all nodes, row-major; no velocity is rest. */
export interface Start {
  readonly displacement: Float64Array
  readonly velocity?: Float64Array | undefined
}

/** The unknowns of the last two levels, the newer first, to be read off a state. */
export interface HeldLevels {
  readonly held: StateReader
}

/** A displacement on its way. */
export interface Membrane extends Advancing {
  /** The unknowns of the last two levels, the newer first. */
  readonly bytes: () => Uint8Array
  /**
   * What a run ends with: displacement and velocity now, and the two levels before, at all nodes: edges at zero,
   * repeated nodes filled in.
   */
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
const PAGE = 4096
/** Levels that one sweep over the rows takes at most: their rows stay in the second cache. */
const SWEPT = 4
/** Fields in the kernel's memory: two levels, and what start and end work with. */
const FIELDS = 6
const KINDS = { fixed: 0, free: 1, periodic: 2 } as const

/** A kernel with room for the fields of a plan, and how unknowns get into them and out again. */
const fieldsOf = (plan: Plan, frame: Frame) => {
  const { rows, columns, boundary } = plan
  const kernel = loadKernel('wave')
  // An odd number of cache lines, because rows a power of two apart share too few cache sets.
  const lines = Math.ceil(((columns + 2 * GHOSTS + 1) * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  // Fields half a page apart, beyond whole ones: a load whose address ends like that of a store still under way waits
  // for it.
  const needed = (rows + 2 * GHOSTS) * rowBytes
  const fieldBytes = Math.ceil((needed - PAGE / 2) / PAGE) * PAGE + PAGE / 2
  const places = Array.from({ length: FIELDS }, (_, i) => KERNEL_DATA_START + i * fieldBytes)
  kernel.reserve(KERNEL_DATA_START + FIELDS * fieldBytes)
  const w = weightsOf(plan)
  const weights = [w.centre, w.along, w.across, w.diagonal, w.along2, w.across2]
  const { configure } = kernel.call
  assert(configure !== undefined, 'the wave kernel is whole')
  configure(rows, columns, rowBytes, KINDS[boundary], ...weights)
  const views = places.map((at) => kernel.f64(at, fieldBytes / DOUBLE))
  /** Where a row of unknowns begins in a field here, and in one of all nodes. */
  const inner = (row: number): number => ((row + GHOSTS) * rowBytes) / DOUBLE + GHOSTS
  const outer = (row: number): number => (row + frame.firstRow) * frame.columns + frame.firstColumn
  const write = (field: number, all: Float64Array): void => {
    for (let r = 0; r < rows; r++) views[field].set(all.subarray(outer(r), outer(r) + columns), inner(r))
  }
  /** Unknowns of a field as {@link unknowns} gives them. */
  const put = (field: number, from: Float64Array): void => {
    for (let r = 0; r < rows; r++) views[field].set(from.subarray(r * columns, (r + 1) * columns), inner(r))
  }
  const unknowns = (field: number, into: Float64Array): void => {
    for (let r = 0; r < rows; r++) into.set(views[field].subarray(inner(r), inner(r) + columns), r * columns)
  }
  const nodes = (field: number): Float64Array => {
    const all = new Float64Array(frame.rows * frame.columns)
    for (let r = 0; r < rows; r++) {
      all.set(views[field].subarray(inner(r), inner(r) + columns), outer(r))
      if (boundary === 'periodic' && frame.columns > columns) all[outer(r) + columns] = all[outer(r)]
    }
    if (boundary === 'periodic' && frame.rows > rows) all.copyWithin(rows * frame.columns, 0, frame.columns)
    return all
  }
  return { call: kernel.call, places, write, put, unknowns, nodes }
}

type Fields = ReturnType<typeof fieldsOf>

/** Writes the first level, and by the weights of the scheme the one before it. */
const begin = ({ call, places, write }: Fields, dt: number, { displacement, velocity }: Start): void => {
  const { apply, backward, backwardAtRest } = call
  assert(apply !== undefined && backward !== undefined && backwardAtRest !== undefined, 'the wave kernel is whole')
  const [, , a, b, c, d] = places as readonly number[] as readonly [number, number, number, number, number, number]
  write(0, displacement)
  apply(places[0], a)
  if (velocity === undefined) backwardAtRest(places[0], a, places[1])
  else {
    write(3, velocity)
    apply(b, c)
    apply(c, d)
    backward(places[0], a, b, c, d, places[1], dt)
  }
}

/** Sets a displacement and its velocity up in a kernel of its own at time 0, or the two levels that were stopped. */
export const createMembrane = (plan: Plan, frame: Frame, from: Start | HeldLevels): Membrane => {
  const { rows, columns, dt } = plan
  const fields = fieldsOf(plan, frame)
  const { call, places, unknowns, nodes } = fields
  const { advance: sweep, apply, around, straighten } = call
  assert(sweep !== undefined && apply !== undefined, 'the wave kernel is whole')
  assert(around !== undefined && straighten !== undefined, 'the wave kernel is whole')
  const [, , a, b, c, d] = places as readonly number[] as readonly [number, number, number, number, number, number]
  if ('held' in from) for (const level of [0, 1]) fields.put(level, from.held.doubles(rows * columns))
  else {
    const count = frame.rows * frame.columns
    const { displacement, velocity } = from
    assert(displacement.length === count && (velocity ?? displacement).length === count, 'the fields fit the frame')
    begin(fields, dt, from)
  }
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
    apply(places[newest], a)
    apply(places[1 - newest], b)
    around(places[newest], places[1 - newest], a, b, dt)
    apply(a, c)
    apply(c, d)
    straighten(a, c, d)
    return { now: nodes(newest), velocity: nodes(2), before: nodes(1 - newest), earlier: nodes(3) }
  }
  const both = new Float64Array(2 * rows * columns)
  const bytes = (): Uint8Array => {
    unknowns(newest, both.subarray(0, rows * columns))
    unknowns(1 - newest, both.subarray(rows * columns))
    return littleEndianBytes(both)
  }
  return { advance, bytes, end }
}
