import { stageWeights } from '#numerics/methods/stage-weights.ts'
import type { RunOrigin } from '#numerics/runtime/origin.ts'
import { solver } from '#numerics/runtime/solver.ts'
import { checkMultibody } from './check/check.ts'
import { multibodyGuide } from './guide.ts'
import { refuseMultibody } from './limits.ts'
import { continuedOf, plotsOf } from './plots.ts'
import { scheduleOf } from './problem.ts'
import { createFieldPath, type FieldPath } from './run/field-path.ts'
import { createMotion, type Motion } from './run/motion.ts'
import { reportOf } from './run/report.ts'
import { hasPositions, type MultibodyEvidence, type MultibodyInput, multibodyInput, multibodyOutput } from './schema.ts'

/** One of the two paths, on its way. */
type State =
  | { readonly kind: 'gravity'; readonly motion: Motion }
  | { readonly kind: 'master'; readonly path: FieldPath }

const begin = (input: MultibodyInput, origin: RunOrigin): State =>
  hasPositions(input)
    ? { kind: 'gravity', motion: createMotion(input, origin) }
    : { kind: 'master', path: createFieldPath(input, origin) }

const stepsOf = (input: MultibodyInput): number =>
  hasPositions(input) ? scheduleOf(input).steps : Math.max(1, Math.ceil(input.field.t_max / input.field.dt))

/** Floating-point operations of a pair (a root and a division count as several) and of a body, per stage. */
const PAIR_OPERATIONS = 36
const BODY_OPERATIONS = 24

const workOf = (input: MultibodyInput): number => {
  const n = input.bodies.length
  const stages = hasPositions(input) ? stageWeights(input.order).length : 4
  return (stepsOf(input) * stages * ((PAIR_OPERATIONS * n * (n - 1)) / 2 + BODY_OPERATIONS * n)) / 1e6
}

/** Gravity between bodies; without positions, the master equation of their fields. */
export const multibody = solver<typeof multibodyInput, typeof multibodyOutput, MultibodyEvidence | null, State>({
  name: 'multibody',
  keyless: true,
  revision: 3,
  title: 'Many bodies under gravity',
  summary:
    'Bodies under Newtonian gravity by a symplectic integrator; without positions, the master equation, unsealed.',
  domain: 'newtonian',
  method: 'velocity-Verlet, or its symmetric compositions of order 4 and 6 (Yoshida), in kick-drift-kick form',
  operators: ['NM21'],
  unit: 'm',
  kernels: ['math', 'multibody'],
  input: multibodyInput,
  output: multibodyOutput,
  guide: multibodyGuide,
  work: workOf,
  refuse: refuseMultibody,
  sealable: hasPositions,
  run: {
    kind: 'steps',
    steps: stepsOf,
    init: (input, onRecord) => begin(input, { onRecord }),
    resume: (input, stopped, onRecord) => begin(input, { stopped, onRecord }),
    advance: (input, state, from, to, progress) => {
      const steps = stepsOf(input)
      const moving = state.kind === 'gravity' ? state.motion : state.path
      moving.advance(from, to, (step) => progress({ step, steps }))
      return state
    },
    bytes: (state) => (state.kind === 'gravity' ? state.motion.bytes() : state.path.bytes()),
    finish: (input, state) =>
      state.kind === 'gravity'
        ? reportOf(input, state.motion)
        : {
            output: state.path.output(),
            evidence: null,
            unsealed:
              'Without positions the master equation runs: it is dissipative, so no conserved quantity can be checked.',
          },
  },
  check: (input, outcome) => checkMultibody(input, outcome, stageWeights(input.order).length),
  value: ({ size }) => size,
  plots: plotsOf,
  continued: continuedOf,
})
