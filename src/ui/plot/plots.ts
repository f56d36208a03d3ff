import { shapeOf } from '#core/arrays.ts'
import { type Schema, withoutNull } from '#ui/form/schema.ts'

/** An array of an answer, with what its schema says of it. */
export interface Series {
  readonly name: string
  readonly about: string
  readonly unit: string
  readonly values: readonly number[]
  readonly shape: readonly number[]
  /** What each dimension runs over, where the schema says. */
  readonly axes: readonly string[]
}

/** Where along an axis the values of a series lie. */
export interface Along {
  readonly name: string
  readonly unit: string
  /** Places of the values: evenly from 0, or one by one. */
  readonly places: { readonly spacing: number } | { readonly at: readonly number[] }
}

/** Counts by name, as bars. */
export interface Bars {
  readonly kind: 'bars'
  /** What is counted. */
  readonly name: string
  readonly unit: string
  /** What the labels are. */
  readonly about: string
  readonly labels: readonly string[]
  readonly values: readonly number[]
}

/** How a series is drawn: a map, a curve, or the paths of bodies in a plane. */
export type SeriesPlot =
  | { readonly kind: 'field'; readonly series: Series; readonly x: Along; readonly y: Along }
  | { readonly kind: 'line'; readonly series: Series; readonly x: Along }
  | {
      readonly kind: 'paths'
      readonly series: Series
      readonly bodies: number
      /** The times of the samples, where they are known. */
      readonly times?: Along
    }

export type Plot = SeriesPlot | Bars

/** Coordinates of a point in space. */
const AXES = 3

type Members = Readonly<Record<string, unknown>>

/** The dimensions of an array, or one long one where the schema's names say nothing here. */
const safeShape = (symbolic: readonly (number | string)[], sizes: Members, length: number): readonly number[] => {
  try {
    return shapeOf(symbolic, sizes, length)
  } catch {
    return [length]
  }
}

const seriesOf = (schema: Schema, answer: Members): readonly Series[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, member]): Series[] => {
    const part = withoutNull(member)
    const values = answer[name]
    const symbolic = part['x-shape']
    if (symbolic === undefined || !Array.isArray(values) || values.length === 0) return []
    const shape = safeShape(symbolic, answer, values.length)
    const { description: about = '', 'x-unit': unit = '', 'x-axes': axes = [] } = part
    return [{ name, about, unit, values: values as number[], shape, axes }]
  })

const index: Along = { name: 'node', unit: '', places: { spacing: 1 } }

/** The axis whose spacing stands in the answer under this name, else the count of nodes. */
const spaced = (schema: Schema, answer: Members, axis: 'x' | 'y'): Along => {
  const spacing = answer[`d${axis}`]
  if (typeof spacing !== 'number' || !(spacing > 0)) return index
  const unit = withoutNull(schema.properties?.[`d${axis}`] ?? {})['x-unit'] ?? ''
  return { name: axis, unit, places: { spacing } }
}

interface Found {
  readonly schema: Schema
  readonly answer: Members
  readonly all: readonly Series[]
}

/** The axis that a schema names: a member with a place for each value, one of even spacing, else a count. */
const named = ({ schema, answer, all }: Found, name: string, length: number): Along => {
  const places = all.find((it) => it.name === name && it.values.length === length)
  if (places !== undefined) return { name, unit: places.unit, places: { at: places.values } }
  return name === 'x' || name === 'y' ? spaced(schema, answer, name) : { ...index, name }
}

const isTimes = ({ name, unit }: Series): boolean => name === 'times' && unit === 's'

/** The axis of a curve: the times, where there is one for each value, else the nodes. */
const alongOf = (schema: Schema, answer: Members, times: Series | undefined, length: number): Along =>
  times !== undefined && times.values.length === length
    ? { name: 't', unit: times.unit, places: { at: times.values } }
    : spaced(schema, answer, 'x')

/** Rows of three coordinates, body by body and sample by sample: paths, when there is more than one sample. */
const pathsOf = (series: Series, answer: Members, given: Series | undefined): readonly SeriesPlot[] => {
  const rows = series.values.length / AXES
  const bodies = typeof answer['n'] === 'number' ? answer['n'] : 1
  if (rows <= bodies || !Number.isInteger(rows / bodies)) return []
  const known = given !== undefined && given.values.length === rows / bodies
  const times = known ? { times: { name: 't', unit: given.unit, places: { at: given.values } } } : {}
  return [{ kind: 'paths', series, bodies, ...times }]
}

/**
 * The plots of an answer: two long axes are a map, rows of three coordinates paths, one axis a curve. Where the schema
 * names the axes, the values are curves over the last one, one for each of the others; a member that is an axis is no
 * plot of its own.
 */
export const plotsOf = (schema: Schema, answer: Members): readonly SeriesPlot[] => {
  const all = seriesOf(schema, answer)
  const times = all.find(isTimes)
  const used = new Set(all.flatMap(({ axes }) => axes))
  return all.flatMap((series): readonly SeriesPlot[] => {
    if (isTimes(series) || used.has(series.name)) return []
    const last = series.axes.at(-1)
    if (last !== undefined) {
      const length = series.shape.at(-1) ?? 0
      return length > 1 ? [{ kind: 'line', series, x: named({ schema, answer, all }, last, length) }] : []
    }
    if (series.shape.length === 2 && series.shape[1] === AXES) return pathsOf(series, answer, times)
    const long = series.shape.filter((length) => length > 1)
    if (long.length === 1) {
      return [{ kind: 'line', series, x: alongOf(schema, answer, times, series.values.length) }]
    }
    if (series.shape.length !== 2 || long.length !== 2) return []
    return [{ kind: 'field', series, x: spaced(schema, answer, 'x'), y: spaced(schema, answer, 'y') }]
  })
}
