/**
 * A check of plain JSON against plain JSON Schema that may err in one direction only: `true` is what every validator
 * says, `false` means that the schema library is to be asked. It is there for programs that end after one question (to
 * load the library takes them longer than all else they do), and for what is read by the thousand: without code that
 * is made at run time, as a page may not, the library compiles its patterns anew for each value.
 */

type Schema = Readonly<Record<string, unknown>>

/** Words that say nothing about what fits. */
const NOTES = new Set(['description', 'default', 'title', 'examples', 'unit', 'flag', 'secret', 'deprecated'])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: isRecord,
}

const within = (size: number, [low, high]: readonly [unknown, unknown]): boolean =>
  (low === undefined || size >= (low as number)) && (high === undefined || size <= (high as number))

/** Pairs of surrogates count once or twice, whichever validator one asks: what has any is not checked here. */
const isPlainText = (text: string): boolean => !/[\uD800-\uDFFF]/.test(text)

/** Patterns that are kept as they were compiled; those beyond are compiled each time. */
const PATTERNS_MAX = 1_024
const compiled = new Map<string, RegExp>()

const patternOf = (pattern: string): RegExp => {
  const known = compiled.get(pattern)
  if (known !== undefined) return known
  const made = new RegExp(pattern, 'u')
  if (compiled.size < PATTERNS_MAX) compiled.set(pattern, made)
  return made
}

const textFits = ({ minLength, maxLength, pattern }: Schema, text: string): boolean =>
  isPlainText(text) &&
  within(text.length, [minLength, maxLength]) &&
  (pattern === undefined || patternOf(pattern as string).test(text))

const listFits = ({ items, minItems, maxItems }: Schema, list: readonly unknown[]): boolean =>
  within(list.length, [minItems, maxItems]) &&
  (items === undefined || list.every((it) => surelyFits(items as Schema, it)))

/** The schemas that a member of this name keeps to. */
const schemasOf = ({ properties = {}, patternProperties = {} }: Schema, name: string): readonly Schema[] => {
  const known = properties as Readonly<Record<string, Schema>>
  const forms = Object.entries(patternProperties as Readonly<Record<string, Schema>>)
  const byForm = forms.filter(([form]) => patternOf(form).test(name)).map(([, schema]) => schema)
  const own = Object.hasOwn(known, name) ? known[name] : undefined
  return own === undefined ? byForm : [own, ...byForm]
}

const membersFit = (schema: Schema, value: object): boolean => {
  const { required = [], maxProperties, additionalProperties } = schema
  const members = Object.entries(value)
  return (
    within(members.length, [undefined, maxProperties]) &&
    (required as readonly string[]).every((name) => Object.hasOwn(value, name)) &&
    members.every(([name, member]) => {
      const schemas = schemasOf(schema, name)
      if (schemas.length === 0) return additionalProperties === undefined
      return schemas.every((it) => surelyFits(it, member))
    })
  )
}

/** Words that are checked below; a schema with any other is not. */
const WORDS = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
  ...['items', 'minItems', 'maxItems'],
  ...['properties', 'patternProperties', 'required', 'maxProperties', 'additionalProperties'],
])

/**
 * Whether a value fits a schema beyond doubt.
 *
 * @param schema JSON Schema 2020-12, as plain JSON.
 * @param value what `JSON.parse` may give.
 */
export const surelyFits = (schema: object, value: unknown): boolean => {
  if (!isRecord(schema)) return false
  const it: Schema = schema
  const names = Object.keys(it)
  if (!names.every((name) => WORDS.has(name) || NOTES.has(name) || name.startsWith('x-'))) return false
  if (it['type'] !== undefined && types[it['type'] as string]?.(value) !== true) return false
  if (it['enum'] !== undefined && !(it['enum'] as readonly unknown[]).includes(value)) return false
  if (it['const'] !== undefined && it['const'] !== value) return false
  if (it['anyOf'] !== undefined && !(it['anyOf'] as readonly object[]).some((form) => surelyFits(form, value))) {
    return false
  }
  if (typeof value === 'number') return within(value, [it['minimum'], it['maximum']])
  if (typeof value === 'string') return textFits(it, value)
  if (Array.isArray(value)) return listFits(it, value)
  return isRecord(value) ? membersFit(it, value) : true
}
