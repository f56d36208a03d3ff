import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Default } from 'typebox/value'
import type { Endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, membersAt, shortened, slipsOf, unknownBeside, valueAt } from '#core/near-names.ts'
import { splitRoute } from './router.ts'

/** One thing wrong with an input. `path` is a JSON pointer into the flat input. */
export interface InputError {
  readonly path: string
  readonly message: string
}

/** Query parameters a call may have. */
export const QUERY_PARAMETERS_MAX = 64
/** Errors that a refusal lists. */
const ERRORS_MAX = 16

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of a schema that hold schemas by name, as a list, or alone. */
const byName = ['properties', 'patternProperties', '$defs']
const inList = ['anyOf', 'oneOf', 'prefixItems']
const alone = ['items', 'additionalProperties', 'not']

/**
 * The schema with every object closed that does not say otherwise: an unknown member is a misspelt one. Parts of
 * `allOf` stay open, since each sees the members of the others.
 */
export const strict = (schema: unknown): unknown => {
  if (!isSchema(schema)) return schema
  const parts = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (byName.includes(name) && isSchema(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, strict(part)]))]
    }
    if (inList.includes(name) && Array.isArray(value)) return [name, value.map(strict)]
    return [name, alone.includes(name) ? strict(value) : value]
  })
  const closed = Object.fromEntries(parts)
  const open = 'additionalProperties' in closed || 'patternProperties' in closed || 'allOf' in closed
  return 'properties' in closed && !open ? { ...closed, additionalProperties: false } : closed
}

/** Whether a member of an object may be left out although its schema requires it: its default stands in. */
const hasDefault = (schema: unknown): boolean => isSchema(schema) && 'default' in schema

/** The schema as callers see it: closed, and without the demand for members that have a default. */
export const accepted = (schema: unknown): unknown => relaxed(strict(schema))

const relaxed = (schema: unknown): unknown => {
  if (!isSchema(schema)) return schema
  const { properties, required, ...rest } = schema
  const items = 'items' in rest ? { items: relaxed(rest['items']) } : {}
  const parts = Array.isArray(rest['anyOf']) ? { anyOf: rest['anyOf'].map(relaxed) } : {}
  if (!isSchema(properties)) return { ...schema, ...items, ...parts }
  const inside = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, relaxed(part)]))
  const needed = ((required ?? []) as readonly string[]).filter((name) => !hasDefault(properties[name]))
  return { ...rest, ...items, ...parts, properties: inside, ...(needed.length > 0 ? { required: needed } : {}) }
}

const anyDefault = (schema: unknown): boolean =>
  hasDefault(schema) ||
  (Array.isArray(schema) ? schema.some(anyDefault) : isSchema(schema) && Object.values(schema).some(anyDefault))

/** What a `$ref`-free schema accepts, as JSON type names. */
const typesOf = (schema: unknown): ReadonlySet<string> => {
  if (!isSchema(schema)) return new Set(['string'])
  const { type, anyOf, oneOf, enum: values, const: constant } = schema
  if (typeof type === 'string') return new Set([type])
  if (Array.isArray(type)) return new Set(type as string[])
  const parts = anyOf ?? oneOf
  if (Array.isArray(parts)) return new Set(parts.flatMap((part) => [...typesOf(part)]))
  const examples = Array.isArray(values) ? values : constant === undefined ? [] : [constant]
  return examples.length === 0 ? new Set(['string']) : new Set(examples.map((it) => (it === null ? 'null' : typeof it)))
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/

/** Text of a path or query as the value its schema asks for. Text that fits nothing stays text and is refused. */
export const coerce = (schema: unknown, text: string): unknown => {
  const types = typesOf(schema)
  if ((types.has('number') || types.has('integer')) && NUMBER.test(text) && Number.isFinite(Number(text))) {
    return Number(text)
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.has('null') && text === 'null' && !types.has('string')) return null
  return text
}

const refuse = (errors: readonly InputError[], detail?: string): never => {
  throw new Fault('INVALID_INPUT', detail ?? errors[0]?.message, { errors })
}

const readQuery = (query: string, properties: Schema): Record<string, unknown> => {
  const input: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const [name, text] of new URLSearchParams(query)) {
    if (++count > QUERY_PARAMETERS_MAX) refuse([{ path: '', message: `more than ${QUERY_PARAMETERS_MAX} parameters` }])
    const schema = properties[name]
    const many = isSchema(schema) && schema['type'] === 'array'
    if (many) input[name] = [...((input[name] as unknown[] | undefined) ?? []), coerce(schema['items'], text)]
    else if (name in input) refuse([{ path: `/${name}`, message: 'stands twice in the query' }])
    else input[name] = coerce(schema, text)
  }
  return input
}

/** Parts of a request before they are one. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>
  /** Without the question mark. */
  readonly query: string
  /** The parsed body; undefined when the method takes none. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** Makes the one flat input of an endpoint. @throws Fault INVALID_INPUT with `errors[] {path, message}`. */
export type InputReader = (raw: RawInput) => Record<string, unknown>

interface Complaint {
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: unknown
}

const pointer = (at: string, name: string): string => `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** One complaint as the caller reads it; one about several members is several errors, of which some are shown. */
const readable = (
  { keyword, instancePath, message, params }: Complaint,
  schema: TSchema,
  flat: Readonly<Record<string, unknown>>,
): InputError[] => {
  const { requiredProperties = [], additionalProperties = [] } = params as {
    requiredProperties?: string[]
    additionalProperties?: string[]
  }
  if (keyword === 'boolean') return []
  if (keyword === 'required') {
    return requiredProperties.map((name) => ({ path: pointer(instancePath, name), message: 'is required' }))
  }
  if (keyword === 'additionalProperties') {
    const known = membersAt(schema, instancePath)
    return additionalProperties.slice(0, ERRORS_MAX).map((name) => {
      const hint = didYouMean(slipsOf(name, known)).replace(' Did', '. Did')
      return { path: pointer(instancePath, shortened(name)), message: `is not known here${hint}` }
    })
  }
  const { allowedValues } = params as { allowedValues?: unknown[] }
  if (!Array.isArray(allowedValues)) return [{ path: instancePath, message }]
  const given = valueAt(flat, instancePath)
  const values = allowedValues.map(String)
  const hint = typeof given === 'string' ? didYouMean(slipsOf(given, values)).replace(' Did', '. Did') : ''
  return [{ path: instancePath, message: `must be one of ${values.join(', ')}${hint}` }]
}

/** The complaints, or, where they are about unknown members alone and too many for their names, those counted. */
const told = (complaints: readonly Complaint[], schema: TSchema, flat: unknown): readonly Complaint[] => {
  const [first] = complaints
  if (first === undefined || complaints.some(({ keyword }) => keyword !== 'boolean')) return complaints
  const unknown = unknownBeside(schema, flat, first.instancePath)
  if (unknown === undefined) return complaints
  const { at, names } = unknown
  return [{ keyword: 'additionalProperties', instancePath: at, params: { additionalProperties: names }, message: '' }]
}

const unknownOf = ({ params }: Complaint): number =>
  (params as { additionalProperties?: readonly unknown[] }).additionalProperties?.length ?? 0

type Check = (flat: Record<string, unknown>) => Record<string, unknown>

/** Compiled: what fits a schema comes back, what does not is refused with every misfit named. */
const checking = (schema: TSchema): Check => {
  const validator = Compile(strict(schema) as TSchema)
  return (flat) => {
    if (validator.Check(flat)) return flat
    const complaints = told(validator.Errors(flat) as unknown as Complaint[], schema, flat)
    const errors = complaints.flatMap((it) => readable(it, schema, flat)).slice(0, ERRORS_MAX)
    const [first] = errors
    const shown = errors.length === 0 ? [{ path: '', message: 'does not fit the schema' }] : errors
    const unknown = Math.max(0, ...complaints.map(unknownOf))
    const more = unknown > ERRORS_MAX ? ` (one of ${unknown} unknown members)` : ''
    return refuse(shown, first === undefined ? undefined : `${first.path || 'input'} ${first.message}${more}`)
  }
}

const propertiesOf = (schema: TSchema): Schema => ((schema as unknown as Schema)['properties'] ?? {}) as Schema

/** A compiled reader for one endpoint's input. */
export const inputReader = ({ input, query: beside, route }: Endpoint): InputReader => {
  const { method, names } = splitRoute(route)
  const properties = propertiesOf(input)
  const check = checking(input)
  const defaults = anyDefault(input)
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return ({ params, query, body }) => {
    if (takesBody && query !== '' && beside === undefined) {
      refuse([{ path: '', message: `a ${method} takes its input from the body alone` }])
    }
    const rest = takesBody ? (body ?? {}) : readQuery(query, properties)
    const given: Record<string, unknown> = { ...rest }
    for (const name of names) {
      if (name in rest) refuse([{ path: `/${name}`, message: 'stands in the path already' }])
      given[name] = coerce(properties[name], params[name] ?? '')
    }
    return check(defaults ? (Default(input, given) as Record<string, unknown>) : given)
  }
}

/** A compiled reader for what a call with a body has in its query. @throws Fault INVALID_INPUT */
export const queryReader = ({ query: schema }: Endpoint): ((query: string) => Record<string, unknown>) => {
  if (schema === undefined) return () => ({})
  const properties = propertiesOf(schema)
  const check = checking(schema)
  return (query) => check(Default(schema, { ...readQuery(query, properties) }) as Record<string, unknown>)
}
