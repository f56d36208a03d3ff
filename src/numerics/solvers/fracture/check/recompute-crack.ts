import type { ReferencePlate } from './recompute-plate.ts'

/**
 * The crack once more, for the check, from what the page says of it: which bonds a straight one cuts, what share of a
 * node's bonds is gone, and where the most damaged rows lead. None of it is shared with the run.
 */

/** How near to the crack's end, in spacings, a bond may pass on either side of it: rounding decides there. */
const END_SLACK = 1e-9
/** Damage of a node beside the crack, and rows up or down to where it may go on in the next column. */
const CRACKED = 0.3
const REACH = 3
/** Damages this close are the same. */
const ALIKE = 1e-9

/**
 * Whether just those bonds inside the plate are whole that do not pass through a crack of this share of its width. One
 * that passes right at its end is whole; rounding may decide otherwise unless the end is half-way or at a node.
 */
export const isCrackOf = (plate: ReferencePlate, bonds: ArrayLike<number>, crack: number): boolean => {
  const { nx, ny, directions } = plate
  const kept = directions.filter(({ here }) => here)
  // Nodes are at whole numbers here: the crack lies between two rows, of an odd number above the middle one.
  const level = Math.floor((ny - 1) / 2) + 0.5
  const end = crack * nx - 0.5
  const cutBefore = Number.isInteger(2 * crack * nx) ? -END_SLACK : END_SLACK
  for (let node = 0; node < nx * ny; node++) {
    const i = node % nx
    const j = (node - i) / nx
    for (const { p, q, bit } of kept) {
      const whole = (((bonds[node] as number) >> bit) & 1) === 1
      const inside = i + p >= 0 && i + p < nx && j + q < ny
      // The ends of the bond are on different sides of the crack's line when their distances to it differ in sign.
      const below = level - j
      const above = level - (j + q)
      const beyond = below * above < 0 ? (i * above - (i + p) * below) / (above - below) - end : 1
      if (whole && !(inside && beyond >= -END_SLACK)) return false
      if (!whole && inside && beyond > cutBefore) return false
    }
  }
  return true
}

/** The share of each node's bonds that are gone: its whole neighbourhood is asked. */
export const recomputeDamage = ({ nx, ny, directions }: ReferencePlate, bonds: ArrayLike<number>): Float64Array =>
  Float64Array.from({ length: nx * ny }, (_, node) => {
    const i = node % nx
    const j = (node - i) / nx
    let all = 0
    let whole = 0
    for (const { p, q, bit, here } of directions) {
      if (i + p < 0 || i + p >= nx || j + q < 0 || j + q >= ny) continue
      all++
      whole += ((bonds[here ? node : node + q * nx + p] as number) >> bit) & 1
    }
    return 1 - whole / all
  })

/** The row of the crack in each column from the left edge on until it ends; n + ½ where it runs between two rows. */
export const recomputePath = ({ nx, ny }: ReferencePlate, damage: ArrayLike<number>): readonly number[] => {
  const path: number[] = []
  let near = Array.from({ length: ny }, (_, row) => row)
  for (let column = 0; column < nx; column++) {
    const at = (row: number): number => damage[row * nx + column] as number
    const most = near.reduce((greatest, row) => Math.max(greatest, at(row)), 0)
    if (most < CRACKED) break
    const [lowest = 0, next] = near.filter((row) => at(row) >= most - ALIKE)
    const here = next === lowest + 1 ? lowest + 0.5 : lowest
    path.push(here)
    const [from, to] = [Math.floor(here) - REACH, Math.ceil(here) + REACH]
    near = Array.from({ length: to - from + 1 }, (_, k) => from + k).filter((row) => row >= 0 && row < ny)
  }
  return path
}

/** Length of a path of rows, in spacings, with the half one before its first column. */
export const recomputeLength = (path: readonly number[]): number =>
  path.reduce((sum, row, k) => {
    const rise = k === 0 ? 0 : row - (path[k - 1] as number)
    return sum + (k === 0 ? 0.5 : Math.sqrt(1 + rise * rise))
  }, 0)
