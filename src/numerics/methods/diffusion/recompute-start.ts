import { cos, exp, PI, sin } from '#numerics/math.ts'
import type { GridInput } from './grid.ts'

/** Disagreement of two ways to one start, on the largest number that it can hold. */
const CLOSE = 1e-9

/** The shape along one axis, 0 to 1 of the side: what a plane's is the product of. */
const alongOf = ({ initial, boundary, nx, ny }: GridInput, across: boolean): ((f: number) => number) => {
  const ring = boundary.kind === 'periodic'
  const centre = across ? initial.y : initial.x
  const away = (f: number): number => {
    const straight = Math.abs(f - centre)
    return ring ? Math.min(straight, Math.abs(1 - straight)) : straight
  }
  if (initial.kind === 'gaussian') {
    return (f) => exp(-0.5 * (away(f) / initial.sigma) * (away(f) / initial.sigma))
  }
  if (initial.kind === 'box') {
    const width = across ? initial.height : initial.width
    const cell = 1 / (across ? ny : nx)
    // What two intervals have in common follows from their lengths and how far apart their middles are.
    const common = (apart: number): number => Math.max(0, Math.min(width, cell, (width + cell) / 2 - apart))
    // On a ring the box may come round to the cell from the other side as well.
    return (f) => (common(away(f)) + (ring ? common(1 - away(f)) : 0)) / cell
  }
  const turns = PI * (ring ? 2 : 1) * (across ? initial.n : initial.m)
  return (f) => (boundary.kind === 'fixed' ? sin(turns * f) : cos(turns * f))
}

/** Whether the nodes inside the edges hold what was sent. */
const isSent = (start: ArrayLike<number>, sent: ArrayLike<number>, [rows, columns]: readonly [number, number]) => {
  for (let j = rows === 1 ? 0 : 1; j < Math.max(1, rows - 1); j++) {
    for (let at = j * columns + 1; at < (j + 1) * columns - 1; at++) if (start[at] !== sent[at]) return false
  }
  return true
}

/**
 * Whether a start is the one that the input states, node by node inside the edges. Run and reference take their start
 * from one function, so that this is worked out anew: axis by axis, as the product of two.
 *
 * @param start all nodes, row-major, edges included.
 */
export const isStartOf = (input: GridInput, start: ArrayLike<number>): boolean => {
  const { dim, nx, ny, initial, boundary } = input
  const [columns, rows] = [nx + 1, dim === 1 ? 1 : ny + 1]
  if (start.length !== rows * columns) return false
  if (initial.kind === 'values') return isSent(start, initial.values ?? [], [rows, columns])
  const base = boundary.temperature
  const slope = dim === 1 ? (boundary.right ?? base) - base : 0
  const [along, across] = [alongOf(input, false), alongOf(input, true)]
  const row = Float64Array.from({ length: columns }, (_, i) => along(i / nx))
  const steady = Float64Array.from({ length: columns }, (_, i) => base + (slope * i) / nx)
  const close = CLOSE * (Math.abs(base) + Math.abs(base + slope) + Math.abs(initial.amplitude))
  for (let j = rows === 1 ? 0 : 1; j < Math.max(1, rows - 1); j++) {
    const height = initial.amplitude * (rows === 1 ? 1 : across(j / ny))
    const from = j * columns
    for (let i = 1; i < nx; i++) if (Math.abs(start[from + i] - steady[i] - height * row[i]) > close) return false
  }
  return true
}
