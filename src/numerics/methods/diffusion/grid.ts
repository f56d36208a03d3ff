import { Fault } from '#core/fault.ts'
import { cos, exp, PI, sin, TAU } from '#numerics/math.ts'
import type { Boundary } from './lines.ts'

/** The initial temperature, as an input states it: lengths are fractions of the sides. */
export interface Initial {
  readonly kind: 'gaussian' | 'box' | 'mode' | 'values'
  readonly amplitude: number
  readonly x: number
  readonly y: number
  readonly sigma: number
  readonly width: number
  readonly height: number
  readonly m: number
  readonly n: number
  readonly values?: readonly number[] | undefined
}

/** What the grid of a heat problem follows from. */
export interface GridInput {
  readonly dim: number
  readonly nx: number
  readonly ny: number
  readonly lx: number
  readonly ly: number
  readonly initial: Initial
  readonly boundary: { readonly kind: Boundary; readonly temperature: number; readonly right?: number | undefined }
}

/**
 * All nodes of a problem, edges included; on a ring the last node repeats the first. Values are row-major with x along
 * the rows; a line is one row.
 */
export interface Grid {
  readonly rows: number
  readonly columns: number
  readonly dx: number
  readonly dy: number
}

/** The grid of an input: nodes on both ends of each axis, spacing in metres. */
export const gridOf = ({ dim, nx, ny, lx, ly }: GridInput): Grid => ({
  rows: dim === 1 ? 1 : ny + 1,
  columns: nx + 1,
  dx: lx / nx,
  dy: ly / ny,
})

/** The rows and columns that carry unknowns: not those of a fixed edge, nor the repeated ones of a ring. */
export const unknownsOf = ({ dim, nx, ny, boundary }: GridInput) => {
  const offset = boundary.kind === 'fixed' ? 1 : 0
  const count = (n: number): number => (boundary.kind === 'fixed' ? n - 1 : boundary.kind === 'insulated' ? n + 1 : n)
  return { rows: dim === 1 ? 1 : count(ny), columns: count(nx), firstRow: dim === 1 ? 0 : offset, firstColumn: offset }
}

/** Temperatures of the two ends; on a rectangle all sides have the first. */
export const endsOf = ({ dim, boundary }: GridInput): readonly [number, number] => [
  boundary.temperature,
  dim === 1 && boundary.right !== undefined && boundary.right !== null ? boundary.right : boundary.temperature,
]

/** The part of a node's cell that a box covers: half a spacing to each side, within the domain but for a ring. */
const coverOf = (cells: number, { ring, centre, width }: { ring: boolean; centre: number; width: number }) => {
  const half = 0.5 / cells
  const between = (low: number, high: number, shift: number): number =>
    Math.max(0, Math.min(high, centre + width / 2 + shift) - Math.max(low, centre - width / 2 + shift))
  return (f: number): number => {
    const [low, high] = ring ? [f - half, f + half] : [Math.max(0, f - half), Math.min(1, f + half)]
    const covered = between(low, high, 0) + (ring ? between(low, high, -1) + between(low, high, 1) : 0)
    return covered / (high - low)
  }
}

/** The shape of an initial temperature above its base, at a node whose place is given in fractions of the sides. */
const shapeAt = ({ dim, nx, ny, initial, boundary: { kind } }: GridInput) => {
  const { x, y, sigma, width, height, m, n } = initial
  const flat = dim === 1
  // On a ring the nearer way round counts.
  const off = (d: number): number => (kind !== 'periodic' ? d : d > 0.5 ? d - 1 : d < -0.5 ? d + 1 : d)
  switch (initial.kind) {
    case 'gaussian':
      return (fx: number, fy: number): number => {
        const dx = off(fx - x) / sigma
        const dy = flat ? 0 : off(fy - y) / sigma
        return exp(-(dx * dx + dy * dy) / 2)
      }
    case 'box': {
      // Means over cells: where an edge lies between two nodes makes a difference.
      const along = coverOf(nx, { ring: kind === 'periodic', centre: x, width })
      const across = coverOf(ny, { ring: kind === 'periodic', centre: y, width: height })
      return (fx: number, fy: number): number => along(fx) * (flat ? 1 : across(fy))
    }
    default: {
      // m and n count half waves on a side, and whole waves on a ring.
      const turn = kind === 'periodic' ? TAU : PI
      const wave = kind === 'fixed' ? sin : cos
      return (fx: number, fy: number): number => wave(turn * m * fx) * (flat ? 1 : wave(turn * n * fy))
    }
  }
}

/** @throws Fault INVALID_INPUT when `values` has another length than the grid. */
export const refuseValues = (input: GridInput): void => {
  const { rows, columns } = gridOf(input)
  const { kind, values } = input.initial
  const measured = values?.length ?? 0
  if (kind !== 'values' || measured === rows * columns) return
  throw new Fault(
    'INVALID_INPUT',
    `/initial/values: has ${measured} numbers; the grid has ${rows} × ${columns} = ${rows * columns} nodes.`,
    { path: '/initial/values', measured, limit: rows * columns },
  )
}

/**
 * The initial temperature at every node, in kelvin, before any boundary condition; `values` must have been found to
 * have their length.
 */
export const initialTemperature = (input: GridInput): Float64Array => {
  const { rows, columns } = gridOf(input)
  const { initial } = input
  if (initial.kind === 'values') return joined(input, Float64Array.from(initial.values ?? []))
  const shape = shapeAt(input)
  const [left, right] = endsOf(input)
  const temperature = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const fx = column / (columns - 1)
      const base = left + (right - left) * fx
      temperature[row * columns + column] = base + initial.amplitude * shape(fx, rows === 1 ? 0 : row / (rows - 1))
    }
  }
  return joined(input, temperature)
}

/** On a ring the last node of each direction is the first one again. */
const joined = (input: GridInput, temperature: Float64Array): Float64Array => {
  if (input.boundary.kind !== 'periodic') return temperature
  const { rows, columns } = gridOf(input)
  for (let row = 0; row < rows; row++) temperature[row * columns + columns - 1] = temperature[row * columns]
  if (rows > 1) temperature.copyWithin((rows - 1) * columns, 0, columns)
  return temperature
}

/** The unknowns at time 0: deviations from the temperature that the edges hold, or from zero where they hold none. */
export const startOf = (input: GridInput, temperature: Float64Array): Float64Array => {
  const { columns } = gridOf(input)
  const inner = unknownsOf(input)
  const [left, right] = input.boundary.kind === 'fixed' ? endsOf(input) : [0, 0]
  const start = new Float64Array(inner.rows * inner.columns)
  for (let row = 0; row < inner.rows; row++) {
    for (let column = 0; column < inner.columns; column++) {
      const at = column + inner.firstColumn
      const steady = left + (right - left) * (at / (columns - 1))
      start[row * inner.columns + column] = temperature[(row + inner.firstRow) * columns + at] - steady
    }
  }
  return start
}

/** The temperature at every node from the unknowns: edges and repeated nodes filled in. */
export const temperatureOf = (input: GridInput, unknowns: Float64Array): Float64Array => {
  const { rows, columns } = gridOf(input)
  const inner = unknownsOf(input)
  const fixed = input.boundary.kind === 'fixed'
  const [left, right] = fixed ? endsOf(input) : [0, 0]
  const steady = Float64Array.from({ length: columns }, (_, at) => left + (right - left) * (at / (columns - 1)))
  const temperature = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const line = temperature.subarray(row * columns, (row + 1) * columns)
    line.set(steady)
    const from = (fixed ? row - inner.firstRow : row % inner.rows) * inner.columns
    if (from < 0 || from >= unknowns.length) continue
    for (let column = 0; column < inner.columns; column++) line[column + inner.firstColumn] += unknowns[from + column]
    if (!fixed) for (let column = inner.columns; column < columns; column++) line[column] += unknowns[from]
  }
  return temperature
}
