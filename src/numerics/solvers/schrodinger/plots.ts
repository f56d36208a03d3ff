import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { SchrodingerOutput } from './schema.ts'

/** How high a wave function is drawn, as a share of the distance between levels. */
const SHARE = 0.4

const rowOf = ({ states, points }: SchrodingerOutput, level: number): readonly number[] =>
  states.slice(level * points, (level + 1) * points)

/** Distance that the drawn wave functions keep: the mean one between levels, or the depth of the only one. */
const stepOf = ({ energies, minimum, levels }: SchrodingerOutput): number => {
  const [lowest = 0] = energies
  const highest = energies[levels - 1] ?? lowest
  return levels > 1 ? (highest - lowest) / (levels - 1) : lowest - minimum
}

/** The potential as far up as the states reach: walls and poles leave the picture. */
const potentialOf = ({ x, potentialEnergy, energies, minimum, levels }: SchrodingerOutput): Curve => {
  const highest = energies[levels - 1] ?? minimum
  const ceiling = highest + 0.3 * (highest - minimum)
  return {
    name: 'V(x)',
    x,
    y: Float64Array.from(potentialEnergy, (V) => (V <= ceiling ? V : Number.NaN)),
    style: 'dashes',
  }
}

/** States in their potential, the wave functions by themselves, and the ladder of levels. */
export const schrodingerPlots = (output: SchrodingerOutput): readonly Plot[] => {
  const { x, energies, states, levels } = output
  const place = { name: 'x', unit: 'm' }
  const energy = { name: 'energy', unit: 'J' }
  const size = states.reduce((most, it) => Math.max(most, Math.abs(it)), 0) || 1
  const lift = (SHARE * stepOf(output)) / size
  const each = <T>(make: (level: number) => T): readonly T[] =>
    Array.from({ length: levels }, (_, level) => make(level))
  return [
    {
      kind: 'curves',
      title: 'States in their potential, each at its level',
      x: place,
      y: energy,
      curves: [
        potentialOf(output),
        ...each((level) => ({
          name: `level ${level}`,
          x,
          y: Float64Array.from(rowOf(output, level), (psi) => (energies[level] as number) + lift * psi),
        })),
      ],
    },
    {
      kind: 'curves',
      title: 'Wave functions',
      x: place,
      y: { name: 'ψ', unit: 'm^-0.5' },
      curves: each((level) => ({ name: `level ${level}`, x, y: rowOf(output, level) })),
    },
    {
      kind: 'curves',
      title: 'Energies',
      x: { name: 'level', unit: '' },
      y: energy,
      curves: [{ name: 'energy', x: each((level) => level), y: energies, style: 'stems' }],
    },
  ]
}
