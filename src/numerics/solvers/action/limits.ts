import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { horizonOf } from '#numerics/methods/ode/horizon.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { ESCAPE, type Problem, problemOf, scheduleOf, startOf, swingOf } from './problem.ts'
import { type ActionInput, PLACE_MAX } from './schema.ts'

/** Periods of a star's longest run: its horizon is sought before. */
const STAR_PERIODS_MAX = 1_000
/** Steps of the longest run. */
const STEPS_MAX = 20_000_000
/** Largest step in units of the fastest rate of the motion. */
const STEP_RATE_MAX = 1
/** Least |k² − 1| of a pendulum: nearer the separatrix its period is what rounding makes it. */
const SEPARATRIX = 1e-6
/** Least angular momentum of an orbit, as a share of √(μr): nearer a fall no step resolves it. */
const MOMENTUM_MIN = 1e-3
/** Least energy of a motion about rest. */
const ENERGY_MIN = 1e-24

/** The state of a body that goes round in a circle from this place, where there is one in doubles. */
const circling = (mu: number, x: number, y: number): { readonly initial?: readonly number[] } => {
  const r = sqrt(x * x + y * y)
  const turn = sqrt(mu / r) / r
  const initial = [x, y, -y * turn, x * turn]
  return r > 0 && turn > 0 && initial.every((it) => Math.abs(it) <= PLACE_MAX) ? { initial } : {}
}

/** A star's state, drawn towards rest until its energy keeps it. */
const kept = ({ start, energy }: Problem): readonly number[] => {
  let state = Array.from(start)
  while (energy(state) >= 0.99 * ESCAPE || !insideTriangle(state)) state = state.map((it) => it / 2)
  return state
}

const refuseKepler = (input: ActionInput): void => {
  const { mu } = input.kepler
  const [x, y, u, v] = startOf(input) as unknown as [number, number, number, number]
  const r = sqrt(x * x + y * y)
  const leaving = sqrt((2 * mu) / r)
  const speed = sqrt(u * u + v * v)
  if (!(r > 0)) throw new Fault('ILL_POSED', 'The body starts in the centre.', { measured: r, limit: 0 })
  if (!(speed < 0.999999 * leaving)) {
    throw new Fault('ILL_POSED', `The speed is ${speed} m/s; from ${leaving} on the body escapes.`, {
      measured: Number.isFinite(speed) ? speed : null,
      limit: Number.isFinite(leaving) ? leaving : null,
      ...circling(mu, x, y),
    })
  }
  const share = Math.abs(x * v - y * u) / sqrt(mu * r)
  if (share >= MOMENTUM_MIN) return
  throw new Fault(
    'ILL_POSED',
    `The body falls into the centre: its angular momentum is ${share} of that of a circle.`,
    {
      measured: share,
      limit: MOMENTUM_MIN,
      ...circling(mu, x, y),
    },
  )
}

const refusePendulum = (input: ActionInput): void => {
  const { above, frequency } = swingOf(input)
  const [theta, , omega] = startOf(input) as unknown as [number, number, number]
  if (Math.abs(above) < SEPARATRIX) {
    throw new Fault('ILL_POSED', `k² − 1 is ${above}: on the separatrix the pendulum takes for ever to its top.`, {
      measured: above,
      limit: SEPARATRIX,
      ...(input.initial === undefined ? { rate: 2.01 * frequency } : { initial: [theta, 2.01 * frequency] }),
    })
  }
  if (omega * omega + frequency * frequency * theta * theta < ENERGY_MIN * frequency * frequency) {
    throw new Fault('ILL_POSED', 'The pendulum hangs at rest.', {
      measured: theta,
      limit: sqrt(ENERGY_MIN),
      ...(input.initial === undefined ? { angle: 0.1 } : { initial: [0.1, 0] }),
    })
  }
}

/** Below 1/6 the level set has one closed part: the triangle y > −1/2, y < 1 − √3|x|. */
const insideTriangle = ([x = 0, y = 0]: ArrayLike<number> & Iterable<number>): boolean =>
  y > -0.5 && y < 1 - sqrt(3) * Math.abs(x)

const refuseHenonHeiles = (problem: Problem): void => {
  const { energyScale, start } = problem
  const [x, y] = start as unknown as [number, number]
  if (energyScale >= ESCAPE || !insideTriangle(start)) {
    throw new Fault(
      'ILL_POSED',
      `The energy is ${energyScale} at (${x}, ${y}): from 1/6 on, or outside the triangle, it escapes.`,
      {
        measured: energyScale,
        limit: ESCAPE,
        initial: kept(problem),
      },
    )
  }
  if (energyScale > ENERGY_MIN) return
  throw new Fault('ILL_POSED', 'The star is at rest.', {
    measured: energyScale,
    limit: ENERGY_MIN,
    initial: [0, 0.1, 0.35, 0.2],
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (a state of another length), ILL_POSED (an escape, a fall, the separatrix, rest),
 * WORK_LIMIT_EXCEEDED (steps), UNSTABLE_STEP (steps per period), each with what would pass.
 */
export const refuseAction = (input: ActionInput): void => {
  const { system, initial, stepsPerPeriod } = input
  const numbers = system === 'pendulum' ? 2 : 4
  if (initial !== undefined && initial.length !== numbers) wrong('/initial', `${system} has ${numbers} numbers.`)
  if (system === 'kepler') refuseKepler(input)
  if (system === 'pendulum') refusePendulum(input)
  const problem = problemOf(input)
  if (system === 'henon-heiles') refuseHenonHeiles(problem)
  if (system === 'henon-heiles' && input.periods > STAR_PERIODS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run has ${input.periods} periods; ${STAR_PERIODS_MAX} are allowed.`, {
      measured: input.periods,
      limit: STAR_PERIODS_MAX,
      periods: STAR_PERIODS_MAX,
    })
  }
  const { steps, dt } = scheduleOf(input, problem)
  if (steps > STEPS_MAX) {
    throw new Fault('WORK_LIMIT_EXCEEDED', `The run takes ${steps} steps; ${STEPS_MAX} are allowed.`, {
      measured: steps,
      limit: STEPS_MAX,
      periods: Math.max(1, Math.floor(STEPS_MAX / stepsPerPeriod)),
    })
  }
  const measured = dt * problem.fastest
  if (measured <= STEP_RATE_MAX) return
  throw new Fault(
    'UNSTABLE_STEP',
    `A step is ${measured} of the fastest turn of the motion; ${STEP_RATE_MAX} is stable.`,
    {
      measured,
      limit: STEP_RATE_MAX,
      stepsPerPeriod: Math.ceil((1.000001 * stepsPerPeriod * measured) / STEP_RATE_MAX),
    },
  )
}

/** Time after which the tangent vector of a star is set back to length 1. */
const STRETCH = 20

/** When a star's course can be predicted no further, or undefined; the other two systems are not chaotic. */
export const horizonOfAction = (input: ActionInput): number | undefined => {
  if (input.system !== 'henon-heiles') return undefined
  const problem = problemOf(input)
  return horizonOf({
    derivative: (_, s, rate) => {
      const [x, y] = [s[0], s[1]]
      rate[0] = s[2]
      rate[1] = s[3]
      rate[2] = -x - 2 * x * y
      rate[3] = y * y - x * x - y
      rate[4] = s[6]
      rate[5] = s[7]
      rate[6] = -(1 + 2 * y) * s[4] - 2 * x * s[5]
      rate[7] = -2 * x * s[4] + (2 * y - 1) * s[5]
    },
    start: problem.start,
    t_max: input.periods * problem.period,
    stretch: STRETCH,
  })
}

/** Whether a run can have a value: one that is refused anyway costs no look at its horizon. */
export const isPredictable = (input: ActionInput): boolean => {
  try {
    refuseAction(input)
  } catch {
    return true
  }
  return horizonOfAction(input) === undefined
}
