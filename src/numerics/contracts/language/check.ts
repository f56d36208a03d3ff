import { didYouMean, slipsOf } from '#core/near-names.ts'
import { FUNCTIONS } from './functions.ts'
import { type ContractExpression, type Of, printExpression } from './grammar.ts'
import { type Measure, productUnit, quotientUnit, sumUnit, unitOfCall } from './measures.ts'
import { BOOLEAN, BROKEN, isScope, joined, type NameScope, NUMBER, shownType, type Type, unequal } from './types.ts'

/** What is wrong with an expression, and where: characters before it. */
export interface Complaint {
  readonly reason: string
  readonly position: number
}

/** What an expression gives, and all that is wrong with it. */
export interface CheckedExpression {
  readonly type: Type
  readonly complaints: readonly Complaint[]
}

/** Characters of a text that a message repeats. */
const SHOWN_MAX = 40

/** An expression being checked: what it may name, and where complaints go. */
interface Checking {
  readonly scope: NameScope
  /** Says what is wrong at a place. @returns the type that fits everywhere, so that it is said once */
  complain(position: number, reason: string): Type
}

/** A type, or what was said instead of one. */
const heard = (into: Checking, it: Type | string, { at }: ContractExpression): Type =>
  typeof it === 'string' ? into.complain(at, it) : it
const measured = (into: Checking, unit: Measure | string, it: ContractExpression): Type =>
  typeof unit === 'string' ? into.complain(it.at, unit) : { kind: 'number', unit }

const missing = (into: Checking, within: NameScope, { name, at }: Of<'name' | 'member'>, place: string): Type => {
  const names = [...within.names.keys()]
  const near = didYouMean(slipsOf(name, names))
  const here =
    names.length === 0 ? ' It has none here.' : ` There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`
  return into.complain(at, `${place} has no member ${name}.${near === '' ? here.slice(0, 200) : near}`)
}

const found = (into: Checking, it: ContractExpression): Type | NameScope => {
  if (it.kind === 'name') return into.scope.names.get(it.name) ?? missing(into, into.scope, it, 'An expression here')
  if (it.kind !== 'member') return typeOf(into, it)
  const of = found(into, it.of)
  if (isScope(of)) return of.names.get(it.name) ?? missing(into, of, it, printExpression(it.of).slice(0, SHOWN_MAX))
  return of.kind === 'broken' ? BROKEN : into.complain(it.at, `${shownType(of)} has no members`)
}

const named = (into: Checking, it: ContractExpression): Type => {
  const of = found(into, it)
  return isScope(of)
    ? into.complain(it.at, `one of its members is wanted: ${[...of.names.keys()].join(', ')}`.slice(0, 200))
    : of
}

/** The unit of a number; a complaint where it is none. */
const number = (into: Checking, it: ContractExpression): Measure => {
  const type = typeOf(into, it)
  if (type.kind === 'number') return type.unit
  if (type.kind !== 'broken') into.complain(it.at, `a number is wanted, not ${shownType(type)}`)
  return undefined
}

const boolean = (into: Checking, it: ContractExpression): void => {
  const type = typeOf(into, it)
  if (type.kind !== 'boolean' && type.kind !== 'broken')
    into.complain(it.at, `a boolean is wanted, not ${shownType(type)}`)
}

const list = (into: Checking, it: Of<'list'>): Type => {
  let of: Type = BROKEN
  for (const item of it.items) {
    const type = typeOf(into, item)
    if (type.kind === 'list' || type.kind === 'null')
      into.complain(item.at, `${shownType(type)} has no place in a list`)
    else of = heard(into, joined(of, type), item)
  }
  return { kind: 'list', of }
}

const itemsOf = (into: Checking, it: ContractExpression): Type => {
  const type = typeOf(into, it)
  if (type.kind === 'list') return type.of
  return type.kind === 'broken' ? BROKEN : into.complain(it.at, `a list is wanted, not ${shownType(type)}`)
}

const binary = (into: Checking, it: Of<'binary'>): Type => {
  const { sign, left, right } = it
  switch (sign) {
    case '||':
    case '&&':
      boolean(into, left)
      boolean(into, right)
      return BOOLEAN
    case '==':
    case '!=':
    case 'in': {
      const why = unequal(typeOf(into, left), sign === 'in' ? itemsOf(into, right) : typeOf(into, right))
      if (why !== undefined) into.complain(it.at, why)
      return BOOLEAN
    }
    case '+':
    case '-':
      return measured(into, sumUnit(sign, number(into, left), number(into, right)), it)
    case '*':
      return measured(into, productUnit(number(into, left), number(into, right)), it)
    case '/':
      return measured(into, quotientUnit(number(into, left), number(into, right)), it)
    default: {
      const both = joined({ kind: 'number', unit: number(into, left) }, { kind: 'number', unit: number(into, right) })
      const type = heard(into, both, it)
      return sign === '%' ? type : BOOLEAN
    }
  }
}

const call = (into: Checking, it: Of<'call'>): Type => {
  const units = it.args.map((arg) => number(into, arg))
  const [, power] = it.args
  const written = power?.kind === 'negate' ? power.of : power
  const value = written?.kind === 'number' ? (written === power ? written.value : -written.value) : undefined
  return measured(into, unitOfCall(FUNCTIONS[it.name].units, units, value), it)
}

const size = (into: Checking, it: Of<'has' | 'size'>): Type => {
  const of = typeOf(into, it.of)
  const sized = of.kind === 'list' || of.kind === 'text' || of.kind === 'broken'
  return sized ? NUMBER : into.complain(it.at, `a list or a text has a size, ${shownType(of)} has none`)
}

const literal = ({ value }: Of<'literal'>): Type => {
  if (value === null) return { kind: 'null' }
  return typeof value === 'boolean' ? BOOLEAN : { kind: 'text', of: [value] }
}

const typeOf = (into: Checking, it: ContractExpression): Type => {
  switch (it.kind) {
    case 'number':
      return NUMBER
    case 'literal':
      return literal(it)
    case 'list':
      return list(into, it)
    case 'name':
    case 'member':
      return named(into, it)
    case 'index': {
      const of = itemsOf(into, it.of)
      number(into, it.index)
      return of
    }
    case 'has':
      named(into, it.of)
      return BOOLEAN
    case 'size':
      return size(into, it)
    case 'not':
      boolean(into, it.of)
      return BOOLEAN
    case 'negate':
      return { kind: 'number', unit: number(into, it.of) }
    case 'choose':
      boolean(into, it.test)
      return heard(into, joined(typeOf(into, it.yes), typeOf(into, it.no)), it)
    case 'binary':
      return binary(into, it)
    case 'call':
      return call(into, it)
  }
}

/** Types an expression against what it may name: units balance, and every complaint is made at once. */
export const checkExpression = (it: ContractExpression, scope: NameScope): CheckedExpression => {
  const complaints: Complaint[] = []
  const complain = (position: number, reason: string): Type => {
    complaints.push({ position, reason })
    return BROKEN
  }
  const type = typeOf({ scope, complain }, it)
  return { type, complaints: complaints.toSorted((a, b) => a.position - b.position) }
}
