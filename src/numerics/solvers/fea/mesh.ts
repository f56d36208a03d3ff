import { cos, PI, pow, sin } from '#numerics/math.ts'
import type { FeaInput } from './schema.ts'

/**
 * Nodes of `columns × rows` elements of eight nodes. They are numbered line by line: a whole line of 2·rows + 1 nodes,
 * the line of rows + 1 nodes at the middle of the elements, the next whole line …
 */
export interface Mesh {
  readonly columns: number
  readonly rows: number
  readonly nodes: number
  readonly x: Float64Array
  readonly y: Float64Array
  /** Whether every element has the shape of the first. */
  readonly uniform: boolean
}

/** Nodes from one whole line to the next. */
export const pitchOf = (rows: number): number => 3 * rows + 2

/** The first node of the whole line before a column of elements. */
export const lineStart = (rows: number, column: number): number => column * pitchOf(rows)

/** The first node of the line through the middles of a column of elements. */
export const middleStart = (rows: number, column: number): number => column * pitchOf(rows) + 2 * rows + 1

/** Nodes of an element: corners against the clock from the lower left, then the middles from the lower edge. */
export const elementNodes = (rows: number, column: number, row: number): readonly number[] => {
  const left = lineStart(rows, column) + 2 * row
  const right = lineStart(rows, column + 1) + 2 * row
  const middle = middleStart(rows, column) + row
  return [left, right, right + 2, left + 2, middle, right + 1, middle + 1, left + 1]
}

type Place = readonly [number, number]

const fill = (columns: number, rows: number, place: (along: number, across: number) => Place): Mesh => {
  const nodes = columns * pitchOf(rows) + 2 * rows + 1
  const x = new Float64Array(nodes)
  const y = new Float64Array(nodes)
  const put = (node: number, at: Place): void => {
    x[node] = at[0]
    y[node] = at[1]
  }
  for (let column = 0; column <= columns; column++) {
    const start = lineStart(rows, column)
    for (let k = 0; k <= 2 * rows; k++) put(start + k, place(column, k / 2))
    if (column === columns) break
    for (let k = 0; k <= rows; k++) put(middleStart(rows, column) + k, place(column + 0.5, k))
  }
  return { columns, rows, nodes, x, y, uniform: false }
}

const beamMesh = ({ L, h, nx, ny }: FeaInput): Mesh => ({
  ...fill(nx, ny, (along, across) => [(L * along) / nx, h * (across / ny - 0.5)]),
  uniform: true,
})

/** Shares of the way from the hole to the edge at the ends of the radial elements: a geometric series. */
export const gradesOf = ({ plate: { radial, grading } }: FeaInput): Float64Array => {
  const ratio = pow(grading, 1 / Math.max(1, radial - 1))
  const grades = new Float64Array(radial + 1)
  let step = 1
  for (let k = 1; k <= radial; k++) {
    grades[k] = grades[k - 1] + step
    step *= ratio
  }
  const whole = grades[radial]
  return grades.map((grade) => grade / whole)
}

/** Columns run from the upright axis (90°) to the level one, rows from the hole to the edge. */
const plateMesh = (input: FeaInput): Mesh => {
  const { radius, width, radial, around } = input.plate
  const grades = gradesOf(input)
  return fill(around, radial, (along, across) => {
    const below = Math.floor(across)
    const grade = below === across ? grades[below] : (grades[below] + grades[below + 1]) / 2
    // The axes are met exactly: no cosine of a rounded right angle.
    const angle = (PI / 2) * (1 - along / around)
    const [c, s] = along === 0 ? [0, 1] : along === around ? [1, 0] : [cos(angle), sin(angle)]
    const reach = along === around / 2 ? width / c : width / Math.max(c, s)
    const r = radius + grade * (reach - radius)
    const edge = grade === 1
    return [edge && c > s ? width : r * c, edge && s > c ? width : r * s]
  })
}

/** The mesh of a problem. */
export const meshOf = (input: FeaInput): Mesh => (input.problem === 'hole' ? plateMesh(input) : beamMesh(input))
