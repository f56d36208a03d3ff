import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { KalmanInput, KalmanOutput } from './schema.ts'

/** Steps of the approach that are shown: from there on the curves are flat. */
const APPROACH_MIN = 20

/** Column k of a row-major table. */
const column = (table: readonly number[], width: number, k: number): Float64Array =>
  Float64Array.from({ length: table.length / width }, (_, i) => table[i * width + k] as number)

/** Approach of covariance and gain, innovations within what the filter expects, and their correlation. */
export const plotsOf = (input: KalmanInput, output: KalmanOutput): readonly Plot[] => {
  const { states, observations, steps, settled } = output
  const shown = Math.min(steps, Math.max(APPROACH_MIN, settled))
  const count = Float64Array.from({ length: steps }, (_, i) => input.first + i)
  const step = { name: 'measurement', unit: '1' }
  const start = count.subarray(0, shown)
  const gains = Array.from({ length: states }, (_, k) => ({
    name: states === 1 ? 'gain' : `gain of component ${k + 1}`,
    x: start,
    y: column(output.gains, states, k).subarray(0, shown),
  }))
  const innovations = Array.from({ length: observations }, (_, j): readonly Curve[] => {
    const deviation = column(output.deviations, observations, j)
    const name = observations === 1 ? '' : ` of observation ${j + 1}`
    return [
      { name: `innovation${name}`, x: count, y: column(output.innovations, observations, j), style: 'points' },
      { name: `+2 sigma${name}`, x: count, y: deviation.map((it) => 2 * it), style: 'dashes' },
      { name: `−2 sigma${name}`, x: count, y: deviation.map((it) => -2 * it), style: 'dashes' },
    ]
  }).flat()
  const lags = Float64Array.from(output.lagSigmas, (_, k) => k + 1)
  return [
    {
      kind: 'curves',
      title: 'Covariance on its way to the Riccati equation',
      x: step,
      y: { name: 'trace of the predicted covariance', unit: '1', scale: 'log' },
      curves: [{ name: 'trace', x: start, y: Float64Array.from(output.traces).subarray(0, shown) }],
    },
    { kind: 'curves', title: 'Gain', x: step, y: { name: 'length of a row of K', unit: '1' }, curves: gains },
    { kind: 'curves', title: 'Innovations', x: step, y: { name: 'innovation', unit: '1' }, curves: innovations },
    {
      kind: 'curves',
      title: 'Whiteness of the innovations',
      x: { name: 'lag', unit: '1' },
      y: { name: 'correlation in standard deviations', unit: '1' },
      curves: [{ name: 'correlation', x: lags, y: output.lagSigmas, style: 'stems' }],
    },
  ]
}
