import { Fault } from '#core/fault.ts'
import { OPERATORS_MAX } from '#core/price.ts'
import type { Order } from './computation.ts'
import { KERNEL_ID, type Operator, type OperatorRegistry } from './registry.ts'

/** Characters of an operator's id. */
const ID_LENGTH_MAX = 64
/** Ids a call may list, KO42 included. */
export const LISTED_MAX = 16
/** Inputs of one call. */
export const INPUTS_MAX = 64

const invalid = (why: string, details: Readonly<Record<string, unknown>> = {}): never => {
  throw new Fault('INVALID_INPUT', why, details)
}

const idsOf = (operators: unknown): readonly string[] => {
  if (!Array.isArray(operators)) return invalid('operators is a list of ids.')
  if (operators.length > LISTED_MAX) tooMany(operators.length)
  return operators.map((id) => {
    if (typeof id !== 'string' || id.trim() === '') return invalid('An operator is named by its id, a text.')
    if (id.length > ID_LENGTH_MAX) return invalid(`An operator id has at most ${ID_LENGTH_MAX} characters.`)
    return id.trim().toUpperCase()
  })
}

const tooMany = (count: number): never => {
  throw new Fault(
    'OPERATOR_LIMIT_EXCEEDED',
    `A computation takes 1 to ${OPERATORS_MAX} operators beside ${KERNEL_ID}; this one names ${count}.`,
    { count, limit: OPERATORS_MAX },
  )
}

/**
 * The domain operators of an order in its order; KO42 is taken out wherever it stands, since it comes first anyway.
 *
 * @throws Fault OPERATOR_LIMIT_EXCEEDED, UNKNOWN_OPERATOR, INVALID_INPUT
 */
export const selectOperators = (registry: OperatorRegistry, order: Order): readonly Operator[] => {
  const ids = idsOf(order.operators).filter((id) => id !== KERNEL_ID)
  if (ids.length < 1 || ids.length > OPERATORS_MAX) tooMany(ids.length)
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined) invalid(`The operator ${twice} stands twice in the chain.`, { operator: twice })
  return ids.map((id) => registry.operator(id))
}

/** The inputs of an order as pairs. @throws Fault INVALID_INPUT */
export const inputsOf = (order: Order): readonly (readonly [string, unknown])[] => {
  const { inputs } = order as { inputs: unknown }
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)) {
    return invalid('inputs is an object of named values.')
  }
  const pairs = Object.entries(inputs)
  return pairs.length > INPUTS_MAX ? invalid(`More than ${INPUTS_MAX} inputs.`, { limit: INPUTS_MAX }) : pairs
}

/** The bracket of an order. @throws Fault INVALID_INPUT */
export const bracketOf = (order: Order): readonly [number, number] | undefined => {
  const { bracket } = order as { bracket?: unknown }
  if (bracket === undefined || bracket === null) return undefined
  const [least, most, ...more] = Array.isArray(bracket) ? (bracket as readonly unknown[]) : []
  const fits = typeof least === 'number' && typeof most === 'number' && more.length === 0 && least < most
  return fits && Number.isFinite(most - least)
    ? [least, most]
    : invalid('bracket is two finite numbers, the lesser first.')
}
