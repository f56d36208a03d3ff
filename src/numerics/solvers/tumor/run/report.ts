import { echoesOf, timesOf } from '#numerics/solvers/tumor/problem.ts'
import { readingsOf } from '#numerics/solvers/tumor/readings.ts'
import type { TumorEvidence, TumorInput, TumorOutput } from '#numerics/solvers/tumor/schema.ts'

const sent = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer for a density at the end of the run. */
export const reportOf = (input: TumorInput, density: Float64Array, { fronts }: TumorEvidence): TumorOutput => ({
  ...echoesOf(input),
  ...readingsOf(input, density, fronts[0] ?? 0),
  times: sent(timesOf(input)),
  fronts: sent(fronts),
  density: sent(density),
})
