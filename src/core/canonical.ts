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

/** How the engine writes half of a surrogate pair that is alone; a backslash of the text itself is written twice. */
const LONE = /(?<!\\)(?:\\\\)*\\ud/

/** What would be called or left out instead of being written. */
const assertPlain = (value: object): void => {
  const prototype: unknown = Object.getPrototypeOf(value)
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
  for (let i = 0; i < value.length; i++) if (!inspect(value[i], depth)) ordered = false
  return ordered
}

const inspectObject = (value: Readonly<Record<string, unknown>>, depth: number): boolean => {
  const names = Object.keys(value)
  let ordered = true
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    if (name === '__proto__') refuse('The name __proto__ is refused.')
    if (!inspect(value[name], depth) || (i > 0 && name < (names[i - 1] as string))) ordered = false
  }
  return ordered
}

/**
 * Refuses what JSON libraries drop, bend or die of, before any of it is written.
 *
 * @returns whether all members stand in the order of their names already, by UTF-16 code units.
 */
const inspect = (value: unknown, depth: number): boolean => {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isFinite(value) || refuse('A number is not finite.')
  if (typeof value !== 'object') return refuse(`A value of type ${typeof value} has no canonical form.`)
  if (depth >= DEPTH_MAX) return refuse(`Nesting is deeper than ${DEPTH_MAX}.`)
  assertPlain(value)
  return Array.isArray(value)
    ? inspectArray(value, depth + 1)
    : inspectObject(value as Record<string, unknown>, depth + 1)
}

/** Writes what was inspected, the members of each object in the order of their names. */
const sorted = (value: Json): string => {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  let text = ''
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) text += `${i === 0 ? '' : ','}${sorted(value[i])}`
    return `[${text}]`
  }
  const members = value as { readonly [name: string]: Json }
  const names = Object.keys(members).sort()
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:${sorted(members[name] as Json)}`
  }
  return `{${text}}`
}

/**
 * The text of what was inspected. Of a value whose members stand in order it is what the engine itself writes, numbers
 * and escapes being those of ECMAScript, in half the time.
 */
const written = (value: Json, ordered: boolean): string => {
  try {
    return ordered ? JSON.stringify(value) : sorted(value)
  } catch {
    return tooLarge() // beyond the longest text that the engine has
  }
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
  const text = written(value, inspect(value, 0))
  if (text.includes('\\ud') && LONE.test(text)) return refuse('Lone surrogate is not allowed.')
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
