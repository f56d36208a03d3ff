import type { Axis } from './axes.ts'
import { colourAt } from './colours.ts'
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
export const scaleOf = ({ name, unit, values, palette = 'sequential', clip }: MapPlot): Scale => {
  const [least, most] = rangeOf(values)
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
  const data = new Uint8ClampedArray(4 * rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column] as number
      if (!Number.isFinite(value)) continue
      const at = 4 * ((rows - 1 - row) * columns + column)
      data.set(colourAt((value - low) / span, palette), at)
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

/** A field as a map; sides of one unit have their physical ratio. */
export const mapScene = (plot: MapPlot, style: Style): Scene => {
  const axes = mapAxes(plot)
  const physical = (axes.y.high - axes.y.low) / (axes.x.high - axes.x.low)
  const toScale = plot.x.unit === plot.y.unit && physical < RATIO_MAX && physical > 1 / RATIO_MAX
  const box = ratioBox(toScale ? physical : 0.75, style, axes.y)
  const over = (plot.over ?? []).flatMap((curve) => curveMarks(curve, axes, box, OVER_INK))
  const halo = over.flatMap((it): readonly Mark[] => {
    if (it.kind === 'path' || it.kind === 'segments') return [{ ...it, ink: OVER_HALO, width: it.width + HALO_PX }]
    return it.kind === 'dots' ? [{ ...it, ink: OVER_HALO, radius: it.radius + HALO_PX / 2 }] : []
  })
  const inside: readonly Mark[] = [{ kind: 'map', box, image: fieldPixels(plot) }, ...halo, ...over]
  return sceneAround({ title: plot.title, axes, box, inside, beside: colourScale(scaleOf(plot), box, style) }, style)
}
