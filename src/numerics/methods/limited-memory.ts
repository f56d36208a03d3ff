/** A step of a descent, the change of the slope over it, and one over their product. */
export interface Pair {
  readonly s: Float64Array
  readonly y: Float64Array
  readonly rho: number
}

/** The scalar product. */
export const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/**
 * The two-loop recursion of L-BFGS (Nocedal, Wright, Numerical Optimization, section 7.2): makes an approximate Newton
 * direction of the steepest one, in place; the steepest one itself where there is no pair yet.
 */
export const twoLoops = (q: Float64Array, pairs: readonly Pair[]): Float64Array => {
  const last = pairs[pairs.length - 1]
  if (last === undefined) return q
  const alphas = new Float64Array(pairs.length)
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, rho } = pairs[k] as Pair
    alphas[k] = rho * dot(s, q)
    for (let i = 0; i < q.length; i++) q[i] -= alphas[k] * y[i]
  }
  const gamma = 1 / (last.rho * dot(last.y, last.y))
  for (let i = 0; i < q.length; i++) q[i] *= gamma
  for (const [k, { s, y, rho }] of pairs.entries()) {
    const beta = rho * dot(y, q)
    for (let i = 0; i < q.length; i++) q[i] += (alphas[k] - beta) * s[i]
  }
  return q
}
