import { assert } from '#core/assert.ts'
import { type Condenser, createCondenser, type Factor } from '#numerics/methods/linear/condense.ts'
import { type Mesh, middleStart, pitchOf } from '#numerics/solvers/fea/mesh.ts'

/** A body condensed to its two ends: the columns `from` to `to` of a mesh without their inside. */
interface Part {
  readonly from: number
  readonly to: number
  readonly factor: Factor
  readonly halves: readonly [Part, Part] | undefined
}

/** A factored stiffness. */
export interface Tree {
  /** Loads become displacements, in place; those of held unknowns become zero. */
  readonly solve: (vector: Float64Array) => void
}

interface Condensed {
  readonly factor: Factor
  /** Stiffness between the ends, upper triangle, left end first. */
  readonly ends: Float64Array
}

/**
 * A stiffness factored by halving the body: a column of elements is condensed to its two sides, and two neighbours to
 * the ends of both. Parts of one length of a uniform mesh are alike and factored once, so that the work grows with the
 * logarithm of their number.
 *
 * @param stiffness of an element, 16 × 16 by nodes.
 * @param held which unknowns of the first and the last line do not move.
 * @throws Fault DID_NOT_CONVERGE when the body is a mechanism in double precision.
 */
export const createTree = (
  mesh: Mesh,
  stiffness: (column: number, row: number) => Float64Array,
  { held, each }: { readonly held: (unknown: number, last: boolean) => boolean; readonly each: (done: number) => void },
): Tree => {
  const { columns, rows, uniform } = mesh
  const side = 2 * (2 * rows + 1)
  const inside = 2 * (rows + 1)
  const condenser = createCondenser(3 * side)
  const known = new Map<number, Condensed>()
  let done = 0

  const columnOf = (column: number): Condensed => {
    const { factor, left } = condenser.condense(inside + 2 * side, inside, (matrix, stride) => {
      for (let row = 0; row < rows; row++) {
        const K = stiffness(column, row)
        const [first, second] = [inside + 4 * row, inside + side + 4 * row]
        const places = [first, second, second + 4, first + 4, 2 * row, second + 2, 2 * row + 2, first + 2]
        addElement(matrix, stride, { K, places })
      }
    })
    return { factor, ends: left }
  }

  const joined = (a: Float64Array, b: Float64Array): Condensed => {
    const { factor, left } = condenser.condense(3 * side, side, (matrix, stride) => {
      // The line between the halves first, then the left end, then the right one.
      for (let i = 0; i < side; i++) {
        for (let j = 0; j < side; j++) {
          matrix[(side + i) * stride + side + j] = j >= i ? (a[i * 2 * side + j] as number) : 0
          matrix[j * stride + side + i] = a[i * 2 * side + side + j] as number
          matrix[i * stride + 2 * side + j] = b[i * 2 * side + side + j] as number
          if (j < i) continue
          const at = (side + i) * 2 * side + side + j
          matrix[i * stride + j] = (a[at] as number) + (b[i * 2 * side + j] as number)
          matrix[(2 * side + i) * stride + 2 * side + j] = b[at] as number
        }
      }
    })
    return { factor, ends: left }
  }

  const partOf = (from: number, to: number): { readonly part: Part; readonly ends: Float64Array } => {
    const like = uniform ? known.get(to - from) : undefined
    const middle = from + Math.ceil((to - from) / 2)
    if (to - from === 1) {
      const { factor, ends } = like ?? columnOf(from)
      if (uniform) known.set(1, { factor, ends })
      each(++done)
      return { part: { from, to, factor, halves: undefined }, ends }
    }
    const [a, b] = [partOf(from, middle), partOf(middle, to)]
    const { factor, ends } = like ?? joined(a.ends, b.ends)
    if (uniform) known.set(to - from, { factor, ends })
    return { part: { from, to, factor, halves: [a.part, b.part] }, ends }
  }

  const whole = partOf(0, columns)
  const free = Array.from({ length: 2 * side }, (_, i) => i).filter((i) => !held(i % side, i >= side))
  const last = condenser.condense(free.length, free.length, (matrix, stride) => {
    free.forEach((i, row) => {
      for (let column = row; column < free.length; column++) {
        matrix[row * stride + column] = whole.ends[i * 2 * side + (free[column] as number)] as number
      }
    })
  }).factor
  return { solve: solveWith(mesh, condenser, { root: whole.part, last, free }) }
}

/** Adds the upper triangle of an element's stiffness; `places` are the first unknowns of its nodes. */
const addElement = (
  matrix: Float64Array,
  stride: number,
  { K, places }: { readonly K: Float64Array; readonly places: readonly number[] },
): void => {
  for (let p = 0; p < 16; p++) {
    const row = (places[p >> 1] as number) + (p & 1)
    for (let q = 0; q < 16; q++) {
      const column = (places[q >> 1] as number) + (q & 1)
      if (column >= row) matrix[row * stride + column] += K[16 * p + q]
    }
  }
}

interface Ends {
  readonly root: Part
  readonly last: Factor
  /** Unknowns of the two end lines that move. */
  readonly free: readonly number[]
}

const solveWith = (
  { rows, columns }: Mesh,
  condenser: Condenser,
  { root, last, free }: Ends,
): ((vector: Float64Array) => void) => {
  const side = 2 * (2 * rows + 1)
  const pitch = 2 * pitchOf(rows)
  /** The first unknown inside a part: of the line between its halves, or of the middles of its elements. */
  const insideAt = ({ halves, from }: Part): number =>
    halves === undefined ? 2 * middleStart(rows, from) : halves[0].to * pitch
  const gather = (part: Part, vector: Float64Array, local: Float64Array): void => {
    const { eliminated } = part.factor
    const at = insideAt(part)
    for (let i = 0; i < eliminated; i++) local[i] = vector[at + i]
    for (let i = 0; i < side; i++) {
      local[eliminated + i] = vector[part.from * pitch + i]
      local[eliminated + side + i] = vector[part.to * pitch + i]
    }
    if ((eliminated + 2 * side) % 2 === 1) local[eliminated + 2 * side] = 0
  }
  const down = (part: Part, vector: Float64Array): void => {
    if (part.halves !== undefined) for (const half of part.halves) down(half, vector)
    const local = condenser.vector()
    gather(part, vector, local)
    condenser.forward(part.factor)
    const { eliminated } = part.factor
    vector.set(local.subarray(0, eliminated), insideAt(part))
    vector.set(local.subarray(eliminated, eliminated + side), part.from * pitch)
    vector.set(local.subarray(eliminated + side, eliminated + 2 * side), part.to * pitch)
  }
  const up = (part: Part, vector: Float64Array): void => {
    const local = condenser.vector()
    gather(part, vector, local)
    condenser.backward(part.factor)
    vector.set(local.subarray(0, part.factor.eliminated), insideAt(part))
    if (part.halves !== undefined) for (const half of part.halves) up(half, vector)
  }
  const endAt = (i: number): number => (i < side ? i : columns * pitch + i - side)
  return (vector) => {
    assert(vector.length === columns * pitch + side, 'the loads fit the mesh')
    down(root, vector)
    const local = condenser.vector()
    local.fill(0)
    free.forEach((i, k) => {
      local[k] = vector[endAt(i)]
    })
    condenser.forward(last)
    condenser.backward(last)
    for (let i = 0; i < 2 * side; i++) vector[endAt(i)] = 0
    free.forEach((i, k) => {
      vector[endAt(i)] = local[k]
    })
    up(root, vector)
  }
}
