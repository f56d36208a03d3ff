import { addExpression, type Names } from './build.ts'
import { type Domain, exactly, meet, NOTHING, ONLY_TRUE } from './domain.ts'
import { type Graph, newGraph, putConstant, putFit, putLeaf } from './graph.ts'
import { actionsOf, isFormula, type Model, type Placed, settings } from './model.ts'
import { type Case, caseOf, narrow, type Steps } from './narrow.ts'

/**
 * A transition taken from a state, as one graph: its guard, and what it leaves in the context as expressions of what
 * stood there. Values that do not fit their members refuse a fire, so where it goes through they fitted.
 */
export interface Step {
  readonly graph: Graph
  readonly names: Names
  /** The guard true, and a value that fits in everything that is set. */
  readonly wanted: ReadonlyMap<number, Domain>
  readonly guard: number | undefined
  /** Nodes of what the context holds after it, of members that were set. */
  readonly after: ReadonlyMap<string, number>
}

/** Names for expressions over one state, or some. */
export const namesIn = (model: Model, states: readonly string[], event: string | undefined): Names => ({
  nodes: new Map(),
  declared: (name) =>
    name === 'state' ? { domain: { ...NOTHING, texts: states }, optional: false } : model.readable(name, event),
})

/** The event of a transition's trigger. */
export const eventOf = ({ it: { trigger } }: Placed): string | undefined =>
  trigger.kind === 'event' ? trigger.event : undefined

/** Puts a transition from a state together. */
export const stepOf = (model: Model, placed: Placed, from: string): Step => {
  const { it } = placed
  const graph = newGraph()
  const names = namesIn(model, [from], eventOf(placed))
  const guard = it.guard === undefined ? undefined : addExpression(graph, model.read(it.guard).it, names)
  const wanted = new Map<number, Domain>(guard === undefined ? [] : [[guard, ONLY_TRUE]])
  const after = new Map<string, number>()
  names.nodes.set('state', putLeaf(graph, 'state in actions', { domain: { ...NOTHING, texts: [from, it.to] } }))
  names.nodes.set('state_ticks', putLeaf(graph, 'ticks in actions', model.readable('state_ticks', undefined)))
  const settle = (name: string, node: number): void => {
    after.set(name, node)
    names.nodes.set(`context.${name}`, node)
  }
  for (const [place, action] of actionsOf(model, placed, from).entries()) {
    const set = settings(action).map(([name, value]) => {
      const into = model.readable(`context.${name}`, undefined).domain
      const of = isFormula(value)
        ? addExpression(graph, model.read(value.$).it, names)
        : putConstant(graph, exactly(value as string | number | boolean | null))
      const node = putFit(graph, of, into)
      wanted.set(node, into)
      return [name, node] as const
    })
    for (const [name, node] of set) settle(name, node)
    const bind = action.kind === 'compute' ? ((action as { readonly bind?: object }).bind ?? {}) : {}
    for (const name of Object.keys(bind))
      settle(name, putLeaf(graph, `result ${place} ${name}`, model.readable(`context.${name}`, undefined)))
  }
  return { graph, names, wanted, guard, after }
}

/** What is known of the context's leaves in a graph. */
export const knownOf = (model: Model, { leaves }: Graph, box: readonly Domain[]): Map<number, Domain> => {
  const known = new Map<number, Domain>()
  for (const [i, name] of model.members.entries()) {
    const at = leaves.get(`context.${name}`)
    const domain = box[i]
    if (at !== undefined && domain !== undefined) known.set(at, domain)
  }
  return known
}

/** What the context may hold after a step; undefined where it is proved not to go through. */
export const boxAfter = (
  model: Model,
  { graph, wanted, after }: Step,
  { box, steps }: { readonly box: readonly Domain[]; readonly steps: Steps },
): readonly Domain[] | undefined => {
  const it: Case = caseOf(graph, { given: knownOf(model, graph, box), wanted })
  steps.left -= graph.nodes.length
  if (!narrow(graph, it, steps)) return undefined
  return model.members.map((name, i) => {
    const before = box[i] ?? NOTHING
    const at = after.get(name) ?? graph.leaves.get(`context.${name}`)
    const domain = at === undefined ? before : (it.domains[at] ?? before)
    return after.has(name) ? domain : meet(before, domain)
  })
}
