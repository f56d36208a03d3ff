import {
  ANYTHING,
  above,
  BOOLEANS,
  below,
  between,
  bitsOf,
  type Domain,
  FALSE,
  hasNumbers,
  hasTexts,
  hull,
  isNothing,
  LESS,
  MORE,
  meet,
  NIL,
  NOT_NIL,
  NOTHING,
  NUMBERS,
  ONLY_FALSE,
  ONLY_TRUE,
  onlyValue,
  RELATIONS,
  SAME,
  TRUE,
  without,
} from './domain.ts'
import { type Graph, type GraphNode, opposite } from './graph.ts'
import { arithmetic, arithmeticBack, called, calledBack } from './intervals.ts'

/** Times that a graph is gone through until nothing changes; what is not narrowed by then stays wider, and sound. */
const ROUNDS_MAX = 8

/** Work that may still be done, in nodes looked at: beyond, an answer is `unknown`. */
export interface Steps {
  left: number
}

/**
 * One case: what every node may give in it. Those that `needed` marks have a value in it; of the others it says only
 * what they give if they give anything, since `&&`, `||` and `?:` leave out what they do not need.
 */
export interface Case {
  readonly domains: Domain[]
  readonly needed: Uint8Array
}

/** A case in which some nodes have to give something. */
export const caseOf = (
  { first }: Graph,
  { given, wanted }: { readonly given: ReadonlyMap<number, Domain>; readonly wanted: ReadonlyMap<number, Domain> },
): Case => {
  const domains = [...first]
  const needed = new Uint8Array(first.length)
  for (const [at, domain] of given) domains[at] = meet(domains[at] ?? ANYTHING, domain)
  for (const [at, domain] of wanted) {
    domains[at] = meet(domains[at] ?? ANYTHING, domain)
    needed[at] = 1
  }
  return { domains, needed }
}

export const copyOf = ({ domains, needed }: Case): Case => ({ domains: [...domains], needed: needed.slice() })

const intersects = (a: Domain, b: Domain): boolean => !isNothing(meet(a, b))

const relationOf = (a: Domain, b: Domain, same: boolean): number => {
  if (!hasNumbers(a) || !hasNumbers(b)) return 0
  if (same) return SAME
  const equal = intersects(meet(a, NUMBERS), meet(b, NUMBERS)) ? SAME : 0
  return equal | (a.low < b.high ? LESS : 0) | (a.high > b.low ? MORE : 0)
}

/** Truths of an equality of any values. */
const equality = (a: Domain, b: Domain, same: boolean): number => {
  const both = meet(a, b)
  const numbers = hasNumbers(a) && hasNumbers(b) && !(a.low === a.high && b.low === b.high && a.low === b.low)
  const texts = hasTexts(a) && hasTexts(b) && !(a.texts?.length === 1 && b.texts?.length === 1 && hasTexts(both))
  const unequalBits = (a.bits & TRUE && b.bits & FALSE) || (a.bits & FALSE && b.bits & TRUE)
  return (isNothing(both) ? 0 : TRUE) | (!same && (numbers || texts || unequalBits) ? FALSE : 0)
}

/** Forward: what a node gives by what those below it give. */
const forward = (node: GraphNode, domains: readonly Domain[]): Domain => {
  const of = (at: number): Domain => domains[at] ?? ANYTHING
  switch (node.kind) {
    case 'not':
      return bitsOf(opposite(of(node.of).bits))
    case 'negate': {
      const { low, high, whole } = of(node.of)
      return low <= high ? between(0 - high, 0 - low, whole) : NOTHING
    }
    case 'null': {
      const it = of(node.of)
      return bitsOf((it.nil ? TRUE : 0) | (isNothing(meet(it, NOT_NIL)) ? 0 : FALSE))
    }
    case 'and':
    case 'or': {
      const [a, b] = [of(node.a).bits, of(node.b).bits]
      const ends = node.kind === 'and' ? FALSE : TRUE
      return bitsOf((a & ends) | (a & ~ends ? b : 0))
    }
    case 'relation':
      return { ...RELATIONS, bits: relationOf(of(node.a), of(node.b), node.a === node.b) }
    case 'equal':
      return bitsOf(equality(of(node.a), of(node.b), node.a === node.b))
    case 'compare': {
      const { bits } = of(node.of)
      return bitsOf((bits & node.mask ? TRUE : 0) | (bits & ~node.mask ? FALSE : 0))
    }
    case 'choose': {
      const { bits } = of(node.test)
      return hull(bits & TRUE ? of(node.yes) : NOTHING, bits & FALSE ? of(node.no) : NOTHING)
    }
    case 'arithmetic':
      return arithmetic(node.sign, of(node.a), of(node.b))
    case 'call':
      return called(
        node.name,
        node.args.map((arg) => of(arg)),
      )
    case 'some': {
      const all = node.items.map((item) => of(item).bits)
      if (all.includes(0)) return NOTHING
      return bitsOf((all.some((it) => it & TRUE) ? TRUE : 0) | (all.every((it) => it & FALSE) ? FALSE : 0))
    }
    case 'index': {
      const { low, high } = of(node.index)
      return node.items.reduce((all, item, i) => (i >= low && i <= high ? hull(all, of(item)) : all), NOTHING)
    }
    case 'fit':
      return of(node.of)
    case 'size': {
      const [only] = [onlyValue(of(node.of))]
      return typeof only === 'string' ? between([...only].length, [...only].length, true) : ANYTHING
    }
    default:
      return ANYTHING
  }
}

/** A case being narrowed. */
interface Narrowing extends Case {
  changed: boolean
}

/** Says that a node has a value, and that it is in a domain. */
const need = (it: Narrowing, at: number, domain: Domain): void => {
  const before = it.domains[at] ?? ANYTHING
  const after = meet(before, domain)
  if (it.needed[at] === 1 && after === before) return
  it.changed = true
  it.needed[at] = 1
  it.domains[at] = after
}

interface Junction {
  readonly kind: string
  readonly a: number
  readonly b: number
}

const needJunction = (it: Narrowing, node: Junction, bits: number): void => {
  const ends = node.kind === 'and' ? FALSE : TRUE
  const goes = TRUE + FALSE - ends
  need(it, node.a, BOOLEANS)
  if (bits === goes) {
    need(it, node.a, bitsOf(goes))
    need(it, node.b, bitsOf(goes))
  } else if (it.domains[node.a]?.bits === goes) need(it, node.b, bitsOf(bits))
  else if (((it.domains[node.b]?.bits ?? 0) & bits) === 0) need(it, node.a, bitsOf(ends))
}

type Choice = Extract<GraphNode, { readonly kind: 'choose' }>

const needChoice = (it: Narrowing, node: Choice, domain: Domain): void => {
  need(it, node.test, BOOLEANS)
  const bits = it.domains[node.test]?.bits ?? 0
  if (bits === TRUE) need(it, node.yes, domain)
  else if (bits === FALSE) need(it, node.no, domain)
  else if (!intersects(it.domains[node.yes] ?? ANYTHING, domain)) need(it, node.test, ONLY_FALSE)
  else if (!intersects(it.domains[node.no] ?? ANYTHING, domain)) need(it, node.test, ONLY_TRUE)
}

const needRelation = (it: Narrowing, { a, b }: { readonly a: number; readonly b: number }, bits: number): void => {
  need(it, a, NUMBERS)
  need(it, b, NUMBERS)
  const [x, y] = [it.domains[a] ?? NUMBERS, it.domains[b] ?? NUMBERS]
  if (!hasNumbers(x) || !hasNumbers(y)) return
  if (bits === SAME) {
    need(it, a, y)
    need(it, b, x)
  } else if ((bits & MORE) === 0) {
    need(it, a, between(Number.NEGATIVE_INFINITY, bits & SAME ? y.high : below(y.high)))
    need(it, b, between(bits & SAME ? x.low : above(x.low), Number.POSITIVE_INFINITY))
  } else if ((bits & LESS) === 0) {
    need(it, a, between(bits & SAME ? y.low : above(y.low), Number.POSITIVE_INFINITY))
    need(it, b, between(Number.NEGATIVE_INFINITY, bits & SAME ? x.high : below(x.high)))
  } else if ((bits & SAME) === 0) {
    if (x.low === x.high) need(it, b, without(y, x.low))
    if (y.low === y.high) need(it, a, without(x, y.low))
  }
}

/** Domains of the kinds that a domain has. */
const kindsOf = (a: Domain): Domain => ({
  ...(hasNumbers(a) ? NUMBERS : NOTHING),
  bits: a.bits === 0 ? 0 : TRUE | FALSE,
  texts: hasTexts(a) ? undefined : [],
  nil: a.nil,
})

const needEquality = (it: Narrowing, { a, b }: { readonly a: number; readonly b: number }, bits: number): void => {
  need(it, a, kindsOf(it.domains[b] ?? ANYTHING))
  need(it, b, kindsOf(it.domains[a] ?? ANYTHING))
  const [x, y] = [it.domains[a] ?? ANYTHING, it.domains[b] ?? ANYTHING]
  if (bits === TRUE) {
    need(it, a, y)
    need(it, b, x)
  } else if (bits === FALSE) {
    const [one, other] = [onlyValue(x), onlyValue(y)]
    if (one !== undefined) need(it, b, without(y, one))
    if (other !== undefined) need(it, a, without(x, other))
  }
}

const needSome = (it: Narrowing, items: readonly number[], bits: number): void => {
  for (const item of items) need(it, item, bits === FALSE ? ONLY_FALSE : BOOLEANS)
  if (bits !== TRUE) return
  const able = items.filter((item) => (it.domains[item]?.bits ?? 0) & TRUE)
  if (able.length === 1 && able[0] !== undefined) need(it, able[0], ONLY_TRUE)
}

/** Backward: what those below a node have to give, since it gives what it gives. */
const backward = (it: Narrowing, node: GraphNode, domain: Domain): void => {
  const { bits } = domain
  switch (node.kind) {
    case 'leaf':
      if (node.there >= 0) need(it, node.there, ONLY_TRUE)
      return
    case 'not':
      return need(it, node.of, bitsOf(opposite(bits)))
    case 'negate':
      return need(it, node.of, hasNumbers(domain) ? between(0 - domain.high, 0 - domain.low) : NUMBERS)
    case 'null':
      return need(it, node.of, bits === TRUE ? NIL : bits === FALSE ? NOT_NIL : ANYTHING)
    case 'and':
    case 'or':
      return needJunction(it, node, bits)
    case 'choose':
      return needChoice(it, node, domain)
    case 'compare':
      return need(it, node.of, {
        ...RELATIONS,
        bits: (bits & TRUE ? node.mask : 0) | (bits & FALSE ? RELATIONS.bits & ~node.mask : 0),
      })
    case 'relation':
      return needRelation(it, node, bits)
    case 'equal':
      return needEquality(it, node, bits)
    case 'some':
      return needSome(it, node.items, bits)
    case 'fit':
      return need(it, node.of, domain)
    case 'size':
      return need(it, node.of, ANYTHING)
    default:
      return backwardNumbers(it, node, domain)
  }
}

const backwardNumbers = (it: Narrowing, node: GraphNode, domain: Domain): void => {
  const numbers = (at: number): Domain => meet(it.domains[at] ?? NUMBERS, NUMBERS)
  if (node.kind === 'arithmetic') {
    const [a, b] = [numbers(node.a), numbers(node.b)]
    const [x, y] =
      hasNumbers(a) && hasNumbers(b) && hasNumbers(domain)
        ? arithmeticBack(node.sign, domain, [a, b])
        : [NUMBERS, NUMBERS]
    need(it, node.a, meet(NUMBERS, x))
    need(it, node.b, meet(NUMBERS, y))
  } else if (node.kind === 'call') {
    const args = node.args.map(numbers)
    const known = args.every(hasNumbers) && hasNumbers(domain)
    const back = known ? calledBack(node.name, domain, args) : args
    for (const [i, arg] of node.args.entries()) need(it, arg, meet(NUMBERS, back[i] ?? NUMBERS))
  } else if (node.kind === 'index') {
    for (const item of node.items) need(it, item, ANYTHING)
    need(it, node.index, between(0, node.items.length - 1, true))
  } else if (node.kind === 'opaque') for (const part of node.parts) need(it, part, ANYTHING)
}

/** Narrows a case in place. @returns false where it is proved that there is nothing in it */
export const narrow = ({ nodes }: Graph, it: Case, steps: Steps): boolean => {
  const narrowing: Narrowing = Object.assign(it, { changed: true })
  const { domains, needed } = narrowing
  const dead = (at: number): boolean => needed[at] === 1 && isNothing(domains[at] ?? ANYTHING)
  for (let round = 0; round < ROUNDS_MAX && narrowing.changed && steps.left > 0; round += 1) {
    narrowing.changed = false
    steps.left -= 2 * nodes.length
    for (const [at, node] of nodes.entries()) {
      const before = domains[at] ?? ANYTHING
      const after = meet(before, forward(node, domains))
      if (after !== before) {
        narrowing.changed = true
        domains[at] = after
      }
      if (dead(at)) return false
    }
    for (let at = nodes.length - 1; at >= 0; at -= 1) {
      if (needed[at] !== 1) continue
      if (dead(at)) return false
      const node = nodes[at]
      if (node !== undefined) backward(narrowing, node, domains[at] ?? ANYTHING)
    }
  }
  return !domains.some((_, at) => dead(at))
}
