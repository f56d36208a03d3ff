import type { Decimal } from 'decimal.js'
import { Fault } from '#core/fault.ts'
import type { Plan } from './chain.ts'
import type { Link } from './computation.ts'
import { constantOf } from './constants.ts'
import { Precise } from './decimal.ts'
import { evaluate } from './evaluate.ts'
import { invert } from './invert.ts'
import { deviationPct } from './measure.ts'
import { evaluatePrecisely } from './precise.ts'
import { requireRange } from './quantity.ts'
import type { ParsedRelation } from './relation.ts'
import { failedCondition, refuseCondition } from './requires.ts'

/** A computed link: what is shown, and its value at 50 digits, made only for a next link to be checked with. */
export interface ComputedLink {
  readonly link: Link
  readonly precise: () => Decimal
}

/**
 * Inputs enter the judgement as their shortest decimal texts, which is what the caller and the receipt say: what
 * rounding an input to a double costs is measured with the rest.
 */
const inputsOf = (plan: Plan, before: ComputedLink | undefined) => {
  const values = new Map([...plan.given].map(([symbol, it]) => [symbol, it.value]))
  const precise = new Map([...values].map(([symbol, value]) => [symbol, new Precise(value)]))
  if (plan.fed !== undefined && before !== undefined) {
    const { symbol } = plan.fed
    const input = `${before.link.id}.${before.link.output}`
    requireRange(before.link.value, { operator: plan.operator.row.id, input, quantity: plan.fed })
    values.set(symbol, before.link.value)
    precise.set(symbol, before.precise())
  }
  return { values, precise }
}

/** The side that gives the unknown outright: its lone symbol stands on the left. */
const directSide = ({ equation, output }: ParsedRelation, unknown: string) =>
  equation.left.kind === 'symbol' && equation.left.name === unknown && output === unknown ? equation.right : undefined

const noValue = (plan: Plan, inputs: Readonly<Record<string, number>>): never => {
  const { row } = plan.operator
  throw new Fault('OUT_OF_RANGE', `${row.id}: the relation has no finite real value for these inputs.`, {
    operator: row.id,
    equation: row.equation,
    inputs,
  })
}

const solve = (
  plan: Plan,
  { values, precise }: ReturnType<typeof inputsOf>,
  bracket: readonly [number, number] | undefined,
) => {
  const { equation, requires } = plan.operator.relation()
  const { symbol } = plan.unknown
  const operator = plan.operator.row.id
  const early = failedCondition(
    requires.filter((it) => !it.symbols.includes(symbol)),
    values,
  )
  if (early !== undefined) refuseCondition(operator, early, values)
  const joint = requires.filter((it) => it.symbols.includes(symbol))
  const side = directSide(plan.operator.relation(), symbol)
  if (side === undefined) {
    const root = invert({ operator, equation, unknown: plan.unknown, values, precise, bracket, requires: joint })
    const { value, method, measure, others } = root
    return { value, method, errorPct: measure.errorPct, precise: measure.root, others }
  }
  const value = evaluate(side, values) + 0
  if (!Number.isFinite(value)) return noValue(plan, Object.fromEntries(values))
  const found = new Map([...values, [symbol, value]])
  const late = failedCondition(joint, found)
  if (late !== undefined) refuseCondition(operator, late, found)
  const exact = evaluatePrecisely(side, precise)
  return { value, method: 'direct' as const, errorPct: deviationPct(value, exact), precise: () => exact, others: [] }
}

/**
 * Computes one operator and measures the error of what it gives, errors of the link before it included.
 *
 * @throws Fault OUT_OF_RANGE when the relation has no finite real value here, one outside the range it holds in, or one
 *   that fails a condition of it; AMBIGUOUS_INPUT, ILL_POSED when solving.
 */
export const computeLink = (
  plan: Plan,
  before: ComputedLink | undefined,
  bracket: readonly [number, number] | undefined,
): ComputedLink => {
  const { row } = plan.operator
  const relation = plan.operator.relation()
  const inputs = inputsOf(plan, before)
  const { value, method, errorPct, precise, others } = solve(plan, inputs, bracket)
  const { symbol, name, unit } = plan.unknown
  requireRange(value, { operator: row.id, input: symbol, quantity: plan.unknown, role: 'output' })
  const link: Link = {
    id: row.id,
    name: row.name,
    domain: row.domain,
    equation: row.equation,
    output: symbol,
    output_name: name,
    value,
    unit,
    method,
    inputs: Object.fromEntries([...inputs.values].sort(([a], [b]) => (a < b ? -1 : 1))),
    constants: Object.fromEntries(relation.constants.map((key) => [key, constantOf(key).value])),
    errorPct,
    fed: before === undefined ? null : (plan.fed?.symbol ?? null),
    others,
  }
  return { link, precise }
}
