import { Fault } from '#core/fault.ts'
import { exp, log, sqrt } from '#numerics/math.ts'
import { distanceOf, localErrorOf } from '#numerics/methods/fields.ts'
import { keptSteps, segmentsOf } from '#numerics/runtime/segments.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { WALL_MAX } from '#numerics/solvers/tumor/limits.ts'
import {
  echoesOf,
  exactWaveAt,
  sampledSteps,
  startOf,
  timesOf,
  tissueOf,
  waveSpeed,
} from '#numerics/solvers/tumor/problem.ts'
import { readingsOf } from '#numerics/solvers/tumor/readings.ts'
import type { TumorInput, TumorOutput } from '#numerics/solvers/tumor/schema.ts'
import { SEGMENT_STEPS, type TumorEvidence } from '#numerics/solvers/tumor/schema.ts'
import { regrown } from './reference.ts'

/** What recomputing a number from the density that was sent may differ by. */
const ROUNDING = 1e-11
/** Relative error of a quotient of differences of densities, over the difference below. */
const ROUNDED = 1e-15
/** Growth over a part of a stretch that is integrated anew, at most. */
const PART_GROWTH_MAX = 0.1
const PARTS_MAX = 8

type Finished = Outcome<TumorOutput, TumorEvidence>

/**
 * Whether a start is the one that the input states: a hill as the product of two, or the wave where (1 + e^z)²·u = 1.
 * Run and check take it from one function, so that this is worked out anew.
 */
export const isStartOf = (input: TumorInput, start: ArrayLike<number>): boolean => {
  const { dim, D, rho, nx, ny, lx, initial } = input
  const { kind, x, y, sigma, amplitude, values } = initial
  const columns = nx + 1
  if (kind === 'values') return Array.from(start).every((u, at) => u === values?.[at])
  const steep = sqrt(rho / (6 * D)) * lx
  const bell = (f: number, centre: number): number => exp(-0.5 * ((f - centre) / sigma) * ((f - centre) / sigma))
  const along = Float64Array.from({ length: columns }, (_, i) =>
    kind === 'wave' ? square(1 + exp(steep * (i / nx - x))) : bell(i / nx, x),
  )
  const across = Float64Array.from({ length: dim === 1 ? 1 : ny + 1 }, (_, j) => (dim === 1 ? 1 : bell(j / ny, y)))
  return Array.from(start).every((u, at) => {
    const column = at % columns
    if (kind === 'wave') return Math.abs(u * along[column] - 1) <= 1e-9
    return Math.abs(u - amplitude * along[column] * across[(at - column) / columns]) <= 1e-9 * amplitude
  })
}

const square = (x: number): number => x * x

const echoes = (input: TumorInput, { output, evidence }: Finished, start: Float64Array): boolean => {
  const times = timesOf(input)
  const { rows, columns } = tissueOf(input)
  const size = rows * columns
  return (
    isStartOf(input, start) &&
    Object.entries(echoesOf(input)).every(([name, value]) => output[name as keyof TumorOutput] === value) &&
    output.density.length === size &&
    output.times.length === times.length &&
    times.every((time, i) => time === output.times[i]) &&
    output.fronts.length === times.length &&
    evidence.fronts.every((front, i) => front === output.fronts[i]) &&
    evidence.budget.length === 2 * (input.steps + 1) &&
    evidence.states.length === size * keptSteps(input.steps, SEGMENT_STEPS).length
  )
}

/** A wall that no cell was near at the start must still be clear: else the front has met it. */
const refuseWalls = (input: TumorInput, start: Float64Array, density: Float64Array): void => {
  const { rows, columns } = tissueOf(input)
  const most = (field: Float64Array, at: (i: number) => number, count: number): number => {
    let largest = 0
    for (let i = 0; i < count; i++) largest = Math.max(largest, field[at(i)])
    return largest
  }
  const walls: readonly (readonly [(i: number) => number, number])[] = [
    [(i) => i * columns, rows],
    [(i) => i * columns + columns - 1, rows],
    ...(rows === 1
      ? []
      : [[(i: number) => i, columns] as const, [(i: number) => (rows - 1) * columns + i, columns] as const]),
  ]
  for (const [at, count] of walls) {
    const measured = most(density, at, count)
    if (most(start, at, count) > WALL_MAX || !(measured > WALL_MAX)) continue
    throw new Fault('ILL_POSED', `The front has reached a wall: the density is ${measured} there. Take fewer steps.`, {
      measured,
      limit: WALL_MAX,
    })
  }
}

/** d/dt ∫u = rho·∫u(1 − u) over the run by Simpson's rule, on the scale of what grew. */
const budgetPct = ({ rho, dt, steps }: TumorInput, budget: Float64Array): number => {
  const flow = (i: number): number => rho * budget[2 * i + 1]
  const even = steps % 2 === 0 ? steps : steps - 3
  let sum = 0
  for (let i = 0; i < even; i += 2) sum += (dt * (flow(i) + 4 * flow(i + 1) + flow(i + 2))) / 3
  if (steps === 1) sum = (dt * (flow(0) + flow(1))) / 2
  else if (even !== steps) sum += ((3 * dt) / 8) * (flow(even) + 3 * flow(even + 1) + 3 * flow(even + 2) + flow(steps))
  return (100 * Math.abs(budget[2 * steps] - budget[0] - sum)) / Math.abs(sum)
}

/** Errors of a density on the scale of what has changed since the start. */
const partsOf = (input: TumorInput, density: Float64Array, exact: Float64Array, start: Float64Array) => {
  const { columns } = tissueOf(input)
  const { error, errorMost } = distanceOf(density, exact)
  const { error: change, errorMost: largest } = distanceOf(exact, start)
  const local = localErrorOf(density, exact, { columns, beyond: 'mirror' })
  return { l2: error / change, worst: errorMost / largest, local: local / largest }
}

/** Against the exact wave: the density, and every place of the front. */
const waveParts = (input: TumorInput, output: TumorOutput, density: Float64Array, start: Float64Array) => {
  const { rows, columns, dx } = tissueOf(input)
  const time = input.dt * input.steps
  const row = Float64Array.from({ length: columns }, (_, column) => exactWaveAt(input, column * dx, time))
  const exact = Float64Array.from({ length: rows * columns }, (_, at) => row[at % columns])
  const { l2, worst, local } = partsOf(input, density, exact, start)
  // u = 1/2 where (1 + e^z)² = 2.
  const half = log(sqrt(2) - 1) / sqrt(input.rho / (6 * input.D))
  const origin = input.initial.x * input.lx + half
  const way = Math.max(waveSpeed(input) * time, dx)
  const fronts = sampledSteps(input.steps).reduce((most, step, i) => {
    const due = origin + waveSpeed(input) * input.dt * step
    return Math.max(most, due <= 0 ? 0 : Math.abs(output.fronts[i] - due) / way)
  }, 0)
  return { against: 'the exact travelling wave of Ablowitz and Zeppetella', l2, worst, local, fronts }
}

/** Against stretches grown anew: the first as it is, the others as a sample of all the rest. */
const grownParts = (input: TumorInput, { evidence }: Finished, density: Float64Array, start: Float64Array) => {
  const kept = keptSteps(input.steps, SEGMENT_STEPS)
  const stateAt = (step: number): Float64Array => {
    if (step === 0) return start
    if (step === input.steps) return density
    const at = kept.indexOf(step) * start.length
    return evidence.states.subarray(at, at + start.length)
  }
  const change = distanceOf(density, start).error
  const errors = segmentsOf(input.steps, SEGMENT_STEPS).map(({ from, to }) => {
    const time = input.dt * (to - from)
    const parts = Math.min(PARTS_MAX, Math.ceil((input.rho * time) / PART_GROWTH_MAX))
    const due = regrown(input, stateAt(from), { time, parts })
    return { error: distanceOf(stateAt(to), due).error / change, due }
  })
  const [first, ...others] = errors.map(({ error }) => error)
  const mean = others.length === 0 ? 0 : others.reduce((sum, it) => sum + it, 0) / others.length
  const last = errors.at(-1)?.due ?? density
  const { worst, local } = partsOf(input, density, last, start)
  const l2 = (first ?? Number.NaN) + mean * Math.max(0, input.steps / SEGMENT_STEPS - 1)
  return { against: 'stretches of the run grown anew in cosine modes of the continuum', l2, worst, local, fronts: 0 }
}

/**
 * Where the middle row of a density falls through 1/2 for the last time, from the node beyond it, by the check alone;
 * `slack` is what rounding of nodes that are all but alike leaves open, both in m.
 */
const frontAnew = (input: TumorInput, density: ArrayLike<number>): { readonly at: number; readonly slack: number } => {
  const { rows, columns, dx } = tissueOf(input)
  const row = Array.from({ length: columns }, (_, i) => density[((rows - 1) >> 1) * columns + i])
  const last = row.findLastIndex((u) => u >= 0.5)
  const [within, beyond] = [row[last], row[last + 1]]
  if (within === undefined || beyond === undefined) return { at: Math.max(0, last) * dx, slack: 0 }
  const fall = within - beyond
  return { at: (last + 1 - (0.5 - beyond) / fall) * dx, slack: (ROUNDED * dx) / fall }
}

const readingsPct = (input: TumorInput, output: TumorOutput, start: Float64Array): number => {
  const due = readingsOf(input, output.density, output.fronts[0] ?? 0)
  const away = (found: number | undefined, { at, slack }: ReturnType<typeof frontAnew>): number => {
    const gap = Math.abs((found ?? Number.NaN) - at)
    return gap <= slack ? 0 : gap / input.lx
  }
  const off = [
    (output.mass - due.mass) / due.mass,
    away(output.front, frontAnew(input, output.density)),
    away(output.fronts[0], frontAnew(input, start)),
    (output.front - (output.fronts.at(-1) ?? Number.NaN)) / input.lx,
    due.frontSpeed === 0 ? output.frontSpeed : (output.frontSpeed - due.frontSpeed) / due.frontSpeed,
    // The least density may be so small that no difference from it would show: it is the same number or it is wrong.
    output.minDensity === due.minDensity ? 0 : 1,
    output.maxDensity === due.maxDensity ? 0 : 1,
  ].map(Math.abs)
  return 100 * off.reduce((most, it) => Math.max(most, it <= ROUNDING ? 0 : it), 0)
}

/**
 * Checks a growth: the density against the exact wave (or stretches of it against the continuum's own modes) on the
 * scale of what has changed, single nodes that stand out, the budget of growth, the range from 0 to 1, and the numbers
 * read off the density.
 *
 * @throws Fault ILL_POSED when the front has met a wall, or nothing has changed.
 */
export const checkTumor = (input: TumorInput, outcome: Finished): Reality => {
  const start = startOf(input)
  if (!echoes(input, outcome, start)) {
    return { against: 'what the answer repeats of the input', errorPct: 100, figures: { echo_wrong: 1 } }
  }
  const { output, evidence } = outcome
  const density = Float64Array.from(output.density)
  const change = distanceOf(density, start)
  if (change.errorMost <= WALL_MAX * WALL_MAX) {
    throw new Fault('ILL_POSED', 'Nothing has changed: there is nothing to measure an error against.', {
      measured: change.errorMost,
      limit: WALL_MAX * WALL_MAX,
    })
  }
  const wave = input.initial.kind === 'wave'
  const found = wave ? waveParts(input, output, density, start) : grownParts(input, outcome, density, start)
  const readings = readingsPct(input, output, start)
  const { minDensity, maxDensity, mass } = output
  const outside = 100 * Math.max(0, -minDensity, maxDensity - 1 - ROUNDING)
  const budget = budgetPct(input, evidence.budget)
  const kept = Math.abs(evidence.budget[2 * input.steps] - mass) <= 1e-9 * mass ? 0 : 100
  const errorsPct = [100 * found.l2, 100 * found.local, 100 * found.fronts, readings, outside, budget, kept]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  const errorPct = broken ? Number.NaN : Math.max(...errorsPct)
  // Only a density that is right tells where the front is.
  // The exact wave was found clear of them by its formula, and the density is that wave.
  const free = input.walls === 'clear' && input.initial.kind !== 'wave'
  if (free && errorPct <= ERROR_PCT_MAX) refuseWalls(input, start, density)
  return {
    against: found.against,
    errorPct,
    figures: {
      l2_pct: 100 * found.l2,
      worst_node_pct: 100 * found.worst,
      local_pct: 100 * found.local,
      front_pct: 100 * found.fronts,
      budget_pct: budget,
      outside_pct: outside,
      dt: input.dt,
    },
  }
}
