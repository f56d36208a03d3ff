import type { Scalar } from '#core/contract/standing.ts'
import {
  ANYTHING,
  above,
  below,
  between,
  bitsOf,
  type Domain,
  FALSE,
  hasNumbers,
  hasTexts,
  meet,
  NIL,
  NOTHING,
  TRUE,
} from './domain.ts'
import type { Graph } from './graph.ts'
import { type Case, caseOf, copyOf, narrow, type Steps } from './narrow.ts'

/** Cases of one question that are looked at; a question that needs more stays open. */
const CASES_MAX = 64
/** Ways in which values are tried in one case. */
const TRIES = 4
/** Digits behind the point of a value that is shown, where one so short will do. */
const DIGITS_MAX = 6

/** What leaves are given, by their names; a member that is left out is absent. */
export type Assignment = ReadonlyMap<string, Scalar>

/** Whether some nodes can give what is wanted of them. */
export interface Question {
  readonly graph: Graph
  /** What is known of leaves beside their declarations. */
  readonly given: ReadonlyMap<number, Domain>
  readonly wanted: ReadonlyMap<number, Domain>
  /** What a value would be if nothing spoke against it. */
  prefer(name: string): Scalar | undefined
  /** Whether values really do what is asked: only then are they a witness. */
  confirms(values: Assignment): boolean
}

/** `never`: nothing does, by sound reasoning. `witness`: these values do, and were tried. Else it is open. */
export type Answer = { readonly kind: 'never' | 'open' } | { readonly kind: 'witness'; readonly values: Assignment }

/** A number of few digits between two, as near to a preferred one as may be. */
const niceNumber = ({ low, high, whole }: Domain, preferred: number): number => {
  if (preferred >= low && preferred <= high && (!whole || Number.isInteger(preferred))) return preferred
  const up = preferred < low
  const end = up ? low : high
  if (whole || Number.isInteger(end)) return end
  for (let [digits, scale] = [0, 1]; digits <= DIGITS_MAX; digits += 1, scale *= 10) {
    const near = (up ? Math.ceil(end * scale) : Math.floor(end * scale)) / scale
    if (near >= low && near <= high) return near + 0
  }
  return end
}

const middle = ({ low, high, whole }: Domain): number => {
  const [from, to] = [Math.max(low, -Number.MAX_VALUE / 2), Math.min(high, Number.MAX_VALUE / 2)]
  if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY) return 0
  if (low === Number.NEGATIVE_INFINITY) return high > 0 ? 0 : high * 2 - 1
  if (high === Number.POSITIVE_INFINITY) return low < 0 ? 0 : low * 2 + 1
  const half = from + (to - from) / 2
  return whole ? Math.floor(half) : half
}

const numberFor = (it: Domain, preferred: Scalar | undefined, way: number): number => {
  if (way === 1 && Number.isFinite(it.low)) return it.low
  if (way === 2 && Number.isFinite(it.high)) return it.high
  const wanted = way === 3 ? middle(it) : typeof preferred === 'number' ? preferred : 0
  return niceNumber(it, wanted)
}

/** A value of a domain; undefined where it has none. */
const valueFor = (it: Domain, preferred: Scalar | undefined, way: number): Scalar | undefined => {
  if (way === 0 && preferred === null && it.nil) return null
  if (hasNumbers(it)) return numberFor(it, preferred, way)
  if (it.bits !== 0) {
    if (preferred === true && it.bits & TRUE) return true
    return !(it.bits & FALSE) || (way === 2 && (it.bits & TRUE) !== 0)
  }
  if (hasTexts(it)) {
    const { texts } = it
    if (typeof preferred === 'string' && (texts === undefined || texts.includes(preferred))) return preferred
    return texts?.at(way === 2 ? -1 : 0) ?? ''
  }
  return it.nil ? null : undefined
}

const assignment = ({ graph, prefer }: Question, { domains, needed }: Case, way: number): Assignment => {
  const values = new Map<string, Scalar>()
  for (const [name, at] of graph.leaves) {
    if (name.startsWith('?')) continue
    const node = graph.nodes[at]
    const there = node?.kind === 'leaf' ? node.there : -1
    const { bits = TRUE } = there >= 0 ? (domains[there] ?? ANYTHING) : {}
    const absent = !(bits & TRUE) || (bits & FALSE && needed[at] !== 1 && way === 1)
    const value = absent ? undefined : valueFor(domains[at] ?? ANYTHING, prefer(name), way)
    if (value !== undefined) values.set(name, value)
  }
  return values
}

/** Two parts of a domain; undefined where it is one value, or nothing would be told apart. */
const halves = (it: Domain): readonly [Domain, Domain] | undefined => {
  const { low, high, bits, texts, nil } = it
  const some = hasNumbers(it) || bits !== 0 || hasTexts(it)
  if (nil && some) return [{ ...it, nil: false }, NIL]
  if (low < high) {
    const at = Math.min(middle(it), it.whole ? high - 1 : below(high))
    return [between(low, at, it.whole), between(it.whole ? at + 1 : above(at), high, it.whole)]
  }
  if (bits === (TRUE | FALSE)) return [bitsOf(TRUE), bitsOf(FALSE)]
  if (texts !== undefined && texts.length > 1) {
    const half = texts.length >> 1
    return [
      { ...NOTHING, texts: texts.slice(0, half) },
      { ...NOTHING, texts: texts.slice(half) },
    ]
  }
  return undefined
}

/** Truths that decide what else is needed: tests of choices and sides of `&&` and `||`, as far as they are open. */
const openTruth = ({ nodes }: Graph, { domains, needed }: Case): number | undefined => {
  const open = (at: number): boolean => domains[at]?.bits === (TRUE | FALSE)
  for (const [at, node] of nodes.entries()) {
    if (needed[at] !== 1) continue
    if ((node.kind === 'and' || node.kind === 'or') && open(node.a)) return node.a
    if (node.kind === 'choose' && open(node.test)) return node.test
    if (node.kind === 'some') {
      const item = node.items.find(open)
      if (item !== undefined && domains[at]?.bits === TRUE) return item
    }
    if (node.kind === 'relation' && domains[at]?.bits === 5) return at
  }
  return undefined
}

/** The widest of what is read, by its size against what was declared. */
const widestLeaf = ({ leaves, first }: Graph, { domains }: Case): number | undefined => {
  let [found, most]: [number | undefined, number] = [undefined, 0]
  for (const at of leaves.values()) {
    const it = domains[at] ?? ANYTHING
    if (halves(it) === undefined) continue
    const { low, high } = it
    const of = first[at] ?? ANYTHING
    const width = high - low
    const share = width > 0 ? (Number.isFinite(of.high - of.low) ? width / (of.high - of.low) : width / (1 + width)) : 2
    if (share > most) [found, most] = [at, share]
  }
  return found
}

const splitAt = (graph: Graph, it: Case): readonly Case[] => {
  const truth = openTruth(graph, it)
  const at = truth ?? widestLeaf(graph, it)
  if (at === undefined) return []
  const domain = it.domains[at] ?? ANYTHING
  const parts = domain.bits === 5 ? [bitsOf(1), bitsOf(4)] : (halves(domain) ?? [])
  return parts.map((part) => {
    const copy = copyOf(it)
    copy.domains[at] = meet(domain, part)
    if (truth !== undefined) copy.needed[at] = 1
    return copy
  })
}

/**
 * Looks for values: cases are narrowed, tried at a few places, and split, the likeliest first. That nothing is in any
 * case is a proof; a witness was tried.
 */
export const solve = (question: Question, steps: Steps): Answer => {
  const { graph, given, wanted } = question
  const waiting: Case[] = [caseOf(graph, { given, wanted })]
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count === CASES_MAX || steps.left <= 0) return { kind: 'open' }
    const it = waiting.pop()
    if (it === undefined || !narrow(graph, it, steps)) continue
    for (let way = 0; way < TRIES; way += 1) {
      steps.left -= graph.nodes.length
      const values = assignment(question, it, way)
      if (question.confirms(values)) return { kind: 'witness', values }
    }
    const parts = splitAt(graph, it)
    if (parts.length === 0) return { kind: 'open' }
    waiting.push(...parts.toReversed())
  }
  return { kind: 'never' }
}

/** What is read, as expressions read it: members of members. */
export const readValues = (values: Assignment): Record<string, unknown> => {
  const whole: Record<string, unknown> = { context: {}, event: { data: {} }, window: {}, oracle: {}, fire: {} }
  for (const [name, value] of values) {
    const names = name.split('.')
    const last = names.pop() ?? ''
    let at = whole
    for (const part of names) {
      if (!Object.hasOwn(at, part)) at[part] = {}
      at = at[part] as Record<string, unknown>
    }
    at[last] = value
  }
  return whole
}
