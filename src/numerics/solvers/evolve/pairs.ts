/** What is done with a pair within reach: its atoms, and the square of its distance. */
export type PairVisit = (i: number, j: number, r2: number) => void

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

/** Cells along a side where neighbouring ones are searched; 0 where all pairs are tried. */
export const cellsAlong = ({ n, box, reach }: { n: number; box: number; reach: number }): number => {
  const cells = Math.min(CELLS_MAX, Math.floor(box / reach))
  return n <= ALL_PAIRS_ATOMS_MAX || cells < CELLS_MIN ? 0 : cells
}

/** Meets an atom with all of higher number; all places lie within the box. */
const meetRest = ({ places, box, reach }: Cube, i: number, visit: PairVisit): void => {
  const limit = reach * reach
  const half = box / 2
  const [x, y, z] = [places[3 * i], places[3 * i + 1], places[3 * i + 2]]
  for (let j = 3 * i + 3; j < places.length; j += 3) {
    // Half a side less the distance from half a side: the nearest image's distance along an axis, without its sign.
    const dx = half - Math.abs(half - Math.abs(places[j] - x))
    const dy = half - Math.abs(half - Math.abs(places[j + 1] - y))
    const dz = half - Math.abs(half - Math.abs(places[j + 2] - z))
    const r2 = dx * dx + dy * dy + dz * dz
    if (r2 < limit) visit(i, j / 3, r2)
  }
}

/** Atoms in the order of their cells: cell c has those from begins[c] to begins[c + 1] − 1, with places in the box. */
const sorted = ({ places, box }: Cube, cells: number) => {
  const n = places.length / 3
  const begins = new Int32Array(cells * cells * cells + 1)
  const home = new Int32Array(n)
  const layer = (x: number): number => Math.min(cells - 1, Math.floor((x / box - Math.floor(x / box)) * cells))
  for (let i = 0; i < n; i++) {
    home[i] = (layer(places[3 * i]) * cells + layer(places[3 * i + 1])) * cells + layer(places[3 * i + 2])
    begins[home[i] + 1] += 1
  }
  for (let cell = 1; cell < begins.length; cell++) begins[cell] += begins[cell - 1]
  const next = begins.slice()
  const atoms = new Int32Array(n)
  const inside = new Float64Array(3 * n)
  for (let i = 0; i < n; i++) {
    const at = next[home[i]]
    next[home[i]] += 1
    atoms[at] = i
    for (let axis = 0; axis < 3; axis++) {
      const x = places[3 * i + axis]
      inside[3 * at + axis] = x - box * Math.floor(x / box)
    }
  }
  return { begins, atoms, inside }
}

/** A cell beside another, and how far along each axis its nearest image is from where it lies. */
interface Ahead {
  readonly cell: number
  readonly shift: readonly [number, number, number]
}

/** The 13 cells ahead of one: of the 26 around it, one of every two that lie opposite each other. */
const ahead = (cell: number, cells: number, box: number): readonly Ahead[] => {
  const at = [Math.floor(cell / (cells * cells)), Math.floor(cell / cells) % cells, cell % cells] as const
  return Array.from({ length: 13 }, (_, k) => {
    const step = k + 14
    const beside = [Math.floor(step / 9) - 1, (Math.floor(step / 3) % 3) - 1, (step % 3) - 1] as const
    const [x, y, z] = [at[0] + beside[0], at[1] + beside[1], at[2] + beside[2]]
    const turn = (to: number): number => (to + cells) % cells
    const image = (to: number): number => (to < 0 ? -box : to >= cells ? box : 0)
    return { cell: (turn(x) * cells + turn(y)) * cells + turn(z), shift: [image(x), image(y), image(z)] }
  })
}

/** Pairs of an atom, the `own`-th of the order, with those that stand from one place of the order to another. */
const meetOrdered = (
  { atoms, inside }: ReturnType<typeof sorted>,
  { own, from, to, limit }: { own: number; from: number; to: number; limit: number },
  shift: readonly [number, number, number],
  visit: PairVisit,
): void => {
  const x = inside[3 * own] - shift[0]
  const y = inside[3 * own + 1] - shift[1]
  const z = inside[3 * own + 2] - shift[2]
  for (let k = from; k < to; k++) {
    const dx = inside[3 * k] - x
    const dy = inside[3 * k + 1] - y
    const dz = inside[3 * k + 2] - z
    const r2 = dx * dx + dy * dy + dz * dz
    if (r2 < limit) visit(atoms[own], atoms[k], r2)
  }
}

const HERE = [0, 0, 0] as const

/**
 * Visits every pair of atoms closer than `reach` once, without lists: all pairs of a small system, of a large one those
 * of neighbouring cells.
 */
export const eachPair = (cube: Cube, visit: PairVisit): void => {
  const n = cube.places.length / 3
  const cells = cellsAlong({ n, box: cube.box, reach: cube.reach })
  if (cells === 0) {
    const wrapped = { ...cube, places: cube.places.map((x) => x - cube.box * Math.floor(x / cube.box)) }
    for (let i = 0; i < n; i++) meetRest(wrapped, i, visit)
    return
  }
  const order = sorted(cube, cells)
  const { begins } = order
  const limit = cube.reach * cube.reach
  for (let cell = 0; cell + 1 < begins.length; cell++) {
    const [begin, end] = [begins[cell], begins[cell + 1]]
    if (begin === end) continue
    const near = ahead(cell, cells, cube.box)
    for (let own = begin; own < end; own++) {
      meetOrdered(order, { own, from: own + 1, to: end, limit }, HERE, visit)
      for (const { cell: other, shift } of near) {
        meetOrdered(order, { own, from: begins[other], to: begins[other + 1], limit }, shift, visit)
      }
    }
  }
}

/** Pairs that {@link eachPair} tries for a system of this density. */
export const pairsTried = (n: number, density: number, reach: number): number => {
  const all = (n * (n - 1)) / 2
  return n <= ALL_PAIRS_ATOMS_MAX ? all : Math.min(all, 13.5 * n * density * 1.3 * reach * reach * reach)
}
