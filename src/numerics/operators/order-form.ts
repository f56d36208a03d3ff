import { recent } from '#core/recent.ts'
import type { Plan } from './chain.ts'
import type { Computation, Order } from './computation.ts'
import { targetsOf } from './names.ts'
import { KERNEL_ID, type Operator, type OperatorRegistry } from './registry.ts'
import { type BoundName, bindAgain, constantsOf, type Inputs, NAME_LENGTH_MAX } from './resolve.ts'
import { INPUTS_MAX, LISTED_MAX } from './select.ts'

/** Forms kept for one registry; each holds names alone, of bounded length. */
const FORMS_MAX = 256

/** A variable that has a value, and the other variables that its symbol means in the chain. */
interface Spelling {
  readonly plan: number
  readonly symbol: string
  /** `ID.symbol`, which means nothing else. */
  readonly long: string
  readonly others: readonly { readonly plan: number; readonly symbol: string }[]
}

/**
 * What orders that differ in values alone have in common: what their names mean, what each operator computes, the
 * constants. No value is part of it, so a call learns nothing of another but that its names were used before.
 */
export interface OrderForm extends Pick<Computation, 'operators' | 'domain' | 'constants' | 'equations'> {
  /** Each operator of the chain, what it computes, and what it takes from the one before. */
  readonly links: readonly Omit<Plan, 'given'>[]
  /** How each input is read, in the order in which they are. */
  readonly readings: readonly BoundName[]
  readonly spellings: readonly Spelling[]
  /** `solve_for` of the bound order. */
  readonly solveFor: string | null
}

const domainOperators = ({ links }: Pick<OrderForm, 'links'>): readonly Operator[] => links.map((it) => it.operator)

const spellingsOf = (plans: readonly Plan[]): readonly Spelling[] => {
  const operators = plans.map((it) => it.operator)
  return plans.flatMap(({ operator, given }, plan) =>
    [...given.keys()].map((symbol): Spelling => {
      const meant = targetsOf(operators, symbol).map((it) => {
        return { plan: operators.indexOf(it.operator), symbol: it.quantity.symbol }
      })
      const others = meant.filter((it) => it.plan !== plan || it.symbol !== symbol)
      return { plan, symbol, long: `${operator.row.id}.${symbol}`, others }
    }),
  )
}

const solvedFor = (plans: readonly Plan[], name: string): string => {
  const operators = plans.map((it) => it.operator)
  const [target] = targetsOf(operators, name)
  const plan = plans.find((it) => it.operator === target?.operator)
  return `${plan?.operator.row.id}.${plan?.unknown.symbol}`
}

/** The form of an order that was bound and planned without a refusal. */
export const formOf = (
  registry: OperatorRegistry,
  { solve_for }: Pick<Order, 'solve_for'>,
  { plans, readings }: { readonly plans: readonly Plan[]; readonly readings: readonly BoundName[] },
): OrderForm => {
  const kernel = registry.operator(KERNEL_ID).row
  const operators = plans.map((it) => it.operator)
  const rows = [kernel, ...operators.map(({ row }) => row)]
  return {
    operators: rows.map(({ id }) => id),
    domain: operators[0]?.row.domain ?? kernel.domain,
    constants: constantsOf(operators),
    equations: rows.map(({ id, name, equation }) => ({ id, name, equation })),
    links: plans.map(({ operator, unknown, fed }) => ({ operator, unknown, fed })),
    readings,
    spellings: spellingsOf(plans),
    solveFor: solve_for === undefined || solve_for === null ? null : solvedFor(plans, solve_for),
  }
}

/** The plans of an order of this form. @throws Fault of its values, as `bindInputs` does. */
export const planAgain = (form: OrderForm, inputs: Inputs): readonly Plan[] => {
  const bound = bindAgain(domainOperators(form), inputs, form.readings)
  return form.links.map((it) => ({ ...it, given: bound.get(it.operator.row.id) ?? new Map() }))
}

/** The caller's values under names that bind them again: the symbol where it means nothing else, else ID.symbol. */
export const inputsAgain = ({ spellings }: OrderForm, plans: readonly Plan[]): Readonly<Record<string, number>> => {
  const valueAt = ({ plan, symbol }: Pick<Spelling, 'plan' | 'symbol'>) => plans[plan]?.given.get(symbol)?.value
  const pairs = spellings.map((it): [string, number] => {
    const value = valueAt(it) ?? Number.NaN
    return [it.others.every((other) => valueAt(other) === value) ? it.symbol : it.long, value]
  })
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A text and its length, so that texts beside each other read in one way only. */
const counted = (text: string): string => `${text.length}:${text}`

const isName = (it: unknown): it is string => typeof it === 'string' && it.length <= NAME_LENGTH_MAX

/** A text that orders of one form share, and no others; undefined for an order that is refused by its names anyway. */
const keyOf = ({ operators, inputs, solve_for }: Order): string | undefined => {
  if (!Array.isArray(operators) || typeof inputs !== 'object' || inputs === null) {
    return undefined
  }
  const names = Object.keys(inputs)
  if (operators.length > LISTED_MAX || names.length > INPUTS_MAX) return undefined
  const unknown = solve_for ?? undefined
  if (!operators.every(isName) || !names.every(isName) || !(unknown === undefined || isName(unknown))) return undefined
  return [operators, names, unknown === undefined ? [] : [unknown]].map((it) => it.map(counted).join('')).join(';')
}

const kept = new WeakMap<OperatorRegistry, ReturnType<typeof recent<string, OrderForm>>>()

const formsOf = (registry: OperatorRegistry) => {
  const known = kept.get(registry) ?? recent<string, OrderForm>(FORMS_MAX)
  kept.set(registry, known)
  return known
}

/** The place of an order's form, worked out once for all orders that differ in values alone. */
export const formPlace = (registry: OperatorRegistry, order: Order) => {
  const key = keyOf(order)
  return {
    form: key === undefined ? undefined : formsOf(registry).get(key),
    keep: (form: OrderForm): OrderForm => {
      if (key !== undefined) formsOf(registry).set(key, form)
      return form
    },
  }
}
