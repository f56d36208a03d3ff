import type { Json } from '#core/canonical.ts'

/** A JSON object: a schema, mostly. */
export type JsonObject = { readonly [name: string]: Json }
/** A part of the description. */
export type Described = Readonly<Record<string, unknown>>

/** Whether a value is an object and no list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as it goes out: what stands behind a schema is left out. */
export const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

/** Entries as an object, in the order of their names. */
export const inOrder = <T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
