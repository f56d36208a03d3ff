import type { Curve, Plot } from '#numerics/plot/plot.ts'
import { complexOf } from './problem.ts'
import type { DockInput, DockOutput } from './schema.ts'

const AXES = ['x', 'y', 'z'] as const

/** Atoms of a molecule. */
interface Atoms {
  readonly places: ArrayLike<number>
  readonly charge: Float64Array
}

/** How far from the ligand, in angstrom, atoms of the receptor are drawn with their charge. */
const NEAR = 6

/** Atoms along two axes, in the colour of their molecule. */
const cloud = (name: string, { places, charge }: Atoms, [across, up]: readonly [number, number]): Curve => {
  const along = (axis: number): Float64Array =>
    Float64Array.from({ length: charge.length }, (_, i) => places[3 * i + axis] as number)
  return { name, x: along(across), y: along(up), style: 'points' }
}

/** The same, coloured by the charge. */
const charged = (name: string, atoms: Atoms, plane: readonly [number, number]): Curve => ({
  ...cloud(name, atoms, plane),
  shade: { name: 'charge', unit: 'e', values: atoms.charge },
})

/** Atoms that have one of another molecule near. */
const nearTo = ({ places, charge }: Atoms, other: ArrayLike<number>): Atoms => {
  const near = Array.from(charge, (_, i) => i).filter((i) => {
    for (let k = 0; k < other.length; k += 3) {
      const off = [0, 1, 2].map((axis) => (places[3 * i + axis] as number) - (other[k + axis] as number))
      if (off.reduce((sum, it) => sum + it * it, 0) <= NEAR * NEAR) return true
    }
    return false
  })
  const kept = near.flatMap((i) => [0, 1, 2].map((axis) => places[3 * i + axis] as number))
  return { places: kept, charge: Float64Array.from(near, (i) => charge[i] as number) }
}

/** The site: the ligand and what is near it, by charge. */
const site = (input: DockInput, { positions }: DockOutput): Plot => {
  const { receptor, ligand } = complexOf(input)
  const bound = { places: positions, charge: ligand.charge }
  // One curve: a scale of colours is for all of its points.
  const near = nearTo(receptor, positions)
  const together = {
    places: [...Array.from(near.places), ...positions],
    charge: Float64Array.of(...near.charge, ...bound.charge),
  }
  return {
    kind: 'curves',
    title: `Charges within ${NEAR} angstrom of the ligand, seen along z`,
    x: { name: 'x', unit: 'angstrom' },
    y: { name: 'y', unit: 'angstrom' },
    curves: [charged('site', together, [0, 1])],
    equal: true,
  }
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

/** Energies of the starts from the lowest, receptor and ligand from two sides, and the charges where they meet. */
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
    site(input, output),
  ]
}
