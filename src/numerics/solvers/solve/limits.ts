import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { densities, places } from './places.ts'
import { type Motion, motionOf, orbitOf, rateOf, stagesOf, startOf } from './problem.ts'
import { DT_MIN, type SolveInput, solveInput } from './schema.ts'

type Member = keyof SolveInput

const MOVING: readonly Member[] = ['mass', 'position', 'velocity', 'v0', 't_max', 'dt', 'prompt', 'object', 'medium']
/** The members that each mode reads; another one with a value of its own is refused, never dropped. */
const reads: Readonly<Record<SolveInput['referenceMode'], readonly Member[]>> = {
  'free-fall': [...MOVING, 'location', 'height'],
  shm: [...MOVING, 'displacement', 'omega', 'stiffness'],
  gravity: [...MOVING, 'location', 'height'],
  model: [...MOVING, 'location', 'height', 'dragArea', 'density', 'volume'],
  algebraic: ['relation', 'prompt', 'object'],
}

/** Steps of a run, integrator steps of a run, and drag times that an oblique path with drag may take. */
const STEPS_MAX = 2_000_000
const SUBSTEPS_MAX = 400_000_000
const DRAG_TIMES_MAX = 200
/** Largest rate·dt: what velocity-Verlet takes without sub-steps. */
const STABLE_MAX = 2
/** Share of the size of the places below which a displacement is lost in their rounding. */
const SIGNAL_MIN = 1e-9

const isDefault = (input: SolveInput, member: Member): boolean => {
  const initial = (solveInput.properties[member] as { readonly default?: unknown }).default
  return input[member] === undefined || input[member] === initial
}

const refuseForm = (input: SolveInput): void => {
  const { referenceMode: mode } = input
  const members = Object.keys(solveInput.properties) as Member[]
  const stray = members.find((it) => it !== 'referenceMode' && !reads[mode].includes(it) && !isDefault(input, it))
  if (stray !== undefined) wrong(`/${stray}`, `is not read by ${mode}; leave it out or choose another referenceMode.`)
  if (mode !== 'model' && mode !== 'algebraic' && input.medium !== 'vacuum') {
    wrong('/medium', `${mode} is in vacuum; use referenceMode model with a dragArea.`)
  }
  const twice = input.position === null ? undefined : mode === 'shm' ? 'displacement' : 'height'
  if (twice !== undefined && !isDefault(input, twice)) wrong(`/${twice}`, 'a position is given too; give one of them.')
  if (input.velocity !== null && input.v0 !== 0) wrong('/v0', 'a velocity is given too; give one of them.')
  if (input.omega !== null && input.stiffness !== null) wrong('/stiffness', 'omega is given too; give one of them.')
  if (mode === 'algebraic' && input.relation === null) wrong('/relation', 'is missing; algebraic solves it.')
  const density = input.density ?? densities[input.medium]
  if (density === 0 && input.dragArea > 0) wrong('/dragArea', 'nothing drags in vacuum; name a medium or a density.')
  if (density === 0 && input.volume > 0) wrong('/volume', 'nothing is displaced in vacuum; name a medium or a density.')
}

const refuseOrbit = (input: SolveInput, start: Float64Array): void => {
  const { mu, radius } = places[input.location]
  const { r, radial, periapsis, closed } = orbitOf(start, mu)
  if (!(r >= radius)) {
    throw new Fault('OUT_OF_RANGE', `It starts ${r} m from the centre, inside the body.`, {
      measured: r,
      minimum: radius,
    })
  }
  if (periapsis >= radius || (!closed && radial >= 0)) return
  const speed = sqrt(mu / r)
  const resting = input.velocity === null && input.v0 === 0
  throw new Fault(
    'ILL_POSED',
    `A collision: the nearest point of its path, ${periapsis} m from the centre, is inside the body of ${radius} m. ` +
      `${resting ? '/v0 is missing: ' : ''}${speed} m/s across the radius makes a circle here.`,
    {
      measured: periapsis,
      limit: radius,
      passes: speed,
      ...(resting ? { path: '/v0', suggestion: { v0: speed } } : {}),
    },
  )
}

const refuseStep = (input: SolveInput, rate: number): void => {
  const measured = rate * input.dt
  if (measured < STABLE_MAX) return
  const dt = (0.5 * STABLE_MAX) / rate
  const none = dt < DT_MIN ? ` No dt of ${DT_MIN} s or more is.` : ''
  throw new Fault('UNSTABLE_STEP', `rate·dt is ${measured}; it must be below ${STABLE_MAX}.${none}`, {
    measured,
    limit: STABLE_MAX,
    ...(dt < DT_MIN ? {} : { dt }),
  })
}

const refuseLength = (input: SolveInput, motion: Motion): void => {
  const { steps, substeps } = motion
  const all = steps * substeps
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run takes ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      dt: input.t_max / STEPS_MAX,
    })
  }
  if (all > SUBSTEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run takes ${all} integrator steps; ${SUBSTEPS_MAX} are allowed.`, {
      measured: all,
      limit: SUBSTEPS_MAX,
      t_max: (input.t_max * SUBSTEPS_MAX) / all,
    })
  }
}

const lengthOf = (of: Float64Array): number => sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2])

/** Refuses what moves so little that no error could be told from rounding. */
const refuseSignal = (input: SolveInput, { law, start, fall, mu, omega2, dt, steps }: Motion): void => {
  const r = lengthOf(start)
  const speed = lengthOf(start.subarray(3))
  const time = dt * steps
  const pull = law === 'centre' ? mu / (r * r) : law === 'spring' ? omega2 * r : Math.abs(fall)
  const way = law === 'spring' ? r + speed / sqrt(omega2) : speed * time + 0.5 * pull * time * time
  if (way > SIGNAL_MIN * r) return
  const why = way === 0 ? 'Nothing moves: it is at rest and no force acts.' : `It moves ${way} m, lost at ${r} m.`
  const long = speed > 0 ? (SIGNAL_MIN * r) / speed : sqrt((2 * SIGNAL_MIN * r) / pull)
  throw new Fault('ILL_POSED', why, {
    measured: way,
    limit: SIGNAL_MIN * r,
    ...(Number.isFinite(long) && long > 0 ? { t_max: 2 * Math.max(long, input.t_max) } : {}),
  })
}

const refuseDrag = ({ law, start, fall, drag, dt, steps }: Motion): void => {
  if (law !== 'drag' || fall === 0 || (start[3] === 0 && start[4] === 0)) return
  const rate = sqrt(Math.abs(fall) * drag)
  const measured = rate * dt * steps
  if (measured <= DRAG_TIMES_MAX) return
  throw new Fault('OUT_OF_RANGE', `An oblique path with drag is followed for ${DRAG_TIMES_MAX} drag times.`, {
    measured,
    limit: DRAG_TIMES_MAX,
    t_max: DRAG_TIMES_MAX / rate,
  })
}

/**
 * Refuses, before any work, a motion that is not stated, cannot be stepped or checked, or is longer than the bounds.
 *
 * @throws Fault INVALID_INPUT, OUT_OF_RANGE, ILL_POSED, UNSTABLE_STEP, WORK_LIMIT_EXCEEDED with the measured number,
 *   the limit, and a value that would pass.
 */
export const refuseMotion = (input: SolveInput): void => {
  refuseForm(input)
  if (input.referenceMode === 'algebraic') return
  if (input.referenceMode === 'gravity') refuseOrbit(input, startOf(input))
  const motion = motionOf(input)
  refuseSignal(input, motion)
  refuseStep(input, rateOf(motion, motion.start))
  refuseDrag(motion)
  refuseLength(input, motion)
}

/** Work in units of 1e6 operations: force evaluations, and the digests of the states. */
export const workOfMotion = (motion: Motion, digests: number): number =>
  (motion.steps * (motion.substeps * stagesOf(motion) * 24 + 20) + digests * 4_000) / 1e6
