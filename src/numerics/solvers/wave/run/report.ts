import { sqrt } from '#numerics/math.ts'
import { gridOf } from '#numerics/methods/diffusion/grid.ts'
import { squaresOf } from '#numerics/methods/fields.ts'
import { isLine, nodesOf, scheduleOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput, WaveOutput } from '#numerics/solvers/wave/schema.ts'
import { membraneEnergy } from './energy.ts'
import { lightEnergy } from './light-energy.ts'

/** What is read off the main field. */
export const readingsOf = (input: WaveInput, field: ArrayLike<number>) => {
  const grid = gridOf(nodesOf(input))
  const { rows, columns } = grid
  const { meanSquare, minimum, maximum } = squaresOf(field, grid)
  return {
    rms: sqrt(meanSquare),
    centre: field[Math.floor((rows - 1) / 2) * columns + Math.floor((columns - 1) / 2)],
    minimum,
    maximum,
  }
}

/** Every member that only repeats or follows from the input. */
export const echoesOf = (input: WaveInput) => {
  const line = isLine(input)
  const { dx, dy } = gridOf(nodesOf(input))
  const { dt, steps, time, courant } = scheduleOf(input)
  return {
    mode: input.mode,
    dim: line ? 1 : 2,
    order: input.mode === 'maxwell' ? 2 : input.order,
    boundary: input.boundary,
    nx: input.nx,
    ny: line ? 0 : input.ny,
    dx,
    dy: line ? 0 : dy,
    dt,
    steps,
    time,
    courant,
  } satisfies Partial<WaveOutput>
}

const sent = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer of a membrane. */
export const membraneReport = (input: WaveInput, displacement: Float64Array, velocity: Float64Array): WaveOutput => ({
  ...echoesOf(input),
  ...readingsOf(input, displacement),
  energy: membraneEnergy(input, displacement, velocity),
  displacement: sent(displacement),
  velocity: sent(velocity),
})

/** The answer of the line of light. @param magnetic in T. */
export const lightReport = (input: WaveInput, electric: Float64Array, magnetic: Float64Array): WaveOutput => ({
  ...echoesOf(input),
  ...readingsOf(input, electric),
  energy: lightEnergy(input, electric, magnetic),
  electric: sent(electric),
  magnetic: sent(magnetic),
})
