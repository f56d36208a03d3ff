import { sqrt } from '#numerics/math.ts'

/** Mean, standard deviation and coherence of the values of all nodes. */
export const statisticsOf = (values: readonly number[]) => {
  const mean = values.reduce((sum, it) => sum + it, 0) / values.length
  const sd = sqrt(values.reduce((sum, it) => sum + (it - mean) * (it - mean), 0) / values.length)
  return { mean, sd, coherence: Math.max(0, 1 - sd / Math.abs(mean)) }
}
