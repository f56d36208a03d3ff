/** Any JSON, of a description or a part of it. */
export type DocumentJson =
  | null
  | boolean
  | number
  | string
  | readonly DocumentJson[]
  | { readonly [name: string]: DocumentJson }
export type SchemaJson = { readonly [name: string]: DocumentJson }
/** A part of the description. */
export type Part = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is SchemaJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as it goes out: what stands behind a schema is left out. */
export const jsonOf = (value: unknown): DocumentJson => JSON.parse(JSON.stringify(value)) as DocumentJson

/** Entries as an object, in the order of their names. */
export const inOrder = <T>(entries: Iterable<readonly [string, T]>): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
