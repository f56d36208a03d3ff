import type { Json } from '#core/canonical.ts'

/** How an index stands in a JSON pointer. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/

const unescaped = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/** What stands at a JSON pointer; undefined where nothing does. */
export const placeIn = (document: Json, pointer: string): Json | undefined => {
  let at: Json | undefined = document
  for (const token of pointer === '' ? [] : pointer.slice(1).split('/').map(unescaped)) {
    if (typeof at !== 'object' || at === null) return undefined
    if (Array.isArray(at)) at = INDEX.test(token) ? (at as readonly Json[])[Number(token)] : undefined
    else at = Object.hasOwn(at, token) ? (at as Readonly<Record<string, Json>>)[token] : undefined
  }
  return at
}

/** What a contract binds of a result: members of its output, beside `value` and `unit`. */
export const boundOf = (
  of: { readonly output: Readonly<Record<string, Json>>; readonly value: number | null; readonly unit: string | null },
  bind: Readonly<Record<string, string>>,
): Readonly<Record<string, Json | undefined>> => {
  const result: Json = { ...of.output, value: of.value, unit: of.unit }
  return Object.fromEntries(Object.entries(bind).map(([name, pointer]) => [name, placeIn(result, pointer)]))
}
