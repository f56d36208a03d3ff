import { hypot, sqrt } from '#numerics/math.ts'

/** Eigenvalues of a real square matrix, real and imaginary parts. */
export interface Spectrum {
  readonly re: Float64Array
  readonly im: Float64Array
}

interface Complex {
  readonly re: number
  readonly im: number
}

/** A complex matrix, row-major, in two arrays. */
interface Hessenberg {
  readonly n: number
  readonly re: Float64Array
  readonly im: Float64Array
}

/** Shifted steps for one eigenvalue, at most; three are usual. */
const SWEEPS_MAX = 60
/** Rounds of balancing, at most; three are usual. Any number of them leaves the eigenvalues as they are. */
const BALANCINGS_MAX = 100
const EPSILON = 2.220446049250313e-16

const rootOf = ({ re, im }: Complex): Complex => {
  const modulus = hypot(re, im)
  if (modulus === 0) return { re: 0, im: 0 }
  const a = sqrt((modulus + Math.abs(re)) / 2)
  const b = im / (2 * a)
  if (re >= 0) return { re: a, im: b }
  return { re: Math.abs(b), im: im >= 0 ? a : -a }
}

/** Divides rows and columns by powers of two until they weigh alike (Parlett, Reinsch 1969): eigenvalues stay. */
const balance = (a: Float64Array, n: number): void => {
  let settled = false
  for (let round = 0; !settled && round < BALANCINGS_MAX; round++) {
    settled = true
    for (let i = 0; i < n; i++) {
      let [row, column] = [0, 0]
      for (let j = 0; j < n; j++) {
        if (j === i) continue
        row += Math.abs(a[i * n + j])
        column += Math.abs(a[j * n + i])
      }
      // An infinite sum could be halved for ever.
      if (row === 0 || column === 0 || !Number.isFinite(row + column)) continue
      const before = row + column
      let factor = 1
      // One or the other: a column that grows beyond the doubles could not be made small again.
      if (column < row / 2) for (; column < row / 2; column *= 4) factor *= 2
      else for (; column >= row * 2; column /= 4) factor /= 2
      if ((column + row) / factor >= 0.95 * before) continue
      settled = false
      for (let j = 0; j < n; j++) a[i * n + j] /= factor
      for (let j = 0; j < n; j++) a[j * n + i] *= factor
    }
  }
}

/** Makes everything below the first subdiagonal zero by elimination with exchanges. */
const reduce = (a: Float64Array, n: number): void => {
  for (let m = 1; m < n - 1; m++) {
    let best = m
    for (let i = m + 1; i < n; i++) if (Math.abs(a[i * n + m - 1]) > Math.abs(a[best * n + m - 1])) best = i
    const pivot = a[best * n + m - 1]
    if (pivot === 0) continue
    for (let j = 0; best !== m && j < n; j++) {
      const kept = a[best * n + j]
      a[best * n + j] = a[m * n + j]
      a[m * n + j] = kept
    }
    for (let j = 0; best !== m && j < n; j++) {
      const kept = a[j * n + best]
      a[j * n + best] = a[j * n + m]
      a[j * n + m] = kept
    }
    for (let i = m + 1; i < n; i++) {
      const factor = a[i * n + m - 1] / pivot
      if (factor === 0) continue
      for (let j = 0; j < n; j++) a[i * n + j] -= factor * a[m * n + j]
      for (let j = 0; j < n; j++) a[j * n + m] += factor * a[j * n + i]
      a[i * n + m - 1] = 0
    }
  }
}

/** The eigenvalue of the trailing 2 × 2 block that is nearer to its last element (Wilkinson's shift). */
const shiftOf = ({ n, re, im }: Hessenberg, last: number): Complex => {
  const at = (i: number, j: number): Complex => ({ re: re[i * n + j], im: im[i * n + j] })
  const [a, b, c, d] = [at(last - 1, last - 1), at(last - 1, last), at(last, last - 1), at(last, last)]
  const half: Complex = { re: (a.re - d.re) / 2, im: (a.im - d.im) / 2 }
  const crossed: Complex = { re: b.re * c.re - b.im * c.im, im: b.re * c.im + b.im * c.re }
  const root = rootOf({
    re: half.re * half.re - half.im * half.im + crossed.re,
    im: 2 * half.re * half.im + crossed.im,
  })
  const along = half.re * root.re + half.im * root.im >= 0 ? 1 : -1
  const sum: Complex = { re: half.re + along * root.re, im: half.im + along * root.im }
  const size = sum.re * sum.re + sum.im * sum.im
  if (size === 0) return d
  return {
    re: d.re - (crossed.re * sum.re + crossed.im * sum.im) / size,
    im: d.im - (crossed.im * sum.re - crossed.re * sum.im) / size,
  }
}

/** One QR step on rows and columns `low` to `high` by rotations; only the eigenvalues are wanted. */
const sweep = ({ n, re, im }: Hessenberg, low: number, high: number, shift: Complex): void => {
  for (let i = low; i <= high; i++) {
    re[i * n + i] -= shift.re
    im[i * n + i] -= shift.im
  }
  const turns: { readonly c: number; readonly s: Complex }[] = []
  for (let k = low; k < high; k++) {
    const [p, q] = [k * n + k, (k + 1) * n + k]
    const size = hypot(hypot(re[p], im[p]), hypot(re[q], im[q]))
    const lead = hypot(re[p], im[p])
    // c real, s complex: the rotation takes (x, y) to (r, 0).
    const phase: Complex = lead === 0 ? { re: 1, im: 0 } : { re: re[p] / lead, im: im[p] / lead }
    const c = size === 0 ? 1 : lead / size
    const s: Complex =
      size === 0
        ? { re: 0, im: 0 }
        : { re: (phase.re * re[q] + phase.im * im[q]) / size, im: (phase.im * re[q] - phase.re * im[q]) / size }
    turns.push({ c, s })
    for (let j = k; j <= high; j++) {
      const [x, y] = [k * n + j, (k + 1) * n + j]
      const [xr, xi, yr, yi] = [re[x], im[x], re[y], im[y]]
      re[x] = c * xr + s.re * yr - s.im * yi
      im[x] = c * xi + s.re * yi + s.im * yr
      re[y] = c * yr - (s.re * xr + s.im * xi)
      im[y] = c * yi - (s.re * xi - s.im * xr)
    }
  }
  for (let k = low; k < high; k++) {
    const { c, s } = turns[k - low] as { c: number; s: Complex }
    for (let i = low; i <= Math.min(k + 1, high); i++) {
      const [x, y] = [i * n + k, i * n + k + 1]
      const [xr, xi, yr, yi] = [re[x], im[x], re[y], im[y]]
      re[x] = c * xr + s.re * yr + s.im * yi
      im[x] = c * xi + s.re * yi - s.im * yr
      re[y] = c * yr - (s.re * xr - s.im * xi)
      im[y] = c * yi - (s.re * xi + s.im * xr)
    }
  }
  for (let i = low; i <= high; i++) {
    re[i * n + i] += shift.re
    im[i * n + i] += shift.im
  }
}

/**
 * All eigenvalues of a real n × n matrix by balancing, reduction to Hessenberg form and shifted QR steps with
 * deflation (Golub, Van Loan, Matrix Computations, 4th ed., chapter 7, in complex arithmetic).
 *
 * @returns undefined when an eigenvalue does not settle within its steps, or the matrix is not finite.
 */
export const eigenvaluesOf = (matrix: Float64Array, n: number): Spectrum | undefined => {
  if (!matrix.every(Number.isFinite)) return undefined
  const re = matrix.slice()
  balance(re, n)
  reduce(re, n)
  const h: Hessenberg = { n, re, im: new Float64Array(n * n) }
  const { im } = h
  const size = (i: number, j: number): number => Math.abs(re[i * n + j]) + Math.abs(im[i * n + j])
  let high = n - 1
  let tries = 0
  while (high > 0) {
    let low = high
    while (low > 0 && size(low, low - 1) > EPSILON * (size(low, low) + size(low - 1, low - 1))) low--
    if (low > 0) {
      re[low * n + low - 1] = 0
      im[low * n + low - 1] = 0
    }
    if (low === high) {
      high--
      tries = 0
      continue
    }
    if (++tries > SWEEPS_MAX) return undefined
    // An exceptional shift breaks the rare cycle.
    const stuck = tries % 10 === 0
    sweep(h, low, high, stuck ? { re: size(high, high - 1), im: 0 } : shiftOf(h, high))
  }
  return {
    re: Float64Array.from({ length: n }, (_, i) => re[i * n + i]),
    im: Float64Array.from({ length: n }, (_, i) => im[i * n + i]),
  }
}

/** The largest modulus of the eigenvalues; NaN when they do not settle. */
export const spectralRadius = (matrix: Float64Array, n: number): number => {
  const spectrum = eigenvaluesOf(matrix, n)
  if (spectrum === undefined) return Number.NaN
  let most = 0
  for (let i = 0; i < n; i++) most = Math.max(most, hypot(spectrum.re[i], spectrum.im[i]))
  return most
}
