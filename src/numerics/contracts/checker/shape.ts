import type { ContractExpression } from '#numerics/contracts/language/grammar.ts'
import { dotted } from './build.ts'
import { hull, NOTHING } from './domain.ts'
import type { Finding } from './finding.ts'
import { actionsOf, formulasIn, type Model, type Placed } from './model.ts'
import type { Steps } from './narrow.ts'
import { type Box, type Reach, togetherOf } from './reach.ts'
import { boxAfter } from './step.ts'

/** Transitions of `always` that may follow a fire. */
const ALWAYS_MAX = 16

/** States that are never entered, and states that nothing leads out of. */
export const deadStates = (model: Model, { boxes, followed, taken }: Reach): readonly Finding[] =>
  model.states.flatMap((state): Finding[] => {
    const path = `/states/${state}`
    const found = (rule: Finding['rule'], reason: string): Finding[] => [
      { rule, path, answer: 'proved', severity: 'warning', reason },
    ]
    if (!boxes.has(state)) return found('unreachable', `State ${state} is never entered.`)
    const out = model.from.get(state) ?? []
    if (model.definition.states[state]?.terminal === true) return []
    if (out.length === 0) return found('dead-end', `Nothing leads out of ${state}, and it is not terminal.`)
    if (followed && !out.some(({ index }) => taken.has(index)))
      return found('dead-end', `None of the transitions out of ${state} can be taken, and it is not terminal.`)
    return []
  })

const isAlways = ({ it }: Placed): boolean => it.trigger.kind === 'always'

/** Where transitions of `always` lead from some contexts by states, one each. */
const onward = (model: Model, at: ReadonlyMap<string, Box>, { reach, steps }: { reach: Reach; steps: Steps }) => {
  const next = new Map<string, Box>()
  for (const [state, box] of at) {
    for (const placed of (model.from.get(state) ?? []).filter(isAlways)) {
      const step = reach.step(placed, state)
      const after = step === undefined || steps.left <= 0 ? model.declared : boxAfter(model, step, { box, steps })
      if (after === undefined) continue
      const { to } = placed.it
      next.set(to, next.get(to)?.map((it, i) => hull(it, after[i] ?? NOTHING)) ?? after)
    }
  }
  return next
}

/** Whether more transitions of `always` than a fire may have can follow each other. */
export const endlessAlways = (model: Model, reach: Reach, steps: Steps): readonly Finding[] => {
  const first = model.transitions.find(isAlways)
  if (first === undefined) return []
  let at = new Map<string, Box>()
  for (const [state, boxes] of reach.boxes) {
    const box = togetherOf(boxes)
    if (box !== undefined) at.set(state, box)
  }
  for (let i = 0; i <= ALWAYS_MAX && at.size > 0; i += 1) at = onward(model, at, { reach, steps })
  if (at.size === 0) return []
  const [state = ''] = at.keys()
  const through = (model.from.get(state) ?? []).find(isAlways) ?? first
  const reason = `More than ${ALWAYS_MAX} transitions of always may follow each other through ${state}; such a fire is refused.`
  return [{ rule: 'always-ends', path: through.path, answer: 'unknown', severity: 'warning', reason }]
}

/** The names that an expression reads. */
const readBy = (it: ContractExpression, into: Set<string>): void => {
  const name = dotted(it)
  if (name !== undefined) into.add(name)
  else if ('left' in it) for (const part of [it.left, it.right]) readBy(part, into)
  else if ('test' in it) for (const part of [it.test, it.yes, it.no]) readBy(part, into)
  else if ('items' in it) for (const part of it.items) readBy(part, into)
  else if ('args' in it) for (const part of it.args) readBy(part, into)
  else if ('index' in it) for (const part of [it.of, it.index]) readBy(part, into)
  else if ('of' in it) readBy(it.of, into)
}

/** What a definition declares and does not use. */
export const unusedOf = (model: Model): readonly Finding[] => {
  const { definition, transitions } = model
  const read = new Set<string>()
  const written = new Set<string>()
  const heard = new Set<string>(Object.values(definition.windows).map(({ event }) => event))
  const texts = [
    ...definition.claims.map(({ never }) => never),
    ...transitions.flatMap(({ it }) => (it.guard === undefined ? [] : [it.guard])),
  ]
  for (const { it } of transitions) if (it.trigger.kind === 'event') heard.add(it.trigger.event)
  const actions = [
    ...Object.values(definition.states).flatMap(({ entry, exit }) => [...entry, ...exit]),
    ...transitions.flatMap(({ it }) => it.actions),
  ]
  for (const action of actions) {
    texts.push(...formulasIn(action, '').map(({ text }) => text))
    if (action.kind === 'emit') heard.add(String((action as { readonly event?: unknown }).event))
    const sets = action.kind === 'set' ? action : ((action as { readonly bind?: object }).bind ?? {})
    for (const name of Object.keys(sets)) written.add(name)
  }
  for (const text of texts) readBy(model.read(text).it, read)
  const found = (path: string, severity: Finding['severity'], reason: string): Finding => ({
    ...{ rule: 'unused', path, answer: 'proved', severity, reason },
  })
  const silent = (root: string, name: string): boolean => !read.has(`${root}.${name}`)
  return [
    ...Object.keys(definition.events)
      .filter((name) => !heard.has(name))
      .map((name) => found(`/events/${name}`, 'warning', `Nothing reacts to event ${name}.`)),
    ...(['window', 'oracle'] as const).flatMap((root) =>
      Object.keys(definition[`${root}s`])
        .filter((name) => silent(root, name))
        .map((name) => found(`/${root}s/${name}`, 'warning', `No expression reads ${root}.${name}.`)),
    ),
    ...Object.keys(definition.context)
      .filter((name) => silent('context', name))
      .map((name) =>
        written.has(name)
          ? found(`/context/${name}`, 'note', `No expression reads context.${name}; it is kept for who looks.`)
          : found(`/context/${name}`, 'warning', `Nothing reads context.${name}, and nothing sets it.`),
      ),
  ]
}

/** Computations that a fire of a transition from a state may have, those of `always` after it apart. */
export const computationsOf = (model: Model, placed: Placed, from: string) =>
  actionsOf(model, placed, from).filter(({ kind }) => kind === 'compute')
