import type { Axis } from './axes.ts'
import { clipped } from './clip.ts'
import { paintColour } from './colours.ts'
import { curveMarks } from './draw-curves.ts'
import { rangeOf } from './figures.ts'
import { type Axes, colourScale, ratioBox, type Scale, sceneAround } from './layout.ts'
import type { Mark, Pixels, Scene, Style } from './marks.ts'
import type { MapPlot } from './plot.ts'

/** Lines over a field are seen on every colour: dark within light. */
const OVER_INK = '#101414'
const OVER_HALO = '#ffffff'
const HALO_PX = 2

/** Ratio of sides beyond which a field is not drawn to scale. */
const RATIO_MAX = 20

/** From least to greatest; a diverging field as far below zero as above it; neither beyond where it is clipped. */
export const scaleOf = ({ name, unit, values, palette = 'sequential', clip, range }: MapPlot): Scale => {
  const [least, most] = range ?? rangeOf(values)
  const size = Math.max(Math.abs(least), Math.abs(most))
  const [low, high] = palette === 'sequential' ? [least, most] : [-size, size]
  if (clip === undefined || clip >= size) return { name, unit, low, high, palette }
  const [from, to] = [Math.max(low, -clip), Math.min(high, clip)]
  return { name, unit, low: from, high: to, palette, clipped: { low: from > low, high: to < high } }
}

/** The pixels of a field: its first row is the lower edge; a node without a value lets the paper through. */
export const fieldPixels = (plot: MapPlot): Pixels => {
  const { values, rows, columns } = plot
  const { low, high, palette } = scaleOf(plot)
  const span = high - low || 1
  // Of a signed field that is zero everywhere all is the middle colour.
  const flat = high === low && palette === 'diverging' ? 0.5 : undefined
  const data = new Uint8ClampedArray(4 * rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column] as number
      if (!Number.isFinite(value)) continue
      const at = 4 * ((rows - 1 - row) * columns + column)
      paintColour(data, at, flat ?? (value - low) / span, palette)
      data[at + 3] = 255
    }
  }
  return { columns, rows, data }
}

/** The axes reach half a cell beyond the outermost nodes: each node is drawn as a cell around its place. */
export const mapAxes = ({ x, y, rows, columns }: MapPlot): Axes => {
  const around = ({ name, unit, low, high }: MapPlot['x'], nodes: number): Axis => {
    const half = (high - low) / (nodes - 1) / 2
    return { name, unit, low: low - half, high: high + half }
  }
  return { x: around(x, columns), y: around(y, rows) }
}

/** Which of so many cells along an axis lie within a part, at least two of them: from inclusive, to exclusive. */
const cellsOf = (
  { low, high }: Axis,
  cells: number,
  [from, to]: readonly [number, number],
): readonly [number, number] => {
  const place = (value: number): number => ((value - low) / (high - low)) * cells
  const first = Math.min(Math.max(0, Math.floor(place(from) + 1e-6)), cells - 2)
  return [first, Math.min(cells, Math.max(first + 2, Math.ceil(place(to) - 1e-6)))]
}

/** What is looked at of a field, as a field of its own in the colours of the whole. */
export const seenOf = (plot: MapPlot): MapPlot => {
  const { seen, x, y, columns, rows, values } = plot
  if (seen === undefined) return plot
  const axes = mapAxes(plot)
  const [left, right] = cellsOf(axes.x, columns, seen.x)
  const [bottom, top] = cellsOf(axes.y, rows, seen.y)
  const part = { columns: right - left, rows: top - bottom }
  const at = ({ low, high }: MapPlot['x'], i: number, nodes: number): number => low + ((high - low) * i) / (nodes - 1)
  const { seen: _, ...whole } = plot
  return {
    ...whole,
    ...part,
    values: Float64Array.from({ length: part.columns * part.rows }, (_, i) => {
      const column = i % part.columns
      return values[(bottom + (i - column) / part.columns) * columns + left + column] as number
    }),
    x: { ...x, low: at(x, left, columns), high: at(x, right - 1, columns) },
    y: { ...y, low: at(y, bottom, rows), high: at(y, top - 1, rows) },
    range: plot.range ?? rangeOf(values),
  }
}

/** A field as a map; sides of one unit have their physical ratio. */
export const mapScene = (whole: MapPlot, style: Style): Scene => {
  const plot = seenOf(whole)
  const axes = mapAxes(plot)
  const physical = (axes.y.high - axes.y.low) / (axes.x.high - axes.x.low)
  const toScale = plot.x.unit === plot.y.unit && physical < RATIO_MAX && physical > 1 / RATIO_MAX
  const box = ratioBox(toScale ? physical : 0.75, style, axes.y)
  const lines = (plot.over ?? []).flatMap((curve) => curveMarks(curve, axes, box, OVER_INK))
  const over = whole.seen === undefined ? lines : clipped(lines, box)
  const halo = over.flatMap((it): readonly Mark[] => {
    if (it.kind === 'path' || it.kind === 'segments') return [{ ...it, ink: OVER_HALO, width: it.width + HALO_PX }]
    return it.kind === 'dots' ? [{ ...it, ink: OVER_HALO, radius: it.radius + HALO_PX / 2 }] : []
  })
  const inside: readonly Mark[] = [
    { kind: 'map', box, image: fieldPixels(plot), ...(plot.smooth === true && { smooth: true }) },
    ...halo,
    ...over,
  ]
  return sceneAround({ title: plot.title, axes, box, inside, beside: colourScale(scaleOf(plot), box, style) }, style)
}
