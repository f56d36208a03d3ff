import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, slipsOf } from '#core/near-names.ts'
import { type Parameter, type ParameterValue, parameterValue } from '#routing/contracts/parameter.ts'
import { templateById } from './load.ts'
import type { Template } from './schema.ts'

/**
 * Filling a template. `{"$param": name}` is the value itself. `${name}` in a text is the value in words; in an
 * expression it is a literal of the language, which a text cannot leave. A member of a list, or of an object, with
 * `"$if": name` is there only where that parameter has a value that is not false.
 */

/** What a template became. */
export interface Filled {
  readonly template: Template
  /** Every parameter with its value, defaults included; null for an optional one that stays empty. */
  readonly parameters: Readonly<Record<string, ParameterValue>>
  /** As an author would have written it: not linted yet. */
  readonly definition: Readonly<Record<string, Json>>
}

/** A thing wrong with what was given: a pointer into `{parameters}`, and why. */
export interface ParameterFault {
  readonly path: string
  readonly reason: string
}

/** What was given, read as far as it could be. */
export interface ReadParameters {
  readonly values: Readonly<Record<string, ParameterValue>>
  /** Required ones without a value. */
  readonly missing: readonly string[]
  readonly faults: readonly ParameterFault[]
}

type Given = Readonly<Record<string, unknown>>
type Values = Readonly<Record<string, ParameterValue>>

const isObject = (it: unknown): it is Readonly<Record<string, unknown>> =>
  typeof it === 'object' && it !== null && !Array.isArray(it)

const unknownOf = ({ parameters }: Template, given: Given): readonly ParameterFault[] => {
  const known = Object.keys(parameters)
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => ({
      path: `/parameters/${name}`,
      reason: `the template has no such parameter.${didYouMean(slipsOf(name, known))}`,
    }))
}

/** What a parameter is where nothing is given; null for one that stays empty. */
const standing = (it: Parameter): ParameterValue => {
  if (it.default === undefined) return null
  const read = parameterValue(it, it.default as Json)
  assert('value' in read, 'a default is a value of its parameter')
  return read.value
}

/** Reads what was given for the parameters of a template, and puts defaults where nothing was. */
export const readParameters = (template: Template, given: Given): ReadParameters => {
  const values: Record<string, ParameterValue> = {}
  const missing: string[] = []
  const faults = [...unknownOf(template, given)]
  for (const [name, it] of Object.entries(template.parameters)) {
    const said = Object.hasOwn(given, name) ? given[name] : undefined
    const read = said === undefined || said === null ? undefined : parameterValue(it, said as Json)
    if (read !== undefined && 'why' in read) faults.push({ path: `/parameters/${name}`, reason: read.why })
    else values[name] = read?.value ?? standing(it)
    if (read === undefined && it.required === true) missing.push(name)
  }
  return { values, missing, faults }
}

const PLACE = /\$\{([a-z][a-z0-9_]{0,31})\}/gu

/** The value as a literal of the language, which binds to nothing beside it. */
const literal = (value: ParameterValue): string => {
  assert(value !== null, 'an expression names no parameter that may stay empty')
  return typeof value === 'number' && value < 0 ? `(${value})` : JSON.stringify(value)
}
const plain = (value: ParameterValue): string => (value === null ? '' : String(value))

const named = (values: Values, name: string): ParameterValue => {
  assert(Object.hasOwn(values, name), `the template has a parameter ${name}`)
  return values[name] ?? null
}

const inText = (text: string, values: Values, print: (value: ParameterValue) => string): string =>
  text.replace(PLACE, (_, name: string) => print(named(values, name)))

/** Whether a text is an expression, by its place. */
const isExpression = (path: readonly string[]): boolean => {
  const [top, , member] = path
  if (path.length === 3 && top === 'transitions' && member === 'guard') return true
  if (path.length === 3 && top === 'claims' && member === 'never') return true
  return path.at(-1) === '$'
}

const isLeftOut = (it: unknown, values: Values): boolean => {
  const condition = isObject(it) ? it['$if'] : undefined
  if (condition === undefined) return false
  const value = named(values, String(condition))
  return value === null || value === false
}

const within = (it: unknown, values: Values, path: readonly string[]): Json => {
  if (typeof it === 'string') return inText(it, values, isExpression(path) ? literal : plain)
  if (Array.isArray(it)) {
    const kept = it.filter((item) => !isLeftOut(item, values))
    return kept.map((item, at) => within(item, values, [...path, String(at)]))
  }
  if (!isObject(it)) return it as Json
  const entries = Object.entries(it)
  if (entries.length === 1 && Object.hasOwn(it, '$param')) return named(values, String(it['$param']))
  const members = entries.filter(([name, value]) => name !== '$if' && !isLeftOut(value, values))
  return Object.fromEntries(members.map(([name, value]) => [name, within(value, values, [...path, name])]))
}

/** The definition that a template is with these values in its places. @param values one for each parameter */
export const filledWith = ({ definition }: Template, values: Values): Filled['definition'] =>
  within(definition, values, []) as Readonly<Record<string, Json>>

/** The values that a template is shown with: defaults, and examples of what is required. */
export const exampleOf = ({ parameters }: Template): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, it]) => (it.required === true ? [[name, it.example as Json]] : [])),
  )

const refused = (faults: readonly ParameterFault[]): Fault => {
  const [first] = faults
  return new Fault('CONTRACT_INVALID', `${first?.path}: ${first?.reason}.`, { faults: [...faults] })
}

/**
 * A template with values for its parameters: numbers in the parameter's unit or texts as `3 bar`, times as ticks or
 * `5 min`. Nothing is linted: a definition out of it goes the way of any other.
 *
 * @throws Fault NOT_FOUND for a template that is not there; CONTRACT_INVALID with every fault of what was given.
 */
export const fillTemplate = (id: string, given: Given): Filled => {
  const template = templateById(id)
  const { values, missing, faults } = readParameters(template, given)
  const absent = missing.map((name) => ({ path: `/parameters/${name}`, reason: 'is required' }))
  if (faults.length + absent.length > 0) throw refused([...faults, ...absent])
  return { template, parameters: values, definition: filledWith(template, values) }
}
