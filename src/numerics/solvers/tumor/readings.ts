import { frontOf, integralOf, tissueOf } from './problem.ts'
import type { TumorInput } from './schema.ts'

/** What is read off the density. */
export const readingsOf = (input: TumorInput, density: ArrayLike<number>, firstFront: number) => {
  const tissue = tissueOf(input)
  let minDensity = Number.POSITIVE_INFINITY
  let maxDensity = Number.NEGATIVE_INFINITY
  for (let i = 0; i < density.length; i++) {
    minDensity = Math.min(minDensity, density[i])
    maxDensity = Math.max(maxDensity, density[i])
  }
  const front = frontOf(tissue, density)
  return {
    mass: integralOf(tissue, density, (u) => u),
    front,
    frontSpeed: (front - firstFront) / (input.dt * input.steps),
    minDensity,
    maxDensity,
  }
}
