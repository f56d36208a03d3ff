import type { Order } from '#numerics/operators/computation.ts'
import { computeCertain } from '#numerics/operators/compute.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import { evaluate } from '#numerics/operators/evaluate.ts'
import { parseEquation } from '#numerics/operators/grammar.ts'
import { measureRoot, residualOf } from '#numerics/operators/measure.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { bindInputs } from '#numerics/operators/resolve.ts'
import type { SolveInput, SolveOutput } from '#numerics/solvers/solve/schema.ts'

/** What algebraic solves. */
export type Question = NonNullable<SolveInput['relation']>
/** What it finds. */
export type Root = NonNullable<SolveOutput['algebraic']>

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
  const told =
    found.operator === operator.row.id &&
    found.equation === operator.row.equation &&
    found.symbol === unknown?.symbol &&
    found.name === unknown.name &&
    found.unit === unknown.unit
  if (!equal || !told) return Number.NaN
  const others = new Map([...given].map(([symbol, { value }]) => [symbol, new Precise(value)]))
  return measureRoot(residualOf(operator.relation().equation, found.symbol, others), found.root)?.errorPct ?? Number.NaN
}

/** Points of the curve shown, and how far it reaches on either side of the root, relative. */
const CURVE_POINTS = 201
const REACH = 0.5

/** left − right around the root, for a picture: places and values, from the answer's own equation. */
export const curveAround = ({ equation: text, symbol, root, inputs }: Root) => {
  const equation = parseEquation(text)
  const values = new Map(Object.entries(inputs))
  const reach = root === 0 ? 1 : REACH * Math.abs(root)
  const x = Float64Array.from({ length: CURVE_POINTS }, (_, i) => root + reach * ((2 * i) / (CURVE_POINTS - 1) - 1))
  const y = x.map((at) => {
    values.set(symbol, at)
    return evaluate(equation.left, values) - evaluate(equation.right, values)
  })
  return { x, y }
}
