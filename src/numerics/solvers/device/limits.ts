import { Fault } from '#core/fault.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { refuseJunction } from './junction-limits.ts'
import { cellBoxOf, EDGE_CELLS, electrodesOf, type Layout, nodeConductors, type Rectangle } from './problem.ts'
import { CELLS_MAX, CELLS_MIN, type DeviceInput } from './schema.ts'

/** Nodes of the largest grid: its potential is about 5 MB of JSON. */
const NODES_MAX = 263_169
/** Sides of a cell, longer to shorter: relaxation point by point is slow beyond. */
const CELL_RATIO_MAX = 4
/** Least difference of two conductors' potentials, as a share of the largest: below it a solve sees rounding alone. */
const POTENTIAL_SHARE_MIN = 1e-9

/** Whether an input is that of a junction. */
export const isJunction = ({ dim, doping }: DeviceInput): boolean => dim === 1 || doping !== undefined

/** Cells of a grid that is neither too large nor of cells too long, as near to those asked for as there are. */
const passingGrid = ({ nx, ny, lx, ly }: DeviceInput): Readonly<Record<string, number>> => {
  const passes = (columns: number, rows: number): boolean => {
    const ratio = (lx * rows) / (ly * columns)
    const enough = columns >= CELLS_MIN && rows >= CELLS_MIN && columns <= CELLS_MAX && rows <= CELLS_MAX
    return enough && (columns + 1) * (rows + 1) <= NODES_MAX && ratio <= CELL_RATIO_MAX && ratio >= 1 / CELL_RATIO_MAX
  }
  const changed = (columns: number, rows: number): Readonly<Record<string, number>> => ({
    ...(columns !== nx && { nx: columns }),
    ...(rows !== ny && { ny: rows }),
  })
  // What makes the cells no longer than they may be, one higher where rounding asks for it; then fewer of both.
  const [across, up] = [Math.ceil((lx * ny) / (ly * CELL_RATIO_MAX)), Math.ceil((nx * ly) / (lx * CELL_RATIO_MAX))]
  for (const more of [0, 1]) {
    if (across > nx && passes(across + more, ny)) return changed(across + more, ny)
    if (up > ny && passes(nx, up + more)) return changed(nx, up + more)
  }
  for (let columns = nx; columns >= CELLS_MIN; columns--) {
    const square = Math.floor((columns * ly) / lx)
    const most = Math.floor(NODES_MAX / (columns + 1)) - 1
    for (const rows of [ny, Math.min(square, most, CELLS_MAX), Math.min(most, CELLS_MAX), CELLS_MIN]) {
      if (passes(columns, rows)) return changed(columns, rows)
    }
  }
  // A box that is longer than any such grid: one of squares.
  return lx > ly ? { lx: (ly * nx) / ny } : { ly: (lx * ny) / nx }
}

const refuseGrid = (input: DeviceInput): void => {
  const { nx, ny, lx, ly } = input
  const nodes = (nx + 1) * (ny + 1)
  if (nodes > NODES_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The grid has ${nodes} nodes; ${NODES_MAX} are allowed.`, {
      measured: nodes,
      limit: NODES_MAX,
      ...passingGrid(input),
    })
  }
  const ratio = lx / nx / (ly / ny)
  if (ratio <= CELL_RATIO_MAX && ratio >= 1 / CELL_RATIO_MAX) return
  const measured = Math.max(ratio, 1 / ratio)
  throw new Fault('OUT_OF_RANGE', `Cells are ${measured} times as long as wide; ${CELL_RATIO_MAX} is the most.`, {
    measured,
    limit: CELL_RATIO_MAX,
    ...passingGrid(input),
  })
}

const refuseRectangle = (input: DeviceInput, path: string, at: Rectangle): void => {
  const { nx, ny, lx, ly } = input
  const box = cellBoxOf(input, at)
  const lines = {
    x0: (box.left * lx) / nx,
    x1: (box.right * lx) / nx,
    y0: (box.bottom * ly) / ny,
    y1: (box.top * ly) / ny,
  }
  const off = Math.max(
    (Math.abs(at.x0 - lines.x0) * nx) / lx,
    (Math.abs(at.x1 - lines.x1) * nx) / lx,
    (Math.abs(at.y0 - lines.y0) * ny) / ly,
    (Math.abs(at.y1 - lines.y1) * ny) / ly,
  )
  if (!(off <= EDGE_CELLS)) {
    wrong(path, `its edges lie ${off} cells off the grid lines; the nearest ones pass.`, {
      measured: off,
      limit: EDGE_CELLS,
      ...lines,
    })
  }
  if (box.left >= box.right || box.bottom >= box.top) wrong(path, 'it covers no cell: x0 < x1 and y0 < y1 are needed.')
}

const refuseSine = (input: DeviceInput): void => {
  const { charge, sides, dielectrics } = input
  const levels = Object.values(sides)
  if (levels.some((it) => it !== 0) || electrodesOf(input).length > 0 || dielectrics.length > 0) {
    wrong('/charge/kind', 'the charge sine is for an empty box of one permittivity with all sides at 0 V.')
  }
  for (const [name, waves, cells] of [
    ['m', charge.m, input.nx],
    ['n', charge.n, input.ny],
  ] as const) {
    if (waves > cells >> 1)
      wrong(`/charge/${name}`, `must be <= ${cells / 2} on this grid.`, { measured: waves, limit: cells / 2 })
  }
}

/** Charge in boxes without a box, and nothing else that makes a field: told with a box in the middle that would. */
const refuseNoBoxes = (input: DeviceInput): void => {
  const { nx, ny, lx, ly, charge, sides } = input
  if (charge.kind !== 'boxes' || charge.boxes.length > 0) return
  const held = [...Object.values(sides), ...electrodesOf(input).map(({ potential }) => potential)]
  if (new Set(held.filter((it) => it !== null)).size !== 1) return
  const along = (length: number, cells: number, share: number): number => (length * Math.round(cells * share)) / cells
  const box = {
    x0: along(lx, nx, 0.25),
    y0: along(ly, ny, 0.25),
    x1: along(lx, nx, 0.75),
    y1: along(ly, ny, 0.75),
    density: 1e-9,
  }
  const why = 'All potentials are equal and /charge/boxes is empty: there is no field.'
  throw new Fault('ILL_POSED', `${why} With charge it passes, for example ${JSON.stringify(box)}.`, {
    path: '/charge/boxes',
    measured: 0,
    limit: 1,
    suggestion: { charge: { kind: 'boxes', boxes: [box] } },
  })
}

/**
 * What is refused by the layout, cell by cell: it is made where the run is.
 *
 * @throws Fault ILL_POSED: no field, no potential, a short circuit.
 */
export const refuseField = (layout: Layout): void => {
  const { potentials, charged, metal } = layout
  if (potentials.length === 0) {
    throw new Fault('ILL_POSED', 'No side and no electrode holds a potential: it is not determined.')
  }
  const { touched, short } = nodeConductors(layout)
  if (short >= 0) {
    const column = short % (layout.nx + 1)
    const [x, y] = [column * layout.dx, ((short - column) / (layout.nx + 1)) * layout.dy]
    throw new Fault('ILL_POSED', `Two conductors of different potential meet at (${x}, ${y}) m.`, { x, y })
  }
  if (touched.every((it) => it >= 0))
    throw new Fault('ILL_POSED', 'Every node is part of a conductor: nothing is left to solve.')
  if (potentials.length === 1 && !charged) {
    throw new Fault('ILL_POSED', 'All potentials are equal and there is no charge: there is no field.')
  }
  const held = new Set([...metal, ...Object.values(layout.sides)].filter((it) => it >= 0)).size
  if (held < potentials.length) {
    throw new Fault('ILL_POSED', 'An electrode is covered wholly by another one.')
  }
  const most = potentials.reduce((all, one) => Math.max(all, Math.abs(one)), 0)
  for (let k = 1; k < potentials.length; k++) {
    const step = potentials[k] - potentials[k - 1]
    if (step < POTENTIAL_SHARE_MIN * most) {
      throw new Fault('ILL_POSED', 'Two potentials differ by too little beside what they are.', {
        measured: step / most,
        limit: POTENTIAL_SHARE_MIN,
      })
    }
  }
}

/**
 * What can be refused without a layout of all cells.
 *
 * @throws Fault ILL_POSED (charge in boxes without one), INVALID_INPUT (edges off the grid lines, with the nearest
 * ones), OUT_OF_RANGE (cells too long; a junction's doping, contacts and bias), WORK_LIMIT_EXCEEDED (grid).
 */
export const refuseDevice = (input: DeviceInput): void => {
  if (isJunction(input)) {
    refuseJunction(input)
    return
  }
  refuseGrid(input)
  const { charge, dielectrics } = input
  if (charge.kind === 'sine') refuseSine(input)
  refuseNoBoxes(input)
  if (charge.kind !== 'boxes' && charge.boxes.length > 0) wrong('/charge/boxes', 'boxes are for the kind boxes.')
  electrodesOf(input).forEach((it, k) => {
    refuseRectangle(input, `/electrodes/${k}`, it)
  })
  dielectrics.forEach((it, k) => {
    refuseRectangle(input, `/dielectrics/${k}`, it)
  })
  charge.boxes.forEach((it, k) => {
    refuseRectangle(input, `/charge/boxes/${k}`, it)
  })
}
