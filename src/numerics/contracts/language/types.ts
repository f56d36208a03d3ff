import { commonUnit, type Measure, shownUnit } from './measures.ts'

/** What an expression may give. A `broken` one was complained of already, and fits everywhere. */
export type Type =
  | { readonly kind: 'number'; readonly unit?: Measure; readonly nullable?: boolean }
  | { readonly kind: 'boolean'; readonly nullable?: boolean }
  /** `of`: all that it may be, where that is known. */
  | { readonly kind: 'text'; readonly of?: readonly string[]; readonly nullable?: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly of: Type }
  | { readonly kind: 'broken' }

/** What an expression may name: types, and names below names. */
export interface NameScope {
  readonly names: ReadonlyMap<string, Type | NameScope>
}

/** Whether a name has names below it. */
export const isScope = (it: Type | NameScope): it is NameScope => 'names' in it

/** A scope of these names. */
export const scopeOf = (names: Iterable<readonly [string, Type | NameScope]>): NameScope => ({ names: new Map(names) })

export const BROKEN: Type = { kind: 'broken' }
export const BOOLEAN: Type = { kind: 'boolean' }
export const NUMBER: Type = { kind: 'number' }

/** Whether null may come of it. */
export const isNullable = (it: Type): boolean =>
  it.kind === 'null' || it.kind === 'broken' || ('nullable' in it && it.nullable === true)

/** A type as a message names it. */
export const shownType = (it: Type): string => {
  if (it.kind === 'number' && it.unit !== undefined) return `a number in ${shownUnit(it.unit)}`
  return it.kind === 'null' ? 'null' : it.kind === 'broken' ? 'something wrong' : `a ${it.kind}`
}

const orNullable = (it: Type, nullable: boolean): Type =>
  nullable && it.kind !== 'list' && it.kind !== 'null' && it.kind !== 'broken' ? { ...it, nullable } : it

/** The type of what is one or the other, or why there is none. */
export const joined = (a: Type, b: Type): Type | string => {
  if (a.kind === 'broken') return b
  if (b.kind === 'broken') return a
  const nullable = isNullable(a) || isNullable(b)
  if (a.kind === 'null' && b.kind !== 'list') return orNullable(b, nullable)
  if (b.kind === 'null' && a.kind !== 'list') return orNullable(a, nullable)
  if (a.kind === 'number' && b.kind === 'number') {
    const unit = commonUnit(a.unit, b.unit)
    return typeof unit === 'string' ? unit : orNullable({ kind: 'number', unit }, nullable)
  }
  if (a.kind === 'text' && b.kind === 'text') {
    if (a.of === undefined || b.of === undefined) return orNullable({ kind: 'text' }, nullable)
    return orNullable({ kind: 'text', of: [...new Set([...a.of, ...b.of])] }, nullable)
  }
  if (a.kind === 'list' && b.kind === 'list') {
    const of = joined(a.of, b.of)
    return typeof of === 'string' ? of : { kind: 'list', of }
  }
  return a.kind === b.kind ? orNullable(a, nullable) : `${shownType(a)} and ${shownType(b)} are two types`
}

/** Why two types can never be equal, or undefined where they can. */
export const unequal = (a: Type, b: Type): string | undefined => {
  if (a.kind === 'null' || b.kind === 'null') {
    const other = a.kind === 'null' ? b : a
    return isNullable(other) ? undefined : `${shownType(other)} is never null`
  }
  const both = joined(a, b)
  if (typeof both === 'string') return both
  if (both.kind === 'list') return 'lists are not compared'
  if (a.kind !== 'text' || b.kind !== 'text' || a.of === undefined || b.of === undefined) return undefined
  const { of } = b
  if (a.of.some((it) => of.includes(it))) return undefined
  const said = [a.of, of].map((texts) => texts.map((it) => JSON.stringify(it)).join(', '))
  return `${said[0]} is never ${said[1]}`
}
