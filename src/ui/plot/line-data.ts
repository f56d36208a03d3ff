import type { CurvesPlot } from '#numerics/plot/plot.ts'

/** Points up to which curves with places of their own are put into one table. */
const POINTS_MAX = 200_000

const isAscending = (values: ArrayLike<number>): boolean => {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i]) || (i > 0 && !((values[i - 1] as number) < (values[i] as number)))) return false
  }
  return values.length > 0
}

/** Whether curves are series over their x: each goes from left to right, and none is coloured by a third number. */
export const isSeries = ({ curves, equal = false }: CurvesPlot): boolean =>
  !equal &&
  curves.length > 0 &&
  curves.reduce((sum, it) => sum + it.x.length, 0) <= POINTS_MAX &&
  curves.every(({ x, style, shade }) => style !== 'segments' && shade === undefined && isAscending(x))

/** A column of values: null is a gap, undefined no place of that curve. */
export type CurveValues = readonly (number | null | undefined)[]

/** The place of each curve that is read; the first is that of x. */
export type Cursor = readonly (number | null | undefined)[]

/** Columns over common places. */
export interface LineData {
  readonly x: readonly number[]
  readonly columns: readonly CurveValues[]
}

/** The curves of a plot over all of their places; what a logarithmic axis cannot show is a gap. */
export const lineDataOf = ({ x: across, y: up, curves }: CurvesPlot): LineData => {
  const shows = (value: number): boolean => Number.isFinite(value) && (up.scale !== 'log' || value > 0)
  const all = new Set<number>()
  for (const { x } of curves) {
    for (let i = 0; i < x.length; i++) if (across.scale !== 'log' || (x[i] as number) > 0) all.add(x[i] as number)
  }
  const x = [...all].sort((a, b) => a - b)
  const columns = curves.map((curve): CurveValues => {
    let next = 0
    const isGap = (i: number): boolean => i >= 0 && i < curve.x.length && !shows(curve.y[i] as number)
    return x.map((place) => {
      while (next < curve.x.length && (curve.x[next] as number) < place) next++
      // A gap reaches from value to value: where another curve has a place in it, no line begins.
      if (curve.x[next] !== place) return isGap(next - 1) || isGap(next) ? null : undefined
      return isGap(next) ? null : (curve.y[next] as number)
    })
  })
  return { x, columns }
}

/** Where a column has a place that is nearest to one: other curves may have theirs in between. */
const nearestIn = (column: CurveValues, at: number): number | undefined => {
  for (let off = 0; off < column.length; off++) {
    if (column[at - off] !== undefined) return at - off
    if (column[at + off] !== undefined) return at + off
  }
  return undefined
}

/** The cursor at one of the common places. */
export const cursorAt = ({ columns }: LineData, at: number): Cursor => [at, ...columns.map((it) => nearestIn(it, at))]
