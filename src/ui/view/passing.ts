import type { ApiProblem } from '#ui/server/api.ts'

/** A value that would pass, the input that it is for, and the refusal as a sentence. */
export interface Passing {
  readonly input: string
  readonly value: number
  readonly sentence: string
}

/** What a schema's refusal says of a bound: `must be <= 4096`. */
const BOUND = /^must be (<|>)= /

/** A bound of a solver's input, as the node tells of it. */
const ofSchema = ({ path, limit, errors }: ApiProblem['members']): Passing | undefined => {
  if (typeof path !== 'string' || typeof limit !== 'number' || !Array.isArray(errors)) return undefined
  const { message } = (errors[0] ?? {}) as { readonly message?: unknown }
  const [, side] = BOUND.exec(String(message)) ?? []
  if (side === undefined) return undefined
  const input = path.replace(/^\//, '').replaceAll('/', '.')
  return { input, value: limit, sentence: `The ${side === '<' ? 'most' : 'least'} for ${input} is ${limit}.` }
}

/** The range of a relation's variable; of a value with the wrong sign, its size. */
const ofVariable = ({ message, members }: ApiProblem): Passing | undefined => {
  const { symbol, value, min, max, positive, integer } = members
  if (typeof symbol !== 'string' || typeof value !== 'number') return undefined
  const found = (passes: number): Passing => ({ input: symbol, value: passes, sentence: message })
  if (typeof max === 'number' && value > max) return found(max)
  if (positive === true && value <= 0) return value === 0 ? undefined : found(-value)
  if (typeof min === 'number' && value < min) return found(min)
  return integer === true ? found(Math.round(value)) : undefined
}

/** The nearest value that passes, where a refusal is about the range of one input. */
export const passingOf = (problem: ApiProblem): Passing | undefined => {
  if (problem.code === 'INVALID_INPUT') return ofSchema(problem.members)
  return problem.code === 'OUT_OF_RANGE' ? ofVariable(problem) : undefined
}
