import type { Json } from '#core/canonical.ts'
import type { FireProblem } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { pointer } from '#core/input.ts'
import { shownRefusal } from '#numerics/contracts/definition/expressions.ts'
import { isPart } from '#numerics/contracts/definition/pieces.ts'
import { compileExpression, NoValue, type ReadValues, type Value } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression } from '#numerics/contracts/language/grammar.ts'
import { refuse } from './effects.ts'

/** Places of an expression that a message lists. */
const SEEN_MAX = 32

/** An expression made ready, once for a version. */
export interface ReadyExpression {
  readonly text: string
  readonly path: string
  /** Its value; a refusal is a {@link NoValue}. */
  run(values: ReadValues): Value | NoValue
  /** The oracles that it reads, by the place of each name: characters before it. */
  readonly oracles: ReadonlyMap<number, string>
  /** What it reads, as a path of names: `context.n` is `['context', 'n']`. */
  readonly reads: readonly (readonly string[])[]
}

/** The names that a member goes by, from its root on; undefined where it is none of a name. */
const namesOf = (it: ContractExpression): readonly string[] | undefined => {
  if (it.kind === 'name') return [it.name]
  if (it.kind !== 'member') return undefined
  const of = namesOf(it.of)
  return of === undefined ? undefined : [...of, it.name]
}

/** The parts of an expression that are expressions. */
const partsOf = (it: ContractExpression): readonly ContractExpression[] => {
  switch (it.kind) {
    case 'number':
    case 'literal':
    case 'name':
      return []
    case 'list':
      return it.items
    case 'call':
      return it.args
    case 'index':
      return [it.of, it.index]
    case 'choose':
      return [it.test, it.yes, it.no]
    case 'binary':
      return [it.left, it.right]
    default:
      return [it.of]
  }
}

/** Reads and compiles an expression that the linter found sound. */
export const readyExpression = (text: string, path: string): ReadyExpression => {
  const it = parseExpression(text)
  const oracles = new Map<number, string>()
  const reads = new Map<string, readonly string[]>()
  const visit = (part: ContractExpression): void => {
    const names = namesOf(part)
    if (names === undefined) {
      for (const inner of partsOf(part)) visit(inner)
      return
    }
    reads.set(names.join('.'), names)
    if (names[0] === 'oracle' && names[1] !== undefined) oracles.set(part.at, names[1])
  }
  visit(it)
  return { text, path, run: compileExpression(it), oracles, reads: [...reads.values()].slice(0, SEEN_MAX) }
}

/** Why an expression without a value refuses: an oracle that gave none is stale, whatever read it. */
export const problemOf = (
  { path, oracles }: ReadyExpression,
  none: NoValue,
  reason: FireProblem['reason'],
): FireProblem => {
  const { position } = none
  const oracle = none.reason === 'absent' ? oracles.get(position) : undefined
  return oracle === undefined
    ? { reason, message: `The expression has no value: ${shownRefusal(none)}.`, path, position }
    : { reason: 'stale', message: `Oracle ${oracle} has no value that is fresh enough.`, path, position }
}

/** The value of an expression of an action; without one the fire is refused. */
export const givenBy = (it: ReadyExpression, values: ReadValues): Value => {
  const value = it.run(values)
  return value instanceof NoValue ? refuse(problemOf(it, value, 'value')) : value
}

/** What an expression read: scalars by the name that it has in the text. */
export const seenBy = ({ reads }: ReadyExpression, values: ReadValues): Readonly<Record<string, Scalar>> => {
  const seen: Record<string, Scalar> = {}
  for (const names of reads) {
    let at: unknown = values
    for (const name of names) at = isPart(at) && Object.hasOwn(at, name) ? at[name] : undefined
    if (typeof at === 'string' || typeof at === 'boolean' || at === null) seen[names.join('.')] = at
    if (typeof at === 'number') seen[names.join('.')] = Number.isFinite(at) ? at : null
  }
  return seen
}

/** A value of an action made ready: what it is, or how it comes about. */
export type Filling =
  | { readonly constant: Json }
  | { readonly expression: ReadyExpression }
  | { readonly fill: (values: ReadValues) => Json }

const isExpression = (value: Json): value is { readonly $: string } =>
  isPart(value) && typeof value['$'] === 'string' && Object.keys(value).length === 1

/** What a filling gives. */
export const filled = (it: Filling, values: ReadValues): Json => {
  if ('constant' in it) return it.constant
  return 'fill' in it ? it.fill(values) : (givenBy(it.expression, values) as Json)
}

/** Makes a value ready, in which `{$: expression}` may stand at any depth. */
export const readyValue = (value: Json, path: string): Filling => {
  if (typeof value !== 'object' || value === null) return { constant: value }
  if (isExpression(value)) return { expression: readyExpression(value.$, pointer(path, '$')) }
  if (Array.isArray(value)) {
    const items = value.map((it: Json, i) => readyValue(it, `${path}/${i}`))
    if (items.every((it) => 'constant' in it)) return { constant: value }
    return { fill: (values) => items.map((it) => filled(it, values)) }
  }
  const members = Object.entries(value).map(
    ([name, it]) => [name, readyValue(it as Json, pointer(path, name))] as const,
  )
  if (members.every(([, it]) => 'constant' in it)) return { constant: value }
  return { fill: (values) => Object.fromEntries(members.map(([name, it]) => [name, filled(it, values)])) }
}
