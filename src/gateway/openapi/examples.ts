import { exampleClaim } from '#api/compute/example-claim.ts'
import type { Json } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { isObject, type JsonObject } from './json.ts'

/** Texts that are known to fit a pattern. */
const samples: Readonly<Record<string, string>> = {
  [patterns.zid]: `zid1${'a'.repeat(32)}`,
  [`${patterns.zid}|^house$`]: exampleClaim.claim.zid,
  [patterns.nodeId]: exampleClaim.claim.node,
  [patterns.tokenId]: exampleClaim.claim.token_id,
  [patterns.slug]: 'pump-7',
  [patterns.symbol]: 'E',
  [patterns.hex64]: exampleClaim.claim.result_digest,
  [patterns.signature]: exampleClaim.signature,
  [patterns.digest]: exampleClaim.claim.registry_version,
  [patterns.solverName]: exampleClaim.claim.kind,
  [patterns.kernelName]: 'math',
  [patterns.fieldName]: 'value',
  [patterns.solver]: exampleClaim.claim.code.solver,
  [patterns.logName]: exampleClaim.claim.log,
}

/** What stands under a name, whatever the schema says of it: of the call that is answered, or as everyone writes it. */
export type Hints = Readonly<Record<string, unknown>>

const { claim } = exampleClaim
const INSTANT = '2026-11-23T10:00:00.000Z'

/** Schemas with an example of their own: answers may have null in their place, and so have examples of answers. */
export const aside: ReadonlySet<string> = new Set(['AskedClaim', 'Check', 'Claim', 'Envelope', 'TickReceipt'])

const usual: Hints = {
  ...claim.code,
  ...claim,
  ...Object.fromEntries(['createdAt', 'created_at', 'genesisAt', 'since', 'timestamp'].map((it) => [it, INSTANT])),
  ok: true,
  valid: true,
  origin: claim.log,
  against: 'the exact solution',
  measured: 0.0125,
  precisionActual: 0.0125,
  tickNumber: claim.tick,
  created_tick: claim.tick,
  mesh_tick: 2_310_000_007,
  genesisTick: 2_310_000_000,
  issued_to: claim.zid,
  slug: 'pump-7',
  folder: '',
  state: 'sealed',
  R_t: '1.000123',
  api_key: `svc_ak_${'0'.repeat(43)}`,
  bundle: null,
  equations: null,
  signature: null,
  tick_averaged: null,
  unsealed_reason: 'This example leaves the receipt out: see Envelope, TickReceipt and Claim.',
}

/** Whether a hint may stand here: schemas of one name differ, so it is asked by type, form and bounds. */
const fits = (schema: JsonObject, hint: unknown): boolean => {
  const { type, anyOf, enum: values, pattern, minimum = -Infinity, maximum = Infinity } = schema
  if (Array.isArray(anyOf)) return anyOf.some((part) => isObject(part) && fits(part, hint))
  if (Array.isArray(values)) return values.includes(hint as Json)
  if (hint === null) return type === 'null'
  if (Array.isArray(hint))
    return type === 'array' && isObject(schema['items']) && hint.every((it) => fits(schema['items'] as JsonObject, it))
  if (typeof hint === 'string')
    return type === 'string' && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(hint))
  const whole = type === 'integer' && Number.isInteger(hint)
  if (typeof hint === 'number')
    return (whole || type === 'number') && hint >= Number(minimum) && hint <= Number(maximum)
  return typeof hint === 'boolean' && type === 'boolean'
}

const numberOf = ({ minimum, maximum }: JsonObject): number => {
  const [least, most] = [typeof minimum === 'number' ? minimum : 1, typeof maximum === 'number' ? maximum : 1]
  return Math.min(Math.max(1, least), Math.max(most, least))
}

const textOf = ({ pattern, minLength = 0, maxLength = Infinity }: JsonObject, name: string): string => {
  if (typeof pattern === 'string') return samples[pattern] ?? ''
  const text = name === '' ? 'text' : name
  return text.padEnd(Number(minLength), '.').slice(0, Number(maxLength))
}

/** Values under names of a form: one, so that the form is seen. */
const namedOf = (patternProperties: Json | undefined, hints: Hints): JsonObject => {
  if (!isObject(patternProperties)) return {}
  const fit = Object.entries(patternProperties).map(([form, value]): [string, Json] => {
    const name = samples[form] ?? 'name'
    return [name, sampleOf(value, name, hints)]
  })
  return Object.fromEntries(fit)
}

const objectOf = ({ properties, patternProperties }: JsonObject, hints: Hints): JsonObject => ({
  ...Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {}).map(([name, part]) => [name, sampleOf(part, name, hints)]),
  ),
  ...namedOf(patternProperties, hints),
})

const arrayOf = ({ prefixItems, items, minItems = 1 }: JsonObject, name: string, hints: Hints): readonly Json[] => {
  if (Array.isArray(prefixItems)) return prefixItems.map((part) => sampleOf(part as Json, name, hints))
  return Array.from({ length: Math.max(1, Number(minItems)) }, () => sampleOf(items ?? {}, name, hints))
}

const byType = (schema: JsonObject, name: string, hints: Hints): Json => {
  switch (schema['type']) {
    case 'object':
      return objectOf(schema, hints)
    case 'array':
      return arrayOf(schema, name, hints)
    case 'number':
    case 'integer':
      return numberOf(schema)
    case 'string':
      return textOf(schema, name)
    case 'boolean':
      return false
    default:
      return schema['type'] === 'null' ? null : {}
  }
}

const isLarge = (it: Json): boolean =>
  isObject(it) &&
  (it['type'] === 'object' || it['type'] === 'array' || (Array.isArray(it['anyOf']) && it['anyOf'].some(isLarge)))

/** The first of some choices; null for an object or a list that may be absent. */
const choiceOf = ([first = {}, ...others]: readonly Json[], name: string, hints: Hints): Json => {
  return isLarge(first) && others.some((it) => isObject(it) && it['type'] === 'null')
    ? null
    : sampleOf(first, name, hints)
}

const sampleOf = (schema: Json, name: string, hints: Hints): Json => {
  if (!isObject(schema)) return {}
  const { examples, anyOf, allOf, enum: values } = schema
  if (Array.isArray(examples)) return examples[0] as Json
  if ('const' in schema) return schema['const'] as Json
  const hinted = hints[name] ?? usual[name]
  if (hinted !== undefined && fits(schema, hinted)) return hinted as Json
  if ('default' in schema) return schema['default'] as Json
  if (Array.isArray(values)) return values[0] as Json
  if (Array.isArray(anyOf)) return choiceOf(anyOf as readonly Json[], name, hints)
  if (Array.isArray(allOf)) {
    return Object.assign({}, ...allOf.map((part) => sampleOf(part as Json, name, hints))) as Json
  }
  return byType(schema, name, hints)
}

/**
 * A value that fits a schema: its own example or default where it has one, what the call says where a member has the
 * same name, else the least that the schema allows.
 */
export const exampleOf = (schema: Json, hints: Hints = {}): Json => sampleOf(schema, '', hints)

/** Members of an input that have a default, at it: what a call without them computes. */
export const defaultsOf = (schema: Json): JsonObject => {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {}
  const preset = Object.entries(properties).flatMap(([name, part]): [string, Json][] =>
    isObject(part) && part['default'] !== undefined ? [[name, part['default']]] : [],
  )
  return Object.fromEntries(preset)
}
