import { sha256 } from '#crypto'
import { assert } from './assert.ts'
import { toHex } from './bytes.ts'
import { canonical, DEPTH_MAX, type Json } from './canonical.ts'
import { Fault } from './fault.ts'

/** Element types of a typed array in a digest. */
export type ArrayType = 'f64' | 'i32' | 'u8'
export type TypedArray = Float64Array | Int32Array | Uint8Array

/** How a typed array stands in a digest: its bytes as one hash instead of megabytes of text. */
export interface ArrayDigest {
  readonly $array: { readonly type: ArrayType; readonly shape: readonly number[]; readonly sha256: string }
}

const makers = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const

/** The element type of a typed array, or undefined for anything else. */
export const arrayTypeOf = (value: unknown): ArrayType | undefined => {
  if (value instanceof Float64Array) return 'f64'
  if (value instanceof Int32Array) return 'i32'
  return value instanceof Uint8Array ? 'u8' : undefined
}

const littleEndianPlatform = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1

/** Little-endian bytes of a typed array, row-major as it lies. */
export const littleEndianBytes = (values: TypedArray): Uint8Array => {
  if (littleEndianPlatform || values instanceof Uint8Array) {
    return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  }
  const bytes = new Uint8Array(values.byteLength)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (values instanceof Float64Array) view.setFloat64(8 * i, value, true)
    else view.setInt32(4 * i, value, true)
  }
  return bytes
}

/** The doubles that little-endian bytes hold, as a copy; of a length that is a multiple of 8. */
export const doublesOf = (bytes: Uint8Array): Float64Array<ArrayBuffer> => {
  const values = new Float64Array(bytes.length / 8)
  if (littleEndianPlatform) new Uint8Array(values.buffer).set(bytes)
  else {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let i = 0; i < values.length; i++) values[i] = view.getFloat64(8 * i, true)
  }
  return values
}

const refuse = (why: string): never => {
  throw new Fault('NOT_CANONICAL', why)
}

/** Values of any depth come from outside, and walking them must end in a refusal, not in an exhausted stack. */
const assertDepth = (depth: number): void => {
  if (depth > DEPTH_MAX) refuse(`Nesting is deeper than ${DEPTH_MAX}.`)
}

/** Only an array's own digest may look like one: a plain object of that name would pass for numbers it never held. */
const assertNoArrayName = (value: object): void => {
  if (Object.hasOwn(value, '$array')) refuse('The name $array is refused: it stands for the digest of an array.')
}

/** The same values with −0 turned into 0; the array itself when it holds none. Non-finite values are refused. */
const settled = (values: Float64Array): Float64Array => {
  let negativeZeros = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value - value !== 0) return refuse('A number of an array is not finite.')
    if (value === 0 && 1 / value < 0) negativeZeros++
  }
  return negativeZeros === 0 ? values : values.map((value) => value + 0)
}

/**
 * A typed array as it stands in a digest. JSON has one zero, so −0 counts as 0: then an array and its JSON form have
 * the same digest.
 *
 * @param shape row-major dimensions; their product is the length.
 * @throws Fault NOT_CANONICAL for a number that is not finite.
 */
export const arrayDigest = (values: TypedArray, shape: readonly number[] = [values.length]): ArrayDigest => {
  const type = arrayTypeOf(values)
  assert(type !== undefined, 'a typed array of a known type')
  assert(shape.reduce((product, length) => product * length, 1) === values.length, 'the shape fits the length')
  const bytes = littleEndianBytes(values instanceof Float64Array ? settled(values) : values)
  return { $array: { type, shape: [...shape], sha256: toHex(sha256(bytes)) } }
}

/** Whether every number fits the element type; JSON knows only numbers. */
const elementFits = (type: ArrayType, value: unknown): boolean => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false
  if (type === 'f64') return true
  const [least, most] = type === 'u8' ? [0, 255] : [-2_147_483_648, 2_147_483_647]
  return Number.isInteger(value) && value >= least && value <= most
}

/** A typed array of `type`, from its JSON form or itself. @throws Fault NOT_CANONICAL for elements that do not fit. */
export const typedArrayOf = (type: ArrayType, value: unknown): TypedArray => {
  const given = arrayTypeOf(value)
  if (given !== undefined)
    return given === type ? (value as TypedArray) : refuse(`An array of ${type} was given as ${given}.`)
  if (!Array.isArray(value)) return refuse(`An array of ${type} was expected.`)
  if (!value.every((element) => elementFits(type, element))) return refuse(`An element does not fit ${type}.`)
  return makers[type].from(value)
}

/** What may stand in evidence and outputs: JSON, with typed arrays anywhere. */
export type Digestible = Json | TypedArray | readonly Digestible[] | { readonly [name: string]: Digestible }

/**
 * Evidence as a digest takes it, without a schema: typed arrays become {@link arrayDigest} of shape [length], −0
 * becomes 0, everything else stays.
 *
 * @throws Fault NOT_CANONICAL for non-finite numbers and for what is neither JSON nor a typed array.
 */
export const digestibleEvidence = (value: unknown): Json => evidenceAt(value, 0)

const evidenceAt = (value: unknown, depth: number): Json => {
  assertDepth(depth)
  if (arrayTypeOf(value) !== undefined) return arrayDigest(value as TypedArray) as unknown as Json
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : refuse('A number is not finite.')
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) return refuse('This value has no digest.')
  if (Array.isArray(value)) return value.map((part) => evidenceAt(part, depth + 1))
  assertNoArrayName(value)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, evidenceAt(part, depth + 1)]))
}

/**
 * The same output with every −0 turned into 0, typed arrays in place: called once at the solver's door, so that what
 * is sent as JSON and what was hashed are the same numbers.
 *
 * @throws Fault NOT_CANONICAL for non-finite numbers.
 */
export const positiveZero = <T>(value: T): T => {
  if (typeof value === 'number') return (Number.isFinite(value) ? value + 0 : refuse('A number is not finite.')) as T
  if (value instanceof Float64Array) {
    const clean = settled(value)
    if (clean !== value) value.set(clean)
    return value
  }
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  if (Array.isArray(value)) return value.map(positiveZero) as T
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, positiveZero(part)])) as T
}

/** Typed arrays turned into arrays of numbers: the JSON that is sent. */
export const toJson = (value: unknown): Json => {
  if (arrayTypeOf(value) !== undefined) return Array.from(value as TypedArray)
  if (Array.isArray(value)) return value.map(toJson)
  if (value === null || typeof value !== 'object') return value as Json
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.map(([name, part]) => [name, toJson(part)]))
}

/** The keywords of JSON Schema that {@link digestible} follows; everything else says nothing about form. */
interface Shaped {
  readonly type?: unknown
  readonly 'x-shape'?: readonly (number | string)[]
  readonly 'x-type'?: ArrayType
  readonly properties?: Readonly<Record<string, Shaped>>
  readonly patternProperties?: Readonly<Record<string, Shaped>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
  readonly items?: unknown
  readonly prefixItems?: readonly Shaped[]
  readonly anyOf?: readonly Shaped[]
  readonly oneOf?: readonly Shaped[]
  readonly const?: unknown
}

/** Whole numbers by name, for the symbolic dimensions of `x-shape`: the members of the solver's full input. */
export type Sizes = Readonly<Record<string, unknown>>

/** `name`, `name + k` or `name - k`. */
const dimensionForm = /^([A-Za-z_][A-Za-z0-9_]*)(?: ([+-]) ([0-9]{1,9}))?$/

/** A dimension's length, or its name and offset while the length is unknown. */
const readDimension = (dimension: number | string, sizes: Sizes): number | { name: string; offset: number } => {
  if (typeof dimension === 'number') return dimension
  const match = dimensionForm.exec(dimension)
  assert(match !== null, `x-shape dimension ${dimension}`)
  const [, name = '', sign, amount = '0'] = match
  const offset = sign === '-' ? -Number(amount) : Number(amount)
  const size = Object.hasOwn(sizes, name) ? sizes[name] : undefined
  return typeof size === 'number' && Number.isSafeInteger(size) ? size + offset : { name: dimension, offset }
}

/** The dimensions of an array of `length` elements; one unknown name may follow from the length. */
export const shapeOf = (dimensions: readonly (number | string)[], sizes: Sizes, length: number): readonly number[] => {
  const read = dimensions.map((dimension) => readDimension(dimension, sizes))
  const known = read.reduce<number>((product, it) => (typeof it === 'number' ? product * it : product), 1)
  const unknown = read.filter((it) => typeof it !== 'number')
  const names = new Set(unknown.map((it) => it.name))
  // The names come from a schema, but what they stand for from outside: the inputs may be missing.
  if (names.size > 1) return refuse(`The dimensions ${[...names].join(' and ')} are not known.`)
  const rest = known === 0 ? 0 : length / known
  const free = unknown.length === 2 ? Math.sqrt(rest) : rest
  assert(unknown.length <= 2, 'an unknown dimension stands at most twice')
  const shape = read.map((it) => (typeof it === 'number' ? it : free))
  const product = shape.reduce((all, one) => all * one, 1)
  if (!shape.every((it) => Number.isSafeInteger(it) && it >= 0) || product !== length) {
    return refuse(`An array of ${length} numbers does not have the shape ${dimensions.join(' × ')}.`)
  }
  return shape
}

/** Whether a variant of a union is the one that a value was made by: its JSON type and constant members. */
const variantFits = (variant: Shaped, value: unknown): boolean => {
  if (variant.const !== undefined) return variant.const === value
  const isArray = Array.isArray(value) || arrayTypeOf(value) !== undefined
  if (variant.type === 'array' || variant['x-shape'] !== undefined) return isArray
  if (variant.type !== 'object') return !isArray && (value === null || typeof value !== 'object')
  if (isArray || value === null || typeof value !== 'object') return false
  const members = value as Readonly<Record<string, unknown>>
  if (!(variant.required ?? []).every((name) => Object.hasOwn(members, name))) return false
  return Object.entries(variant.properties ?? {}).every(
    ([name, part]) => part.const === undefined || part.const === members[name],
  )
}

/** What stays the same on the way down. */
interface Walk {
  readonly sizes: Sizes
  readonly depth: number
}

const walkObject = (schema: Shaped, value: object, at: Walk): Json => {
  assertNoArrayName(value)
  const rest = typeof schema.additionalProperties === 'object' ? (schema.additionalProperties as Shaped) : {}
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  const named = schema.properties ?? {}
  const patterns = Object.entries(schema.patternProperties ?? {}).map(
    ([form, part]) => [new RegExp(form), part] as const,
  )
  const partOf = (name: string): Shaped =>
    Object.hasOwn(named, name) ? (named[name] as Shaped) : (patterns.find(([form]) => form.test(name))?.[1] ?? rest)
  return Object.fromEntries(entries.map(([name, part]) => [name, walk(partOf(name), part, at)]))
}

const walkArray = (schema: Shaped, value: readonly unknown[], at: Walk): Json => {
  const rest = typeof schema.items === 'object' ? (schema.items as Shaped) : {}
  return value.map((part, i) => walk(schema.prefixItems?.[i] ?? rest, part, at))
}

const walk = (schema: Shaped, value: unknown, at: Walk): Json => {
  const variants = schema.anyOf ?? schema.oneOf
  if (variants !== undefined) return walk(variants.find((it) => variantFits(it, value)) ?? {}, value, at)
  assertDepth(at.depth)
  if (schema['x-shape'] !== undefined) {
    const values = typedArrayOf(schema['x-type'] ?? 'f64', value)
    return arrayDigest(values, shapeOf(schema['x-shape'], at.sizes, values.length)) as unknown as Json
  }
  if (arrayTypeOf(value) !== undefined) return refuse('A typed array stands where the schema has no x-shape.')
  const below = { sizes: at.sizes, depth: at.depth + 1 }
  if (Array.isArray(value)) return walkArray(schema, value, below)
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : refuse('A number is not finite.')
  return value !== null && typeof value === 'object' ? walkObject(schema, value, below) : (value as Json)
}

/**
 * A value as its digest takes it: whatever the schema calls a typed array (`x-shape`) becomes {@link arrayDigest},
 * whether it is a typed array or the numbers of its JSON form, so sealer and verifier get one digest. Members that are
 * undefined are left out; −0 becomes 0.
 *
 * @param schema of the solver's input or output (JSON Schema; `x-shape`, and `x-type` f64 | i32 | u8, default f64).
 * @param sizes the full input, whose whole numbers the symbolic dimensions name.
 * @throws Fault NOT_CANONICAL when an array does not fit its element type or shape, a number is not finite, the nesting
 * is too deep, or a member is named `$array`.
 */
export const digestible = (schema: object, value: unknown, sizes: Sizes = {}): Json =>
  walk(schema as Shaped, value, { sizes, depth: 0 })

/** Whether anything in a schema has the shape of an array, wherever it stands. */
const namesShapes = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && ('x-shape' in part || Object.values(part).some(namesShapes))

const shaped = new WeakMap<object, boolean>()

/** The same, found out once for each schema. */
const hasShapes = (schema: object): boolean => {
  const known = shaped.get(schema) ?? namesShapes(schema)
  shaped.set(schema, known)
  return known
}

/**
 * The canonical text of {@link digestible}, without the walk, of a value that is what its digest takes as it stands.
 *
 * @returns undefined where only the walk can tell: of a schema with arrays, and of what is to be refused or changed.
 */
export const textAsItStands = (schema: object, value: unknown): string | undefined => {
  if (hasShapes(schema)) return undefined
  try {
    const text = canonical(value as Json)
    return text.includes('"$array":') ? undefined : text
  } catch {
    return undefined // the walk refuses it in its own words, or leaves out what it may
  }
}
