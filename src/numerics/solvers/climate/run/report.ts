import { sqrt } from '#numerics/math.ts'
import { bottomOf, echoesOf, type Schedule, type Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput, ClimateOutput } from '#numerics/solvers/climate/schema.ts'
import { centresOf } from './centres.ts'

const meanOf = (values: ArrayLike<number>): number => {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]
  return sum / values.length
}

/** What is read off the water: at the centres of cells where it is smooth, off the means where it breaks. */
export const readingsOf = (input: ClimateInput, water: { [K in keyof Water]: ArrayLike<number> }) => {
  const { mode, nx, ny } = input
  const read = (means: ArrayLike<number>): ArrayLike<number> =>
    mode === 'dam-break' ? means : centresOf(means, nx, ny)
  const [h, p, q, bottom] = [water.h, water.p, water.q, bottomOf(input)].map(read)
  const meanDepth = meanOf(h)
  const level = meanDepth + meanOf(bottom)
  let [squares, energy, minDepth, maxDepth, fastest] = [0, 0, Number.POSITIVE_INFINITY, 0, 0]
  for (let i = 0; i < h.length; i++) {
    squares += (h[i] - meanDepth) * (h[i] - meanDepth)
    const motion = h[i] === 0 ? 0 : (p[i] * p[i] + q[i] * q[i]) / h[i]
    const rise = h[i] + bottom[i] - level
    energy += (motion + input.gravity * rise * rise) / 2
    minDepth = Math.min(minDepth, h[i])
    maxDepth = Math.max(maxDepth, h[i])
    if (h[i] !== 0) fastest = Math.max(fastest, motion / h[i])
  }
  return {
    anomaly: sqrt(squares / h.length),
    meanDepth,
    minDepth,
    maxDepth,
    maxSpeed: mode === 'dam-break' ? null : sqrt(fastest),
    energy: energy / h.length,
  }
}

const sent = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer for the water at the end of the run. */
export const reportOf = (input: ClimateInput, schedule: Schedule, water: Water): ClimateOutput => ({
  ...echoesOf(input, schedule),
  ...readingsOf(input, water),
  depth: sent(water.h),
  fluxX: sent(water.p),
  fluxY: sent(water.q),
})
