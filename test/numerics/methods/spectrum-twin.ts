import type { Tridiagonal } from '#numerics/methods/linear/spectrum.ts'

/**
 * The spectrum kernel as plain loops, one level at a time: the same numbers in the same order, without lanes. Sums keep
 * four lanes apart until they are joined.
 */

const EPSILON = 2.220446049250313e-16
const LEAST_SQUARE = 1e-290

const isNegative = (q: number): boolean => q < 0 || Object.is(q, -0)

/** Eigenvalues below x. */
const countBelow = ({ diagonal, beside }: Tridiagonal, x: number): number => {
  let q = (diagonal[0] as number) - x
  let count = isNegative(q) ? 1 : 0
  for (let i = 1; i < diagonal.length; i++) {
    const e = beside[i - 1] as number
    q = (diagonal[i] as number) - x - Math.max(e * e, LEAST_SQUARE) / q
    if (isNegative(q)) count++
  }
  return count
}

/** Twin of the values. */
export const twinLowest = (
  matrix: Tridiagonal,
  { count, low, high, floor }: { count: number; low: number; high: number; floor: number },
): Float64Array =>
  Float64Array.from({ length: count }, (_, level) => {
    let [a, b] = [low, high]
    while (b - a > 2 * EPSILON * Math.max(Math.abs(a), Math.abs(b)) + floor) {
      const middle = a + (b - a) / 2
      if (countBelow(matrix, middle) > level) b = middle
      else a = middle
    }
    return a + (b - a) / 2
  })

const dot = (x: Float64Array, y: Float64Array): number => {
  const lanes = [0, 0, 0, 0]
  x.forEach((it, j) => {
    lanes[j & 3] = (lanes[j & 3] as number) + it * (y[j] as number)
  })
  const [a = 0, b = 0, c = 0, d = 0] = lanes
  return a + c + (b + d)
}

/** Solves (T − shift)·x = b again and again by elimination with exchange of neighbouring rows. */
const solverOf = ({ diagonal, beside }: Tridiagonal, shift: number, least: number) => {
  const n = diagonal.length
  const pivotOf = (value: number): number => (Math.abs(value) < least ? least : value)
  const rows: { inverse: number; upper: number; second: number; by: number; swapped: boolean }[] = []
  let [here, next] = [(diagonal[0] as number) - shift, beside[0] as number]
  for (let i = 0; i < n - 1; i++) {
    const [low, own] = [beside[i] as number, (diagonal[i + 1] as number) - shift]
    const after = i + 2 < n ? (beside[i + 1] as number) : 0
    const swapped = Math.abs(here) < Math.abs(low)
    const inverse = 1 / pivotOf(swapped ? low : here)
    if (swapped) {
      const by = here * inverse
      rows.push({ inverse, upper: own, second: after, by, swapped })
      ;[here, next] = [next - by * own, -by * after]
    } else {
      const by = low * inverse
      rows.push({ inverse, upper: next, second: 0, by, swapped })
      ;[here, next] = [own - by * next, after]
    }
  }
  rows.push({ inverse: 1 / pivotOf(here), upper: 0, second: 0, by: 0, swapped: false })
  return (x: Float64Array): void => {
    rows.slice(0, -1).forEach(({ by, swapped }, i) => {
      const [a, b] = [x[i] as number, x[i + 1] as number]
      x[i] = swapped ? b : a
      x[i + 1] = (swapped ? a : b) - by * (x[i] as number)
    })
    for (let i = n - 1; i >= 0; i--) {
      const { inverse, upper, second } = rows[i] as (typeof rows)[number]
      x[i] = ((x[i] as number) - second * (x[i + 2] ?? 0) - upper * (x[i + 1] ?? 0)) * inverse
    }
  }
}

/** Twin of the vectors. */
export const twinVectors = (matrix: Tridiagonal, values: Float64Array, size: number): readonly Float64Array[] => {
  const n = matrix.diagonal.length
  const vectors: Float64Array[] = []
  let shift = Number.NEGATIVE_INFINITY
  values.forEach((value, level) => {
    shift = Math.max(value, shift + 4 * EPSILON * size)
    const solve = solverOf(matrix, shift, EPSILON * size)
    let word = 12_345 + 7_919 * level
    let x: Float64Array = Float64Array.from({ length: n }, () => {
      word = (Math.imul(word, 1_103_515_245) + 12_345) >>> 0
      return 0.5 + word / 4_294_967_296
    })
    for (let again = 0; again < 3; again++) {
      solve(x)
      const shrink = 1 / x.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
      x = x.map((it) => it * shrink)
      for (const other of vectors) {
        const along = dot(x, other)
        x = x.map((it, j) => it - along * (other[j] as number))
      }
      const unit = 1 / Math.sqrt(dot(x, x))
      x = x.map((it) => it * unit)
    }
    vectors.push(x)
  })
  return vectors
}
