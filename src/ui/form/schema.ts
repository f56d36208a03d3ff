/** The keywords of JSON Schema that a form is made from. */
export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | number)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly 'x-unit'?: string
  readonly 'x-shape'?: readonly (number | string)[]
}

/** One input of a form. `path` leads to it through nested objects. */
export interface FormField {
  readonly path: readonly string[]
  readonly schema: Schema
  readonly kind: 'number' | 'integer' | 'choice' | 'switch' | 'text' | 'json'
}

const kindOf = (schema: Schema): FormField['kind'] => {
  if (schema.enum !== undefined) return 'choice'
  if (schema.type === 'number' || schema.type === 'integer') return schema.type
  if (schema.type === 'boolean') return 'switch'
  return schema.type === 'string' ? 'text' : 'json'
}

/** Every input of an object schema, nested objects opened, in the schema's own order. */
export const fieldsOf = (schema: Schema, at: readonly string[] = []): readonly FormField[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    part.properties === undefined
      ? [{ path: [...at, name], schema: part, kind: kindOf(part) }]
      : fieldsOf(part, [...at, name]),
  )

/** What stands in a field that nobody has touched: its default, or nothing. */
export const defaultText = ({ schema }: FormField): string => {
  const { default: value } = schema
  if (value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The text of a field as a value of its type, or why it is none. */
export const readField = ({ schema, kind }: FormField, text: string): { value: unknown } | { problem: string } => {
  if (kind === 'switch') return { value: text === 'true' }
  if (kind === 'text') return { value: text }
  if (kind === 'choice') return { value: schema.enum?.find((it) => String(it) === text) ?? text }
  if (kind === 'json') {
    try {
      return { value: JSON.parse(text) }
    } catch {
      return { problem: 'This is not JSON.' }
    }
  }
  const value = Number(text)
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (text.trim() === '' || !Number.isFinite(value)) return { problem: 'This is not a number.' }
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { problem: 'This is not a whole number.' }
  if (value < minimum || value > maximum) return { problem: `The range is ${minimum} to ${maximum}.` }
  return { value }
}

type Tree = { [name: string]: unknown }

const put = (tree: Tree, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  tree[name] ??= {}
  put(tree[name] as Tree, rest, value)
}

/** What was typed, by the path of its field. */
export type Typed = Readonly<Record<string, string>>
export const keyOf = ({ path }: FormField): string => path.join('.')

/**
 * The input that a form stands for: only what differs from its default is sent, so that the documented default case
 * stays `{}`.
 */
export const inputOf = (
  fields: readonly FormField[],
  typed: Typed,
): { readonly input: Tree; readonly problems: Readonly<Record<string, string>> } => {
  const input: Tree = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const text = typed[keyOf(field)]
    if (text === undefined || text === defaultText(field)) continue
    const read = readField(field, text)
    if ('problem' in read) problems[keyOf(field)] = read.problem
    else put(input, field.path, read.value)
  }
  return { input, problems }
}
