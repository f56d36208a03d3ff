import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { nearestNames } from '#core/near-names.ts'
import { constantOf, constantsNamed } from './constants.ts'
import { namesOf, type Target, targetsOf } from './names.ts'
import { readQuantity, type ValuePlace } from './quantity.ts'
import type { Operator } from './registry.ts'

/** A value the caller gave for one variable. */
export interface GivenValue {
  /** In SI. */
  readonly value: number
  /** Standard uncertainty in SI; absent when the caller gave none with the value. */
  readonly uncertainty?: number
  /** The caller's name for it, and the value as written. */
  readonly as: string
  readonly given: Json
}

/** The caller's values by operator id and symbol. */
export type Bound = ReadonlyMap<string, ReadonlyMap<string, GivenValue>>

/** Characters of an input's name. */
export const NAME_LENGTH_MAX = 64
/** Names offered for one that is not known. */
const SUGGESTIONS_MAX = 3

const cut = (name: string): string => (name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX)}…` : name)

/** How a variable is shown in refusals. */
export const readingOf = ({ operator, quantity }: Target) => ({
  operator: operator.row.id,
  symbol: quantity.symbol,
  name: quantity.name,
  unit: quantity.unit,
  write: `${operator.row.id}.${quantity.symbol}`,
})

/** Why a name binds nothing: a constant of the relation by its letter, or no such name. */
const unknownInput = (operators: readonly Operator[], input: string) => {
  const own = new Set(operators.flatMap((it) => it.relation().constants))
  const constant = constantsNamed(input).find((it) => own.has(it.key))
  if (constant !== undefined) {
    const reason = `${input} is the ${constant.name} here, bound by itself; a constant is never an input.`
    return { input: cut(input), reason, suggestions: [] }
  }
  const suggestions = nearestNames(input, [...new Set(namesOf(operators))], SUGGESTIONS_MAX)
  const ids = operators.map((it) => it.row.id).join(', ')
  return { input: cut(input), reason: `${ids} has no variable of this name.`, suggestions }
}

const refuseUnknown = (operators: readonly Operator[], inputs: readonly string[]): never => {
  const unknown = inputs.map((input) => unknownInput(operators, input))
  const [first] = unknown
  const hint = first?.suggestions[0] === undefined ? '' : ` Did you mean ${first.suggestions[0]}?`
  throw new Fault('INVALID_INPUT', `Unknown input ${first?.input}: ${first?.reason}${hint}`, { unknown })
}

const refuseReadings = (input: string, targets: readonly Target[]): never => {
  throw new Fault(
    'AMBIGUOUS_INPUT',
    `The input ${cut(input)} can be read in ${targets.length} ways; name the one meant.`,
    {
      input: cut(input),
      readings: targets.map(readingOf),
    },
  )
}

/**
 * The variables one name means: one of each operator at most, and all of one quantity, the same name or symbol in two
 * operators being one value.
 */
const agreed = (input: string, targets: readonly Target[]): readonly Target[] => {
  const [first] = targets
  const alike = (it: Target): boolean =>
    it.quantity.of.angle === first?.quantity.of.angle &&
    it.quantity.of.dimension.every(([p, q], i) => {
      const other = first.quantity.of.dimension[i]
      return p === other?.[0] && q === other[1]
    })
  const each = new Set(targets.map((it) => it.operator.row.id)).size === targets.length
  return each && targets.every(alike) ? targets : refuseReadings(input, targets)
}

/** What one name means in a chain. @throws Fault INVALID_INPUT for an unknown name, AMBIGUOUS_INPUT for several. */
export const meaningOf = (operators: readonly Operator[], input: string): readonly Target[] => {
  const targets = input.length > NAME_LENGTH_MAX ? [] : targetsOf(operators, input)
  return targets.length === 0 ? refuseUnknown(operators, [input]) : agreed(input, targets)
}

/** A text is what it is in JSON, and a finite number too, but for the sign of zero. */
const toJson = (value: unknown): Json => {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? value + 0 : (JSON.parse(JSON.stringify(value)) as Json)
}

/** One variable that an input binds: which of the inputs, by its place among them. */
export interface BoundName {
  readonly from: number
  readonly place: ValuePlace
}

/** The caller's names and values. */
export type Inputs = readonly (readonly [string, unknown])[]

const unbound = (operators: readonly Operator[]) =>
  new Map(operators.map((it) => [it.row.id, new Map<string, GivenValue>()]))

const bind = (bound: ReturnType<typeof unbound>, inputs: Inputs, { from, place }: BoundName): void => {
  const [as, given] = inputs[from] ?? ['', undefined]
  const { value, uncertainty } = readQuantity(given, place)
  const read = { value, as, given: toJson(given) }
  bound.get(place.operator)?.set(place.quantity.symbol, uncertainty === undefined ? read : { ...read, uncertainty })
}

/**
 * Binds inputs of the names whose readings are known already.
 *
 * @throws Fault as {@link bindInputs}, of values.
 */
export const bindAgain = (operators: readonly Operator[], inputs: Inputs, readings: readonly BoundName[]): Bound => {
  const bound = unbound(operators)
  for (const reading of readings) bind(bound, inputs, reading)
  return bound
}

/**
 * Binds the caller's inputs to variables, values in SI and in range.
 *
 * @throws Fault INVALID_INPUT for unknown names, listing all; AMBIGUOUS_INPUT for a name with several readings and for
 *   a variable named twice; DIMENSION_MISMATCH, OUT_OF_RANGE for values.
 * @param note told of each variable that a name binds, in the order in which their values are read.
 */
export const bindInputs = (
  operators: readonly Operator[],
  inputs: Inputs,
  note: (reading: BoundName) => void = () => undefined,
): Bound => {
  const named = inputs.map(([input]) => {
    const targets = input.length > NAME_LENGTH_MAX ? [] : targetsOf(operators, input)
    return { input, targets }
  })
  const unknown = named.filter(({ targets }) => targets.length === 0).map(({ input }) => input)
  if (unknown.length > 0) refuseUnknown(operators, unknown)
  const bound = unbound(operators)
  for (const [from, { input, targets }] of named.entries()) {
    for (const { operator, quantity } of agreed(input, targets)) {
      const before = bound.get(operator.row.id)?.get(quantity.symbol)
      if (before !== undefined) {
        throw new Fault('AMBIGUOUS_INPUT', `${cut(input)} and ${before.as} both name ${quantity.name}.`, {
          input: cut(input),
          also: before.as,
          readings: [readingOf({ operator, quantity })],
        })
      }
      const reading = { from, place: { operator: operator.row.id, input: cut(input), quantity } }
      bind(bound, inputs, reading)
      note(reading)
    }
  }
  return bound
}

/** One variable without a value. */
export interface MissingValue {
  readonly target: Target
  readonly reason: string
}

/**
 * Asks for what is missing. A letter that is also a constant's is asked for with both readings.
 *
 * @throws Fault AMBIGUOUS_INPUT when every missing variable is such a letter, else MISSING_INPUTS.
 */
export const askFor = (missing: readonly MissingValue[]): never => {
  const rows = missing.map(({ target, reason }) => {
    const { operator, symbol, name, unit } = readingOf(target)
    const constants = constantsNamed(symbol)
    const readings = [`${symbol}: ${name}, in ${unit}`, ...constants.map((it) => `@${it.key}: ${it.name}`)]
    const constant = constants[0]?.name
    const both = `${symbol} is the ${name} here and also the letter of the ${constant}; it is never defaulted.`
    return { operator, symbol, name, unit, reason: constants.length > 0 ? both : reason, readings }
  })
  const letters = rows.filter(({ readings }) => readings.length > 1)
  const list = rows.map(({ operator, symbol, name, unit }) => `${operator}.${symbol} (${name}, ${unit})`).join(', ')
  const shown = rows.map(({ readings, ...row }) => (readings.length > 1 ? { ...row, readings } : row))
  if (letters.length === rows.length) {
    throw new Fault('AMBIGUOUS_INPUT', `Bound nowhere, and a constant's letter too: ${list}.`, { missing: shown })
  }
  throw new Fault('MISSING_INPUTS', `Missing: ${list}.`, { missing: shown })
}

/** The constants of some relations as bound. */
export const constantsOf = (operators: readonly Operator[]) =>
  Object.fromEntries(
    [...new Set(operators.flatMap((it) => it.relation().constants))].sort().map((key) => {
      const { value, unit, exact } = constantOf(key)
      return [key, { value, unit, exact }]
    }),
  )
