import { cos, PI } from './math.ts'

/** Nodes in (−1, 1), ascending, and their weights. */
export interface Rule {
  readonly nodes: Float64Array
  readonly weights: Float64Array
}

/** Newton steps to a node: the start is good to three digits, and each step doubles them. */
const NEWTON_STEPS = 8

/** Legendre's polynomial of degree n at x, and its derivative. */
const legendre = (n: number, x: number): readonly [number, number] => {
  let before = 1
  let here = x
  for (let k = 2; k <= n; k++) [before, here] = [here, ((2 * k - 1) * x * here - (k - 1) * before) / k]
  return [here, (n * (x * here - before)) / (x * x - 1)]
}

/** Gauss's rule of n >= 2 points: exact for polynomials of degree 2n − 1. */
export const gaussRule = (n: number): Rule => {
  const nodes = new Float64Array(n)
  const weights = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let x = -cos((PI * (i + 0.75)) / (n + 0.5))
    for (let step = 0; step < NEWTON_STEPS; step++) {
      const [value, slope] = legendre(n, x)
      x -= value / slope
    }
    const [, slope] = legendre(n, x)
    nodes[i] = x
    weights[i] = 2 / ((1 - x * x) * slope * slope)
  }
  return { nodes, weights }
}
