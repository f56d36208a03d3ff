/** What is done with a pair within reach: the difference j − i of the nearest images, and its square. */
export type PairVisit = (i: number, j: number, d: readonly [number, number, number], r2: number) => void

/** Atoms up to which all pairs are tried; above, those of neighbouring cells. */
const ALL_PAIRS_ATOMS_MAX = 2_000
/** Fewest cells along a side that have 27 different neighbours, and most. */
const CELLS_MIN = 3
const CELLS_MAX = 40

/** Atoms of a cube and the length up to which pairs are wanted, at most half the side. */
export interface Cube {
  /** Places n × 3, not necessarily within the box. */
  readonly places: Float64Array
  readonly box: number
  readonly reach: number
}

const meet = ({ places, box, reach }: Cube, visit: PairVisit) => {
  const limit = reach * reach
  const inverse = 1 / box
  const d: [number, number, number] = [0, 0, 0]
  return (i: number, j: number): void => {
    let dx = places[3 * j] - places[3 * i]
    let dy = places[3 * j + 1] - places[3 * i + 1]
    let dz = places[3 * j + 2] - places[3 * i + 2]
    dx -= box * Math.floor(dx * inverse + 0.5)
    dy -= box * Math.floor(dy * inverse + 0.5)
    dz -= box * Math.floor(dz * inverse + 0.5)
    const r2 = dx * dx + dy * dy + dz * dz
    if (!(r2 < limit)) return
    d[0] = dx
    d[1] = dy
    d[2] = dz
    visit(i, j, d, r2)
  }
}

/** Meets an atom with all of higher number; all places lie within the box. */
const meetRest = ({ places, box, reach }: Cube, i: number, visit: PairVisit): void => {
  const limit = reach * reach
  const half = box / 2
  const [x, y, z] = [places[3 * i], places[3 * i + 1], places[3 * i + 2]]
  const d: [number, number, number] = [0, 0, 0]
  for (let j = 3 * i + 3; j < places.length; j += 3) {
    const dx = places[j] - x
    const dy = places[j + 1] - y
    const dz = places[j + 2] - z
    // Half a side less the distance from half a side: the nearest image's distance along an axis, without its sign.
    const ax = half - Math.abs(half - Math.abs(dx))
    const ay = half - Math.abs(half - Math.abs(dy))
    const az = half - Math.abs(half - Math.abs(dz))
    if (!(ax * ax + ay * ay + az * az < limit)) continue
    d[0] = dx > half ? dx - box : dx < -half ? dx + box : dx
    d[1] = dy > half ? dy - box : dy < -half ? dy + box : dy
    d[2] = dz > half ? dz - box : dz < -half ? dz + box : dz
    visit(i, j / 3, d, d[0] * d[0] + d[1] * d[1] + d[2] * d[2])
  }
}

/** Atoms chained by the cell they are in: the first of each cell, and the next one of each atom, −1 at the end. */
const chained = ({ places, box }: Cube, cells: number) => {
  const n = places.length / 3
  const first = new Int32Array(cells * cells * cells).fill(-1)
  const next = new Int32Array(n)
  const layer = (x: number): number => {
    const share = x / box - Math.floor(x / box)
    return Math.min(cells - 1, Math.floor(share * cells))
  }
  for (let i = 0; i < n; i++) {
    const cell = (layer(places[3 * i]) * cells + layer(places[3 * i + 1])) * cells + layer(places[3 * i + 2])
    next[i] = first[cell]
    first[cell] = i
  }
  return { first, next }
}

/** The 13 cells ahead of one: of the 26 around it, one of every two that lie opposite each other. */
const ahead = (cell: number, cells: number): readonly number[] => {
  const z = cell % cells
  const y = Math.floor(cell / cells) % cells
  const x = Math.floor(cell / (cells * cells))
  const turn = (at: number): number => (at + cells) % cells
  const found: number[] = []
  for (let step = 14; step < 27; step++) {
    const [dx, dy, dz] = [Math.floor(step / 9) - 1, (Math.floor(step / 3) % 3) - 1, (step % 3) - 1]
    found.push((turn(x + dx) * cells + turn(y + dy)) * cells + turn(z + dz))
  }
  return found
}

/**
 * Visits every pair of atoms closer than `reach` once, without lists: all pairs of a small system, of a large one those
 * of neighbouring cells.
 */
export const eachPair = (cube: Cube, visit: PairVisit): void => {
  const n = cube.places.length / 3
  const cells = Math.min(CELLS_MAX, Math.floor(cube.box / cube.reach))
  if (n <= ALL_PAIRS_ATOMS_MAX || cells < CELLS_MIN) {
    const wrapped = { ...cube, places: cube.places.map((x) => x - cube.box * Math.floor(x / cube.box)) }
    for (let i = 0; i < n; i++) meetRest(wrapped, i, visit)
    return
  }
  const meeting = meet(cube, visit)
  const { first, next } = chained(cube, cells)
  for (let cell = 0; cell < first.length; cell++) {
    if (first[cell] < 0) continue
    const near = ahead(cell, cells)
    for (let i = first[cell]; i >= 0; i = next[i]) {
      for (let j = next[i]; j >= 0; j = next[j]) meeting(i, j)
      for (const other of near) for (let j = first[other]; j >= 0; j = next[j]) meeting(i, j)
    }
  }
}

/** Pairs that {@link eachPair} tries for a system of this density. */
export const pairsTried = (n: number, density: number, reach: number): number => {
  const all = (n * (n - 1)) / 2
  return n <= ALL_PAIRS_ATOMS_MAX ? all : Math.min(all, 13.5 * n * density * 1.3 * reach * reach * reach)
}
