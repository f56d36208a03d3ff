import { axesOf } from '#numerics/plot/draw-curves.ts'
import { seenOf } from '#numerics/plot/draw-map.ts'
import { placeX, placeY } from '#numerics/plot/layout.ts'
import type { Box } from '#numerics/plot/marks.ts'
import type { CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'
import { type PlotReading, readOff } from './read-off.ts'

/** Which number of a plot is read: a point of a curve, or a column and a row of a map, as shares of all there are. */
export interface PlotPosition {
  /** In [0, 1]: along the curve, or the columns. */
  readonly along: number
  /** The curve's number, or the row as a share. */
  readonly line: number
}

/** Steps of one key from end to end, and of the rows of a map. */
const STRIDES = 40

const clamped = (share: number): number => Math.min(1, Math.max(0, share))

/** How far a key moves along, and across. */
const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  Home: [-STRIDES, 0],
  End: [STRIDES, 0],
}

/** The place that a key leads to; undefined for a key that leads nowhere. */
export const placeAfter = (plot: Plot, key: string, from: PlotPosition | undefined): PlotPosition | undefined => {
  const { [key]: move } = moves
  if (move === undefined || plot.kind === 'bars') return undefined
  if (from === undefined) return { along: key === 'End' ? 1 : 0, line: plot.kind === 'map' ? 0.5 : 0 }
  const along = clamped(from.along + move[0] / STRIDES)
  if (plot.kind === 'map') return { along, line: clamped(from.line + move[1] / STRIDES) }
  return { along, line: (from.line - move[1] + plot.curves.length) % plot.curves.length }
}

const onMap = (whole: MapPlot, box: Box, { along, line }: PlotPosition): PlotReading | undefined => {
  const plot = seenOf(whole)
  const [column, row] = [Math.round(along * (plot.columns - 1)), Math.round(line * (plot.rows - 1))]
  const x = box.x + ((column + 0.5) / plot.columns) * box.width
  return readOff(plot, box, x, box.y + (1 - (row + 0.5) / plot.rows) * box.height)
}

const onCurve = (plot: CurvesPlot, box: Box, { along, line }: PlotPosition): PlotReading | undefined => {
  const curve = plot.curves[line]
  if (curve === undefined || curve.x.length === 0) return undefined
  const at = Math.round(along * (curve.x.length - 1))
  const axes = axesOf(plot)
  const [x, y] = [placeX(axes.x, box, curve.x[at] as number), placeY(axes.y, box, curve.y[at] as number)]
  // Of the one curve alone: another one may pass through the same place.
  return Number.isFinite(x + y) ? readOff({ ...plot, curves: [curve] }, box, x, y, axes) : undefined
}

/** The number at a place. */
export const readAt = (plot: Plot, box: Box, place: PlotPosition): PlotReading | undefined => {
  if (plot.kind === 'bars') return undefined
  return plot.kind === 'map' ? onMap(plot, box, place) : onCurve(plot, box, place)
}
