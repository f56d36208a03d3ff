import type { ContractStanding, Scalar, WindowPart } from '#core/contract/standing.ts'
import type { WindowRule } from '#numerics/contracts/definition/schema.ts'
import { addExpression } from './build.ts'
import { exactly, ONLY_TRUE, onlyValue, type ValueDomain } from './domain.ts'
import { putConstant } from './graph.ts'
import type { Model, Placed } from './model.ts'
import type { StepsLeft } from './narrow.ts'
import { type Assignment, anyValue, solve } from './solve.ts'
import { eventOf, knownOf, type Step } from './step.ts'

/** Nodes looked at for one question of a search. */
const QUESTION_STEPS = 6_000

/** What comes with a stimulus: data of an event, and what oracles give. */
export interface Bringing {
  readonly data: Readonly<Record<string, Scalar>>
  readonly readings: Readonly<Record<string, Scalar>>
}

/** Which of several fitting values is tried first. */
export type Taste = 'plain' | 'low' | 'high'

const tasted = (domain: ValueDomain, taste: Taste): Scalar | undefined =>
  taste === 'plain' ? undefined : (anyValue(domain, taste) ?? undefined)

/** Data and readings by what leaves are given; what no expression asks for is filled up with what fits. */
export const bringing = (
  model: Model,
  event: string | undefined,
  values: Assignment,
  taste: Taste = 'plain',
): Bringing => {
  const { events, oracles } = model.definition
  const data: Record<string, Scalar> = {}
  for (const [name, it] of Object.entries(events[event ?? '']?.data ?? {})) {
    const leaf = `event.data.${name}`
    const value = values.get(leaf) ?? (it.optional ? undefined : anyValue(model.readable(leaf, event).domain, taste))
    if (value !== undefined) data[name] = value
    if (values.get(leaf) === null) data[name] = null
  }
  const readings = Object.keys(oracles).map((name): [string, Scalar] => {
    const leaf = `oracle.${name}`
    return [name, values.get(leaf) ?? anyValue(model.readable(leaf, event).domain, taste) ?? 0]
  })
  return { data, readings: Object.fromEntries(readings) }
}

/** The number that a window has to be fed with, to give what is wished for. */
const feed = ({ fn, field }: WindowRule, parts: readonly WindowPart[], wanted: number): number | undefined => {
  if (field === undefined || fn === 'count') return undefined
  const count = parts.reduce((all, it) => all + it.count, 0)
  const total = parts.reduce((all, it) => all + (it.sum ?? 0), 0)
  return fn === 'avg' ? wanted * (count + 1) - total : fn === 'sum' ? wanted - total : wanted
}

/** The same data with what windows of the event have to be fed, so that they give what was wished of them. */
const fed = (
  model: Model,
  standing: ContractStanding,
  of: { event: string | undefined; values: Assignment; it: Bringing },
): Bringing => {
  const data = { ...of.it.data }
  for (const [name, rule] of Object.entries(model.definition.windows)) {
    const wanted = of.values.get(`window.${name}`)
    if (rule.event !== of.event || typeof wanted !== 'number') continue
    const value = feed(rule, standing.windows[name] ?? [], wanted)
    if (rule.field !== undefined && value !== undefined) data[rule.field] = value
  }
  return { ...of.it, data }
}

/** Where a search asks from. */
export interface WishAsked {
  readonly model: Model
  readonly placed: Placed
  readonly step: Step
  readonly standing: ContractStanding
  /** The tick of the fire, and the instant that is due in it. */
  readonly tick: number
  readonly due: number | null
  readonly steps: StepsLeft
}

/** The node of a claim over what a transition leaves behind. */
const claimAfter = ({ model, placed, step }: WishAsked, never: string): number => {
  const { graph, after } = step
  const nodes = new Map([...after].map(([name, node]) => [`context.${name}`, node]))
  nodes.set('state', putConstant(graph, exactly(placed.it.to)))
  nodes.set('state_ticks', putConstant(graph, exactly(0)))
  const declared = (name: string) => model.readable(name, undefined)
  return addExpression(graph, model.read(never).it, { nodes, declared })
}

/**
 * Looks for data and readings with which a transition goes through, and leaves a claim broken where one is named.
 *
 * @param confirms whether they really do, by a decision.
 */
export const wish = (
  asked: WishAsked,
  of: { readonly never: string | undefined; readonly taste: Taste },
  confirms: (it: Bringing) => boolean,
): Bringing | undefined => {
  const { model, placed, step, standing, tick, due, steps } = asked
  const { graph } = step
  const event = eventOf(placed)
  const wanted = new Map(step.wanted)
  if (of.never !== undefined) wanted.set(claimAfter(asked, of.never), ONLY_TRUE)
  const context = model.members.map((name) => exactly(standing.context[name] ?? null))
  const given = knownOf(model, graph, context)
  const known: readonly (readonly [string, Scalar])[] = [
    ['state_ticks', tick - standing.entered.tick],
    ['fire.tick', tick],
    ['fire.due', due],
    ['fire.attempt', 0],
  ]
  for (const [name, value] of known) {
    const at = graph.leaves.get(name)
    if (at !== undefined) given.set(at, exactly(value))
  }
  const own: StepsLeft = { left: Math.min(steps.left, QUESTION_STEPS) }
  const before = own.left
  let found: Bringing | undefined
  const prefer = (name: string): Scalar | undefined => {
    const at = graph.leaves.get(name)
    const only = at === undefined ? undefined : onlyValue(given.get(at) ?? ONLY_TRUE)
    return name.startsWith('context.') ? (only ?? undefined) : tasted(model.readable(name, event).domain, of.taste)
  }
  const tried = (values: Assignment): boolean => {
    const it = bringing(model, event, values, of.taste)
    found = [it, fed(model, standing, { event, values, it })].find(confirms)
    return found !== undefined
  }
  solve({ graph, given, wanted, prefer, confirms: tried }, own)
  steps.left -= before - own.left + graph.nodes.length
  return found
}
