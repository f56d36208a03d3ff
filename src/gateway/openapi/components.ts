import { assert } from '#core/assert.ts'
import type { Json } from '#core/canonical.ts'
import {
  count,
  credits,
  finite,
  hex64,
  integer,
  meshTick,
  nodeId,
  publicKey,
  signature,
  slug,
  tick,
  tokenId,
  zid,
} from '#core/schema.ts'
import { aside, exampleOf } from './examples.ts'
import { type Described, inOrder, isObject, type JsonObject, jsonOf } from './json.ts'

/** Values that cross the wire everywhere, as core writes them. Of two that bound alike, words tell which is meant. */
const everywhere: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries({
    Count: count(),
    Credits: credits(),
    Finite: finite(),
    Hex64: hex64(),
    Integer: integer(),
    MeshTick: meshTick(),
    NodeId: nodeId(),
    PublicKey: publicKey(),
    Signature: signature(),
    Slug: slug(),
    Tick: tick(),
    TokenId: tokenId(),
    Zid: zid(),
  }).map(([name, schema]) => [name, jsonOf(schema) as JsonObject]),
)
/** Those that stand under words of any kind: their bounds alone say what they are. */
const bounding = ['Count', 'Finite', 'Hex64', 'Integer', 'NodeId', 'Signature', 'Slug', 'Zid']

const isWord = (name: string): boolean => name === 'description' || name === 'default' || name.startsWith('x-')

/** What a schema demands, and what it only says. */
const split = (schema: JsonObject): { readonly bounds: string; readonly words: JsonObject } => {
  const members = Object.entries(schema)
  const bounds = Object.fromEntries(members.filter(([name]) => !isWord(name)))
  return { bounds: JSON.stringify(bounds), words: Object.fromEntries(members.filter(([name]) => isWord(name))) }
}
const exactly = new Map(Object.entries(everywhere).map(([name, schema]) => [JSON.stringify(schema), name]))
const byBounds = new Map(bounding.map((name) => [split(everywhere[name] ?? {}).bounds, name]))

/** The name of a value that is written so everywhere, and what is said of it here. Objects and lists are none. */
const known = (schema: JsonObject): { readonly name: string; readonly words: JsonObject } | undefined => {
  if (!['string', 'number', 'integer'].includes(String(schema['type']))) return undefined
  const whole = exactly.get(JSON.stringify(schema))
  if (whole !== undefined) return { name: whole, words: {} }
  const { bounds, words } = split(schema)
  const name = byBounds.get(bounds) ?? ''
  const base = everywhere[name]
  // What the named one says would stand where nothing is said here.
  return base === undefined || ('description' in base && !('description' in words)) ? undefined : { name, words }
}

/** Members of a schema that hold schemas by name, as a list, or alone. */
const byName = new Set(['properties', 'patternProperties', '$defs'])
const inList = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const alone = new Set(['items', 'additionalProperties', 'not'])

/** The schema with each schema right inside it replaced. */
export const mapParts = (schema: JsonObject, change: (part: Json) => Json): JsonObject => {
  const replaced = ([name, value]: [string, Json]): [string, Json] => {
    if (byName.has(name) && isObject(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]))]
    }
    if (inList.has(name) && Array.isArray(value)) return [name, value.map((part) => change(part as Json))]
    return [name, alone.has(name) ? change(value) : value]
  }
  return Object.fromEntries(Object.entries(schema).map(replaced))
}

/** The named parts of a description, gathered as it is made. */
export interface Components {
  /**
   * The schema with a reference in the place of each part that has a name: its own `title`, or one that stands for it
   * everywhere.
   *
   * @param name of the whole, if it has no title.
   */
  refer(schema: Json, name?: string): Json
  /** A parameter; a reference where its schema has a name that ends in the parameter's own (`PageLimit`, `limit`). */
  parameter(parameter: Described & { readonly name: string; readonly schema: Json }): Described
  response(name: string, response: Described): Described
  /** All of them by kind, in the order of their names. */
  all(): Readonly<Record<'schemas' | 'parameters' | 'responses', Described>>
}

/** JSON of a value with the members of every object in the order of their names: equal for equal schemas. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isObject(part) ? inOrder(Object.entries(part)) : part))

/** Keeps values under names; two of one name are an error of whoever named them. */
const createNamed = <T>(kind: string) => {
  const taken = new Map<string, { readonly text: string; readonly value: T }>()
  return {
    reference: (name: string, value: T): { readonly $ref: string } => {
      const text = JSON.stringify(value)
      const found = taken.get(name) ?? { text, value }
      const same = found.text === text || ordered(found.value) === ordered(value)
      assert(same, `${name} names two different ${kind}: give one of them another title, or none`)
      taken.set(name, found)
      return { $ref: `#/components/${kind}/${name}` }
    },
    all: () => inOrder([...taken].map(([name, { value }]) => [name, value] as const)),
  }
}

/** No component yet. */
export const createComponents = (): Components => {
  const schemas = createNamed<Json>('schemas')
  const parameters = createNamed<Described>('parameters')
  const responses = createNamed<Described>('responses')

  const inside = (schema: JsonObject): JsonObject => mapParts(schema, (part) => refer(part))
  const refer = (schema: Json, whole?: string): Json => {
    if (!isObject(schema)) return schema
    const { title, ...rest } = schema
    const value = known(rest)
    if (value !== undefined && title === undefined) {
      return { ...schemas.reference(value.name, everywhere[value.name] ?? {}), ...value.words }
    }
    const name = typeof title === 'string' ? title : whole
    if (name === undefined) return inside(rest)
    const { description, ...bare } = rest
    const examples = aside.has(name) ? { examples: [exampleOf(rest)] } : {}
    // What an object is said to be depends on where it stands; it is one object nevertheless.
    if (rest['type'] !== 'object' || description === undefined) {
      return schemas.reference(name, { ...inside(rest), ...examples })
    }
    return { ...schemas.reference(name, { ...inside(bare), ...examples }), description }
  }
  return {
    refer,
    parameter: ({ schema, ...rest }) => {
      const { title } = isObject(schema) ? schema : {}
      const ends =
        typeof title === 'string' && title.toLowerCase().endsWith(rest.name.replaceAll('_', '').toLowerCase())
      if (!ends) return { ...rest, schema: refer(schema) }
      const { example: _, ...shared } = rest
      const { title: __, ...plain } = schema as JsonObject
      return parameters.reference(rest['in'] === 'path' ? `${title}InPath` : title, {
        ...shared,
        schema: inside(plain),
        example: exampleOf(schema, rest),
      })
    },
    response: responses.reference,
    all: () => ({ schemas: schemas.all(), parameters: parameters.all(), responses: responses.all() }),
  }
}
