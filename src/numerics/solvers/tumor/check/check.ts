import { Fault } from '#core/fault.ts'
import { exp, log, log1p, sqrt } from '#numerics/math.ts'
import { distanceOf, localErrorOf } from '#numerics/methods/fields.ts'
import { keptSteps } from '#numerics/runtime/segments.ts'
import { ERROR_PCT_MAX, type Outcome, type Reality } from '#numerics/runtime/solver.ts'
import { WALL_MAX } from '#numerics/solvers/tumor/limits.ts'
import {
  echoesOf,
  exactWaveAt,
  integralOf,
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
/** How far from 1/2, as a part of it, a density may be where a front is only beginning. */
const FRONT_SLACK = 1e-3
/** Nodes in one interval, or in one width of a hill, of the sum that its integral is compared with. */
const FINER = 8

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
  const mass = Math.abs(output.mass / waveMass(input, time) - 1)
  const most = exact.reduce((largest, u) => Math.max(largest, u), 0)
  return {
    against: 'the exact travelling wave of Ablowitz and Zeppetella',
    l2,
    worst,
    local,
    fronts,
    mass,
    most: Math.abs(output.maxDensity / most - 1),
    start: 0,
  }
}

/**
 * The integral of the exact wave over the tissue at a time: with z along it, the derivative of ln(e^z/(1 + e^z)) plus
 * 1/(1 + e^z) is 1/(1 + e^z)².
 */
const waveMass = (input: TumorInput, time: number): number => {
  const { dim, D, rho, lx, ly, initial } = input
  const steep = sqrt(rho / (6 * D))
  const sumAt = (x: number): number => {
    const z = steep * (x - initial.x * lx - waveSpeed(input) * time)
    return (z < 0 ? z - log1p(exp(z)) : -log1p(exp(-z))) + 1 / (1 + exp(z))
  }
  return ((sumAt(lx) - sumAt(0)) / steep) * (dim === 1 ? 1 : ly)
}

/** Against the whole run grown anew from its start: every kept state, the end, and every place of the front. */
const grownParts = (input: TumorInput, { output, evidence }: Finished, density: Float64Array, start: Float64Array) => {
  const { columns } = tissueOf(input)
  const kept = keptSteps(input.steps, SEGMENT_STEPS)
  const course = regrown(input, start, output.damped)
  const middle = ((start.length / columns - 1) >> 1) * columns
  const due = (): Float64Array => Float64Array.from(start, (_, node) => course.at(node))
  const sampled = sampledSteps(input.steps)
  let [from, l2, off, farthest] = [0, 0, 0, 0]
  for (const step of [...new Set([...kept, ...sampled])].sort((one, other) => one - other)) {
    course.advance(step - from)
    from = step
    const at = kept.indexOf(step) * start.length
    if (at >= 0) {
      const { error } = distanceOf(evidence.states.subarray(at, at + start.length), due())
      l2 = error <= l2 ? l2 : error
    }
    const sample = sampled.indexOf(step)
    if (sample < 0) continue
    const row = Array.from({ length: columns }, (_, column) => course.at(middle + column))
    const { gap, place } = frontGap(input, output.fronts[sample] ?? Number.NaN, row)
    off = gap <= off ? off : gap
    farthest = Math.max(farthest, place)
  }
  const end = due()
  const found = partsOf(input, density, end, start)
  const read = readingsOf(input, end, 0)
  return {
    against: 'the whole run grown anew by differences of sixth order, in the limit of small steps',
    l2: Math.max(l2 / distanceOf(end, start).error, found.l2),
    worst: found.worst,
    local: found.local,
    fronts: off === 0 ? 0 : off / farthest,
    mass: Math.abs(output.mass / read.mass - 1),
    most: Math.abs(output.maxDensity / read.maxDensity - 1),
    start: startOff(input, start),
  }
}

/**
 * How far the front that was sent is from that of a row grown anew. Where the hill has only just come to 1/2 its place
 * hangs on the last digit of a density: what lies between the places of densities a thousandth to either side is none.
 */
const frontGap = (input: TumorInput, found: number, row: readonly number[]) => {
  const [low, place, high] = [1 + FRONT_SLACK, 1, 1 - FRONT_SLACK].map((part) => crossing(input, row, part / 2).at) as [
    number,
    number,
    number,
  ]
  return { gap: found >= low && found <= high ? 0 : Math.abs(found - place), place }
}

/** How far the integral of a hill at the nodes is from that of the hill: one between two nodes is not on the grid. */
const startOff = (input: TumorInput, start: Float64Array): number => {
  const { dim, nx, ny, lx, ly, initial } = input
  if (initial.kind !== 'gaussian') return 0
  const along = (intervals: number, centre: number): number => {
    let sum = 0
    for (let i = 0; i <= intervals; i++) {
      const a = (i / intervals - centre) / initial.sigma
      sum += exp((-a * a) / 2) * (i === 0 || i === intervals ? 0.5 : 1)
    }
    return sum / intervals
  }
  const fine = (intervals: number, centre: number): number =>
    along(Math.max(FINER * intervals, Math.ceil(FINER / initial.sigma)), centre)
  const hill = initial.amplitude * lx * fine(nx, initial.x) * (dim === 1 ? 1 : ly * fine(ny, initial.y))
  return Math.abs(integralOf(tissueOf(input), start, (u) => u) / hill - 1)
}

/**
 * Where the middle row of a density falls through 1/2 for the last time, from the node beyond it, by the check alone;
 * `slack` is what rounding of nodes that are all but alike leaves open, both in m.
 */
const frontAnew = (input: TumorInput, density: ArrayLike<number>) => {
  const { rows, columns } = tissueOf(input)
  const from = ((rows - 1) >> 1) * columns
  return crossing(
    input,
    Array.from({ length: columns }, (_, i) => density[from + i]),
    0.5,
  )
}

/** The same for a row and a level. */
const crossing = (
  input: TumorInput,
  row: readonly number[],
  level: number,
): { readonly at: number; readonly slack: number } => {
  const { dx } = tissueOf(input)
  const last = row.findLastIndex((u) => u >= level)
  const [within, beyond] = [row[last], row[last + 1]]
  if (within === undefined || beyond === undefined) return { at: Math.max(0, last) * dx, slack: 0 }
  const fall = within - beyond
  return { at: (last + 1 - (level - beyond) / fall) * dx, slack: (ROUNDED * dx) / fall }
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
 * Checks a growth: the density against the exact wave (or the whole run grown anew) on the scale of what has changed,
 * its mass, largest value and fronts, single nodes that stand out, the budget of growth, the range from 0 to 1, and the
 * numbers read off the density.
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
  const parts = [found.l2, found.local, found.fronts, found.mass, found.most, found.start].map((part) => 100 * part)
  const errorsPct = [...parts, readings, outside, budget, kept]
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
      mass_pct: 100 * found.mass,
      largest_pct: 100 * found.most,
      start_pct: 100 * found.start,
      budget_pct: budget,
      outside_pct: outside,
      dt: input.dt,
    },
  }
}
