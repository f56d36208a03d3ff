import { littleEndianBytes } from '#core/arrays.ts'
import { strideOf } from '#core/states.ts'
import { type Field, solver } from '#numerics/runtime/solver.ts'
import { checkCavity } from './check/cavity.ts'
import { checkMarch } from './check/vortex.ts'
import { flowGuide } from './guide.ts'
import { refuseFlow } from './limits.ts'
import { plotsOf } from './plots.ts'
import { nestedSteps, problemOf } from './problem.ts'
import { advanceMarch, type March, marchState, startMarch } from './run/march.ts'
import { advanceNested, type Nested, nestedState, startNested } from './run/nested.ts'
import { cavityReport, marchReport } from './run/report.ts'
import { type FlowEvidence, type FlowInput, type FlowOutput, flowInput, flowOutput } from './schema.ts'

/**
 * Floating-point operations of a step and of one state digest, each per cell; a cavity's step is one of its own kind.
 */
const STEP_OPERATIONS = 700
const CAVITY_OPERATIONS = 500
const DIGEST_OPERATIONS = 50

const workOf = (input: FlowInput): number => {
  const { kind, nx, ny, steps } = problemOf(input)
  const cells = nx * ny
  // Two rounds of steps on a sixteenth of the cells, one on a quarter, one on all.
  if (kind === 'cavity') return (cells * steps * (1 + 1 / 4 + 2 / 16) * CAVITY_OPERATIONS) / 1e6
  return (cells * (STEP_OPERATIONS * steps + DIGEST_OPERATIONS * Math.ceil(steps / strideOf(steps)))) / 1e6
}

/** The velocity along x, as the equations of a field take it. */
const fieldOf = (input: FlowInput, { u }: FlowOutput): Field => {
  const { nx, ny, dx, dy, kind } = problemOf(input)
  return {
    values: Float64Array.from(u),
    shape: [ny, nx],
    spacing: [dy, dx],
    boundary: kind === 'taylor-green' ? 'periodic' : 'fixed',
    name: 'velocity along x',
    unit: 'm/s',
    dissipative: true,
  }
}

/** The same flow from where it ended. A cavity's is steady: it goes on as it is. */
const continuedOf = (input: FlowInput, { u, v }: FlowOutput): FlowInput =>
  input.case === 'cavity' ? input : { ...input, start: { u, v } }

/** Incompressible flow in a plane. */
export const flow = solver<typeof flowInput, typeof flowOutput, FlowEvidence | null, March | Nested>({
  name: 'flow',
  revision: 2,
  title: 'Incompressible flow',
  summary: 'Vortices carried by a stream, a lid-driven cavity or a channel set in motion, by pressure projection.',
  domain: 'fluid-dynamics',
  method:
    'staggered cells, pressure by FFT and elimination, Runge–Kutta of order 4; cavity: implicit steps, three grids',
  operators: ['FL4', 'FL10'],
  unit: 'm/s',
  kernels: ['fft', 'flow', 'math'],
  input: flowInput,
  output: flowOutput,
  guide: flowGuide,
  work: workOf,
  refuse: refuseFlow,
  run: {
    kind: 'steps',
    steps: (input) => {
      const { kind, steps } = problemOf(input)
      return kind === 'cavity' ? nestedSteps(steps) : steps
    },
    init: (input) => (input.case === 'cavity' ? startNested(input) : startMarch(input)),
    resume: (input, stopped) => (input.case === 'cavity' ? startNested : startMarch)(input, { stopped }),
    advance: (input, state, from, to, progress) => {
      const { steps } = problemOf(input)
      if (state.kind === 'cavity') {
        const each = (step: number, residual: number): void => progress({ step, steps: nestedSteps(steps), residual })
        return advanceNested(input, state, { from, to, each })
      }
      advanceMarch(input, state, { from, to, each: (step) => progress({ step, steps }) })
      return state
    },
    bytes: (state) => littleEndianBytes(state.kind === 'cavity' ? nestedState(state) : marchState(state)),
    finish: (input, state) => (state.kind === 'cavity' ? cavityReport(input, state) : marchReport(input, state)),
  },
  check: (input, { output, evidence }) =>
    input.case === 'cavity' ? checkCavity(input, output, evidence) : checkMarch(input, output),
  value: ({ vortexSpeed, bulkSpeed, uMin }) => vortexSpeed ?? bulkSpeed ?? uMin ?? null,
  field: (input, { output }) => fieldOf(input, output),
  plots: plotsOf,
  continued: continuedOf,
})
