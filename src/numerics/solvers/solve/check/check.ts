import { cos, PI, sin, sqrt } from '#numerics/math.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { densities, places } from '#numerics/solvers/solve/places.ts'
import { type Motion, motionOf, orbitOf } from '#numerics/solvers/solve/problem.ts'
import type { SolveInput, SolveOutput } from '#numerics/solvers/solve/schema.ts'
import { obliqueOff, straightAt } from './falling.ts'
import { keplerAt } from './kepler.ts'

/** Rounding of sums made in another order, relative to their scale. */
const ROUNDING = 1e-11

interface Row {
  readonly time: number
  readonly state: Float64Array
}

/** Rows beside the first, and the order of each integrator, as the solver's page has them. */
const ROWS_MAX = 1_000
const ORDERS: Readonly<Record<Motion['law'], number>> = { fall: 2, spring: 6, centre: 6, drag: 4 }
/** What is less is counted as nothing: a drag at the end of the range of doubles has no eleven digits. */
const LEAST = 1e-280
/** alpha·r above which an orbit is closed; as near to it as this, rounding decides. */
const CLOSED_ABOVE = 1e-9
const CLOSED_SLACK = 1e-13

/** The constants of the law, worked out of the input again; null where the mode has none. */
const lawOf = ({ referenceMode: mode, location, mass, ...input }: SolveInput) => {
  const { mu, fall } = places[location]
  const density = input.density ?? densities[input.medium]
  const omega = input.omega ?? (input.stiffness === null ? 1 : sqrt(input.stiffness / mass))
  return {
    fall: mode === 'model' ? fall - (fall * density * input.volume) / mass : mode === 'free-fall' ? fall : null,
    drag: mode === 'model' ? (density * input.dragArea) / (2 * mass) : null,
    omega: mode === 'shm' ? omega : null,
    mu: mode === 'gravity' ? mu : null,
  }
}

const near = (a: number | null, b: number | null, scale: number): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= ROUNDING * scale

/**
 * Whether a motion starts where the input says, obeys its law and fills its time. Run and closed form take all of it
 * from one function, so that it is worked out anew: without a fall no other number of the answer shows the drag.
 */
export const isProblemOf = (input: SolveInput, motion: Motion): boolean => {
  const { start, steps, dt, every } = motion
  const { referenceMode: mode, position, velocity, height, displacement, v0, location, t_max } = input
  const { fall, drag, omega, mu } = lawOf(input)
  const lawful =
    motion.law === (omega !== null ? 'spring' : mu !== null ? 'centre' : motion.drag === 0 ? 'fall' : 'drag') &&
    // Buoyancy takes off what it nearly equals: the fall is told on the scale of the weight.
    near(motion.fall, fall ?? 0, Math.abs(motion.fall) + places[location].fall) &&
    near(motion.drag, drag ?? 0, motion.drag + LEAST) &&
    near(motion.omega2, (omega ?? 0) * (omega ?? 0), motion.omega2) &&
    motion.mu === (mu ?? 0)
  const around = mode === 'gravity'
  const [along, moving] = around ? [0, 4] : mode === 'shm' ? [0, 3] : [2, 5]
  const first = around ? places[location].radius + height : mode === 'shm' ? displacement : height
  const wanted = (i: number): number => {
    const own = i < 3 ? position?.[i] : velocity?.[i - 3]
    return own ?? (i === along ? first : i === moving ? v0 : 0)
  }
  const fitting = dt <= input.dt * (1 + 1e-9) && (steps === 1 || (steps - 1) * input.dt < t_max)
  const kept = every * ROWS_MAX >= steps && (every - 1) * ROWS_MAX < steps
  const begun = start.every((value, i) => value === wanted(i))
  return begun && lawful && fitting && kept && Math.abs(steps * dt - t_max) <= 1e-12 * t_max
}

/** The rows of an answer, or undefined when they have not the form that the problem calls for. */
const rowsOf = (motion: Motion, { tEval, solution, velocities }: SolveOutput): readonly Row[] | undefined => {
  const { steps, every, dt, start } = motion
  const count = 1 + Math.ceil(steps / every)
  if (tEval?.length !== count || solution?.length !== 3 * count || velocities?.length !== 3 * count) return undefined
  const rows = Array.from({ length: count }, (_, k): Row => {
    const state = new Float64Array(6)
    for (let axis = 0; axis < 3; axis++) {
      state[axis] = solution[3 * k + axis] as number
      state[3 + axis] = velocities[3 * k + axis] as number
    }
    return { time: tEval[k] as number, state }
  })
  const timed = rows.every(({ time }, k) => time === Math.min(steps, k * every) * dt)
  const begun = rows[0]?.state.every((value, i) => value === start[i] + 0)
  return timed && begun === true && rows.every(({ state }) => state.every(Number.isFinite)) ? rows : undefined
}

/** The closed form of a law at time t: parabola, harmonic, universal variables, tanh and ln cosh. */
const closedAt = (motion: Motion, t: number): Float64Array => {
  const { law, start, fall, omega2, mu } = motion
  if (law === 'centre') return keplerAt(start, mu, t)
  if (law === 'drag') return straightAt(motion, t)
  const at = start.slice()
  if (law === 'fall') {
    for (let axis = 0; axis < 3; axis++) at[axis] += start[3 + axis] * t
    at[2] -= 0.5 * fall * t * t
    at[5] -= fall * t
    return at
  }
  const omega = sqrt(omega2)
  for (let axis = 0; axis < 3; axis++) {
    at[axis] = start[axis] * cos(omega * t) + (start[3 + axis] / omega) * sin(omega * t)
    at[3 + axis] = start[3 + axis] * cos(omega * t) - omega * start[axis] * sin(omega * t)
  }
  return at
}

const between = (a: Float64Array, b: Float64Array, from: 0 | 3): number => {
  const [x, y, z] = [a[from] - b[from], a[from + 1] - b[from + 1], a[from + 2] - b[from + 2]]
  return sqrt(x * x + y * y + z * z)
}

const NOWHERE = new Float64Array(6)

/** Largest distances from the closed form, in m and m/s. */
const offOf = (motion: Motion, rows: readonly Row[]) => {
  const { law, fall, start } = motion
  if (law === 'drag' && fall !== 0 && (start[3] !== 0 || start[4] !== 0)) return obliqueOff(motion, rows)
  let [place, speed] = [0, 0]
  for (const { time, state } of rows) {
    const at = closedAt(motion, time)
    place = Math.max(place, between(state, at, 0))
    speed = Math.max(speed, between(state, at, 3))
    if (!Number.isFinite(place + speed)) return { place: Number.NaN, speed: Number.NaN }
  }
  return { place, speed }
}

/** The signal: the farthest a row is from the start (from the middle of a spring; at most a of an orbit). */
const scalesOf = ({ law, start, mu, omega2 }: Motion, rows: readonly Row[]) => {
  const speed = rows.reduce((most, { state }) => Math.max(most, between(state, NOWHERE, 3)), 0)
  if (law === 'spring') {
    const [r, v] = [between(start, NOWHERE, 0), between(start, NOWHERE, 3)]
    const amplitude = sqrt(r * r + (v * v) / omega2)
    return { place: amplitude, speed: amplitude * sqrt(omega2) }
  }
  const way = rows.reduce((most, { state }) => Math.max(most, between(state, start, 0)), 0)
  if (law !== 'centre') return { place: way, speed }
  const { alpha, closed } = orbitOf(start, mu)
  return { place: closed ? Math.min(way, 1 / alpha) : way, speed }
}

/** Mean of kinetic and potential energy over the rows, and the size of what it is summed of. */
const energyOf = ({ law, fall, omega2, mu }: Motion, mass: number, rows: readonly Row[]) => {
  let [sum, scale] = [0, 0]
  for (const { state } of rows) {
    const v = between(state, NOWHERE, 3)
    const r = between(state, NOWHERE, 0)
    const kinetic = 0.5 * v * v
    const potential = law === 'centre' ? -mu / r : law === 'spring' ? 0.5 * omega2 * r * r : fall * state[2]
    sum += kinetic + potential
    scale = Math.max(scale, kinetic + Math.abs(potential))
  }
  return { mean: (mass * sum) / rows.length, scale: mass * scale }
}

/** The period of a closed orbit from its start, and the scale on which rounding moves it; null of an open one. */
const isPeriod = (found: number | null, { start, mu }: Motion): boolean => {
  const [r, v] = [between(start, NOWHERE, 0), between(start, NOWHERE, 3)]
  const bound = 2 - (v * v * r) / mu
  if (Math.abs(bound - CLOSED_ABOVE) <= CLOSED_SLACK) return true
  if (bound < CLOSED_ABOVE) return found === null
  const a = r / bound
  const period = 2 * PI * a * sqrt(a / mu)
  return near(found, period, period / Math.min(1, bound))
}

/** Whether every number beside the rows repeats or follows from the input and the rows. */
const echoes = (input: SolveInput, output: SolveOutput, motion: Motion, rows: readonly Row[]): boolean => {
  const last = rows.at(-1)?.state ?? NOWHERE
  const wanted = motion.law === 'centre' ? between(last, NOWHERE, 0) : motion.law === 'spring' ? last[0] : last[2]
  const energy = energyOf(motion, input.mass, rows)
  const { fall, drag, omega, mu } = lawOf(input)
  const nearOrNull = (found: number | null, own: number | null): boolean => near(found, own, Math.abs(own ?? 0))
  const terminal = drag !== null && drag > 0 && motion.fall !== 0 ? sqrt(Math.abs(motion.fall) / drag) : null
  return (
    isProblemOf(input, motion) &&
    output.mode === input.referenceMode &&
    output.algebraic === null &&
    output.steps === motion.steps &&
    output.substeps === motion.substeps &&
    output.order === ORDERS[motion.law] &&
    output.dt === motion.dt &&
    near(output.finalPosition, wanted, Math.abs(wanted)) &&
    near(output.energy, energy.mean, energy.scale) &&
    (fall === null ? output.fall === null : output.fall === motion.fall) &&
    nearOrNull(output.omega, omega) &&
    nearOrNull(output.mu, mu) &&
    nearOrNull(output.terminalSpeed, terminal) &&
    (motion.law === 'centre' ? isPeriod(output.period, motion) : nearOrNull(output.period, omega && (2 * PI) / omega))
  )
}

const AGAINST: Readonly<Record<Motion['law'], string>> = {
  fall: 'the parabola of a uniform fall at every row',
  spring: 'A·cos(ωt + φ) at every row, in units of the amplitude',
  centre: 'Kepler’s motion by universal variables at every row',
  drag: 'the closed form of a fall with quadratic drag at every row (tanh and ln cosh, arctan, or the hodograph)',
}

/** Checks a motion: every row against the closed form of its law, and every other number against the rows. */
export const checkMotion = (input: SolveInput, output: SolveOutput): Reality => {
  const motion = motionOf(input)
  const against = AGAINST[motion.law]
  const rows = rowsOf(motion, output)
  if (rows === undefined) return { against, errorPct: Number.NaN, figures: {} }
  const off = offOf(motion, rows)
  const scale = scalesOf(motion, rows)
  const placePct = (100 * off.place) / scale.place
  const speedPct = scale.speed === 0 ? 100 * off.speed : (100 * off.speed) / scale.speed
  const figures = { placePct, speedPct, dt: motion.dt, substeps: motion.substeps }
  const errorPct = Number.isNaN(speedPct) ? Number.NaN : Math.max(placePct, speedPct)
  return { against, errorPct: echoes(input, output, motion, rows) ? errorPct : Math.max(100, errorPct), figures }
}
