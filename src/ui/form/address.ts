import type { Query } from '#ui/address.ts'
import { type FormField, isTouched, keyOf, readField, type Typed, textFor, textOf } from './schema.ts'

/**
 * JSON without the signs that an address has to escape: each stands for one that it need not. A text that is swapped
 * twice is itself.
 */
const SWAPS: Readonly<Record<string, string>> = Object.fromEntries(
  [`"'`, '{(', '})', '[!', ']~'].flatMap(([a = '', b = '']) => [
    [a, b],
    [b, a],
  ]),
)
const swapped = (text: string): string => text.replace(/["'{}()[\]!~]/g, (sign) => SWAPS[sign] ?? sign)

/** How null stands in an address: an empty text would be no word. */
const NULL = 'null'

/** The text of one field as an address has it; nothing where it is no value. */
const written = (field: FormField, text: string): string | undefined => {
  const read = readField(field, text)
  if ('problem' in read) return undefined
  if (read.value === null) return NULL
  return field.kind === 'json' ? swapped(JSON.stringify(read.value)) : text
}

/** The text of a field from that of an address, where JSON may also stand as it is. */
const taken = (field: FormField, text: string): string => {
  if (field.kind === 'text') return text
  if (text === NULL) return ''
  if (field.kind !== 'json') return text
  const json = /^[[{"]/.test(text) ? text : swapped(text)
  try {
    return textFor(field, JSON.parse(json))
  } catch {
    return json
  }
}

/** What differs from the defaults, as an address carries it: `nx=64&initial.kind=box`. */
export const queryOf = (fields: readonly FormField[], typed: Typed): Query =>
  Object.fromEntries(
    fields.flatMap((field) => {
      if (!isTouched(field, typed)) return []
      const text = written(field, textOf(field, typed))
      return text === undefined ? [] : [[keyOf(field), text] as const]
    }),
  )

/** What an address has to say to a form: the texts of its fields, and names that no field has. */
export const readQuery = (
  fields: readonly FormField[],
  query: Query,
): { readonly typed: Typed; readonly unknown: readonly string[] } => {
  const known = new Map(fields.map((field) => [keyOf(field), field]))
  const typed = Object.entries(query).flatMap(([name, text]) => {
    const field = known.get(name)
    return field === undefined ? [] : [[name, taken(field, text)] as const]
  })
  return { typed: Object.fromEntries(typed), unknown: Object.keys(query).filter((name) => !known.has(name)) }
}
