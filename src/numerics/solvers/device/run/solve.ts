import { solveByMultigrid } from '#numerics/methods/poisson/multigrid.ts'
import { emptyStencil, fixPoints, type Stencil, sizeOf } from '#numerics/methods/poisson/stencil.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { type Layout, nodeConductors } from '#numerics/solvers/device/problem.ts'
import type { Fluxes } from '#numerics/solvers/device/schema.ts'

/** Permittivity of the vacuum, F/m. */
export const EPSILON_0 = constantOf('epsilon_0').value

/** Relative residual at which a solve ends: its error is far below that of the grid. */
const TOLERANCE = 1e-9

type Each = (residual: number) => void

/** Solves with fixed points, and adds what they are fixed to. */
const solveFixed = (
  a: Stencil,
  { fixed, values, right }: { readonly fixed: Uint8Array; readonly values: Float64Array; readonly right: Float64Array },
  each: Each,
): { readonly x: Float64Array; readonly residuals: readonly number[] } => {
  fixPoints(a, fixed, values, right)
  const x = new Float64Array(right.length)
  const residuals = solveByMultigrid({ a, right, x }, { tolerance: TOLERANCE, each })
  for (let i = 0; i < x.length; i++) if (fixed[i] === 1) x[i] = values[i]
  return { x, residuals }
}

/** The values of a bordered array without its border. */
const inner = (x: Float64Array, rows: number, columns: number): Float64Array => {
  const out = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    const from = (row + 1) * (columns + 2) + 1
    out.set(x.subarray(from, from + columns), row * columns)
  }
  return out
}

/**
 * The potential at the nodes by bilinear elements, in volts: of all fields that are bilinear in each cell and right on
 * the conductors the one of least energy, so that its energy is never below the true one (Dirichlet's principle).
 */
export const solvePotential = (
  layout: Layout,
  each: Each,
): { readonly potential: Float64Array; readonly residuals: readonly number[] } => {
  const { nx, ny, dx, dy, permittivity, density, metal, potentials } = layout
  const [rows, columns] = [ny + 1, nx + 1]
  const a = emptyStencil(rows, columns)
  const s = a.stride
  const right = new Float64Array(sizeOf(rows, columns))
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const cell = row * nx + column
      if (metal[cell] >= 0) continue
      const i = (row + 1) * s + column + 1
      const along = (permittivity[cell] * dy) / dx
      const across = (permittivity[cell] * dx) / dy
      const own = (along + across) / 3
      const beside = across / 6 - along / 3
      const over = along / 6 - across / 3
      const opposite = -(along + across) / 6
      const load = (density[cell] * dx * dy) / (4 * EPSILON_0)
      a.centre[i] += own
      a.centre[i + 1] += own
      a.centre[i + s] += own
      a.centre[i + s + 1] += own
      a.east[i] += beside
      a.east[i + s] += beside
      a.north[i] += over
      a.north[i + 1] += over
      a.northEast[i] += opposite
      a.northWest[i + 1] += opposite
      right[i] += load
      right[i + 1] += load
      right[i + s] += load
      right[i + s + 1] += load
    }
  }
  const { touched } = nodeConductors(layout)
  const fixed = new Uint8Array(right.length)
  const values = new Float64Array(right.length)
  const lowest = potentials[0]
  for (let at = 0; at < touched.length; at++) {
    if (touched[at] < 0) continue
    const column = at % columns
    const i = ((at - column) / columns + 1) * s + column + 1
    fixed[i] = 1
    values[i] = potentials[touched[at]] - lowest
  }
  const { x, residuals } = solveFixed(a, { fixed, values, right }, each)
  const potential = inner(x, rows, columns)
  for (let at = 0; at < potential.length; at++) {
    potential[at] = touched[at] < 0 ? potential[at] + lowest : potentials[touched[at]]
  }
  return { potential, residuals }
}

/**
 * What is done at a face: the flux that a volt drives through it, and the cells, or −1 − conductor, that it is between.
 */
type AtFace = (conductance: number, from: number, to: number, upwards: boolean, place: number) => void

/** Calls for every face through which anything can flow: not between metal and metal, nor in an insulated side. */
const eachFace = (layout: Layout, visit: AtFace): void => {
  const { nx, ny, dx, dy, sides, permittivity, metal } = layout
  const between = (from: number, to: number, upwards: boolean, place: number): void => {
    const shape = upwards ? dx / dy : dy / dx
    const a = from >= 0 && metal[from] < 0
    const b = to >= 0 && metal[to] < 0
    if (a && b) {
      const e = permittivity[from]
      const f = permittivity[to]
      visit((2 * shape * e * f) / (e + f), from, to, upwards, place)
    } else if (a) visit(2 * shape * permittivity[from], from, to >= 0 ? -1 - metal[to] : to, upwards, place)
    else if (b) visit(2 * shape * permittivity[to], from >= 0 ? -1 - metal[from] : from, to, upwards, place)
  }
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column <= nx; column++) {
      const edge = column === 0 ? sides.left : column === nx ? sides.right : 0
      if (edge < 0) continue
      const right = row * nx + column
      between(column === 0 ? -1 - edge : right - 1, column === nx ? -1 - edge : right, false, right + row)
    }
  }
  for (let row = 0; row <= ny; row++) {
    const edge = row === 0 ? sides.bottom : row === ny ? sides.top : 0
    if (edge < 0) continue
    for (let column = 0; column < nx; column++) {
      const above = row * nx + column
      between(row === 0 ? -1 - edge : above - nx, row === ny ? -1 - edge : above, true, above)
    }
  }
}

/**
 * Fluxes that leave every cell with exactly its charge, by finite volumes about the middles of the cells, with harmonic
 * means where the permittivity jumps. Spread evenly between opposite faces they are a displacement that is free of
 * sources but the charge, whose energy bounds the true one from the other side (Thomson's principle).
 */
export const solveFluxes = (layout: Layout, each: Each): Fluxes => {
  const { nx, ny, dx, dy, density, metal, potentials } = layout
  const a = emptyStencil(ny, nx)
  const s = a.stride
  const right = new Float64Array(sizeOf(ny, nx))
  const volts = (end: number): number => potentials[-1 - end] - potentials[0]
  const at = (cell: number): number => {
    const column = cell % nx
    return ((cell - column) / nx + 1) * s + column + 1
  }
  for (let cell = 0; cell < metal.length; cell++) {
    if (metal[cell] < 0) right[at(cell)] = (density[cell] * dx * dy) / EPSILON_0
    else a.centre[at(cell)] = 1
  }
  eachFace(layout, (conductance, from, to, upwards) => {
    if (from >= 0) a.centre[at(from)] += conductance
    if (to >= 0) a.centre[at(to)] += conductance
    if (from >= 0 && to >= 0) (upwards ? a.north : a.east)[at(from)] = -conductance
    else if (from >= 0) right[at(from)] += conductance * volts(to)
    else right[at(to)] += conductance * volts(from)
  })
  const x = new Float64Array(right.length)
  solveByMultigrid({ a, right, x }, { tolerance: TOLERANCE, each })
  const fluxes = { x: new Float64Array(ny * (nx + 1)), y: new Float64Array((ny + 1) * nx) }
  const level = (end: number): number => (end >= 0 ? x[at(end)] : volts(end))
  eachFace(layout, (conductance, from, to, upwards, place) => {
    const flux = conductance * (level(from) - level(to))
    if (upwards) fluxes.y[place] = flux
    else fluxes.x[place] = flux
  })
  return fluxes
}
