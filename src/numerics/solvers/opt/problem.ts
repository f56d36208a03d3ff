import { objectiveOf, parseFunction } from './expression.ts'
import { boxes, type Objective, objectives } from './functions.ts'
import type { Method, OptInput } from './schema.ts'

/** The box of an input. */
export const boxOf = ({ function: name, dimension, lower, upper }: OptInput): Box => {
  const [low, high] = boxes[name]
  return {
    lower: lower === undefined ? new Float64Array(dimension).fill(low) : Float64Array.from(lower),
    upper: upper === undefined ? new Float64Array(dimension).fill(high) : Float64Array.from(upper),
  }
}

/** The function of an input, moved by its shift. */
export const objectiveFor = (input: OptInput): Objective => {
  const { function: name, shift, dimension } = input
  const plain = name === 'expression' ? objectiveOf(parseFunction(input.expression.f, dimension)) : objectives[name]
  if (shift === undefined) return plain
  const moved = new Float64Array(dimension)
  return (x, slope) => {
    for (let i = 0; i < dimension; i++) moved[i] = x[i] - (shift[i] as number)
    return plain(moved, slope)
  }
}

/** The method that `auto` stands for: many local minima call for the strategy. */
export const methodOf = ({ method, function: name }: OptInput): Method => {
  if (method !== 'auto') return method
  return name === 'rosenbrock' || name === 'himmelblau' || name === 'expression' ? 'lbfgs' : 'cma-es'
}

/** The box in the coordinates of the function itself, before its shift. */
export const unshifted = ({ lower, upper }: Box, shift: OptInput['shift']): Box => {
  const back = (values: Float64Array): Float64Array => values.map((x, i) => x - (shift?.[i] ?? 0))
  return shift === undefined ? { lower, upper } : { lower: back(lower), upper: back(upper) }
}

/** A box of d coordinates. */
export interface Box {
  readonly lower: Float64Array
  readonly upper: Float64Array
}
