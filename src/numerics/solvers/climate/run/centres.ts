/** Second differences along one axis of a periodic field, row-major. */
const secondDifferences = (values: Float64Array, [along, length]: readonly [number, number]): Float64Array => {
  const found = new Float64Array(values.length)
  const span = along * length
  for (let i = 0; i < values.length; i++) {
    const place = i % span
    const before = place < along ? i + span - along : i - along
    const behind = place >= span - along ? i - span + along : i + along
    found[i] = values[before] - 2 * values[i] + values[behind]
  }
  return found
}

/**
 * Values at the centres of cells from means over them: along each axis 1 − δ²/24 + 3δ⁴/640 − 5δ⁶/7168, of eighth order
 * where a field is smooth. The square of a mean over a cell is less than the mean of the square: what is read off
 * means alone is off by the square of the spacing.
 *
 * @param means nx × ny values, x fastest.
 */
export const centresOf = (means: ArrayLike<number>, nx: number, ny: number): Float64Array => {
  const values = Float64Array.from(means)
  for (const axis of [
    [1, nx],
    [nx, ny],
  ] as const) {
    const second = secondDifferences(values, axis)
    const fourth = secondDifferences(second, axis)
    const sixth = secondDifferences(fourth, axis)
    for (let i = 0; i < values.length; i++) values[i] += (3 * fourth[i]) / 640 - second[i] / 24 - (5 * sixth[i]) / 7168
  }
  return values
}
