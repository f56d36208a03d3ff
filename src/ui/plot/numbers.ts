const DIGITS = 5

/** A number as a label has it: five figures, a power of ten beyond what is easily read. */
export const figure = (value: number): string => {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 1e5 || size < 1e-3 ? value.toExponential(DIGITS - 2) : String(Number(value.toPrecision(DIGITS)))
}

/** Least and greatest of many numbers; `Math.min(...values)` would overflow the stack. */
export const rangeOf = (values: ArrayLike<number>): readonly [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < low) low = value
    if (value > high) high = value
  }
  return [low, high]
}
