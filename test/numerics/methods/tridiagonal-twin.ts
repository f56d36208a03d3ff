/**
 * The tridiagonal kernel as plain loops: the same numbers in the same order, without lanes. Sums keep even and odd
 * columns apart until they are joined.
 */

/** Twin of the reduction: diagonal, the elements beside it, and the reflections undone for one vector. */
export const twinReduction = (n: number, element: (row: number, column: number) => number) => {
  const a = Array.from({ length: n }, (_, i) => Float64Array.from({ length: i + 1 }, (_, j) => element(i, j)))
  const [diagonal, beside, betas] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)]
  const [before, partner, sums] = [new Float64Array(n + 1), new Float64Array(n + 1), new Float64Array(n + 1)]
  const reflectors: Float64Array[] = []
  const dot = (x: Float64Array, y: Float64Array, from: number): number => {
    const lanes = [0, 0]
    for (let j = from; j < n + (n & 1); j++) lanes[j & 1] = (lanes[j & 1] as number) + (x[j] ?? 0) * (y[j] ?? 0)
    return (lanes[0] as number) + (lanes[1] as number)
  }
  const updated = (i: number, j: number): number => {
    const crossed = (before[i] as number) * (partner[j] as number) + (partner[i] as number) * (before[j] as number)
    return ((a[i] as Float64Array)[j] as number) - crossed
  }
  for (let k = 0; k < n - 2; k++) {
    const first = (k + 1) & ~1
    const v = new Float64Array(n + 1)
    diagonal[k] = updated(k, k)
    for (let j = k + 1; j < n; j++) v[j] = updated(j, k)
    const square = dot(v, v, first)
    const norm = Math.sqrt(square)
    const head = v[k + 1] as number
    const alpha = head > 0 ? -norm : norm
    const length = square - head * alpha
    beside[k] = alpha
    sums.fill(0)
    if (length !== 0) {
      v[k + 1] = head - alpha
      betas[k] = 1 / length
    }
    const beta = betas[k] as number
    for (let i = k + 1; i < n; i++) {
      const row = a[i] as Float64Array
      const lanes = [0, 0]
      let alone = 0
      for (let j = first; j < i; j++) {
        const value = updated(i, j)
        row[j] = value
        const paired = j < i - ((i - first) & 1)
        if (paired) lanes[j & 1] = (lanes[j & 1] as number) + value * (v[j] as number)
        else alone = value * (v[j] as number)
        sums[j] = (sums[j] as number) + value * (v[i] as number)
      }
      row[i] = updated(i, i)
      const sum = (lanes[0] as number) + (lanes[1] as number) + alone
      sums[i] = (sums[i] as number) + (sum + (row[i] as number) * (v[i] as number))
    }
    if (first === k) sums[k] = 0
    const half = (beta * (beta * dot(sums, v, first))) / 2
    for (let j = first; j < n + (n & 1); j++) {
      partner[j] = (sums[j] as number) * beta - half * (v[j] as number)
      before[j] = v[j] as number
    }
    reflectors.push(v)
  }
  for (let i = Math.max(0, n - 2); i < n; i++) diagonal[i] = updated(i, i)
  if (n >= 2) beside[n - 2] = updated(n - 1, n - 2)
  const restore = (vector: Float64Array): Float64Array => {
    const x = new Float64Array(n + 1)
    x.set(vector)
    for (let k = n - 3; k >= 0; k--) {
      const v = reflectors[k] as Float64Array
      const first = (k + 1) & ~1
      const factor = (betas[k] as number) * dot(v, x, first)
      for (let j = first; j < n; j++) x[j] = (x[j] as number) - factor * (v[j] as number)
    }
    return x.slice(0, n)
  }
  return { diagonal, beside, restore }
}
