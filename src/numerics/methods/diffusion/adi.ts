import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { factorsOf, stencilCentre, weightOf } from './lines.ts'

/** A rectangle of unknowns and the numbers of the scheme on it. */
export interface AdiPlan {
  /** Unknowns in each direction; at least 8 of each. */
  readonly rows: number
  readonly columns: number
  /** α·dt/dy² across the rows and α·dt/dx² along them. */
  readonly rAcross: number
  readonly rAlong: number
  /**
   * Whether the edges are insulated (the unknowns reach to the edge) or fixed at zero (they end one node before it).
   */
  readonly insulated: boolean
  /**
   * Whether the scheme is Mitchell and Fairweather's of fourth order in space. What a step leaves in the field is then
   * to be multiplied by {@link compactScale}.
   */
  readonly compact?: boolean
}

/** What 1/12 of a second difference adds to h = r/2 in stencils and takes from it in matrices, as part of r. */
const COMPACT = 1 / 6
/** Where a compact matrix would be the unit matrix its weight cannot be divided by: r keeps this far from there. */
const COMPACT_GAP = 1e-6

/** r of the stencils and of the matrices of a direction. */
export const compactOf = (r: number, compact: boolean): { readonly stencil: number; readonly matrix: number } => {
  if (!compact) return { stencil: r, matrix: r }
  const matrix = r - COMPACT
  return { stencil: r + COMPACT, matrix: Math.abs(matrix) < COMPACT_GAP ? COMPACT_GAP : matrix }
}

/** What a compact step of some directions leaves out: the ratios of the weights of stencils and matrices. */
export const compactScale = (...rs: readonly number[]): number =>
  rs.reduce((scale, r) => {
    const { stencil, matrix } = compactOf(r, true)
    return (scale * weightOf(stencil)) / weightOf(matrix)
  }, 1)

/** A field in the memory of the heat kernel, moved on by Peaceman–Rachford steps. */
export interface Adi {
  /** The field after the last step that was kept, row-major, without padding: a view, not a copy. */
  readonly field: Float64Array
  /** Takes the steps `from` (inclusive) to `to` (exclusive); their numbers' parity is the direction of the pass. */
  readonly advance: (from: number, to: number, each: (step: number) => void) => void
  /** Scales every node and lets it grow logistically, u ← u·gain/(1 + u·rise); then takes the step of this number. */
  readonly growAndStep: (step: number, scale: number, gain: number, rise: number) => void
  /** Sums of u and of u·(1 − u) as growth would leave the nodes, those on an edge counted half in each direction. */
  readonly tally: (scale: number, gain: number, rise: number) => readonly [number, number]
}

const DOUBLE = 8
const LINE = 64
const UNKNOWNS_MIN = 8

/** Bytes of a padded row: an odd number of cache lines, because rows a power of two apart share too few cache sets. */
const rowBytesOf = (columns: number): number => {
  const lines = Math.ceil(((columns + (columns % 2)) * DOUBLE) / LINE)
  return (lines % 2 === 0 ? lines + 1 : lines) * LINE
}

const aligned = (bytes: number): number => Math.ceil(bytes / LINE) * LINE

/** Sets a field up in a kernel of its own. @param start row-major, rows × columns. */
export const createAdi = (plan: AdiPlan, start: Float64Array): Adi => {
  const { rows, columns, insulated, compact = false } = plan
  const [down, side] = [compactOf(plan.rAcross, compact), compactOf(plan.rAlong, compact)]
  assert(rows >= UNKNOWNS_MIN && columns >= UNKNOWNS_MIN, 'the kernel works on eight rows at a time')
  assert(start.length === rows * columns, 'the field fits the plan')
  const kernel = loadKernel('heat')
  const rowBytes = rowBytesOf(columns)
  const fieldAt = KERNEL_DATA_START
  const eliminatedAt = fieldAt + aligned(rows * columns * DOUBLE)
  const carriedAt = eliminatedAt + rows * rowBytes
  const packedAt = carriedAt + 2 * rowBytes
  const tablesAt = packedAt + (columns + 1) * LINE
  kernel.reserve(tablesAt + 2 * (rows + columns) * DOUBLE)
  const across = factorsOf(rows, down.matrix, insulated)
  const along = factorsOf(columns, side.matrix, insulated)
  const tables = kernel.f64(tablesAt, 2 * (rows + columns))
  tables.set(across.pivots, 0)
  // A pass meets the rows in the opposite order of their elimination.
  tables.set(across.backs.slice().reverse(), rows)
  tables.set(along.pivots, 2 * rows)
  tables.set(along.backs, 2 * rows + columns)
  const field = kernel.f64(fieldAt, rows * columns)
  field.set(start)
  const { configure, open, step, growAndStep, tally, spent } = kernel.call
  assert(configure !== undefined && open !== undefined, 'the heat kernel is whole')
  assert(step !== undefined && growAndStep !== undefined, 'the heat kernel is whole')
  assert(tally !== undefined && spent !== undefined, 'the heat kernel is whole')
  const layout = [rows, columns, rowBytes, fieldAt, eliminatedAt, carriedAt, packedAt, tablesAt]
  configure(...layout, stencilCentre(down.stencil), stencilCentre(side.stencil), insulated ? 1 : 0)
  let opened: number | undefined
  return {
    field,
    advance: (from, to, each) => {
      if (opened !== from) open(from)
      for (let number = from; number < to; number++) {
        step(number, number === to - 1 ? 1 : 0)
        each(number + 1)
      }
      opened = to
    },
    growAndStep: (number, scale, gain, rise) => {
      growAndStep(number, scale, gain, rise)
      opened = undefined
    },
    tally: (scale, gain, rise) => [tally(scale, gain, rise), spent()],
  }
}
