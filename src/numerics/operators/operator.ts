import { Fault } from '#core/fault.ts'

/** A quantity of a relation. Everything is in the unit's SI form once bound. */
export interface Variable {
  readonly name: string
  /** An expression of core/units.ts; `1` for a pure number. */
  readonly unit: string
  /** Other names a caller may use; one character is matched as written, more are matched without regard to case. */
  readonly aliases?: readonly string[]
  /** Bounds of the range in which the relation holds, inclusive, in `unit`. */
  readonly min?: number
  readonly max?: number
  /** True when zero and below have no meaning here. */
  readonly positive?: boolean
  /** The part of the range in which it is meant when several values solve the relation, the lesser end first. */
  readonly principal?: readonly [number, number]
  /** True for counts and quantum numbers. */
  readonly integer?: boolean
  /** True for a difference of temperatures, which a scale with an offset cannot express. */
  readonly difference?: boolean
}

/** What kind of statement a relation is when it has no value to compute. */
export const REFUSED_KINDS = [
  'inequality',
  'limit',
  'growth-bound',
  'transfer-function',
  'density-matrix',
  'state',
  'symmetry',
  'commutator',
  'operator-equation',
  'differential-equation',
  'tensor-equation',
  'lagrangian',
  'principle',
] as const

export type RefusedKind = (typeof REFUSED_KINDS)[number]

/** A joint law of several variables, without which the relation has no meaning. */
export interface Requirement {
  /** Two expressions of the grammar and `<`, `<=`, `>`, `>=` or `!=` between them. */
  readonly holds: string
  /** What fails with it, in words. */
  readonly why?: string
}

/** One row of the table (protocols/operators/README.md). Data only: adding one takes no code. */
export interface OperatorRow {
  readonly id: string
  readonly name: string
  readonly domain: string
  /** The relation in the grammar; for a refused row its statement as written in books, which is never parsed. */
  readonly equation: string
  readonly variables: Readonly<Record<string, Variable>>
  /** The symbols the relation can be solved for; empty for a refused row. */
  readonly solves_for: readonly string[]
  /** What inputs and result must fulfil together; each variable's own bounds stand with it. */
  readonly requires?: readonly Requirement[]
  readonly source: string
  readonly example?: Example
  /** Present when the relation is refused as what it is. */
  readonly refused?: { readonly kind: RefusedKind; readonly reason: string; readonly see?: readonly string[] }
}

export interface Example {
  readonly inputs: Readonly<Record<string, number | string>>
  /** The symbol computed. */
  readonly output: string
  readonly value: number
  readonly unit: string
  /** Relative tolerance of the comparison, with its reason in `note`; 1e-6 unless said. */
  readonly tolerance?: number
  readonly note?: string
}

const ROW_MEMBERS = [
  'id',
  'name',
  'domain',
  'equation',
  'variables',
  'solves_for',
  'requires',
  'source',
  'example',
  'refused',
]
const VARIABLE_MEMBERS = ['name', 'unit', 'aliases', 'min', 'max', 'positive', 'principal', 'integer', 'difference']
const EXAMPLE_MEMBERS = ['inputs', 'output', 'value', 'unit', 'tolerance', 'note']
const REQUIREMENT_MEMBERS = ['holds', 'why']
const REFUSED_MEMBERS = ['kind', 'reason', 'see']
/** Characters of any text of a row. */
const TEXT_LENGTH_MAX = 2_000
/** Conditions of one relation, and characters of one. */
export const REQUIRES_MAX = 8
const REQUIREMENT_LENGTH_MAX = 200
/** Variables of one relation. */
export const VARIABLES_MAX = 24
const ID = /^[A-Z][A-Z0-9]*(?:[_.-][A-Z0-9]+)*$/
export const SYMBOL = /^[A-Za-z][A-Za-z0-9_]{0,31}$/

type Plain = Readonly<Record<string, unknown>>

const refuse = (where: string, why: string): never => {
  throw new Fault('INVALID_INPUT', `Operator row ${where}: ${why}`, { row: where })
}

const plain = (value: unknown, where: string): Plain => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(where, 'not an object.')
  return value as Plain
}

const only = (value: Plain, members: readonly string[], where: string): void => {
  for (const name of Object.keys(value)) if (!members.includes(name)) refuse(where, `unknown member ${name}.`)
}

const text = (value: unknown, where: string): string => {
  if (typeof value !== 'string' || value === '' || value.length > TEXT_LENGTH_MAX) return refuse(where, 'not a text.')
  return value
}

const texts = (value: unknown, where: string): readonly string[] => {
  if (!Array.isArray(value)) return refuse(where, 'not a list.')
  return value.map((it) => text(it, where))
}

const checkVariable = (value: unknown, where: string): void => {
  const it = plain(value, where)
  only(it, VARIABLE_MEMBERS, where)
  text(it['name'], `${where} name`)
  text(it['unit'], `${where} unit`)
  if (it['aliases'] !== undefined) texts(it['aliases'], `${where} aliases`)
  for (const bound of ['min', 'max']) {
    if (it[bound] !== undefined && !Number.isFinite(it[bound])) refuse(where, `${bound} is not a finite number.`)
  }
  const part = it['principal']
  if (part !== undefined) {
    const [least, most] = Array.isArray(part) && part.length === 2 ? (part as readonly unknown[]) : []
    const isPart = Number.isFinite(least) && Number.isFinite(most) && Number(least) < Number(most)
    if (!isPart) refuse(where, 'principal is two numbers, the lesser first.')
  }
  for (const flag of ['positive', 'integer', 'difference']) {
    if (it[flag] !== undefined && it[flag] !== true) refuse(where, `${flag} is true or absent.`)
  }
}

const checkExample = (value: unknown, where: string, symbols: readonly string[]): void => {
  const it = plain(value, where)
  only(it, EXAMPLE_MEMBERS, where)
  const inputs = plain(it['inputs'], `${where} inputs`)
  only(inputs, symbols, `${where} inputs`)
  for (const [name, input] of Object.entries(inputs)) {
    if (typeof input !== 'string' && !Number.isFinite(input)) refuse(where, `${name} is neither number nor text.`)
  }
  text(it['output'], `${where} output`)
  text(it['unit'], `${where} unit`)
  if (!Number.isFinite(it['value'])) refuse(where, 'value is not a finite number.')
  if (it['note'] !== undefined) text(it['note'], `${where} note`)
  if (it['tolerance'] === undefined) return
  if (!Number.isFinite(it['tolerance'])) refuse(where, 'tolerance is not a finite number.')
  if (it['note'] === undefined) refuse(where, 'a tolerance needs a note.')
}

const checkRequires = (value: unknown, where: string): void => {
  if (!Array.isArray(value)) return refuse(where, 'not a list.')
  if (value.length === 0 || value.length > REQUIRES_MAX)
    refuse(where, `1 to ${REQUIRES_MAX} conditions, or none of it.`)
  for (const each of value as readonly unknown[]) {
    const it = plain(each, where)
    only(it, REQUIREMENT_MEMBERS, where)
    const { length } = text(it['holds'], `${where} holds`)
    if (length > REQUIREMENT_LENGTH_MAX) refuse(where, `more than ${REQUIREMENT_LENGTH_MAX} characters.`)
    if (it['why'] !== undefined) text(it['why'], `${where} why`)
  }
}

const checkRefused = (value: unknown, where: string): void => {
  const it = plain(value, where)
  only(it, REFUSED_MEMBERS, where)
  if (!REFUSED_KINDS.includes(it['kind'] as RefusedKind)) refuse(where, 'unknown kind of refusal.')
  text(it['reason'], `${where} reason`)
  if (it['see'] !== undefined) texts(it['see'], `${where} see`)
}

/**
 * Reads one row, refusing unknown members, so that a misspelled one is never silently dropped. Whether the equation
 * parses and balances is the relation's business (relation.ts).
 *
 * @throws Fault INVALID_INPUT naming the row and the member.
 */
export const parseRow = (value: unknown): OperatorRow => {
  const it = plain(value, '(unnamed)')
  const id = text(it['id'], '(unnamed) id')
  if (!ID.test(id)) refuse(id, 'the id is not upper case letters and digits.')
  only(it, ROW_MEMBERS, id)
  for (const name of ['name', 'domain', 'equation', 'source']) text(it[name], `${id} ${name}`)
  const variables = plain(it['variables'], `${id} variables`)
  const symbols = Object.keys(variables)
  if (symbols.length > VARIABLES_MAX) refuse(id, `more than ${VARIABLES_MAX} variables.`)
  for (const symbol of symbols) {
    if (!SYMBOL.test(symbol)) refuse(id, `the symbol ${symbol} is not a letter followed by letters, digits or _.`)
    checkVariable(variables[symbol], `${id} ${symbol}`)
  }
  const solved = texts(it['solves_for'], `${id} solves_for`)
  for (const symbol of solved) if (!symbols.includes(symbol)) refuse(id, `solves_for names ${symbol}, not a variable.`)
  if (it['requires'] !== undefined) checkRequires(it['requires'], `${id} requires`)
  if (it['example'] !== undefined) checkExample(it['example'], `${id} example`, symbols)
  if (it['refused'] !== undefined) checkRefused(it['refused'], `${id} refused`)
  if ((it['refused'] === undefined) !== solved.length > 0) refuse(id, 'either solves_for or refused, not both.')
  if (it['refused'] !== undefined && it['requires'] !== undefined) refuse(id, 'a refused row has no conditions.')
  if (it['refused'] === undefined && it['example'] === undefined) refuse(id, 'an evaluable row has a worked example.')
  return it as unknown as OperatorRow
}
