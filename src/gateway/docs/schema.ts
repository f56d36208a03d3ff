import type { Json } from '#core/canonical.ts'
import { isObject, type JsonObject } from '#gateway/openapi/json.ts'
import type { Description } from './description.ts'
import { html, type Markup, type Part, withCode } from './html.ts'

/** How deep members of members are shown: what lies deeper stands in the machine-readable description. */
const DEPTH_MAX = 3

type Resolve = Description['resolve']

const bounds = ({ minimum, maximum, minLength, maxLength, maxItems }: JsonObject): string | undefined => {
  const range = (least: Json | undefined, most: Json | undefined, unit: string): string | undefined => {
    if (least === undefined && most === undefined) return undefined
    if (least === undefined) return `at most ${most}${unit}`
    return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`
  }
  return (
    range(minimum, maximum, '') ?? range(minLength, maxLength, ' characters') ?? range(undefined, maxItems, ' entries')
  )
}

/** The type of a value in words. */
const typeOf = (part: Json, resolve: Resolve): string => {
  const { schema } = resolve(part)
  const { type, anyOf, enum: values, items } = schema
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(values)) return values.map((it) => JSON.stringify(it)).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((it) => typeOf(it as Json, resolve)))].join(' | ')
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items, resolve)}`
  return typeof type === 'string' ? type : 'any'
}

/** The object that a part is or holds: of a list its entries', of choices the first that is one. */
const membersOf = (part: Json, resolve: Resolve): JsonObject | undefined => {
  const { schema } = resolve(part)
  const { properties, items, anyOf } = schema
  if (isObject(properties) && Object.keys(properties).length > 0) return schema
  if (items !== undefined) return membersOf(items, resolve)
  if (!Array.isArray(anyOf)) return undefined
  return anyOf.map((it) => membersOf(it as Json, resolve)).find((it) => it !== undefined)
}

interface Member {
  readonly name: string
  readonly part: Json
  readonly required: boolean
}

const memberOf = ({ name, part, required }: Member, resolve: Resolve, depth: number): Markup => {
  const { schema } = resolve(part)
  const inside = depth < DEPTH_MAX ? membersOf(part, resolve) : undefined
  const { description, default: preset } = schema
  const said: readonly Part[] = [
    required && html`<b class="required">required</b>`,
    preset !== undefined && html`<span>default <code>${JSON.stringify(preset)}</code></span>`,
    bounds(schema) !== undefined && html`<span>${bounds(schema)}</span>`,
  ]
  return html`<li><code class="name">${name}</code> <span class="type">${typeOf(part, resolve)}</span> ${said.map(
    (it) => (it === false ? undefined : html`<span class="said">${it}</span> `),
  )}${typeof description === 'string' && html`<p>${withCode(description)}</p>`}${
    inside !== undefined &&
    html`<details><summary>Members of <code>${name}</code></summary>
${membersList(inside, resolve, depth + 1)}</details>`
  }</li>\n`
}

/** Members of an object: name, type, bounds, default, words. */
export const membersList = (schema: JsonObject, resolve: Resolve, depth = 1): Markup => {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const members = Object.entries(properties).map(([name, part]) => ({ name, part, required: required.includes(name) }))
  return html`<ul class="members">${members.map((it) => memberOf(it, resolve, depth))}</ul>`
}

/** Parameters as members of an object. */
export const parameterList = (members: readonly Member[], resolve: Resolve): Markup =>
  html`<ul class="members">${members.map((it) => memberOf(it, resolve, 1))}</ul>`
