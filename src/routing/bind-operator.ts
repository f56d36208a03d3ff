import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { commensurable, parseUnit } from '#core/units.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Quantity } from '#numerics/operators/relation.ts'
import { type Amount, amountsOf, notRepeated, unitOrNone, withCarets } from './amounts.ts'
import { isContested, type PlaceNames, placeBeside } from './beside.ts'
import type { BoundInput } from './bound-input.ts'
import { boundFrom, type FoundProperty, materialsIn, propertyOf } from './materials.ts'
import type { OperatorWords, Vocabulary } from './vocabulary.ts'
import { folded } from './words.ts'

/** What a call binds of an operator. */
export interface OperatorBinding {
  readonly order: Order
  readonly bound: readonly BoundInput[]
  readonly computation: Computation
  /** Values that are usual where a question leaves them out: symbol, and what that means. */
  readonly usual: Readonly<Record<string, string>>
  /** Materials of the query that gave nothing. */
  readonly unread: readonly string[]
  /** Counts in words that have no place, and words that did something. */
  readonly loose: readonly string[]
  readonly used: readonly string[]
}

type Named = PlaceNames<Quantity>

const PURE = parseUnit('1')

type Called = Readonly<Record<string, readonly string[]>>

const calledOf = ({ symbol, name, aliases }: Quantity, own: Called): readonly string[] => [
  ...[name, ...(aliases ?? [])],
  ...(own[symbol] ?? []),
]

const namesOf = (quantities: readonly Quantity[], own: Called): Named =>
  quantities
    .flatMap((quantity) => calledOf(quantity, own).map((it): readonly [string, Quantity] => [folded(it), quantity]))
    .filter(([alias]) => alias.length > 3)
    .sort(([a], [b]) => b.length - a.length)

type Quantities = ReadonlyMap<string, Quantity>

const namesKnown = new WeakMap<Quantities, { readonly own: Called; readonly names: Named }>()
const NO_NAMES: Called = {}

/** The names of a relation's variables, kept for the next query that tries it. */
const namesIn = (quantities: Quantities, own: Called): Named => {
  const known = namesKnown.get(quantities)
  if (known?.own === own) return known.names
  const names = namesOf([...quantities.values()], own)
  namesKnown.set(quantities, { own, names })
  return names
}

const fits = ({ of }: Quantity, unit: string | undefined): boolean => {
  if (unit === undefined) return true
  const read = unitOrNone(unit)
  return read !== undefined && commensurable(read, of)
}

const byName = (amounts: readonly Amount[], i: number, names: Named, taken: ReadonlySet<string>) => {
  const { name, unit, loose: counted } = amounts[i] ?? {}
  // `three balls` are a count, not three kilograms.
  const open = (it: Quantity, given: string | undefined): boolean =>
    !taken.has(it.symbol) && fits(it, given) && !(counted === true && !commensurable(it.of, PURE))
  const own = name === undefined ? undefined : names.find(([, it]) => it.symbol === name && open(it, unit))?.[1]
  return own ?? placeBeside(amounts, i, names, { open, fits })
}

const isNumbered = ({ symbol }: Quantity): boolean => /\d$/.test(symbol)

/**
 * The variables of amounts that have no name, by their units: the only open one of its quantity, or, where there are as
 * many as open numbered ones (m1, m2), in order.
 */
const byUnit = (left: readonly Amount[], open: readonly Quantity[], output: string): ReadonlyMap<Amount, Quantity> => {
  const found = new Map<Amount, Quantity>()
  const free = (): readonly Quantity[] => open.filter((it) => ![...found.values()].includes(it))
  for (const amount of left) {
    const alike = left.filter(
      (it) => (it.unit === undefined) === (amount.unit === undefined) && !found.has(it) && sameUnit(it, amount),
    )
    const all = free().filter(
      (it) => fits(it, amount.unit) && (amount.unit !== undefined || commensurable(it.of, PURE)),
    )
    const inputs = all.filter(({ symbol }) => symbol !== output)
    const [first] = inputs
    if (alike.length === inputs.length && inputs.length > 1 && inputs.every(isNumbered)) {
      for (const [i, it] of alike.entries()) found.set(it, inputs[i] as Quantity)
    } else if (inputs.length === 1 && first !== undefined && !found.has(amount)) found.set(amount, first)
    else if (inputs.length === 0 && all[0] !== undefined && !found.has(amount)) found.set(amount, all[0])
  }
  return found
}

const sameUnit = (a: Amount, b: Amount): boolean => {
  if (a.unit === undefined || b.unit === undefined) return a.unit === b.unit
  const [x, y] = [unitOrNone(a.unit), unitOrNone(b.unit)]
  return x !== undefined && y !== undefined && commensurable(x, y)
}

const ASKED = /\b(?:solve (?:it )?for|find|what is|what's|compute|calculate|determine|give me)\s+(?:the\s+)?(.{2,60})/iu

/** The unknown that a query names as what it wants, if that is not the output anyway. */
const wanted = (query: string, names: Named, given: ReadonlySet<string>, output: string) => {
  const asked = folded(ASKED.exec(query)?.[1] ?? '')
  const found = names.find(([alias]) => asked.startsWith(alias))?.[1]
  return found === undefined || found.symbol === output || given.has(found.symbol) ? undefined : found.symbol
}

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

const refuseAmounts = (id: string, amounts: readonly Amount[], quantities: readonly Quantity[]): never => {
  const list = amounts.map(({ text }) => text).join(', ')
  throw new Fault('AMBIGUOUS_INPUT', `Read as ${id}, but what is ${list}? Name it, as in “mass = 5 kg”.`, {
    unread: amounts.map(({ text }) => text),
    inputs: quantities.map(({ symbol, name, unit }) => `${symbol}: ${name}, ${unit}`),
  })
}

/** What a question leaves out and its words imply: properties of a material that it names, and what is usual. */
const supplied = (
  missing: readonly Quantity[],
  {
    query,
    words,
    usual: isUsual,
    materials,
    bodies,
  }: {
    readonly query: string
    readonly words: OperatorWords | undefined
    /** Whether the question asks forward: what is usual holds for nothing else. */
    readonly usual: boolean
    readonly materials: Vocabulary['materials']
    readonly bodies: Vocabulary['bodies']
  },
) => {
  const named = materialsIn(query, materials)
  const inSky = materialsIn(query, bodies)
  const fromMaterial = new Map<string, FoundProperty>()
  const fromBody = new Map<string, FoundProperty>()
  const usual: Record<string, string> = {}
  const more: Record<string, string | number> = {}
  for (const quantity of missing) {
    const property = propertyOf(named, calledOf(quantity, words?.inputs ?? {}))
    const called = words?.bodies?.[quantity.symbol]
    const body = called === undefined ? undefined : propertyOf(inSky, [called])
    const [value, meaning] = words?.usual?.[quantity.symbol] ?? []
    const found = property ?? body
    if (found !== undefined) {
      ;(property === undefined ? fromBody : fromMaterial).set(quantity.symbol, found)
      more[quantity.symbol] = `${found.property[0]} ${withCarets(found.property[1])}`
    } else if (isUsual && value !== undefined && meaning !== undefined) {
      usual[quantity.symbol] = `${value} ${quantity.unit}: ${meaning}`
      more[quantity.symbol] = value
    }
  }
  return { named, inSky, fromMaterial, fromBody, usual, more }
}

/**
 * Binds constants and the amounts of a query to an operator, and computes: what is missing is asked for by the operator
 * pipeline, with the names that would do.
 *
 * @throws Fault AMBIGUOUS_INPUT, and those of the pipeline: MISSING_INPUTS, RELATION_REFUSED, DIMENSION_MISMATCH …
 */
export const bindOperator = (
  { registry, vocabulary }: { readonly registry: OperatorRegistry; readonly vocabulary: Vocabulary },
  id: string,
  { query, constants }: { readonly query: string; readonly constants: Readonly<Record<string, unknown>> },
): OperatorBinding => {
  const operator = registry.operator(id)
  const { quantities, output } = operator.relation()
  const all = [...quantities.values()]
  const words = vocabulary.operators.get(id)?.words
  const own = words?.inputs ?? NO_NAMES
  const names = namesIn(quantities, own)
  const taken = new Set<string>()
  for (const name of Object.keys(constants))
    for (const { quantity } of targetsOf([operator], name)) taken.add(quantity.symbol)
  const placed: { readonly amount: Amount; readonly quantity: Quantity }[] = []
  const left: Amount[] = []
  const amounts = notRepeated(amountsOf(query), constants)
  for (const [i, amount] of amounts.entries()) {
    const quantity = byName(amounts, i, names, taken)
    if (quantity === undefined) left.push(amount)
    else {
      taken.add(quantity.symbol)
      placed.push({ amount, quantity })
    }
  }
  const found = byUnit(
    left.filter((amount) => !isContested(amounts, amounts.indexOf(amount), names, fits)),
    all.filter(({ symbol }) => !taken.has(symbol)),
    output,
  )
  for (const [amount, quantity] of found) placed.push({ amount, quantity })
  const unread = left.filter((amount) => !found.has(amount) && !amount.loose)
  if (unread.length > 0) refuseAmounts(id, unread, all)
  const fromQuery = placed.map(({ amount: { number, unit }, quantity }): readonly [string, string | number] => [
    quantity.symbol,
    unit === undefined ? Number(number) : `${number} ${unit}`,
  ])
  const given = new Set([...taken, ...placed.map(({ quantity }) => quantity.symbol)])
  const solve_for = wanted(query, names, given, output)
  const asked = solve_for ?? output
  const missing = all.filter(({ symbol }) => !given.has(symbol) && symbol !== asked)
  const { named, inSky, fromMaterial, fromBody, usual, more } = supplied(missing, {
    query,
    words,
    usual: asked === output && !given.has(output),
    materials: vocabulary.materials,
    bodies: vocabulary.bodies,
  })
  const inputs = { ...constants, ...Object.fromEntries(fromQuery), ...more }
  const order: Order = { operators: [id], inputs, ...(solve_for === undefined ? {} : { solve_for }) }
  const computation = computeOperators(registry, order)
  const bound = computation.bindings.flatMap((it): readonly BoundInput[] => {
    if (usual[it.symbol] !== undefined) return []
    const material = fromMaterial.get(it.symbol)
    const { symbol: input, unit } = it
    if (material !== undefined) return [boundFrom({ input, from: 'material', unit }, material, it.value)]
    const body = fromBody.get(input)
    if (body !== undefined) return [boundFrom({ input, from: 'body', unit }, body, it.value)]
    const amount = placed.find(({ quantity }) => quantity.symbol === it.symbol)?.amount
    return [
      {
        input: it.symbol,
        from: amount === undefined ? 'constants' : 'query',
        given: amount?.text ?? asJson(it.given),
        value: it.value,
        unit: it.unit,
      },
    ]
  })
  const giving = new Set([...fromMaterial.values(), ...fromBody.values()].map(({ of }) => of))
  const idle = named.filter((it) => !giving.has(it)).map(({ word }) => word)
  const loose = left.filter((amount) => !found.has(amount)).map(({ text }) => text)
  const used = [
    ...[...amounts.map(({ name }) => name ?? ''), ...Object.keys(constants), ...Object.values(own).flat()],
    ...[...named, ...inSky].flatMap((it) => (giving.has(it) ? [it.word] : [])),
  ]
  return { order, bound, computation, usual, unread: idle, loose, used }
}
