import { littleEndianBytes } from '#core/arrays.ts'
import { strideOf } from '#core/states.ts'
import { engineOf } from '#numerics/methods/diffusion/engines.ts'
import { gridOf, initialTemperature, startOf, unknownsOf } from '#numerics/methods/diffusion/grid.ts'
import type { DiffusionProblem, Engine } from '#numerics/methods/diffusion/problem.ts'
import { figure } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkHeat } from './check/check.ts'
import { heatGuide } from './guide.ts'
import { isDamped, refuseHeat, refuseScale, rOf } from './limits.ts'
import { reportOf } from './run/report.ts'
import { type HeatInput, type HeatOutput, heatInput, heatOutput } from './schema.ts'

const problemOf = (input: HeatInput, start: Float64Array): DiffusionProblem => {
  const { rows, columns } = unknownsOf(input)
  const { along, across } = rOf(input)
  return {
    rows,
    columns,
    rAlong: along,
    rAcross: across,
    boundary: input.boundary.kind,
    scheme: input.scheme,
    damped: isDamped(input, start),
  }
}

/** The engine follows from the start, wherever the run is taken up. */
const begin = (input: HeatInput, origin: RunOrigin): Engine => {
  const temperature = initialTemperature(input)
  refuseScale(input, temperature)
  const start = startOf(input, temperature)
  const problem = problemOf(input, start)
  const journal = journalOf(origin)
  if (journal.held === undefined) return engineOf(problem, start)
  const field = journal.held.doubles(start.length)
  journal.taken()
  return engineOf(problem, field)
}

/** Floating-point operations of a step and of one state digest (its bytes hashed), each per node. */
const STEP_OPERATIONS = 18
const DIGEST_OPERATIONS = 24

const workOf = (input: HeatInput): number => {
  const { rows, columns } = gridOf(input)
  const digests = Math.ceil(input.steps / strideOf(input.steps))
  return (rows * columns * (STEP_OPERATIONS * input.steps + DIGEST_OPERATIONS * digests)) / 1e6
}

/** The field as the equations take it: on a ring without the repeated nodes. */
const fieldOf = (input: HeatInput, output: HeatOutput): Field => {
  const { rows, columns, dx, dy } = gridOf(input)
  const { kind } = input.boundary
  const ring = kind === 'periodic' ? 1 : 0
  const line = input.dim === 1
  const [height, width] = [line ? 1 : rows - ring, columns - ring]
  const values = new Float64Array(height * width)
  for (let at = 0; at < values.length; at++) {
    const column = at % width
    values[at] = output.field[((at - column) / width) * columns + column]
  }
  return {
    values,
    shape: line ? [width] : [height, width],
    spacing: line ? [dx] : [dy, dx],
    boundary: kind,
    name: 'temperature',
    unit: 'K',
    dissipative: true,
  }
}

/** The field as a map, or as a curve on a line. */
const plotsOf = (input: HeatInput, { field }: HeatOutput): readonly Plot[] => {
  const { rows, columns, dx } = gridOf(input)
  const x = { name: 'x', unit: 'm' }
  const title = `Temperature after ${figure(input.dt * input.steps)} s`
  if (input.dim === 1) {
    const places = Float64Array.from({ length: columns }, (_, i) => i * dx)
    const curve = { name: 'T', x: places, y: field }
    return [{ kind: 'curves', title, x, y: { name: 'temperature', unit: 'K' }, curves: [curve] }]
  }
  const map = { name: 'temperature', unit: 'K', values: field, rows, columns }
  const places = { x: { ...x, low: 0, high: input.lx }, y: { name: 'y', unit: 'm', low: 0, high: input.ly } }
  return [{ kind: 'map', title, ...map, ...places }]
}

/** The same plate from the field that it ended with. */
const continuedOf = (input: HeatInput, { field }: HeatOutput): HeatInput => ({
  ...input,
  initial: { ...input.initial, kind: 'values', values: field },
})

/** Diffusion on a rectangle or a line. */
export const heat = solver<typeof heatInput, typeof heatOutput, null, Engine>({
  name: 'heat',
  revision: 3,
  title: 'Heat diffusion',
  summary: 'Diffusion on a rectangle, or on a line with dim 1, by an implicit or explicit finite-difference scheme.',
  domain: 'thermodynamics',
  method: 'Peaceman–Rachford ADI (Crank–Nicolson on a line) with a damped start for rough data; or FTCS, r <= 0.5',
  operators: ['TH15'],
  unit: 'K',
  kernels: ['diffuse', 'fft', 'fields', 'heat', 'math', 'ring'],
  input: heatInput,
  output: heatOutput,
  guide: heatGuide,
  work: workOf,
  refuse: refuseHeat,
  run: {
    kind: 'steps',
    steps: ({ steps }) => steps,
    init: (input) => begin(input, {}),
    resume: (input, stopped) => begin(input, { stopped }),
    advance: ({ steps }, engine, from, to, progress) => {
      engine.advance(from, to, (step) => progress({ step, steps }))
      return engine
    },
    bytes: (engine) => littleEndianBytes(engine.field),
    finish: (input, engine) => ({ output: reportOf(input, engine.field), evidence: null }),
  },
  check: (input, { output }) => checkHeat(input, output),
  value: ({ l2Norm }) => l2Norm,
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
