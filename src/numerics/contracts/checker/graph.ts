import type { LanguageFunction } from '#numerics/contracts/language/functions.ts'
import type { ContractSign } from '#numerics/contracts/language/grammar.ts'
import { ANYTHING, BOOLEANS, type Domain, FALSE, hull, NOTHING, NUMBERS, RELATIONS, TRUE } from './domain.ts'

/** One place in a graph of expressions; numbers are places of the nodes it rests on. */
export type GraphNode =
  | { readonly kind: 'constant'; readonly value: Domain }
  /** What is read, by its name. `there`: the node that says whether a member is there at all, or -1. */
  | { readonly kind: 'leaf'; readonly name: string; readonly there: number }
  | { readonly kind: 'not' | 'negate' | 'null' | 'size'; readonly of: number }
  | { readonly kind: 'and' | 'or' | 'relation' | 'equal'; readonly a: number; readonly b: number }
  | { readonly kind: 'compare'; readonly of: number; readonly mask: number }
  | { readonly kind: 'choose'; readonly test: number; readonly yes: number; readonly no: number }
  | { readonly kind: 'arithmetic'; readonly sign: ContractSign; readonly a: number; readonly b: number }
  | { readonly kind: 'call'; readonly name: LanguageFunction; readonly args: readonly number[] }
  /** Whether one of some is true; all of them are looked at. */
  | { readonly kind: 'some'; readonly items: readonly number[] }
  | { readonly kind: 'index'; readonly items: readonly number[]; readonly index: number }
  /** A value that has to fit what it is put into. */
  | { readonly kind: 'fit'; readonly of: number; readonly into: Domain }
  /** Of which nothing is known but what it rests on. */
  | { readonly kind: 'opaque'; readonly parts: readonly number[] }

/** Expressions put together, in which what is the same has one node. A node comes behind those it rests on. */
export interface Graph {
  readonly nodes: readonly GraphNode[]
  /** What each node may give before anything is known of a case. */
  readonly first: readonly Domain[]
  /** Leaves by name; whether a member is there at all is a leaf of `?` and its name. */
  readonly leaves: ReadonlyMap<string, number>
  /** The node of a key, made where there is none. @param leaf what a leaf may give */
  put(key: string, node: GraphNode, leaf?: Domain): number
}

const SIZE: Domain = { ...NUMBERS, low: 0, whole: true }
/** What a node of a kind may give whatever stands below it. */
const firstOf = (node: GraphNode, first: readonly Domain[], leaf: Domain): Domain => {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'leaf':
      return leaf
    case 'negate':
    case 'arithmetic':
    case 'call':
      return NUMBERS
    case 'size':
      return SIZE
    case 'relation':
      return RELATIONS
    case 'choose':
      return hull(first[node.yes] ?? ANYTHING, first[node.no] ?? ANYTHING)
    case 'index':
      return node.items.reduce((all, it) => hull(all, first[it] ?? ANYTHING), NOTHING)
    case 'fit':
      return node.into
    case 'opaque':
      return ANYTHING
    default:
      return BOOLEANS
  }
}

/** An empty graph. */
export const newGraph = (): Graph => {
  const nodes: GraphNode[] = []
  const first: Domain[] = []
  const leaves = new Map<string, number>()
  const byKey = new Map<string, number>()
  const put = (key: string, node: GraphNode, leaf: Domain = ANYTHING): number => {
    const found = byKey.get(key)
    if (found !== undefined) return found
    first.push(firstOf(node, first, leaf))
    byKey.set(key, nodes.length)
    if (node.kind === 'leaf') leaves.set(node.name, nodes.length)
    return nodes.push(node) - 1
  }
  return { nodes, first, leaves, put }
}

const keyOf = (it: Domain): string => `${JSON.stringify(it)} ${it.low} ${it.high}`

/** The node of what is known already. */
export const putConstant = (graph: Graph, value: Domain): number =>
  graph.put(`= ${keyOf(value)}`, { kind: 'constant', value })

/** The node of something read. @param there the node that says whether it is there at all */
export const putLeaf = (graph: Graph, name: string, of: { readonly domain: Domain; readonly there?: number }): number =>
  graph.put(`leaf ${name}`, { kind: 'leaf', name, there: of.there ?? -1 }, of.domain)

/** The node of a value that has to fit. */
export const putFit = (graph: Graph, of: number, into: Domain): number =>
  graph.put(`fit ${of} ${keyOf(into)}`, { kind: 'fit', of, into })

/** The bits of what is not so. */
export const opposite = (bits: number): number => (bits & TRUE ? FALSE : 0) | (bits & FALSE ? TRUE : 0)
