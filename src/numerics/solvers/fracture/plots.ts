import { figure } from '#numerics/plot/figures.ts'
import type { Curve, Plot } from '#numerics/plot/plot.ts'
import type { FractureInput, FractureOutput } from './schema.ts'

const values = (it: readonly number[] | undefined): readonly number[] => it ?? []

/** The plate's damage with the crack's path over it. */
const damagePlot = (input: FractureInput, { damage, crackPath }: FractureOutput): Plot => {
  const dx = input.width / input.nx
  const path: Curve = {
    name: 'crack',
    x: Float64Array.from(crackPath, ([x]) => x),
    y: Float64Array.from(crackPath, ([, y]) => y),
  }
  return {
    kind: 'map',
    title: `Damage after ${figure(input.time)} s`,
    name: 'damage',
    unit: '1',
    values: values(damage),
    rows: input.ny,
    columns: input.nx,
    x: { name: 'x', unit: 'm', low: dx / 2, high: input.width - dx / 2 },
    y: { name: 'y', unit: 'm', low: dx / 2, high: (input.ny - 0.5) * dx },
    ...(crackPath.length > 0 && { over: [path] }),
  }
}

/** Where the energy is, over the run. */
const budgetPlot = (input: FractureInput, output: FractureOutput): Plot => {
  const bar = input.mode === 'bar'
  const x = Float64Array.from(output.progress, (share) => (bar ? 100 * share : share * input.time))
  const curve = (name: string, y: readonly number[]): Curve => ({ name, x, y })
  return {
    kind: 'curves',
    title: 'Budget of energy',
    x: bar ? { name: 'share of the load', unit: '%' } : { name: 'time', unit: 's' },
    y: { name: 'energy', unit: 'J' },
    curves: [
      curve('strain', output.strainEnergy),
      ...(bar ? [] : [curve('kinetic', output.kineticEnergy)]),
      curve('fracture', output.brokenEnergy),
      ...(input.damping === 0 || bar ? [] : [curve('drag', output.dampedEnergy)]),
      ...(input.gripSpeed === 0 && !bar ? [] : [curve('work of the grips', output.externalWork)]),
    ],
  }
}

/** Share of the nodes whose displacements the colours tell apart; the rest are fragments that fly off. */
const HELD_SHARE = 0.98

/** The size that this share of the displacements stays below. */
const heldBelow = (all: readonly number[]): number => {
  const sizes = Float64Array.from(all, Math.abs).sort()
  return sizes[Math.max(0, Math.floor(HELD_SHARE * sizes.length) - 1)] ?? 0
}

/** How far the plate opened: displacements across the crack. */
const openingPlot = (input: FractureInput, { uy }: FractureOutput): Plot => {
  const dx = input.width / input.nx
  return {
    kind: 'map',
    title: 'Displacement across the crack',
    name: 'displacement along y',
    unit: 'm',
    palette: 'diverging',
    ...(heldBelow(values(uy)) > 0 && { clip: heldBelow(values(uy)) }),
    values: values(uy),
    rows: input.ny,
    columns: input.nx,
    x: { name: 'x', unit: 'm', low: dx / 2, high: input.width - dx / 2 },
    y: { name: 'y', unit: 'm', low: dx / 2, high: (input.ny - 0.5) * dx },
  }
}

/** Force on a bar over its elongation, and over the opening of its section. */
const softeningPlot = ({ elongation, opening, force }: FractureOutput): Plot => ({
  kind: 'curves',
  title: 'Force of the bar',
  x: { name: 'elongation or opening', unit: 'm' },
  y: { name: 'force', unit: 'N' },
  curves: [
    { name: 'over the elongation', x: values(elongation), y: values(force) },
    { name: 'over the opening', style: 'dashes', x: values(opening), y: values(force) },
  ],
})

/** What is worth seeing of an answer, the most telling first. */
export const plotsOf = (input: FractureInput, output: FractureOutput): readonly Plot[] =>
  input.mode === 'bar'
    ? [softeningPlot(output), budgetPlot(input, output)]
    : [damagePlot(input, output), budgetPlot(input, output), openingPlot(input, output)]
