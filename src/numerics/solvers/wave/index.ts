import { strideOf } from '#core/states.ts'
import { gridOf, unknownsOf } from '#numerics/methods/diffusion/grid.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { type Outcome, solver } from '#numerics/runtime/solver.ts'
import { checkWave } from './check/check.ts'
import { waveGuide } from './guide.ts'
import { refuseSizes, refuseWave } from './limits.ts'
import { fieldOf, plotsOf } from './plots.ts'
import { isLine, LIGHT, nodesOf, scheduleOf, startOf } from './problem.ts'
import { createMembrane, type Membrane } from './run/membrane.ts'
import { lightReport, membraneReport } from './run/report.ts'
import { createYee, type Yee } from './run/yee.ts'
import { type WaveInput, type WaveOutput, waveInput, waveOutput } from './schema.ts'

/** The main field one and two steps before the answer's: what the wave equation's □ needs. */
interface WaveEvidence {
  readonly before: Float64Array
  readonly earlier: Float64Array
}

type State = { readonly kind: 'membrane'; readonly it: Membrane } | { readonly kind: 'maxwell'; readonly it: Yee }

/** Floating-point operations of a step and of one state digest (its bytes hashed), each per node. */
const STEP_OPERATIONS = 22
const DIGEST_OPERATIONS = 48

const workOf = (input: WaveInput): number => {
  const { rows, columns } = gridOf(nodesOf(input))
  const { steps } = scheduleOf(input)
  return (rows * columns * (STEP_OPERATIONS * steps + DIGEST_OPERATIONS * Math.ceil(steps / strideOf(steps)))) / 1e6
}

const begin = (input: WaveInput, origin: RunOrigin): State => {
  const start = startOf(input)
  refuseSizes(input, start)
  if (input.mode === 'maxwell') {
    const flux = Float64Array.from(input.initial.flux ?? new Float64Array(input.nx), (b) => b * LIGHT)
    return { kind: 'maxwell', it: createYee(input, { electric: start, flux }, origin) }
  }
  const grid = nodesOf(input)
  const { rows, columns, firstRow, firstColumn } = unknownsOf(grid)
  const { dx, dy, ...all } = gridOf(grid)
  const { dt } = scheduleOf(input)
  const ratio = (spacing: number): number => ((input.c * dt) / spacing) * ((input.c * dt) / spacing)
  const { boundary, order } = input
  const across = isLine(input) ? 0 : ratio(dy)
  const plan = { rows, columns, along: ratio(dx), across, boundary, order, dt }
  const given = input.initial.velocities
  const velocity = given?.some((v) => v !== 0) ? Float64Array.from(given) : undefined
  const journal = journalOf(origin)
  const { held } = journal
  const from = held === undefined ? { displacement: start, velocity } : { held }
  const it = createMembrane(plan, { ...all, firstRow, firstColumn }, from)
  if (held !== undefined) journal.taken()
  return { kind: 'membrane', it }
}

const end = (input: WaveInput, state: State): Outcome<WaveOutput, WaveEvidence> => {
  if (state.kind === 'maxwell') {
    const { levels, flux } = state.it.end()
    const [now, before, earlier] = levels as readonly [Float64Array, Float64Array, Float64Array]
    const tesla = flux.map((b) => b / LIGHT)
    return { output: lightReport(input, now, tesla), evidence: { before, earlier } }
  }
  const { now, velocity, before, earlier } = state.it.end()
  return { output: membraneReport(input, now, velocity), evidence: { before, earlier } }
}

/** The same problem from the fields that it ended with. */
const continuedOf = (input: WaveInput, { displacement, velocity, electric, magnetic }: WaveOutput): WaveInput => {
  const { values: _, velocities: __, flux: ___, ...rest } = input.initial
  const initial =
    electric !== undefined && magnetic !== undefined
      ? { ...rest, kind: 'values' as const, values: electric, flux: magnetic }
      : { ...rest, kind: 'values' as const, values: displacement ?? [], velocities: velocity ?? [] }
  return { ...input, initial }
}

/** The wave equation on a rectangle or a line, and Maxwell's equations on a line. */
export const wave = solver<typeof waveInput, typeof waveOutput, WaveEvidence, State>({
  name: 'wave',
  revision: 2,
  title: 'Waves',
  summary:
    'The wave equation on a membrane or a line by leapfrog; with mode maxwell, light in layers on a line (FDTD).',
  domain: 'acoustics',
  method: "leapfrog, by default with the modified equation's fourth order (C <= 1); maxwell: Yee's FDTD",
  operators: ['AC7'],
  unit: 'm',
  unitOf: ({ mode }) => (mode === 'maxwell' ? 'V/m' : 'm'),
  operatorsOf: ({ mode }) => (mode === 'maxwell' ? ['EM15'] : ['AC7']),
  kernels: ['fft', 'fields', 'math', 'swing', 'wave'],
  input: waveInput,
  output: waveOutput,
  guide: waveGuide,
  work: workOf,
  refuse: refuseWave,
  run: {
    kind: 'steps',
    steps: (input) => scheduleOf(input).steps,
    init: (input) => begin(input, {}),
    resume: (input, stopped) => begin(input, { stopped }),
    advance: (input, state, from, to, progress) => {
      const { steps } = scheduleOf(input)
      state.it.advance(from, to, (step) => progress({ step, steps }))
      return state
    },
    bytes: (state) => state.it.bytes(),
    finish: end,
  },
  check: (input, { output }) => checkWave(input, output),
  value: ({ rms }) => rms,
  field: (input, { output, evidence }) =>
    fieldOf(
      input,
      {
        values: Float64Array.from(output.displacement ?? output.electric ?? []),
        previous: [evidence.before, evidence.earlier],
        magnetic: output.magnetic,
      },
      output.dt,
    ),
  plots: plotsOf,
  continued: continuedOf,
})
