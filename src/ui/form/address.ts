import { type FormField, keyOf, readField, textFor, type Typed, textOf, isTouched } from './schema.ts'

/** Characters of inputs that an address carries: what mail and chat pass on unbroken. */
export const QUERY_CHARS_MAX = 1_800

/**
 * JSON without the signs that an address has to escape: each stands for one that it need not. A text that is swapped twice
 * is itself.
 */
const SWAPS: Readonly<Record<string, string>> = Object.fromEntries(
  ['"\'', '{(', '})', '[!', ']~'].flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
)
const swapped = (text: string): string => text.replace(/["'{}()[\]!~]/g, (sign) => SWAPS[sign] ?? sign)

/** A text within a fragment; signs that are safe there stand as they are. */
const escaped = (text: string): string => encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':')

const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The text of one field as an address has it; nothing where it is no value. */
const written = (field: FormField, text: string): string | undefined => {
  const read = readField(field, text)
  if ('problem' in read) return undefined
  return field.kind === 'json' && read.value !== null ? swapped(JSON.stringify(read.value)) : text.trim()
}

/** The text of a field from that of an address, where JSON may also stand as it is. */
const taken = (field: FormField, text: string): string => {
  if (field.kind !== 'json' || text === '') return text
  const json = /^[[{"]/.test(text) ? text : swapped(text)
  try {
    return textFor(field, JSON.parse(json))
  } catch {
    return json
  }
}

/** Names and texts as an address carries them; undefined where that is too long for one. */
export const queryOfPairs = (pairs: readonly (readonly [name: string, text: string])[]): string | undefined => {
  const query = pairs.map(([name, text]) => `${escaped(name)}=${escaped(text)}`).join('&')
  return query.length > QUERY_CHARS_MAX ? undefined : query
}

/**
 * What differs from the defaults, as an address carries it after its `?`: `nx=64&initial.kind=box`.
 *
 * @returns undefined where it is too long for an address.
 */
export const queryOf = (fields: readonly FormField[], typed: Typed): string | undefined => {
  const pairs = fields.flatMap((field) => {
    if (!isTouched(field, typed)) return []
    const text = written(field, textOf(field, typed))
    return text === undefined ? [] : [[keyOf(field), text] as const]
  })
  return queryOfPairs(pairs)
}

/** The names and texts of an address, in its order. What cannot be read is left out. */
export const pairsOf = (query: string): readonly (readonly [name: string, text: string])[] =>
  query.split('&').flatMap((pair) => {
    const at = pair.indexOf('=')
    const [name, text] = at < 1 ? [] : [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))]
    return name === undefined || text === undefined ? [] : [[name, text] as const]
  })

/** What an address has to say to a form: the texts of its fields, and names that no field has. */
export const readQuery = (
  fields: readonly FormField[],
  query: string,
): { readonly typed: Typed; readonly unknown: readonly string[] } => {
  const known = new Map(fields.map((field) => [keyOf(field), field]))
  const pairs = pairsOf(query)
  const typed = pairs.flatMap(([name, text]) => {
    const field = known.get(name)
    return field === undefined ? [] : [[name, taken(field, text)] as const]
  })
  return { typed: Object.fromEntries(typed), unknown: pairs.map(([name]) => name).filter((name) => !known.has(name)) }
}
