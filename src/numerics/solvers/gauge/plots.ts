import type { Plot } from '#numerics/plot/plot.ts'
import { anglesOf } from './run/field.ts'
import type { GaugeInput, GaugeOutput } from './schema.ts'

/** History and running mean of the plaquette, its autocorrelation, and the flux through the lattice at the end. */
export const plotsOf = (input: GaugeInput, output: GaugeOutput): readonly Plot[] => {
  const { L, history, correlation, links } = output
  const first = input.first + input.thermal
  const sweeps = Float64Array.from(history, (_, k) => first + k)
  const running = new Float64Array(history.length)
  let sum = 0
  for (let k = 0; k < history.length; k++) {
    sum += history[k] as number
    running[k] = sum / (k + 1)
  }
  const angles = anglesOf(links, L)
  const site = { unit: '1', low: 0, high: L }
  return [
    {
      kind: 'curves',
      title: 'Mean plaquette by sweep',
      x: { name: 'sweep', unit: '1' },
      y: { name: 'plaquette', unit: '1' },
      curves: [
        { name: 'sweep', x: sweeps, y: history, style: 'points' },
        { name: 'running mean', x: sweeps, y: running },
      ],
    },
    {
      kind: 'curves',
      title: 'Autocorrelation',
      x: { name: 'lag', unit: 'sweep' },
      y: { name: 'correlation', unit: '1' },
      curves: [{ name: 'history', x: Float64Array.from(correlation, (_, k) => k + 1), y: correlation, style: 'stems' }],
    },
    {
      kind: 'map',
      title: 'Flux through each plaquette at the end',
      name: 'angle',
      unit: 'rad',
      values: angles,
      rows: L,
      columns: L,
      x: { name: 'x', ...site },
      y: { name: 'y', ...site },
      palette: 'diverging',
    },
  ]
}
