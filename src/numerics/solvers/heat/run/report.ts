import { sqrt } from '#numerics/math.ts'
import { gridOf, initialTemperature, startOf, temperatureOf } from '#numerics/methods/diffusion/grid.ts'
import { isDamped, rOf } from '#numerics/solvers/heat/limits.ts'
import type { HeatInput, HeatOutput } from '#numerics/solvers/heat/schema.ts'
import { meanWithin } from './mean.ts'

/** Sums over the domain: nodes on an edge count half in each direction. */
const domainMean = (input: HeatInput, term: (at: number) => number): number => {
  const { rows, columns } = gridOf(input)
  let sum = 0
  let weights = 0
  for (let at = 0; at < rows * columns; at++) {
    const column = at % columns
    const row = (at - column) / columns
    const side = column === 0 || column === columns - 1 ? 0.5 : 1
    const weight = rows > 1 && (row === 0 || row === rows - 1) ? side / 2 : side
    sum += weight * term(at)
    weights += weight
  }
  return sum / weights
}

/** The answer for a field of unknowns at the end of the run. */
export const reportOf = (input: HeatInput, unknowns: Float64Array): HeatOutput => {
  const { rows, columns, dx, dy } = gridOf(input)
  const initial = initialTemperature(input)
  const field = temperatureOf(input, unknowns)
  const meanAtStart = domainMean(input, (at) => initial[at])
  const fixed = input.boundary.kind === 'fixed'
  const left = input.boundary.temperature
  const right = input.boundary.right ?? left
  const steady = (at: number): number =>
    fixed ? left + (right - left) * ((at % columns) / (columns - 1)) : meanAtStart
  const line = input.dim === 1
  return {
    dim: input.dim,
    scheme: input.scheme,
    damped: isDamped(input, startOf(input, initial)),
    boundary: input.boundary.kind,
    nx: input.nx,
    ny: line ? 0 : input.ny,
    dx,
    dy: line ? 0 : dy,
    dt: input.dt,
    steps: input.steps,
    time: input.dt * input.steps,
    r: rOf(input).sum,
    l2Norm: sqrt(domainMean(input, (at) => (field[at] - steady(at)) * (field[at] - steady(at)))),
    centreTemperature: field[Math.floor((rows - 1) / 2) * columns + Math.floor((columns - 1) / 2)],
    minTemperature: field.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    maxTemperature: field.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    // The mean of what insulation or a ring keeps is that of the nodes: all other waves have none.
    meanTemperature: fixed ? (left + right) / 2 + meanWithin(unknowns, input) : domainMean(input, (at) => field[at]),
    field: field as unknown as readonly number[],
  }
}
