import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { initialTemperature, startOf } from '#numerics/methods/diffusion/grid.ts'
import { isStartOf } from '#numerics/methods/diffusion/recompute-start.ts'
import { asField, localErrorOf, squaresOf } from '#numerics/methods/fields.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { isDamped, SIGNAL_MIN } from '#numerics/solvers/heat/limits.ts'
import type { HeatInput, HeatOutput } from '#numerics/solvers/heat/schema.ts'
import { exactSolution, meanOf, type Reference } from './reference.ts'

/** How far a field is from the exact one, in percent of the exact deviation from the steady state. */
interface Distances {
  readonly l2Pct: number
  readonly maxPct: number
  /** Largest and root-mean-square deviation of the exact field: the scales. */
  readonly largest: number
  readonly rms: number
  /** The temperature that the start's shapes stand on. */
  readonly base: number
}

const distancesOf = (field: Float64Array, { exact, steady }: Reference): Omit<Distances, 'base'> => {
  let errorSum = 0
  let signalSum = 0
  let errorMost = 0
  let largest = 0
  for (let i = 0; i < field.length; i++) {
    const error = field[i] - exact[i]
    const signal = exact[i] - steady[i]
    errorSum += error * error
    signalSum += signal * signal
    errorMost = Math.max(errorMost, Math.abs(error))
    largest = Math.max(largest, Math.abs(signal))
  }
  return {
    l2Pct: (100 * sqrt(errorSum)) / sqrt(signalSum),
    maxPct: (100 * errorMost) / largest,
    largest,
    rms: sqrt(signalSum / field.length),
  }
}

/** How far the field leaves the range of the initial and boundary temperatures, in kelvin. */
const overshootOf = (input: HeatInput, field: Float64Array, initial: Float64Array): number => {
  const { kind, temperature, right } = input.boundary
  let low = kind === 'fixed' ? Math.min(temperature, right ?? temperature) : Number.POSITIVE_INFINITY
  let high = kind === 'fixed' ? Math.max(temperature, right ?? temperature) : Number.NEGATIVE_INFINITY
  const sheet = { rows: field.length / (input.nx + 1), columns: input.nx + 1 }
  const [before, after] = [squaresOf(initial, sheet), squaresOf(field, sheet)]
  low = Math.min(low, before.minimum)
  high = Math.max(high, before.maximum)
  return Math.max(0, low - after.minimum, after.maximum - high)
}

/** Whether every member that only repeats or follows from the input does so, and the field has its shape. */
const echoes = (input: HeatInput, output: HeatOutput, initial: Float64Array): boolean => {
  const line = input.dim === 1
  const dx = input.lx / input.nx
  const dy = line ? 0 : input.ly / input.ny
  const r = input.alpha * input.dt * (1 / (dx * dx) + (line ? 0 : 1 / (dy * dy)))
  const nodes = (input.nx + 1) * (line ? 1 : input.ny + 1)
  return (
    isStartOf(input, initial) &&
    output.dim === input.dim &&
    output.scheme === input.scheme &&
    output.boundary === input.boundary.kind &&
    output.nx === input.nx &&
    output.ny === (line ? 0 : input.ny) &&
    output.dx === dx &&
    output.dy === dy &&
    output.dt === input.dt &&
    output.steps === input.steps &&
    output.time === input.dt * input.steps &&
    Math.abs(output.r - r) <= 1e-12 * r &&
    output.damped === isDamped(input, startOf(input, initial)) &&
    output.field.length === nodes
  )
}

/** The part of a whole scale that a number counts as at least: near its zero no number has an error of its own. */
const SHARE_MIN = 0.1

/** Errors of the numbers that are read off the field, in percent. */
interface ReadingErrors {
  readonly mean: number
  readonly nodes: number
  readonly most: number
}

/**
 * The value and the mean against those of the exact field, the mean by the integrals of its modes. What is read off a
 * node is that node's, and is as close to the exact field's as the field as a whole: it counts by how far the exact one
 * is from the steady state or from the base of the start, a tenth of the whole scale at least.
 */
const readingsOf = (output: HeatOutput, field: Float64Array, due: Reference, scales: Distances): ReadingErrors => {
  const { exact, steady } = due
  const columns = output.nx + 1
  const rows = exact.length / columns
  const square = new Float64Array(exact.length)
  for (let i = 0; i < square.length; i++) square[i] = (exact[i] - steady[i]) * (exact[i] - steady[i])
  const l2 = sqrt(meanOf(square, rows, columns))
  const centre = ((rows - 1) >> 1) * columns + ((columns - 1) >> 1)
  let [low, high] = [0, 0]
  for (let i = 1; i < exact.length; i++) {
    if (exact[i] < exact[low]) low = i
    if (exact[i] > exact[high]) high = i
  }
  const { minimum, maximum } = squaresOf(field, { rows, columns })
  // What is read off one node has no rounding: another number is another node's.
  const read = (found: number, node: number): number => (found === node ? 0 : 1)
  const own = (found: number, at: number): number =>
    Math.abs(found - exact[at]) /
    Math.max(Math.abs(exact[at] - steady[at]), Math.abs(exact[at] - scales.base), SHARE_MIN * scales.largest)
  const off = [own(output.centreTemperature, centre), own(output.minTemperature, low), own(output.maxTemperature, high)]
  const mean =
    Math.abs(output.meanTemperature - (meanOf(steady, rows, columns) + due.mean)) /
    Math.max(Math.abs(due.mean), SHARE_MIN * scales.rms)
  const nodes = off.reduce((most, error) => (error <= most ? most : error), 0)
  const errors = [
    mean,
    nodes,
    Math.abs(output.l2Norm - l2) / l2,
    read(output.centreTemperature, field[centre]),
    read(output.minTemperature, minimum),
    read(output.maxTemperature, maximum),
  ]
  return { mean: 100 * mean, nodes: 100 * nodes, most: 100 * Math.max(...errors) }
}

const AGAINST = 'exact decay of the initial field in continuum sine, cosine or Fourier modes'

/**
 * Checks a heat result against the exact solution of the same initial nodes: the whole field (relative L2), single
 * nodes that stand out from their neighbours, the numbers read off the field and the maximum principle. The error is
 * the largest of them, in percent of the exact deviation from the steady state.
 *
 * @throws Fault ILL_POSED when that deviation is below 1e-12 of the temperatures.
 */
export const checkHeat = (input: HeatInput, output: HeatOutput): Reality => {
  const initial = initialTemperature(input)
  if (!echoes(input, output, initial)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const field = asField(output.field)
  const reference = exactSolution(input, initial)
  const { minimum, maximum } = squaresOf(initial, { rows: initial.length / (input.nx + 1), columns: input.nx + 1 })
  const natural = Math.max(Math.abs(minimum), Math.abs(maximum), Math.abs(input.boundary.temperature))
  const scales = { ...distancesOf(field, reference), base: input.boundary.temperature }
  if (!(scales.largest > SIGNAL_MIN * natural)) {
    throw new Fault('ILL_POSED', 'The exact field has decayed: too little is left to measure an error against.', {
      measured: scales.largest / natural,
      limit: SIGNAL_MIN,
    })
  }
  const { l2Pct, maxPct } = scales
  const readings = readingsOf(output, field, reference, scales)
  const local = localErrorOf(field, reference.exact, { columns: input.nx + 1, beyond: 'mirror' })
  const localPct = (100 * local) / scales.largest
  const overshootPct = (100 * overshootOf(input, field, initial)) / scales.largest
  const errorsPct = [l2Pct, localPct, readings.most, overshootPct]
  const broken = errorsPct.some((error) => !Number.isFinite(error))
  return {
    against: AGAINST,
    errorPct: broken ? Number.NaN : errorsPct.reduce((most, error) => Math.max(most, error), 0),
    figures: {
      ...{ l2_pct: l2Pct, worst_node_pct: maxPct, local_pct: localPct, overshoot_pct: overshootPct },
      ...{ mean_pct: readings.mean, read_nodes_pct: readings.nodes, dt: input.dt },
    },
  }
}
