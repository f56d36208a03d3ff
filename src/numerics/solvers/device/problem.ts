import { cos, PI } from '#numerics/math.ts'
import type { DeviceInput } from './schema.ts'

/** Corners of a rectangle in metres. */
export interface Rectangle {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** A rectangle in whole cells: columns left … right − 1, rows bottom … top − 1. */
export interface CellBox {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** A device in a plane, on its grid. Cells are row-major, x fastest; nodes are (ny + 1) × (nx + 1). */
export interface Layout {
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly dy: number
  /** Relative permittivity of each cell. */
  readonly permittivity: Float64Array
  /** Mean charge per volume of each cell, C/m³. */
  readonly density: Float64Array
  /** Which conductor a cell is part of, or −1. */
  readonly metal: Int32Array
  /** Potentials of the conductors, rising; those of equal potential are one. */
  readonly potentials: Float64Array
  /** Conductor of each side, or −1 where it is insulated. */
  readonly sides: { readonly left: number; readonly right: number; readonly bottom: number; readonly top: number }
  /** Whether there is any charge. */
  readonly charged: boolean
}

/** How far from a grid line an edge may be, in cells, to count as on it: rounding of decimal input. */
export const EDGE_CELLS = 1e-6

/** The electrodes of an input: where nothing else makes a field, one of half the box in its middle. */
export const electrodesOf = (input: DeviceInput): readonly (Rectangle & { readonly potential: number })[] => {
  if (input.electrodes !== undefined) return input.electrodes
  const { lx, ly, charge, sides } = input
  if (charge.kind !== 'none' || Object.values(sides).some((it) => it !== 0)) return []
  return [{ x0: lx / 4, y0: ly / 4, x1: 0.75 * lx, y1: 0.75 * ly, potential: 1 }]
}

/** The nearest grid lines of a rectangle's edges. */
export const cellBoxOf = ({ nx, ny, lx, ly }: DeviceInput, { x0, y0, x1, y1 }: Rectangle): CellBox => {
  const line = (at: number, length: number, cells: number): number =>
    Math.max(0, Math.min(cells, Math.floor((at / length) * cells + 0.5)))
  return { left: line(x0, lx, nx), right: line(x1, lx, nx), bottom: line(y0, ly, ny), top: line(y1, ly, ny) }
}

const paint = (nx: number, { left, right, bottom, top }: CellBox, each: (cell: number) => void): void => {
  for (let row = bottom; row < top; row++) for (let column = left; column < right; column++) each(row * nx + column)
}

/** Means over the cells of sin(waves·π·x/length), from its integral. */
const sineMeans = (cells: number, waves: number): Float64Array => {
  const angle = (PI * waves) / cells
  return Float64Array.from({ length: cells }, (_, i) => (cos(angle * i) - cos(angle * (i + 1))) / angle)
}

const densityOf = (input: DeviceInput): Float64Array => {
  const { nx, ny, charge } = input
  const density = new Float64Array(nx * ny)
  if (charge.kind === 'sine') {
    const [along, across] = [sineMeans(nx, charge.m), sineMeans(ny, charge.n)]
    for (let at = 0; at < density.length; at++) {
      const column = at % nx
      density[at] = charge.amplitude * along[column] * across[(at - column) / nx]
    }
  }
  if (charge.kind === 'boxes') {
    for (const box of charge.boxes) {
      paint(nx, cellBoxOf(input, box), (cell) => {
        density[cell] += box.density
      })
    }
  }
  return density
}

/** Lays a device out on its grid. Charge and permittivity under metal count for nothing. */
export const layoutOf = (input: DeviceInput): Layout => {
  const { nx, ny, lx, ly, sides } = input
  const electrodes = electrodesOf(input)
  const all = [...Object.values(sides), ...electrodes.map((it) => it.potential)].filter((it) => it !== null)
  const potentials = Float64Array.from([...new Set(all.map((it) => it + 0))].sort((a, b) => a - b))
  const conductor = (potential: number | null): number => (potential === null ? -1 : potentials.indexOf(potential + 0))
  const permittivity = new Float64Array(nx * ny).fill(input.permittivity)
  for (const region of input.dielectrics) {
    paint(nx, cellBoxOf(input, region), (cell) => {
      permittivity[cell] = region.permittivity
    })
  }
  const metal = new Int32Array(nx * ny).fill(-1)
  const density = densityOf(input)
  for (const electrode of electrodes) {
    paint(nx, cellBoxOf(input, electrode), (cell) => {
      metal[cell] = conductor(electrode.potential)
      density[cell] = 0
    })
  }
  return {
    nx,
    ny,
    dx: lx / nx,
    dy: ly / ny,
    permittivity,
    density,
    metal,
    potentials,
    sides: {
      left: conductor(sides.left),
      right: conductor(sides.right),
      bottom: conductor(sides.bottom),
      top: conductor(sides.top),
    },
    charged: density.some((it) => it !== 0),
  }
}

/** The conductor that each node touches, or −1: row-major, (ny + 1) × (nx + 1). */
export interface NodeConductors {
  readonly touched: Int32Array
  /** A node at which two conductors meet, or −1: between them the field would have no bound. */
  readonly short: number
}

/** Which nodes metal and held sides reach. */
export const nodeConductors = ({ nx, ny, metal, sides }: Layout): NodeConductors => {
  const touched = new Int32Array((nx + 1) * (ny + 1)).fill(-1)
  const width = nx + 1
  let short = -1
  const put = (node: number, conductor: number): void => {
    if (conductor < 0) return
    if (touched[node] >= 0 && touched[node] !== conductor) short = node
    touched[node] = conductor
  }
  for (let row = 0; row <= ny; row++) {
    put(row * width, sides.left)
    put(row * width + nx, sides.right)
  }
  for (let column = 0; column <= nx; column++) {
    put(column, sides.bottom)
    put(ny * width + column, sides.top)
  }
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const conductor = metal[row * nx + column]
      if (conductor < 0) continue
      const node = row * width + column
      put(node, conductor)
      put(node + 1, conductor)
      put(node + width, conductor)
      put(node + width + 1, conductor)
    }
  }
  return { touched, short }
}
