import type { Static, TObject, TSchema } from 'typebox'
import Value from 'typebox/value'
import { DEPTH_MAX } from './canonical.ts'
import { Fault } from './fault.ts'
import { didYouMean, membersAt, shortened, slipsOf, unknownBeside, valueAt } from './near-names.ts'
import { anyDefault } from './strict-schema.ts'

/** One thing wrong with an input. `path` is a JSON pointer into it; the empty one is the input itself. */
export interface InputError {
  readonly path: string
  readonly message: string
}

/** An error with what stands beside the first one in the refusal, for programs. */
interface Complaint extends InputError {
  /** The bound that a number or a length is beyond. */
  readonly limit?: number
  /** What it may be instead. */
  readonly allowed?: readonly string[]
  /** Names that may have been meant. */
  readonly suggestions?: readonly string[]
}

/** Errors that a refusal lists. */
export const ERRORS_MAX = 16

/** What a validator of typebox says of one misfit, as far as a refusal repeats it. */
interface Misfit {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: Readonly<Record<string, unknown>>
}

/** What checks values of one schema: typebox's interpreter, or what its compiler made of the schema. */
export interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): readonly unknown[]
}

/**
 * The one form of refusal: the detail is the first error as a sentence, `errors` lists them all.
 *
 * @param unknown how many members nobody knows, of which `errors` may name some.
 * @throws Fault INVALID_INPUT
 */
export const refuseInput = (errors: readonly [Complaint, ...Complaint[]], unknown = 0): never => {
  const [{ path, message, ...rest }] = errors
  const sentence = `${path || '/'}: ${message}${unknown > 1 ? ` (one of ${unknown} unknown members)` : ''}`
  throw new Fault('INVALID_INPUT', /[.?]$/.test(sentence) ? sentence : `${sentence}.`, {
    path: path || '/',
    ...rest,
    ...(unknown > 1 ? { unknown } : {}),
    errors: errors.map((it): InputError => ({ path: it.path, message: it.message })),
  })
}

/** A JSON pointer to a member of what another one points to. */
export const pointer = (at: string, name: string): string => `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** What may have been meant, as the end of a message and as data. */
const meant = (
  name: string,
  known: readonly string[],
): { readonly hint: string; readonly suggestions?: readonly string[] } => {
  const suggestions = slipsOf(name, known)
  return suggestions.length === 0 ? { hint: '' } : { hint: `.${didYouMean(suggestions)}`, suggestions }
}

const namesOf = (params: Misfit['params'], member: string): readonly string[] =>
  (params[member] ?? []) as readonly string[]

/** One misfit as the caller reads it; one about several members is several errors, of which some are shown. */
const readable = (
  { keyword, instancePath: at, message, params }: Misfit,
  schema: TSchema,
  value: unknown,
): Complaint[] => {
  if (keyword === 'boolean') return []
  if (keyword === 'required') {
    return namesOf(params, 'requiredProperties').map((name) => ({ path: pointer(at, name), message: 'is required' }))
  }
  if (keyword === 'additionalProperties') {
    const known = membersAt(schema, at)
    const unknown = namesOf(params, 'additionalProperties').slice(0, ERRORS_MAX)
    return unknown.map((name) => {
      const { hint, ...near } = meant(name, known)
      return { path: pointer(at, shortened(name)), message: `is not known here${hint}`, ...near }
    })
  }
  const { allowedValues: allowed, limit } = params
  if (!Array.isArray(allowed)) return [{ path: at, message, ...(typeof limit === 'number' ? { limit } : {}) }]
  const given = valueAt(value, at)
  const values = allowed.map(String)
  const { hint, ...near } = typeof given === 'string' ? meant(given, values) : { hint: '' }
  return [{ path: at, message: `must be one of ${values.join(', ')}${hint}`, allowed: values, ...near }]
}

/** The misfits, or, where they are about unknown members alone and too many for their names, those counted. */
const describedMisfits = (misfits: readonly Misfit[], schema: TSchema, value: unknown): readonly Misfit[] => {
  const [first] = misfits
  if (first === undefined || misfits.some(({ keyword }) => keyword !== 'boolean')) return misfits
  const unknown = unknownBeside(schema, value, first.instancePath)
  if (unknown === undefined) return misfits
  const { at, names } = unknown
  return [{ keyword: 'additionalProperties', instancePath: at, params: { additionalProperties: names }, message: '' }]
}

/** Names every misfit of a value that its validator refused. @throws Fault INVALID_INPUT */
const refuseMisfits = (schema: TSchema, value: unknown, validator: Validator): never => {
  const misfits = describedMisfits(validator.Errors(value) as readonly Misfit[], schema, value)
  const [first, ...others] = misfits.flatMap((it) => readable(it, schema, value)).slice(0, ERRORS_MAX)
  if (first === undefined) return refuseInput([{ path: '', message: 'does not fit the schema' }])
  const unknown = Math.max(0, ...misfits.map(({ params }) => namesOf(params, 'additionalProperties').length))
  return refuseInput([first, ...others], unknown)
}

/** What came out of a check, by the schema that it fits: the same input is not checked a second time on its way. */
const checked = new WeakMap<object, TSchema>()

/**
 * An input with the defaults of what it leaves out. Where a record takes no other names and is given one, the library
 * looks for a default below `false` and fails; such an input is refused, for what is wrong with it alone.
 */
const withDefaults = (schema: TSchema, given: object): object => {
  try {
    return Value.Default(schema, given) as object
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown
    const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, { default?: unknown }>> }
    const own = Object.entries(properties).flatMap(([name, it]) => ('default' in it ? [[name, it.default]] : []))
    return { ...(structuredClone(Object.fromEntries(own)) as object), ...given }
  }
}

/**
 * Reads inputs of one schema: fills in the defaults and checks the whole.
 *
 * @param schema what callers are told of.
 * @param validator checks by that schema, or by a stricter one.
 * @returns a function that gives the full input. @throws Fault INVALID_INPUT with `errors[] {path, message}`
 */
export const inputCheck = <I extends TSchema>(schema: I, validator: Validator): ((given: object) => Static<I>) => {
  const defaults = anyDefault(schema)
  return (given) => {
    const full = defaults ? withDefaults(schema, given) : given
    if (!validator.Check(full)) refuseMisfits(schema, full, validator)
    checked.set(full, schema)
    return full as Static<I>
  }
}

/** A copy of plain data that keeps every own member, so that none escapes the schema by its name. */
const copyOf = (value: unknown, path: string, depth: number): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (depth > DEPTH_MAX) return refuseInput([{ path: '', message: `nesting is deeper than ${DEPTH_MAX}` }])
  if (Array.isArray(value)) return value.map((part) => copyOf(part, `${path}/-`, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    if (Object.hasOwn(Object.prototype, name))
      refuseInput([{ path: pointer(path, name), message: 'is not known here' }])
    copy[name] = copyOf(part, pointer(path, name), depth + 1)
  }
  return copy
}

/**
 * The full input of a schema from data of any origin: the members given, the defaults for the rest. `{}` and undefined
 * are the default case. The object given is left as it is; one that a check of this schema gave is full already.
 *
 * @throws Fault INVALID_INPUT with `errors[] {path, message}`. Unknown members of closed objects are refused.
 */
export const fullInput = <I extends TObject>(schema: I, raw: unknown): Static<I> => {
  const given = raw === undefined ? {} : raw
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    return refuseInput([{ path: '', message: 'the input must be a JSON object' }])
  }
  if (checked.get(given) === schema) return given as Static<I>
  const full = withDefaults(schema, copyOf(given, '', 0) as object)
  const validator: Validator = { Check: (it) => Value.Check(schema, it), Errors: (it) => Value.Errors(schema, it) }
  if (!validator.Check(full)) refuseMisfits(schema, full, validator)
  checked.set(full, schema)
  return full as Static<I>
}
