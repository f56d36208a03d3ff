import type { Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'
import type { Declared } from '#numerics/contracts/definition/members.ts'
import type { Action, Definition, Transition, WindowRule } from '#numerics/contracts/definition/schema.ts'
import { compileExpression, type Program } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression } from '#numerics/contracts/language/grammar.ts'
import { BOOLEANS, between, type Domain, hull, NIL, NOTHING, NUMBERS, TEXTS } from './domain.ts'

/** An expression, read and made ready. */
export interface ReadExpression {
  readonly it: ContractExpression
  readonly run: Program
}

/** What something read may be, and whether it may be absent. */
export interface Readable {
  readonly domain: Domain
  readonly optional: boolean
}

/** A transition and where it stands. */
export interface Placed {
  readonly it: Transition
  readonly index: number
  readonly path: string
}

/** A definition prepared for questions. */
export interface Model {
  readonly definition: Definition
  readonly states: readonly string[]
  readonly initial: string
  readonly members: readonly string[]
  readonly transitions: readonly Placed[]
  /** Transitions that lead out of a state. */
  readonly from: ReadonlyMap<string, readonly Placed[]>
  /** What the context may ever hold, in the order of its members: what does not fit is never written. */
  readonly declared: readonly Domain[]
  /** What it holds at the beginning. */
  readonly start: readonly Scalar[]
  read(text: string): ReadExpression
  /** What a name may be in a fire of an event, or of none. */
  readable(name: string, event: string | undefined): Readable
}

/** Share by which a mean of doubles may lie outside of its values: beyond 2^32 of them it would take more. */
const MEAN_MARGIN = 1e-6
const COUNT: Domain = between(0, Number.POSITIVE_INFINITY, true)

/** What may stand in a member. */
export const domainOf = (it: Declared): Domain => {
  const { type, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, of = [], nullable = false } = it
  const plain = (): Domain => {
    if (type === 'number') return between(min, max)
    if (type === 'integer')
      return between(Math.max(min, Number.MIN_SAFE_INTEGER), Math.min(max, Number.MAX_SAFE_INTEGER), true)
    if (type === 'boolean') return BOOLEANS
    return type === 'choice' ? { ...NOTHING, texts: of } : TEXTS
  }
  return nullable ? hull(plain(), NIL) : plain()
}

/** What a window may give: of a mean, a margin more than its values, since sums of doubles are rounded. */
const windowDomain = ({ fn, field = '', event }: WindowRule, { events }: Definition): Domain => {
  const it = domainOf((events[event]?.data[field] ?? {}) as Declared)
  const { low, high } = it
  switch (fn) {
    case 'count':
      return COUNT
    case 'sum':
      return between(low >= 0 ? 0 : Number.NEGATIVE_INFINITY, high <= 0 ? 0 : Number.POSITIVE_INFINITY, it.whole)
    case 'avg': {
      const margin = MEAN_MARGIN * Math.max(Math.abs(low), Math.abs(high))
      const [from, to] = [
        low >= 0 ? Math.max(0, low - margin) : low - margin,
        high <= 0 ? Math.min(0, high + margin) : high + margin,
      ]
      return hull(
        between(Number.isNaN(from) ? Number.NEGATIVE_INFINITY : from, Number.isNaN(to) ? Number.POSITIVE_INFINITY : to),
        NIL,
      )
    }
    case 'last':
      return hull(it, NIL)
    default:
      return hull(between(low, high, it.whole), NIL)
  }
}

const oracleDomain = (type: string | undefined): Domain =>
  type === 'boolean' ? BOOLEANS : type === 'text' ? TEXTS : NUMBERS

const DUE: Domain = hull(COUNT, NIL)

const readableOf = (definition: Definition) => {
  const { context, events, windows, oracles, states } = definition
  return (name: string, event: string | undefined): Readable => {
    const [root = '', second = '', third = ''] = name.split('.')
    const always = (domain: Domain): Readable => ({ domain, optional: false })
    switch (root) {
      case 'context':
        return always(domainOf((context[second] ?? {}) as Declared))
      case 'event': {
        const it = (events[event ?? '']?.data[third] ?? {}) as Declared & { readonly optional?: boolean }
        return { domain: domainOf(it), optional: it.optional === true }
      }
      case 'window': {
        const rule = windows[second]
        return always(rule === undefined ? NOTHING : windowDomain(rule, definition))
      }
      case 'oracle':
        return { domain: oracleDomain(oracles[second]?.type), optional: true }
      case 'state':
        return always({ ...NOTHING, texts: Object.keys(states) })
      case 'fire':
        return always(second === 'due' ? DUE : COUNT)
      default:
        return always(COUNT)
    }
  }
}

/** Prepares a definition that the linter found sound. */
export const modelOf = (definition: Definition): Model => {
  const states = Object.keys(definition.states)
  const members = Object.keys(definition.context)
  const transitions = definition.transitions.map((it, index) => ({ it, index, path: `/transitions/${index}` }))
  const read = new Map<string, ReadExpression>()
  const context = members.map((name) => definition.context[name])
  return {
    ...{ definition, states, members, transitions },
    initial: states.find((name) => definition.states[name]?.initial === true) ?? '',
    from: new Map(states.map((name) => [name, transitions.filter(({ it }) => it.from.includes(name))])),
    declared: context.map((it) => domainOf((it ?? {}) as Declared)),
    start: context.map((it) => (it?.initial ?? null) as Scalar),
    readable: readableOf(definition),
    read: (text) => {
      const known = read.get(text)
      if (known !== undefined) return known
      const it = parseExpression(text)
      const made = { it, run: compileExpression(it) }
      read.set(text, made)
      return made
    },
  }
}

/** Whether a value of an action is an expression. */
export const isFormula = (value: unknown): value is { readonly $: string } =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  typeof (value as { readonly $?: unknown }).$ === 'string'

/** Every expression in a value, with its pointer. */
export const formulasIn = (
  value: unknown,
  path: string,
): readonly { readonly text: string; readonly path: string }[] => {
  if (typeof value !== 'object' || value === null) return []
  if (isFormula(value)) return [{ text: value.$, path: `${path}/$` }]
  return Object.entries(value).flatMap(([name, it]) =>
    formulasIn(it, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** The actions of a fire of a transition out of a state, in their order. */
export const actionsOf = ({ definition }: Model, { it }: Placed, from: string): readonly Action[] => [
  ...(definition.states[from]?.exit ?? []),
  ...it.actions,
  ...(definition.states[it.to]?.entry ?? []),
]

/** What a `set` sets. */
export const settings = (it: Action): readonly (readonly [string, Json])[] => {
  const { kind, ...members } = it
  return kind === 'set' ? Object.entries(members as Readonly<Record<string, Json>>) : []
}
