import type { Order } from '#numerics/operators/computation.ts'
import { computeCertain } from '#numerics/operators/compute.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Question, Root } from '#numerics/solvers/solve/schema.ts'

/** One relation as an order of the operator pipeline. */
const orderOf = ({ operator, inputs, solve_for, bracket }: Question): Order => ({
  operators: [operator],
  inputs,
  solve_for: solve_for ?? null,
  bracket: bracket ?? null,
})

/**
 * The unknown of a relation, all others given.
 *
 * @throws Fault of the operator pipeline: AMBIGUOUS_INPUT lists the roots when there are several, ILL_POSED says that
 *   there is none, MISSING_INPUTS names what has no value.
 */
export const rootOf = (registry: OperatorRegistry, question: Question): Root => {
  const { chain } = computeCertain(registry, orderOf(question))
  const [link] = chain
  if (link === undefined) throw new Error('broken invariant: a chain has a link')
  return {
    operator: link.id,
    equation: link.equation,
    symbol: link.output,
    name: link.output_name,
    root: link.value,
    unit: link.unit,
    method: link.method,
    inputs: link.inputs,
  }
}
