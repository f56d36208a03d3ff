import { frontOf, integralOf, startOf, tissueOf } from '#numerics/solvers/tumor/problem.ts'
import type { TumorInput, TumorOutput } from '#numerics/solvers/tumor/schema.ts'
import { isDamped, sampledSteps, type TumorEvidence } from './growth.ts'

/** Every member that only repeats or follows from the input. */
export const echoesOf = (input: TumorInput) => {
  const { dx, dy } = tissueOf(input)
  const { dim, nx, ny, dt, steps } = input
  return {
    dim,
    damped: isDamped(input, startOf(input)),
    nx,
    ny: dim === 1 ? 0 : ny,
    dx,
    dy,
    dt,
    steps,
    time: dt * steps,
  } satisfies Partial<TumorOutput>
}

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

const sent = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The times of the fronts. */
export const timesOf = ({ dt, steps }: TumorInput): Float64Array =>
  Float64Array.from(sampledSteps(steps), (step) => step * dt)

/** The answer for a density at the end of the run. */
export const reportOf = (input: TumorInput, density: Float64Array, { fronts }: TumorEvidence): TumorOutput => ({
  ...echoesOf(input),
  ...readingsOf(input, density, fronts[0] ?? 0),
  times: sent(timesOf(input)),
  fronts: sent(fronts),
  density: sent(density),
})
