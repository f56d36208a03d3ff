import type { Scalar } from '#core/contract/standing.ts'
import type { Program } from '#numerics/contracts/language/evaluate.ts'
import { addExpression } from './build.ts'
import { type Domain, isNothing, meet, ONLY_TRUE } from './domain.ts'
import { FINDINGS_MAX, type Finding } from './finding.ts'
import { newGraph } from './graph.ts'
import type { Model, Placed } from './model.ts'
import { caseOf, narrow, type Steps } from './narrow.ts'
import { type Box, type Reach, togetherOf } from './reach.ts'
import { type Answer, readValues, solve } from './solve.ts'
import { eventOf, knownOf, namesIn } from './step.ts'

/** Nodes looked at for one question, so that no question uses up what others need. */
const QUESTION_STEPS = 20_000

/** What is asked of some conditions together. */
export interface Conditions {
  readonly texts: readonly string[]
  readonly states: readonly string[]
  readonly event: string | undefined
  readonly box: Box
}

/** What a value would be if nothing spoke against it: what the context holds at the beginning. */
export const preferences = (model: Model): ((name: string) => Scalar | undefined) => {
  const start = new Map(model.members.map((name, i) => [`context.${name}`, model.start[i]]))
  return (name) => start.get(name)
}

/** Whether conditions can be true together. */
export const together = (model: Model, { texts, states, event, box }: Conditions, steps: Steps): Answer => {
  const graph = newGraph()
  const names = namesIn(model, states, event)
  const read = texts.map((text) => model.read(text))
  const wanted = new Map(read.map(({ it }) => [addExpression(graph, it, names), ONLY_TRUE]))
  const runs: readonly Program[] = read.map(({ run }) => run)
  const own: Steps = { left: Math.min(steps.left, QUESTION_STEPS) }
  const before = own.left
  const confirms = (values: ReadonlyMap<string, Scalar>): boolean => {
    const given = readValues(values)
    return runs.every((run) => run(given) === true)
  }
  const answer = solve({ graph, given: knownOf(model, graph, box), wanted, prefer: preferences(model), confirms }, own)
  steps.left -= before - own.left + graph.nodes.length
  return answer
}

const shown = (answer: Answer): Pick<Finding, 'witness'> =>
  answer.kind === 'witness' ? { witness: Object.fromEntries(answer.values) } : {}

/** Transitions that cannot go through: their guard is never true, or nothing that leads to them makes it so. */
export const deadGuards = (model: Model, reach: Reach, steps: Steps): readonly Finding[] =>
  model.transitions.flatMap((placed): Finding[] => {
    const { it, path, index } = placed
    const { guard, from } = it
    const found = (reason: string): Finding[] => [
      { rule: 'guard-never', path: `${path}/guard`, answer: 'proved', severity: 'warning', reason },
    ]
    if (guard === undefined) return []
    const asked = { texts: [guard], states: from, event: eventOf(placed), box: model.declared }
    if (together(model, asked, steps).kind === 'never')
      return found(`The guard of ${it.id} can never be true, whatever is read.`)
    const comes = from.some((state) => reach.boxes.has(state))
    if (!reach.followed || !comes || reach.taken.has(index)) return []
    return found(`${it.id} can never be taken: nothing that leads here brings values that it could go through with.`)
  })

/** What is known of each leaf where one guard is true, by name; undefined where it never is. */
const alone = (model: Model, placed: Placed, steps: Steps): ReadonlyMap<string, Domain> | undefined => {
  const { guard, from } = placed.it
  if (guard === undefined) return new Map()
  const graph = newGraph()
  const at = addExpression(graph, model.read(guard).it, namesIn(model, from, eventOf(placed)))
  const known = caseOf(graph, { given: knownOf(model, graph, model.declared), wanted: new Map([[at, ONLY_TRUE]]) })
  steps.left -= graph.nodes.length
  if (!narrow(graph, known, steps)) return undefined
  const sure = [...graph.leaves].filter(([, leaf]) => {
    const node = graph.nodes[leaf]
    return known.needed[leaf] === 1 || (node?.kind === 'leaf' && node.there === -1)
  })
  return new Map(sure.map(([name, leaf]) => [name, known.domains[leaf] ?? ONLY_TRUE]))
}

const apart = (a: ReadonlyMap<string, Domain>, b: ReadonlyMap<string, Domain>): boolean =>
  [...a].some(([name, domain]) => {
    const other = b.get(name)
    return other !== undefined && isNothing(meet(domain, other))
  })

/** Whether two transitions can be wanted at once, in one of the states that they share. */
const bothHold = (model: Model, [a, b]: readonly [Placed, Placed], of: { reach: Reach; steps: Steps }): Answer => {
  const { reach, steps } = of
  const states = a.it.from.filter((state) => b.it.from.includes(state) && reach.boxes.has(state))
  const texts = [a.it.guard, b.it.guard].filter((it) => it !== undefined)
  if (states.length === 0) return { kind: 'never' }
  const event = eventOf(a)
  const wide = together(model, { texts, states, event, box: model.declared }, steps)
  if (wide.kind === 'never' || !reach.followed) return wide
  let open = false
  for (const state of states) {
    for (const box of reach.boxes.get(state) ?? []) {
      const answer = together(model, { texts, states: [state], event, box }, steps)
      if (answer.kind === 'witness') return answer
      open = open || answer.kind === 'open'
    }
  }
  return open ? { kind: 'open' } : { kind: 'never' }
}

const overlap = (a: Placed, b: Placed, answer: Answer): Finding => {
  const pair = `${a.it.id} and ${b.it.id} wait for the same trigger with the same priority, ${a.it.priority}`
  const settled = 'Give one of them another priority, or guards of which one at most is true.'
  return {
    rule: 'exclusive',
    path: b.path,
    answer: answer.kind === 'witness' ? 'refuted' : 'unknown',
    severity: 'fault',
    reason:
      answer.kind === 'witness'
        ? `${pair}, and both can be taken at once. ${settled}`
        : `${pair}, and it could not be proved that only one of them can be taken. ${settled}`,
    ...shown(answer),
  }
}

/** Pairs that one trigger could take at once from one state, at one priority, and that are not proved exclusive. */
export const overlaps = (model: Model, reach: Reach, steps: Steps): readonly Finding[] => {
  const groups = Map.groupBy(model.transitions, ({ it }) => `${it.priority} ${JSON.stringify(it.trigger)}`)
  const found: Finding[] = []
  for (const group of groups.values()) {
    const known = group.length > 1 ? group.map((placed) => alone(model, placed, steps)) : []
    for (const [j, b] of group.entries()) {
      for (const [i, a] of group.slice(0, j).entries()) {
        const [first, second] = [known[i], known[j]]
        if (found.length >= FINDINGS_MAX) return found
        if (first === undefined || second === undefined || apart(first, second)) continue
        if (!a.it.from.some((state) => b.it.from.includes(state))) continue
        const answer = bothHold(model, [a, b], { reach, steps })
        if (answer.kind !== 'never') found.push(overlap(a, b, answer))
      }
    }
  }
  return found
}

/** Whether a claim can be broken in some state: what is known of the contexts there is used. */
export const breaks = (
  model: Model,
  never: string,
  of: { readonly reach: Reach; readonly steps: Steps },
): 'never' | 'open' => {
  for (const [state, boxes] of of.reach.boxes) {
    for (const box of [togetherOf(boxes)].filter((it) => it !== undefined)) {
      if (together(model, { texts: [never], states: [state], event: undefined, box }, of.steps).kind === 'never')
        continue
      const apartFrom = boxes.length > 1 ? boxes : []
      const each = apartFrom.map((one) =>
        together(model, { texts: [never], states: [state], event: undefined, box: one }, of.steps),
      )
      if (each.length === 0 || each.some(({ kind }) => kind !== 'never')) return 'open'
    }
  }
  return 'never'
}
