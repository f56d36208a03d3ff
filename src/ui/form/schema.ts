/** The keywords of JSON Schema that forms and figures are made from. */
export interface FormSchema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly (string | number)[]
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly properties?: Readonly<Record<string, FormSchema>>
  readonly items?: FormSchema
  readonly anyOf?: readonly FormSchema[]
  readonly 'x-unit'?: string
  readonly 'x-shape'?: readonly (number | string)[]
  readonly 'x-axes'?: readonly string[]
}

/** A schema that allows null beside one other form, as that form: what stands outside of the union wins. */
export const withoutNull = (schema: FormSchema): FormSchema => {
  const inner = schema.anyOf?.find((it) => it.type !== 'null')
  return inner === undefined ? schema : { ...inner, ...schema }
}

/** Whether an input may be null: its field then stands empty. */
const isNullable = ({ anyOf, default: value }: FormSchema): boolean =>
  value === null || anyOf?.some((it) => it.type === 'null') === true

/** One input of a form. `path` leads to it through nested objects. */
export interface FormField {
  readonly path: readonly string[]
  readonly schema: FormSchema
  readonly kind: 'number' | 'integer' | 'choice' | 'switch' | 'text' | 'json'
  /** Whether it matters to few, and is folded. */
  readonly advanced: boolean
}

/** Inputs that belong together: the members of one nested object. */
export interface FormGroup {
  readonly name: string
  readonly about: string
  readonly fields: readonly FormField[]
  /** Whether all of it is folded. */
  readonly advanced: boolean
}

/** A form: inputs of its own, and groups of inputs. */
export interface Form {
  readonly fields: readonly FormField[]
  readonly groups: readonly FormGroup[]
}

/** Whole numbers of one input up to which they are a choice, e.g. 1 or 2 dimensions. */
const CHOICES_MAX = 2

/** What an input may be, where that is few things. */
export const choicesOf = ({ enum: choices, type, minimum, maximum }: FormSchema): FormSchema['enum'] => {
  if (choices !== undefined) return choices
  if (type !== 'integer' || minimum === undefined || maximum === undefined) return undefined
  const count = maximum - minimum + 1
  return count > CHOICES_MAX ? undefined : Array.from({ length: count }, (_, i) => minimum + i)
}

const kindOf = (schema: FormSchema): FormField['kind'] => {
  if (choicesOf(schema) !== undefined) return 'choice'
  if (schema.type === 'number' || schema.type === 'integer') return schema.type
  if (schema.type === 'boolean') return 'switch'
  return schema.type === 'string' ? 'text' : 'json'
}

/** Whether an input, or an object that holds it, is among those that matter to few. */
const isNamed = (path: readonly string[], advanced: readonly string[]): boolean =>
  path.some((_, i) => advanced.includes(path.slice(0, i + 1).join('.')))

const fieldOf = (path: readonly string[], schema: FormSchema, advanced: readonly string[]): FormField => ({
  path,
  schema,
  kind: kindOf(schema),
  // Whole arrays of numbers without a default are a former state, or what a program hands over.
  advanced: isNamed(path, advanced) || (schema['x-shape'] !== undefined && schema.default === undefined),
})

const fieldsOf = (schema: FormSchema, at: readonly string[], advanced: readonly string[]): readonly FormField[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, part]): readonly FormField[] => {
    const path = [...at, name]
    const plain = withoutNull(part)
    return plain.properties === undefined ? [fieldOf(path, plain, advanced)] : fieldsOf(plain, path, advanced)
  })

/**
 * The form of an object schema, in the schema's own order.
 *
 * @param advanced inputs that matter to few, by their paths.
 */
export const formOf = (schema: FormSchema, advanced: readonly string[] = []): Form => {
  const members = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, withoutNull(part)] as const)
  return {
    fields: members.flatMap(([name, part]) => (part.properties === undefined ? [fieldOf([name], part, advanced)] : [])),
    groups: members.flatMap(([name, part]) => {
      if (part.properties === undefined) return []
      const fields = fieldsOf(part, [name], advanced)
      return [{ name, about: part.description ?? '', fields, advanced: fields.every((it) => it.advanced) }]
    }),
  }
}

/** Every input of a form. */
export const everyField = ({ fields, groups }: Form): readonly FormField[] => [
  ...fields,
  ...groups.flatMap((group) => group.fields),
]

/** JSON on one line, with the spaces that make it readable. */
const lineText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(lineText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${lineText(part)}`)
  return `{ ${members.join(', ')} }`
}

/** A list of objects with one on each line, so that it can be read and edited like a table. */
const listText = (value: readonly unknown[]): string =>
  value.some((it) => typeof it === 'object') ? `[\n  ${value.map(lineText).join(',\n  ')}\n]` : lineText(value)

/** A value as it stands in the field of its kind. */
export const textFor = ({ kind }: Pick<FormField, 'kind'>, value: unknown): string => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return listText(value)
  return kind === 'json' || typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What stands in a field that nobody has touched: its default, or nothing. */
export const defaultText = (field: FormField): string => textFor(field, field.schema.default)

/** The text of a field as a value of its type, or why it is none. */
export const readField = ({ schema, kind }: FormField, text: string): { value: unknown } | { problem: string } => {
  // What may be left out stands empty; other empty texts say something of their own.
  if (text.trim() === '' && isNullable(schema)) return { value: null }
  if (kind === 'switch') return { value: text === 'true' }
  if (kind === 'text') return { value: text }
  if (kind === 'choice') return { value: choicesOf(schema)?.find((it) => String(it) === text) ?? text }
  if (kind === 'json') {
    try {
      return { value: JSON.parse(text) }
    } catch {
      return { problem: 'This is not JSON.' }
    }
  }
  const value = Number(text.replace('−', '-'))
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  if (text.trim() === '' || !Number.isFinite(value)) return { problem: 'This is not a number.' }
  if (kind === 'integer' && !Number.isSafeInteger(value)) return { problem: 'This is not a whole number.' }
  if (value < minimum) return { problem: `The least is ${minimum}.` }
  if (value > maximum) return { problem: `The most is ${maximum}.` }
  return { value }
}

/** The nearest number that an input takes; undefined where what stands in it is no number, or passes. */
export const passingNumber = ({ schema, kind }: FormField, text: string): number | undefined => {
  const value = Number(text.replace('−', '-'))
  if ((kind !== 'number' && kind !== 'integer') || text.trim() === '' || !Number.isFinite(value)) return undefined
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const near = Math.min(maximum, Math.max(minimum, kind === 'integer' ? Math.round(value) : value))
  return near === value || !Number.isFinite(near) ? undefined : near
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

/** The name of a field in what was typed. */
export const keyOf = ({ path }: FormField): string => path.join('.')

/** The text that stands in a field. */
export const textOf = (field: FormField, typed: Typed): string => typed[keyOf(field)] ?? defaultText(field)

/** Whether a field holds something other than its default. */
export const isTouched = (field: FormField, typed: Typed): boolean => textOf(field, typed) !== defaultText(field)

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
    if (!isTouched(field, typed)) continue
    const read = readField(field, textOf(field, typed))
    if ('problem' in read) problems[keyOf(field)] = read.problem
    else put(input, field.path, read.value)
  }
  return { input, problems }
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const valueAt = (input: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined), input)

/** What has to be typed so that a form stands for an input: the texts of all that the input names. */
export const typedOf = (fields: readonly FormField[], input: object): Typed =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueAt(input, field.path)
      return value === undefined ? [] : [[keyOf(field), textFor(field, value)]]
    }),
  )
