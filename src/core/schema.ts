import Type, { type Static, type TSchema, type TUnsafe } from 'typebox'
import Value from 'typebox/value'
import type { ArrayType } from './arrays.ts'
import { assert } from './assert.ts'
import type { Json } from './canonical.ts'
import { Fault, type FaultCode } from './fault.ts'
import { patterns } from './ids.ts'
import { surelyFits } from './plain-fit.ts'
import { SLUG_CHARS_MAX } from './slug.ts'

/** Builders of schemas for everyone, all valid JSON Schema 2020-12, as `Type.Tuple` and `Type.BigInt` are not. */

/** Words about a member: what stands beside its type. */
export interface About {
  readonly description?: string
  /** Name by which the description of the interface refers to the schema, wherever it stands. */
  readonly title?: string
  readonly default?: NonNullable<unknown> | null
  readonly [annotation: `x-${string}`]: unknown
}

/** A finite number. The bounds refuse what `1e400` parses to, whichever validator reads the schema. */
export const finite = (options: About & { readonly minimum?: number; readonly maximum?: number } = {}) =>
  Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, ...options })

/** An integer that every JSON reader keeps: within ±(2^53 − 1) unless bounded closer. */
export const integer = (options: About & { readonly minimum?: number; readonly maximum?: number } = {}) =>
  Type.Integer({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER, ...options })

/** A count: an integer from 0. */
export const count = (options: About & { readonly minimum?: number; readonly maximum?: number } = {}) =>
  integer({ minimum: 0, ...options })

/** A text of bounded length, in code points as JSON Schema counts. */
export const text = (
  maxLength: number,
  options: About & { readonly minLength?: number; readonly pattern?: string } = {},
) => Type.String({ maxLength, ...options })

/** A closed object: unknown members are refused. */
export const closed = <const P extends Record<string, TSchema>>(properties: P, options: About = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** Marks a member that may be left out because its default stands in. */
export interface Preset {
  readonly '~preset': true
}

/** A member of an input that a caller may leave out: the reader puts its default there, so a handler always has it. */
export const preset = <T extends TSchema>(schema: T): T & Preset => {
  assert('default' in schema, 'a preset member has a default')
  return Type.Optional(schema) as unknown as T & Preset
}

/** An object with a name of its own, {@link About.title}. */
export const model = <const P extends Record<string, TSchema>>(title: string, properties: P, options: About = {}) =>
  Type.Object(properties, { title, ...options })

/** The same, closed. */
export const closedModel = <const P extends Record<string, TSchema>>(
  title: string,
  properties: P,
  options: About = {},
) => closed(properties, { title, ...options })

/** The value or null, as absence stands on the wire. */
export const orNull = <T extends TSchema>(schema: T, options: About = {}) =>
  Type.Union([schema, Type.Null()], { ...options })

/** Values under names of one form, `most` of them: a bare `Type.Record` lets a name with a line feed hold anything. */
export const byName = <T extends TSchema>(form: string, value: T, most: number) =>
  Type.Record(Type.String({ pattern: form }), value, { maxProperties: most, additionalProperties: false })

/** One of some texts. */
export const oneOf = <const T extends readonly string[]>(values: T, options: About = {}): TUnsafe<T[number]> =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/** Any JSON value. */
export const anything = (options: About = {}) => Type.Unknown({ ...options })

/** The same, typed: of an answer, whose maker knows that it is JSON. */
export const json = (options: About = {}) => Type.Unsafe<Json>({ ...options })

/** Two finite numbers. */
export const pair = (description: string): TUnsafe<[number, number]> =>
  Type.Unsafe<[number, number]>({
    type: 'array',
    prefixItems: [finite(), finite()],
    items: false,
    minItems: 2,
    maxItems: 2,
    description,
  })

const named =
  (pattern: string, about: string) =>
  (options: About = {}) =>
    Type.String({ pattern, description: about, ...options })

/** An identity. */
export const zid = named(patterns.zid, 'An identity: zid1 and 32 base32 letters.')
/** A node id; whether it decodes to a key is for `publicKeyOf` of keys.ts. */
export const nodeId = named(patterns.nodeId, 'A node id: the libp2p peer id of its Ed25519 key.')
/** A token id. */
export const tokenId = named(patterns.tokenId, 'A token id: 32 hex digits.')
/** A SHA-256 or a raw key, as hex. */
export const hex64 = named(patterns.hex64, '64 lower-case hex digits.')
/** An Ed25519 signature, as hex. */
export const signature = named(patterns.signature, 'An Ed25519 signature: 128 hex digits.')
/** A raw Ed25519 public key, as hex. */
export const publicKey = named(patterns.publicKey, 'A raw Ed25519 public key: 64 hex digits.')
/** A machine slug by form; reserved words are for `isSlug` of slug.ts. */
export const slug = (options: About = {}) =>
  Type.String({
    pattern: patterns.slug,
    minLength: 1,
    maxLength: SLUG_CHARS_MAX,
    description: 'A machine slug.',
    ...options,
  })

/** A node tick. */
export const tick = (options: About = {}) => count({ description: 'Node tick: whole ticks since genesis.', ...options })
/** A mesh tick. */
export const meshTick = (options: About = {}) =>
  count({ description: 'Mesh tick: whole ticks since the Unix epoch.', ...options })
/** An amount of credits. */
export const credits = (options: About = {}) => count({ description: 'Credits.', ...options })

/** Rows a page may hold. */
export const PAGE_ROWS_MAX = 200
export const PAGE_ROWS_DEFAULT = 50

/** `limit` of a paged list. */
export const pageLimit = (options: About & { readonly maximum?: number } = {}) =>
  preset(
    integer({
      minimum: 1,
      maximum: PAGE_ROWS_MAX,
      default: PAGE_ROWS_DEFAULT,
      title: 'PageLimit',
      description: 'Rows of the page.',
      ...options,
    }),
  )
/** `offset` of a paged list. */
export const pageOffset = (options: About = {}) =>
  preset(count({ default: 0, title: 'PageOffset', description: 'Rows to leave out first.', ...options }))

/** What an array of numbers means. */
export interface SeriesAbout {
  readonly unit: string
  /**
   * Row-major dimensions: an integer, the name of a whole number of the input, or such a name and `+ 1` or `- 1`
   * (`'cells + 1'`). A name that the input does not have stands for a length that follows from the others.
   */
  readonly shape: readonly (number | string)[]
  readonly description: string
  /** Element type; f64 unless said. */
  readonly type?: ArrayType
  /**
   * What each dimension runs over, for plots: a member with a place for each value, an axis whose spacing is the
   * member `d<name>`, or what is counted.
   */
  readonly axes?: readonly string[]
}

/**
 * An array of numbers that enters digests by its bytes. In code it may be the typed array of its element type or
 * plain numbers; as JSON it is one flat row-major array.
 */
export const series = ({ unit, shape, description, type = 'f64', axes }: SeriesAbout): TUnsafe<readonly number[]> =>
  Type.Unsafe<readonly number[]>({
    type: 'array',
    items: elementSchema(type),
    description,
    'x-unit': unit,
    'x-shape': [...shape],
    'x-type': type,
    ...(axes !== undefined && { 'x-axes': [...axes] }),
  })

const elementSchema = (type: ArrayType): TSchema => {
  if (type === 'f64') return finite()
  return type === 'u8'
    ? integer({ minimum: 0, maximum: 255 })
    : integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 })
}

/** The first way in which a value does not fit a schema, as `path: message`, or undefined when it fits. */
export const misfit = (schema: TSchema, value: unknown): string | undefined => {
  if (surelyFits(schema, value)) return undefined
  const [first] = Value.Errors(schema, value)
  if (first === undefined) return Value.Check(schema, value) ? undefined : 'The value does not fit.'
  const { allowedValues } = first.params as { readonly allowedValues?: unknown }
  const wanted = Array.isArray(allowedValues) ? `must be one of ${allowedValues.map(String).join(', ')}` : first.message
  return `${first.instancePath || '/'}: ${wanted}`
}

/** The value, typed, if it fits the schema. @throws Fault `code` naming the first member that does not. */
export const fitting = <T extends TSchema>(schema: T, value: unknown, code: FaultCode = 'INVALID_INPUT'): Static<T> => {
  const wrong = misfit(schema, value)
  if (wrong !== undefined) throw new Fault(code, wrong)
  return value as Static<T>
}
