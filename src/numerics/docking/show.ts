import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { complexOf } from './atoms.ts'
import type { DockInput, DockOutput } from './schema.ts'

const AXES = ['x', 'y', 'z'] as const

/** Atoms along two axes, coloured by their charge. */
const cloud = (
  name: string,
  { places, charge }: { readonly places: ArrayLike<number>; readonly charge: Float64Array },
  [across, up]: readonly [number, number],
): Curve => {
  const along = (axis: number): Float64Array =>
    Float64Array.from({ length: charge.length }, (_, i) => places[3 * i + axis] as number)
  const shade = { name: 'charge', unit: 'e', values: charge }
  return { name, x: along(across), y: along(up), style: 'points', shade }
}

const projection = (input: DockInput, { positions }: DockOutput, plane: readonly [number, number]): Plot => {
  const { receptor, ligand } = complexOf(input)
  const name = (axis: number): string => AXES[axis as 0 | 1 | 2]
  return {
    kind: 'curves',
    title: `Receptor and ligand, seen along ${name(3 - plane[0] - plane[1])}`,
    x: { name: name(plane[0]), unit: 'angstrom' },
    y: { name: name(plane[1]), unit: 'angstrom' },
    curves: [cloud('receptor', receptor, plane), cloud('ligand', { places: positions, charge: ligand.charge }, plane)],
    equal: true,
  }
}

/** Energies of the starts from the lowest, and receptor and ligand from two sides. */
export const plotsOf = (input: DockInput, output: DockOutput): readonly Plot[] => {
  const all = Float64Array.from(output.energies).sort()
  // A start that is caught in a wall ends thousands above the rest, which then all look alike.
  const bound = all.filter((energy) => energy < 0)
  const sorted = bound.length > 0 ? bound : all
  const which = sorted.length === all.length ? '' : `, ${sorted.length} of ${all.length} that end below zero`
  return [
    {
      kind: 'curves',
      title: `Energies of the starts${which}`,
      x: { name: 'start, by its energy', unit: '1' },
      y: { name: 'energy', unit: 'kJ/mol' },
      curves: [{ name: 'energy', x: sorted.map((_, k) => k + 1), y: sorted, style: 'stems' }],
    },
    projection(input, output, [0, 1]),
    projection(input, output, [0, 2]),
  ]
}
