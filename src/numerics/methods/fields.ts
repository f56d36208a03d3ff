import { assert } from '#core/assert.ts'
import { sqrt } from '#numerics/math.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'

const DOUBLE = 8
/** Nodes that are handed to the kernel at a time where rows do not matter: they stay in a cache. */
const BLOCK_NODES = 2_048
/** Memory of the kernel that is kept between fields: rows of 8,192 intervals and more. */
const KEPT_BYTES_MAX = 1_048_576
/** Where the kernel keeps its running numbers; rows come behind them. */
const RUNNING = KERNEL_DATA_START
const RUNNING_BYTES = 4 * DOUBLE

let kept: Kernel | undefined

/** Rows of the thread's kernel, each with room for a ghost before its first node and behind its last. */
const rowsOf = (count: number, columns: number) => {
  const kernel = kept ?? loadKernel('fields')
  const width = columns + 2
  const at = (row: number): number => RUNNING + RUNNING_BYTES + (row * width + 1) * DOUBLE
  kernel.reserve(at(count))
  kept = at(count) <= KEPT_BYTES_MAX ? kernel : undefined
  const { compare, subtract, depart, read, slopes } = kernel.call
  assert(compare !== undefined && subtract !== undefined && depart !== undefined, 'the kernel fields is whole')
  assert(read !== undefined && slopes !== undefined, 'the kernel fields is whole')
  return {
    ...{ at, compare, subtract, depart, read, slopes },
    row: (index: number): Float64Array => kernel.f64(at(index), columns),
    running: kernel.f64(RUNNING, RUNNING_BYTES / DOUBLE),
  }
}

/** A field's numbers as an array of doubles, which is not copied where it is one. */
export const asField = (values: ArrayLike<number>): Float64Array =>
  values instanceof Float64Array ? values : Float64Array.from(values)

/** How far a field is from another. */
export interface Distance {
  /** Root of the sum of squares of the differences, and of the second field. */
  readonly error: number
  readonly norm: number
  /** The largest difference, and the largest value of the second field. */
  readonly errorMost: number
  readonly largest: number
}

/** Compares two fields of one length node by node; a NaN in either is in every figure that it touches. */
export const distanceOf = (field: ArrayLike<number>, exact: ArrayLike<number>): Distance => {
  const [mine, due] = [asField(field), asField(exact)]
  assert(mine.length === due.length, 'both fields have the same nodes')
  const { at, compare, row, running } = rowsOf(2, BLOCK_NODES)
  const [first, second] = [row(0), row(1)]
  running.fill(0)
  for (let from = 0; from < due.length; from += BLOCK_NODES) {
    const to = Math.min(due.length, from + BLOCK_NODES)
    first.set(mine.subarray(from, to))
    second.set(due.subarray(from, to))
    compare(at(0), at(1), to - from, RUNNING)
  }
  return { error: sqrt(running[0]), norm: sqrt(running[1]), errorMost: running[2], largest: running[3] }
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
  const [mine, due] = [asField(field), asField(exact)]
  const rows = due.length / columns
  const ring = beyond === 'ring' ? 1 : 0
  // Three rows of errors, each kept until the one below it has been looked at; then a row of either field.
  const { at, depart, row, subtract } = rowsOf(5, columns)
  const [first, second] = [row(3), row(4)]
  const errorsAt = (place: number): number => {
    const inside = place >= 0 && place < rows ? place : ring === 1 ? (place + rows) % rows : place < 0 ? 1 : rows - 2
    first.set(mine.subarray(inside * columns, (inside + 1) * columns))
    second.set(due.subarray(inside * columns, (inside + 1) * columns))
    const to = at((place + 3) % 3)
    subtract(at(3), at(4), columns, to, ring)
    return to
  }
  if (rows === 1) return depart(errorsAt(0), 0, 0, columns, 0)
  let most = 0
  let [up, here] = [errorsAt(-1), errorsAt(0)]
  for (let place = 0; place < rows; place++) {
    const down = errorsAt(place + 1)
    most = depart(here, up, down, columns, most)
    up = here
    here = down
  }
  return most
}

/** A field on a grid that is whole rows. */
interface Sheet {
  readonly rows: number
  readonly columns: number
}

const weightOf = (row: number, rows: number): number => (rows > 1 && (row === 0 || row === rows - 1) ? 0.5 : 1)

/** What is read off a field: nodes on an edge count half in each direction in its mean square. */
export const squaresOf = (field: ArrayLike<number>, { rows, columns }: Sheet) => {
  const values = asField(field)
  const { at, read, row, running } = rowsOf(1, columns)
  const place = row(0)
  running.set([0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
  for (let index = 0; index < rows; index++) {
    place.set(values.subarray(index * columns, (index + 1) * columns))
    read(at(0), columns, weightOf(index, rows), RUNNING)
  }
  const intervals = (columns - 1) * Math.max(1, rows - 1)
  return { meanSquare: running[0] / intervals, minimum: running[1], maximum: running[2] }
}

/** Mean of (difference along a direction)² over the edges of the grid that run in it, of both directions together. */
export const meanSlopeOf = (
  field: ArrayLike<number>,
  { rows, columns, dx, dy }: Sheet & { readonly dx: number; readonly dy: number },
): number => {
  const values = asField(field)
  const { at, row, running, slopes } = rowsOf(2, columns)
  const places = [row(0), row(1)] as const
  const take = (index: number): void =>
    places[(index % 2) as 0 | 1].set(values.subarray(index * columns, (index + 1) * columns))
  running.fill(0)
  take(0)
  for (let index = 0; index < rows; index++) {
    const last = index + 1 === rows
    if (!last) take(index + 1)
    const below = last ? 0 : at((index + 1) % 2)
    slopes(at(index % 2), below, columns, weightOf(index, rows), dx, dy, RUNNING)
  }
  return (running[0] + running[1]) / ((columns - 1) * Math.max(1, rows - 1))
}
