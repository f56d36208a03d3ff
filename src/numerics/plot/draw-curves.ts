import type { Axis } from './axes.ts'
import { colourAt, hexOf } from './colours.ts'
import { rangeOf } from './figures.ts'
import { type Axes, colourScale, freeBox, legend, placeX, placeY, ratioBox, sceneAround } from './layout.ts'
import type { Box, Mark, Scene, Style } from './marks.ts'
import type { Curve, CurvesPlot, PlotAxis } from './plot.ts'

const LINE_PX = 2
const DOT_PX = 2.5
const STEM_DOT_PX = 3
/** Dots of a crowd are smaller. */
const CROWD = 2_000
const CROWD_DOT_PX = 1.2
/** Points of one line above which neighbours within a pixel are drawn as their extremes. */
const POINTS_MAX = 8_000
/** Colours of a shaded curve. */
const SHADES = 32
const MARGIN = 0.05

/** Beyond these the length of an axis is no number any more. */
const SIZE_MAX = 1e300
const SIZE_MIN = 1e-300

const shown = (axis: PlotAxis, value: number): boolean =>
  Math.abs(value) <= SIZE_MAX && (axis.scale !== 'log' || value >= SIZE_MIN)

const spanOf = (axis: PlotAxis, all: readonly ArrayLike<number>[]): readonly [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const values of all) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number
      if (!shown(axis, value)) continue
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return low > high ? [axis.scale === 'log' ? 1 : 0, axis.scale === 'log' ? 10 : 1] : [low, high]
}

/** Whether an axis counts: pure numbers, all of them whole. */
const isCount = ({ unit, scale }: PlotAxis, all: readonly ArrayLike<number>[]): boolean => {
  if ((unit !== '' && unit !== '1') || scale === 'log') return false
  return all.every((values) => {
    for (let i = 0; i < values.length; i++) if (!Number.isInteger(values[i])) return false
    return true
  })
}

const isFlat = (low: number, high: number): boolean => high - low <= 1e-12 * Math.max(Math.abs(low), Math.abs(high))

/** A span widened by a share of itself; one of no length is opened. */
const widened = (axis: PlotAxis, [low, high]: readonly [number, number], margin: number): Axis => {
  const { name, unit, scale = 'linear' } = axis
  if (scale === 'log')
    return { name, unit, scale, low: low === high ? low / 2 : low, high: low === high ? 2 * high : high }
  if (isFlat(low, high)) {
    const half = Math.abs(low) < SIZE_MIN ? 0.5 : Math.abs(low) / 2
    return { name, unit, scale, low: low - half, high: high + half }
  }
  const by = margin * (high - low)
  return { name, unit, scale, low: low - by, high: high + by }
}

const isLine = ({ style = 'line' }: Curve): boolean => style === 'line' || style === 'dashes'

/** The axes of curves: lines reach the frame from side to side, everything else keeps off it. */
export const axesOf = (plot: Pick<CurvesPlot, 'x' | 'y' | 'curves' | 'equal'>): Axes => {
  const { x, y, curves, equal = false } = plot
  const [xs, ys] = [curves.map((it) => it.x), curves.map((it) => it.y)]
  const [across, up] = [spanOf(x, xs), spanOf(y, ys)]
  const stems = curves.some(({ style }) => style === 'stems') && y.scale !== 'log'
  const based: readonly [number, number] = stems ? [Math.min(0, up[0]), Math.max(0, up[1])] : up
  const ax = {
    ...widened(x, across, equal || !curves.every(isLine) ? MARGIN : 0),
    ...(isCount(x, xs) && { whole: true }),
  }
  const ay = { ...widened(y, based, MARGIN), ...(isCount(y, ys) && { whole: true }) }
  if (!equal) return { x: ax, y: ay }
  // Of an equal pair the shorter axis has at least a little of the longer one.
  const least = MARGIN * Math.max(across[1] - across[0], up[1] - up[0])
  const opened = (axis: Axis, [low, high]: readonly [number, number]): Axis =>
    high - low >= least || least === 0 ? axis : { ...axis, low: low - least, high: high + least }
  const flat = least === 0 ? Math.max(ax.high - ax.low, ay.high - ay.low) / 2 : 0
  const same = (axis: Axis, [low]: readonly [number, number]): Axis =>
    least === 0 ? { ...axis, low: low - flat, high: low + flat } : axis
  return { x: same(opened(ax, across), across), y: same(opened(ay, up), up) }
}

/** Pixels of the points of a curve; what cannot be shown is NaN. */
const pixelsOf = ({ x, y }: Curve, axes: Axes, box: Box): Float64Array => {
  const points = new Float64Array(2 * x.length)
  for (let i = 0; i < x.length; i++) {
    const [across, up] = [x[i] as number, y[i] as number]
    const visible = shown(axes.x, across) && shown(axes.y, up)
    points[2 * i] = visible ? placeX(axes.x, box, across) : Number.NaN
    points[2 * i + 1] = visible ? placeY(axes.y, box, up) : Number.NaN
  }
  return points
}

/** Of the points within one pixel across, the first, the extremes and the last, in their order. */
const thinned = (points: Float64Array): Float64Array => {
  const count = points.length / 2
  if (count <= POINTS_MAX) return points
  const kept: number[] = []
  for (let from = 0; from < count; ) {
    const column = Math.floor(points[2 * from] as number)
    let [to, least, most] = [from, from, from]
    while (to < count && Math.floor(points[2 * to] as number) === column) {
      if ((points[2 * to + 1] as number) < (points[2 * least + 1] as number)) least = to
      if ((points[2 * to + 1] as number) > (points[2 * most + 1] as number)) most = to
      to++
    }
    const last = Math.max(from, to - 1)
    for (const at of [...new Set([from, Math.min(least, most), Math.max(least, most), last])]) {
      kept.push(points[2 * at] as number, points[2 * at + 1] as number)
    }
    from = Math.max(to, from + 1)
  }
  return Float64Array.from(kept)
}

/** A line as its unbroken parts. */
const unbroken = (points: Float64Array): readonly Float64Array[] => {
  const parts: Float64Array[] = []
  let from = 0
  for (let at = 0; at <= points.length; at += 2) {
    if (at < points.length && !Number.isNaN(points[at])) continue
    if (at > from) parts.push(points.subarray(from, at))
    from = at + 2
  }
  return parts
}

const visibleOf = (points: Float64Array, every: 2 | 4): Float64Array => {
  const kept: number[] = []
  for (let at = 0; at + every <= points.length; at += every) {
    const part = points.subarray(at, at + every)
    if (!part.some(Number.isNaN)) kept.push(...part)
  }
  return Float64Array.from(kept)
}

/** Things of one colour together: a mark for each shade that occurs. */
const shadedMarks = (curve: Curve, points: Float64Array, [low, high]: readonly [number, number]): readonly Mark[] => {
  const every = curve.style === 'segments' ? 4 : 2
  const buckets = new Map<number, number[]>()
  const values = curve.shade?.values ?? []
  for (let i = 0; i * every + every <= points.length; i++) {
    const part = points.subarray(i * every, (i + 1) * every)
    const value = values[i] ?? Number.NaN
    if (part.some(Number.isNaN) || !Number.isFinite(value)) continue
    const shade = Math.min(SHADES - 1, Math.floor((SHADES * (value - low)) / (high - low || 1)))
    const bucket = buckets.get(shade) ?? []
    bucket.push(...part)
    buckets.set(shade, bucket)
  }
  const radius = points.length / every > CROWD ? CROWD_DOT_PX : DOT_PX
  return [...buckets].map(([shade, some]): Mark => {
    const ink = hexOf(colourAt((shade + 0.5) / SHADES))
    const its = Float64Array.from(some)
    return every === 4
      ? { kind: 'segments', points: its, ink, width: LINE_PX }
      : { kind: 'dots', points: its, ink, radius }
  })
}

const stemsOf = (points: Float64Array, base: number): Float64Array => {
  const stems = new Float64Array(2 * points.length)
  for (let at = 0; at < points.length; at += 2) {
    stems.set([points[at] as number, base, points[at] as number, points[at + 1] as number], 2 * at)
  }
  return stems
}

/** The marks of one curve in its colour. */
export const curveMarks = (curve: Curve, axes: Axes, box: Box, ink: string): readonly Mark[] => {
  const points = pixelsOf(curve, axes, box)
  const { style = 'line', shade } = curve
  if (shade !== undefined && !isLine(curve)) return shadedMarks(curve, points, rangeOf(shade.values))
  const lines = (dashed: boolean): readonly Mark[] =>
    unbroken(thinned(points)).map(
      (part): Mark => ({ kind: 'path', points: part, ink, width: LINE_PX, ...(dashed && { dashed }) }),
    )
  if (isLine(curve)) return lines(style === 'dashes')
  if (style === 'segments') return [{ kind: 'segments', points: visibleOf(points, 4), ink, width: LINE_PX }]
  const places = visibleOf(points, 2)
  const dots: Mark = { kind: 'dots', points: places, ink, radius: places.length / 2 > CROWD ? CROWD_DOT_PX : DOT_PX }
  if (style === 'points') return [dots]
  if (style === 'marks') return [...lines(false), dots]
  const base = placeY(axes.y, box, axes.y.scale === 'log' ? axes.y.low : 0)
  return [
    { kind: 'segments', points: stemsOf(places, base), ink, width: 1 },
    { kind: 'dots', points: places, ink, radius: STEM_DOT_PX },
  ]
}

const shadeScale = (curves: readonly Curve[]) => {
  const shade = curves.find((it) => it.shade !== undefined && !isLine(it))?.shade
  if (shade === undefined) return undefined
  const [low, high] = rangeOf(shade.values)
  return { name: shade.name, unit: shade.unit, low, high, palette: 'sequential' as const }
}

/** Curves over two axes. */
export const curvesScene = (plot: CurvesPlot, style: Style): Scene => {
  const axes = axesOf(plot)
  const box =
    plot.equal === true
      ? ratioBox((axes.y.high - axes.y.low) / (axes.x.high - axes.x.low), style, axes.y)
      : freeBox(style, axes.y)
  const scale = shadeScale(plot.curves)
  const named = plot.curves.length > 1 ? legend(plot.curves, box, style) : undefined
  const beside = scale === undefined ? named : colourScale(scale, box, style)
  const inside = plot.curves.flatMap((it, i) => curveMarks(it, axes, box, style.inks.curve(i)))
  const shown = { title: plot.title, axes, box, inside, gridded: true }
  return sceneAround(beside === undefined ? shown : { ...shown, beside }, style)
}
