import { type Axis, shareOf } from '#numerics/plot/axes.ts'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { figure, rangeOf, withUnit } from '#numerics/plot/figures.ts'
import type { Curve, CurvesPlot } from '#numerics/plot/plot.ts'
import { type Canvas, type Cell, canvasOf, DOTS_ACROSS, DOTS_DOWN, type Place } from './canvas.ts'
import { curveInk, RESET } from './colour.ts'
import { framed, gutterWidth } from './frame.ts'
import type { Screen } from './screen.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Names in a legend; more curves than these are many of one kind. */
const NAMES_MAX = 12

interface Axes {
  readonly x: Axis
  readonly y: Axis
}

/** An axis opened on both sides by a factor. */
const opened = (axis: Axis, factor: number): Axis => {
  const half = ((axis.high - axis.low) * (factor - 1)) / 2
  return { ...axis, low: axis.low - half, high: axis.high + half }
}

/** Axes on which one unit has as many dots across as up: the dots of braille are square. */
const equalised = ({ x, y }: Axes, columns: number, rows: number): Axes => {
  const [across, up] = [(x.high - x.low) / (columns * DOTS_ACROSS), (y.high - y.low) / (rows * DOTS_DOWN)]
  return across > up ? { x, y: opened(y, across / up) } : { x: opened(x, up / across), y }
}

/** Where a point lies on a canvas; undefined for what has no place on its axes. */
const placeOn = (canvas: Canvas, { x, y }: Axes, across: number, up: number): Place | undefined => {
  const [right, top] = [shareOf(x, across), shareOf(y, up)]
  if (!(Number.isFinite(right) && Number.isFinite(top))) return undefined
  return { x: right * (canvas.columns * DOTS_ACROSS - 1), y: (1 - top) * (canvas.rows * DOTS_DOWN - 1) }
}

/** Draws one curve in its style. @returns the places of its points */
export const drawCurve = (canvas: Canvas, curve: Curve, axes: Axes, thing: number): readonly Place[] => {
  const { style = 'line' } = curve
  const places: Place[] = []
  let before: Place | undefined
  for (let i = 0; i < curve.x.length; i++) {
    const at = placeOn(canvas, axes, curve.x[i] as number, curve.y[i] as number)
    const joins = style === 'segments' ? i % 2 === 1 : style === 'line' || style === 'dashes'
    if (at !== undefined) {
      places.push(at)
      canvas.dot(at.x, at.y, thing)
      if (joins && before !== undefined) canvas.line(before, at, { thing, dashed: style === 'dashes' })
      const base = style === 'stems' ? placeOn(canvas, axes, curve.x[i] as number, Math.max(0, axes.y.low)) : undefined
      if (base !== undefined) canvas.line(base, at, { thing, dashed: false })
    }
    before = at
  }
  return places
}

/** The letter of a curve stands on it, those of several curves apart. */
const nameOn = (canvas: Canvas, places: readonly Place[], n: number, of: number): void => {
  const at = places[Math.floor(((n + 1) / (of + 1)) * places.length)]
  if (at === undefined) return
  canvas.letter(Math.floor(at.x / DOTS_ACROSS), Math.floor(at.y / DOTS_DOWN), LETTERS[n] ?? '')
}

/** A row of characters in the inks of what is drawn in them. */
export const inkedRow = (cells: readonly Cell[], { depth }: Screen): string => {
  let line = ''
  let now: string = ''
  for (const { text, thing } of cells) {
    const ink = thing === undefined ? now : curveInk(thing, depth)
    line += ink === now ? text : `${ink}${text}`
    now = ink
  }
  return now === '' ? line : `${line}${RESET}`
}

/** Names of curves in lines that fit. */
const legendOf = (curves: readonly Curve[], { columns, depth }: Screen): readonly string[] => {
  if (curves.length < 2 || curves.length > NAMES_MAX) return []
  const lines: string[] = []
  let [line, length] = ['', 0]
  for (const [n, { name }] of curves.entries()) {
    const text = `${LETTERS[n]} ${name}`
    if (length > 0 && length + text.length + 3 > columns) {
      lines.push(line)
      ;[line, length] = ['', 0]
    }
    const ink = curveInk(n, depth)
    line += `${length > 0 ? '   ' : ''}${ink}${text}${ink === '' ? '' : RESET}`
    length += text.length + (length > 0 ? 3 : 0)
  }
  return [...lines, line]
}

/** What a shade says: a terminal draws all of its points alike, and tells the range. */
const shadeOf = (curves: readonly Curve[]): readonly string[] =>
  curves.slice(0, 1).flatMap(({ shade }) => {
    if (shade === undefined) return []
    const [low, high] = rangeOf(shade.values)
    return [`${shade.name}: ${figure(low)} to ${withUnit(figure(high), shade.unit)}`]
  })

/** Curves over two axes, in lines of text. */
export const curvesText = (plot: CurvesPlot, screen: Screen): readonly string[] => {
  const { rows, plain } = screen
  const wide = axesOf(plot)
  const columns = Math.max(1, screen.columns - gutterWidth(wide.y, rows))
  const linear = wide.x.scale !== 'log' && wide.y.scale !== 'log'
  const axes = plot.equal === true && linear ? equalised(wide, columns, rows) : wide
  const canvas = canvasOf(columns, rows, plain)
  const all = plot.curves.map((curve, n) => drawCurve(canvas, curve, axes, n))
  if (all.length > 1 && all.length <= NAMES_MAX) {
    for (const [n, places] of all.entries()) nameOn(canvas, places, n, all.length)
  }
  return framed({
    ...{ title: plot.title, x: axes.x, y: axes.y, columns, plain },
    rows: canvas.cells().map((cells) => inkedRow(cells, screen)),
    legend: [...legendOf(plot.curves, screen), ...shadeOf(plot.curves)],
  })
}
