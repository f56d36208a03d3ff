import type { FeaInput } from '#numerics/solvers/fea/schema.ts'
import { FOUR_POINTS, FOUR_WEIGHTS } from './recompute-element.ts'

/**
 * What beam theory's complementary energy is too large by where the root is held. Its stresses stay, and the second
 * derivatives of an Airy function are added that loads neither top, bottom nor tip: bicubic elements with continuous
 * slopes (Bogner, Fox, Schmit 1965) make it, so that the sum is in equilibrium everywhere and its energy a bound.
 * Lengths are in heights, stresses in P/(t·h). The function is odd in y: the upper half is taken.
 */

/** Elements along the beam and over half its height, and how much shorter each is than its neighbour inwards. */
const ALONG = 18
const ACROSS = 12
const SHRINKS = 0.6
/** Heights from the root after which nothing is added: what decays like exp(−7.5·x/h) is below 1e-12 there. */
const REACH_MAX = 4

/** Ends of elements from 0 to `length`, shortest at 0. */
const gradedTo = (length: number, count: number): Float64Array => {
  const ends = new Float64Array(count + 1)
  let step = 1
  for (let k = count; k > 0; k--) {
    for (let i = k; i <= count; i++) ends[i] += step
    step *= SHRINKS
  }
  const whole = ends[count] as number
  return ends.map((end) => (end * length) / whole)
}

/** Value, slope and curvature of Hermite's four functions of an element of a width, at s in [−1, 1]. */
const hermite = (width: number, s: number): readonly (readonly number[])[] => {
  const z = (1 + s) / 2
  return [
    [1 - 3 * z * z + 2 * z * z * z, width * z * (1 - z) * (1 - z), z * z * (3 - 2 * z), -width * z * z * (1 - z)],
    [(6 * z * (z - 1)) / width, (1 - z) * (1 - 3 * z), (6 * z * (1 - z)) / width, z * (3 * z - 2)],
    [(12 * z - 6) / width / width, (6 * z - 4) / width, (6 - 12 * z) / width / width, (6 * z - 2) / width],
  ]
}

/** A symmetric matrix of `size` rows, the lower band of each row, and a load. */
interface System {
  readonly size: number
  readonly band: number
  readonly matrix: Float64Array
  readonly load: Float64Array
}

/** Twice the complementary energy that the best addition saves: load · matrix⁻¹ · load, by Cholesky in the band. */
const savedBy = ({ size, band, matrix, load }: System): number => {
  let saved = 0
  for (let i = 0; i < size; i++) {
    const first = Math.max(0, i - band + 1)
    const row = i * band + band - 1 - i
    for (let j = first; j <= i; j++) {
      const other = j * band + band - 1 - j
      let sum = matrix[row + j] as number
      for (let k = Math.max(first, j - band + 1); k < j; k++) sum -= matrix[row + k] * matrix[other + k]
      matrix[row + j] = j === i ? Math.sqrt(sum) : sum / matrix[other + j]
    }
    let value = load[i] as number
    for (let k = first; k < i; k++) value -= matrix[row + k] * load[k]
    load[i] = value / matrix[row + i]
    saved += load[i] * load[i]
  }
  return saved
}

/** Stresses (xx, yy, xy) of the sixteen functions of an element at a place of it, place by place. */
const stressesAt = (along: readonly (readonly number[])[], across: readonly (readonly number[])[]): Float64Array => {
  const stresses = new Float64Array(48)
  for (let a = 0; a < 16; a++) {
    const [p, q] = [a >> 2, a & 3]
    stresses[3 * a] = along[0]?.[p] * across[2]?.[q]
    stresses[3 * a + 1] = along[2]?.[p] * across[0]?.[q]
    stresses[3 * a + 2] = -(along[1]?.[p] * across[1]?.[q])
  }
  return stresses
}

/**
 * What the deflection of a held beam is less than beam theory's, at least, in P/(E·t): the most that stresses in
 * equilibrium by themselves save of the complementary energy, times two.
 */
export const recomputeSaving = ({ L, h, nu }: Pick<FeaInput, 'L' | 'h' | 'nu'>): number => {
  const length = L / h
  const x = gradedTo(Math.min(length, REACH_MAX), ALONG)
  // From the upper edge down to the axis.
  const y = gradedTo(0.5, ACROSS).map((depth) => 0.5 - depth)
  const size = 4 * ALONG * ACROSS
  const band = 4 * (ACROSS + 2)
  const matrix = new Float64Array(size * band)
  const load = new Float64Array(size)
  // Unknowns of a node: value, slope across, slope along, both. Far end and upper edge have none; on the axis the
  // value and its slope along are zero.
  const unknownOf = (i: number, j: number, k: number): number =>
    i === ALONG || j === 0 || (j === ACROSS && k % 2 === 0) ? -1 : 4 * (i * ACROSS + j - 1) + k
  for (let i = 0; i < ALONG; i++)
    for (let k = 0; k < 4; k += 2) matrix[(4 * (i * ACROSS + ACROSS - 1) + k + 1) * band - 1] = 1
  for (let i = 0; i < ALONG; i++) {
    for (let j = 0; j < ACROSS; j++) {
      const [left, low] = [x[i] as number, y[j + 1] as number]
      const [width, height] = [(x[i + 1] as number) - left, (y[j] as number) - low]
      const places = Array.from({ length: 16 }, (_, a) => {
        const [p, q] = [a >> 2, a & 3]
        return unknownOf(p < 2 ? i : i + 1, q < 2 ? j + 1 : j, 2 * (p & 1) + (q & 1))
      })
      FOUR_POINTS.forEach((s, m) => {
        FOUR_POINTS.forEach((r, n) => {
          const weight = ((FOUR_WEIGHTS[m] as number) * (FOUR_WEIGHTS[n] as number) * width * height) / 2
          const at = stressesAt(hermite(width, s), hermite(height, r))
          const [bent, up] = [left + (width * (1 + s)) / 2, low + (height * (1 + r)) / 2]
          const [xx, xy] = [12 * (length - bent) * up, -6 * (0.25 - up * up)]
          for (let a = 0; a < 16; a++) {
            const row = places[a] as number
            if (row < 0) continue
            const strained = [
              at[3 * a] - nu * at[3 * a + 1],
              at[3 * a + 1] - nu * at[3 * a],
              2 * (1 + nu) * at[3 * a + 2],
            ]
            load[row] += weight * (strained[0] * xx + strained[2] * xy)
            for (let b = 0; b < 16; b++) {
              const column = places[b] as number
              if (column < 0 || column > row) continue
              const sum = strained[0] * at[3 * b] + strained[1] * at[3 * b + 1] + strained[2] * at[3 * b + 2]
              matrix[row * band + band - 1 - row + column] += weight * sum
            }
          }
        })
      })
    }
  }
  return savedBy({ size, band, matrix, load })
}
