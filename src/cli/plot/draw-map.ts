import { colourAt } from '#numerics/plot/colours.ts'
import { mapAxes, scaleOf } from '#numerics/plot/draw-map.ts'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { MapPlot } from '#numerics/plot/plot.ts'
import { type Cell, canvasOf } from './canvas.ts'
import { paint, RESET } from './colour.ts'
import { drawCurve } from './draw-curves.ts'
import { framed, gutterWidth } from './frame.ts'
import type { Screen } from './screen.ts'

/** Shades from least to most, where there are no colours. */
const RAMP = ' .:-=+*#%@'
/** Characters of the colour scale. */
const SCALE_COLUMNS = 20
/** Ratio of sides beyond which a field is not drawn to scale. */
const RATIO_MAX = 8
/** Half a character is about as high as it is wide. */
const HALVES = 2

type Scale = ReturnType<typeof scaleOf>
type Colours = 'many' | 'any' | undefined

const shareIn = ({ low, high }: Scale, value: number): number =>
  Math.max(0, Math.min(1, (value - low) / (high - low || 1)))

/** The value of the node nearest to a place, in shares from the upper left. */
const valueAt = ({ values, rows, columns }: MapPlot, across: number, down: number): number => {
  const column = Math.min(columns - 1, Math.floor(across * columns))
  const row = Math.min(rows - 1, Math.floor((1 - down) * rows - 1e-9))
  return values[Math.max(0, row) * columns + column] as number
}

const shaded = (share: number): string => RAMP[Math.min(RAMP.length - 1, Math.floor(share * RAMP.length))] ?? ' '

const ground = (share: number, { palette }: Scale, colours: 'many' | 'any'): string =>
  paint(48, colourAt(share, palette), colours)

/** How large a field is drawn: to scale where both sides have one unit, as wide as there is room. */
const sizeOf = (plot: MapPlot, { columns, rows }: Pick<Screen, 'columns' | 'rows'>) => {
  const axes = mapAxes(plot)
  const physical = (axes.y.high - axes.y.low) / (axes.x.high - axes.x.low)
  const toScale = plot.x.unit === plot.y.unit && physical < RATIO_MAX && physical > 1 / RATIO_MAX
  if (!toScale) return { columns, rows }
  const high = Math.max(1, Math.round((columns * physical) / HALVES))
  return high <= rows ? { columns, rows: high } : { columns: Math.round((HALVES * rows) / physical), rows }
}

/** One character of a field: two values one above the other where there are colours, else one as a shade. */
const fieldCell = (pair: readonly [number, number], over: Cell | undefined, scale: Scale, colours: Colours): string => {
  const [upper, lower] = pair
  const drawn = over === undefined || over.text === ' ' ? undefined : over.text
  if (colours === undefined) return drawn ?? (Number.isFinite(lower) ? shaded(shareIn(scale, lower)) : ' ')
  if (!(Number.isFinite(upper) && Number.isFinite(lower))) return `${RESET}${drawn ?? ' '}`
  const [top, bottom] = [shareIn(scale, upper), shareIn(scale, lower)]
  // A line over a field is light where that is dark, and dark where it is light.
  if (drawn !== undefined)
    return `${ground(bottom, scale, colours)}${paint(38, bottom < 0.6 ? [255, 255, 255] : [0, 0, 0], colours)}${drawn}`
  return `${ground(bottom, scale, colours)}${paint(38, colourAt(top, scale.palette), colours)}▀`
}

/** What the colours or shades say, in lines that fit. */
const legendOf = (scale: Scale, colours: Colours, columns: number): readonly string[] => {
  const { clipped, low, high, name, unit } = scale
  const least = `${clipped?.low === true ? '≤ ' : ''}${figure(low)}`
  const most = `${clipped?.high === true ? '≥ ' : ''}${withUnit(figure(high), unit)}`
  const count = Math.max(1, Math.min(SCALE_COLUMNS, columns - least.length - most.length - 2))
  const shares = Array.from({ length: count }, (_, i) => (i + 0.5) / count)
  const bar =
    colours === undefined
      ? `[${RAMP}]`
      : `${shares.map((share) => `${ground(share, scale, colours)} `).join('')}${RESET}`
  return [name, `${least} ${bar} ${most}`]
}

/** A field over a rectangle, in lines of text. */
export const mapText = (plot: MapPlot, screen: Screen): readonly string[] => {
  const { plain, depth } = screen
  const axes = mapAxes(plot)
  const scale = scaleOf(plot)
  const room = Math.max(1, screen.columns - gutterWidth(axes.y, screen.rows))
  const { columns, rows } = sizeOf(plot, { columns: room, rows: screen.rows })
  const colours: Colours = plain || depth === 'none' || depth === 'theme' ? undefined : depth
  const canvas = canvasOf(columns, rows, plain)
  for (const curve of plot.over ?? []) drawCurve(canvas, curve, axes, 0)
  const over = canvas.cells()
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (__, column) => {
      const across = (column + 0.5) / columns
      const [upper, lower] = colours === undefined ? [0.5, 0.5] : [0.25, 0.75]
      const pair = [valueAt(plot, across, (row + upper) / rows), valueAt(plot, across, (row + lower) / rows)] as const
      return fieldCell(pair, over[row]?.[column], scale, colours)
    })
    return `${cells.join('')}${colours === undefined ? '' : RESET}`
  })
  return framed({
    ...{ title: plot.title, x: axes.x, y: axes.y, rows: lines, columns, plain },
    legend: legendOf(scale, colours, screen.columns),
  })
}
