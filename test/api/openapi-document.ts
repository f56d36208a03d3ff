import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { openapi } from '#gateway/openapi.ts'

/** A part of a description, or a reference to one. */
export type Part = Readonly<Record<string, unknown>>

export interface Media {
  readonly schema: Part
  readonly example?: unknown
}
export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Part>>
  readonly content?: Readonly<Record<string, Media>>
}
export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Part
  readonly example?: unknown
}
export interface Operation extends Part {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly (Parameter | Part)[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Response | Part>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}
export interface Document {
  readonly openapi: string
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<
    Record<'schemas' | 'parameters' | 'headers' | 'responses', Readonly<Record<string, Part>>>
  > & {
    readonly securitySchemes: Part
  }
}

/** The description as it is served. */
export const served = JSON.stringify(openapi(endpoints as unknown as readonly Endpoint[]))
export const document = JSON.parse(served) as Document

export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, it]) => ({ path, method, it })),
)

/** Every value of the document, with its place as a JSON pointer. */
export const placesOf = (value: unknown, at = ''): readonly (readonly [string, Part])[] => {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([name, it]) =>
    placesOf(it, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [[at, value as Part] as const, ...inner]
}
const places = new Map(placesOf(document))

/** What a reference names, or the part itself. */
export const resolved = <T>(part: T | Part): T => {
  const { $ref } = part as { readonly $ref?: string }
  return ($ref === undefined ? part : places.get($ref.slice(1))) as T
}

const ajv = new Ajv2020({ strict: false, formats: {} })
ajv.addSchema(document, 'openapi')

/** Whether the text is a valid schema. */
export const isSchema = (schema: Part): boolean => ajv.validateSchema(schema) === true

/** The judge of the schema at a place of the document. */
export const judgeAt = (pointer: string): ValidateFunction => {
  const found = ajv.getSchema(`openapi#${encodeURI(pointer)}`)
  if (found === undefined) throw new Error(`there is no schema at ${pointer}`)
  return found as ValidateFunction
}
/** What it found. */
export const errorsOf = ({ errors }: ValidateFunction): string => ajv.errorsText(errors)
