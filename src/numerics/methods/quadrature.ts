import { cos, PI } from '#numerics/math.ts'

// Nodes and weights of Gauss and Kronrod's pair of 7 and 15 points (Kronrod, Nodes and Weights of Quadrature Formulas,
// 1965; QUADPACK), from the end of the interval to its middle.
const NODES = [
  0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911,
  0.4058451513773972, 0.20778495500789848, 0,
] as const
const FIFTEEN = [
  0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679,
  0.19035057806478542, 0.20443294007529889, 0.20948214108472782,
] as const
const SEVEN = [0, 0.1294849661688697, 0, 0.27970539148927664, 0, 0.3818300505051189, 0, 0.4179591836734694] as const

/** Halvings of one interval, and intervals in all, at most. */
const DEPTH_MAX = 60
const INTERVALS_MAX = 20_000

const pair = (f: (x: number) => number, from: number, to: number): readonly [fine: number, coarse: number] => {
  const middle = from + (to - from) / 2
  const half = (to - from) / 2
  const centre = f(middle)
  let fine = FIFTEEN[7] * centre
  let coarse = SEVEN[7] * centre
  for (let k = 0; k < 7; k++) {
    const reach = half * (NODES[k] as number)
    const both = f(middle - reach) + f(middle + reach)
    fine += (FIFTEEN[k] as number) * both
    coarse += (SEVEN[k] as number) * both
  }
  return [half * fine, half * coarse]
}

/**
 * ∫ f by Gauss–Kronrod with halving where it is needed. For smooth functions that vary over many scales.
 *
 * @param relative error of each part as a share of the whole, by the difference of its two rules.
 * @returns NaN when the intervals are spent.
 */
export const integral = (f: (x: number) => number, from: number, to: number, relative = 1e-13): number => {
  let scale = Math.abs(pair(f, from, to)[0])
  let intervals = 0
  const part = (a: number, b: number, depth: number): number => {
    const [fine, coarse] = pair(f, a, b)
    scale = Math.max(scale, Math.abs(fine))
    // The difference is the error of the seven points; that of the fifteen is about its power 3/2 (QUADPACK).
    if (Math.abs(fine - coarse) <= 100 * relative * scale || depth === DEPTH_MAX) return fine
    if (++intervals > INTERVALS_MAX) return Number.NaN
    const middle = a + (b - a) / 2
    return part(a, middle, depth + 1) + part(middle, b, depth + 1)
  }
  return part(from, to, 0)
}

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
