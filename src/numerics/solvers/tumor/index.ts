import { strideOf } from '#core/states.ts'
import { sqrt } from '#numerics/math.ts'
import { figure } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { courseOf } from '#numerics/runtime/course.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkTumor } from './check/check.ts'
import { tumorGuide } from './guide.ts'
import { refuseStill, refuseTumor } from './limits.ts'
import { startOf, tissueOf } from './problem.ts'
import { createGrowth, type Growth } from './run/growth.ts'
import { reportOf } from './run/report.ts'
import { type TumorEvidence, type TumorInput, type TumorOutput, tumorInput, tumorOutput } from './schema.ts'

/** Floating-point operations of a step and of one state digest (its bytes hashed), each per node. */
const STEP_OPERATIONS = 60
const DIGEST_OPERATIONS = 24

const workOf = (input: TumorInput): number => {
  const { rows, columns } = tissueOf(input)
  const { steps } = input
  return (rows * columns * (STEP_OPERATIONS * steps + DIGEST_OPERATIONS * Math.ceil(steps / strideOf(steps)))) / 1e6
}

const fieldOf = (input: TumorInput, { density }: TumorOutput): Field => {
  const { rows, columns, dx, dy } = tissueOf(input)
  return {
    values: Float64Array.from(density),
    shape: rows === 1 ? [columns] : [rows, columns],
    spacing: rows === 1 ? [dx] : [dy, dx],
    boundary: 'insulated',
    name: 'density',
    unit: '1',
    dissipative: true,
  }
}

/** The density, and the front on its way beside the least speed of a front. */
const plotsOf = (input: TumorInput, output: TumorOutput): readonly Plot[] => {
  const { rows, columns, dx } = tissueOf(input)
  const x = { name: 'x', unit: 'm' }
  const title = `Density after ${figure(output.time)} s`
  const places = Float64Array.from({ length: columns }, (_, i) => i * dx)
  const y = { name: 'density', unit: '1' }
  const shape: Plot =
    rows === 1
      ? { kind: 'curves', title, x, y, curves: [{ name: 'u', x: places, y: output.density }] }
      : {
          kind: 'map',
          title,
          name: 'density',
          unit: '1',
          values: output.density,
          rows,
          columns,
          x: { ...x, low: 0, high: input.lx },
          y: { name: 'y', unit: 'm', low: 0, high: input.ly },
        }
  const least = 2 * sqrt(input.D * input.rho)
  const begin = output.fronts[0] ?? 0
  const line = Float64Array.from(output.times, (time) => begin + least * time)
  const curves = [
    { name: 'front', x: output.times, y: output.fronts },
    { name: 'least speed 2·sqrt(D·rho)', x: output.times, y: line, style: 'dashes' } as const,
  ]
  return [
    shape,
    { kind: 'curves', title: 'Way of the front', x: { name: 'time', unit: 's' }, y: { name: 'x', unit: 'm' }, curves },
  ]
}

/** The same tissue from the density that it ended with; walls are where they are when the front comes to them. */
const continuedOf = (input: TumorInput, { density }: TumorOutput): TumorInput => ({
  ...input,
  walls: 'closed',
  initial: { ...input.initial, kind: 'values', values: density },
})

/** Growth and spread of cells: the equation of Fisher and of Kolmogorov, Petrovsky and Piskunov. */
export const tumor = solver<typeof tumorInput, typeof tumorOutput, TumorEvidence, Growth>({
  name: 'tumor',
  revision: 2,
  title: 'Tumour front',
  summary: 'Fisher–KPP growth and spread of a density of cells on a line or a rectangle with closed walls.',
  domain: 'biology',
  method:
    "Strang's splitting: exact logistic growth, compact fourth-order Crank–Nicolson (2-D: alternating directions)",
  operators: ['FISHER_SPEED', 'CELL_GROWTH'],
  unit: 'm',
  unitOf: ({ dim }) => (dim === 1 ? 'm' : 'm2'),
  kernels: ['fft', 'fields', 'heat', 'math'],
  input: tumorInput,
  output: tumorOutput,
  guide: tumorGuide,
  work: workOf,
  refuse: refuseTumor,
  run: courseOf(
    ({ steps }) => steps,
    (input, origin) => {
      const start = startOf(input)
      refuseStill(start)
      return createGrowth(input, start, origin)
    },
    (input, growth) => {
      const evidence = growth.evidence()
      return { output: reportOf(input, growth.density(), evidence), evidence }
    },
  ),
  check: checkTumor,
  value: ({ mass }) => mass,
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
