/** Samples of a smooth function at 0, 1, 2 …, and where to look between them. */
type Sampled = (k: number) => number

const GOLDEN = 0.6180339887498949
/** Shrinkings of an interval by the golden ratio: beyond them the values do not tell places apart. */
const SHRINKINGS = 40
/** Points that a curve is led through. */
const POINTS = 7

/** The least value of a function of one variable between two places. */
const leastBetween = (f: (x: number) => number, from: number, to: number): number => {
  let [a, b] = [from, to]
  let [c, d] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)]
  let [fc, fd] = [f(c), f(d)]
  for (let k = 0; k < SHRINKINGS; k++) {
    if (fc < fd) {
      b = d
      d = c
      fd = fc
      c = b - GOLDEN * (b - a)
      fc = f(c)
    } else {
      a = c
      c = d
      fc = fd
      d = a + GOLDEN * (b - a)
      fd = f(d)
    }
  }
  return Math.min(fc, fd)
}

/** The polynomial through so many samples from `first` on (Lagrange). */
const through =
  (samples: Sampled, first: number, count: number) =>
  (x: number): number => {
    let sum = 0
    for (let k = 0; k < count; k++) {
      let weight = samples(first + k)
      for (let m = 0; m < count; m++) if (m !== k) weight *= (x - first - m) / (k - m)
      sum += weight
    }
    return sum
  }

const window = (at: number, count: number, points: number): number =>
  Math.max(0, Math.min(count - points, at - (points >> 1)))

/** The least value of the curve through samples 0 … count − 1, near the least of them. */
export const leastOf = (samples: Sampled, count: number): number => {
  let best = 0
  for (let k = 1; k < count; k++) if (samples(k) < samples(best)) best = k
  const first = window(best, count, POINTS)
  return leastBetween(through(samples, first, POINTS), Math.max(0, best - 1), Math.min(count - 1, best + 1))
}

/** Points a side that a surface is led through. */
const SIDE = 5

/** The least value of the surface through count × count samples, near the least of them. */
export const leastOfSurface = (samples: (row: number, column: number) => number, count: number): number => {
  let [r, c] = [0, 0]
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) if (samples(row, column) < samples(r, c)) [r, c] = [row, column]
  }
  const [top, left] = [window(r, count, SIDE), window(c, count, SIDE)]
  const across = (column: number): number => {
    const line = (row: number): number => through((k) => samples(row, k), left, SIDE)(column)
    return leastBetween(through(line, top, SIDE), Math.max(0, r - 1), Math.min(count - 1, r + 1))
  }
  return leastBetween(across, Math.max(0, c - 1), Math.min(count - 1, c + 1))
}
