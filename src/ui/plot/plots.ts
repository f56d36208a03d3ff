import { shapeOf } from '#core/arrays.ts'
import type { Schema } from '#ui/form/schema.ts'

/** An array of an answer, in the form in which it can be drawn. */
export interface Series {
  readonly name: string
  readonly about: string
  readonly unit: string
  readonly values: readonly number[]
  readonly shape: readonly number[]
}

/** How a series is drawn: a map, a curve, or the paths of bodies in a plane. */
export interface Plot {
  readonly kind: 'field' | 'line' | 'paths'
  readonly series: Series
}

/** Every typed array of an answer, with its shape from the schema and the members that the schema names. */
export const seriesOf = (
  schema: Schema,
  answer: Readonly<Record<string, unknown>>,
  inputs: object,
): readonly Series[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, part]): Series[] => {
    const values = answer[name]
    const symbolic = part['x-shape']
    if (symbolic === undefined || !Array.isArray(values) || values.length === 0) return []
    const sizes = { ...answer, ...inputs }
    const shape = shapeOf(symbolic, sizes, values.length)
    return [{ name, about: part.description ?? '', unit: part['x-unit'] ?? '', values: values as number[], shape }]
  })

/** Coordinates of a point in space. */
const AXES = 3

/** The plots of an answer: two long axes are a map, three coordinates a path, anything else a curve. */
export const plotsOf = (all: readonly Series[]): readonly Plot[] =>
  all.flatMap((series): Plot[] => {
    const long = series.shape.filter((length) => length > 1)
    if (series.shape.length === 3 && series.shape[2] === AXES) return [{ kind: 'paths', series }]
    if (long.length === 2) return [{ kind: 'field', series }]
    return long.length === 1 ? [{ kind: 'line', series }] : []
  })
