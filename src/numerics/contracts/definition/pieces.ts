import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { pointer } from '#core/input.ts'
import { didYouMean, shortened, slipsOf } from '#core/near-names.ts'
import { misfit } from '#core/schema.ts'
import type { Sheet } from './faults.ts'

/** A part of a JSON document that is read by the schema of its piece. */
export type JsonPart = Readonly<Record<string, unknown>>

/** Unknown names of one object for which a known one is looked for. */
const MEANT_MAX = 16

/** Whether a value is an object with members. */
export const isPart = (value: unknown): value is JsonPart =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly maxProperties?: number
  readonly minProperties?: number
}

/** The member of a definition at a name; own ones alone. */
export const own = (of: unknown, name: string): unknown =>
  isPart(of) && Object.hasOwn(of, name) ? of[name] : undefined

/** What a leaf says of a value that does not fit it, with the place inside. */
const leaf = (sheet: Sheet, schema: TSchema, { value, path }: { value: unknown; path: string }): boolean => {
  const wrong = misfit(schema, value)
  if (wrong === undefined) return true
  const at = wrong.indexOf(': ')
  sheet.add(`${path}${at > 1 ? wrong.slice(0, at) : ''}`, wrong.slice(at + 2))
  return false
}

const record = (sheet: Sheet, shape: Shape, { value, path }: { value: JsonPart; path: string }): boolean => {
  const { maxProperties = Number.POSITIVE_INFINITY, minProperties = 0, patternProperties = {} } = shape
  const [[form, schema] = ['', {}]] = Object.entries(patternProperties)
  const pattern = new RegExp(form, 'u')
  const names = Object.keys(value)
  const few = names.length <= maxProperties && names.length >= minProperties
  if (!few) sheet.add(path, `has ${names.length} members; it has ${minProperties} to ${maxProperties}`)
  const fit = names.map((name) => {
    const at = pointer(path, shortened(name))
    if (pattern.test(name)) return fits(sheet, schema, { value: value[name], path: at })
    sheet.add(at, `a name here has the form ${form}`)
    return false
  })
  return few && fit.every(Boolean)
}

const members = (sheet: Sheet, shape: Shape, { value, path }: { value: JsonPart; path: string }): boolean => {
  const { properties = {}, required = [] } = shape
  const known = Object.keys(properties)
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name))
  for (const [i, name] of unknown.entries()) {
    const near = i < MEANT_MAX ? didYouMean(slipsOf(name, known)) : ''
    sheet.add(pointer(path, shortened(name)), `is not known here${near === '' ? '' : `.${near}`}`)
  }
  const fit = Object.entries(properties).map(([name, schema]) => {
    if (Object.hasOwn(value, name)) return fits(sheet, schema, { value: value[name], path: `${path}/${name}` })
    if (!required.includes(name)) return true
    sheet.add(`${path}/${name}`, 'is required')
    return false
  })
  return unknown.length === 0 && fit.every(Boolean)
}

/** Whether a value fits a schema; whatever does not is written down, each at its place. */
const fits = (sheet: Sheet, schema: TSchema, at: { readonly value: unknown; readonly path: string }): boolean => {
  const shape: Shape = schema as Shape
  const { value, path } = at
  if (shape.properties === undefined && shape.patternProperties === undefined) return leaf(sheet, schema, at)
  if (!isPart(value)) {
    sheet.add(path, 'must be an object')
    return false
  }
  return shape.properties === undefined ? record(sheet, shape, { value, path }) : members(sheet, shape, { value, path })
}

/** A sheet that nobody reads. */
const silent: Sheet = { add: () => undefined, faults: [] }

/**
 * The members of a piece that fit its schema, with the defaults of those left out; what does not fit is written down
 * and left out too, so that all the rest is still looked at.
 */
export const piece = <T extends TSchema>(
  sheet: Sheet,
  schema: T,
  at: { readonly value: unknown; readonly path: string },
): Partial<Static<T>> => {
  fits(sheet, schema, at)
  const { properties = {} } = schema as Shape
  const good = Object.entries(properties).flatMap(([name, part]) => {
    const value = own(at.value, name)
    return value !== undefined && fits(silent, part, { value, path: '' }) ? [[name, value] as const] : []
  })
  return Value.Default(schema, structuredClone(Object.fromEntries(good))) as Partial<Static<T>>
}

/** A piece whose form a member of it names; undefined where it names none. */
export const variant = <const F extends Readonly<Record<string, TSchema>>>(
  sheet: Sheet,
  { forms, by }: { readonly forms: F; readonly by: 'type' | 'kind' },
  at: { readonly value: unknown; readonly path: string },
): { [K in keyof F]: Partial<Static<F[K]>> & { readonly [B in 'type' | 'kind']?: K } }[keyof F] | undefined => {
  const name = own(at.value, by)
  const form = typeof name === 'string' && Object.hasOwn(forms, name) ? forms[name] : undefined
  if (form !== undefined) return piece(sheet, form, at) as never
  const all = Object.keys(forms)
  const near = typeof name === 'string' ? didYouMean(slipsOf(name, all)) : ''
  if (!isPart(at.value)) sheet.add(at.path, 'must be an object')
  else sheet.add(`${at.path}/${by}`, `must be one of ${all.join(', ')}${near === '' ? '' : `.${near}`}`)
  return undefined
}

/** The named parts of a record, those of a wrong form left out, which its frame complains of. */
export const entriesOf = (
  of: unknown,
  { form, most, path }: { readonly form: string; readonly most: number; readonly path: string },
): readonly { readonly name: string; readonly value: unknown; readonly path: string }[] => {
  const pattern = new RegExp(form, 'u')
  return Object.entries(isPart(of) ? of : {})
    .filter(([name]) => pattern.test(name))
    .slice(0, most)
    .map(([name, value]) => ({ name, value, path: pointer(path, name) }))
}

/** The items of a list, as many as there may be. */
export const itemsOf = (
  of: unknown,
  { most, path }: { readonly most: number; readonly path: string },
): readonly { readonly value: unknown; readonly path: string }[] =>
  (Array.isArray(of) ? of : []).slice(0, most).map((value: unknown, i) => ({ value, path: `${path}/${i}` }))
