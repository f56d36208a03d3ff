import { gridOf } from '#numerics/methods/diffusion/grid.ts'
import { squaresOf } from '#numerics/methods/fields.ts'
import { nodesOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

/** Nodes on each side that a second derivative of twelfth order takes. */
const REACH = 6

/** Weights of −h²·∂² at a node and at those 1 to 6 away: 2(−1)^j·(6!)²/(j²·(6 − j)!·(6 + j)!), together none. */
const weightsOf = (): readonly number[] => {
  let ratio = 1
  const outer = Array.from({ length: REACH }, (_, i) => {
    const j = i + 1
    ratio *= (REACH - i) / (REACH + j)
    return ((j % 2 === 1 ? -2 : 2) * ratio) / (j * j)
  })
  return [-2 * outer.reduce((sum, it) => sum + it, 0), ...outer]
}

const WEIGHTS = weightsOf()

/** The sum over a line of a field times −h² its second derivative, by edges that hold it, let it go or are a ring. */
const lineOf = (padded: Float64Array, intervals: number, boundary: WaveInput['boundary']): number => {
  const first = REACH
  for (let j = 1; j <= REACH; j++) {
    const [left, right] = [first + j, first + intervals - j]
    const ring = boundary === 'periodic'
    const sign = boundary === 'fixed' ? -1 : 1
    padded[first - j] = ring ? padded[right] : sign * padded[left]
    padded[first + intervals + j] = ring ? padded[left] : sign * padded[right]
  }
  let sum = 0
  for (let i = 0; i <= intervals; i++) {
    const at = first + i
    let bend = WEIGHTS[0] * padded[at]
    for (let j = 1; j <= REACH; j++) bend += WEIGHTS[j] * (padded[at - j] + padded[at + j])
    sum += (i === 0 || i === intervals ? 0.5 : 1) * padded[at] * bend
  }
  return sum
}

/**
 * The mean over the domain of |∇u|², which is that of −u·Δu: nothing passes the edges. Slopes from node to node leave
 * out (kh)²/12 of a wave, this (kh)¹²/84,084.
 */
const meanSlope = (input: WaveInput, u: ArrayLike<number>): number => {
  const { rows, columns, dx, dy } = gridOf(nodesOf(input))
  const edge = (i: number, nodes: number): number => (nodes > 1 && (i === 0 || i === nodes - 1) ? 0.5 : 1)
  const padded = new Float64Array(Math.max(rows, columns) + 2 * REACH)
  let [along, across] = [0, 0]
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns; i++) padded[REACH + i] = u[row * columns + i]
    along += edge(row, rows) * lineOf(padded, columns - 1, input.boundary)
  }
  for (let column = 0; rows > 1 && column < columns; column++) {
    for (let i = 0; i < rows; i++) padded[REACH + i] = u[i * columns + column]
    across += edge(column, columns) * lineOf(padded, rows - 1, input.boundary)
  }
  return (along / (dx * dx) + across / (dy * dy)) / ((columns - 1) * Math.max(1, rows - 1))
}

/** Mean energy of a membrane, in m²/s² (of unit mass per area). */
export const membraneEnergy = (
  input: WaveInput,
  displacement: ArrayLike<number>,
  velocity: ArrayLike<number>,
): number => {
  const speed = squaresOf(velocity, gridOf(nodesOf(input))).meanSquare
  return (speed + input.c * input.c * meanSlope(input, displacement)) / 2
}
