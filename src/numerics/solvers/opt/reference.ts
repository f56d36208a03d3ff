import { cos, exp, log, PI, pow, sin, sqrt } from '#numerics/math.ts'
import type { FunctionName } from '#numerics/solvers/opt/schema.ts'

/** A named function as the literature has it: its formula term by term, its least value and where it is. */
export interface Reference {
  readonly value: (x: ArrayLike<number>) => number
  readonly least: (dimension: number) => number
  readonly minimisers: (dimension: number) => readonly (readonly number[])[]
}

const sumOf = (x: ArrayLike<number>, term: (xi: number, i: number) => number): number => {
  let sum = 0
  for (let i = x.length - 1; i >= 0; i--) sum += term(x[i] as number, i)
  return sum
}

const everywhere =
  (coordinate: number) =>
  (dimension: number): readonly (readonly number[])[] => [Array.from({ length: dimension }, () => coordinate)]

const nothing = (): number => 0

/** Definitions and minima: Surjanovic, Bingham, Virtual Library of Simulation Experiments; Himmelblau (1972). */
export const references: Readonly<Record<Exclude<FunctionName, 'expression'>, Reference>> = {
  rosenbrock: {
    value: (x) =>
      sumOf(x, (xi, i) => {
        if (i + 1 === x.length) return 0
        const next = x[i + 1] as number
        return 100 * pow(next - xi * xi, 2) + pow(xi - 1, 2)
      }),
    least: nothing,
    minimisers: everywhere(1),
  },
  rastrigin: {
    value: (x) => 10 * x.length + sumOf(x, (xi) => xi * xi - 10 * cos(2 * PI * xi)),
    least: nothing,
    minimisers: everywhere(0),
  },
  ackley: {
    value: (x) => {
      const d = x.length
      const far = -20 * exp(-0.2 * sqrt(sumOf(x, (xi) => xi * xi) / d))
      return far - exp(sumOf(x, (xi) => cos(2 * PI * xi)) / d) + 20 + exp(1)
    },
    least: nothing,
    minimisers: everywhere(0),
  },
  himmelblau: {
    value: (at) => {
      const [x, y] = [at[0] as number, at[1] as number]
      return pow(x * x + y - 11, 2) + pow(x + y * y - 7, 2)
    },
    least: nothing,
    minimisers: () => [
      [3, 2],
      [-2.805118086952745, 3.131312518250573],
      [-3.779310253377747, -3.28318599128617],
      [3.584428340330492, -1.848126526964404],
    ],
  },
  griewank: {
    value: (x) => {
      let product = 1
      for (let i = x.length; i >= 1; i--) product *= cos((x[i - 1] as number) / sqrt(i))
      return 1 + sumOf(x, (xi) => (xi * xi) / 4_000) - product
    },
    least: nothing,
    minimisers: everywhere(0),
  },
  schwefel: {
    value: (x) => 418.98288727243374 * x.length - sumOf(x, (xi) => xi * sin(sqrt(Math.abs(xi)))),
    least: nothing,
    minimisers: everywhere(420.968746359982),
  },
  'styblinski-tang': {
    value: (x) => sumOf(x, (xi) => pow(xi, 4) - 16 * pow(xi, 2) + 5 * xi) / 2,
    least: (dimension) => -39.16616570377142 * dimension,
    minimisers: everywhere(-2.903534027771177),
  },
}

/** Points over which the mean of a function is taken, for a scale. */
const SAMPLES = 256

/** The root of g^(d + 1) = g + 1 above 1: the golden ratio for d = 1. */
const harmonious = (dimension: number): number => {
  let g = 2
  for (let k = 0; k < 64; k++) g = exp(log(1 + g) / (dimension + 1))
  return g
}

/**
 * Mean of a function over 256 fixed points of the box that fill it evenly (Kronecker's sequence); not a number is
 * left out.
 */
export const meanOver = (
  value: (x: ArrayLike<number>) => number,
  lower: ArrayLike<number>,
  upper: ArrayLike<number>,
): number => {
  const d = lower.length
  const g = harmonious(d)
  const x = new Float64Array(d)
  let [sum, count] = [0, 0]
  for (let k = 1; k <= SAMPLES; k++) {
    for (let i = 0; i < d; i++) {
      const turn = 0.5 + k * pow(g, -(i + 1))
      x[i] = (lower[i] as number) + (turn - Math.floor(turn)) * ((upper[i] as number) - (lower[i] as number))
    }
    const f = value(x)
    if (!Number.isFinite(f)) continue
    sum += f
    count++
  }
  return sum / count
}
