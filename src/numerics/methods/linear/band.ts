import { Fault } from '#core/fault.ts'

/** A symmetric band matrix: `half + 1` numbers a row, the diagonal first, then the places to the left of it. */
export interface Band {
  readonly size: number
  /** Places left of the diagonal. */
  readonly half: number
  readonly values: Float64Array
}

/** A band matrix of zeros. */
export const band = (size: number, half: number): Band => ({
  size,
  half,
  values: new Float64Array(size * (half + 1)),
})

/** Adds to one place of the lower triangle, given in either order. */
export const addTo = ({ half, values }: Band, row: number, column: number, value: number): void => {
  const [low, high] = row < column ? [row, column] : [column, row]
  values[high * (half + 1) + high - low] += value
}

/** y = A·x. */
export const bandTimes = ({ size, half, values }: Band, x: Float64Array): Float64Array => {
  const y = new Float64Array(size)
  for (let i = 0; i < size; i++) {
    const row = i * (half + 1)
    y[i] += values[row] * x[i]
    for (let k = 1; k <= Math.min(half, i); k++) {
      y[i] += values[row + k] * x[i - k]
      y[i - k] += values[row + k] * x[i]
    }
  }
  return y
}

/** L·D·Lᵀ of a band matrix: rows of L with D in place of its diagonal of ones. */
export interface BandFactor {
  readonly factor: Band
  /** Negative numbers of D: as many as the matrix has negative eigenvalues (Sylvester). */
  readonly negatives: number
}

/** The least size of a pivot over the largest entry: smaller ones are moved off zero, as if rounded differently. */
const PIVOT_MIN = 1e-18

/** The factor of K − σ·M, without pivoting. @param M as K, of the same shape. */
export const factorShifted = (K: Band, M: Band, sigma: number): BandFactor => {
  const { size, half } = K
  const factor = band(size, half)
  const { values } = factor
  let largest = 0
  for (let i = 0; i < values.length; i++) {
    values[i] = K.values[i] - sigma * M.values[i]
    largest = Math.max(largest, Math.abs(values[i]))
  }
  let negatives = 0
  const width = half + 1
  for (let i = 0; i < size; i++) {
    // Row i of L·D first, column by column from the left.
    for (let k = Math.min(half, i); k >= 1; k--) {
      const j = i - k
      let sum = values[i * width + k]
      for (let m = 1; m <= Math.min(half - k, j); m++) sum -= values[i * width + k + m] * values[j * width + m]
      values[i * width + k] = sum
    }
    let pivot = values[i * width]
    for (let k = 1; k <= Math.min(half, i); k++) {
      const scaled = values[i * width + k] / values[(i - k) * width]
      pivot -= scaled * values[i * width + k]
      values[i * width + k] = scaled
    }
    if (Math.abs(pivot) < PIVOT_MIN * largest) pivot = pivot < 0 ? -PIVOT_MIN * largest : PIVOT_MIN * largest
    values[i * width] = pivot
    if (pivot < 0) negatives++
  }
  return { factor, negatives }
}

/** Solves with a factor, in place. */
export const solveBand = ({ size, half, values }: Band, x: Float64Array): void => {
  const width = half + 1
  for (let i = 0; i < size; i++) {
    for (let k = 1; k <= Math.min(half, i); k++) x[i] -= values[i * width + k] * x[i - k]
  }
  for (let i = 0; i < size; i++) x[i] /= values[i * width]
  for (let i = size - 1; i >= 0; i--) {
    for (let k = 1; k <= Math.min(half, i); k++) x[i - k] -= values[i * width + k] * x[i]
  }
}

/** An eigenvalue of K·x = λ·M·x with its vector, xᵀ·M·x = 1. */
export interface Eigenpair {
  readonly value: number
  readonly vector: Float64Array
}

/** Halvings of a bracket at most, and rounds of inverse iteration. */
const HALVINGS_MAX = 200
const ROUNDS_MAX = 60
/** Width of a bracket over its upper end at which iteration takes over. */
const BRACKET_SHARE = 1e-2
/** Change of a vector over its largest number from which on a few rounds more are the last. */
const SETTLED = 1e-8
const ROUNDS_LEFT = 2
/** By how much rounding may carry an eigenvalue out of its bracket. */
const SLACK = 1e-2

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** A bracket that holds the eigenvalue of this number and no other. @param from a bound with `index` of them below. */
const bracketOf = (
  K: Band,
  M: Band,
  { index, from, to }: { readonly index: number; readonly from: number; readonly to: number },
): readonly [number, number] => {
  const below = (sigma: number): number => factorShifted(K, M, sigma).negatives
  // Eigenvalues closer than the caller thought: the search begins at zero, where nothing is counted.
  const known = from > 0 && below(from) === index
  let low = known ? from : 0
  let under = known ? index : -1
  let high = to
  let above = below(high)
  for (let k = 0; above <= index && k < HALVINGS_MAX; k++) {
    low = high
    under = above
    high *= 2
    above = below(high)
  }
  for (let k = 0; k < HALVINGS_MAX; k++) {
    if (under === index && above === index + 1 && high - low <= BRACKET_SHARE * high) break
    const middle = low + (high - low) / 2
    const count = below(middle)
    if (count > index) {
      high = middle
      above = count
    } else {
      low = middle
      under = count
    }
  }
  return [low, high]
}

/** Inverse iteration with a factor until the vector settles: the vector with xᵀ·M·x = 1. */
const iterated = (factor: Band, M: Band): Float64Array => {
  // A start without symmetry has a share of every vector.
  let x: Float64Array = Float64Array.from({ length: M.size }, (_, i) => 1 + ((i * 37) % 101) / 101)
  let weighed = bandTimes(M, x)
  let left = ROUNDS_MAX
  while (left-- > 0) {
    const y = weighed.slice()
    solveBand(factor, y)
    const product = bandTimes(M, y)
    const size = Math.sqrt(dot(y, product)) * (dot(y, weighed) < 0 ? -1 : 1)
    let change = 0
    for (let i = 0; i < y.length; i++) {
      y[i] /= size
      product[i] /= size
      change = Math.max(change, Math.abs(y[i] - x[i]))
    }
    x = y
    weighed = product
    if (change <= SETTLED * largest(x)) left = Math.min(left, ROUNDS_LEFT)
  }
  return x
}

/**
 * The eigenpair of a number, 0 the lowest, of K·x = λ·M·x with M positive and no eigenvalue below zero: counted by
 * negative pivots (Sturm, Sylvester), then inverse iteration with the middle of the bracket and Rayleigh's quotient.
 *
 * @param from a number with `index` eigenvalues below it: 0, or a hair above the eigenvalue before.
 * @param to a number above `from` of the size of the eigenvalue, as a first guess.
 * @throws Fault DID_NOT_CONVERGE.
 */
export const eigenpair = (
  K: Band,
  M: Band,
  { index, from = 0, to }: { readonly index: number; readonly from?: number; readonly to: number },
): Eigenpair => {
  const [low, high] = bracketOf(K, M, { index, from, to })
  const vector = iterated(factorShifted(K, M, (low + high) / 2).factor, M)
  const value = dot(vector, bandTimes(K, vector))
  if (value >= low * (1 - SLACK) && value <= high * (1 + SLACK)) return { value, vector }
  throw new Fault('DID_NOT_CONVERGE', 'An eigenvalue left its bracket; nothing was sealed.', {
    measured: null,
    low,
    high,
  })
}

const largest = (x: Float64Array): number => x.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
