import { type Axis, valueAt } from '#numerics/plot/axes.ts'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { mapAxes, seenOf } from '#numerics/plot/draw-map.ts'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import { type Axes, placeX, placeY } from '#numerics/plot/layout.ts'
import type { Box } from '#numerics/plot/marks.ts'
import type { CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'

/** How far from a point the pointer may be, in pixels. */
const REACH_PX = 28

/** What lies under a pointer, and where exactly. */
export interface PlotReading {
  readonly words: string
  readonly x: number
  readonly y: number
}

const said = (name: string, value: number, unit: string): string => `${name} ${withUnit(figure(value), unit)}`

const onMap = (whole: MapPlot, box: Box, x: number, y: number): PlotReading | undefined => {
  const plot = seenOf(whole)
  const column = Math.floor(((x - box.x) / box.width) * plot.columns)
  const row = plot.rows - 1 - Math.floor(((y - box.y) / box.height) * plot.rows)
  if (column < 0 || column >= plot.columns || row < 0 || row >= plot.rows) return undefined
  const axes = mapAxes(plot)
  const middle = (axis: Axis, at: number, nodes: number): number => valueAt(axis, (at + 0.5) / nodes)
  const value = plot.values[row * plot.columns + column] as number
  const place = [
    said(plot.x.name, middle(axes.x, column, plot.columns), plot.x.unit),
    said(plot.y.name, middle(axes.y, row, plot.rows), plot.y.unit),
  ].join(', ')
  return { words: `${place}: ${withUnit(figure(value), plot.unit)}`, x, y }
}

/** Pixels by which a point on the frame may miss it. */
const SLACK_PX = 1e-6

const isInside = (box: Box, { x, y }: { readonly x: number; readonly y: number }): boolean =>
  x >= box.x - SLACK_PX &&
  x <= box.x + box.width + SLACK_PX &&
  y >= box.y - SLACK_PX &&
  y <= box.y + box.height + SLACK_PX

interface PlotFrame {
  readonly box: Box
  readonly axes: Axes
}

const nearCurves = (plot: CurvesPlot, { box, axes }: PlotFrame, x: number, y: number): PlotReading | undefined => {
  let least = REACH_PX * REACH_PX
  let found: PlotReading | undefined
  for (const curve of plot.curves) {
    for (let i = 0; i < curve.x.length; i++) {
      const [across, up] = [curve.x[i] as number, curve.y[i] as number]
      const at = { x: placeX(axes.x, box, across), y: placeY(axes.y, box, up) }
      const distance = (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y)
      if (!(distance < least) || !isInside(box, at)) continue
      least = distance
      const shade = curve.style === 'segments' ? undefined : curve.shade
      const parts = [said(plot.x.name, across, plot.x.unit), said(plot.y.name, up, plot.y.unit)]
      if (shade !== undefined) parts.push(said(shade.name, shade.values[i] as number, shade.unit))
      found = { words: `${curve.name}: ${parts.join(', ')}`, ...at }
    }
  }
  return found
}

/**
 * The number under a pointer, in pixels of the drawing; undefined where there is none.
 *
 * @param axes those of the drawing, where only some of its curves are asked about.
 */
export const readOff = (plot: Plot, box: Box, x: number, y: number, axes?: Axes): PlotReading | undefined => {
  if (plot.kind === 'map') return onMap(plot, box, x, y)
  return plot.kind === 'curves' ? nearCurves(plot, { box, axes: axes ?? axesOf(plot) }, x, y) : undefined
}
