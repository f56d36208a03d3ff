import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { parseUnit, toSi } from '#core/units.ts'
import type { Computation, Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { type Attempt, type AttemptPlaces, type AttemptQuestion, attemptOf, isScale } from './attempt.ts'
import { type BoundInput, heardAs } from './bound-input.ts'
import { boundFrom } from './materials.ts'
import { withCarets } from './word-units.ts'

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

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

const refuseAmounts = ({ operator, unread }: Attempt): never => {
  const list = unread.map(({ text }) => text).join(', ')
  throw new Fault('AMBIGUOUS_INPUT', `Read as ${operator.row.id}, but what is ${list}? Name it, as in “mass = 5 kg”.`, {
    unread: unread.map(({ text }) => text),
    inputs: Object.entries(operator.row.variables).map(([symbol, { name, unit }]) => `${symbol}: ${name}, ${unit}`),
  })
}

const refuseAsked = ({ operator }: Attempt): never => {
  const { id, variables, solves_for } = operator.row
  const list = solves_for.map((symbol) => variables[symbol]?.name ?? symbol)
  throw new Fault('AMBIGUOUS_INPUT', `Read as ${id}, but that gives ${list.join(' or ')}, which is not asked for.`, {
    unread: [],
    inputs: list,
  })
}

/** What an operator would be called with, as far as the question says. */
export const orderOf = (attempt: Attempt, constants: Readonly<Record<string, unknown>>): Order => {
  const { operator, asked, placed, supplied } = attempt
  const fromQuery = placed.map(({ amount: { number, unit }, quantity }): readonly [string, string | number] => {
    if (unit === undefined) return [quantity.symbol, Number(number)]
    // A step of a scale with an offset: `10 °F` warmer.
    if (quantity.difference !== true || !isScale(unit)) return [quantity.symbol, `${number} ${unit}`]
    const read = parseUnit(withCarets(unit))
    return [quantity.symbol, `${toSi(number, read) - toSi(0, read)} K`]
  })
  const inputs = { ...constants, ...Object.fromEntries(fromQuery), ...supplied.more }
  const forward = asked === operator.relation().output
  return { operators: [operator.row.id], inputs, ...(forward ? {} : { solve_for: asked }) }
}

/** Where the values of a question would go, as they were written: what a refusal of one of them shows. */
const boundIn = ({ placed }: Attempt, { constants }: AttemptQuestion): readonly BoundInput[] => [
  ...placed.map(({ amount: { text }, quantity: { symbol, unit } }): BoundInput => {
    return { input: symbol, from: 'query', given: text, value: text, unit }
  }),
  ...Object.entries(constants).map(([input, given]): BoundInput => {
    return { input, from: 'constants', given: asJson(given), value: asJson(given), unit: '' }
  }),
]

/**
 * Binds constants and the amounts of a query to an operator, and computes: what is missing is asked for by the operator
 * pipeline, with the names that would do.
 *
 * @throws Fault AMBIGUOUS_INPUT, and those of the pipeline: MISSING_INPUTS, RELATION_REFUSED, DIMENSION_MISMATCH …
 */
export const bindOperator = (places: AttemptPlaces, id: string, question: AttemptQuestion): OperatorBinding => {
  const attempt = attemptOf(places, id, question)
  const { placed, amounts, loose, own, supplied } = attempt
  const { usual, fromMaterial, fromBody, named, inSky } = supplied
  if (attempt.unread.length > 0) refuseAmounts(attempt)
  if (attempt.askedBy === 'against') refuseAsked(attempt)
  const order = orderOf(attempt, question.constants)
  const read = {
    kind: 'operators' as const,
    name: id,
    title: attempt.operator.row.name,
    bound: boundIn(attempt, question),
  }
  const computation = heardAs(read, () => computeOperators(places.registry, order))
  const bound = computation.bindings.flatMap((it): readonly BoundInput[] => {
    if (usual[it.symbol] !== undefined) return []
    const { symbol: input, unit } = it
    const material = fromMaterial.get(input)
    if (material !== undefined) return [boundFrom({ input, from: 'material', unit }, material, it.value)]
    const body = fromBody.get(input)
    if (body !== undefined) return [boundFrom({ input, from: 'body', unit }, body, it.value)]
    const amount = placed.find(({ quantity }) => quantity.symbol === input)?.amount
    const from = amount === undefined ? 'constants' : 'query'
    return [{ input, from, given: amount?.text ?? asJson(it.given), value: it.value, unit }]
  })
  const giving = new Set([...fromMaterial.values(), ...fromBody.values()].map(({ of }) => of))
  const idle = named.filter((it) => !giving.has(it)).map(({ word }) => word)
  const used = [
    ...[...amounts.map(({ name }) => name ?? ''), ...Object.keys(question.constants), ...Object.values(own).flat()],
    // A diameter that was read as a radius is heard.
    ...placed.flatMap(({ amount: { number, text } }) =>
      Number.parseFloat(text) === 2 * Number(number) ? ['diameter'] : [],
    ),
    ...[...named, ...inSky].flatMap((it) => (giving.has(it) ? [it.word] : [])),
  ]
  return { order, bound, computation, usual, unread: idle, loose: loose.map(({ text }) => text), used }
}
