import canonicalize from 'canonicalize'
import { fromUtf8, utf8 } from './bytes.ts'
import { Fault } from './fault.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Levels of nesting a document may have; a scalar has none. */
export const DEPTH_MAX = 32
/** Bytes of a document's canonical form. */
export const DOCUMENT_BYTES_MAX = 1_048_576

const refuse = (why: string): never => {
  throw new Fault('NOT_CANONICAL', why)
}

const tooLarge = (): never => refuse(`The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`)

/** Members that canonicalize would call or leave out instead of writing. */
const inspectObject = (value: object): void => {
  const prototype = Object.getPrototypeOf(value)
  const plain = Array.isArray(value)
    ? prototype === Array.prototype
    : prototype === Object.prototype || prototype === null
  if (!plain) refuse('Only plain objects and arrays have a canonical form.')
  if (Object.getOwnPropertySymbols(value).length > 0) refuse('A symbol has no canonical form.')
}

const inspectArray = (value: readonly unknown[], depth: number): boolean => {
  if ('toJSON' in value) refuse('An array with a toJSON of its own has no canonical form.')
  let ordered = true
  // Holes are read as undefined here, and refused as such.
  for (const part of value) ordered = inspect(part, depth + 1) && ordered
  return ordered
}

/**
 * Refuses what JSON libraries drop, bend or die of, before any of it is written.
 *
 * @returns whether all members stand in the order of their names already, by UTF-16 code units.
 */
const inspect = (value: unknown, depth: number): boolean => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true
  if (typeof value === 'number') return Number.isFinite(value) || refuse('A number is not finite.')
  if (typeof value !== 'object') return refuse(`A value of type ${typeof value} has no canonical form.`)
  if (depth >= DEPTH_MAX) return refuse(`Nesting is deeper than ${DEPTH_MAX}.`)
  inspectObject(value)
  if (Array.isArray(value)) return inspectArray(value, depth)
  let ordered = true
  let before: string | undefined
  for (const [name, part] of Object.entries(value)) {
    if (name === '__proto__') refuse('The name __proto__ is refused.')
    ordered = inspect(part, depth + 1) && ordered && (before === undefined || before < name)
    before = name
  }
  return ordered
}

/**
 * The canonical text. Of a value whose members stand in order it is what the engine itself writes, numbers and escapes
 * being those of ECMAScript, at a tenth of the cost; but a lone surrogate, which has no such form, would be escaped.
 */
const written = (value: Json, ordered: boolean): string | undefined => {
  const plain = ordered ? JSON.stringify(value) : undefined
  return plain === undefined || plain.includes('\\ud') ? canonicalize(value) : plain
}

/**
 * The one text form of a value: what is hashed, signed, stored and gossiped (RFC 8785).
 *
 * Numbers are IEEE doubles and are written as such: 8.98e16 J is a quantity, although its double is a whole number
 * beyond 2^53. What must be an exact integer (ticks, credits, indexes) is bounded to 2^53 − 1 by its schema, and a
 * text whose integers would be bent is refused where it is read ({@link parseCanonical}, `parseJson`).
 *
 * @throws Fault NOT_CANONICAL for values beyond depth or size, non-finite numbers, `undefined`, lone surrogates, the
 * name `__proto__`, and anything but plain objects and arrays.
 */
export const canonical = (value: Json): string => {
  const ordered = inspect(value, 0)
  let text: string | undefined
  try {
    text = written(value, ordered)
  } catch (cause) {
    return refuse(cause instanceof Error ? `${cause.message}.` : 'The value has no canonical form.')
  }
  if (text === undefined) return refuse('The value has no canonical form.')
  // A UTF-16 code unit is 1 to 3 bytes of UTF-8, so most texts need not be encoded to be measured.
  if (text.length > DOCUMENT_BYTES_MAX) return tooLarge()
  if (text.length * 3 > DOCUMENT_BYTES_MAX && utf8(text).length > DOCUMENT_BYTES_MAX) return tooLarge()
  return text
}

/** UTF-8 bytes of the canonical form. @throws Fault NOT_CANONICAL as {@link canonical}. */
export const canonicalBytes = (value: Json): Uint8Array => utf8(canonical(value))

/**
 * Reads a signed document, accepting only the one spelling that {@link canonical} writes: this alone refuses
 * duplicate names, integers that a double cannot hold, and every other spelling.
 *
 * @throws Fault NOT_CANONICAL
 */
export const parseCanonical = (bytes: Uint8Array): Json => {
  if (bytes.length > DOCUMENT_BYTES_MAX) return tooLarge()
  let text: string
  let value: Json
  try {
    text = fromUtf8(bytes)
    value = JSON.parse(text) as Json
  } catch {
    return refuse('The document is not JSON in UTF-8.')
  }
  if (canonical(value) !== text) return refuse('The document is not in its canonical form.')
  return value
}
