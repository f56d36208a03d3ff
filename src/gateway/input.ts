import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Endpoint } from '#api/endpoint.ts'
import { inputCheck, refuseInput } from '#core/input.ts'
import { splitRoute } from '#core/route.ts'
import { strict } from '#core/strict-schema.ts'

/** Query parameters a call may have. */
export const QUERY_PARAMETERS_MAX = 64

type Schema = Readonly<Record<string, unknown>>

/** Whether a value is a schema, as data. */
export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

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

const readQuery = (query: string, properties: Schema): Record<string, unknown> => {
  const input: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const [name, text] of new URLSearchParams(query)) {
    if (++count > QUERY_PARAMETERS_MAX)
      refuseInput([{ path: '', message: `more than ${QUERY_PARAMETERS_MAX} parameters` }])
    const schema = properties[name]
    const many = isSchema(schema) && schema['type'] === 'array'
    if (many) input[name] = [...((input[name] as unknown[] | undefined) ?? []), coerce(schema['items'], text)]
    else if (name in input) refuseInput([{ path: `/${name}`, message: 'stands twice in the query' }])
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

/** Compiled, which costs once and pays at every call; every object is closed. */
export const checkOf = (schema: TSchema) => inputCheck(schema, Compile(strict(schema) as TSchema))

/** Schemas of the members of an object. */
export const propertiesOf = (schema: TSchema): Schema => ((schema as unknown as Schema)['properties'] ?? {}) as Schema

/** A compiled reader for one endpoint's input. */
export const inputReader = ({ input, query: beside, route }: Endpoint): InputReader => {
  const { method, names } = splitRoute(route)
  const properties = propertiesOf(input)
  const check = checkOf(input)
  const takesBody = method !== 'GET' && method !== 'DELETE'
  return ({ params, query, body }) => {
    if (takesBody && query !== '' && beside === undefined) {
      refuseInput([{ path: '', message: `a ${method} takes its input from the body alone` }])
    }
    const rest = takesBody ? (body ?? {}) : readQuery(query, properties)
    const given: Record<string, unknown> = { ...rest }
    for (const name of names) {
      if (name in rest) refuseInput([{ path: `/${name}`, message: 'stands in the path already' }])
      given[name] = coerce(properties[name], params[name] ?? '')
    }
    return check(given) as Record<string, unknown>
  }
}

/** A compiled reader for what a call with a body has in its query. @throws Fault INVALID_INPUT */
export const queryReader = ({ query: schema }: Endpoint): ((query: string) => Record<string, unknown>) => {
  if (schema === undefined) return () => ({})
  const properties = propertiesOf(schema)
  const check = checkOf(schema)
  return (query) => check({ ...readQuery(query, properties) }) as Record<string, unknown>
}
