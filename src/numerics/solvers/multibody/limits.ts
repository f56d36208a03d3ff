import { Fault } from '#core/fault.ts'
import { PI, sqrt } from '#numerics/math.ts'
import { scheduleOf } from './problem.ts'
import { energiesOf } from './quantities.ts'
import { hasPositions, type MultibodyInput } from './schema.ts'

/** Least |E0| as a share of K0 + |U0|: below it a relative drift says nothing. */
const ENERGY_SHARE_MIN = 1e-6
/** Largest step as a share of the shortest two-body period. */
const STEP_SHARE_MAX = 0.1
/** Steps of the longest run. */
const STEPS_MAX = 5_000_000
/** Numbers of the longest trajectory that is returned. */
const TRAJECTORY_MAX = 300_000

/** The state at time 0, as the solver keeps states. */
export const startOf = ({ bodies }: MultibodyInput): Float64Array => {
  const n = bodies.length
  const record = new Float64Array(6 * n)
  bodies.forEach(({ position, velocity }, i) => {
    record.set(position ?? [0, 0, 0], 3 * i)
    record.set(velocity ?? [0, 0, 0], 3 * (n + i))
  })
  return record
}

const refuseForm = (input: MultibodyInput): void => {
  const placed = input.bodies.filter((it) => it.position !== undefined).length
  const missing = input.bodies.findIndex((it) => it.position === undefined)
  const wanted = placed > 0 || input.referenceMode === 'gravity'
  if (wanted && missing >= 0) {
    const path = `/bodies/${missing}/position`
    throw new Fault('INVALID_INPUT', `${path}: is missing; all bodies have a position or none has.`, { path })
  }
  const stray = input.bodies.findIndex((it) => it.position === undefined && it.velocity !== undefined)
  if (stray >= 0) {
    const path = `/bodies/${stray}/velocity`
    throw new Fault('INVALID_INPUT', `${path}: a velocity needs a position.`, { path })
  }
}

/** Refuses a run whose steps or trajectory are beyond bounds. @param steps of the path that would be taken. */
const refuseLength = (steps: number, dt: number): void => {
  if (steps <= STEPS_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `The run takes ${steps} steps; ${STEPS_MAX} are allowed.`, {
    measured: steps,
    limit: STEPS_MAX,
    dt: (dt * steps) / STEPS_MAX,
  })
}

const refuseTrajectory = ({ bodies, outputs }: MultibodyInput): void => {
  const numbers = (outputs + 1) * bodies.length * 3
  if (numbers <= TRAJECTORY_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `The trajectory has ${numbers} numbers; ${TRAJECTORY_MAX} are allowed.`, {
    measured: numbers,
    limit: TRAJECTORY_MAX,
    outputs: Math.floor(TRAJECTORY_MAX / (3 * bodies.length)) - 1,
  })
}

/** The closest pair's distance and the shortest period 2π·sqrt((r² + ε²)^(3/2)/(G·(m + m′))) of any pair. */
const closest = (input: MultibodyInput): { readonly distance: number; readonly period: number } => {
  const { bodies, G, softening } = input
  const record = startOf(input)
  let distance = Number.POSITIVE_INFINITY
  let period = Number.POSITIVE_INFINITY
  for (let i = 0; i < bodies.length; i++) {
    for (let j = 0; j < i; j++) {
      const [x, y, z] = [0, 1, 2].map((axis) => record[3 * i + axis] - record[3 * j + axis]) as [number, number, number]
      const square = x * x + y * y + z * z
      distance = Math.min(distance, sqrt(square))
      const soft = square + softening * softening
      const attraction = G * ((bodies[i]?.mass ?? 0) + (bodies[j]?.mass ?? 0))
      if (attraction > 0) period = Math.min(period, 2 * PI * sqrt((soft * sqrt(soft)) / attraction))
    }
  }
  return { distance, period }
}

const refuseStep = (input: MultibodyInput): void => {
  const { distance, period } = closest(input)
  if (distance === 0 && input.softening === 0) {
    throw new Fault('ILL_POSED', 'Two bodies are in one place and nothing softens their attraction.', {
      measured: 0,
      limit: Number.MIN_VALUE,
    })
  }
  const { dt } = scheduleOf(input)
  const limit = STEP_SHARE_MAX * period
  if (dt <= limit) return
  const rule = `dt is ${dt} s; it must be at most a tenth of the shortest two-body period, ${limit} s.`
  throw new Fault('UNSTABLE_STEP', rule, { measured: dt, limit, dt: limit })
}

const refuseEnergy = (input: MultibodyInput): void => {
  const { bodies, G, softening } = input
  const masses = bodies.map(({ mass }) => mass)
  if (masses.every((mass) => mass === 0)) throw new Fault('ILL_POSED', 'No body has a mass.', { measured: 0 })
  const { kinetic, potential } = energiesOf(startOf(input), { masses, G, softening })
  const total = kinetic + Math.abs(potential)
  if (!Number.isFinite(total)) {
    throw new Fault('OUT_OF_RANGE', 'The energy at time 0 is beyond what numbers hold.', {
      measured: null,
      limit: Number.MAX_VALUE,
    })
  }
  if (total === 0) throw new Fault('ILL_POSED', 'Nothing moves and nothing attracts.', { measured: 0, limit: 0 })
  const share = Math.abs(kinetic + potential) / total
  if (share > ENERGY_SHARE_MIN) return
  throw new Fault(
    'ILL_POSED',
    `|E0| is ${share} of K0 + |U0|; a relative drift of the energy means nothing below ${ENERGY_SHARE_MIN}.`,
    { measured: share, limit: ENERGY_SHARE_MIN },
  )
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (some bodies without position), WORK_LIMIT_EXCEEDED (steps, trajectory), UNSTABLE_STEP
 * (with the dt that passes), OUT_OF_RANGE (an energy beyond doubles) and ILL_POSED (one place, or an energy so near
 * zero that its drift means nothing).
 */
export const refuseMultibody = (input: MultibodyInput): void => {
  refuseForm(input)
  if (!hasPositions(input)) {
    refuseLength(Math.ceil(input.field.t_max / input.field.dt), input.field.dt)
    return
  }
  refuseLength(scheduleOf(input).steps, input.dt)
  refuseTrajectory(input)
  refuseStep(input)
  refuseEnergy(input)
}
