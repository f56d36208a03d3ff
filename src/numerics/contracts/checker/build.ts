import type { ContractExpression, ContractSign, Of } from '#numerics/contracts/language/grammar.ts'
import { ANYTHING, BOOLEANS, type Domain, exactly, hasTexts, isNothing, LESS, MORE, ONLY_TRUE, SAME } from './domain.ts'
import { type Graph, putConstant, putLeaf } from './graph.ts'

/** Where a name of an expression leads. */
export interface Names {
  /** Nodes that names stand for: leaves, and what was set since. */
  readonly nodes: Map<string, number>
  /** What something read may be, and whether it may be absent. */
  declared(name: string): { readonly domain: Domain; readonly optional: boolean }
}

const MASKS: Readonly<Partial<Record<ContractSign, number>>> = {
  '<': LESS,
  '<=': LESS | SAME,
  '>': MORE,
  '>=': MORE | SAME,
  '==': SAME,
  '!=': LESS | MORE,
}

/** The names that a member goes by, from its root on; undefined where it is none of a name. */
export const dotted = (it: ContractExpression): string | undefined => {
  if (it.kind === 'name') return it.name
  if (it.kind !== 'member') return undefined
  const of = dotted(it.of)
  return of === undefined ? undefined : `${of}.${it.name}`
}

const isNull = (it: ContractExpression): boolean => it.kind === 'literal' && it.value === null

/** Whether nothing but numbers comes of a domain. */
const isNumeric = (it: Domain): boolean => it.bits === 0 && !hasTexts(it) && !it.nil && !isNothing(it)

const flipped = (mask: number): number => (mask & SAME) | (mask & LESS ? MORE : 0) | (mask & MORE ? LESS : 0)

/** An expression being put into a graph. */
interface Build {
  readonly graph: Graph
  readonly names: Names
}

const read = ({ graph, names }: Build, name: string): number => {
  const known = names.nodes.get(name)
  if (known !== undefined) return known
  const { domain, optional } = names.declared(name)
  const at = optional
    ? putLeaf(graph, name, { domain, there: putLeaf(graph, `?${name}`, { domain: BOOLEANS }) })
    : putLeaf(graph, name, { domain })
  names.nodes.set(name, at)
  return at
}

const relation = ({ graph }: Build, [a, b]: readonly [number, number], mask: number): number => {
  const [low, high] = a <= b ? [a, b] : [b, a]
  const of = graph.put(`relation ${low} ${high}`, { kind: 'relation', a: low, b: high })
  const kept = a <= b ? mask : flipped(mask)
  return graph.put(`compare ${of} ${kept}`, { kind: 'compare', of, mask: kept })
}

const not = ({ graph }: Build, of: number): number => graph.put(`not ${of}`, { kind: 'not', of })

const opaque = ({ graph }: Build, name: string, parts: readonly number[]): number =>
  graph.put(`${name} ${parts.join(' ')}`, { kind: 'opaque', parts })

/** Two numbers are equal as a relation: null beside a number has no value at all. */
const equal = (to: Build, a: number, b: number): number => {
  const { graph } = to
  if ([a, b].some((it) => isNumeric(graph.first[it] ?? ANYTHING))) return relation(to, [a, b], SAME)
  const [low, high] = a <= b ? [a, b] : [b, a]
  return graph.put(`equal ${low} ${high}`, { kind: 'equal', a: low, b: high })
}

const equality = (to: Build, { sign, left, right }: Of<'binary'>): number => {
  const said = (at: number): number => (sign === '==' ? at : not(to, at))
  if (isNull(left) || isNull(right)) {
    const of = build(to, isNull(left) ? right : left)
    return said(to.graph.put(`null ${of}`, { kind: 'null', of }))
  }
  return said(equal(to, build(to, left), build(to, right)))
}

const contained = (to: Build, { left, right }: Of<'binary'>): number => {
  const a = build(to, left)
  if (right.kind !== 'list') return opaque(to, 'in', [a, build(to, right)])
  const items = right.items.map((item) => equal(to, a, build(to, item)))
  return to.graph.put(`some ${items.join(' ')}`, { kind: 'some', items })
}

const binary = (to: Build, it: Of<'binary'>): number => {
  const { sign, left, right } = it
  if (sign === '==' || sign === '!=') return equality(to, it)
  if (sign === 'in') return contained(to, it)
  const [a, b] = [build(to, left), build(to, right)]
  if (sign === '&&') return to.graph.put(`and ${a} ${b}`, { kind: 'and', a, b })
  if (sign === '||') return to.graph.put(`or ${a} ${b}`, { kind: 'or', a, b })
  const mask = MASKS[sign]
  return mask === undefined
    ? to.graph.put(`${sign} ${a} ${b}`, { kind: 'arithmetic', sign, a, b })
    : relation(to, [a, b], mask)
}

const has = (to: Build, it: ContractExpression): number => {
  const name = dotted(it)
  if (name === undefined) return opaque(to, 'has', [])
  const { optional } = to.names.declared(name)
  return optional ? putLeaf(to.graph, `?${name}`, { domain: BOOLEANS }) : putConstant(to.graph, ONLY_TRUE)
}

const indexed = (to: Build, it: Of<'index'>): number => {
  const index = build(to, it.index)
  if (it.of.kind !== 'list') return opaque(to, 'index', [build(to, it.of), index])
  const items = it.of.items.map((item) => build(to, item))
  return to.graph.put(`index ${index} of ${items.join(' ')}`, { kind: 'index', items, index })
}

const build = (to: Build, it: ContractExpression): number => {
  const { graph } = to
  const all = (items: readonly ContractExpression[]): readonly number[] => items.map((item) => build(to, item))
  switch (it.kind) {
    case 'number':
    case 'literal':
      return putConstant(graph, exactly(it.value))
    case 'name':
    case 'member': {
      const name = dotted(it)
      return name === undefined ? opaque(to, 'member', []) : read(to, name)
    }
    case 'list':
      return opaque(to, 'list', all(it.items))
    case 'index':
      return indexed(to, it)
    case 'has':
      return has(to, it.of)
    case 'not':
      return not(to, build(to, it.of))
    case 'negate':
    case 'size': {
      const of = build(to, it.of)
      return graph.put(`${it.kind} ${of}`, { kind: it.kind, of })
    }
    case 'choose': {
      const [test = 0, yes = 0, no = 0] = all([it.test, it.yes, it.no])
      return graph.put(`choose ${test} ${yes} ${no}`, { kind: 'choose', test, yes, no })
    }
    case 'binary':
      return binary(to, it)
    case 'call': {
      const args = all(it.args)
      return graph.put(`${it.name} ${args.join(' ')}`, { kind: 'call', name: it.name, args })
    }
  }
}

/** Puts an expression into a graph. @returns its node */
export const addExpression = (graph: Graph, it: ContractExpression, names: Names): number => build({ graph, names }, it)
