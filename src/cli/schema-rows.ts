/** What of a JSON Schema a person reads. */
interface Described {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Described>>
  readonly 'x-unit'?: string
}

const range = ({ enum: values, minimum, maximum }: Described): string => {
  if (values !== undefined) return values.join(' | ')
  if (minimum === undefined && maximum === undefined) return ''
  const low = minimum === -Number.MAX_VALUE ? undefined : minimum
  const high = maximum === Number.MAX_VALUE ? undefined : maximum
  return low === undefined && high === undefined ? '' : `${low ?? ''} … ${high ?? ''}`.trim()
}

const rowsOf = (schema: Described, at: string): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, it]) => {
    const path = `${at}${name}`
    if (it.properties !== undefined) return rowsOf(it, `${path}.`)
    const preset = it.default === undefined ? '' : `= ${JSON.stringify(it.default)}`
    return [[path, preset, it['x-unit'] ?? '', range(it), it.description ?? '']]
  })

/** The inputs that a JSON Schema of an object describes, a row each: name, default, unit, range, meaning. */
export const schemaRows = (schema: unknown): readonly (readonly string[])[] => rowsOf(schema as Described, '')
