import { sqrt } from '#numerics/math.ts'

/** Groups of batches for a standard error, at most: as the solver's page has it. */
const GROUPS_MAX = 40

/**
 * Exponents, their standard errors and how the largest settled, from the growths of all batches (batches × 3) over a
 * time `span` each: the check's own sums, every mean afresh, so that no slip of the run's is in both.
 */
export const summaryOf = (growths: Float64Array, span: number) => {
  const batches = growths.length / 3
  const meanOf = (direction: number, from: number, to: number): number => {
    let total = 0
    for (let k = from; k < to; k++) total += growths[3 * k + direction]
    return total / ((to - from) * span)
  }
  const size = Math.ceil(batches / GROUPS_MAX)
  const groups = Math.floor(batches / size)
  const exponents = Float64Array.of(meanOf(0, 0, batches), meanOf(1, 0, batches), meanOf(2, 0, batches))
  const errors = exponents.map((mean, direction) => {
    let square = 0
    for (let g = 0; g < groups; g++) {
      const off = meanOf(direction, g * size, (g + 1) * size) - mean
      square += off * off
    }
    return sqrt(square / (groups * (groups - 1)))
  })
  const convergence = Float64Array.from({ length: batches }, (_, k) => meanOf(0, 0, k + 1))
  return { exponents, errors, convergence }
}

/** Kaplan and Yorke's dimension of three exponents, the largest first, case by case. */
export const dimensionBy = ([a = 0, b = 0, c = 0]: readonly number[]): number => {
  if (a < 0) return 0
  if (a + b < 0) return 1 - a / b
  return a + b + c < 0 ? 2 - (a + b) / c : 3
}
