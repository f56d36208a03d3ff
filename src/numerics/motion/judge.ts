import { cos, PI, sin, sqrt } from '#numerics/math.ts'
import type { Reality } from '#numerics/solver.ts'
import { obliqueOff, straightAt } from './falling.ts'
import { keplerAt } from './kepler.ts'
import { densities, places } from './places.ts'
import { type Motion, motionOf, orbitOf, orderOf } from './problem.ts'
import type { SolveInput, SolveOutput } from './schema.ts'

/** Rounding of sums made in another order, relative to their scale. */
const ROUNDING = 1e-11

interface Row {
  readonly time: number
  readonly state: Float64Array
}

/**
 * Whether a motion starts where the input says and fills its time. Run and closed form take both from one function,
 * so that they are worked out anew.
 */
export const isAsked = (input: SolveInput, { start, steps, dt }: Pick<Motion, 'start' | 'steps' | 'dt'>): boolean => {
  const { referenceMode: mode, position, velocity, height, displacement, v0, location, t_max } = input
  const around = mode === 'gravity'
  const [along, moving] = around ? [0, 4] : mode === 'shm' ? [0, 3] : [2, 5]
  const first = around ? places[location].radius + height : mode === 'shm' ? displacement : height
  const wanted = (i: number): number => {
    const own = i < 3 ? position?.[i] : velocity?.[i - 3]
    return own ?? (i === along ? first : i === moving ? v0 : 0)
  }
  const fitting = dt <= input.dt * (1 + 1e-9) && (steps === 1 || (steps - 1) * input.dt < t_max)
  return start.every((value, i) => value === wanted(i)) && fitting && Math.abs(steps * dt - t_max) <= 1e-12 * t_max
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

/** What the constants of the law must be, worked out of the input again. */
const constantsOf = (input: SolveInput, motion: Motion) => {
  const { referenceMode: mode, mass } = input
  const { mu, fall } = places[input.location]
  const density = input.density ?? densities[input.medium]
  const down = mode === 'model' ? fall - (fall * density * input.volume) / mass : fall
  const drag = mode === 'model' ? (density * input.dragArea) / (2 * mass) : 0
  const omega = input.omega ?? (input.stiffness === null ? 1 : sqrt(input.stiffness / mass))
  const { alpha, closed } = orbitOf(motion.start, mu)
  const orbit = closed ? (2 * PI) / (alpha * sqrt(alpha * mu)) : null
  return {
    fall: mode === 'free-fall' || mode === 'model' ? down : null,
    omega: mode === 'shm' ? omega : null,
    mu: mode === 'gravity' ? mu : null,
    period: mode === 'shm' ? (2 * PI) / omega : mode === 'gravity' ? orbit : null,
    terminalSpeed: drag > 0 && down !== 0 ? sqrt(Math.abs(down) / drag) : null,
  }
}

const near = (a: number | null, b: number | null, scale: number): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= ROUNDING * scale

/** Whether every number beside the rows repeats or follows from the input and the rows. */
const echoes = (input: SolveInput, output: SolveOutput, motion: Motion, rows: readonly Row[]): boolean => {
  const last = rows.at(-1)?.state ?? NOWHERE
  const wanted = motion.law === 'centre' ? between(last, NOWHERE, 0) : motion.law === 'spring' ? last[0] : last[2]
  const energy = energyOf(motion, input.mass, rows)
  const constants = constantsOf(input, motion)
  const names = ['fall', 'omega', 'mu', 'period', 'terminalSpeed'] as const
  return (
    isAsked(input, motion) &&
    output.mode === input.referenceMode &&
    output.algebraic === null &&
    output.steps === motion.steps &&
    output.substeps === motion.substeps &&
    output.order === orderOf(motion) &&
    output.dt === motion.dt &&
    near(output.finalPosition, wanted, Math.abs(wanted)) &&
    near(output.energy, energy.mean, energy.scale) &&
    names.every((name) => near(output[name], constants[name], Math.abs(constants[name] ?? 0)))
  )
}

const AGAINST: Readonly<Record<Motion['law'], string>> = {
  fall: 'the parabola of a uniform fall at every row',
  spring: 'A·cos(ωt + φ) at every row, in units of the amplitude',
  centre: 'Kepler’s motion by universal variables at every row',
  drag: 'the closed form of a fall with quadratic drag at every row (tanh and ln cosh, arctan, or the hodograph)',
}

/** Judges a motion: every row against the closed form of its law, and every other number against the rows. */
export const judgeMotion = (input: SolveInput, output: SolveOutput): Reality => {
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
