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

const inspectNumber = (value: number): void => {
  if (!Number.isFinite(value)) refuse('A number is not finite.')
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) refuse('An integer is beyond 2^53 − 1.')
}

/** Refuses what JSON libraries drop, bend or die of, before any of it is written. */
const inspect = (value: unknown, depth: number): void => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return
  if (typeof value === 'number') return inspectNumber(value)
  if (typeof value !== 'object') return refuse(`A ${typeof value} has no canonical form.`)
  if (depth >= DEPTH_MAX) return refuse(`Nesting is deeper than ${DEPTH_MAX}.`)
  if (Array.isArray(value)) {
    for (const part of value) inspect(part, depth + 1)
    return
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return refuse('Only plain objects have a canonical form.')
  for (const [name, part] of Object.entries(value)) {
    if (name === '__proto__') refuse('The name __proto__ is refused.')
    inspect(part, depth + 1)
  }
}

/**
 * The one text form of a value: what is hashed, signed, stored and gossiped (RFC 8785).
 *
 * @throws Fault NOT_CANONICAL for values beyond depth, size or safe integers, `undefined`, lone surrogates, `__proto__`.
 */
export const canonical = (value: Json): string => {
  inspect(value, 0)
  let text: string | undefined
  try {
    text = canonicalize(value)
  } catch (cause) {
    return refuse(cause instanceof Error ? cause.message : 'The value has no canonical form.')
  }
  if (text === undefined) return refuse('The value has no canonical form.')
  if (text.length > DOCUMENT_BYTES_MAX || utf8(text).length > DOCUMENT_BYTES_MAX) {
    return refuse(`The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`)
  }
  return text
}

/** UTF-8 bytes of the canonical form. @throws Fault NOT_CANONICAL as {@link canonical}. */
export const canonicalBytes = (value: Json): Uint8Array => utf8(canonical(value))

/**
 * Reads a signed document, accepting only the one spelling that {@link canonical} writes: this alone refuses
 * duplicate names and every other spelling.
 *
 * @throws Fault NOT_CANONICAL
 */
export const parseCanonical = (bytes: Uint8Array): Json => {
  if (bytes.length > DOCUMENT_BYTES_MAX) return refuse(`The document is larger than ${DOCUMENT_BYTES_MAX} bytes.`)
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
