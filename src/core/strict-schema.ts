type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of a schema that hold schemas by name, as a list, or alone. */
const byName = ['properties', 'patternProperties', '$defs']
const inList = ['anyOf', 'oneOf', 'prefixItems']
const alone = ['items', 'additionalProperties', 'not']

/**
 * The schema with every object closed that does not say otherwise: an unknown member is a misspelt one. Parts of
 * `allOf` stay open, since each sees the members of the others.
 */
export const strict = (schema: unknown): unknown => {
  if (!isSchema(schema)) return schema
  const parts = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (byName.includes(name) && isSchema(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, part]) => [key, strict(part)]))]
    }
    if (inList.includes(name) && Array.isArray(value)) return [name, value.map(strict)]
    return [name, alone.includes(name) ? strict(value) : value]
  })
  const closed = Object.fromEntries(parts)
  const open = 'additionalProperties' in closed || 'patternProperties' in closed || 'allOf' in closed
  return 'properties' in closed && !open ? { ...closed, additionalProperties: false } : closed
}

/** Whether a member of an object may be left out although its schema requires it: its default stands in. */
const hasDefault = (schema: unknown): boolean => isSchema(schema) && 'default' in schema

/** Whether a schema has a default anywhere inside. */
export const anyDefault = (schema: unknown): boolean =>
  hasDefault(schema) ||
  (Array.isArray(schema) ? schema.some(anyDefault) : isSchema(schema) && Object.values(schema).some(anyDefault))

/** The schema as callers see it: closed, and without the demand for members that have a default. */
export const accepted = (schema: unknown): unknown => relaxed(strict(schema))

const relaxed = (schema: unknown): unknown => {
  if (!isSchema(schema)) return schema
  const { properties, required, ...rest } = schema
  const items = 'items' in rest ? { items: relaxed(rest['items']) } : {}
  const parts = Array.isArray(rest['anyOf']) ? { anyOf: rest['anyOf'].map(relaxed) } : {}
  if (!isSchema(properties)) return { ...schema, ...items, ...parts }
  const inside = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, relaxed(part)]))
  const needed = ((required ?? []) as readonly string[]).filter((name) => !hasDefault(properties[name]))
  return { ...rest, ...items, ...parts, properties: inside, ...(needed.length > 0 ? { required: needed } : {}) }
}
