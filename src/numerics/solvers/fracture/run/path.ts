import { bitsOf } from './engine.ts'

/** A lattice as far as a crack's path is concerned. */
interface Grid {
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly offsets: readonly { readonly p: number; readonly q: number }[]
}

/** Share of each node's bonds inside the plate that are not whole: 0 to 1. */
export const damageOf = ({ nx, ny, offsets }: Grid, bonds: ArrayLike<number>): Float64Array => {
  const whole = new Float64Array(nx * ny)
  const all = new Float64Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const node = j * nx + i
      const own = bitsOf(bonds[node] as number)
      whole[node] += own
      for (let k = 0; k < offsets.length; k++) {
        const { p, q } = offsets[k] as Grid['offsets'][number]
        if (i + p < 0 || i + p >= nx || j + q >= ny) continue
        const other = node + q * nx + p
        all[node] += 1
        all[other] += 1
        whole[other] += ((bonds[node] as number) >> k) & 1
      }
    }
  }
  return whole.map((it, node) => 1 - it / all[node])
}

/** Damage from which on a crack runs along a node: a straight one leaves 0.39 beside it and 0.21 a row further. */
const CRACKED = 0.3
/** Rows up or down in which a path looks for its continuation in the next column. */
const REACH = 3

/**
 * The crack from the left edge on: in each column the middle of the most damaged rows near the column before; it ends
 * where none is damaged enough.
 */
export const pathOf = ({ nx, ny, dx }: Grid, damage: ArrayLike<number>): readonly [number, number][] => {
  const path: [number, number][] = []
  let [low, high] = [0, ny - 1]
  for (let i = 0; i < nx; i++) {
    let most = 0
    for (let j = low; j <= high; j++) most = Math.max(most, damage[j * nx + i] as number)
    if (most < CRACKED) break
    let [first, last] = [-1, -1]
    for (let j = low; j <= high; j++) {
      if ((damage[j * nx + i] as number) < most - 1e-9) continue
      if (first < 0) first = j
      if (j - first <= 1) last = j
    }
    path.push([(i + 0.5) * dx, ((first + last) / 2 + 0.5) * dx])
    low = Math.max(0, first - REACH)
    high = Math.min(ny - 1, last + REACH)
  }
  return path
}

/** Length of a path, with the half spacing before its first column. */
export const lengthOf = (path: readonly (readonly [number, number])[], dx: number): number => {
  let length = path.length === 0 ? 0 : dx / 2
  for (let k = 1; k < path.length; k++) {
    const [[ax, ay], [bx, by]] = [path[k - 1], path[k]] as [[number, number], [number, number]]
    length += Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay))
  }
  return length
}
