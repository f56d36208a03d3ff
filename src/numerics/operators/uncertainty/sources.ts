import { Fault } from '#core/fault.ts'
import { commensurable } from '#core/units.ts'
import type { Plan } from '#numerics/operators/chain.ts'
import type { Order, Uncertain } from '#numerics/operators/computation.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import type { Target } from '#numerics/operators/names.ts'
import { requireUncertainty } from '#numerics/operators/quantity.ts'
import type { Operator } from '#numerics/operators/registry.ts'
import { meaningOf } from '#numerics/operators/resolve.ts'

/** Entries of `uncertainties`, and names of one entry. */
const LISTED_MAX = 64
const NAMES_MAX = 64

/** One independent cause of uncertainty and every place of the chain that it moves, by as much. */
export interface Source {
  /** The first variable that it moves, `ID.symbol`, or `@key` of a constant. */
  readonly key: string
  readonly kind: 'input' | 'constant'
  readonly of: readonly string[]
  readonly name: string
  readonly value: number | null
  readonly unit: string
  /** Standard uncertainty in SI. */
  readonly standard: number
}

/** How a variable of a chain is named for good. */
export const keyOf = (id: string, symbol: string): string => `${id}.${symbol}`

const invalid = (why: string, more: Readonly<Record<string, unknown>> = {}): never => {
  throw new Fault('INVALID_INPUT', `uncertainties: ${why}`, { input: 'uncertainties', ...more })
}

/** The variables of one entry of `uncertainties`. */
const targetsIn = (names: unknown, operators: readonly Operator[]): readonly Target[] => {
  if (!Array.isArray(names) || names.length === 0 || names.length > NAMES_MAX) {
    return invalid(`each has \`of\`, 1 to ${NAMES_MAX} names of variables.`)
  }
  const targets = names.flatMap((name): readonly Target[] =>
    typeof name === 'string' ? meaningOf(operators, name) : invalid('a variable is named by a text.'),
  )
  const [first] = targets
  const other = targets.find((it) => first !== undefined && !commensurable(it.quantity.of, first.quantity.of))
  if (first === undefined || other === undefined) return targets
  throw new Fault(
    'DIMENSION_MISMATCH',
    `uncertainties: ${other.quantity.unit} and ${first.quantity.unit} in one error.`,
    {
      input: 'uncertainties',
      given: other.quantity.unit,
      wanted: first.quantity.unit,
    },
  )
}

const listed = (given: unknown, operators: readonly Operator[]): Uncertain => {
  const { of: names, standard, ...more } = (given ?? {}) as { of?: unknown; standard?: unknown }
  if (typeof given !== 'object' || Object.keys(more).length > 0) invalid('each entry is {of, standard}.')
  const targets = targetsIn(names, operators)
  if (typeof standard !== 'number') return invalid('standard is a number in SI.')
  for (const { operator, quantity } of targets) {
    const input = keyOf(operator.row.id, quantity.symbol)
    requireUncertainty(standard, { operator: operator.row.id, input, quantity })
  }
  return { of: targets.map((it) => keyOf(it.operator.row.id, it.quantity.symbol)), standard: standard + 0 }
}

/** Uncertainties that stand with the values: what one name binds is one source. */
const withValues = (plans: readonly Plan[]): readonly Uncertain[] => {
  const byName = new Map<string, { of: string[]; standard: number }>()
  for (const { operator, given } of plans) {
    for (const [symbol, { as, uncertainty }] of given) {
      if (uncertainty === undefined) continue
      const source = byName.get(as) ?? { of: [], standard: uncertainty }
      source.of.push(keyOf(operator.row.id, symbol))
      byName.set(as, source)
    }
  }
  return [...byName.values()]
}

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

/**
 * Every uncertainty of an order in one form: variables by their lasting names, sorted, in SI. Undefined when there is
 * none at all, so that such an order keeps its bytes.
 *
 * @throws Fault INVALID_INPUT for a malformed entry and for a variable without a value; AMBIGUOUS_INPUT for a variable
 *   with two uncertainties; DIMENSION_MISMATCH, OUT_OF_RANGE.
 */
export const uncertaintiesOf = (order: Order, plans: readonly Plan[]): readonly Uncertain[] | undefined => {
  const { uncertainties } = order as { uncertainties?: unknown }
  const beside = uncertainties ?? []
  if (!Array.isArray(beside) || beside.length > LISTED_MAX) return invalid(`a list of at most ${LISTED_MAX}.`)
  const operators = plans.map((it) => it.operator)
  const all = [...withValues(plans), ...beside.map((it: unknown) => listed(it, operators))]
  if (all.length === 0) return undefined
  const known = new Set(
    plans.flatMap(({ operator, given }) => [...given.keys()].map((it) => keyOf(operator.row.id, it))),
  )
  const seen = new Set<string>()
  for (const key of all.flatMap((it) => it.of)) {
    if (!known.has(key)) invalid(`${key} has no value that could be uncertain.`, { variable: key })
    if (seen.has(key)) {
      throw new Fault('AMBIGUOUS_INPUT', `${key} has two uncertainties; give one.`, { input: key })
    }
    seen.add(key)
  }
  return all
    .map(({ of, standard }) => ({ of: [...of].sort(byText), standard }))
    .sort((a, b) => byText(a.of[0] ?? '', b.of[0] ?? ''))
}

/** The inputs' sources, then those of the constants that are not exact (CODATA's standard uncertainties). */
export const sourcesOf = (uncertainties: readonly Uncertain[], plans: readonly Plan[]): readonly Source[] => {
  const at = new Map(
    plans.flatMap(({ operator, given }) =>
      [...given].map(([symbol, { value }]) => {
        const quantity = operator.relation().quantities.get(symbol)
        return [keyOf(operator.row.id, symbol), { value, name: quantity?.name ?? symbol, unit: quantity?.unit ?? '1' }]
      }),
    ),
  )
  const inputs = uncertainties.map(({ of, standard }): Source => {
    const [key = ''] = of
    const { value = null, name = key, unit = '1' } = at.get(key) ?? {}
    const same = of.every((it) => at.get(it)?.value === value)
    return { key, kind: 'input', of, name, value: same ? value : null, unit, standard }
  })
  const keys = [...new Set(plans.flatMap(({ operator }) => operator.relation().constants))].sort()
  const constants = keys.flatMap((it): readonly Source[] => {
    const { name, value, unit, uncertainty } = constantOf(it)
    const standard = Number(uncertainty)
    const key = `@${it}`
    return standard > 0 ? [{ key, kind: 'constant', of: [key], name, value, unit, standard }] : []
  })
  return [...inputs, ...constants]
}
