import { pow, sqrt, TAU } from '#numerics/math.ts'
import { densities, places } from './places.ts'
import type { SolveInput } from './schema.ts'

/** The law of a motion, and how it is stepped. Accelerations in m/s². */
export interface Motion {
  readonly law: 'fall' | 'spring' | 'centre' | 'drag'
  /** Places, then velocities. */
  readonly start: Float64Array
  /** Downward acceleration at rest: negative where buoyancy lifts. */
  readonly fall: number
  /** ω² of a spring in 1/s². */
  readonly omega2: number
  /** G·M of a centre. */
  readonly mu: number
  /** Deceleration by drag over v², in 1/m. */
  readonly drag: number
  readonly steps: number
  /** Seconds of one step. */
  readonly dt: number
  readonly substeps: number
  /** Every how many steps a row is kept. */
  readonly every: number
}

/** Rows returned at most, beside the first. */
const ROWS_MAX = 1_000
/** A quotient that rounding put a little above a whole number counts as that number. */
const STEP_SLACK = 1e-9
/** Relative phase error that the sub-steps aim at: a hundred thousandth of the gate's bound. */
const PHASE_ERROR = 1e-8
/** Phase error of a radian by the composition of order 6 is below this times (ω·h)⁶. */
const PHASE_CONSTANT = 0.1
/** Largest angle of a sub-step, and largest share of a drag time. */
const ANGLE_MAX = 0.3
const DRAG_SHARE_MAX = 0.05

/** Angular frequency of the spring in rad/s. */
export const omegaOf = ({ omega, stiffness, mass }: SolveInput): number =>
  omega ?? (stiffness === null ? 1 : sqrt(stiffness / mass))

/** Where and how fast it is at time 0. */
export const startOf = (input: SolveInput): Float64Array => {
  const { referenceMode: mode, position, velocity, height, v0, displacement } = input
  const along = mode === 'shm'
  const around = mode === 'gravity'
  const place = around ? [places[input.location].radius + height, 0, 0] : along ? [displacement, 0, 0] : [0, 0, height]
  const speed = around ? [0, v0, 0] : along ? [v0, 0, 0] : [0, 0, v0]
  return Float64Array.from([...(position ?? place), ...(velocity ?? speed)])
}

/** Radius, speed, angular momentum and energy per mass, and what follows from them, of a path around a centre. */
export const orbitOf = (start: Float64Array, mu: number) => {
  const [x, y, z, u, v, w] = start as unknown as [number, number, number, number, number, number]
  const r = sqrt(x * x + y * y + z * z)
  const speed2 = u * u + v * v + w * w
  const radial = (x * u + y * v + z * w) / r
  const momentum2 = Math.max(0, r * r * (speed2 - radial * radial))
  /** 1/a: positive for a closed orbit. */
  const alpha = 2 / r - speed2 / mu
  const p = momentum2 / mu
  const e = sqrt(Math.max(0, 1 - p * alpha))
  const periapsis = p / (1 + e)
  /** The fastest turn of the path, at the periapsis or, on the way out, here. */
  const least = alpha <= 0 && radial >= 0 ? r : Math.min(r, periapsis)
  const rate = least > 0 ? sqrt((mu * (1 + e)) / (least * least * least)) : Number.POSITIVE_INFINITY
  return { r, radial, speed: sqrt(speed2), alpha, e, periapsis, rate, closed: alpha * r > 1e-9 }
}

/** G·M and the downward acceleration, drag and buoyancy of a mode. */
const lawOf = (input: SolveInput): Pick<Motion, 'law' | 'fall' | 'omega2' | 'mu' | 'drag'> => {
  const none = { fall: 0, omega2: 0, mu: 0, drag: 0 }
  const { fall, mu } = places[input.location]
  if (input.referenceMode === 'shm') {
    const omega = omegaOf(input)
    return { ...none, law: 'spring', omega2: omega * omega }
  }
  if (input.referenceMode === 'gravity') return { ...none, law: 'centre', mu }
  if (input.referenceMode === 'free-fall') return { ...none, law: 'fall', fall }
  const density = input.density ?? densities[input.medium]
  const drag = (0.5 * density * input.dragArea) / input.mass
  const buoyant = fall * (1 - (density * input.volume) / input.mass)
  return { ...none, law: drag === 0 ? 'fall' : 'drag', fall: buoyant, drag }
}

/** The fastest rate of a law in rad/s or 1/s: what a step is held against. 0 where every step is exact. */
export const rateOf = (law: Pick<Motion, 'law' | 'fall' | 'omega2' | 'mu' | 'drag'>, start: Float64Array): number => {
  if (law.law === 'spring') return sqrt(law.omega2)
  if (law.law === 'centre') return orbitOf(start, law.mu).rate
  if (law.law === 'fall') return 0
  const [u, v, w] = start.subarray(3) as unknown as [number, number, number]
  return 2 * law.drag * Math.max(sqrt(u * u + v * v + w * w), sqrt(Math.abs(law.fall) / law.drag))
}

/** Radians, or drag times, of the whole run. */
const turnsOf = (law: Pick<Motion, 'law' | 'mu'>, start: Float64Array, rate: number, time: number): number => {
  if (law.law !== 'centre') return rate * time
  const { alpha, closed, rate: fastest } = orbitOf(start, law.mu)
  // A closed orbit passes its periapsis once in each turn, and some ten radians of the fastest rate there.
  return closed ? 10 * (1 + time * sqrt(law.mu * alpha * alpha * alpha)) : Math.min(10, fastest * time)
}

/** The problem of an input: law, start and steps. */
export const motionOf = (input: SolveInput): Motion => {
  const law = lawOf(input)
  const start = startOf(input)
  const steps = Math.max(1, Math.ceil(input.t_max / input.dt - STEP_SLACK))
  const dt = input.t_max / steps
  const rate = rateOf(law, start)
  const turns = Math.max(1, turnsOf(law, start, rate, input.t_max))
  const angle = Math.min(ANGLE_MAX, pow(PHASE_ERROR / (PHASE_CONSTANT * turns), 1 / 6))
  const share = law.law === 'drag' ? DRAG_SHARE_MAX : angle
  const substeps = rate === 0 ? 1 : Math.max(1, Math.ceil((dt * rate) / share))
  return { ...law, start, steps, dt, substeps, every: Math.ceil(steps / ROWS_MAX) }
}

/** Force evaluations of a sub-step: Verlet, seven stages of order 6, or Runge–Kutta's four. */
export const stagesOf = ({ law }: Pick<Motion, 'law'>): number => (law === 'fall' ? 1 : law === 'drag' ? 4 : 7)

/** Order of the integrator of a law. */
export const orderOf = ({ law }: Pick<Motion, 'law'>): number => (law === 'fall' ? 2 : law === 'drag' ? 4 : 6)

/** Period of an oscillation or of a closed orbit in s, or null. */
export const periodOf = ({ law, omega2, mu, start }: Motion): number | null => {
  if (law === 'spring') return TAU / sqrt(omega2)
  if (law !== 'centre') return null
  const { alpha, closed } = orbitOf(start, mu)
  return closed ? TAU / sqrt(mu * alpha * alpha * alpha) : null
}

/** Speed in m/s at which drag balances the fall, or null. */
export const terminalOf = ({ law, fall, drag }: Motion): number | null =>
  law === 'drag' && fall !== 0 ? sqrt(Math.abs(fall) / drag) : null
