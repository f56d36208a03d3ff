import { strideOf } from '#core/states.ts'
import { sqrt } from '#numerics/math.ts'
import { figure } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import type { RunOrigin } from '#numerics/runtime/origin.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkClimate } from './check/check.ts'
import { rateAbout } from './estimate.ts'
import { climateGuide } from './guide.ts'
import { beginningOf, CELLS_MAX, refuseClimate } from './limits.ts'
import { bottomOf, isDry, type Schedule, scheduleAt } from './problem.ts'
import { createDryFlow } from './run/dry.ts'
import { createFlow, type Flow } from './run/flow.ts'
import { reportOf } from './run/report.ts'
import { type ClimateEvidence, type ClimateInput, type ClimateOutput, climateInput, climateOutput } from './schema.ts'

/** Floating-point operations of a step and of one state digest (its bytes hashed), each per cell. */
const STEP_OPERATIONS = 420
const DIGEST_OPERATIONS = 72

/** Operations per cell of the water at time 0, by Gauss's rule, and of the check. */
const START_OPERATIONS = 5_000

/** Steps beyond which more make no difference: no limit allows them, and their work is to be a number. */
const STEPS_COUNTED_MAX = 1e15

const workOf = (input: ClimateInput): number => {
  // Over a dry bed one row is worked out for all.
  const cells = input.nx * (isDry(input) ? 1 : input.ny)
  const found = input.nx * input.ny > CELLS_MAX ? 1 : scheduleAt(input, rateAbout(input)).steps
  // Too many cells, water that is not there and arrays of a wrong length are refused; their steps mean nothing.
  const steps = Number.isFinite(found) ? Math.min(found, STEPS_COUNTED_MAX) : 1
  const digests = Math.ceil(steps / strideOf(steps))
  return (cells * (STEP_OPERATIONS * steps + DIGEST_OPERATIONS * digests + START_OPERATIONS)) / 1e6
}

/** The surface above its mean. */
const surfaceOf = (input: ClimateInput, depth: ArrayLike<number>): Float64Array => {
  const surface = bottomOf(input).map((b, i) => b + depth[i])
  const mean = surface.reduce((sum, it) => sum + it, 0) / surface.length
  return surface.map((it) => it - mean)
}

const fieldOf = (input: ClimateInput, { depth, dx, dy }: ClimateOutput): Field => ({
  values: input.mode === 'rest' ? Float64Array.from(depth) : surfaceOf(input, depth),
  shape: [input.ny, input.nx],
  spacing: [dy, dx],
  boundary: 'periodic',
  name: input.mode === 'rest' ? 'depth' : 'surface',
  unit: 'm',
  dissipative: false,
})

/** The surface, and the speed along the middle row: the profile of the jet. */
const plotsOf = (input: ClimateInput, output: ClimateOutput): readonly Plot[] => {
  const { nx, ny, lx, ly } = input
  const { dx, dy, depth, fluxX, fluxY } = output
  const x = { name: 'x', unit: 'm' }
  const resting = input.mode === 'rest'
  const middle = Math.floor(ny / 2) * nx
  const places = Float64Array.from({ length: nx }, (_, i) => (i + 0.5) * dx)
  const along = (flux: ArrayLike<number>): Float64Array =>
    Float64Array.from({ length: nx }, (_, i) => (depth[middle + i] === 0 ? 0 : flux[middle + i] / depth[middle + i]))
  const [u, v] = [along(fluxX), along(fluxY)]
  const speed = u.map((it, i) => sqrt(it * it + v[i] * v[i]))
  return [
    {
      kind: 'map',
      title: `${resting ? 'Depth' : 'Surface above its mean'} after ${figure(output.time)} s`,
      name: resting ? 'depth' : 'surface',
      unit: 'm',
      values: resting ? depth : surfaceOf(input, depth),
      rows: ny,
      columns: nx,
      x: { ...x, low: dx / 2, high: lx - dx / 2 },
      y: { name: 'y', unit: 'm', low: dy / 2, high: ly - dy / 2 },
      palette: resting ? 'sequential' : 'diverging',
    },
    {
      kind: 'curves',
      title: 'Velocity along the middle row',
      x,
      y: { name: 'velocity', unit: 'm/s' },
      curves: [
        { name: 'u', x: places, y: u },
        { name: 'v', x: places, y: v },
        { name: 'speed', x: places, y: speed, style: 'dashes' },
      ],
    },
  ]
}

/** The same basin from the water that it ended with; water at rest goes on as it began. */
const continuedOf = (input: ClimateInput, { depth, fluxX, fluxY, time }: ClimateOutput): ClimateInput => {
  if (input.mode === 'rest') return input
  const bottom = { ...input.bottom, values: bottomOf(input) as unknown as readonly number[] }
  const coriolis = input.mode === 'dam-break' ? 0 : input.coriolis
  return {
    ...input,
    mode: 'general',
    t_max: time,
    coriolis,
    bottom,
    initial: { ...input.initial, depth, fluxX, fluxY },
  }
}

/** A run on its way, with the schedule that its start gave. */
interface State {
  readonly flow: Flow
  readonly schedule: Schedule
}

const begin = (input: ClimateInput, origin: RunOrigin): State => {
  const beginning = beginningOf(input)
  const flow = (isDry(input) ? createDryFlow : createFlow)(input, beginning, origin)
  return { flow, schedule: beginning.schedule }
}

/** Shallow water on a rotating, doubly periodic plane. */
export const climate = solver<typeof climateInput, typeof climateOutput, ClimateEvidence, State>({
  name: 'climate',
  revision: 3,
  title: 'Shallow water',
  summary: 'Shallow water with rotation and a bottom on a doubly periodic plane: jets, waves, lakes, a dam break.',
  domain: 'oceanography',
  method: 'well-balanced finite volumes with fifth-order upwind-biased faces, SSP-RK3; CFL <= 0.9',
  operators: ['OC1', 'OC9'],
  unit: 'm',
  kernels: ['fft', 'fields', 'math', 'reflow', 'shallow'],
  input: climateInput,
  output: climateOutput,
  guide: climateGuide,
  work: workOf,
  refuse: refuseClimate,
  run: {
    kind: 'steps',
    // The water is made here and not in `refuse`: it takes a thread's time, of which a node's main one has none.
    steps: (input) => beginningOf(input).schedule.steps,
    init: (input, onRecord) => begin(input, { onRecord }),
    resume: (input, stopped, onRecord) => begin(input, { stopped, onRecord }),
    advance: (_, state, from, to, progress) => {
      const { steps } = state.schedule
      state.flow.advance(from, to, (step) => progress({ step, steps }))
      return state
    },
    bytes: ({ flow }) => flow.bytes(),
    finish: (input, { flow, schedule }) => ({
      output: reportOf(input, schedule, flow.water()),
      evidence: flow.evidence(),
    }),
  },
  check: checkClimate,
  value: ({ anomaly }) => anomaly,
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
