import { Precise } from '#numerics/operators/decimal.ts'
import { measureRoot, residualOf } from '#numerics/operators/measure.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { bindInputs } from '#numerics/operators/resolve.ts'
import type { Question, Root } from '#numerics/solvers/solve/schema.ts'

/** The unknown that a question names or leaves open, when the given ones are bound. */
const unknownOf = (registry: OperatorRegistry, { operator, solve_for }: Question, bound: ReadonlySet<string>) => {
  const it = registry.operator(operator)
  if (solve_for !== undefined && solve_for !== null) return targetsOf([it], solve_for)[0]?.quantity
  const { quantities, output } = it.relation()
  const open = [...quantities.values()].filter(({ symbol }) => !bound.has(symbol))
  return open.find(({ symbol }) => symbol === output) ?? open[0]
}

/**
 * The error of a root in percent: the least e for which left − right changes sign at 50 digits between x(1 − e) and
 * x(1 + e), the inputs read again. Every word of the answer must be the registry's; anything else is NaN.
 */
export const rootErrorPct = (registry: OperatorRegistry, question: Question, found: Root): number => {
  const operator = registry.operator(question.operator)
  const given = bindInputs([operator], Object.entries(question.inputs)).get(operator.row.id) ?? new Map()
  const unknown = unknownOf(registry, question, new Set(given.keys()))
  const names = Object.keys(found.inputs)
  const equal = names.length === given.size && names.every((name) => given.get(name)?.value === found.inputs[name])
  const named =
    found.operator === operator.row.id &&
    found.equation === operator.row.equation &&
    found.symbol === unknown?.symbol &&
    found.name === unknown.name &&
    found.unit === unknown.unit
  if (!equal || !named) return Number.NaN
  const others = new Map([...given].map(([symbol, { value }]) => [symbol, new Precise(value)]))
  return measureRoot(residualOf(operator.relation().equation, found.symbol, others), found.root)?.errorPct ?? Number.NaN
}
