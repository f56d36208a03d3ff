import { cos, exp, PI, sin, sqrt } from '#numerics/math.ts'
import type { FunctionName } from './schema.ts'

/** Value at x; the gradient is written to `slope` when it is given. */
export type Objective = (x: Float64Array, slope?: Float64Array) => number

type Named = Exclude<FunctionName, 'expression'>

const rosenbrock: Objective = (x, slope) => {
  slope?.fill(0)
  let sum = 0
  for (let i = 0; i + 1 < x.length; i++) {
    const bend = x[i + 1] - x[i] * x[i]
    const off = 1 - x[i]
    sum += 100 * bend * bend + off * off
    if (slope === undefined) continue
    slope[i] += -400 * x[i] * bend - 2 * off
    slope[i + 1] += 200 * bend
  }
  return sum
}

const rastrigin: Objective = (x, slope) => {
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    const angle = 2 * PI * x[i]
    // 10·(1 − cos a) as 20·sin²(a/2), which keeps its digits near the minimum.
    const half = sin(angle / 2)
    sum += x[i] * x[i] + 20 * half * half
    if (slope !== undefined) slope[i] = 2 * x[i] + 20 * PI * sin(angle)
  }
  return sum
}

const ackley: Objective = (x, slope) => {
  const d = x.length
  let square = 0
  let waves = 0
  for (let i = 0; i < d; i++) {
    square += x[i] * x[i]
    waves += cos(2 * PI * x[i])
  }
  const radius = sqrt(square / d)
  const well = 20 * exp(-0.2 * radius)
  const ripple = exp(waves / d)
  if (slope !== undefined) {
    const inward = radius === 0 ? 0 : (0.2 * well) / (d * radius)
    for (let i = 0; i < d; i++) slope[i] = inward * x[i] + (2 * PI * ripple * sin(2 * PI * x[i])) / d
  }
  return 20 - well + (exp(1) - ripple)
}

const himmelblau: Objective = (x, slope) => {
  const a = x[0] * x[0] + x[1] - 11
  const b = x[0] + x[1] * x[1] - 7
  if (slope !== undefined) {
    slope[0] = 4 * a * x[0] + 2 * b
    slope[1] = 2 * a + 4 * b * x[1]
  }
  return a * a + b * b
}

const griewank: Objective = (x, slope) => {
  let square = 0
  let product = 1
  for (let i = 0; i < x.length; i++) {
    square += x[i] * x[i]
    product *= cos(x[i] / sqrt(i + 1))
  }
  if (slope !== undefined) {
    for (let i = 0; i < x.length; i++) {
      let others = 1
      for (let j = 0; j < x.length; j++) if (j !== i) others *= cos(x[j] / sqrt(j + 1))
      const root = sqrt(i + 1)
      slope[i] = x[i] / 2_000 + (others * sin(x[i] / root)) / root
    }
  }
  return square / 4_000 + (1 - product)
}

const schwefel: Objective = (x, slope) => {
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    const root = sqrt(Math.abs(x[i]))
    const wave = sin(root)
    sum += 418.98288727243374 - x[i] * wave
    if (slope !== undefined) slope[i] = -wave - (root * cos(root)) / 2
  }
  return sum
}

const styblinskiTang: Objective = (x, slope) => {
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    const square = x[i] * x[i]
    sum += (square * square - 16 * square + 5 * x[i]) / 2
    if (slope !== undefined) slope[i] = 2 * square * x[i] - 16 * x[i] + 2.5
  }
  return sum
}

/** The named functions, as the search evaluates them. */
export const objectives: Readonly<Record<Named, Objective>> = {
  rosenbrock,
  rastrigin,
  ackley,
  himmelblau,
  griewank,
  schwefel,
  'styblinski-tang': styblinskiTang,
}

/** The boxes that go with the functions, the same along every coordinate. */
export const boxes: Readonly<Record<FunctionName, readonly [number, number]>> = {
  rosenbrock: [-5, 10],
  rastrigin: [-5.12, 5.12],
  ackley: [-32.768, 32.768],
  himmelblau: [-5, 5],
  griewank: [-600, 600],
  schwefel: [-500, 500],
  'styblinski-tang': [-5, 5],
  expression: [-5, 5],
}
