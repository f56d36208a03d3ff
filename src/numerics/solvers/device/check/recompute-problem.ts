import { PI, sin } from '#numerics/math.ts'
import type { Layout } from '#numerics/solvers/device/problem.ts'
import type { DeviceInput } from '#numerics/solvers/device/schema.ts'

const CLOSE = 1e-9

interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** Mean of sin(k·x) over a cell, from its middle. */
const sineMean = (k: number, middle: number, width: number): number =>
  (sin(k * middle) * sin((k * width) / 2)) / ((k * width) / 2)

/**
 * Whether a layout is the one that the input states: what lies at the middle of each cell, and what holds the sides.
 * Run and check take their layout from one function, so that this is worked out anew.
 */
export const isProblemOf = (input: DeviceInput, layout: Layout): boolean => {
  const { nx, ny, lx, ly, charge, sides } = input
  const { metal, permittivity, density, potentials } = layout
  const middle = { x0: lx / 4, x1: (3 * lx) / 4, y0: ly / 4, y1: (3 * ly) / 4, potential: 1 }
  const { left, right, bottom, top } = sides
  const grounded = left === 0 && right === 0 && bottom === 0 && top === 0
  const electrodes = input.electrodes ?? (charge.kind === 'none' && grounded ? [middle] : [])
  const [dx, dy] = [lx / nx, ly / ny]
  for (const side of ['left', 'right', 'bottom', 'top'] as const) {
    const held = layout.sides[side]
    if (sides[side] === null ? held !== -1 : potentials[held] !== sides[side]) return false
  }
  if (metal.length !== nx * ny || layout.dx !== dx || layout.dy !== dy) return false
  const most =
    charge.kind === 'boxes' ? charge.boxes.reduce((sum, it) => sum + Math.abs(it.density), 0) : charge.amplitude
  for (let cell = 0; cell < metal.length; cell++) {
    const column = cell % nx
    const [x, y] = [(column + 0.5) * dx, ((cell - column) / nx + 0.5) * dy]
    const holds = ({ x0, y0, x1, y1 }: Box): boolean => x > x0 && x < x1 && y > y0 && y < y1
    const electrode = electrodes.filter(holds).at(-1)
    if (electrode !== undefined) {
      if (potentials[metal[cell]] !== electrode.potential) return false
      continue
    }
    const relative = input.dielectrics.filter(holds).at(-1)?.permittivity ?? input.permittivity
    if (metal[cell] !== -1 || permittivity[cell] !== relative) return false
    let wanted = 0
    if (charge.kind === 'boxes') for (const box of charge.boxes) wanted += holds(box) ? box.density : 0
    if (charge.kind === 'sine') {
      wanted = charge.amplitude * sineMean((PI * charge.m) / lx, x, dx) * sineMean((PI * charge.n) / ly, y, dy)
    }
    if (!(Math.abs(density[cell] - wanted) <= CLOSE * Math.abs(most))) return false
  }
  return true
}
