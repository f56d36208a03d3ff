import { Fault } from '#core/fault.ts'
import { type Plan, planChain } from './chain.ts'
import type { Binding, BoundOrder, Computation, Link, Order, Propagated } from './computation.ts'
import { type ComputedLink, computeLink } from './link.ts'
import { formOf, formPlace, inputsAgain, type OrderForm, planAgain } from './order-form.ts'
import type { OperatorRegistry } from './registry.ts'
import { type BoundName, bindInputs } from './resolve.ts'
import { bracketOf, inputsOf, selectOperators } from './select.ts'
import { recordSteps } from './steps.ts'
import { propagate } from './uncertainty/propagate.ts'
import { uncertaintiesOf } from './uncertainty/sources.ts'

const AGAINST_DIRECT = 'the relation re-evaluated at 50 digits from the same inputs, with all digits of the constants'
const AGAINST_ROOT = 'the change of sign of the relation at 50 digits around the value'

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

/** What an order's names mean, worked out. @throws Fault of the order's shape, names and values. */
const planned = (registry: OperatorRegistry, order: Order) => {
  const operators = selectOperators(registry, order)
  for (const operator of operators) operator.relation()
  const inputs = inputsOf(order)
  const bracket = bracketOf(order)
  const readings: BoundName[] = []
  const bound = bindInputs(operators, inputs, (reading) => readings.push(reading))
  const plans = planChain(operators, bound, order.solve_for)
  return { bracket, plans, form: formOf(registry, order, { plans, readings }) }
}

/** The same of an order of known form: nothing can be wrong with it but its bracket and its values. */
const plannedAgain = (form: OrderForm, order: Order) => {
  const inputs = inputsOf(order)
  const bracket = bracketOf(order)
  return { bracket, plans: planAgain(form, inputs), form }
}

/**
 * Computes an order: a pure function of the order, the registry's rows and the constants, with the same bits on every
 * engine. It measures and decides nothing: the gate refuses what is above its bound or NaN.
 *
 * @throws Fault OPERATOR_LIMIT_EXCEEDED, UNKNOWN_OPERATOR, RELATION_REFUSED, INVALID_INPUT, MISSING_INPUTS,
 *   AMBIGUOUS_INPUT, DIMENSION_MISMATCH, OUT_OF_RANGE, ILL_POSED, CONSTANT_NOT_FOUND; nothing has happened when it
 *   throws.
 */
export const computeOperators = (registry: OperatorRegistry, order: Order): Computation => {
  const place = formPlace(registry, order)
  const { bracket, plans, form } = place.form === undefined ? planned(registry, order) : plannedAgain(place.form, order)
  if (place.form === undefined) place.keep(form)
  const uncertainties = uncertaintiesOf(order, plans)
  const computed: ComputedLink[] = []
  for (const plan of plans) computed.push(computeLink(plan, computed.at(-1), bracket))
  const chain = computed.map(({ link }) => link)
  const last = chain.at(-1)
  if (last === undefined) throw new Error('broken invariant: a chain has a last link')
  const { operators, domain, constants, equations } = form
  const measured = largest(chain)
  const bindings = bindingsOf(plans, chain)
  const normal: BoundOrder = {
    operators,
    inputs: inputsAgain(form, plans),
    solve_for: form.solveFor,
    bracket: bracket ?? null,
    ...(uncertainties !== undefined && { uncertainties }),
  }
  const check = { against: last.method === 'direct' ? AGAINST_DIRECT : AGAINST_ROOT, measured }
  return {
    operators,
    domain,
    value: last.value,
    unit: last.unit,
    output: { operator: last.id, symbol: last.output, name: last.output_name },
    order: normal,
    bindings,
    constants,
    chain,
    precisionActual: measured,
    check,
    equations,
    steps: recordSteps({ registry, operators, domain: last.domain, bindings, constants, chain, check }),
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
