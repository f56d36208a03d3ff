import type { CavityReading } from '#numerics/solvers/flow/schema.ts'

/**
 * What is read off a cavity once more, for the check: the same curves and surfaces, led through their samples by
 * Neville's scheme, and their least values by steps that halve. None of it is shared with the run.
 */

/** Points that a curve is led through, and a side of a surface. */
const CURVE = 7
const SURFACE = 5
/** Halvings of a step of half a cell: what is left of it moves a least value by less than its rounding. */
const HALVINGS = 27

/** The value at x of the polynomial through the samples at 0, 1, 2 …, by Neville's scheme. */
const neville = (samples: readonly number[], x: number): number => {
  const p = samples.slice()
  for (let width = 1; width < p.length; width++) {
    for (let k = 0; k < p.length - width; k++) {
      p[k] = ((x - k) * (p[k + 1] as number) - (x - k - width) * (p[k] as number)) / width
    }
  }
  return p[0] as number
}

/** Where the samples begin that a polynomial is led through around the one at `best`. */
const begin = (best: number, count: number, points: number): number =>
  Math.max(0, Math.min(count - points, best - Math.floor(points / 2)))

/** Goes down from a place by steps along each axis that halve, never more than one away from where it began. */
const descend = (f: (x: number, y: number) => number, from: readonly [number, number], flat: boolean): number => {
  let [x, y] = from
  let least = f(x, y)
  let step = 0.5
  for (let halving = 0; halving < HALVINGS; halving++, step /= 2) {
    for (let moved = true; moved; ) {
      moved = false
      for (const [dx, dy] of [
        [step, 0],
        [-step, 0],
        ...(flat
          ? [
              [0, step],
              [0, -step],
            ]
          : []),
      ] as [number, number][]) {
        const [a, b] = [x + dx, y + dy]
        if (Math.abs(a - from[0]) > 1 || Math.abs(b - from[1]) > 1) continue
        const value = f(a, b)
        if (!(value < least)) continue
        ;[x, y, least, moved] = [a, b, value, true]
      }
    }
  }
  return least
}

const leastOfLine = (line: readonly number[]): number => {
  const best = line.indexOf(Math.min(...line))
  const first = begin(best, line.length, CURVE)
  const samples = line.slice(first, first + CURVE)
  const last = line.length - 1
  const inside = (x: number): number =>
    x + first < 0 || x + first > last ? Number.POSITIVE_INFINITY : neville(samples, x)
  return descend(inside, [best - first, 0], false)
}

/** The stream function at the corners, summed up the columns, and the least value of the surface through them. */
const leastStream = (u: ArrayLike<number>, n: number): number => {
  const rows: number[][] = [new Array(n + 1).fill(0)]
  for (let i = 0; i < n; i++) {
    let [sum, row] = [0, [0]]
    for (let j = 0; j < n; j++) {
      sum += u[i * n + j] as number
      row.push(sum / n)
    }
    rows.push(row)
  }
  const leasts = rows.map((row) => Math.min(...row))
  const r = leasts.indexOf(Math.min(...leasts))
  const c = (rows[r] as number[]).indexOf(leasts[r] as number)
  const [top, left] = [begin(r, n + 1, SURFACE), begin(c, n + 1, SURFACE)]
  const patch = rows.slice(top, top + SURFACE).map((row) => row.slice(left, left + SURFACE))
  const at = (x: number, y: number): number => {
    if (x + top < 0 || x + top > n || y + left < 0 || y + left > n) return Number.POSITIVE_INFINITY
    return neville(
      patch.map((row) => neville(row, y)),
      x,
    )
  }
  return descend(at, [r - top, c - left], true)
}

/** The extremes of a cavity's fields, in units of lid and side. */
export const recomputeReading = (n: number, u: ArrayLike<number>, v: ArrayLike<number>): CavityReading => {
  const half = n / 2 - 1
  const upward = Array.from({ length: n }, (_, j) => u[half * n + j] as number)
  const across = Array.from({ length: n }, (_, i) => v[i * n + half] as number)
  return {
    n,
    uMin: leastOfLine(upward),
    vMin: leastOfLine(across),
    vMax: -leastOfLine(across.map((it) => -it)),
    psiMin: leastStream(u, n),
  }
}

/** A reading of two grids with the second power of the cell taken off (Richardson). */
export const beyond = (coarse: number, fine: number): number => fine + (fine - coarse) / 3
