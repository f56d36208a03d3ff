import { Fault } from '#core/fault.ts'
import { strideOf } from '#core/states.ts'
import type { RunOrigin } from '#numerics/runtime/origin.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkFracture } from './check/check.ts'
import { fractureGuide } from './guide.ts'
import { refuseFracture, workOfFracture } from './limits.ts'
import { plotsOf } from './plots.ts'
import { scheduleOf } from './problem.ts'
import { type Bar, createBar } from './run/bar.ts'
import { createPlate, type Plate } from './run/plate.ts'
import { barReport, plateReport } from './run/report.ts'
import { type FractureInput, type FractureOutput, fractureInput, fractureOutput } from './schema.ts'

type State = { readonly kind: 'plate'; readonly it: Plate } | { readonly kind: 'bar'; readonly it: Bar }

const stepsOf = (input: FractureInput): number =>
  input.mode === 'bar' ? input.bar.increments : scheduleOf(input).steps

const begin = (input: FractureInput, origin: RunOrigin): State =>
  input.mode === 'bar'
    ? { kind: 'bar', it: createBar(input, origin) }
    : { kind: 'plate', it: createPlate(input, origin) }

/** The same plate from the state that it ended with. */
const continuedOf = (input: FractureInput, { ux, uy, vx, vy, bonds }: FractureOutput): FractureInput => {
  if (ux === undefined || uy === undefined || vx === undefined || vy === undefined || bonds === undefined) {
    throw new Fault(
      'ILL_POSED',
      'A bar is led by its opening from the start to the end: there is nothing to go on from.',
    )
  }
  return { ...input, start: { ux, uy, vx, vy, bonds } }
}

/** Displacements of a plate across its crack, as the equations take them; a bar has no field. */
const fieldOf = (input: FractureInput, { uy }: FractureOutput): Field | undefined => {
  if (uy === undefined) return undefined
  const dx = input.width / input.nx
  return {
    values: Float64Array.from(uy),
    shape: [input.ny, input.nx],
    spacing: [dx, dx],
    boundary: 'insulated',
    name: 'displacement',
    unit: 'm',
    dissipative: true,
  }
}

/** Cracks in a peridynamic plate, or a bar with a cohesive section. */
export const fracture = solver<typeof fractureInput, typeof fractureOutput, null, State>({
  name: 'fracture',
  revision: 2,
  title: 'Fracture',
  summary: 'A crack in a bond-based peridynamic plate between grips; with mode bar, a bar with a softening section.',
  domain: 'structural-mechanics',
  method: 'Bond-based peridynamics on a square lattice, velocity Verlet, bonds break at the stretch that Gc gives',
  operators: ['FRACTURE_STRETCH'],
  unit: 'J',
  kernels: ['fft', 'fracture', 'math', 'rupture'],
  input: fractureInput,
  output: fractureOutput,
  guide: fractureGuide,
  work: (input) => workOfFracture(input, (steps) => Math.ceil(steps / strideOf(steps))),
  refuse: refuseFracture,
  run: {
    kind: 'steps',
    steps: stepsOf,
    init: (input, onRecord) => begin(input, { onRecord }),
    resume: (input, stopped, onRecord) => begin(input, { stopped, onRecord }),
    advance: (input, state, from, to, progress) => {
      const steps = stepsOf(input)
      state.it.advance(from, to, (step) => progress({ step, steps }))
      return state
    },
    bytes: (state) => state.it.bytes(),
    finish: (input, state) =>
      state.kind === 'bar'
        ? { output: barReport(input, state.it), evidence: null }
        : { output: plateReport(input, state.it), evidence: null },
  },
  check: checkFracture,
  value: ({ dissipated }) => dissipated,
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
