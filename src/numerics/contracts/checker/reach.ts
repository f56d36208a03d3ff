import { type Domain, exactly, hasNumbers, holds, hull, NOTHING } from './domain.ts'
import type { Model, Placed } from './model.ts'
import type { Steps } from './narrow.ts'
import { boxAfter, type Step, stepOf } from './step.ts'

/** Contexts of one state that are told apart; beyond, they are taken together. */
const BOXES_MAX = 16
/** Times that contexts taken together may grow by one bound; beyond, what grows may be anything that fits. */
const GROWTHS_MAX = 12
/** Nodes of all graphs together that are kept for one definition. */
const KEPT_NODES_MAX = 400_000

/** What the context may hold, in the order of its members. */
export type Box = readonly Domain[]

/** Where a contract may come to. */
export interface Reach {
  /** Contexts by state; a state that is not in it is never entered. */
  readonly boxes: ReadonlyMap<string, readonly Box[]>
  /** Transitions that may go through, by index. */
  readonly taken: ReadonlySet<number>
  /** Whether contexts were followed; otherwise any that fits its declaration is taken as possible. */
  readonly followed: boolean
  /** The graph of a transition from a state; undefined beyond the bound on what is kept. */
  step(placed: Placed, from: string): Step | undefined
}

const covers = (a: Box, b: Box): boolean => a.every((it, i) => holds(it, b[i] ?? NOTHING))

const joined = (a: Box, b: Box): Box => a.map((it, i) => hull(it, b[i] ?? NOTHING))

/** Everything of a state, taken together. */
export const togetherOf = (boxes: readonly Box[]): Box | undefined =>
  boxes.length === 0 ? undefined : boxes.slice(1).reduce(joined, boxes[0] ?? [])

/** Numbers that a definition names: where growing contexts are likely to end. */
const NUMERAL = /\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/g
const landmarksOf = ({ definition }: Model): readonly number[] => {
  const texts = [
    ...definition.transitions.flatMap(({ guard = '', actions }) => [guard, JSON.stringify(actions)]),
    ...Object.values(definition.states).map((it) => JSON.stringify(it)),
    ...Object.values(definition.context).map((it) => JSON.stringify(it)),
    ...definition.claims.map(({ never }) => never),
  ]
  const found = new Set([0])
  for (const text of texts) {
    for (const [numeral] of text.matchAll(NUMERAL)) {
      const value = Number(numeral)
      if (Number.isFinite(value)) for (const it of [value, -value]) found.add(it)
    }
  }
  return [...found].toSorted((a, b) => a - b)
}

/** A domain that grew, grown on to the next number that the definition names. */
const stretched = (
  before: Domain,
  after: Domain,
  { landmarks, most }: { landmarks: readonly number[]; most: Domain },
): Domain => {
  if (!hasNumbers(after) || after === before) return after
  const low = after.low < before.low ? (landmarks.findLast((it) => it <= after.low) ?? most.low) : after.low
  const high = after.high > before.high ? (landmarks.find((it) => it >= after.high) ?? most.high) : after.high
  return { ...after, low: Math.max(low, most.low), high: Math.min(high, most.high) }
}

/** Contexts of the states as they are found. */
const collection = (model: Model) => {
  const boxes = new Map<string, Box[]>()
  const growths = new Map<string, number>()
  const landmarks = landmarksOf(model)

  /** Takes contexts in. @returns what was not there before */
  const take = (state: string, box: Box): Box | undefined => {
    const known = boxes.get(state) ?? []
    if (known.some((it) => covers(it, box))) return undefined
    const grown = growths.get(state)
    if (grown === undefined && known.length < BOXES_MAX) {
      boxes.set(state, [...known.filter((it) => !covers(box, it)), box])
      return box
    }
    growths.set(state, (grown ?? 0) + 1)
    const before = togetherOf(known) ?? box
    const after = joined(before, box).map((it, i) => {
      const [was, most] = [before[i] ?? NOTHING, model.declared[i] ?? NOTHING]
      if (it === was) return it
      return (grown ?? 0) >= GROWTHS_MAX ? most : stretched(was, it, { landmarks, most })
    })
    boxes.set(state, [after])
    return after
  }
  return { boxes, take }
}

const stepsKept = (model: Model): Reach['step'] => {
  const kept = new Map<string, Step>()
  let nodes = 0
  return (placed, from) => {
    const key = `${placed.index} ${from}`
    const known = kept.get(key)
    if (known !== undefined || nodes > KEPT_NODES_MAX) return known
    const made = stepOf(model, placed, from)
    nodes += made.graph.nodes.length
    kept.set(key, made)
    return made
  }
}

/** By arrows alone: every context that fits is taken as possible. */
const byArrows = (model: Model): Pick<Reach, 'boxes' | 'taken' | 'followed'> => {
  const boxes = new Map<string, readonly Box[]>([[model.initial, [model.declared]]])
  const taken = new Set<number>()
  const waiting = [model.initial]
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    for (const { it, index } of model.from.get(state) ?? []) {
      taken.add(index)
      for (const to of it.on_refused === undefined ? [it.to] : [it.to, it.on_refused]) {
        if (boxes.has(to)) continue
        boxes.set(to, [model.declared])
        waiting.push(to)
      }
    }
  }
  return { boxes, taken, followed: false }
}

/**
 * Where a contract may come to from its beginning, breadth first over states and sets of contexts: nothing that can
 * happen is left out, some of what is left in may not happen. Priorities are not heeded, as a fire by hand may take
 * any transition, and a refused one may lead to `on_refused` at any time.
 */
export const reachOf = (model: Model, steps: Steps): Reach => {
  const step = stepsKept(model)
  const { boxes, take } = collection(model)
  const taken = new Set<number>()
  const waiting: { readonly state: string; readonly box: Box }[] = []
  const arrive = (state: string, box: Box): void => {
    const fresh = take(state, box)
    if (fresh !== undefined) waiting.push({ state, box: fresh })
  }
  arrive(model.initial, model.start.map(exactly))
  for (let next = 0; next < waiting.length; next += 1) {
    const at = waiting[next]
    for (const placed of model.from.get(at?.state ?? '') ?? []) {
      const made = step(placed, at?.state ?? '')
      if (steps.left <= 0 || made === undefined || at === undefined) return { ...byArrows(model), step }
      const { to, on_refused } = placed.it
      const after = boxAfter(model, made, { box: at.box, steps })
      if (after !== undefined) {
        taken.add(placed.index)
        arrive(to, after)
      }
      // What an `always` refuses undoes the whole fire, so the context is that of another state.
      const before = placed.it.trigger.kind === 'always' ? model.declared : at.box
      if (on_refused !== undefined) arrive(on_refused, before)
    }
  }
  return { boxes, taken, followed: true, step }
}
