import type { Json } from '#core/canonical.ts'
import type { FaultCode } from '#core/fault.ts'
import { isObject, type JsonObject } from '#gateway/openapi/json.ts'

/** A value that an operation takes beside its body. */
export interface Parameter {
  readonly name: string
  readonly place: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: JsonObject
  readonly description: string | undefined
  readonly example: string | undefined
}

/** What may come back. */
export interface AnswerKind {
  readonly status: string
  readonly description: string
  readonly codes: readonly FaultCode[]
  readonly types: readonly string[]
  readonly schema: Json | undefined
  readonly example: Json | undefined
}

/** An operation of the interface, read off the description that the node serves. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  /** The narrowest of its tags. */
  readonly room: string
  readonly parameters: readonly Parameter[]
  readonly body: { readonly schema: JsonObject; readonly example: Json } | undefined
  readonly answers: readonly AnswerKind[]
  /** `none`, `optional`, `bearer`, `handshake`, `signed-link` or `stream-session`. */
  readonly credential: string
  readonly reach: string | undefined
  readonly streams: boolean
  readonly aliases: readonly string[]
  readonly notes: readonly string[]
}

export interface Description {
  readonly operations: readonly Operation[]
  /** Refusals that nearly every operation can give. */
  readonly common: ReadonlySet<string>
  /** What rooms are about, in their order. */
  readonly rooms: readonly { readonly name: string; readonly about: string }[]
  /** Members of answers that belong together, by what they are. */
  readonly groups: Readonly<Record<string, readonly string[]>>
  /** The schema itself where there is a reference to one; `name` is what it is called. */
  resolve(part: Json): { readonly schema: JsonObject; readonly name?: string }
}

const object = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
const text = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined)
const list = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const createResolver = (document: JsonObject): Description['resolve'] => {
  const components = object(document['components'])
  return (part) => {
    const from = object(part)
    const [kind, name] = text(from['$ref'])?.split('/').slice(2) ?? []
    if (kind === undefined || name === undefined) return { schema: from }
    const { $ref: _, ...beside } = from
    return { schema: { ...object(object(components[kind])[name]), ...beside }, name }
  }
}

const parameterOf = (part: Json, resolve: Description['resolve']): Parameter => {
  const { schema: it } = resolve(part)
  const { schema } = resolve(it['schema'] ?? {})
  // What many operations take has an example of its form; one of its own says what the call is about.
  const isOwn = !isObject(part) || part['$ref'] === undefined || it['in'] === 'path' || it['required'] === true
  const example = isOwn ? (it['example'] ?? schema['default']) : undefined
  return {
    name: text(it['name']) ?? '',
    place: (text(it['in']) ?? 'query') as Parameter['place'],
    required: it['required'] === true,
    schema,
    description: text(it['description']) ?? text(schema['description']),
    example: example === undefined || example === null ? undefined : String(example),
  }
}

const answerOf = ([status, part]: [string, Json], resolve: Description['resolve']): AnswerKind => {
  const { schema: it } = resolve(part)
  const content = object(it['content'])
  const json = object(content['application/json'])
  return {
    status,
    description: text(it['description']) ?? '',
    codes: list(it['x-codes']) as readonly FaultCode[],
    types: Object.keys(content),
    schema: json['schema'],
    example: json['example'],
  }
}

/** What an operation states beside what everyone has. */
const notesOf = (it: JsonObject): readonly string[] => [
  ...(it['x-idempotent'] === true ? ['Takes an `Idempotency-Key`: the same call has its effect once.'] : []),
  ...(it['x-unlimited'] === true ? ['Is not counted against any limit.'] : []),
  ...(it['x-calls-per-minute'] === undefined ? [] : [`At most ${it['x-calls-per-minute']} calls a minute.`]),
  ...(it['x-body-bytes-max'] === undefined ? [] : [`The body has at most ${it['x-body-bytes-max']} bytes.`]),
]

const operationOf = (
  { path, method, it }: { readonly path: string; readonly method: string; readonly it: JsonObject },
  resolve: Description['resolve'],
): Omit<Operation, 'aliases'> => {
  const access = object(it['x-access'])
  const json = object(object(object(it['requestBody'])['content'])['application/json'])
  const answers = Object.entries(object(it['responses'])).map((answer) => answerOf(answer, resolve))
  return {
    id: text(it['operationId']) ?? '',
    method: method.toUpperCase(),
    path,
    summary: text(it['summary']) ?? '',
    room: text(list(it['tags']).at(-1)) ?? '',
    parameters: list(it['parameters']).map((part) => parameterOf(part, resolve)),
    body: json['schema'] === undefined ? undefined : { ...resolve(json['schema']), example: json['example'] ?? {} },
    answers,
    credential: text(access['credential']) ?? 'none',
    reach: text(object(access['reach'])['to']),
    streams: answers.some(({ types }) => types.includes('text/event-stream')),
    notes: notesOf(it),
  }
}

/** The part of all operations beyond which a refusal is everyone's. */
const COMMON_PART = 0.55

const commonOf = (operations: readonly Pick<Operation, 'answers'>[]): ReadonlySet<string> => {
  const codes = operations.flatMap(({ answers }) => answers.flatMap((it) => it.codes))
  const counts = Map.groupBy(codes, (code) => code)
  return new Set([...counts].filter(([, some]) => some.length >= operations.length * COMMON_PART).map(([code]) => code))
}

/** Reads what the node says of its interface. @param document OpenAPI 3.1 */
export const readDescription = (document: JsonObject): Description => {
  const resolve = createResolver(document)
  const all = Object.entries(object(document['paths'])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, it]) => operationOf({ path, method, it: object(it) }, resolve)),
  )
  // An older path of an operation has its id, and the path behind it.
  const aliases = Map.groupBy(
    all.filter(({ id }) => id.includes('@')),
    ({ id }) => id.slice(0, id.indexOf('@')),
  )
  return {
    operations: all
      .filter(({ id }) => !id.includes('@'))
      .map((it) => ({ ...it, aliases: (aliases.get(it.id) ?? []).map(({ method, path }) => `${method} ${path}`) })),
    common: commonOf(all),
    rooms: list(document['tags']).map((it) => ({
      name: text(object(it)['name']) ?? '',
      about: text(object(it)['description']) ?? '',
    })),
    groups: object(document['x-groups']) as unknown as Description['groups'],
    resolve,
  }
}
