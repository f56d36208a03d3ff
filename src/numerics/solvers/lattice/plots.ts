import { amplitudeOf } from '#numerics/methods/spec.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { modulated } from '#numerics/runtime/modulation.ts'
import type { LatticeInput, LatticeOutput } from './schema.ts'

/** Points of the modulation's curve. */
const CURVE_POINTS = 201

/** The nodes on the pulse. */
export const latticePlots = (input: LatticeInput, { nodes, specValue, specUnit }: LatticeOutput): readonly Plot[] => {
  const x = Float64Array.from({ length: CURVE_POINTS }, (_, i) => i / (CURVE_POINTS - 1))
  const pulse = x.map((phase) => modulated(specValue, phase, amplitudeOf(input)))
  const places = nodes.map(({ phase }) => phase)
  const seen = nodes.map(({ R_t }) => R_t)
  return [
    {
      kind: 'curves',
      title: 'Nodes on the pulse',
      x: { name: 'phase', unit: '1' },
      y: { name: 'R', unit: specUnit },
      curves: [
        { name: 'pulse', x, y: pulse, style: 'dashes' },
        { name: 'nodes', x: places, y: seen, style: 'points' },
      ],
    },
  ]
}
