import { type Axis, sizeOf, ticksOf } from '#ui/plot/axes.ts'
import { colourAt, curveHex } from '#ui/plot/colours.ts'
import type { Along, Plot, Series } from '#ui/plot/plots.ts'
import { figure, rangeOf, withUnit } from '#ui/text/numbers.ts'

/** One thing of a drawing, in pixels from the upper left. */
export type Mark =
  | { readonly kind: 'path'; readonly points: Float64Array; readonly ink: string; readonly width: number }
  | { readonly kind: 'rect'; readonly box: Box; readonly fill?: string; readonly stroke?: string }
  | { readonly kind: 'dot'; readonly x: number; readonly y: number; readonly radius: number; readonly ink: string }
  | { readonly kind: 'map'; readonly box: Box; readonly image: Pixels }
  | TextMark

export interface TextMark {
  readonly kind: 'text'
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size: number
  readonly anchor: 'start' | 'middle' | 'end'
  readonly bold?: boolean
  /** Whether it reads from below to above. */
  readonly turned?: boolean
}

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Red, green, blue and 255 of each node, upper row first. */
export interface Pixels {
  readonly columns: number
  readonly rows: number
  readonly data: Uint8ClampedArray<ArrayBuffer>
}

/** A drawing that stands by itself, on white paper. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly marks: readonly Mark[]
}

/** What stands above a drawing. */
export interface Caption {
  readonly title: string
  readonly note: string
}

export const INK = '#14201f'
export const EDGE = '#51605f'
export const GRID = '#d3dcda'

const LEFT_PX = 84
const ABOVE_PX = 76
const BELOW_PX = 58
const RIGHT_PX = 30
/** Room for a legend or a colour scale. */
const SIDE_PX = 132
const WIDTH_PX = 640
const HEIGHT_PX = 400
const HEIGHT_PX_MIN = 60
const SQUARE_PX = 480
const TICK_X_PX = 80
const TICK_Y_PX = 44
const TICK_PX = 5
const TEXT_PX = 12
const LABEL_PX = 13
const TITLE_PX = 16
/** Curves that a legend names. */
const LEGEND_MAX = 16
const LEGEND_PX = 18
const SCALE_STEPS = 64
const BAR_PX = 26
const LABELS_PX = 150
const LABEL_CHARS_MAX = 22

const text = (x: number, y: number, words: string, more: Partial<TextMark> = {}): TextMark => ({
  kind: 'text',
  x,
  y,
  text: words,
  size: TEXT_PX,
  anchor: 'middle',
  ...more,
})

const stroke = (points: readonly number[], ink: string, width = 1): Mark => ({
  kind: 'path',
  points: Float64Array.from(points),
  ink,
  width,
})

interface Axes {
  readonly x: Axis
  readonly y: Axis
}

const placeX = ({ low, high }: Axis, { x, width }: Box, at: number): number =>
  x + ((at - low) / (high - low || 1)) * width
const placeY = ({ low, high }: Axis, { y, height }: Box, at: number): number =>
  y + height * (1 - (at - low) / (high - low || 1))

const axisX = (axis: Axis, box: Box): readonly Mark[] => {
  const { ticks, label } = ticksOf(axis, Math.max(2, box.width / TICK_X_PX))
  const bottom = box.y + box.height
  return [
    ...ticks.flatMap(({ at, text: words }) => {
      const x = placeX(axis, box, at)
      return [stroke([x, bottom, x, bottom + TICK_PX], EDGE), text(x, bottom + 19, words)]
    }),
    text(box.x + box.width / 2, bottom + 42, label, { size: LABEL_PX }),
  ]
}

const axisY = (axis: Axis, box: Box): readonly Mark[] => {
  const { ticks, label } = ticksOf(axis, Math.max(2, box.height / TICK_Y_PX))
  return [
    ...ticks.flatMap(({ at, text: words }) => {
      const y = placeY(axis, box, at)
      return [stroke([box.x - TICK_PX, y, box.x, y], EDGE), text(box.x - TICK_PX - 4, y + 4, words, { anchor: 'end' })]
    }),
    text(20, box.y + box.height / 2, label, { size: LABEL_PX, turned: true }),
  ]
}

const grid = ({ x, y }: Axes, box: Box): readonly Mark[] => [
  ...ticksOf(x, Math.max(2, box.width / TICK_X_PX)).ticks.map(({ at }) => {
    const place = placeX(x, box, at)
    return stroke([place, box.y, place, box.y + box.height], GRID)
  }),
  ...ticksOf(y, Math.max(2, box.height / TICK_Y_PX)).ticks.map(({ at }) => {
    const place = placeY(y, box, at)
    return stroke([box.x, place, box.x + box.width, place], GRID)
  }),
]

const captionOf = ({ title, note }: Caption, x: number): readonly Mark[] => [
  text(x, 28, title, { size: TITLE_PX, anchor: 'start', bold: true }),
  text(x, 48, note, { anchor: 'start' }),
]

interface Drawn {
  readonly axes: Axes
  readonly box: Box
  readonly inside: readonly Mark[]
  readonly beside?: readonly Mark[]
  readonly side?: number
  readonly gridded?: boolean
}

const sceneAround = (caption: Caption, { axes, box, inside, beside = [], side = 0, gridded = false }: Drawn): Scene => {
  const common = axes.x.unit === axes.y.unit ? { size: Math.max(sizeOf(axes.x), sizeOf(axes.y)) } : {}
  const x = { ...axes.x, ...common }
  const y = { ...axes.y, ...common }
  return {
    width: Math.round(box.x + box.width + RIGHT_PX + side),
    height: Math.round(box.y + box.height + BELOW_PX),
    title: caption.title,
    marks: [
      ...(gridded ? grid({ x, y }, box) : []),
      ...inside,
      { kind: 'rect', box, stroke: EDGE },
      ...axisX(x, box),
      ...axisY(y, box),
      ...beside,
      ...captionOf(caption, LEFT_PX),
    ],
  }
}

const placesOf = ({ places }: Along, count: number): readonly number[] =>
  'at' in places ? places.at : Array.from({ length: count }, (_, i) => i * places.spacing)

const legend = (names: readonly string[], box: Box): readonly Mark[] =>
  names.slice(0, LEGEND_MAX).flatMap((name, i) => {
    const y = box.y + 12 + i * LEGEND_PX
    const x = box.x + box.width + 16
    return [stroke([x, y - 4, x + 18, y - 4], curveHex(i), 3), text(x + 26, y, name, { anchor: 'start' })]
  })

const padded = ([low, high]: readonly [number, number]): readonly [number, number] =>
  low === high ? [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2] : [low, high]

const lineScene = (series: Series, x: Along, caption: Caption): Scene => {
  const count = series.axes.length > 1 ? (series.shape.at(-1) ?? 0) : series.values.length
  const curves = series.values.length / Math.max(1, count)
  const places = placesOf(x, count)
  const box = { x: LEFT_PX, y: ABOVE_PX, width: WIDTH_PX, height: HEIGHT_PX }
  const [left, right] = padded(rangeOf(places))
  const [low, high] = padded(rangeOf(series.values))
  const axes = {
    x: { name: x.name, unit: x.unit, low: left, high: right },
    y: { name: series.name, unit: series.unit, low, high },
  }
  const inside = Array.from({ length: curves }, (_, curve): Mark => {
    const points = new Float64Array(2 * count)
    for (let i = 0; i < count; i++) {
      points[2 * i] = placeX(axes.x, box, places[i] ?? i)
      points[2 * i + 1] = placeY(axes.y, box, series.values[curve * count + i] as number)
    }
    return { kind: 'path', points, ink: curveHex(curve), width: 2 }
  })
  const names = Array.from({ length: curves }, (_, i) => (curves === 1 ? series.name : `${series.name}[${i}]`))
  const beside = legend(names, box)
  return sceneAround(caption, { axes, box, inside, beside, side: SIDE_PX, gridded: true })
}

const spacingOf = ({ places }: Along): number => ('spacing' in places ? places.spacing : 1)

/** The largest box of a physical ratio of height to width. */
const boxOf = (ratio: number): Box => {
  const width = Math.min(WIDTH_PX, SQUARE_PX / ratio)
  const height = Math.max(HEIGHT_PX_MIN, width * ratio)
  return { x: LEFT_PX, y: ABOVE_PX, width: Math.max(HEIGHT_PX_MIN, width), height }
}

/** The pixels of a field: its first row is the lower edge. */
export const pixelsOf = ({ values, shape }: Series): Pixels => {
  const [rows = 1, columns = 1] = shape
  const [low, high] = rangeOf(values)
  const span = high - low || 1
  const data = new Uint8ClampedArray(4 * rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = 4 * ((rows - 1 - row) * columns + column)
      data.set(colourAt(((values[row * columns + column] as number) - low) / span), at)
      data[at + 3] = 255
    }
  }
  return { columns, rows, data }
}

const colourScale = ({ values, unit, name }: Series, box: Box): readonly Mark[] => {
  const [low, high] = rangeOf(values)
  const x = box.x + box.width + 16
  const step = box.height / SCALE_STEPS
  const at = (share: number, value: number): Mark =>
    text(x + 26, box.y + (1 - share) * (box.height - 10) + 10, withUnit(figure(value), unit), { anchor: 'start' })
  return [
    text(x, box.y - 9, name, { anchor: 'start' }),
    ...Array.from({ length: SCALE_STEPS }, (_, i): Mark => {
      const [red, green, blue] = colourAt(1 - (i + 0.5) / SCALE_STEPS)
      const fill = `#${[red, green, blue].map((it) => it.toString(16).padStart(2, '0')).join('')}`
      return { kind: 'rect', box: { x, y: box.y + i * step, width: 18, height: step + 0.5 }, fill }
    }),
    { kind: 'rect', box: { x, y: box.y, width: 18, height: box.height }, stroke: EDGE },
    at(1, high),
    at(0.5, (low + high) / 2),
    at(0, low),
  ]
}

const fieldScene = (series: Series, along: { readonly x: Along; readonly y: Along }, caption: Caption): Scene => {
  const [rows = 1, columns = 1] = series.shape
  const axisOf = (it: Along, nodes: number): Axis => ({
    name: it.name,
    unit: it.unit,
    low: -0.5 * spacingOf(it),
    high: (nodes - 0.5) * spacingOf(it),
  })
  const axes = { x: axisOf(along.x, columns), y: axisOf(along.y, rows) }
  const box = boxOf((axes.y.high - axes.y.low) / (axes.x.high - axes.x.low))
  const inside: readonly Mark[] = [{ kind: 'map', box, image: pixelsOf(series) }]
  return sceneAround(caption, { axes, box, inside, beside: colourScale(series, box), side: SIDE_PX + 20 })
}

const AXES = 3
const MARGIN = 0.06

const pathsScene = (series: Series, bodies: number, caption: Caption): Scene => {
  const { values } = series
  const ranges = [0, 1].map((axis) => rangeOf(values.filter((_, i) => i % AXES === axis)))
  const margin = MARGIN * (Math.max(...ranges.map(([low, high]) => high - low)) || 1)
  const axisOf = (name: string, [low, high]: readonly [number, number] = [0, 1]): Axis => ({
    name,
    unit: series.unit,
    low: low - margin,
    high: high + margin,
  })
  const axes = { x: axisOf('x', ranges[0]), y: axisOf('y', ranges[1]) }
  const box = boxOf((axes.y.high - axes.y.low) / (axes.x.high - axes.x.low))
  const samples = values.length / AXES / bodies
  const inside = Array.from({ length: bodies }, (_, body): readonly Mark[] => {
    const points = new Float64Array(2 * samples)
    for (let i = 0; i < samples; i++) {
      const at = (i * bodies + body) * AXES
      points[2 * i] = placeX(axes.x, box, values[at] as number)
      points[2 * i + 1] = placeY(axes.y, box, values[at + 1] as number)
    }
    const [x = 0, y = 0] = points.slice(-2)
    const ink = curveHex(body)
    return [
      { kind: 'path', points, ink, width: 1.5 },
      { kind: 'dot', x, y, radius: 4, ink },
    ]
  }).flat()
  const names = Array.from({ length: bodies }, (_, i) => `body ${i + 1}`)
  return sceneAround(caption, { axes, box, inside, beside: legend(names, box), side: SIDE_PX, gridded: true })
}

const barsScene = ({ labels, values, name, unit, about }: Extract<Plot, { kind: 'bars' }>, caption: Caption): Scene => {
  const [, high] = rangeOf(values)
  const axis = { name, unit, low: 0, high: high > 0 ? high : 1 }
  const box = { x: LABELS_PX, y: ABOVE_PX, width: WIDTH_PX, height: Math.max(1, values.length) * BAR_PX }
  const bars = values.flatMap((value, i): readonly Mark[] => {
    const y = box.y + i * BAR_PX
    const width = (value / axis.high) * box.width
    const label = labels[i] ?? ''
    const short = label.length > LABEL_CHARS_MAX ? `${label.slice(0, LABEL_CHARS_MAX - 1)}…` : label
    return [
      { kind: 'rect', box: { x: box.x, y: y + 4, width, height: BAR_PX - 8 }, fill: curveHex(0) },
      text(box.x - 8, y + BAR_PX / 2 + 4, short, { anchor: 'end' }),
    ]
  })
  return {
    width: box.x + box.width + RIGHT_PX,
    height: box.y + box.height + BELOW_PX,
    title: caption.title,
    marks: [
      ...bars,
      { kind: 'rect', box, stroke: EDGE },
      ...axisX(axis, box),
      text(box.x - 8, box.y - 6, about, { anchor: 'end', bold: true }),
      ...captionOf(caption, box.x),
    ],
  }
}

/** The drawing of a plot: axes with units, title, legend, from the numbers as they are. */
export const sceneOf = (plot: Plot, caption: Caption): Scene => {
  if (plot.kind === 'field') return fieldScene(plot.series, plot, caption)
  if (plot.kind === 'line') return lineScene(plot.series, plot.x, caption)
  if (plot.kind === 'paths') return pathsScene(plot.series, plot.bodies, caption)
  return barsScene(plot, caption)
}
