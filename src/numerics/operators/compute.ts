import { Fault } from '#core/fault.ts'
import { type Plan, planChain } from './chain.ts'
import type { Binding, BoundOrder, Computation, Link, Order, Propagated } from './computation.ts'
import { type ComputedLink, computeLink } from './link.ts'
import { targetsOf } from './names.ts'
import { KERNEL_ID, type Operator, type OperatorRegistry } from './registry.ts'
import { bindInputs, constantsOf } from './resolve.ts'
import { bracketOf, inputsOf, selectOperators } from './select.ts'
import { recordSteps } from './steps.ts'
import { propagate } from './uncertainty/propagate.ts'
import { uncertaintiesOf } from './uncertainty/sources.ts'

const AGAINST_DIRECT = 'the relation re-evaluated at 50 digits from the same inputs, with all digits of the constants'
const AGAINST_ROOT = 'the change of sign of the relation at 50 digits around the value'

/** The caller's values under names that bind them again: the symbol where it means nothing else, else ID.symbol. */
const inputsAgain = (operators: readonly Operator[], plans: readonly Plan[]): Readonly<Record<string, number>> => {
  const valueAt = (id: string, symbol: string): number | undefined =>
    plans.find(({ operator }) => operator.row.id === id)?.given.get(symbol)?.value
  const pairs = plans.flatMap(({ operator, given }) =>
    [...given].map(([symbol, { value }]): [string, number] => {
      const meant = targetsOf(operators, symbol)
      const plain = meant.every((it) => valueAt(it.operator.row.id, it.quantity.symbol) === value)
      return [plain ? symbol : `${operator.row.id}.${symbol}`, value]
    }),
  )
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const bindingsOf = (plans: readonly Plan[], links: readonly Link[]): readonly Binding[] =>
  plans.flatMap(({ operator, given, fed }, i) => {
    const quantities = operator.relation().quantities
    const own = [...given].map(([symbol, it]): Binding => {
      const { name = symbol, unit = '1' } = quantities.get(symbol) ?? {}
      return {
        operator: operator.row.id,
        symbol,
        name,
        value: it.value,
        unit,
        from: 'input',
        as: it.as,
        given: it.given,
      }
    })
    const before = links[i - 1]
    if (fed === undefined || before === undefined) return own
    const { symbol, name, unit } = fed
    const as = `${before.id}.${before.output}`
    return [
      ...own,
      { operator: operator.row.id, symbol, name, value: before.value, unit, from: 'chain', as, given: null },
    ]
  })

/** The largest error of a chain; one that could not be checked stays NaN. */
const largest = (links: readonly Link[]): number =>
  links.reduce((most, { errorPct }) => (Number.isNaN(most) || errorPct <= most ? most : errorPct), 0)

/**
 * Computes an order: a pure function of the order, the registry's rows and the constants, with the same bits on every
 * engine. It measures and decides nothing: the gate refuses what is above its bound or NaN.
 *
 * @throws Fault OPERATOR_LIMIT_EXCEEDED, UNKNOWN_OPERATOR, RELATION_REFUSED, INVALID_INPUT, MISSING_INPUTS,
 *   AMBIGUOUS_INPUT, DIMENSION_MISMATCH, OUT_OF_RANGE, ILL_POSED, CONSTANT_NOT_FOUND; nothing has happened when it
 *   throws.
 */
export const computeOperators = (registry: OperatorRegistry, order: Order): Computation => {
  const operators = selectOperators(registry, order)
  for (const operator of operators) operator.relation()
  const inputs = inputsOf(order)
  const bracket = bracketOf(order)
  const bound = bindInputs(operators, inputs)
  const plans = planChain(operators, bound, order.solve_for)
  const uncertainties = uncertaintiesOf(order, plans)
  const computed: ComputedLink[] = []
  for (const plan of plans) computed.push(computeLink(plan, computed.at(-1), bracket))
  const chain = computed.map(({ link }) => link)
  const last = chain.at(-1)
  if (last === undefined) throw new Error('broken invariant: a chain has a last link')
  const kernel = registry.operator(KERNEL_ID).row
  const ids = [KERNEL_ID, ...operators.map(({ row }) => row.id)]
  const measured = largest(chain)
  const bindings = bindingsOf(plans, chain)
  const constants = constantsOf(operators)
  const normal: BoundOrder = {
    operators: ids,
    inputs: inputsAgain(operators, plans),
    solve_for:
      order.solve_for === undefined || order.solve_for === null ? null : solvedFor(plans, order.solve_for, operators),
    bracket: bracket ?? null,
    ...(uncertainties !== undefined && { uncertainties }),
  }
  const check = { against: last.method === 'direct' ? AGAINST_DIRECT : AGAINST_ROOT, measured }
  return {
    operators: ids,
    domain: operators[0]?.row.domain ?? kernel.domain,
    value: last.value,
    unit: last.unit,
    output: { operator: last.id, symbol: last.output, name: last.output_name },
    order: normal,
    bindings,
    constants,
    chain,
    precisionActual: measured,
    check,
    equations: [kernel, ...operators.map(({ row }) => row)].map(({ id, name, equation }) => ({ id, name, equation })),
    steps: recordSteps({ registry, operators: ids, domain: last.domain, bindings, constants, chain, check }),
    ...(uncertainties !== undefined && { propagate: once(() => propagate({ plans, chain, order: normal })) }),
  }
}

/**
 * {@link computeOperators} for those who have no place for an uncertainty: one that would be lost is refused.
 *
 * @throws Fault as there; INVALID_INPUT for an input with an uncertainty.
 */
export const computeCertain = (registry: OperatorRegistry, order: Order): Computation => {
  const found = computeOperators(registry, order)
  if (found.propagate === undefined) return found
  throw new Fault('INVALID_INPUT', 'Uncertainties are propagated by `compute` alone.', {
    input: found.order.uncertainties?.[0]?.of[0],
  })
}

/** What is asked for twice is computed once. */
const once = (make: () => Propagated): (() => Propagated) => {
  let made: Propagated | undefined
  return () => {
    made ??= make()
    return made
  }
}

const solvedFor = (plans: readonly Plan[], name: string, operators: readonly Operator[]): string => {
  const [target] = targetsOf(operators, name)
  const plan = plans.find((it) => it.operator === target?.operator)
  return `${plan?.operator.row.id}.${plan?.unknown.symbol}`
}
